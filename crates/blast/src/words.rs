//! Numbers as words of edges: constants, addition, comparison, and when a sum fits.
//!
//! All of them are chains of full adders from the least significant bit on. A comparison is the carry chain of the
//! difference, so `a - b`, `a < b` and "the difference fits" share their gates.

use quipu_num::Width;

use crate::circuit::{Circuit, Edge, Word};
use crate::columns::full_adder;

pub(crate) fn constant(width: Width, bits: u64) -> Word {
    (0..width.bits()).map(|i| Edge::constant(bits >> i & 1 == 1)).collect()
}

/// The low bits of a number.
pub(crate) fn natural(number: u64, size: usize) -> Word {
    (0..size).map(|i| Edge::constant(number.unbounded_shr(i as u32) & 1 == 1)).collect()
}

/// The low bits of a word, with zeros at the top.
pub(crate) fn filled(word: &[Edge], size: usize) -> Word {
    word.iter().copied().chain(std::iter::repeat(Edge::FALSE)).take(size).collect()
}

/// The number that a word is, if all its edges are constant.
pub(crate) fn as_constant(word: &[Edge]) -> Option<u64> {
    let bit = |(i, &edge): (usize, &Edge)| edge.is_constant().then(|| u64::from(edge == Edge::TRUE) << i);
    word.iter().enumerate().map(bit).sum()
}

pub(crate) fn not(word: &[Edge]) -> Word {
    word.iter().map(|&edge| !edge).collect()
}

/// `a + b + carry`, and the carry out.
pub(crate) fn add(circuit: &mut Circuit, a: &[Edge], b: &[Edge], carry: Edge) -> (Word, Edge) {
    let mut carry = carry;
    let mut sum = Word::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let (bit, out) = full_adder(circuit, a, b, carry);
        sum.push(bit);
        carry = out;
    }
    (sum, carry)
}

pub(crate) fn sub(circuit: &mut Circuit, a: &[Edge], b: &[Edge]) -> Word {
    add(circuit, a, &not(b), Edge::TRUE).0
}

/// The word, or its two's complement where `negate` is true.
pub(crate) fn negate_if(circuit: &mut Circuit, negate: Edge, word: &[Edge]) -> Word {
    let flipped: Word = word.iter().map(|&edge| circuit.xor(edge, negate)).collect();
    let zero = vec![Edge::FALSE; word.len()];
    add(circuit, &flipped, &zero, negate).0
}

pub(crate) fn mux(circuit: &mut Circuit, condition: Edge, a: &[Edge], b: &[Edge]) -> Word {
    a.iter().zip(b).map(|(&a, &b)| circuit.mux(condition, a, b)).collect()
}

pub(crate) fn equal(circuit: &mut Circuit, a: &[Edge], b: &[Edge]) -> Edge {
    let bits = a.iter().zip(b).map(|(&a, &b)| circuit.equal(a, b)).collect();
    circuit.all(bits)
}

/// `a < b`, or `a <= b` if `or_equal` is true, as unsigned numbers.
pub(crate) fn less(circuit: &mut Circuit, a: &[Edge], b: &[Edge], or_equal: bool) -> Edge {
    let start = Edge::constant(or_equal);
    a.iter().zip(b).fold(start, |less, (&a, &b)| circuit.majority(!a, b, less))
}

/// The same as signed numbers: with the sign bits inverted, the order is the unsigned one.
pub(crate) fn less_signed(circuit: &mut Circuit, a: &[Edge], b: &[Edge], or_equal: bool) -> Edge {
    let (&sign_a, low_a) = a.split_last().expect("a word has at least one bit");
    let (&sign_b, low_b) = b.split_last().expect("a word has at least one bit");
    let low = less(circuit, low_a, low_b, or_equal);
    circuit.majority(sign_a, !sign_b, low)
}

/// Whether the signed sum `a + b + carry` is representable: with a carry into the sign position one of the signs must
/// be set, without one not both.
pub(crate) fn sum_fits(circuit: &mut Circuit, a: &[Edge], b: &[Edge], carry: Edge) -> Edge {
    let (&sign_a, low_a) = a.split_last().expect("a word has at least one bit");
    let (&sign_b, low_b) = b.split_last().expect("a word has at least one bit");
    let carry = low_a.iter().zip(low_b).fold(carry, |carry, (&a, &b)| circuit.majority(a, b, carry));
    let (one, both) = (circuit.or(sign_a, sign_b), circuit.and(sign_a, sign_b));
    circuit.mux(carry, one, !both)
}

/// For every position, whether a bit there or above is set.
pub(crate) fn set_from(circuit: &mut Circuit, word: &[Edge]) -> Word {
    let mut seen = Edge::FALSE;
    let mut result: Word = word
        .iter()
        .rev()
        .map(|&bit| {
            seen = circuit.or(seen, bit);
            seen
        })
        .collect();
    result.reverse();
    result
}

/// How many low bits are left when the zeros at the top are cut off.
pub(crate) fn significant(word: &[Edge]) -> usize {
    word.iter().rposition(|&edge| edge != Edge::FALSE).map_or(0, |top| top + 1)
}

/// How many low bits are left when copies of the sign at the top are cut off.
pub(crate) fn significant_signed(word: &[Edge]) -> usize {
    let sign = word.last();
    word.iter().rposition(|edge| Some(edge) != sign).map_or(1, |top| top + 2).min(word.len())
}
