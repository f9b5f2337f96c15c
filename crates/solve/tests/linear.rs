//! Questions that domains alone answer slowly or never, and what relaxations change.

use quipu_model::{Model, Reading, Role, Term, VarInfo, WrittenBodies};
use quipu_num::{FloatCmp, FloatFn, FloatOp, FloatWidth, IntCmp, IntOp, Width, rank_of};
use quipu_solve::{Answer, Limit, Linear, Options, Session};

fn variable(model: &mut Model, name: &str, width: Width, reading: Reading, range: (u64, u64)) -> Term {
    let info = VarInfo { name: name.into(), width, reading, range: Some(range), role: Role::Input };
    let var = model.add_var(info);
    model.var_term(var)
}

fn integers(model: &mut Model, n: usize, most: u64) -> Vec<Term> {
    (0..n).map(|i| variable(model, &format!("x{i}"), Width::W32, Reading::Unsigned, (0, most))).collect()
}

fn float(model: &mut Model, name: &str, lo: f64, hi: f64) -> Term {
    let w = FloatWidth::F32;
    variable(model, name, w.width(), Reading::Float, (rank_of(w, lo), rank_of(w, hi)))
}

/// Without SAT, and with little effort.
fn options(linear: Linear) -> Options {
    Options { sat: false, linear, effort: Some(60_000), ..Options::default() }
}

fn answers(model: &Model) -> [Answer; 2] {
    let answer = |linear| Session::new(model.clone(), &WrittenBodies, options(linear)).solve();
    [answer(Linear::Adaptive), answer(Linear::Never)]
}

/// `x0 + x1 + x2 <= first`, `x3 + x4 + x5 <= second`, and three pairs that need more together.
fn transport(model: &mut Model) -> Vec<Term> {
    let x = integers(model, 6, 100_000);
    let sum = |model: &mut Model, parts: &[usize]| {
        model.sum(Width::W32, 0, parts.iter().map(|&i| (1, x[i])).collect::<Vec<_>>())
    };
    let mut demands = Vec::new();
    for (parts, most) in [([0, 1, 2], 70_000), ([3, 4, 5], 50_000)] {
        let (sum, most) = (sum(model, &parts), model.constant_term(Width::W32, most));
        demands.push(model.compare(IntCmp::Ule, sum, most));
    }
    for (parts, least) in [([0, 3], 40_000), ([1, 4], 40_000), ([2, 5], 40_001)] {
        let (sum, least) = (sum(model, &parts), model.constant_term(Width::W32, least));
        demands.push(model.compare(IntCmp::Ule, least, sum));
    }
    demands
}

#[test]
fn a_system_of_sums_is_refuted_at_once() {
    let mut model = Model::new();
    let demands = transport(&mut model);
    demands.iter().for_each(|&demand| model.assert(demand));
    assert_eq!(answers(&model), [Answer::Infeasible, Answer::GaveUp(Limit::Effort)]);
}

#[test]
fn what_is_refuted_under_assumptions_has_a_core_of_them_and_leaves_the_rest_open() {
    let mut model = Model::new();
    let demands = transport(&mut model);
    let mut session = Session::new(model, &WrittenBodies, options(Linear::Adaptive));
    assert_eq!(session.solve_under(&demands), Answer::Infeasible);
    assert!(!session.core().is_empty() && session.core().iter().all(|term| demands.contains(term)));
    assert!(matches!(session.solve_under(&demands[..4]), Answer::Solution(_)));
    assert_eq!(session.solve_under(&demands), Answer::Infeasible);
}

#[test]
fn equal_factors_make_equal_products() {
    let mut model = Model::new();
    let x = integers(&mut model, 3, 1000);
    let product = |model: &mut Model, factors: [usize; 3]| {
        let two = model.op(IntOp::Mul, x[factors[0]], x[factors[1]]);
        model.op(IntOp::Mul, two, x[factors[2]])
    };
    let [all, first, last] = [[0, 1, 2], [0, 0, 2], [0, 1, 1]].map(|factors| product(&mut model, factors));
    let [same_first, same_last] = [model.equal(x[0], x[1]), model.equal(x[1], x[2])];
    let either = model.any([same_first, same_last]);
    model.assert(either);
    let chosen = model.select(same_first, first, last);
    let equal = model.equal(chosen, all);
    let different = model.not(equal);
    model.assert(different);
    assert_eq!(answers(&model), [Answer::Infeasible, Answer::GaveUp(Limit::Effort)]);
}

#[test]
fn rounding_errors_add_up_to_a_bound() {
    let w = FloatWidth::F32;
    let mut model = Model::new();
    let points = ["p", "q", "r"].map(|name| float(&mut model, name, 0.0, 100.0));
    let minus = |model: &mut Model, a, b| model.float(FloatFn::Op(FloatOp::Sub), w, &[a, b]);
    for pair in points.windows(2) {
        let ordered = model.float(FloatFn::Compare(FloatCmp::Le), w, pair);
        model.assert(ordered);
    }
    let direct = minus(&mut model, points[2], points[0]);
    let parts = [minus(&mut model, points[2], points[1]), minus(&mut model, points[1], points[0])];
    let slack = model.constant_term(Width::W32, rank_of(w, 0.001));
    let detour = model.float(FloatFn::Op(FloatOp::Add), w, &parts);
    let detour = model.float(FloatFn::Op(FloatOp::Add), w, &[detour, slack]);
    let shorter = model.float(FloatFn::Compare(FloatCmp::Lt), w, &[detour, direct]);
    model.assert(shorter);
    assert_eq!(answers(&model), [Answer::Infeasible, Answer::GaveUp(Limit::Effort)]);
}
