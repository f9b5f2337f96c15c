//! No relaxation loses a solution: random models under random assignments, within random domains around their values.
//!
//! `QUIPU_CASES=1000000 cargo test --release -p quipu-linear --test relaxations` is the long form; `QUIPU_FIRST` sets the
//! first seed.

use quipu_base::{Id, IdVec};
use quipu_domain::{Domain, Interval};
use quipu_linear::{Feasibility, Found, Limits, Range, Relaxation, Simplex, View, deduce};
use quipu_model::{Assignment, Evaluation, Model, Node, Reading, Role, Term, VarInfo};
use quipu_modelkit::{FloatShape, Random, Shape, allowed_value, random_float_model, random_model};
use quipu_num::{FloatFn, FloatOp, FloatUnary, FloatWidth, Width, number_of_rank, rank_of};

const LIMITS: Limits = Limits { terms: 1000, cells: 200_000, work: u64::MAX };

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Integers of few or many bits.
fn integer_model(random: &mut Random) -> Model {
    let widths =
        random.pick(&[&[1, 4][..], &[1, 3, 6], &[8], &[16, 1], &[32], &[64], &[8, 16, 32, 64], &[1, 5, 33]]);
    let shape = Shape {
        variables: 1 + random.below(5),
        widths: widths.to_vec(),
        bits: u32::MAX,
        terms: 3 + random.below(25),
        assertions: 0,
    };
    random_model(random, &shape)
}

/// Arithmetic of floats of moderate size, which the general models seldom have.
fn arithmetic_of_floats(random: &mut Random) -> Model {
    let mut model = Model::new();
    let format = random.pick(&[FloatWidth::F32, FloatWidth::F64]);
    let mut terms: Vec<Term> = Vec::new();
    for n in 0..3 {
        let scale = random.pick(&[1e-3, 1.0, 100.0, 1e6, 1e-40]);
        let start = (random.below(2001) as f64 - 1000.0) / 997.0 * scale;
        let first = rank_of(format, start);
        let last = rank_of(format, start + random.below(3000) as f64 / 1009.0 * scale).max(first);
        let info = VarInfo {
            name: format!("x{n}"),
            width: format.width(),
            reading: Reading::Float,
            range: Some((first, last)),
            role: Role::Input,
        };
        let var = model.add_var(info);
        terms.push(model.var_term(var));
    }
    let number = model.constant_term(format.width(), rank_of(format, random.pick(&[2.0, 0.1, -3.5, 0.0])));
    terms.push(number);
    for _ in 0..3 + random.below(6) {
        let (a, b) = (random.pick(&terms), random.pick(&terms));
        if random.chance(20) {
            // Numbers in order, and their squares.
            model.float(FloatFn::Op(FloatOp::Mul), format, &[a, a]);
            model.float(FloatFn::Op(FloatOp::Mul), format, &[b, b]);
        }
        let unary = |op| (FloatFn::Unary(op), 1);
        let binary = |op| (FloatFn::Op(op), 2);
        let (function, arity) = random.pick(&[
            binary(FloatOp::Add),
            binary(FloatOp::Sub),
            binary(FloatOp::Mul),
            binary(FloatOp::Div),
            binary(FloatOp::Min),
            binary(FloatOp::Max),
            unary(FloatUnary::Sqrt),
            unary(FloatUnary::Abs),
            unary(FloatUnary::Neg),
            unary(FloatUnary::Floor),
            unary(FloatUnary::Ceil),
            unary(FloatUnary::Trunc),
            unary(FloatUnary::RoundEven),
            (FloatFn::Fma, 3),
        ]);
        let operands = [a, b, random.pick(&terms)];
        terms.push(model.float(function, format, &operands[..arity]));
        for cmp in [quipu_num::FloatCmp::Lt, quipu_num::FloatCmp::Eq, quipu_num::FloatCmp::Le] {
            model.float(FloatFn::Compare(cmp), format, &[a, b]);
        }
    }
    model
}

/// A domain that holds a value: that one alone, all, an arc around it, or an arc with known bits.
fn domain_around(random: &mut Random, w: Width, value: u64) -> Domain {
    let before = random.value(w) >> random.below(64);
    let after = random.value(w) >> random.below(64);
    let arc = Interval::from_span(w, value.wrapping_sub(before), before.saturating_add(after));
    let arc = if arc.contains(w, value) { arc } else { Interval::full(w) };
    let full = Domain::full(w);
    match random.below(10) {
        0 | 1 => Domain::singleton(w, value),
        2 | 3 => full,
        4 => {
            let other = Domain::singleton(w, w.wrap(value ^ random.value(w)));
            full.narrow_bits(w, other.join(w, Domain::singleton(w, value)).bits())
                .expect("the value has its bits")
        }
        _ => full.narrow(w, arc).expect("the arc holds the value"),
    }
}

/// Domains of floats seldom hold NaNs and infinities in questions that matter.
fn float_domain_around(random: &mut Random, format: FloatWidth, value: u64) -> Domain {
    let w = format.width();
    let (least, greatest) = quipu_num::number_ranks(format);
    let around = 1u64 << random.below(w.bits() as usize - 2);
    let lo = value.saturating_sub(random.number() % around).max(least + 1);
    let hi = value.saturating_add(random.number() % around).min(greatest - 1);
    if lo <= value && value <= hi {
        Domain::from_interval(w, Interval::new(w, lo, hi))
    } else {
        Domain::singleton(w, value)
    }
}

fn check(model: &Model, random: &mut Random) -> u64 {
    let assignment: Assignment = model.vars().iter().map(|info| allowed_value(random, info)).collect();
    let mut evaluation = Evaluation::new(model, &assignment);
    let values: IdVec<Term, u64> = model.terms().map(|term| evaluation.value(term)).collect();
    let domains: IdVec<Term, Domain> = model
        .terms()
        .map(|term| {
            let w = model.width(term);
            let float = match model.node(term) {
                Node::Float(function, format, _) if !matches!(function, FloatFn::Compare(_)) => Some(*format),
                Node::Var(var) if model.vars()[*var].reading == Reading::Float => {
                    Some(if w == Width::W32 { FloatWidth::F32 } else { FloatWidth::F64 })
                }
                _ => None,
            };
            match float {
                Some(format) if random.chance(80) => float_domain_around(random, format, values[term]),
                _ => domain_around(random, w, values[term]),
            }
        })
        .collect();
    let roots: Vec<Term> = model.terms().collect();
    let domain = |term: Term| domains[term];
    let bounded: Vec<Term> = (0..4).map(|_| Term::new(random.below(roots.len()))).collect();
    match deduce(model, &domain, &roots, &bounded, LIMITS).found {
        Found::Infeasible => panic!("a solution is lost: {model:?} {assignment:?} {domains:?}"),
        Found::TooLarge => {}
        Found::Arcs(arcs) => {
            for (term, arc) in arcs {
                let w = model.width(term);
                assert!(
                    arc.contains(w, values[term]),
                    "{term:?} {arc:?}: {model:?} {assignment:?} {domains:?}"
                );
            }
        }
    }
    check_rows(model, &domain, &roots, &values)
}

/// With the numbers of the solution as quantities the rows can still be satisfied.
fn check_rows(
    model: &Model,
    domain: &dyn Fn(Term) -> Domain,
    roots: &[Term],
    values: &IdVec<Term, u64>,
) -> u64 {
    let relaxation = Relaxation::new(model, domain, roots, LIMITS.terms).expect("it is small");
    let mut system = relaxation.system().clone();
    for &term in roots {
        let Some(form) = relaxation.quantity(term) else { continue };
        let (w, value) = (model.width(term), values[term]);
        let range = match relaxation.view(term) {
            View::Unsigned => Range::of_integers(value.into(), value.into()),
            View::Signed => Range::of_integers(w.signed(value).into(), w.signed(value).into()),
            View::Value(format) => {
                let number = number_of_rank(format, value);
                Range::new(number, number)
            }
        };
        system.demand(form, range);
    }
    let mut simplex = Simplex::new(&system, u64::MAX);
    let refuted = match simplex.find_feasible() {
        Feasibility::Infeasible(multipliers) => system.refutes(&multipliers),
        _ => system.is_contradictory(),
    };
    assert!(
        !refuted,
        "a row excludes a solution: {model:?} {values:?} {:?}",
        roots.iter().map(|&t| domain(t)).collect::<Vec<_>>()
    );
    system.rows().len() as u64
}

#[test]
fn no_solution_is_lost() {
    let (first, cases) = (from_environment("QUIPU_FIRST", 0), from_environment("QUIPU_CASES", 6000));
    let mut rows = 0;
    for seed in first..first + cases {
        let mut random = Random::new(seed);
        let model = match random.below(4) {
            0 => {
                let shape = FloatShape::small(&mut random);
                random_float_model(&mut random, &shape, true)
            }
            1 => arithmetic_of_floats(&mut random),
            _ => integer_model(&mut random),
        };
        rows += check(&model, &mut random);
    }
    assert!(rows > 10 * cases, "most models should have rows: {rows}");
}
