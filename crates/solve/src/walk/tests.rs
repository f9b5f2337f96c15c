//! Distances against what terms mean, kept state against fresh state, and walks to solutions that were planted.

use std::sync::atomic::AtomicBool;

use quipu_cp::{Limits, Solver};
use quipu_model::{
    Assignment, Evaluation, Model, Node, Reading, Role, Term, Var, VarInfo, WrittenBodies, holds,
};
use quipu_modelkit::{Random as Dice, Shape, allowed_value, plant_assertions, random_model};
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, IntCmp, IntOp, Width, is_nan_rank,
    rank_of,
};

use super::extract::Extract;
use super::state::State;
use super::{Walk, Walked};

const FORMATS: [FloatWidth; 2] = [FloatWidth::F32, FloatWidth::F64];

fn add_var(model: &mut Model, name: &str, width: Width, reading: Reading) -> Term {
    let info = VarInfo { name: name.to_owned(), width, reading, range: None, role: Role::Input };
    let var = model.add_var(info);
    model.var_term(var)
}

fn float_var(model: &mut Model, name: &str, w: FloatWidth) -> Term {
    add_var(model, name, w.width(), Reading::Float)
}

fn number(model: &mut Model, w: FloatWidth, value: f64) -> Term {
    model.constant_term(w.width(), rank_of(w, value))
}

fn op(model: &mut Model, op: FloatOp, w: FloatWidth, a: Term, b: Term) -> Term {
    model.float(FloatFn::Op(op), w, &[a, b])
}

fn compare(model: &mut Model, cmp: FloatCmp, w: FloatWidth, a: Term, b: Term) -> Term {
    model.float(FloatFn::Compare(cmp), w, &[a, b])
}

/// Terms over floats of both formats and an integer, without assertions.
fn float_model(dice: &mut Dice) -> Model {
    let mut model = Model::new();
    let mut floats =
        FORMATS.map(|w| (0..2).map(|n| float_var(&mut model, &format!("{w:?}{n}"), w)).collect());
    let mut integers = vec![add_var(&mut model, "i", Width::W32, Reading::Signed)];
    let mut truths = vec![model.truth(true)];
    for _ in 0..5 + dice.below(20) {
        add_terms(&mut model, dice, &mut floats, &mut integers, &mut truths);
    }
    model
}

fn add_terms(
    model: &mut Model,
    dice: &mut Dice,
    floats: &mut [Vec<Term>; 2],
    integers: &mut Vec<Term>,
    truths: &mut Vec<Term>,
) {
    let n = dice.below(2);
    let w = FORMATS[n];
    let (a, b) = (dice.pick(&floats[n]), dice.pick(&floats[n]));
    let (i, j) = (dice.pick(integers), dice.pick(integers));
    let (p, q) = (dice.pick(truths), dice.pick(truths));
    let small = f64::from(dice.below(200) as u32) / 8.0 - 10.0;
    match dice.below(14) {
        0..=2 => floats[n].push(op(model, dice.pick(&FloatOp::ALL).0, w, a, b)),
        3 => floats[n].push(model.float(FloatFn::Unary(dice.pick(&FloatUnary::ALL).0), w, &[a])),
        4 => floats[n].push(number(model, w, small)),
        5 => floats[n].push(model.select(p, a, b)),
        6..=8 => truths.push(compare(model, dice.pick(&FloatCmp::ALL).0, w, a, b)),
        9 => {
            truths.push(model.guard(Guard::FloatFits { from: w, to: Width::W32, signed: true }, a, a));
            integers.push(model.cast(Cast::FloatToSigned(w, Width::W32), a));
        }
        10 => floats[n].push(model.cast(Cast::SignedToFloat(Width::W32, w), i)),
        11 => integers.push(model.op(IntOp::Add, i, j)),
        12 => truths.push(model.compare(dice.pick(&IntCmp::ALL).0, i, j)),
        _ => {
            let terms = [model.all([p, q]), model.any([p, q]), model.not(p), model.select(p, q, truths[0])];
            truths.push(dice.pick(&terms));
        }
    }
}

fn random_value(dice: &mut Dice, info: &VarInfo) -> u64 {
    match info.reading {
        Reading::Float if dice.chance(70) => {
            let w = if info.width == Width::W32 { FloatWidth::F32 } else { FloatWidth::F64 };
            rank_of(w, f64::from(dice.below(4000) as u32) / 16.0 - 100.0)
        }
        _ => allowed_value(dice, info),
    }
}

fn random_assignment(dice: &mut Dice, model: &Model) -> Assignment {
    model.vars().iter().map(|info| random_value(dice, info)).collect()
}

fn extract_of(model: &Model) -> Extract {
    let solver = Solver::new(model.clone(), &WrittenBodies, Limits::default());
    Extract::new(&solver, &[], usize::MAX).expect("there are no calls")
}

/// Demands every truth value of the model, so that all take part; as a disjunction, which is not taken apart.
fn demand_everything(model: &mut Model) {
    let truths: Vec<Term> = model.terms().filter(|&term| model.width(term) == Width::W1).collect();
    for truth in truths {
        let demand = model.any([truth]);
        model.assert(demand);
    }
}

fn check_distances(model: &Model, extract: &Extract, dice: &mut Dice, name: &str) -> [u32; 2] {
    let mut seen = [0; 2];
    let mut assignment = random_assignment(dice, model);
    let value = |assignment: &Assignment, term: Term| match extract.model.node(term) {
        Node::Var(var) => assignment[extract.variables[*var].original],
        _ => panic!("only variables are asked for"),
    };
    let mut state = State::new(extract, |term| value(&assignment, term));
    for round in 0..6 {
        let copied: Assignment = extract.variables.iter().map(|v| assignment[v.original]).collect();
        let mut evaluation = Evaluation::new(&extract.model, &copied);
        let fresh = State::new(extract, |term| value(&assignment, term));
        for term in extract.model.terms() {
            let expected = evaluation.value(term);
            assert_eq!(state.value(term), expected, "{name} round {round}: {:?}", extract.model.node(term));
            if extract.model.width(term) == Width::W1 {
                seen[expected as usize] += 1;
                for wanted in [false, true] {
                    let distance = state.distance_to(term, wanted);
                    assert_eq!(
                        distance == 0.0,
                        (expected == 1) == wanted,
                        "{name}: {:?}",
                        extract.model.node(term)
                    );
                    assert_eq!(distance, fresh.distance_to(term, wanted), "{name}: as if computed anew");
                }
            }
        }
        assert_eq!(state.n_unmet(), state.unmet().count(), "{name}");
        let vars: Vec<Var> = extract.variables.ids().collect();
        let Some(&var) = vars.get(dice.below(vars.len().max(1))) else { break };
        let variable = &extract.variables[var];
        let new = random_value(dice, &model.vars()[variable.original]);
        let before: Vec<f64> = state.unmet().map(|n| state.distance(n)).collect();
        let change = state.change(variable.term, new);
        let after: f64 = state.unmet().map(|n| state.distance(n)).sum();
        assert!((after - before.iter().sum::<f64>() - change).abs() < 1e-6, "{name}: the change is told");
        if dice.chance(50) {
            state.undo();
            assert_eq!(
                state.unmet().map(|n| state.distance(n)).collect::<Vec<_>>(),
                before,
                "{name}: undone"
            );
        } else {
            state.keep();
            assignment[variable.original] = new;
        }
    }
    seen
}

#[test]
fn a_distance_is_zero_exactly_if_it_is_so() {
    let mut seen = [0; 2];
    for seed in 0..400 {
        let mut dice = Dice::new(seed);
        let mut model = if seed % 2 == 0 {
            float_model(&mut dice)
        } else {
            let shape = Shape {
                variables: 1 + dice.below(4),
                widths: vec![1, 4, 8, 32, 64],
                bits: 200,
                terms: 30,
                assertions: 0,
            };
            random_model(&mut dice, &shape)
        };
        demand_everything(&mut model);
        let extract = extract_of(&model);
        let found = check_distances(&model, &extract, &mut dice, &format!("seed {seed}"));
        seen = [seen[0] + found[0], seen[1] + found[1]];
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "both truth values should occur: {seen:?}");
}

fn walk(model: &Model, seed: u64, limit: u64) -> (Option<Assignment>, u64) {
    let mut solver = Solver::new(model.clone(), &WrittenBodies, Limits::default());
    solver.propagate();
    let Some(walk) = Walk::plan(&solver, &[]) else { return (None, 0) };
    match walk.run(&solver, None, seed, limit, &AtomicBool::new(false)) {
        (Walked::Solution(assignment), computed) => {
            assert!(holds(model, &assignment), "a walk should end at a solution");
            (Some(assignment), computed)
        }
        (Walked::Nothing, computed) => (None, computed),
        (Walked::Interrupted, _) => panic!("nobody interrupts"),
    }
}

#[test]
fn planted_solutions_are_found() {
    let (mut found, mut all) = (0, 0);
    for seed in 0..200 {
        let mut dice = Dice::new(seed ^ 0xabc);
        let mut model = float_model(&mut dice);
        let planted = random_assignment(&mut dice, &model);
        plant_assertions(&mut model, &mut dice, &planted, 4);
        if !extract_of(&model).has_floats {
            continue;
        }
        all += 1;
        found += u32::from(walk(&model, 1, 1_000_000).0.is_some());
    }
    assert!(all > 100 && 100 * found >= 95 * all, "found {found} of {all}");
}

#[test]
fn the_same_seed_walks_the_same_way() {
    for seed in 0..20 {
        let mut dice = Dice::new(seed ^ 0x77);
        let mut model = float_model(&mut dice);
        let planted = random_assignment(&mut dice, &model);
        plant_assertions(&mut model, &mut dice, &planted, 5);
        assert_eq!(walk(&model, 3, 50_000), walk(&model, 3, 50_000));
    }
}

#[test]
fn a_walk_ends_where_there_is_nothing_to_find() {
    let mut model = Model::new();
    let w = FloatWidth::F64;
    let x = float_var(&mut model, "x", w);
    let less = compare(&mut model, FloatCmp::Lt, w, x, x);
    model.assert(less);
    let (found, computed) = walk(&model, 1, 10_000);
    assert!(found.is_none() && (10_000..11_000).contains(&computed), "{computed}");
    let solver = Solver::new(model, &WrittenBodies, Limits::default());
    let stopped = Walk::plan(&solver, &[]).expect("there is a float");
    assert!(matches!(stopped.run(&solver, None, 1, 10_000, &AtomicBool::new(true)).0, Walked::Interrupted));
}

/// A polynomial by Horner's rule.
fn horner(model: &mut Model, w: FloatWidth, x: Term, coefficients: &[f64]) -> Term {
    let mut value = number(model, w, coefficients[0]);
    for &coefficient in &coefficients[1..] {
        let product = op(model, FloatOp::Mul, w, value, x);
        let constant = number(model, w, coefficient);
        value = op(model, FloatOp::Add, w, product, constant);
    }
    value
}

#[test]
fn equations_that_have_solutions_are_solved() {
    for w in FORMATS {
        let mut model = Model::new();
        let x = float_var(&mut model, "x", w);
        let value = horner(&mut model, w, x, &[1.0, -2.0, 3.0, -5.0]);
        // At 2.5, in both formats without rounding.
        let target = number(&mut model, w, 5.625);
        let equal = compare(&mut model, FloatCmp::Eq, w, value, target);
        model.assert(equal);
        let (found, computed) = walk(&model, 1, 300_000);
        assert!(found.is_some(), "{w:?} after {computed}");
    }
}

#[test]
fn a_point_on_a_sphere_is_found() {
    let w = FloatWidth::F64;
    let mut model = Model::new();
    let axes = ["x", "y", "z"].map(|name| float_var(&mut model, name, w));
    let squares = axes.map(|axis| op(&mut model, FloatOp::Mul, w, axis, axis));
    let two = op(&mut model, FloatOp::Add, w, squares[0], squares[1]);
    let three = op(&mut model, FloatOp::Add, w, two, squares[2]);
    let root = model.float(FloatFn::Unary(FloatUnary::Sqrt), w, &[three]);
    let radius = number(&mut model, w, 7.25);
    let on_it = compare(&mut model, FloatCmp::Eq, w, root, radius);
    model.assert(on_it);
    for pair in axes.windows(2) {
        let ordered = compare(&mut model, FloatCmp::Lt, w, pair[0], pair[1]);
        model.assert(ordered);
    }
    let (found, computed) = walk(&model, 1, 300_000);
    let found = found.unwrap_or_else(|| panic!("nothing after {computed}"));
    assert!(found.iter().all(|&value| !is_nan_rank(w, value)));
}
