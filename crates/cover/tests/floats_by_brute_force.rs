//! Every verdict on random functions of floats against all of their inputs. `QUIPU_PROGRAMS` sets how many functions,
//! `QUIPU_FIRST` the seed of the first one.

mod support;

use support::floats;
use support::verdicts::attack;

#[test]
fn verdicts_on_functions_of_floats() {
    attack("float arithmetic", 16, &floats::arithmetic).gives_up_rarely();
}

#[test]
fn verdicts_on_functions_on_the_bits_of_floats() {
    attack("float bits", 16, &floats::bits).gives_up_rarely();
}

#[test]
fn verdicts_on_functions_that_call_libm() {
    attack("libm", 12, &floats::libm).gives_up_rarely();
}
