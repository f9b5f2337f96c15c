//! Comparisons. Normal forms are `==`, `<` unsigned and `<` signed; the others are negations of these.

use quipu_model::{Model, Node, Term};
use quipu_num::{Cast, IntCmp, IntOp, Width};

use super::{all, divide, not};
use crate::polynomial::Polynomial;

pub(crate) fn compare(model: &mut Model, cmp: IntCmp, a: Term, b: Term) -> Term {
    match cmp {
        IntCmp::Eq => equal(model, a, b),
        IntCmp::Ult | IntCmp::Slt => below(model, cmp, a, b),
        IntCmp::Ne => {
            let same = equal(model, a, b);
            not(model, same)
        }
        IntCmp::Ule | IntCmp::Sle => {
            let strict = if cmp == IntCmp::Ule { IntCmp::Ult } else { IntCmp::Slt };
            let above = below(model, strict, b, a);
            not(model, above)
        }
    }
}

/// `a == b`.
pub(crate) fn equal(model: &mut Model, a: Term, b: Term) -> Term {
    let width = model.width(a);
    if a == b {
        return model.truth(true);
    }
    if width == Width::W1 {
        return equal_truths(model, a, b);
    }
    if let Some(simple) = equal_by_form(model, a, b) {
        return simple;
    }
    let difference = Polynomial::difference(model, a, b);
    match difference.and_then(|difference| difference.into_equation(model)) {
        _ if Polynomial::is_identity(model, a, b) => model.truth(true),
        Some(equation) => equation.build(model),
        None => model.equal(a.min(b), a.max(b)),
    }
}

/// `a == b` of terms that are no sums.
pub(crate) fn equal_parts(model: &mut Model, a: Term, b: Term) -> Term {
    equal_by_form(model, a, b).unwrap_or_else(|| model.equal(a.min(b), a.max(b)))
}

/// What the outermost operations say about an equation.
fn equal_by_form(model: &mut Model, a: Term, b: Term) -> Option<Term> {
    let (a, b) = if model.constant(a).is_some() { (b, a) } else { (a, b) };
    if let (Some(left), Some(right)) = (model.constant(a), model.constant(b)) {
        return Some(model.truth(left == right));
    }
    let number = model.constant(b);
    number
        .and_then(|number| equal_to_number(model, a, number))
        .or_else(|| equal_casts(model, a, b))
        .or_else(|| equal_complements(model, a, b))
}

/// Equality of truth values.
pub(super) fn equal_truths(model: &mut Model, a: Term, b: Term) -> Term {
    if a == b {
        return model.truth(true);
    }
    for (x, y) in [(a, b), (b, a)] {
        match model.constant(x) {
            Some(1) => return y,
            Some(_) => return not(model, y),
            None => {}
        }
    }
    let ((flip_a, a), (flip_b, b)) = (positive(model, a), positive(model, b));
    let same = if a == b { model.truth(true) } else { model.equal(a.min(b), a.max(b)) };
    if flip_a != flip_b { not(model, same) } else { same }
}

fn positive(model: &Model, term: Term) -> (bool, Term) {
    match *model.node(term) {
        Node::Not(inner) => (true, inner),
        _ => (false, term),
    }
}

fn equal_to_number(model: &mut Model, a: Term, number: u64) -> Option<Term> {
    let width = model.width(a);
    match *model.node(a) {
        Node::Cast(cast @ (Cast::ZExt(from, _) | Cast::SExt(from, _)), x) => {
            let small = from.wrap(number);
            if quipu_num::cast(cast, small) != number {
                return Some(model.truth(false));
            }
            let small = model.constant_term(from, small);
            Some(equal(model, x, small))
        }
        Node::Select(c, x, y) => {
            let is = |term: Term| model.constant(term).map(|value| value == number);
            let (x, y) = (is(x)?, is(y)?);
            Some(match (x, y) {
                (true, true) => model.truth(true),
                (true, false) => c,
                (false, true) => not(model, c),
                (false, false) => model.truth(false),
            })
        }
        Node::Not(x) => {
            let number = model.constant_term(width, !number);
            Some(equal(model, x, number))
        }
        // An exclusive or with a number can be undone.
        Node::Op(IntOp::Xor, x, y) => {
            let other = model.constant(y)?;
            let number = model.constant_term(width, number ^ other);
            Some(equal(model, x, number))
        }
        Node::Op(IntOp::URem, x, y) if number == 0 => divisible(model, x, model.constant(y)?),
        _ => None,
    }
}

/// Whether a number divides: an even one does if its power of two and its odd part do.
fn divisible(model: &mut Model, x: Term, divisor: u64) -> Option<Term> {
    let twos = divisor.trailing_zeros();
    if divisor == 0 || twos == 0 || divisor.is_power_of_two() {
        return None;
    }
    let width = model.width(x);
    let zero = model.constant_term(width, 0);
    let parts = [1 << twos, divisor >> twos].map(|part| {
        let part = model.constant_term(width, part);
        let remainder = divide::divide(model, IntOp::URem, x, part);
        equal(model, remainder, zero)
    });
    Some(all(model, &parts))
}

fn equal_casts(model: &mut Model, a: Term, b: Term) -> Option<Term> {
    match (model.node(a), model.node(b)) {
        (Node::Cast(Cast::ZExt(f, _), x), Node::Cast(Cast::ZExt(g, _), y))
        | (Node::Cast(Cast::SExt(f, _), x), Node::Cast(Cast::SExt(g, _), y))
            if f == g =>
        {
            let (x, y) = (*x, *y);
            Some(equal(model, x, y))
        }
        _ => None,
    }
}

fn equal_complements(model: &mut Model, a: Term, b: Term) -> Option<Term> {
    match (model.node(a), model.node(b)) {
        (Node::Not(x), Node::Not(y)) => {
            let (x, y) = (*x, *y);
            Some(equal(model, x, y))
        }
        _ => None,
    }
}

/// `a < b`, unsigned or signed.
pub(crate) fn below(model: &mut Model, cmp: IntCmp, a: Term, b: Term) -> Term {
    let width = model.width(a);
    if a == b {
        return model.truth(false);
    }
    if let (Some(left), Some(right)) = (model.constant(a), model.constant(b)) {
        return model.truth(quipu_num::int_cmp(cmp, width, left, right));
    }
    if width == Width::W1 {
        // Unsigned: 0 < 1. Signed: -1 < 0.
        let (low, high) = if cmp == IntCmp::Ult { (a, b) } else { (b, a) };
        let low = not(model, low);
        return all(model, &[low, high]);
    }
    if let Some(simple) = below_at_the_ends(model, cmp, a, b).or_else(|| below_casts(model, cmp, a, b)) {
        return simple;
    }
    if let (Node::Not(x), Node::Not(y)) = (model.node(a), model.node(b)) {
        let (x, y) = (*x, *y);
        return below(model, cmp, y, x);
    }
    if cmp == IntCmp::Ult && is_at_most(model, b, a) {
        return model.truth(false);
    }
    match *model.node(a) {
        // A remainder is less than its divisor, unless that is 0.
        Node::Op(IntOp::URem, _, divisor) if cmp == IntCmp::Ult && divisor == b => {
            let zero = model.constant_term(width, 0);
            let is_zero = equal(model, b, zero);
            not(model, is_zero)
        }
        _ => model.compare(cmp, a, b),
    }
}

/// Whether `a <= b` can be seen: parts of a number are not larger than it.
fn is_at_most(model: &Model, a: Term, b: Term) -> bool {
    let part = match *model.node(a) {
        Node::Op(IntOp::UDiv | IntOp::URem | IntOp::LShr, x, _) => x == b,
        Node::Op(IntOp::And, x, y) => x == b || y == b,
        _ => false,
    };
    part || matches!(*model.node(b), Node::Op(IntOp::Or, x, y) if x == a || y == a)
}

/// Comparisons with the smallest and largest values, and those next to them.
fn below_at_the_ends(model: &mut Model, cmp: IntCmp, a: Term, b: Term) -> Option<Term> {
    let width = model.width(a);
    let (smallest, largest) = match cmp {
        IntCmp::Ult => (0, width.mask()),
        _ => (width.min_signed(), width.max_signed()),
    };
    let (left, right) = (model.constant(a), model.constant(b));
    if right == Some(smallest) || left == Some(largest) {
        return Some(model.truth(false));
    }
    // An equation of a sum would be solved for its parts, and no longer bound the sum itself.
    if [a, b].iter().any(|&side| matches!(model.node(side), Node::Sum(..))) {
        return None;
    }
    if left == Some(smallest) || right == Some(largest) {
        let same = equal(model, a, b);
        return Some(not(model, same));
    }
    if right == Some(width.wrap(smallest.wrapping_add(1))) {
        let end = model.constant_term(width, smallest);
        return Some(equal(model, a, end));
    }
    if left == Some(width.wrap(largest.wrapping_sub(1))) {
        let end = model.constant_term(width, largest);
        return Some(equal(model, b, end));
    }
    None
}

/// Extensions keep their order: both sides can be compared before them.
fn below_casts(model: &mut Model, cmp: IntCmp, a: Term, b: Term) -> Option<Term> {
    let source = |term: Term| match *model.node(term) {
        Node::Cast(Cast::ZExt(from, _), x) => Some((false, from, x)),
        Node::Cast(Cast::SExt(from, _), x) => Some((true, from, x)),
        _ => None,
    };
    let (left, right) = (source(a), source(b));
    if let (Some((signed_a, from_a, x)), Some((signed_b, from_b, y))) = (left, right)
        && signed_a == signed_b
        && from_a == from_b
    {
        // Sign extension keeps both orders; zero extension makes the signed order the unsigned one.
        return Some(below(model, if signed_a { cmp } else { IntCmp::Ult }, x, y));
    }
    match (left, model.constant(b), right, model.constant(a)) {
        (Some((false, from, x)), Some(number), ..) if number <= from.mask() => {
            let number = model.constant_term(from, number);
            Some(below(model, IntCmp::Ult, x, number))
        }
        (_, _, Some((false, from, y)), Some(number)) if number <= from.mask() => {
            let number = model.constant_term(from, number);
            Some(below(model, IntCmp::Ult, number, y))
        }
        _ => None,
    }
}
