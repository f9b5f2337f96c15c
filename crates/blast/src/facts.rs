//! What is known of a word before it is used: constant bits, copies of the sign, and an arc that it lies on.
//!
//! A known bit replaces the computed one for everybody who reads the word, so that their gates fold away; that the
//! computed bit is the known one is demanded. The demand must stay: the fact may follow from a constraint that
//! becomes trivial once the fact is used.

use quipu_domain::{Domain, Interval};
use quipu_num::Width;

use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// New bits for a value in the domain.
pub(crate) fn inputs(circuit: &mut Circuit, width: Width, domain: Domain) -> Word {
    let mut word = Word::new();
    for i in 0..width.bits() as usize {
        let bit = known_bit(width, domain, i, &word).unwrap_or_else(|| circuit.input());
        word.push(bit);
    }
    demand_on_arc(circuit, width, &word, domain.interval());
    word
}

/// The word with the bits that the domain knows put in, and demands that it has them. That it lies on the arc follows
/// from what the domain was found by; to demand it too would make gates that nobody needs.
pub(crate) fn narrowed(circuit: &mut Circuit, width: Width, word: &[Edge], domain: Domain) -> Word {
    let mut narrowed = Word::new();
    for (i, &bit) in word.iter().enumerate() {
        let new = known_bit(width, domain, i, &narrowed).unwrap_or(bit);
        let same = circuit.equal(bit, new);
        circuit.demand(same);
        narrowed.push(new);
    }
    narrowed
}

/// Demands that a word lies on an arc.
pub(crate) fn demand_on_arc(circuit: &mut Circuit, width: Width, word: &[Edge], arc: Interval) {
    let is_there = on_arc(circuit, width, word, arc);
    circuit.demand(is_there);
}

/// Whether a word lies on an arc. Only an arc that is interrupted in both orders needs a disjunction.
pub(crate) fn on_arc(circuit: &mut Circuit, width: Width, word: &[Edge], arc: Interval) -> Edge {
    if arc.is_full(width) {
        return Edge::TRUE;
    }
    let (first, last) = (words::constant(width, arc.lo()), words::constant(width, arc.hi()));
    let (from, to) = if arc.lo() > arc.hi() && width.signed(arc.lo()) <= width.signed(arc.hi()) {
        let from = words::less_signed(circuit, &first, word, true);
        (from, words::less_signed(circuit, word, &last, true))
    } else {
        let from = words::less(circuit, &first, word, true);
        (from, words::less(circuit, word, &last, true))
    };
    if arc.lo() <= arc.hi() || width.signed(arc.lo()) <= width.signed(arc.hi()) {
        circuit.and(from, to)
    } else {
        circuit.or(from, to)
    }
}

/// The number of low bits of which all values on an arc are sign extensions.
fn signed_size(width: Width, arc: Interval) -> usize {
    let (first, last) = (width.signed(arc.lo()), width.signed(arc.hi()));
    let size = |value: i64| (65 - (value ^ (value >> 63)).leading_zeros()) as usize;
    let bits = width.bits() as usize;
    if first <= last { size(first).max(size(last)).min(bits) } else { bits }
}

/// What the domain says about a bit, given the bits below it.
fn known_bit(width: Width, domain: Domain, i: usize, below: &[Edge]) -> Option<Edge> {
    let known = domain.bits();
    let size = signed_size(width, domain.interval());
    if (known.zeros | known.ones) >> i & 1 == 1 {
        Some(Edge::constant(known.ones >> i & 1 == 1))
    } else {
        (i >= size).then(|| below[size - 1])
    }
}
