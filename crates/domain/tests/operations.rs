//! Contractors of operations, comparisons, guards and conversions against brute force by `quipu-num`.

mod support;

use quipu_domain::Domain;
use quipu_num::Width;
use support::relation::{for_conditions, for_operations, for_unary, known};
use support::{Random, all_domains, arc_domains, width};

const LARGE: [u32; 9] = [5, 7, 8, 16, 31, 32, 33, 63, 64];

#[test]
fn operations_lose_no_solution_on_all_arcs_of_three_bits() {
    for bits in 1..=3 {
        let w = width(bits);
        let arcs = known(w, arc_domains(w));
        for_operations(w, |relation| relation.check_all([&arcs, &arcs, &arcs]));
    }
}

#[test]
fn operations_lose_no_solution_on_all_domains_of_two_bits() {
    for bits in 1..=2 {
        let w = width(bits);
        let domains = known(w, all_domains(w));
        for_operations(w, |relation| relation.check_all([&domains, &domains, &domains]));
    }
}

#[test]
fn operations_lose_no_solution_on_many_domains_of_three_to_five_bits() {
    let mut random = Random::new(1);
    for bits in 3..=5 {
        let w = width(bits);
        let domains = known(w, if bits < 5 { all_domains(w) } else { arc_domains(w) });
        for_operations(w, |relation| {
            relation.check_some(&mut random, 60_000, [&domains, &domains, &domains])
        });
    }
}

#[test]
fn operations_keep_random_solutions_at_large_widths() {
    let mut random = Random::new(2);
    for bits in LARGE {
        for_operations(width(bits), |relation| (0..8_000).for_each(|_| relation.check_solution(&mut random)));
    }
}

#[test]
fn conditions_lose_no_solution_on_all_arcs_of_four_bits() {
    for bits in 1..=4 {
        let w = width(bits);
        let arcs = known(w, arc_domains(w));
        let truths = known(Width::W1, all_domains(Width::W1));
        for_conditions(w, |relation| relation.check_all([&arcs, &arcs, &truths]));
    }
}

#[test]
fn conditions_lose_no_solution_on_all_domains_of_three_bits() {
    for bits in 1..=3 {
        let w = width(bits);
        let domains = known(w, all_domains(w));
        let truths = known(Width::W1, all_domains(Width::W1));
        for_conditions(w, |relation| relation.check_all([&domains, &domains, &truths]));
    }
}

#[test]
fn conditions_keep_random_solutions_at_large_widths() {
    let mut random = Random::new(3);
    for bits in LARGE {
        for_conditions(width(bits), |relation| (0..4_000).for_each(|_| relation.check_solution(&mut random)));
    }
}

#[test]
fn unary_operations_lose_no_solution_on_all_domains_of_four_bits() {
    let dummy = known(Width::W1, vec![Domain::BOTH]);
    for bits in 1..=4 {
        let w = width(bits);
        let domains = known(w, all_domains(w));
        for_unary(w, &[1, 2, 3, 4], |relation| {
            let results = known(relation.widths[2], all_domains(relation.widths[2]));
            relation.check_all([&domains, &dummy, &results]);
        });
    }
}

#[test]
fn unary_operations_keep_random_solutions_at_large_widths() {
    let mut random = Random::new(4);
    for bits in LARGE {
        for_unary(width(bits), &LARGE, |relation| {
            (0..3_000).for_each(|_| relation.check_solution(&mut random))
        });
    }
}
