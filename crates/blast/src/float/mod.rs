//! Floats, bit by bit, by rank (see `quipu_num::rank`), for formats of any size.
//!
//! ```text
//! rank  --unpack-->  sign, exponent, significand  --operation-->  exact number  --round-->  rank
//! ```
//!
//! Comparisons and operations on signs need neither end: ranks are ordered like numbers. A remainder with a large
//! quotient, and the functions of libm, have no circuit: see [`is_exact`].

mod add;
mod compare;
mod convert;
mod divide;
mod exponent;
mod fma;
mod format;
mod integral;
mod known;
mod multiply;
mod normalize;
mod remainder;
mod root;
mod round;
#[cfg(test)]
mod tests;
mod unpack;

use quipu_num::{Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Width};

use self::format::Format;
use self::integral::Direction;
pub(crate) use self::known::demand_common;
use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// Whether the word of a function has its value, or only includes it.
pub(crate) fn is_exact(function: FloatFn) -> bool {
    match function {
        FloatFn::Op(op) => op != FloatOp::Rem,
        FloatFn::Unary(_) | FloatFn::Fma | FloatFn::Compare(_) => true,
        FloatFn::Math(_) => false,
    }
}

/// A function of ranks.
pub(crate) fn function(
    circuit: &mut Circuit,
    function: FloatFn,
    w: FloatWidth,
    operands: &[&[Edge]],
) -> Word {
    apply(circuit, function, Format::of(w), operands)
}

fn apply(circuit: &mut Circuit, function: FloatFn, format: Format, operands: &[&[Edge]]) -> Word {
    match function {
        FloatFn::Op(op) => operation(circuit, op, format, operands[0], operands[1]),
        FloatFn::Unary(op) => unary(circuit, op, format, operands[0]),
        FloatFn::Fma => fma::multiply_add(circuit, format, [operands[0], operands[1], operands[2]]),
        FloatFn::Compare(cmp) => vec![comparison(circuit, cmp, format, operands[0], operands[1])],
        // What a function of libm is, is only found by asking for its values.
        FloatFn::Math(_) => (0..format.size()).map(|_| circuit.input()).collect(),
    }
}

fn operation(circuit: &mut Circuit, op: FloatOp, format: Format, a: &[Edge], b: &[Edge]) -> Word {
    match op {
        FloatOp::Add => add::add(circuit, format, a, b),
        FloatOp::Sub => add::add(circuit, format, a, &words::not(b)),
        FloatOp::Mul => multiply::multiply(circuit, format, a, b),
        FloatOp::Div => divide::divide(circuit, format, a, b),
        FloatOp::Rem => remainder::remainder(circuit, format, a, b),
        FloatOp::Min => compare::minimum(circuit, format, a, b),
        FloatOp::Max => compare::maximum(circuit, format, a, b),
        FloatOp::CopySign => compare::copy_sign(circuit, a, b),
    }
}

fn unary(circuit: &mut Circuit, op: FloatUnary, format: Format, a: &[Edge]) -> Word {
    match (op, Direction::of(op)) {
        (FloatUnary::Neg, _) => words::not(a),
        (FloatUnary::Abs, _) => compare::absolute(circuit, a),
        (_, Some(direction)) => integral::to_integral(circuit, format, direction, a),
        (_, None) => root::square_root(circuit, format, a),
    }
}

fn comparison(circuit: &mut Circuit, cmp: FloatCmp, format: Format, a: &[Edge], b: &[Edge]) -> Edge {
    match cmp {
        FloatCmp::Eq => compare::equal(circuit, format, a, b),
        FloatCmp::Ne => !compare::equal(circuit, format, a, b),
        FloatCmp::Lt => compare::less(circuit, format, a, b, false),
        FloatCmp::Le => compare::less(circuit, format, a, b, true),
    }
}

/// A conversion from or to a float.
pub(crate) fn conversion(circuit: &mut Circuit, cast: Cast, a: &[Edge]) -> Word {
    let size = cast.widths().1.bits() as usize;
    match cast {
        Cast::FloatToSigned(w, _) => convert::to_integer(circuit, Format::of(w), a, size, true),
        Cast::FloatToUnsigned(w, _) => convert::to_integer(circuit, Format::of(w), a, size, false),
        Cast::SignedToFloat(_, w) => convert::from_integer(circuit, Format::of(w), a, true),
        Cast::UnsignedToFloat(_, w) => convert::from_integer(circuit, Format::of(w), a, false),
        Cast::Widen => convert::reformat(circuit, Format::FLOAT, Format::DOUBLE, a),
        Cast::Narrow => convert::reformat(circuit, Format::DOUBLE, Format::FLOAT, a),
        Cast::FloatBits(_) => convert::bits_of_rank(circuit, a),
        Cast::BitsFloat(_) => convert::rank_of_bits(circuit, a),
        Cast::Trunc(..) | Cast::ZExt(..) | Cast::SExt(..) => unreachable!("a conversion of integers"),
    }
}

/// Whether a float, truncated, is an integer of a type.
pub(crate) fn fits(circuit: &mut Circuit, from: FloatWidth, a: &[Edge], to: Width, signed: bool) -> Edge {
    convert::fits(circuit, Format::of(from), a, to.bits() as usize, signed)
}
