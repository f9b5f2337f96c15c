//! The constructors of normal forms. Each takes operands in normal form and returns a term in normal form
//! that has the value of the node asked for, under every assignment.

mod bitwise;
mod boolean;
mod compare;
mod convert;
mod divide;
mod float;
mod select;
mod sum;

use quipu_model::{Model, Node, Term, apply};
use quipu_num::{Guard, IntOp, Width};

pub(crate) use boolean::{all, any, not};
pub(crate) use compare::{equal, equal_parts};
pub(crate) use sum::{linear_parts, product, sum};

/// The normal form of a node.
pub(crate) fn build(model: &mut Model, node: Node, width: Width) -> Term {
    if let Some(value) = folded(model, &node, width) {
        return model.constant_term(width, value);
    }
    match node {
        Node::Const(_) | Node::Var(_) | Node::Call(..) => model.add(node, width),
        Node::Not(a) => not(model, a),
        Node::Op(op, a, b) => operation(model, op, a, b),
        Node::Unary(..) => model.add(node, width),
        Node::Float(function, w, items) => float::float(model, function, w, &items),
        Node::Compare(cmp, a, b) => compare::compare(model, cmp, a, b),
        Node::Guard(guard, a, b) => defined(model, guard, a, b),
        Node::Cast(cast, a) => convert::convert(model, cast, a),
        Node::Select(c, a, b) => select::select(model, c, a, b),
        Node::All(items) => all(model, &items),
        Node::Any(items) => any(model, &items),
        Node::Sum(constant, parts) => sum(model, width, constant, &parts),
        Node::Element(index, items) => select::element(model, index, &items),
    }
}

fn operation(model: &mut Model, op: IntOp, a: Term, b: Term) -> Term {
    let width = model.width(a);
    match op {
        IntOp::Add => sum(model, width, 0, &[(1, a), (1, b)]),
        IntOp::Sub => sum(model, width, 0, &[(1, a), (width.mask(), b)]),
        IntOp::Mul => product(model, a, b),
        IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem => divide::divide(model, op, a, b),
        IntOp::And | IntOp::Or | IntOp::Xor => bitwise::bitwise(model, op, a, b),
        IntOp::Shl | IntOp::LShr | IntOp::AShr => bitwise::shift(model, op, a, b),
    }
}

/// The guards that are comparisons.
fn defined(model: &mut Model, guard: Guard, a: Term, b: Term) -> Term {
    let width = model.width(b);
    match guard {
        Guard::NonZero(_) | Guard::AnyBit(_) => {
            let zero = model.constant_term(width, 0);
            let is_zero = equal(model, b, zero);
            not(model, is_zero)
        }
        Guard::QuotientFits(w) => {
            let (smallest, minus) =
                (model.constant_term(w, w.min_signed()), model.constant_term(w, w.mask()));
            let (left, right) = (equal(model, a, smallest), equal(model, b, minus));
            let bad = all(model, &[left, right]);
            not(model, bad)
        }
        Guard::ShiftInRange { shifted, .. } => {
            let bits = u64::from(shifted.bits());
            if bits > width.mask() {
                return model.truth(true);
            }
            let limit = model.constant_term(width, bits);
            compare::below(model, quipu_num::IntCmp::Ult, b, limit)
        }
        Guard::IndexBelow(_) => compare::below(model, quipu_num::IntCmp::Ult, a, b),
        Guard::IndexAtMost(_) => {
            let above = compare::below(model, quipu_num::IntCmp::Ult, b, a);
            not(model, above)
        }
        Guard::AddFits(_) | Guard::MulFits(_) if b < a => model.guard(guard, b, a),
        _ => model.guard(guard, a, b),
    }
}

/// The value of a node all of whose operands are numbers.
fn folded(model: &Model, node: &Node, width: Width) -> Option<u64> {
    if matches!(node, Node::Var(_) | Node::Call(..)) {
        return None;
    }
    let mut constant = true;
    node.for_each_operand(|operand| constant &= model.constant(operand).is_some());
    let number = |operand| model.constant(operand).expect("all operands are numbers");
    constant.then(|| apply(model, node, width, number))
}
