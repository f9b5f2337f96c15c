//! Rewriting, propagation, search and SAT, alone and together, against brute force on random models.

use quipu_model::{Model, Var, WrittenBodies, holds};
use quipu_modelkit::{Random, Shape, random_model, solutions};
use quipu_solve::{Answer, Options, Session};

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
