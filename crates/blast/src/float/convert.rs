//! Conversions between formats, and from and to integers.

use super::exponent::Exponent;
use super::format::Format;
use super::normalize;
use super::round::{Special, Unrounded, round};
use super::unpack::unpack;
use crate::circuit::{Circuit, Edge, Word};
use crate::{shift, words};

/// The bits of a float, from its rank, or the rank from the bits but for the sign bit, which is the opposite in both.
pub(crate) fn bits_of_rank(circuit: &mut Circuit, rank: &[Edge]) -> Word {
    let (&top, low) = rank.split_last().expect("a float has bits");
    low.iter().map(|&bit| circuit.equal(bit, top)).chain([!top]).collect()
}

pub(crate) fn rank_of_bits(circuit: &mut Circuit, bits: &[Edge]) -> Word {
    let (&sign, low) = bits.split_last().expect("a float has bits");
    super::round::pack(circuit, sign, low)
}

/// A float in another format, rounded.
pub(crate) fn reformat(circuit: &mut Circuit, from: Format, to: Format, a: &[Edge]) -> Word {
    let a = unpack(circuit, from, a);
    // What is subnormal before is subnormal behind, or nothing: its leading one does not matter.
    let (exponent, significand) = match to.bias() <= from.bias() {
        true => (a.raw_exponent(circuit), a.raw_significand()),
        false => a.normalized(circuit),
    };
    let number = Unrounded { sign: a.sign, exponent, significand, sticky: Edge::FALSE };
    let special = Special { is_nan: a.is_nan, is_infinite: a.is_infinite, is_zero: a.is_zero };
    round(circuit, to, number, special)
}

/// The float next to an integer.
pub(crate) fn from_integer(circuit: &mut Circuit, format: Format, word: &[Edge], signed: bool) -> Word {
    let sign = if signed { word[word.len() - 1] } else { Edge::FALSE };
    let magnitude = words::negate_if(circuit, sign, word);
    let is_zero = !circuit.any(word.iter().copied());
    let (significand, count) = normalize::to_top(circuit, &magnitude, Edge::TRUE);
    let exponent = Exponent::new(count, 0).negated().shifted(word.len() as i64 - 1);
    let number = Unrounded { sign, exponent, significand, sticky: Edge::FALSE };
    let special = Special { is_nan: Edge::FALSE, is_infinite: Edge::FALSE, is_zero };
    round(circuit, format, number, special)
}

/// The integer next to a float in the direction of zero; the last one in its direction if it is too large, and 0 for a
/// NaN.
pub(crate) fn to_integer(
    circuit: &mut Circuit,
    format: Format,
    a: &[Edge],
    size: usize,
    signed: bool,
) -> Word {
    let a = unpack(circuit, format, a);
    // What is subnormal is less than one.
    let exponent = a.plain_exponent();
    let magnitude_size = if signed { size - 1 } else { size };
    let too_large = exponent.at_least(circuit, magnitude_size as i64);
    let too_large = circuit.or(too_large, a.is_infinite);
    let is_zero = !exponent.at_least(circuit, 0);
    let magnitude = integer_part(circuit, &a.raw_significand(), &exponent, magnitude_size);
    let magnitude: Word = magnitude.into_iter().map(|bit| circuit.and(bit, !is_zero)).collect();
    let (value, last) = match signed {
        true => {
            let value = words::negate_if(circuit, a.sign, &words::filled(&magnitude, size));
            let mut last = vec![!a.sign; size - 1];
            last.push(a.sign);
            (value, last)
        }
        false => (magnitude, vec![!a.sign; size]),
    };
    let value = words::mux(circuit, too_large, &last, &value);
    let no_number = if signed { a.is_nan } else { circuit.or(a.is_nan, a.sign) };
    value.into_iter().map(|bit| circuit.and(bit, !no_number)).collect()
}

/// The bits of a significand before the point, if there are no more than `size` and at least one.
fn integer_part(circuit: &mut Circuit, significand: &[Edge], exponent: &Exponent, size: usize) -> Word {
    if size == 0 {
        return Word::new();
    }
    let zeros = vec![Edge::FALSE; size.saturating_sub(significand.len())];
    let top = &significand[significand.len().saturating_sub(size)..];
    let distance = exponent.negated().shifted(size as i64 - 1);
    let bits = (usize::BITS - (size - 1).leading_zeros()) as usize;
    let distance = distance.modulo(circuit, bits);
    shift::right(circuit, &[&zeros, top].concat(), &distance, Edge::FALSE)
}

/// Whether a float, truncated, is an integer of a type.
pub(crate) fn fits(circuit: &mut Circuit, format: Format, a: &[Edge], size: usize, signed: bool) -> Edge {
    let a = unpack(circuit, format, a);
    let limit = |bits: Option<u64>| words::natural(bits.unwrap_or(format.infinity()), a.magnitude.len());
    let power = if signed { size - 1 } else { size };
    let above = limit(power_of_two(format, power));
    let below = limit(if signed { above_power_of_two(format, power) } else { power_of_two(format, 0) });
    let if_positive = words::less(circuit, &a.magnitude, &above, false);
    let if_negative = words::less(circuit, &a.magnitude, &below, false);
    circuit.mux(a.sign, if_negative, if_positive)
}

/// The magnitude of 2^k; none if that is more than all numbers.
fn power_of_two(format: Format, k: usize) -> Option<u64> {
    let field = k as i64 + format.bias();
    (field < format.special_field()).then(|| (field as u64) << format.fraction)
}

/// The least magnitude of a number that is at least 2^k + 1.
fn above_power_of_two(format: Format, k: usize) -> Option<u64> {
    if k == 0 {
        return power_of_two(format, 1);
    }
    // Above the fraction the next float is at least the next integer.
    let unit = 1u64 << format.fraction.saturating_sub(k);
    power_of_two(format, k).map(|power| power + unit)
}
