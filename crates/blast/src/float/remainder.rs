//! Remainders: C's `fmod`.
//!
//! The significand of the dividend is doubled modulo that of the divisor, as many times as their exponents differ. If these
//! are many, there is no circuit: only what is easily said of the remainder is demanded.

use super::divide::{doubled_modulo, reduced};
use super::exponent::Exponent;
use super::format::Format;
use super::normalize;
use super::round::{Special, Unrounded, finish, round};
use super::unpack::{Unpacked, unpack};
use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// The largest difference of exponents for which there is a circuit.
const MOST_DISTANCE: i64 = 63;

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
    let (computed, is_computed) = by_steps(circuit, format, &a, &b);
    let is_known = circuit.any([special.is_nan, is_less, is_computed]);
    let unknown = less_than(circuit, &b.magnitude, is_known);
    let magnitude = words::mux(circuit, is_computed, &computed, &unknown);
    let magnitude = words::mux(circuit, is_less, &a.magnitude, &magnitude);
    finish(circuit, format, a.sign, &magnitude, special)
}

/// The magnitude of the remainder, and whether it is that, if a is not closer to zero than b.
fn by_steps(circuit: &mut Circuit, format: Format, a: &Unpacked, b: &Unpacked) -> (Word, Edge) {
    let ((exponent_a, dividend), (exponent_b, divisor)) = (a.normalized(circuit), b.normalized(circuit));
    let distance = exponent_a.plus(circuit, &exponent_b.negated(), Edge::FALSE);
    let is_near = !distance.at_least(circuit, MOST_DISTANCE + 1);
    let mut remainder = reduced(circuit, &dividend, &divisor).0;
    for step in 1..=MOST_DISTANCE {
        let is_made = distance.at_least(circuit, step);
        let (next, _) = doubled_modulo(circuit, &remainder, &divisor);
        remainder = words::mux(circuit, is_made, &next, &remainder);
    }
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
