//! Quotients.
//!
//! The dividend is doubled where it is less than the divisor, so that the first bit of the quotient is a one. Then bits
//! follow by subtraction, from the top. To demand `q * d + r = n` of new bits, as with integers, takes as many clauses, but
//! then a quotient of known numbers must be searched for: for `1 / x * x != 1` in `double` of `examples/blast_speed`, that
//! took more than 46,000 conflicts instead of 639.

use super::format::Format;
use super::round::{Special, Unrounded, round};
use super::unpack::{Unpacked, unpack};
use crate::circuit::{Circuit, Edge, Word};
use crate::words;

pub(crate) fn divide(circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge]) -> Word {
    let (a, b) = (unpack(circuit, format, a), unpack(circuit, format, b));
    let ((exponent_a, dividend), (exponent_b, divisor)) = (a.normalized(circuit), b.normalized(circuit));
    let is_less = words::less(circuit, &dividend, &divisor, false);
    let exponent = exponent_a.plus(circuit, &exponent_b.negated(), !is_less).shifted(-1);
    let plain = words::filled(&dividend, dividend.len() + 1);
    let doubled = [&[Edge::FALSE], dividend.as_slice()].concat();
    let dividend = words::mux(circuit, is_less, &doubled, &plain);
    let (significand, sticky) = quotient(circuit, &dividend, &divisor);
    let number = Unrounded { sign: circuit.xor(a.sign, b.sign), exponent, significand, sticky };
    let special = special(circuit, &a, &b);
    round(circuit, format, number, special)
}

/// The leading bits of a quotient between one and two, as many as the dividend has, and whether there is more.
fn quotient(circuit: &mut Circuit, n: &[Edge], d: &[Edge]) -> (Word, Edge) {
    let first = words::sub(circuit, n, &words::filled(d, n.len()));
    let mut remainder = first[..d.len()].to_vec();
    let mut bits = vec![Edge::TRUE];
    while bits.len() < n.len() {
        let bit;
        (remainder, bit) = doubled_modulo(circuit, &remainder, d);
        bits.push(bit);
    }
    bits.reverse();
    (bits, circuit.any(remainder))
}

/// `2 * r` modulo d, where r is less than d, and whether d was subtracted.
pub(crate) fn doubled_modulo(circuit: &mut Circuit, r: &[Edge], d: &[Edge]) -> (Word, Edge) {
    let doubled = [&[Edge::FALSE], r].concat();
    reduced(circuit, &doubled, d)
}

/// `n` modulo d, where n is less than two times d, and whether d was subtracted.
pub(crate) fn reduced(circuit: &mut Circuit, n: &[Edge], d: &[Edge]) -> (Word, Edge) {
    let (difference, fits) = words::add(circuit, n, &words::not(&words::filled(d, n.len())), Edge::TRUE);
    let rest = words::mux(circuit, fits, &difference[..d.len()], &n[..d.len()]);
    (rest, fits)
}

fn special(circuit: &mut Circuit, a: &Unpacked, b: &Unpacked) -> Special {
    let both_infinite = circuit.and(a.is_infinite, b.is_infinite);
    let both_zero = circuit.and(a.is_zero, b.is_zero);
    Special {
        is_nan: circuit.any([a.is_nan, b.is_nan, both_infinite, both_zero]),
        is_infinite: circuit.or(a.is_infinite, b.is_zero),
        is_zero: circuit.or(a.is_zero, b.is_infinite),
    }
}
