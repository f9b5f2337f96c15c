//! Rounding to nearest, ties to even, and putting a float together: the last step of every operation.
//!
//! A magnitude is the exponent field followed by the fraction. The next magnitude is the next float, so rounding up adds
//! one to the whole: a carry out of the fraction goes to the exponent, and out of the largest number to infinity.

use super::exponent::Exponent;
use super::format::Format;
use super::normalize;
use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// A number before it is rounded: the significand with its top bit at 2^exponent, and a little more if `sticky`. The top
/// bit is set, or the number is too small for that in the format and has its least exponent.
pub(crate) struct Unrounded {
    pub sign: Edge,
    pub exponent: Exponent,
    pub significand: Word,
    pub sticky: Edge,
}

/// When the result of an operation is not what the rounding gives. A NaN comes before an infinity, which comes before a
/// zero.
#[derive(Clone, Copy)]
pub(crate) struct Special {
    pub is_nan: Edge,
    pub is_infinite: Edge,
    pub is_zero: Edge,
}

/// The rank of the float next to a number.
pub(crate) fn round(circuit: &mut Circuit, format: Format, number: Unrounded, special: Special) -> Word {
    let biased = number.exponent.shifted(format.bias());
    let (kept, tail) = cut(&number.significand, format.fraction + 2);
    let tail = circuit.any(tail.iter().copied());
    let sticky = circuit.or(number.sticky, tail);
    let (kept, sticky) = denormalized(circuit, &biased, kept, sticky);
    let (guard, significand) = kept.split_first().expect("there is a guard bit");
    let (&hidden, fraction) = significand.split_last().expect("there is a hidden bit");
    // Without a hidden one the number is subnormal, and its field zero.
    let field: Word =
        biased.modulo(circuit, format.exponent).into_iter().map(|bit| circuit.and(bit, hidden)).collect();
    let inexact = circuit.or(sticky, significand[0]);
    let up = circuit.and(*guard, inexact);
    let magnitude = increment(circuit, &[fraction, &field].concat(), up);
    let overflows = biased.at_least(circuit, format.special_field());
    let is_infinite = circuit.or(special.is_infinite, overflows);
    finish(circuit, format, number.sign, &magnitude, Special { is_infinite, ..special })
}

/// The rank of a float with a sign and a magnitude, or of a special one.
pub(crate) fn finish(
    circuit: &mut Circuit,
    format: Format,
    sign: Edge,
    magnitude: &[Edge],
    special: Special,
) -> Word {
    let not_finite = circuit.or(special.is_nan, special.is_infinite);
    // A zero that is infinite, too, is infinite: the exponent says so.
    let not_ordinary = circuit.or(not_finite, special.is_zero);
    let (fraction, field) = magnitude.split_at(format.fraction);
    let mut result: Word = fraction.iter().map(|&bit| circuit.and(bit, !not_ordinary)).collect();
    let quiet = format.fraction - 1;
    result[quiet] = circuit.or(result[quiet], special.is_nan);
    for &bit in field {
        let finite = circuit.and(bit, !special.is_zero);
        result.push(circuit.or(finite, not_finite));
    }
    let sign = circuit.and(sign, !special.is_nan);
    pack(circuit, sign, &result)
}

/// The rank of the float with a sign and a magnitude.
pub(crate) fn pack(circuit: &mut Circuit, sign: Edge, magnitude: &[Edge]) -> Word {
    let mut rank: Word = magnitude.iter().map(|&bit| circuit.xor(bit, sign)).collect();
    rank.push(!sign);
    rank
}

pub(crate) fn increment(circuit: &mut Circuit, word: &[Edge], by: Edge) -> Word {
    words::add(circuit, word, &vec![Edge::FALSE; word.len()], by).0
}

/// The top bits, filled with zeros if there are fewer, and the others.
fn cut(significand: &[Edge], size: usize) -> (Word, &[Edge]) {
    let (tail, top) = significand.split_at(significand.len().saturating_sub(size));
    let zeros = std::iter::repeat_n(Edge::FALSE, size - top.len());
    (zeros.chain(top.iter().copied()).collect(), tail)
}

/// Shifts the significand of a number that is too small to be a normal one.
fn denormalized(circuit: &mut Circuit, biased: &Exponent, significand: Word, sticky: Edge) -> (Word, Edge) {
    let is_small = !biased.at_least(circuit, 1);
    if is_small == Edge::FALSE {
        return (significand, sticky);
    }
    let amount = biased.negated().shifted(1).natural(circuit);
    let amount: Word = amount.into_iter().map(|bit| circuit.and(bit, is_small)).collect();
    let (shifted, lost) = normalize::right(circuit, &significand, &amount);
    (shifted, circuit.or(sticky, lost))
}
