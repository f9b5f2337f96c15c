//! Counting bits and swapping bytes.

use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// The number of bits that are set: neighbours are added, then pairs, then fours, as programs do that count bits in
/// words, so that both have the same gates.
pub(crate) fn ones(circuit: &mut Circuit, word: &[Edge]) -> Word {
    let mut counts: Vec<Word> = word.iter().map(|&bit| vec![bit]).collect();
    while counts.len() > 1 {
        counts = counts.chunks(2).map(|pair| add_counts(circuit, pair)).collect();
    }
    let mut count = counts.swap_remove(0);
    count.resize(word.len(), Edge::FALSE);
    count
}

/// The sum of two counts, or the only one, with one bit more.
fn add_counts(circuit: &mut Circuit, counts: &[Word]) -> Word {
    let size = counts[0].len() + 1;
    let mut padded = counts.iter().map(|count| {
        let mut count = count.clone();
        count.resize(size, Edge::FALSE);
        count
    });
    let first = padded.next().unwrap_or_default();
    match padded.next() {
        Some(second) => words::add(circuit, &first, &second, Edge::FALSE).0,
        None => first,
    }
}

/// The number of zeros below the lowest bit that is set; the width if there is none.
///
/// A one is put behind the end, so that there always is one; then the position of the first one in two blocks is
/// that in the first block, or that in the second block behind the first.
pub(crate) fn trailing_zeros(circuit: &mut Circuit, word: &[Edge]) -> Word {
    let size = (word.len() + 1).next_power_of_two();
    let padded = word.iter().copied().chain(std::iter::repeat(Edge::TRUE)).take(size);
    let mut blocks: Vec<(Edge, Word)> = padded.map(|bit| (!bit, Word::new())).collect();
    while blocks.len() > 1 {
        blocks = blocks.chunks(2).map(|pair| join(circuit, &pair[0], &pair[1])).collect();
    }
    let mut count = blocks.swap_remove(0).1;
    count.resize(word.len(), Edge::FALSE);
    count
}

pub(crate) fn leading_zeros(circuit: &mut Circuit, word: &[Edge]) -> Word {
    let reversed: Word = word.iter().rev().copied().collect();
    trailing_zeros(circuit, &reversed)
}

/// The bytes in reverse order, if there are only whole bytes.
pub(crate) fn swap_bytes(word: &[Edge]) -> Word {
    match word.len().is_multiple_of(8) {
        true => word.rchunks(8).flatten().copied().collect(),
        false => word.to_vec(),
    }
}

/// From two blocks of equal size, each with whether it is zero and the position of its first one.
fn join(circuit: &mut Circuit, low: &(Edge, Word), high: &(Edge, Word)) -> (Edge, Word) {
    let empty = circuit.and(low.0, high.0);
    let mut position = words::mux(circuit, low.0, &high.1, &low.1);
    position.push(low.0);
    (empty, position)
}
