//! Labelling and probing of floats: random models with a planted solution, which nothing may lose.

use quipu_cp::{Answer, Effort, Limits, Propagation, Solver, Strategy};
use quipu_model::{Assignment, Evaluation, Model, Reading, Role, Term, VarInfo, WrittenBodies, holds};
use quipu_modelkit::Random;
use quipu_num::{FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, IntCmp, is_nan_rank, nan_rank, rank_of};

const FORMATS: [FloatWidth; 2] = [FloatWidth::F32, FloatWidth::F64];
const STRATEGIES: [Strategy; 7] = [
    Strategy::Learned,
    Strategy::FirstFail,
    Strategy::MostConstrained,
    Strategy::Split,
    Strategy::SmallFirst,
    Strategy::BoundaryFirst,
    Strategy::Random(5),
];

fn float_var(model: &mut Model, w: FloatWidth, name: &str) -> Term {
    let info = VarInfo {
        name: name.to_owned(),
        width: w.width(),
        reading: Reading::Float,
        range: None,
        role: Role::Input,
    };
    let var = model.add_var(info);
    model.var_term(var)
}

fn value(random: &mut Random, w: FloatWidth) -> u64 {
    match random.below(10) {
        0 => nan_rank(w),
        1 => rank_of(w, f64::INFINITY),
        2 => rank_of(w, -0.0),
        3 => random.value(w.width()),
        _ => rank_of(w, f64::from(random.below(2000) as u32) / 8.0 - 125.0),
    }
}

/// A model about a few floats, and values for which it holds.
fn planted(random: &mut Random) -> (Model, Assignment) {
    let w = random.pick(&FORMATS);
    let mut model = Model::new();
    let mut floats: Vec<Term> =
        (0..1 + random.below(3)).map(|n| float_var(&mut model, w, &format!("x{n}"))).collect();
    let values: Assignment = floats.iter().map(|_| value(random, w)).collect();
    let mut truths = Vec::new();
    for _ in 0..3 + random.below(8) {
        let (a, b) = (random.pick(&floats), random.pick(&floats));
        match random.below(6) {
            0 => floats.push(model.float(FloatFn::Op(random.pick(&FloatOp::ALL).0), w, &[a, b])),
            1 => floats.push(model.float(FloatFn::Unary(random.pick(&FloatUnary::ALL).0), w, &[a])),
            2 => floats.push(model.constant_term(w.width(), value(random, w))),
            // Ranks are integers, too.
            3 => truths.push(model.compare(random.pick(&IntCmp::ALL).0, a, b)),
            _ => truths.push(model.float(FloatFn::Compare(random.pick(&FloatCmp::ALL).0), w, &[a, b])),
        }
    }
    for truth in truths {
        let is_true = Evaluation::new(&model, &values).value(truth) == 1;
        let demand = if is_true { truth } else { model.not(truth) };
        model.assert(demand);
    }
    (model, values)
}

#[test]
fn probing_loses_no_float() {
    for seed in 0..400 {
        let (model, values) = planted(&mut Random::new(seed));
        let mut solver = Solver::new(model.clone(), &WrittenBodies, Limits::default());
        solver.set_limits(Limits { contractions: Some(20_000), ..Limits::default() });
        let end = solver.probe(Effort { rounds: 3, shaves: 3, parts: true });
        assert!(end != Propagation::Infeasible, "seed {seed}");
        for (var, info) in model.vars().entries() {
            let domain = solver.domain(model.var_term(var));
            assert!(domain.contains(info.width, values[var]), "seed {seed}: {} was lost", info.name);
        }
    }
}

#[test]
fn every_strategy_labels_floats() {
    let mut found = 0;
    for seed in 0..200 {
        let (model, _) = planted(&mut Random::new(seed ^ 0x1234));
        for strategy in STRATEGIES {
            let mut solver = Solver::new(model.clone(), &WrittenBodies, Limits::default());
            solver.strategy = strategy;
            solver.set_limits(Limits { contractions: Some(3_000), ..Limits::default() });
            match solver.solve() {
                Answer::Witness(assignment) => {
                    found += 1;
                    assert!(holds(&model, &assignment), "seed {seed} {strategy:?}");
                }
                Answer::Infeasible => panic!("seed {seed} {strategy:?}: the planted solution was lost"),
                Answer::GaveUp(_) => {}
            }
        }
    }
    assert!(found > 500, "{found} of 1400");
}

#[test]
fn floats_that_nothing_is_said_about_are_zero() {
    let mut model = Model::new();
    let w = FloatWidth::F64;
    let x = float_var(&mut model, w, "x");
    float_var(&mut model, w, "y");
    let itself = model.float(FloatFn::Compare(FloatCmp::Eq), w, &[x, x]);
    model.assert(itself);
    for strategy in [Strategy::Learned, Strategy::FirstFail, Strategy::SmallFirst] {
        let mut solver = Solver::new(model.clone(), &WrittenBodies, Limits::default());
        solver.strategy = strategy;
        let Answer::Witness(found) = solver.solve() else { panic!("{strategy:?}: there are solutions") };
        assert!(found.iter().all(|&value| value == rank_of(w, 0.0)), "{strategy:?}");
        assert!(found.iter().all(|&value| !is_nan_rank(w, value)));
    }
}

/// If x is large, y is two things at once. Nothing asks for that but assuming that x is large.
#[test]
fn slices_that_are_refuted_are_shaved_off() {
    let mut model = Model::new();
    let w = FloatWidth::F64;
    let (x, y) = (float_var(&mut model, w, "x"), float_var(&mut model, w, "y"));
    let limit = model.constant_term(w.width(), rank_of(w, 1000.0));
    let is_large = model.compare(IntCmp::Ult, limit, x);
    for value in [1.0, 2.0] {
        let value = model.constant_term(w.width(), rank_of(w, value));
        let differs = model.compare(IntCmp::Ne, y, value);
        let both = model.all([is_large, differs]);
        let not_both = model.not(both);
        model.assert(not_both);
    }
    let probed = |shaves: usize| {
        let mut solver = Solver::new(model.clone(), &WrittenBodies, Limits::default());
        assert_eq!(solver.probe(Effort { rounds: 4, shaves, parts: false }), Propagation::Open);
        solver.domain(x)
    };
    assert!(probed(0).is_full(w.width()), "the other questions do not find it");
    let shaved = probed(3);
    assert!(shaved.hi() < rank_of(w, 1e5) && shaved.lo() == 0, "{shaved:?}");
    assert!(shaved.contains(w.width(), rank_of(w, 1000.0)));
}
