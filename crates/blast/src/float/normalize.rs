//! Shifts that align significands: to the right with a note of what is lost, to the left until the top bit is set.

use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// `word >> amount`, and whether a bit that was set is lost.
pub(crate) fn right(circuit: &mut Circuit, word: &[Edge], amount: &[Edge]) -> (Word, Edge) {
    let (near, far) = amount.split_at(stages(word.len()).min(amount.len()));
    let far = circuit.any(far.iter().copied());
    let distances = (0..near.len()).map(|stage| 1 << stage).chain([word.len()]);
    let mut word = word.to_vec();
    let mut lost = Edge::FALSE;
    for (distance, &bit) in distances.zip(near.iter().chain([&far])) {
        let below = circuit.any(word[..distance].iter().copied());
        let loses = circuit.and(bit, below);
        lost = circuit.or(lost, loses);
        let moved = words::filled(&word[distance..], word.len());
        word = words::mux(circuit, bit, &moved, &word);
    }
    (word, lost)
}

/// `word << amount`; an amount of the size or more has any result.
pub(crate) fn left(circuit: &mut Circuit, word: &[Edge], amount: &[Edge]) -> Word {
    let mut word = word.to_vec();
    for (stage, &bit) in amount.iter().enumerate().take(stages(word.len())) {
        word = words::mux(circuit, bit, &moved_left(&word, 1 << stage), &word);
    }
    word
}

/// The word, shifted left until its top bit is set, and by how much. Without `enabled` it is not shifted; a word that is
/// zero is said to be shifted by any amount.
pub(crate) fn to_top(circuit: &mut Circuit, word: &[Edge], enabled: Edge) -> (Word, Word) {
    let mut word = word.to_vec();
    let mut count = Word::new();
    for stage in (0..stages(word.len())).rev() {
        let distance = 1 << stage;
        let top = word[word.len() - distance..].iter().copied();
        let occupied = circuit.any(top);
        let moves = circuit.and(enabled, !occupied);
        word = words::mux(circuit, moves, &moved_left(&word, distance), &word);
        count.push(moves);
    }
    count.reverse();
    (word, count)
}

/// The bits of a distance that is less than a size.
fn stages(size: usize) -> usize {
    (usize::BITS - (size - 1).leading_zeros()) as usize
}

fn moved_left(word: &[Edge], distance: usize) -> Word {
    let zeros = std::iter::repeat_n(Edge::FALSE, distance);
    zeros.chain(word.iter().copied()).take(word.len()).collect()
}
