//! A smaller case with the same kind of difference: assertions are left out one by one, and conjunctions taken apart.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quipu_model::{Node, Term};
use quipu_modelkit::Specimen;

use crate::case::Case;
use crate::check::{Difference, check};

/// The case with fewer assertions, and what still differs in it.
pub fn shrink(mut case: Case, mut differences: Vec<Difference>) -> (Case, Vec<Difference>) {
    let interrupt = Arc::new(AtomicBool::new(false));
    loop {
        let smaller = candidates(&case).into_iter().find_map(|assertions| {
            let candidate = with_assertions(&case, &assertions);
            let (_, found) = check(&candidate, &interrupt);
            let same = found.iter().any(|new| differences.iter().any(|old| old.way == new.way));
            same.then_some((candidate, found))
        });
        match smaller {
            Some((smaller, found)) => (case, differences) = (smaller, found),
            None => return (case, differences),
        }
    }
}

/// Lists of assertions that say less.
fn candidates(case: &Case) -> Vec<Vec<Term>> {
    let model = &case.specimen.model;
    let all = model.assertions().to_vec();
    let mut lists = Vec::new();
    for n in 0..all.len() {
        let mut fewer = all.clone();
        let dropped = fewer.remove(n);
        lists.push(fewer.clone());
        if let Node::All(items) = model.node(dropped) {
            for &item in items {
                lists.push(fewer.iter().copied().chain([item]).collect());
            }
        }
    }
    lists
}

fn with_assertions(case: &Case, assertions: &[Term]) -> Case {
    let mut model = case.specimen.model.clone();
    model.truncate_assertions(0);
    assertions.iter().for_each(|&assertion| model.assert(assertion));
    let specimen = Specimen { model, meanings: case.specimen.meanings.clone() };
    Case { number: case.number, specimen, wide: case.wide, seed: case.seed }
}
