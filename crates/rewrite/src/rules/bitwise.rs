//! `and`, `or`, `xor` and shifts.

use quipu_model::{Model, Node, Term};
use quipu_num::{IntOp, Width};

use super::{all, any, boolean, not, sum};

/// The normal form of a bitwise operation: operands sorted, a number last.
pub(crate) fn bitwise(model: &mut Model, op: IntOp, a: Term, b: Term) -> Term {
    let width = model.width(a);
    if width == Width::W1 {
        return match op {
            IntOp::And => all(model, &[a, b]),
            IntOp::Or => any(model, &[a, b]),
            _ => boolean::differ(model, a, b),
        };
    }
    let (a, b) = if model.constant(a).is_some() { (b, a) } else { (a, b) };
    if let Some(number) = model.constant(b) {
        return with_number(model, op, a, b, number);
    }
    if a == b {
        return if op == IntOp::Xor { model.constant_term(width, 0) } else { a };
    }
    if is_complement(model, a, b) {
        return model.constant_term(width, if op == IntOp::And { 0 } else { width.mask() });
    }
    if op == IntOp::Xor {
        return exclusive(model, a, b);
    }
    model.op(op, a.min(b), a.max(b))
}

/// `~a ^ b` is `~(a ^ b)`.
fn exclusive(model: &mut Model, a: Term, b: Term) -> Term {
    let ((flip_a, a), (flip_b, b)) = (uncomplemented(model, a), uncomplemented(model, b));
    let plain = model.op(IntOp::Xor, a.min(b), a.max(b));
    if flip_a != flip_b { not(model, plain) } else { plain }
}

fn uncomplemented(model: &Model, term: Term) -> (bool, Term) {
    match *model.node(term) {
        Node::Not(inner) => (true, inner),
        _ => (false, term),
    }
}

fn is_complement(model: &Model, a: Term, b: Term) -> bool {
    *model.node(a) == Node::Not(b) || *model.node(b) == Node::Not(a)
}

fn with_number(model: &mut Model, op: IntOp, a: Term, b: Term, number: u64) -> Term {
    let width = model.width(a);
    match (op, number) {
        (IntOp::And, 0) => return b,
        (IntOp::Or | IntOp::Xor, 0) => return a,
        (IntOp::And, n) if n == width.mask() => return a,
        (IntOp::Or, n) if n == width.mask() => return b,
        (IntOp::Xor, n) if n == width.mask() => return not(model, a),
        _ => {}
    }
    // Two numbers become one.
    if let Node::Op(inner, x, y) = *model.node(a)
        && inner == op
        && let Some(other) = model.constant(y)
    {
        let both = quipu_num::int_op(op, width, number, other);
        let both = model.constant_term(width, both);
        return bitwise(model, op, x, both);
    }
    model.op(op, a, b)
}

/// The normal form of a shift. A left shift by a number is a multiplication.
pub(crate) fn shift(model: &mut Model, op: IntOp, a: Term, b: Term) -> Term {
    let width = model.width(a);
    if model.constant(a) == Some(0) {
        return a;
    }
    let Some(amount) = model.constant(b) else { return model.op(op, a, b) };
    if amount == 0 {
        return a;
    }
    let bits = u64::from(width.bits());
    match op {
        IntOp::Shl if amount < bits => sum(model, width, 0, &[(1 << amount, a)]),
        IntOp::Shl | IntOp::LShr if amount >= bits => model.constant_term(width, 0),
        _ => shift_right(model, op, a, amount.min(bits)),
    }
}

/// Shifts to the right of shifts to the right add up, and a shift of a quotient is shifted before the division.
fn shift_right(model: &mut Model, op: IntOp, a: Term, amount: u64) -> Term {
    let width = model.width(a);
    if op == IntOp::LShr
        && let Node::Op(IntOp::UDiv, x, divisor) = *model.node(a)
        && let Some(number) = model.constant(divisor)
    {
        let amount = model.constant_term(width, amount);
        let shifted = shift(model, op, x, amount);
        return match model.constant(shifted) {
            Some(value) => model.constant_term(width, quipu_num::int_op(IntOp::UDiv, width, value, number)),
            None => model.op(IntOp::UDiv, shifted, divisor),
        };
    }
    if let Node::Op(inner, x, y) = *model.node(a)
        && inner == op
        && let Some(before) = model.constant(y)
    {
        let total = amount + before;
        let bits = u64::from(width.bits());
        if op == IntOp::LShr && total >= bits {
            return model.constant_term(width, 0);
        }
        let total = model.constant_term(width, total.min(bits - 1));
        return model.op(op, x, total);
    }
    let amount = if op == IntOp::AShr { amount.min(u64::from(width.bits()) - 1) } else { amount };
    if amount == 0 {
        return a;
    }
    let amount = model.constant_term(width, amount);
    model.op(op, a, amount)
}
