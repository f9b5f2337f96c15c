//! Sums.
//!
//! The smaller operand is shifted to the exponent of the larger one, with three more bits: two that are exact and one
//! that says whether there is more. If the operands are so far apart that bits are lost, the sum loses at most one
//! leading bit, so these suffice to round it. A sum that is subnormal is exact, because its operands have no bits below
//! it; so it is shifted to the left as far as its exponent allows, and never back.

use super::exponent::Exponent;
use super::format::Format;
use super::normalize;
use super::round::{Special, Unrounded, round};
use super::unpack::{Unpacked, unpack};
use crate::circuit::{Circuit, Edge, Word};
use crate::{count, words};

/// Bits of a sum below the operands.
const EXTRA: usize = 3;

pub(crate) fn add(circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge]) -> Word {
    // In one order, so that `a + b` is `b + a`.
    let (a, b) = (unpack(circuit, format, a.min(b)), unpack(circuit, format, a.max(b)));
    let is_swapped = words::less(circuit, &a.magnitude, &b.magnitude, false);
    let field = |circuit: &mut Circuit| {
        let (a, b) = (a.raw_field(circuit), b.raw_field(circuit));
        in_order(circuit, is_swapped, &a, &b)
    };
    let (large_field, small_field) = field(circuit);
    let (large, small) = in_order(circuit, is_swapped, &a.raw_significand(), &b.raw_significand());
    let distance = words::sub(circuit, &large_field, &small_field);
    let subtracts = circuit.xor(a.sign, b.sign);
    let sum = aligned_sum(circuit, &large, &small, &distance, subtracts);
    let zeros = count::leading_zeros(circuit, &sum);
    let shift = minimum(circuit, &zeros, &large_field);
    let sum = normalize::left(circuit, &sum, &shift);
    let is_nothing = !circuit.any(sum.iter().copied());
    let exponent = words::sub(circuit, &large_field, &words::filled(&shift, format.exponent));
    let number = Unrounded {
        sign: sign(circuit, &a, &b, is_swapped, is_nothing),
        // The top bit of the sum is a carry.
        exponent: Exponent::new(exponent, 1 - format.bias()),
        significand: sum,
        sticky: Edge::FALSE,
    };
    let special = special(circuit, &a, &b, is_nothing);
    round(circuit, format, number, special)
}

/// The sum or difference of two significands of one size, the second shifted to the right. Its top bit is the carry,
/// and its lowest says whether there is more.
pub(crate) fn aligned_sum(
    circuit: &mut Circuit,
    large: &[Edge],
    small: &[Edge],
    distance: &[Edge],
    subtracts: Edge,
) -> Word {
    let extended = |word: &[Edge], extra: usize| [&vec![Edge::FALSE; extra], word].concat();
    let (mut shifted, lost) = normalize::right(circuit, &extended(small, EXTRA - 1), distance);
    shifted.insert(0, lost);
    let term: Word = shifted.into_iter().map(|bit| circuit.xor(bit, subtracts)).collect();
    let (mut sum, carry) = words::add(circuit, &extended(large, EXTRA), &term, subtracts);
    sum.push(circuit.and(carry, !subtracts));
    sum
}

/// The larger and the smaller one.
pub(crate) fn in_order(circuit: &mut Circuit, is_swapped: Edge, a: &[Edge], b: &[Edge]) -> (Word, Word) {
    (words::mux(circuit, is_swapped, b, a), words::mux(circuit, is_swapped, a, b))
}

/// Zeros of different signs, and opposite numbers, make +0.0.
fn sign(circuit: &mut Circuit, a: &Unpacked, b: &Unpacked, is_swapped: Edge, is_nothing: Edge) -> Edge {
    let of_large = circuit.mux(is_swapped, b.sign, a.sign);
    let of_both = circuit.and(a.sign, b.sign);
    circuit.mux(is_nothing, of_both, of_large)
}

fn special(circuit: &mut Circuit, a: &Unpacked, b: &Unpacked, is_zero: Edge) -> Special {
    let opposite = circuit.xor(a.sign, b.sign);
    let both_infinite = circuit.and(a.is_infinite, b.is_infinite);
    let contradictory = circuit.and(both_infinite, opposite);
    Special {
        is_nan: circuit.any([a.is_nan, b.is_nan, contradictory]),
        is_infinite: circuit.or(a.is_infinite, b.is_infinite),
        is_zero,
    }
}

/// The smaller of two natural numbers, in as many bits as it needs.
fn minimum(circuit: &mut Circuit, a: &[Edge], b: &[Edge]) -> Word {
    let size = words::significant(a).max(words::significant(b));
    let kept = words::significant(a).min(words::significant(b));
    let (a, b) = (words::filled(a, size), words::filled(b, size));
    let is_less = words::less(circuit, &a, &b, false);
    words::mux(circuit, is_less, &a[..kept], &b[..kept])
}
