//! Random functions on small memories against all of their inputs, those included that say where pointers point.
//! `QUIPU_PROGRAMS` sets how many functions, `QUIPU_FIRST` the seed of the first one.

mod support;

use quipu_cover::Options;
use quipu_goals::Criterion;
use support::brute::{STEPS, Target, all_inputs};
use support::generator::Case;
use support::places::{Tally, places};
use support::{Failure, addresses, campaign, heap, memory, registers, rings, verdicts};

/// More inputs are too many to be enumerated.
const MOST_INPUTS: usize = 2500;

#[test]
fn places_in_functions_on_objects() {
    let tally = find("objects", 24, &memory::objects);
    assert!(tally.tight * 100 >= tally.places * 95, "propagation lost strength: {tally:#?}");
}

#[test]
fn places_in_functions_on_shaped_inputs() {
    let tally = find("shaped", 24, &memory::shaped);
    let followed = tally.places - tally.bounded;
    assert!(tally.tight * 100 >= followed * 85, "propagation lost strength: {tally:#?}");
}

#[test]
fn verdicts_on_functions_on_objects() {
    verdicts::attack("objects", 24, &memory::objects).gives_up_rarely();
}

#[test]
fn verdicts_on_functions_on_shaped_inputs() {
    verdicts::attack("shaped", 24, &memory::shaped).gives_up_rarely();
}

#[test]
fn verdicts_on_functions_on_addresses_as_numbers() {
    let tally = verdicts::attack("addresses", 24, &addresses::addresses);
    let dead: u64 = tally.dead.values().sum();
    let proved = tally.dead.get("unreachable").copied().unwrap_or(0);
    assert!(proved * 10 > dead * 8, "only {proved} of {dead} goals that no run meets are proved to be so");
}

#[test]
fn places_in_functions_on_pointers_that_walk_through_arrays() {
    find("rings", 16, &rings::rings);
}

#[test]
fn verdicts_on_functions_on_pointers_that_walk_through_arrays() {
    let tally = verdicts::attack("rings", 24, &rings::rings);
    tally.gives_up_rarely();
    let dead: u64 = tally.dead.values().sum();
    let proved = tally.dead.get("unreachable").copied().unwrap_or(0);
    assert!(proved * 10 > dead * 8, "only {proved} of {dead} goals that no run meets are proved to be so");
}

#[test]
fn verdicts_on_functions_whose_allocations_may_fail() {
    let tally = verdicts::attack("heap", 24, &heap::heap);
    tally.gives_up_rarely();
    let dead: u64 = tally.dead.values().sum();
    let proved = tally.settled();
    assert!(proved * 10 > dead * 9, "only {proved} of {dead} goals that no run meets are called so");
}

#[test]
fn verdicts_on_functions_that_read_volatile_objects() {
    let tally = verdicts::attack("registers", 24, &registers::registers);
    let dead: u64 = tally.dead.values().sum();
    let proved = tally.dead.get("unreachable").copied().unwrap_or(0);
    assert!(proved * 10 > dead * 8, "only {proved} of {dead} goals that no run meets are proved to be so");
}

#[test]
fn verdicts_on_loops_that_may_go_round_in_circles() {
    let tally = verdicts::attack("circles", 12, &memory::circles);
    tally.gives_up_rarely();
    let dead: u64 = tally.dead.values().sum();
    let proved = tally.dead.get("unreachable").copied().unwrap_or(0);
    assert!(proved * 10 > dead * 8, "only {proved} of {dead} goals that no run meets are proved to be so");
}

#[test]
fn verdicts_on_loops_with_turns_that_make_and_change_objects() {
    verdicts::attack("turns", 24, &memory::turns);
}

/// Checks some places of each function.
fn find(name: &str, programs: u64, make: &dyn Fn(u64) -> Case) -> Tally {
    let mut tally = Tally::default();
    let mut unused = Tally::default();
    campaign(name, programs, make, &mut |target, counts| {
        find_one(target, if counts { &mut tally } else { &mut unused })
    });
    println!("{name}: {tally:#?}");
    tally
}

fn find_one(target: &Target, tally: &mut Tally) -> Vec<Failure> {
    let mut failures = Vec::new();
    let inputs = all_inputs(&target.subject.interface).filter(|inputs| inputs.len() <= MOST_INPUTS);
    let Some(inputs) = inputs else { return failures };
    let criteria = vec![Criterion::Statement, Criterion::Branch];
    let options = Options { criteria, steps: STEPS, ..Options::default() };
    places(target, &inputs, &options, tally, &mut failures);
    failures
}
