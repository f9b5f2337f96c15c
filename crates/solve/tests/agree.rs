//! Rewriting, propagation, search and SAT, alone and together, against brute force on random models.

use quipu_model::{Model, Var, WrittenBodies, holds};
use quipu_modelkit::{Random, Shape, random_model, solutions};
use quipu_solve::{Answer, Approach, Options, Queue, Session};

fn model(seed: u64, salt: u64) -> Model {
    let mut random = Random::new(seed.wrapping_mul(3) ^ salt);
    let shape = Shape::small(&mut random);
    random_model(&mut random, &shape)
}

/// Parts of the solver switched on: rewriting, search, SAT.
const PARTS: [(bool, bool, bool); 5] = [
    (true, true, true),
    (false, true, false),
    (true, true, false),
    (false, false, true),
    (true, false, true),
];

fn options(parts: (bool, bool, bool)) -> Options {
    let (rewrite, search, sat) = parts;
    Options { rewrite, search, sat, ..Options::default() }
}

#[test]
fn every_combination_of_parts_agrees_with_brute_force() {
    for seed in 0..600 {
        let model = model(seed, 0);
        let expected = solutions(&model);
        for parts in PARTS {
            let mut session = Session::new(model.clone(), &WrittenBodies, options(parts));
            match session.solve() {
                Answer::Solution(solution) => assert!(holds(&model, &solution), "seed {seed} {parts:?}"),
                Answer::Infeasible => {
                    assert!(expected.is_empty(), "seed {seed} {parts:?}: a solution was missed")
                }
                Answer::GaveUp(limit) => panic!("seed {seed} {parts:?}: {limit:?}"),
            }
        }
    }
}

#[test]
fn every_approach_agrees_with_brute_force_under_assumptions() {
    let queues = [Queue::LastFirst, Queue::FirstFirst, Queue::EarliestDefined];
    let others = [Approach::Automatic, Approach::Cpbpv, Approach::Sat];
    for seed in 0..400 {
        let mut model = model(seed, 31);
        let expected = solutions(&model);
        let asked = model.assertions().to_vec();
        model.truncate_assertions(0);
        for approach in queues.map(Approach::Dpvs).into_iter().chain(others) {
            let mut session = Session::new(model.clone(), &WrittenBodies, approach.options());
            // What was learned from the first question must not spoil the second.
            for assumptions in [&asked[..], &asked[..asked.len() / 2], &asked[..]] {
                match session.solve_under(assumptions) {
                    Answer::Solution(solution) => {
                        assert!(
                            quipu_model::all_hold(&model, assumptions, &solution),
                            "seed {seed} {approach:?}"
                        );
                    }
                    Answer::Infeasible if assumptions.len() == asked.len() => {
                        assert!(expected.is_empty(), "seed {seed} {approach:?}: a solution was missed");
                    }
                    Answer::Infeasible => {
                        assert!(expected.is_empty(), "seed {seed} {approach:?}: fewer assumptions")
                    }
                    Answer::GaveUp(limit) => panic!("seed {seed} {approach:?}: {limit:?}"),
                }
            }
        }
    }
}

#[test]
fn every_combination_of_parts_tells_every_solution_once() {
    for seed in 0..250 {
        let model = model(seed, 77);
        let mut expected = solutions(&model);
        if expected.len() > 60 {
            continue;
        }
        expected.sort();
        for parts in PARTS {
            let vars: Vec<Var> = model.inputs().collect();
            let mut session = Session::new(model.clone(), &WrittenBodies, options(parts));
            let mut found: Vec<Vec<u64>> = Vec::new();
            while let Answer::Solution(solution) = session.solve() {
                assert!(holds(&model, &solution), "seed {seed} {parts:?}");
                found.push(vars.iter().map(|&var| solution[var]).collect());
                assert!(found.len() <= expected.len(), "seed {seed} {parts:?}: told twice");
                session.exclude(&solution, &vars);
            }
            found.sort();
            assert_eq!(found, expected, "seed {seed} {parts:?}");
        }
    }
}

/// A solution is told by some of the variables only: the others may have any value that does.
#[test]
fn projected_solutions_are_told_once() {
    for seed in 0..250 {
        let model = model(seed, 4242);
        let vars: Vec<Var> = model.inputs().collect();
        let kept: Vec<usize> = (0..vars.len()).filter(|n| (seed >> n) & 1 == 0).collect();
        let mut expected: Vec<Vec<u64>> =
            solutions(&model).iter().map(|solution| kept.iter().map(|&n| solution[n]).collect()).collect();
        expected.sort();
        expected.dedup();
        if kept.is_empty() || expected.len() > 60 {
            continue;
        }
        let shown: Vec<Var> = kept.iter().map(|&n| vars[n]).collect();
        for (parts, project) in PARTS.into_iter().flat_map(|parts| [(parts, true), (parts, false)]) {
            let mut session = Session::new(model.clone(), &WrittenBodies, options(parts));
            if project {
                session.project(&shown);
            }
            let mut found: Vec<Vec<u64>> = Vec::new();
            while let Answer::Solution(solution) = session.solve() {
                found.push(shown.iter().map(|&var| solution[var]).collect());
                assert!(found.len() <= expected.len(), "seed {seed} {parts:?}: told twice");
                session.exclude(&solution, &shown);
            }
            found.sort();
            assert_eq!(found, expected, "seed {seed} {parts:?}");
        }
    }
}

#[test]
fn propagation_keeps_every_solution() {
    for seed in 0..600 {
        let model = model(seed, 991);
        let expected = solutions(&model);
        let vars: Vec<Var> = model.inputs().collect();
        let mut session = Session::new(model.clone(), &WrittenBodies, Options::default());
        vars.iter().for_each(|&var| session.watch(model.var_term(var)));
        if session.propagate().is_err() {
            assert!(expected.is_empty(), "seed {seed}: propagation refuted a model with solutions");
            continue;
        }
        for solution in &expected {
            for (&var, &value) in vars.iter().zip(solution) {
                let domain = session.domain(model.var_term(var));
                assert!(
                    domain.contains(model.vars()[var].width, value),
                    "seed {seed}: {solution:?} was lost"
                );
            }
        }
    }
}
