//! Shifts and choices by a number: one layer of choices for every bit of the amount or the index.

use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// `word << amount`, zero for an amount of the width or more.
pub(crate) fn left(circuit: &mut Circuit, word: &[Edge], amount: &[Edge]) -> Word {
    let reversed: Word = word.iter().rev().copied().collect();
    let mut shifted = right(circuit, &reversed, amount, Edge::FALSE);
    shifted.reverse();
    shifted
}

/// `word >> amount`, with `fill` from the top, and nothing but that for an amount of the width or more.
pub(crate) fn right(circuit: &mut Circuit, word: &[Edge], amount: &[Edge], fill: Edge) -> Word {
    let (near, far) = split_amount(circuit, word.len(), amount);
    let mut word = word.to_vec();
    for (stage, &bit) in near.iter().enumerate() {
        let distance = 1 << stage;
        let moved = |i: usize| word.get(i + distance).copied().unwrap_or(fill);
        word = (0..word.len()).map(|i| circuit.mux(bit, moved(i), word[i])).collect();
    }
    word.iter().map(|&bit| circuit.mux(far, fill, bit)).collect()
}

/// The item at a position; zeros behind the end.
pub(crate) fn element(circuit: &mut Circuit, index: &[Edge], mut items: Vec<Word>) -> Word {
    let (near, far) = split_amount(circuit, items.len(), index);
    let zero = vec![Edge::FALSE; items[0].len()];
    for &bit in near {
        let pairs = items.chunks(2);
        items = pairs.map(|pair| words::mux(circuit, bit, pair.get(1).unwrap_or(&zero), &pair[0])).collect();
    }
    items[0].iter().map(|&bit| circuit.and(bit, !far)).collect()
}

/// Whether a signed left shift is defined: the amount is less than the width, and no bit that is set reaches the
/// sign position.
pub(crate) fn left_fits(circuit: &mut Circuit, word: &[Edge], amount: &[Edge]) -> Edge {
    let mut lost = words::set_from(circuit, word);
    lost.reverse();
    let kept: Vec<Word> = lost.iter().map(|&bit| vec![!bit]).collect();
    element(circuit, amount, kept)[0]
}

/// The bits of an amount that matter below a limit, and whether one of the others is set.
fn split_amount<'a>(circuit: &mut Circuit, limit: usize, amount: &'a [Edge]) -> (&'a [Edge], Edge) {
    let stages = (usize::BITS - (limit - 1).leading_zeros()) as usize;
    let (near, far) = amount.split_at(stages.min(amount.len()));
    let far = circuit.any(far.iter().copied());
    (near, far)
}
