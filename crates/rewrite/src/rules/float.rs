//! Functions of floats, by rank. Few laws of numbers hold for floats; these do, for NaNs and signed zeros as well.

use quipu_model::{Model, Node, Term};
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, IntCmp, Width, cast_of_rank, is_nan_rank,
    number_ranks, rank,
};

use super::{all, build, not, select};

/// The normal form of a function of floats.
pub(crate) fn float(model: &mut Model, function: FloatFn, w: FloatWidth, items: &[Term]) -> Term {
    if let Some(lifted) = lifted(model, function, w, items) {
        return lifted;
    }
    match (function, items) {
        (FloatFn::Unary(op), &[a]) => unary(model, op, w, a),
        (FloatFn::Compare(cmp), &[a, b]) => compare(model, cmp, w, a, b),
        _ => model.float(function, w, &ordered(function, items)),
    }
}

/// A conversion from or to floats.
pub(crate) fn convert(model: &mut Model, cast: Cast, a: Term) -> Term {
    match (cast, model.node(a)) {
        (Cast::BitsFloat(_), &Node::Cast(Cast::FloatBits(_), x))
        | (Cast::FloatBits(_), &Node::Cast(Cast::BitsFloat(_), x)) => x,
        _ => model.cast(cast, a),
    }
}

/// The operands in an order that does not depend on how they were written.
fn ordered(function: FloatFn, items: &[Term]) -> Vec<Term> {
    let mut items = items.to_vec();
    let commutes = matches!(
        function,
        FloatFn::Op(FloatOp::Add | FloatOp::Mul) | FloatFn::Fma | FloatFn::Compare(FloatCmp::Eq)
    );
    if commutes {
        items[..2].sort_unstable();
    }
    items
}

fn unary(model: &mut Model, op: FloatUnary, w: FloatWidth, a: Term) -> Term {
    let inner = match model.node(a) {
        Node::Float(FloatFn::Unary(inner), _, items) => Some((*inner, items[0])),
        _ => None,
    };
    match (op, inner) {
        (FloatUnary::Neg, Some((FloatUnary::Neg, x))) => x,
        (FloatUnary::Abs, Some((FloatUnary::Neg | FloatUnary::Abs, x))) => {
            model.float(FloatFn::Unary(FloatUnary::Abs), w, &[x])
        }
        _ => model.float(FloatFn::Unary(op), w, &[a]),
    }
}

fn compare(model: &mut Model, cmp: FloatCmp, w: FloatWidth, a: Term, b: Term) -> Term {
    let (a, b) = (as_compared(model, w, a), as_compared(model, w, b));
    if let Some(narrow) = compare_narrow(model, cmp, w, a, b) {
        return narrow;
    }
    match cmp {
        FloatCmp::Ne => {
            let equal = compare(model, FloatCmp::Eq, w, a, b);
            not(model, equal)
        }
        FloatCmp::Lt if a == b => model.truth(false),
        FloatCmp::Lt => less_and_why(model, w, a, b),
        FloatCmp::Eq | FloatCmp::Le if a == b => is_number(model, w, a),
        FloatCmp::Le if model.existing(&less(w, b, a), Width::W1).is_some() => not_above(model, w, a, b),
        _ => model.float(FloatFn::Compare(cmp), w, &ordered(FloatFn::Compare(cmp), &[a, b])),
    }
}

/// A term that is equal to another one where both are compared: the zeros are, and so are all NaNs.
fn as_compared(model: &Model, w: FloatWidth, a: Term) -> Term {
    let Node::Float(FloatFn::Op(op), _, items) = model.node(a) else { return a };
    let zero = rank(w, 0);
    let one = match w {
        FloatWidth::F32 => rank(w, u64::from(1f32.to_bits())),
        FloatWidth::F64 => rank(w, 1f64.to_bits()),
    };
    let is_zero = |n: usize| model.constant(items[n]).is_some_and(|value| value == zero || value == zero - 1);
    let is_one = |n: usize| model.constant(items[n]) == Some(one);
    match op {
        FloatOp::Add if is_zero(0) => items[1],
        FloatOp::Add | FloatOp::Sub if is_zero(1) => items[0],
        FloatOp::Mul if is_one(0) => items[1],
        FloatOp::Mul | FloatOp::Div if is_one(1) => items[0],
        _ => a,
    }
}

/// `a < b`, and what must be less for that: a function that never falls keeps its operands in order. Bounds alone see
/// nothing of this.
fn less_and_why(model: &mut Model, w: FloatWidth, a: Term, b: Term) -> Term {
    let same = model.add(less(w, a, b), Width::W1);
    match smaller_operand(model, a, b) {
        None => same,
        Some(Operands::Floats(w, x, y)) => {
            let why = compare(model, FloatCmp::Lt, w, x, y);
            all(model, &[same, why])
        }
        Some(Operands::Integers(cmp, x, y)) => {
            let why = super::compare::compare(model, cmp, x, y);
            all(model, &[same, why])
        }
    }
}

/// Two operands of which the first must be less.
enum Operands {
    Floats(FloatWidth, Term, Term),
    Integers(IntCmp, Term, Term),
}

/// Operands of which one must be less if one result is less than another. The functions of libm are not here: nobody
/// promises that theirs grow.
fn smaller_operand(model: &Model, a: Term, b: Term) -> Option<Operands> {
    match (model.node(a), model.node(b)) {
        (Node::Float(f, w, x), Node::Float(g, _, y)) if f == g => {
            let (x, y) = ordered_operands(model, *f, *w, x, y)?;
            Some(Operands::Floats(*w, x, y))
        }
        (&Node::Cast(Cast::Narrow, x), &Node::Cast(Cast::Narrow, y)) => {
            Some(Operands::Floats(FloatWidth::F64, x, y))
        }
        (&Node::Cast(cast, x), &Node::Cast(other, y)) if cast == other => match cast {
            Cast::SignedToFloat(..) => Some(Operands::Integers(IntCmp::Slt, x, y)),
            Cast::UnsignedToFloat(..) => Some(Operands::Integers(IntCmp::Ult, x, y)),
            _ => None,
        },
        _ => None,
    }
}

fn ordered_operands(
    model: &Model,
    function: FloatFn,
    w: FloatWidth,
    x: &[Term],
    y: &[Term],
) -> Option<(Term, Term)> {
    // The operand that differs, if one is shared in the same place or the function commutes.
    let shared = |m: usize, n: usize| (x[m] == y[n]).then(|| (x[m], x[1 - m], y[1 - n]));
    let any_place =
        || shared(0, 0).or_else(|| shared(1, 1)).or_else(|| shared(0, 1)).or_else(|| shared(1, 0));
    match function {
        FloatFn::Unary(FloatUnary::Neg | FloatUnary::Abs) => None,
        FloatFn::Unary(_) => Some((x[0], y[0])),
        FloatFn::Op(FloatOp::Add) => any_place().map(|(_, x, y)| (x, y)),
        FloatFn::Op(FloatOp::Sub) => match (shared(1, 1), shared(0, 0)) {
            (Some((_, x, y)), _) => Some((x, y)),
            (None, Some((_, x, y))) => Some((y, x)),
            (None, None) => None,
        },
        FloatFn::Op(FloatOp::Mul) => any_place().and_then(|(factor, x, y)| turned(model, w, factor, x, y)),
        FloatFn::Op(FloatOp::Div) => shared(1, 1).and_then(|(divisor, x, y)| turned(model, w, divisor, x, y)),
        _ => None,
    }
}

/// By the sign of a factor that is a number.
fn turned(model: &Model, w: FloatWidth, factor: Term, x: Term, y: Term) -> Option<(Term, Term)> {
    let zero = rank(w, 0);
    match model.constant(factor)? {
        factor if is_nan_rank(w, factor) || factor == zero || factor == zero - 1 => None,
        factor if factor > zero => Some((x, y)),
        _ => Some((y, x)),
    }
}

fn less(w: FloatWidth, a: Term, b: Term) -> Node {
    Node::Float(FloatFn::Compare(FloatCmp::Lt), w, [a, b].into())
}

/// `a <= b` where `b < a` is a term: so that one is seen to exclude the other.
fn not_above(model: &mut Model, w: FloatWidth, a: Term, b: Term) -> Term {
    let above = model.add(less(w, b, a), Width::W1);
    let below = not(model, above);
    let numbers = [a, b].map(|side| is_number(model, w, side));
    all(model, &[below, numbers[0], numbers[1]])
}

/// Whether a float is no NaN, by its rank: bounds of the operands of `a == a` do not tell that both are one.
fn is_number(model: &mut Model, w: FloatWidth, a: Term) -> Term {
    let (least, greatest) = number_ranks(w);
    let [least, greatest] = [least, greatest].map(|rank| model.constant_term(w.width(), rank));
    let bounds = [Node::Compare(IntCmp::Ule, least, a), Node::Compare(IntCmp::Ule, a, greatest)];
    let bounds = bounds.map(|bound| build(model, bound, Width::W1));
    all(model, &bounds)
}

/// A comparison of `double`s that are `float`s is one of `float`s.
fn compare_narrow(model: &mut Model, cmp: FloatCmp, w: FloatWidth, a: Term, b: Term) -> Option<Term> {
    if w != FloatWidth::F64 {
        return None;
    }
    let widened = [a, b].iter().any(|&side| matches!(model.node(side), Node::Cast(Cast::Widen, _)));
    if !widened {
        return None;
    }
    let (a, b) = (narrow(model, a)?, narrow(model, b)?);
    Some(compare(model, cmp, FloatWidth::F32, a, b))
}

/// The `float` that a `double` was, or could be.
fn narrow(model: &mut Model, a: Term) -> Option<Term> {
    if let &Node::Cast(Cast::Widen, x) = model.node(a) {
        return Some(x);
    }
    let value = model.constant(a)?;
    let narrowed = cast_of_rank(Cast::Narrow, value);
    (cast_of_rank(Cast::Widen, narrowed) == value).then(|| model.constant_term(Width::W32, narrowed))
}

/// A function of a choice as a choice between results, where one of these is known already.
///
/// Behind a loop that was left in one of several turns, values are chosen by the turn. What is then computed from them
/// has mostly been computed in that turn before: to see that decides what no bounds of floats can.
fn lifted(model: &mut Model, function: FloatFn, w: FloatWidth, items: &[Term]) -> Option<Term> {
    let condition = items.iter().find_map(|&item| match *model.node(item) {
        Node::Select(condition, ..) => Some(condition),
        _ => None,
    })?;
    let mut sides = [Vec::with_capacity(items.len()), Vec::with_capacity(items.len())];
    for &item in items {
        let (yes, no) = match *model.node(item) {
            Node::Select(other, yes, no) if other == condition => (yes, no),
            Node::Const(_) => (item, item),
            _ => return None,
        };
        sides[0].push(yes);
        sides[1].push(no);
    }
    if !sides.iter().any(|side| is_known(model, function, w, side)) {
        return None;
    }
    let width = function.width(w);
    let [yes, no] = sides.map(|side| build(model, Node::Float(function, w, side.into()), width));
    Some(select::select(model, condition, yes, no))
}

/// Whether the result on these operands is a number, or a term that exists.
fn is_known(model: &Model, function: FloatFn, w: FloatWidth, items: &[Term]) -> bool {
    if items.iter().all(|&item| model.constant(item).is_some()) {
        return true;
    }
    let exists = |function: FloatFn, items: &[Term]| {
        let node = Node::Float(function, w, ordered(function, items).into());
        model.existing(&node, function.width(w)).is_some()
    };
    match (function, items) {
        (FloatFn::Compare(FloatCmp::Le), &[a, b]) => {
            exists(function, items) || exists(FloatFn::Compare(FloatCmp::Lt), &[b, a])
        }
        (FloatFn::Compare(FloatCmp::Ne), _) => exists(FloatFn::Compare(FloatCmp::Eq), items),
        _ => exists(function, items),
    }
}
