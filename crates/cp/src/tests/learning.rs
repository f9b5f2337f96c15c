//! Searches for all solutions: every clause that was learned holds in all solutions that were not told before.

use quipu_model::{Model, Role, Term, Var, VarInfo, WrittenBodies};
use quipu_num::Width;

use super::walk::{Worlds, small_model};
use crate::clauses::Origin;
use crate::limits::{Limits, Stop};
use crate::solver::{Answer, Solver};
use crate::strategy::Strategy;

const STRATEGIES: [Strategy; 7] = [
    Strategy::Learned,
    Strategy::FirstFail,
    Strategy::MostConstrained,
    Strategy::Split,
    Strategy::SmallFirst,
    Strategy::BoundaryFirst,
    Strategy::Random(7),
];

#[test]
fn learned_clauses_hold_in_all_solutions_not_yet_told() {
    let mut n_clauses = 0;
    for seed in 0..1500 {
        let model = small_model(seed ^ 0x77_0000);
        let mut worlds = Worlds::of(&model);
        let vars: Vec<Var> = model.inputs().collect();
        let mut solver = Solver::new(model.clone(), WrittenBodies, Limits::default());
        solver.strategy = STRATEGIES[seed as usize % STRATEGIES.len()];
        for _ in 0..30 {
            let answer = solver.solve();
            for (id, clause) in solver.engine.clauses.entries() {
                if clause.origin == Origin::Learned {
                    let implied = worlds.imply(&solver.engine.model, &clause.atoms);
                    assert!(implied, "seed {seed}: {id} does not follow: {:?}", clause.atoms);
                    n_clauses += 1;
                }
            }
            let Answer::Witness(assignment) = answer else {
                assert_eq!(answer, Answer::Infeasible, "seed {seed}: there is no limit");
                assert_eq!(worlds.solutions().count(), 0, "seed {seed}: solutions are denied");
                break;
            };
            let told: Vec<(Term, u64)> =
                vars.iter().map(|&var| (model.var_term(var), assignment[var])).collect();
            let before = worlds.solutions().count();
            worlds.worlds.retain(|(values, _)| told.iter().any(|&(term, value)| values[term] != value));
            assert_eq!(worlds.solutions().count() + 1, before, "seed {seed}: no solution, or told twice");
            solver.exclude(&told);
        }
    }
    println!("{n_clauses} clauses");
    assert!(n_clauses > 5_000, "clauses should be learned: {n_clauses}");
}

/// Variables without a definition, and clauses alone: the search went on for ever without counting anything.
#[test]
fn a_search_in_clauses_alone_keeps_its_limits() {
    let mut model = Model::new();
    let width = Width::new(6).expect("a width of 1 to 64");
    let vars: Vec<Var> = (0..2)
        .map(|n| {
            let info =
                VarInfo { name: format!("x{n}"), width, signed: false, range: None, role: Role::Input };
            model.add_var(info)
        })
        .collect();
    let terms: Vec<Term> = vars.iter().map(|&var| model.var_term(var)).collect();
    for limits in [
        Limits { contractions: Some(500), ..Limits::default() },
        Limits { conflicts: Some(20), ..Limits::default() },
    ] {
        let mut solver = Solver::new(model.clone(), WrittenBodies, limits);
        let stopped = (0..4096).find_map(|_| match solver.solve() {
            Answer::Witness(found) => {
                let values: Vec<(Term, u64)> =
                    vars.iter().zip(&terms).map(|(&var, &term)| (term, found[var])).collect();
                solver.exclude(&values);
                None
            }
            Answer::Infeasible => Some(None),
            Answer::GaveUp(stop) => Some(Some(stop)),
        });
        assert!(matches!(stopped, Some(Some(Stop::Contractions | Stop::Conflicts))), "{stopped:?}");
    }
}
