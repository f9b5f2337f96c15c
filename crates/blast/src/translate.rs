//! What each node of a model is as a circuit.

use quipu_model::{Model, Node, Term};
use quipu_num::{Cast, Guard, IntCmp, IntOp, IntUnary};

use crate::circuit::{Circuit, Edge, Word};
use crate::divide::Divisions;
use crate::{count, float, multiply, shift, words};

/// The words of operands, by term.
pub(crate) trait Operands {
    fn word(&self, term: Term) -> &[Edge];
}

/// The word of a term whose operands have words. Variables and calls are made by the caller.
pub(crate) fn translate(
    circuit: &mut Circuit,
    divisions: &mut Divisions,
    operands: &impl Operands,
    model: &Model,
    term: Term,
) -> Word {
    let width = model.width(term);
    let word = |term: Term| operands.word(term);
    match model.node(term) {
        Node::Const(bits) => words::constant(width, *bits),
        Node::Var(_) | Node::Call(..) => unreachable!("a free term should not be computed"),
        Node::Not(a) => words::not(word(*a)),
        Node::Op(op, a, b) => operation(circuit, divisions, *op, word(*a), word(*b)),
        Node::Unary(op, a) => unary(circuit, *op, word(*a)),
        Node::Compare(cmp, a, b) => vec![comparison(circuit, *cmp, word(*a), word(*b))],
        Node::Guard(which, a, b) => vec![guard(circuit, *which, word(*a), word(*b))],
        Node::Cast(cast, a) if cast.floats() == (None, None) => conversion(*cast, word(*a)),
        Node::Cast(cast, a) => float::conversion(circuit, *cast, word(*a)),
        Node::Float(function, w, items) => {
            let items: Vec<&[Edge]> = items.iter().map(|&item| word(item)).collect();
            float::function(circuit, *function, *w, &items)
        }
        Node::Select(c, a, b) => words::mux(circuit, word(*c)[0], word(*a), word(*b)),
        Node::All(items) => vec![circuit.all(items.iter().map(|&item| word(item)[0]).collect())],
        Node::Any(items) => vec![circuit.any(items.iter().map(|&item| word(item)[0]))],
        Node::Sum(constant, parts) => {
            let parts: Vec<(u64, &[Edge])> = parts.iter().map(|&(c, part)| (c, word(part))).collect();
            multiply::linear(circuit, width.bits() as usize, *constant, &parts)
        }
        Node::Element(index, items) => {
            let items = items.iter().map(|&item| word(item).to_vec()).collect();
            shift::element(circuit, word(*index), items)
        }
    }
}

fn operation(circuit: &mut Circuit, divisions: &mut Divisions, op: IntOp, a: &[Edge], b: &[Edge]) -> Word {
    let sign = a[a.len() - 1];
    let mut bitwise = |gate: fn(&mut Circuit, Edge, Edge) -> Edge| -> Word {
        a.iter().zip(b).map(|(&a, &b)| gate(circuit, a, b)).collect()
    };
    match op {
        IntOp::And => bitwise(Circuit::and),
        IntOp::Or => bitwise(Circuit::or),
        IntOp::Xor => bitwise(Circuit::xor),
        IntOp::Add => words::add(circuit, a, b, Edge::FALSE).0,
        IntOp::Sub => words::sub(circuit, a, b),
        IntOp::Mul => multiply::product(circuit, a, b),
        IntOp::UDiv => divisions.unsigned(circuit, a, b).quotient,
        IntOp::URem => divisions.unsigned(circuit, a, b).remainder,
        IntOp::SDiv => divisions.signed(circuit, a, b).quotient,
        IntOp::SRem => divisions.signed(circuit, a, b).remainder,
        IntOp::Shl => shift::left(circuit, a, b),
        IntOp::LShr => shift::right(circuit, a, b, Edge::FALSE),
        IntOp::AShr => shift::right(circuit, a, b, sign),
    }
}

fn unary(circuit: &mut Circuit, op: IntUnary, a: &[Edge]) -> Word {
    match op {
        IntUnary::Clz => count::leading_zeros(circuit, a),
        IntUnary::Ctz => count::trailing_zeros(circuit, a),
        IntUnary::Popcount => count::ones(circuit, a),
        IntUnary::Bswap => count::swap_bytes(a),
    }
}

fn comparison(circuit: &mut Circuit, cmp: IntCmp, a: &[Edge], b: &[Edge]) -> Edge {
    match cmp {
        IntCmp::Eq => words::equal(circuit, a, b),
        IntCmp::Ne => !words::equal(circuit, a, b),
        IntCmp::Ult => words::less(circuit, a, b, false),
        IntCmp::Ule => words::less(circuit, a, b, true),
        IntCmp::Slt => words::less_signed(circuit, a, b, false),
        IntCmp::Sle => words::less_signed(circuit, a, b, true),
    }
}

fn guard(circuit: &mut Circuit, guard: Guard, a: &[Edge], b: &[Edge]) -> Edge {
    match guard {
        Guard::AddFits(_) => words::sum_fits(circuit, a, b, Edge::FALSE),
        Guard::SubFits(_) => words::sum_fits(circuit, a, &words::not(b), Edge::TRUE),
        Guard::MulFits(_) => multiply::product_fits(circuit, a, b),
        Guard::NonZero(_) | Guard::AnyBit(_) => circuit.any(b.iter().copied()),
        Guard::QuotientFits(w) => {
            let smallest = words::equal(circuit, a, &words::constant(w, w.min_signed()));
            let minus_one = words::equal(circuit, b, &words::constant(w, w.mask()));
            !circuit.and(smallest, minus_one)
        }
        Guard::ShiftInRange { amount, shifted } => {
            // A limit that the amount cannot reach is no limit.
            if u64::from(shifted.bits()) > amount.mask() {
                return Edge::TRUE;
            }
            let limit = words::constant(amount, u64::from(shifted.bits()));
            words::less(circuit, b, &limit, false)
        }
        Guard::ShlFits(_) => shift::left_fits(circuit, a, b),
        Guard::IndexBelow(_) => words::less(circuit, a, b, false),
        Guard::IndexAtMost(_) => words::less(circuit, a, b, true),
        Guard::FloatFits { from, to, signed } => float::fits(circuit, from, a, to, signed),
    }
}

fn conversion(cast: Cast, a: &[Edge]) -> Word {
    let (to, fill) = match cast {
        Cast::Trunc(_, to) | Cast::ZExt(_, to) => (to, Edge::FALSE),
        Cast::SExt(_, to) => (to, a[a.len() - 1]),
        _ => unreachable!("a model should speak of integers only"),
    };
    a.iter().copied().chain(std::iter::repeat(fill)).take(to.bits() as usize).collect()
}
