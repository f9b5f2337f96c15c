//! Sets of small numbers, one bit each.

use serde::{Deserialize, Serialize};

/// A set of numbers below a bound that is fixed when it is made.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> BitSet {
        BitSet { words: vec![0; bound.div_ceil(64)] }
    }

    /// A number that all members are below.
    pub fn bound(&self) -> usize {
        64 * self.words.len()
    }

    /// Whether the number is in the set.
    #[inline]
    pub fn contains(&self, n: usize) -> bool {
        self.words[n / 64] >> (n % 64) & 1 != 0
    }

    /// Adds a number; whether it is new.
    #[inline]
    pub fn insert(&mut self, n: usize) -> bool {
        let (word, bit) = (&mut self.words[n / 64], 1 << (n % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Takes a number out.
    pub fn remove(&mut self, n: usize) {
        self.words[n / 64] &= !(1 << (n % 64));
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let lowest = |word: u64| (word != 0).then_some(word);
        let bits =
            move |word: u64| std::iter::successors(lowest(word), move |word| lowest(word & (word - 1)));
        let members = move |(n, &word): (usize, &u64)| {
            bits(word).map(move |rest: u64| n * 64 + rest.trailing_zeros() as usize)
        };
        self.words.iter().enumerate().flat_map(members)
    }

    /// Whether all members are in the other set too.
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// The number of members that are in the other set too.
    pub fn common(&self, other: &BitSet) -> usize {
        self.words.iter().zip(&other.words).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Adds the members of the other set.
    pub fn union_with(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }

    /// Takes out the members of the other set.
    pub fn subtract(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= !b);
    }
}
