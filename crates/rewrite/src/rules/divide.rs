//! Division and remainder by numbers. A zero divisor has the meaning that `quipu-num` gives it.

use quipu_model::{Model, Term};
use quipu_num::IntOp;

use super::{bitwise, sum};

pub(crate) fn divide(model: &mut Model, op: IntOp, a: Term, b: Term) -> Term {
    let width = model.width(a);
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
    if divisor.is_power_of_two() && op == IntOp::URem {
        let mask = model.constant_term(width, divisor - 1);
        return bitwise::bitwise(model, IntOp::And, a, mask);
    }
    model.op(op, a, b)
}
