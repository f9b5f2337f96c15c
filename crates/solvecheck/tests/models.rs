//! Some hundreds of random models in every way; `models` of this package runs many more.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quipu_solvecheck::{Case, Tally, case, check, float_case};

#[test]
fn every_way_gives_the_same_answers() {
    all_agree(case);
}

#[test]
fn every_way_gives_the_same_answers_about_floats() {
    all_agree(float_case);
}

fn all_agree(case: fn(u64, u64) -> Case) {
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut total = Tally::default();
    for number in 0..400 {
        let (tally, differences) = check(&case(20, number), &interrupt);
        assert!(differences.is_empty(), "model {number} of seed 20: {differences:?}");
        total.add(&tally);
    }
    println!("{total:?}");
    assert!(total.satisfiable > 100 && total.infeasible > 20, "both should happen: {total:?}");
    assert!(total.limits * 10 < total.answers, "most questions should be answered: {total:?}");
}
