//! Propagation, probing, search and enumeration against brute force on random models.

use quipu_cp::{Answer, Direction, Effort, Limits, Propagation, Queue, Solver, Strategy};
use quipu_model::{Model, Role, Var, WrittenBodies, holds};
use quipu_modelkit::{Random, Shape, random_model, solutions};

fn inputs(model: &Model) -> Vec<Var> {
    model.vars().entries().filter(|(_, info)| info.role == Role::Input).map(|(var, _)| var).collect()
}

fn models(n: u64, salt: u64) -> impl Iterator<Item = (u64, Model)> {
    (0..n).map(move |seed| {
        let mut random = Random::new(seed ^ salt);
        let shape = Shape::small(&mut random);
        (seed, random_model(&mut random, &shape))
    })
}

/// No solution lies outside the domains.
fn assert_contained(seed: u64, model: &Model, solver: &Solver<'_>, expected: &[Vec<u64>]) {
    for solution in expected {
        for (n, &value) in solution.iter().enumerate() {
            let var = inputs(model)[n];
            let (term, width) = (model.var_term(var), model.vars()[var].width);
            assert!(solver.domain(term).contains(width, value), "seed {seed}: {solution:?} was lost");
        }
    }
}

#[test]
fn propagation_and_probing_lose_no_solution() {
    let (mut refuted, mut refuted_by_probing) = (0, 0);
    for (seed, model) in models(2500, 1) {
        let expected = solutions(&model);
        let mut solver = Solver::new(model.clone(), &WrittenBodies, Limits::default());
        if solver.propagate() == Propagation::Infeasible {
            refuted += 1;
            assert!(expected.is_empty(), "seed {seed}: propagation refuted a model with solutions");
            continue;
        }
        assert_contained(seed, &model, &solver, &expected);
        match solver.probe(Effort { rounds: 16, shaves: 64, parts: true }) {
            Propagation::Infeasible => {
                refuted_by_probing += 1;
                assert!(expected.is_empty(), "seed {seed}: probing refuted a model with solutions");
            }
            _ => assert_contained(seed, &model, &solver, &expected),
        }
    }
    assert!(refuted > 100 && refuted_by_probing > 20, "both should happen: {refuted} {refuted_by_probing}");
}

#[test]
fn search_finds_a_solution_exactly_if_there_is_one() {
    for (seed, model) in models(2500, 2) {
        let expected = solutions(&model);
        let mut solver = Solver::new(model.clone(), &WrittenBodies, Limits::default());
        solver.strategy = strategy(seed);
        solver.direction = direction(seed);
        match solver.solve() {
            Answer::Witness(assignment) => {
                assert!(holds(&model, &assignment), "seed {seed}: the witness is wrong");
            }
            Answer::Infeasible => assert!(expected.is_empty(), "seed {seed}: a solution was missed"),
            Answer::GaveUp(stop) => panic!("seed {seed}: gave up without a limit: {stop:?}"),
        }
    }
}

#[test]
fn enumeration_finds_every_solution_once() {
    for (seed, model) in models(1200, 3) {
        let mut expected = solutions(&model);
        if expected.len() > 200 {
            continue;
        }
        let vars = inputs(&model);
        let mut solver = Solver::new(model.clone(), &WrittenBodies, Limits::default());
        solver.strategy = strategy(seed);
        solver.direction = direction(seed);
        let mut found = Vec::new();
        loop {
            match solver.solve() {
                Answer::Witness(assignment) => {
                    assert!(holds(&model, &assignment), "seed {seed}: the witness is wrong");
                    found.push(vars.iter().map(|&var| assignment[var]).collect::<Vec<u64>>());
                    let values: Vec<_> =
                        vars.iter().map(|&var| (model.var_term(var), assignment[var])).collect();
                    // Both ways to exclude a solution, in turns.
                    let terms: Vec<_> = vars.iter().map(|&var| model.var_term(var)).collect();
                    if !seed.is_multiple_of(2) || !solver.exclude_found(&terms) {
                        solver.exclude(&values);
                    }
                }
                Answer::Infeasible => break,
                Answer::GaveUp(stop) => panic!("seed {seed}: gave up without a limit: {stop:?}"),
            }
            assert!(found.len() <= expected.len(), "seed {seed}: a solution was told twice");
        }
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "seed {seed}");
    }
}

fn strategy(seed: u64) -> Strategy {
    match seed % 7 {
        0 => Strategy::Learned,
        1 => Strategy::FirstFail,
        2 => Strategy::MostConstrained,
        3 => Strategy::Split,
        4 => Strategy::SmallFirst,
        5 => Strategy::BoundaryFirst,
        _ => Strategy::Random(seed),
    }
}

fn direction(seed: u64) -> Direction {
    match seed % 5 {
        0 => Direction::Values,
        1 => Direction::Backwards(Queue::LastFirst),
        2 => Direction::Backwards(Queue::FirstFirst),
        3 => Direction::Backwards(Queue::EarliestDefined),
        _ => Direction::Forwards,
    }
}
