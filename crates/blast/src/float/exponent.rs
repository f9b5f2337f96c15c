//! Exponents: signed numbers as natural numbers with a constant offset.
//!
//! Adding a constant only moves the offset, and changing the sign only inverts bits. So no exponent needs a sign bit or
//! can overflow, and constants are added once, at the end.

use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// The number `word + offset`, where the word is a natural number.
#[derive(Clone)]
pub(crate) struct Exponent {
    pub word: Word,
    pub offset: i64,
}

impl Exponent {
    pub fn new(word: Word, offset: i64) -> Exponent {
        Exponent { word, offset }
    }

    fn greatest(&self) -> i64 {
        self.offset + span(self.word.len())
    }

    /// The sum with a constant.
    pub fn shifted(mut self, by: i64) -> Exponent {
        self.offset += by;
        self
    }

    pub fn negated(&self) -> Exponent {
        Exponent { word: words::not(&self.word), offset: -self.greatest() }
    }

    /// The sum of two numbers and a bit.
    pub fn plus(&self, circuit: &mut Circuit, other: &Exponent, carry: Edge) -> Exponent {
        let size = self.word.len().max(other.word.len()) + 1;
        let (a, b) = (words::filled(&self.word, size), words::filled(&other.word, size));
        Exponent { word: words::add(circuit, &a, &b, carry).0, offset: self.offset + other.offset }
    }

    pub fn at_least(&self, circuit: &mut Circuit, bound: i64) -> Edge {
        if bound <= self.offset {
            return Edge::TRUE;
        }
        if bound > self.greatest() {
            return Edge::FALSE;
        }
        let bound = words::natural((bound - self.offset) as u64, self.word.len());
        words::less(circuit, &bound, &self.word, true)
    }

    /// The number modulo 2^size.
    pub fn modulo(&self, circuit: &mut Circuit, size: usize) -> Word {
        let word = words::filled(&self.word, size);
        let offset = words::natural(self.offset as u64, size);
        words::add(circuit, &word, &offset, Edge::FALSE).0
    }

    /// The number as a word that is large enough for it, if it is not negative.
    pub fn natural(&self, circuit: &mut Circuit) -> Word {
        let greatest = self.greatest().max(1).unsigned_abs();
        self.modulo(circuit, (u64::BITS - greatest.leading_zeros()) as usize)
    }

    /// Both with the same offset and size.
    pub fn aligned(circuit: &mut Circuit, a: &Exponent, b: &Exponent) -> (Exponent, Exponent) {
        let offset = a.offset.min(b.offset);
        let mut words = [a, b].map(|x| x.clone().shifted(-offset).natural(circuit));
        let size = words.iter().map(Vec::len).max().unwrap_or_default();
        words.iter_mut().for_each(|word| word.resize(size, Edge::FALSE));
        let [a, b] = words.map(|word| Exponent { word, offset });
        (a, b)
    }
}

/// The largest natural number of a size.
fn span(size: usize) -> i64 {
    (1 << size) - 1
}
