//! Remainders: C's `fmod`.
//!
//! As long as the quotient has few bits, the significands satisfy `q * b + r = a << d`, where d is the difference of the
//! exponents. For larger quotients there is no circuit: only what is easily said of the remainder is demanded.

use super::divide::demand_quotient;
use super::exponent::Exponent;
use super::format::Format;
use super::normalize;
use super::round::{Special, Unrounded, finish, round};
use super::unpack::{Unpacked, unpack};
use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// The largest difference of exponents for which the quotient has a circuit: a number of six bits.
const MOST_DISTANCE: usize = 63;

/// The remainder of a by b. It is a itself where a is closer to zero than b; else it has the sign of a and is closer to
/// zero than b.
pub(crate) fn remainder(circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge]) -> Word {
    let (a, b) = (unpack(circuit, format, a), unpack(circuit, format, b));
    let special = Special {
        is_nan: circuit.any([a.is_nan, a.is_infinite, b.is_nan, b.is_zero]),
        is_infinite: Edge::FALSE,
        is_zero: Edge::FALSE,
    };
    let is_less = words::less(circuit, &a.magnitude, &b.magnitude, false);
    let (computed, is_computed) = by_quotient(circuit, format, &a, &b);
    let is_known = circuit.any([special.is_nan, is_less, is_computed]);
    let unknown = less_than(circuit, &b.magnitude, is_known);
    let magnitude = words::mux(circuit, is_computed, &computed, &unknown);
    let magnitude = words::mux(circuit, is_less, &a.magnitude, &magnitude);
    finish(circuit, format, a.sign, &magnitude, special)
}

/// The magnitude of the remainder, and whether it is that, if a is not closer to zero than b.
fn by_quotient(circuit: &mut Circuit, format: Format, a: &Unpacked, b: &Unpacked) -> (Word, Edge) {
    let ((exponent_a, dividend), (exponent_b, divisor)) = (a.normalized(circuit), b.normalized(circuit));
    let distance = exponent_a.plus(circuit, &exponent_b.negated(), Edge::FALSE);
    let (from, beyond) =
        (distance.at_least(circuit, 0), distance.at_least(circuit, MOST_DISTANCE as i64 + 1));
    let is_near = circuit.and(from, !beyond);
    let distance = distance.modulo(circuit, (MOST_DISTANCE + 1).ilog2() as usize);
    // What is not near is replaced by zero, so that there always is a quotient.
    let dividend: Word = dividend.into_iter().map(|bit| circuit.and(bit, is_near)).collect();
    let dividend = words::filled(&dividend, dividend.len() + MOST_DISTANCE);
    let dividend = normalize::left(circuit, &dividend, &distance);
    let quotient: Word = (0..=MOST_DISTANCE).map(|_| circuit.input()).collect();
    let remainder = demand_quotient(circuit, &dividend, &divisor, &quotient);
    let is_zero = !circuit.any(remainder.iter().copied());
    let (significand, count) = normalize::to_top(circuit, &remainder, Edge::TRUE);
    let exponent = exponent_b.plus(circuit, &Exponent::new(count, 0).negated(), Edge::FALSE);
    // The remainder is a float: nothing is rounded.
    let number = Unrounded { sign: Edge::FALSE, exponent, significand, sticky: Edge::FALSE };
    let special = Special { is_nan: Edge::FALSE, is_infinite: Edge::FALSE, is_zero };
    let mut magnitude = round(circuit, format, number, special);
    magnitude.pop();
    (magnitude, is_near)
}

/// New bits that are demanded to be less than a number, unless they do not matter.
fn less_than(circuit: &mut Circuit, bound: &[Edge], does_not_matter: Edge) -> Word {
    if does_not_matter == Edge::TRUE {
        return vec![Edge::FALSE; bound.len()];
    }
    let word: Word = bound.iter().map(|_| circuit.input()).collect();
    let fits = words::less(circuit, &word, bound, false);
    circuit.demand_either(fits, does_not_matter);
    word
}
