//! Square roots, bit by bit from the top.

use super::exponent::Exponent;
use super::format::Format;
use super::round::{Special, Unrounded, round};
use super::unpack::unpack;
use crate::circuit::{Circuit, Edge, Word};
use crate::words;

pub(crate) fn square_root(circuit: &mut Circuit, format: Format, a: &[Edge]) -> Word {
    let a = unpack(circuit, format, a);
    let (exponent, significand) = a.normalized(circuit);
    let (exponent, is_odd) = halved(circuit, exponent);
    let plain = words::filled(&significand, significand.len() + 1);
    let doubled = [&[Edge::FALSE], significand.as_slice()].concat();
    let radicand = words::mux(circuit, is_odd, &doubled, &plain);
    let (significand, sticky) = root(circuit, &radicand);
    let number = Unrounded { sign: a.sign, exponent, significand, sticky };
    let is_negative = circuit.and(a.sign, !a.is_zero);
    let special =
        Special { is_nan: circuit.or(a.is_nan, is_negative), is_infinite: a.is_infinite, is_zero: a.is_zero };
    round(circuit, format, number, special)
}

/// Half of an exponent, rounded down, and whether it is odd.
fn halved(circuit: &mut Circuit, exponent: Exponent) -> (Exponent, Edge) {
    let even = match exponent.offset % 2 {
        0 => exponent,
        _ => exponent.plus(circuit, &Exponent::new(Word::new(), -1), Edge::TRUE),
    };
    (Exponent::new(even.word[1..].to_vec(), even.offset / 2), even.word[0])
}

/// The leading bits of a root, as many as the radicand has, and whether there is more.
///
/// With a root q of the bits used so far and a remainder r, to which the next two bits are appended, the next bit of the
/// root is whether r is at least `4 * q + 1`, which then is subtracted. As the radicand has one of its first two bits set,
/// the first bit of the root is a one.
fn root(circuit: &mut Circuit, radicand: &[Edge]) -> (Word, Edge) {
    let mut rest = [&vec![Edge::FALSE; radicand.len()], radicand].concat();
    let (mut root, mut remainder) = (Word::new(), Word::new());
    while root.len() < radicand.len() {
        let next = rest.split_off(rest.len() - 2);
        // At most twice the root is left, so that one bit more than it has is enough.
        let extended = words::filled(&[next, remainder].concat(), root.len() + 3);
        let tried = words::filled(&[&[Edge::TRUE, Edge::FALSE], root.as_slice()].concat(), extended.len());
        let (difference, fits) = words::add(circuit, &extended, &words::not(&tried), Edge::TRUE);
        let is_first = root.is_empty();
        let bit = if is_first { Edge::TRUE } else { fits };
        remainder = words::mux(circuit, bit, &difference, &extended);
        root.insert(0, bit);
    }
    (root, circuit.any(remainder))
}
