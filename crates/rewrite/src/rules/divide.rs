//! Division and remainder by numbers. A zero divisor has the meaning that `quipu-num` gives it.

use quipu_model::{Model, Node, Term};
use quipu_num::{Cast, IntOp, Width};

use super::{bitwise, boolean, compare, convert, select, sum};

pub(crate) fn divide(model: &mut Model, op: IntOp, a: Term, b: Term) -> Term {
    let width = model.width(a);
    if let Some(narrow) = narrowed(model, op, a, b) {
        return narrow;
    }
    let Some(divisor) = model.constant(b) else { return model.op(op, a, b) };
    let zero = model.constant_term(width, 0);
    match (op, divisor) {
        (IntOp::UDiv | IntOp::SDiv, 0) => return zero,
        (IntOp::URem | IntOp::SRem, 0) => return a,
        (IntOp::UDiv | IntOp::SDiv, 1) if width.bits() > 1 || op == IntOp::UDiv => return a,
        (IntOp::URem | IntOp::SRem, 1) => return zero,
        (IntOp::SDiv, d) if d == width.mask() => return sum(model, width, 0, &[(width.mask(), a)]),
        (IntOp::SRem, d) if d == width.mask() => return zero,
        _ => {}
    }
    if divisor.is_power_of_two() && op == IntOp::UDiv {
        let amount = model.constant_term(width, u64::from(divisor.trailing_zeros()));
        return bitwise::shift(model, IntOp::LShr, a, amount);
    }
    if op == IntOp::UDiv {
        return quotient(model, a, divisor);
    }
    if op == IntOp::URem
        && let Node::Op(IntOp::URem, x, outer) = *model.node(a)
        && let Some(outer) = model.constant(outer)
        && outer.is_multiple_of(divisor)
    {
        // The remainder by a multiple has the same remainder.
        return divide(model, op, x, b);
    }
    if divisor.is_power_of_two() && op == IntOp::URem {
        let mask = model.constant_term(width, divisor - 1);
        return bitwise::bitwise(model, IntOp::And, a, mask);
    }
    model.op(op, a, b)
}

/// Numbers that were extended are divided before that: the same, but for the least number by -1, whose quotient fits only
/// after the extension.
fn narrowed(model: &mut Model, op: IntOp, a: Term, b: Term) -> Option<Term> {
    let width = model.width(a);
    let signed = matches!(op, IntOp::SDiv | IntOp::SRem);
    let (from, x) = extended(model, a, signed)?;
    let y = match model.constant(b) {
        Some(divisor) => {
            let narrow = from.wrap(divisor);
            let same = if signed { from.signed(narrow) == width.signed(divisor) } else { narrow == divisor };
            same.then(|| model.constant_term(from, narrow))?
        }
        None => extended(model, b, signed).filter(|(other, _)| *other == from)?.1,
    };
    let divisor = model.constant(y);
    if op == IntOp::SDiv && divisor == Some(from.mask()) {
        return None;
    }
    let narrow = divide(model, op, x, y);
    let quotient = convert::extend(model, narrow, width, signed);
    if op == IntOp::SRem || !signed || divisor.is_some() {
        return Some(quotient);
    }
    let least = 1 << (from.bits() - 1);
    let [least_x, minus_one, exact] =
        [(from, least), (from, from.mask()), (width, least)].map(|(w, bits)| model.constant_term(w, bits));
    let [is_least, is_minus_one] = [(x, least_x), (y, minus_one)].map(|(a, b)| compare::equal(model, a, b));
    let is_odd = boolean::all(model, &[is_least, is_minus_one]);
    Some(select::select(model, is_odd, exact, quotient))
}

/// The number of which a term is an extension, and its width.
fn extended(model: &Model, term: Term, signed: bool) -> Option<(Width, Term)> {
    match *model.node(term) {
        Node::Cast(Cast::SExt(from, _), x) if signed => Some((from, x)),
        Node::Cast(Cast::ZExt(from, _), x) if !signed => Some((from, x)),
        _ => None,
    }
}

/// An unsigned quotient by a number that is no power of two. Powers of two in the divisor are shifted out first, and
/// the quotient of a quotient is one by the product.
fn quotient(model: &mut Model, a: Term, divisor: u64) -> Term {
    let width = model.width(a);
    let inner = match *model.node(a) {
        Node::Op(IntOp::UDiv, x, d) => model.constant(d).map(|d| (x, d)),
        _ => None,
    };
    if let Some((x, before)) = inner {
        return match before.checked_mul(divisor).filter(|&product| product <= width.mask()) {
            Some(product) => quotient(model, x, product),
            None => model.constant_term(width, 0),
        };
    }
    let twos = divisor.trailing_zeros();
    let amount = model.constant_term(width, u64::from(twos));
    let shifted = bitwise::shift(model, IntOp::LShr, a, amount);
    let odd = model.constant_term(width, divisor >> twos);
    match model.constant(shifted) {
        Some(number) => {
            model.constant_term(width, quipu_num::int_op(IntOp::UDiv, width, number, divisor >> twos))
        }
        None => model.op(IntOp::UDiv, shifted, odd),
    }
}
