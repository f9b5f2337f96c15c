//! Every verdict on random functions against all of their inputs. `QUIPU_PROGRAMS` sets how many functions,
//! `QUIPU_FIRST` the seed of the first one.

mod support;

use support::generator::{Config, case};
use support::verdicts::attack;

const FULL: Config = Config {
    loops: true,
    calls: true,
    environment: false,
    nested: true,
    undefined: false,
    stops: true,
    jumps: true,
    statements: 4,
};

#[test]
fn verdicts_on_functions() {
    attack("functions", 15, &|seed| case(seed, &FULL)).gives_up_rarely();
}

#[test]
fn verdicts_on_functions_with_undefined_behaviour() {
    attack("undefined", 10, &|seed| case(seed, &Config { undefined: true, ..FULL })).gives_up_rarely();
}

#[test]
fn verdicts_on_straight_functions() {
    attack("straight", 25, &|seed| {
        case(seed, &Config { loops: false, calls: false, jumps: false, stops: false, statements: 5, ..FULL })
    })
    .gives_up_rarely();
}

#[test]
fn verdicts_on_functions_with_an_environment() {
    attack("environment", 15, &|seed| case(seed, &Config { environment: true, calls: false, ..FULL }))
        .gives_up_rarely();
}
