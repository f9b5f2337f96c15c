//! Questions about floats, to SAT alone: solutions are solutions of the model, and refutations are known facts.

use quipu_model::{Assignment, Model, Reading, Role, Term, VarInfo, WrittenBodies, holds};
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, IntCmp, MathFn, Width, float_fn, nan_rank, rank,
};
use quipu_solve::{Answer, Limit, Options, Session};

const W: FloatWidth = FloatWidth::F64;
const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

fn rank_of(value: f64) -> u64 {
    rank(W, value.to_bits())
}

/// A variable between two numbers.
fn between(model: &mut Model, name: &str, (least, greatest): (f64, f64)) -> Term {
    let range = Some((rank_of(least), rank_of(greatest)));
    let var = model.add_var(VarInfo {
        name: name.into(),
        width: W.width(),
        reading: Reading::Float,
        range,
        role: Role::Input,
    });
    model.var_term(var)
}

fn integer(model: &mut Model, least: u64, greatest: u64) -> Term {
    let var = model.add_var(VarInfo {
        name: "n".into(),
        width: Width::W32,
        reading: Reading::Unsigned,
        range: Some((least, greatest)),
        role: Role::Input,
    });
    model.var_term(var)
}

fn number(model: &mut Model, value: f64) -> Term {
    model.constant_term(W.width(), rank_of(value))
}

fn op(model: &mut Model, op: FloatOp, a: Term, b: Term) -> Term {
    model.float(FloatFn::Op(op), W, &[a, b])
}

fn assert(model: &mut Model, cmp: FloatCmp, a: Term, b: Term) {
    let truth = model.float(FloatFn::Compare(cmp), W, &[a, b]);
    model.assert(truth);
}

fn session(model: Model, effort: u64) -> Session<'static> {
    let options = Options { search: false, effort: Some(effort), ..Options::default() };
    Session::new(model, &WrittenBodies, options)
}

fn solve(model: &Model) -> Option<Assignment> {
    match session(model.clone(), 1_000_000).solve() {
        Answer::Solution(solution) => {
            assert!(holds(model, &solution), "{solution:?}");
            Some(solution)
        }
        Answer::Infeasible => None,
        Answer::GaveUp(limit) => panic!("it should not give up: {limit:?}"),
    }
}

#[test]
fn no_square_is_two() {
    for (value, exists) in [(2.0, false), (2.25, true), (-2.25, false), (4e-324, true)] {
        let mut model = Model::new();
        let x = between(&mut model, "x", ALL);
        let square = op(&mut model, FloatOp::Mul, x, x);
        let value = number(&mut model, value);
        assert(&mut model, FloatCmp::Eq, square, value);
        assert_eq!(solve(&model).is_some(), exists);
    }
}

#[test]
fn sums_commute_and_do_not_associate() {
    let mut model = Model::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| between(&mut model, name, (-1e9, 1e9)));
    let (a, b) = (op(&mut model, FloatOp::Add, x, y), op(&mut model, FloatOp::Add, y, x));
    let (left, last) = (op(&mut model, FloatOp::Add, a, z), op(&mut model, FloatOp::Add, y, z));
    let right = op(&mut model, FloatOp::Add, x, last);
    let mut other = model.clone();
    assert(&mut model, FloatCmp::Ne, a, b);
    assert_eq!(solve(&model), None);
    assert(&mut other, FloatCmp::Ne, left, right);
    assert!(solve(&other).is_some());
}

#[test]
fn a_nan_is_found_where_there_is_one() {
    let mut model = Model::new();
    let (x, y) = (between(&mut model, "x", ALL), between(&mut model, "y", ALL));
    let quotient = op(&mut model, FloatOp::Div, x, y);
    let nan = model.constant_term(W.width(), nan_rank(W));
    let same = model.equal(quotient, nan);
    model.assert(same);
    let zero = number(&mut model, 0.0);
    let mut other = model.clone();
    assert(&mut model, FloatCmp::Ne, y, zero);
    assert!(solve(&model).is_some(), "a quotient of infinities");
    assert(&mut other, FloatCmp::Lt, zero, y);
    let one = number(&mut other, 1.0);
    assert(&mut other, FloatCmp::Lt, x, one);
    assert(&mut other, FloatCmp::Lt, zero, x);
    assert_eq!(solve(&other), None);
}

#[test]
fn a_root_is_not_negative() {
    let mut model = Model::new();
    let x = between(&mut model, "x", (1.0, 2.0));
    let root = model.float(FloatFn::Unary(FloatUnary::Sqrt), W, &[x]);
    let half = number(&mut model, 0.5);
    assert(&mut model, FloatCmp::Lt, root, half);
    assert_eq!(solve(&model), None);
}

/// The remainder by seven of an integer times 2^80, with a quotient that is too large for a circuit. The remainder of
/// 2^80 is four.
fn remainder_by_seven(least: u64, greatest: u64) -> (Model, Term) {
    let mut model = Model::new();
    let n = integer(&mut model, least, greatest);
    let x = model.cast(Cast::UnsignedToFloat(Width::W32, W), n);
    let (scale, seven) = (number(&mut model, 2f64.powi(80)), number(&mut model, 7.0));
    let x = op(&mut model, FloatOp::Mul, x, scale);
    let rest = op(&mut model, FloatOp::Rem, x, seven);
    (model, rest)
}

#[test]
fn a_remainder_is_refined_until_it_is_right() {
    for (wanted, exists) in [(3.0, true), (0.0, true), (3.5, false), (7.0, false), (-1.0, false)] {
        let (mut model, rest) = remainder_by_seven(100, 140);
        let wanted = number(&mut model, wanted);
        assert(&mut model, FloatCmp::Eq, rest, wanted);
        assert_eq!(solve(&model).is_some(), exists);
    }
}

#[test]
fn solutions_with_a_remainder_are_counted() {
    let (mut model, rest) = remainder_by_seven(100, 140);
    let one = number(&mut model, 1.0);
    assert(&mut model, FloatCmp::Eq, rest, one);
    let vars: Vec<_> = model.inputs().collect();
    let mut session = session(model, 1_000_000);
    let mut found = Vec::new();
    while let Answer::Solution(solution) = session.solve() {
        found.push(solution[vars[0]]);
        session.exclude(&solution, &vars);
    }
    found.sort_unstable();
    assert_eq!(found, [100, 107, 114, 121, 128, 135]);
}

#[test]
fn refinement_is_limited_by_the_effort() {
    let (mut model, rest) = remainder_by_seven(1, u64::from(u32::MAX));
    let wanted = number(&mut model, 3.5);
    assert(&mut model, FloatCmp::Eq, rest, wanted);
    match session(model, 10_000).solve() {
        Answer::GaveUp(Limit::Effort) | Answer::Infeasible => {}
        other => panic!("no integer has this remainder: {other:?}"),
    }
}

#[test]
fn an_angle_is_brought_into_range() {
    let mut model = Model::new();
    let x = between(&mut model, "x", (1000.0, 1e9));
    let circle = number(&mut model, 360.0);
    let rest = op(&mut model, FloatOp::Rem, x, circle);
    let wanted = number(&mut model, 123.25);
    assert(&mut model, FloatCmp::Eq, rest, wanted);
    assert!(solve(&model).is_some());
}

#[test]
fn a_number_is_found_that_is_truncated_to_an_integer() {
    let mut model = Model::new();
    let x = between(&mut model, "x", (-100.0, 100.0));
    let whole = model.cast(Cast::FloatToSigned(W, Width::W32), x);
    let wanted = model.constant_term(Width::W32, Width::W32.from_signed(-7));
    let same = model.compare(IntCmp::Eq, whole, wanted);
    model.assert(same);
    let back = model.cast(Cast::SignedToFloat(Width::W32, W), whole);
    assert(&mut model, FloatCmp::Lt, x, back);
    let solution = solve(&model).expect("there is one");
    let x = solution[model.inputs().next().expect("there is one")];
    assert!(x > rank_of(-8.0) && x < rank_of(-7.0));
    assert_eq!(float_fn(FloatFn::Unary(FloatUnary::Trunc), W, &[x]), rank_of(-7.0));
}

/// Functions of libm have no circuit at all.
#[test]
fn functions_of_libm_are_refined_until_they_are_right() {
    let questions = [
        (MathFn::Sin, (0.0, 1.0), FloatCmp::Lt, 0.5, true),
        (MathFn::Exp, (-10.0, 10.0), FloatCmp::Lt, 3.0, true),
        (MathFn::Exp, (-10.0, -1.0), FloatCmp::Lt, 0.5, false),
        (MathFn::Log, (2.0, 3.0), FloatCmp::Lt, 1.2, false),
    ];
    for (function, range, cmp, bound, exists) in questions {
        let mut model = Model::new();
        let x = between(&mut model, "x", range);
        let y = model.float(FloatFn::Math(function), W, &[x]);
        let bound = number(&mut model, bound);
        assert(&mut model, cmp, bound, y);
        assert_eq!(solve(&model).is_some(), exists, "{function:?}");
    }
}
