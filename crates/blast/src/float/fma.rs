//! Products and a sum, rounded once.
//!
//! The product is exact. Then it is a sum of two significands of the size of the product, which is normalized in full
//! because the product may lie far below the least float.

use super::add::{aligned_sum, in_order};
use super::exponent::Exponent;
use super::format::Format;
use super::round::{Special, Unrounded, round};
use super::unpack::{Unpacked, unpack};
use super::{multiply, normalize};
use crate::circuit::{Circuit, Edge, Word};
use crate::words;

pub(crate) fn multiply_add(circuit: &mut Circuit, format: Format, [a, b, c]: [&[Edge]; 3]) -> Word {
    let (a, b, c) = (unpack(circuit, format, a), unpack(circuit, format, b), unpack(circuit, format, c));
    let product = multiply::product(circuit, &a, &b, 0);
    let no_product = circuit.or(a.is_zero, b.is_zero);
    let summand = extended(circuit, &c, product.significand.len());
    let (number, is_zero) = sum(circuit, &product, no_product, &summand, c.is_zero);
    // An infinite product or summand decides the sign.
    let infinite_product = circuit.or(a.is_infinite, b.is_infinite);
    let sign = circuit.mux(infinite_product, product.sign, number.sign);
    let sign = circuit.mux(c.is_infinite, c.sign, sign);
    let undefined = circuit.and(no_product, infinite_product);
    let opposite = circuit.xor(product.sign, c.sign);
    let contradictory = circuit.all(vec![infinite_product, c.is_infinite, opposite]);
    let special = Special {
        is_nan: circuit.any([a.is_nan, b.is_nan, c.is_nan, undefined, contradictory]),
        is_infinite: circuit.or(infinite_product, c.is_infinite),
        is_zero,
    };
    round(circuit, format, Unrounded { sign, ..number }, special)
}

/// The summand with a significand of the size of a product.
fn extended(circuit: &mut Circuit, c: &Unpacked, size: usize) -> Unrounded {
    let (exponent, significand) = c.normalized(circuit);
    let zeros = vec![Edge::FALSE; size - significand.len()];
    Unrounded { sign: c.sign, exponent, significand: [zeros, significand].concat(), sticky: Edge::FALSE }
}

/// The sum of two numbers, each of which may be zero instead, and whether it is zero.
fn sum(circuit: &mut Circuit, a: &Unrounded, no_a: Edge, b: &Unrounded, no_b: Edge) -> (Unrounded, Edge) {
    let (exponent_a, exponent_b) = Exponent::aligned(circuit, &a.exponent, &b.exponent);
    let key =
        |number: &Unrounded, exponent: &Exponent| [number.significand.as_slice(), &exponent.word].concat();
    let is_less = words::less(circuit, &key(a, &exponent_a), &key(b, &exponent_b), false);
    let b_counts = circuit.and(is_less, !no_b);
    let is_swapped = circuit.or(no_a, b_counts);
    let (large_exponent, small_exponent) = in_order(circuit, is_swapped, &exponent_a.word, &exponent_b.word);
    let significand = |circuit: &mut Circuit, number: &Unrounded, no: Edge| -> Word {
        number.significand.iter().map(|&bit| circuit.and(bit, !no)).collect()
    };
    let (a_bits, b_bits) = (significand(circuit, a, no_a), significand(circuit, b, no_b));
    let (large, small) = in_order(circuit, is_swapped, &a_bits, &b_bits);
    let distance = words::sub(circuit, &large_exponent, &small_exponent);
    let subtracts = circuit.xor(a.sign, b.sign);
    let sum = aligned_sum(circuit, &large, &small, &distance, subtracts);
    let is_nothing = !circuit.any(sum.iter().copied());
    let (significand, count) = normalize::to_top(circuit, &sum, Edge::TRUE);
    let of_large = circuit.mux(is_swapped, b.sign, a.sign);
    let of_both = circuit.and(a.sign, b.sign);
    // The top bit of the sum is a carry.
    let exponent = Exponent::new(large_exponent, exponent_a.offset + 1);
    let exponent = exponent.plus(circuit, &Exponent::new(count, 0).negated(), Edge::FALSE);
    let sign = circuit.mux(is_nothing, of_both, of_large);
    (Unrounded { sign, exponent, significand, sticky: Edge::FALSE }, is_nothing)
}
