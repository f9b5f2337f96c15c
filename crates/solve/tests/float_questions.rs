//! Questions about floats to all parts together: solutions are found, limits are kept, and answers repeat.

use quipu_model::{Model, Reading, Role, Term, VarInfo, WrittenBodies, all_hold};
use quipu_num::{FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, is_nan_rank, rank_of};
use quipu_solve::{Answer, Limit, Options, Session};

const W: FloatWidth = FloatWidth::F64;

fn float_var(model: &mut Model, name: &str) -> Term {
    let info = VarInfo {
        name: name.to_owned(),
        width: W.width(),
        reading: Reading::Float,
        range: None,
        role: Role::Input,
    };
    let var = model.add_var(info);
    model.var_term(var)
}

fn number(model: &mut Model, value: f64) -> Term {
    model.constant_term(W.width(), rank_of(W, value))
}

fn op(model: &mut Model, op: FloatOp, a: Term, b: Term) -> Term {
    model.float(FloatFn::Op(op), W, &[a, b])
}

fn compare(model: &mut Model, cmp: FloatCmp, a: Term, b: Term) -> Term {
    model.float(FloatFn::Compare(cmp), W, &[a, b])
}

/// A point, its distance from the origin, and the sum of its coordinates.
struct Point {
    model: Model,
    distance: Term,
    sum: Term,
}

fn point() -> Point {
    let mut model = Model::new();
    let (x, y) = (float_var(&mut model, "x"), float_var(&mut model, "y"));
    let squares = [x, y].map(|axis| op(&mut model, FloatOp::Mul, axis, axis));
    let square = op(&mut model, FloatOp::Add, squares[0], squares[1]);
    let distance = model.float(FloatFn::Unary(FloatUnary::Sqrt), W, &[square]);
    let sum = op(&mut model, FloatOp::Add, x, y);
    Point { model, distance, sum }
}

#[test]
fn one_session_answers_many_questions_about_a_point() {
    let Point { model, distance, sum } = point();
    let mut session = Session::new(model, &WrittenBodies, Options::default());
    for (radius, total) in [(5.0, 7.0), (13.0, 17.0), (1.5, 0.25), (1e10, 3.0)] {
        let model = session.model_mut();
        let (radius, total) = (number(model, radius), number(model, total));
        let question =
            [compare(model, FloatCmp::Eq, distance, radius), compare(model, FloatCmp::Le, total, sum)];
        let Answer::Solution(found) = session.solve_under(&question) else { panic!("there are such points") };
        assert!(all_hold(session.model(), &question, &found));
    }
}

#[test]
fn a_distance_may_be_a_nan_if_a_coordinate_is() {
    let Point { model, distance, .. } = point();
    let mut session = Session::new(model, &WrittenBodies, Options::default());
    let differs = compare(session.model_mut(), FloatCmp::Ne, distance, distance);
    let Answer::Solution(found) = session.solve_under(&[differs]) else { panic!("there are such points") };
    assert!(found.iter().any(|&value| is_nan_rank(W, value)));
}

#[test]
fn answers_repeat() {
    let answer = || {
        let Point { mut model, distance, sum } = point();
        let (radius, total) = (number(&mut model, 2.0), number(&mut model, 2.5));
        let demands = [
            compare(&mut model, FloatCmp::Eq, distance, radius),
            compare(&mut model, FloatCmp::Eq, sum, total),
        ];
        demands.into_iter().for_each(|demand| model.assert(demand));
        let mut session = Session::new(model, &WrittenBodies, Options::default());
        (session.solve(), session.report())
    };
    assert_eq!(answer(), answer());
}

/// No sum of two squares has a root below -1, whoever finds that out, and however soon.
#[test]
fn effort_ends_a_question_without_a_solution() {
    let Point { mut model, distance, .. } = point();
    let bound = number(&mut model, -1.0);
    let never = compare(&mut model, FloatCmp::Lt, distance, bound);
    model.assert(never);
    let options = Options { effort: Some(20_000), sat: false, ..Options::default() };
    let mut session = Session::new(model, &WrittenBodies, options);
    assert!(matches!(session.solve(), Answer::Infeasible | Answer::GaveUp(Limit::Effort)));
}
