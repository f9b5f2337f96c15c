//! Products.

use super::format::Format;
use super::round::{Special, Unrounded, round};
use super::unpack::{Unpacked, unpack};
use crate::circuit::{Circuit, Edge, Word};
use crate::{multiply, words};

pub(crate) fn multiply(circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge]) -> Word {
    let (a, b) = (unpack(circuit, format, a), unpack(circuit, format, b));
    // A product has twice as many bits as the significands. Those that can be no more than sticky are not moved.
    let number = product(circuit, &a, &b, format.fraction - 1);
    let special = special(circuit, &a, &b);
    round(circuit, format, number, special)
}

/// The product of two floats, if both are numbers and not zero, without some low bits.
pub(crate) fn product(circuit: &mut Circuit, a: &Unpacked, b: &Unpacked, dropped: usize) -> Unrounded {
    let (exponent_a, significand_a) = a.normalized(circuit);
    let (exponent_b, significand_b) = b.normalized(circuit);
    let product = multiply::natural_product(circuit, &significand_a, &significand_b);
    let (low, product) = product.split_at(dropped);
    // One of the first two bits is set.
    let (&top, rest) = product.split_last().expect("a product has bits");
    let moved = [&[Edge::FALSE], rest].concat();
    Unrounded {
        sign: circuit.xor(a.sign, b.sign),
        exponent: exponent_a.plus(circuit, &exponent_b, top),
        significand: words::mux(circuit, top, product, &moved),
        sticky: circuit.any(low.iter().copied()),
    }
}

fn special(circuit: &mut Circuit, a: &Unpacked, b: &Unpacked) -> Special {
    let is_zero = circuit.or(a.is_zero, b.is_zero);
    let is_infinite = circuit.or(a.is_infinite, b.is_infinite);
    let undefined = circuit.and(is_zero, is_infinite);
    Special { is_nan: circuit.any([a.is_nan, b.is_nan, undefined]), is_infinite, is_zero }
}
