//! Searches for all solutions: every clause that was learned holds in all solutions that were not told before.

use quipu_model::{
    Body, Model, Procedure, Reading, RelationInfo, Role, Term, Var, VarInfo, WrittenBodies, holds,
};
use quipu_num::{IntCmp, Width};

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

/// Variables without a definition, and clauses alone: the search did not look at its limits.
#[test]
fn a_search_in_clauses_alone_keeps_its_limits() {
    let mut model = Model::new();
    let width = Width::new(4).expect("a width of 1 to 64");
    let mut var = |name: &str| {
        let info =
            VarInfo { name: name.into(), width, reading: Reading::Unsigned, range: None, role: Role::Input };
        let var = model.add_var(info);
        model.var_term(var)
    };
    let (x, y) = (var("x"), var("y"));
    for limits in [
        Limits { contractions: Some(5), ..Limits::default() },
        Limits { conflicts: Some(5), ..Limits::default() },
    ] {
        let mut solver = Solver::new(model.clone(), WrittenBodies, limits);
        for n in 0..256 {
            solver.exclude(&[(x, n % 16), (y, n / 16)]);
        }
        assert!(matches!(solver.solve(), Answer::GaveUp(Stop::Contractions | Stop::Conflicts)));
        solver.set_limits(Limits::default());
        assert_eq!(solver.solve(), Answer::Infeasible);
    }
}

/// Two bounds that push each other by one at a time, below a decision: unwinding that was quadratic in the number of
/// steps, 40 s for 16 bits. Now it takes a tenth of a second, so a wider cycle would be noticed here.
#[test]
fn unwinding_many_small_steps_is_linear() {
    let mut model = Model::new();
    let mut var = |bits: u32| {
        let width = Width::new(bits).expect("a width of 1 to 64");
        let name = format!("x{}", model.vars().len());
        let var = model.add_var(VarInfo {
            name,
            width,
            reading: Reading::Unsigned,
            range: None,
            role: Role::Input,
        });
        model.var_term(var)
    };
    let (b, x, y) = (var(1), var(16), var(16));
    for (left, right) in [(x, y), (y, x)] {
        let less = model.compare(IntCmp::Ult, left, right);
        let either = model.any([b, less]);
        model.assert(either);
    }
    let limits = Limits { contractions: Some(1_000_000), ..Limits::default() };
    let mut solver = Solver::new(model, WrittenBodies, limits);
    solver.strategy = Strategy::FirstFail;
    assert!(matches!(solver.solve(), Answer::Witness(_)));
    assert_eq!(solver.counters().conflicts, 1);
}

/// The premises of a wide definition are tried in groups: one by one, explaining took time cubic in its width.
#[test]
fn explaining_wide_sums_takes_few_trials() {
    let mut model = Model::new();
    let w = Width::W16;
    let mut bit = |n: u64| {
        let name = format!("x{n}");
        let info =
            VarInfo { name, width: Width::W1, reading: Reading::Unsigned, range: None, role: Role::Input };
        let var = model.add_var(info);
        let term = model.var_term(var);
        model.resize(term, w, false)
    };
    let bits: Vec<Term> = (0..400).map(&mut bit).collect();
    let sum = model.sum(w, 0, bits.iter().map(|&bit| (1, bit)));
    let half = model.constant_term(w, 200);
    let exact = model.equal(sum, half);
    model.assert(exact);
    let weighted = model.sum(w, 0, bits.iter().zip(0..).map(|(&bit, n)| (1 + n % 3, bit)));
    let bound = model.constant_term(w, 400);
    let small = model.compare(IntCmp::Ult, weighted, bound);
    model.assert(small);
    let mut solver = Solver::new(model, WrittenBodies, Limits::default());
    assert!(matches!(solver.solve(), Answer::Witness(_)));
    // It was 62 718.
    assert!(solver.counters().contractions < 20_000, "{:?}", solver.counters());
}

/// A disjunction of calls is true and does not say which of them is: the search stopped before it was decided.
#[test]
fn one_of_two_calls_is_unfolded() {
    let mut model = Model::new();
    let w = Width::new(2).expect("a width of 1 to 64");
    let mut var = |name: &str, role: Role| {
        let var = model.add_var(VarInfo {
            name: name.into(),
            width: w,
            reading: Reading::Unsigned,
            range: None,
            role,
        });
        (var, model.var_term(var))
    };
    let ((n, n_term), (x, x_term)) = (var("n", Role::Formal), var("x", Role::Input));
    let is = |model: &mut Model, value: u64| {
        let number = model.constant_term(w, value);
        let body = model.equal(n_term, number);
        let body = Body::Procedure(Procedure::new(model, vec![n], Vec::new(), body));
        model.add_relation(RelationInfo { name: format!("is{value}"), body })
    };
    let (two, three) = (is(&mut model, 2), is(&mut model, 3));
    let calls = [model.call(two, [x_term]), model.call(three, [x_term])];
    let either = model.any(calls);
    model.assert(either);
    let mut solver = Solver::new(model, WrittenBodies, Limits::default());
    let mut told = Vec::new();
    while let Answer::Witness(assignment) = solver.solve() {
        assert!(holds(solver.model(), &assignment), "a witness is a solution");
        told.push(assignment[x]);
        solver.exclude(&[(x_term, assignment[x])]);
    }
    told.sort();
    assert_eq!(told, [2, 3]);
}

/// Rewriting can make one term of two variables. Excluded twice, its value was excluded for ever.
#[test]
fn a_term_may_be_excluded_twice() {
    let mut model = Model::new();
    let mut var = |name: &str| {
        let info = VarInfo {
            name: name.into(),
            width: Width::W1,
            reading: Reading::Unsigned,
            range: None,
            role: Role::Input,
        };
        let var = model.add_var(info);
        model.var_term(var)
    };
    let (x, y, z) = (var("x"), var("y"), var("z"));
    for order in [[x, x, y, z], [x, y, y, z], [x, z, y, y], [z, y, y, x]] {
        let mut solver = Solver::new(model.clone(), WrittenBodies, Limits::default());
        let mut told = 0;
        while let Answer::Witness(found) = solver.solve() {
            told += 1;
            let values: Vec<u64> = found.iter().copied().collect();
            let value =
                |term: Term| values[[x, y, z].iter().position(|&var| var == term).expect("a variable")];
            if told == 1 || !solver.exclude_found(&order) {
                solver.exclude(&order.map(|term| (term, value(term))));
            }
        }
        assert_eq!(told, 8, "{order:?}");
    }
}
