//! Definitions that wait to be looked at, by tier.

use std::collections::VecDeque;

use quipu_base::IdVec;
use quipu_model::Term;

use crate::definition::N_TIERS;

#[derive(Default)]
pub struct Queue {
    tiers: [VecDeque<Term>; N_TIERS],
    waiting: IdVec<Term, bool>,
}

impl Queue {
    /// Makes room for the next term.
    pub fn push_term(&mut self) {
        self.waiting.push(false);
    }

    #[inline]
    pub fn add(&mut self, term: Term, tier: usize) {
        if !self.waiting[term] {
            self.waiting[term] = true;
            self.tiers[tier].push_back(term);
        }
    }

    /// The next definition of the first tier that has one.
    #[inline]
    pub fn next(&mut self) -> Option<Term> {
        let term = self.tiers.iter_mut().find_map(VecDeque::pop_front)?;
        self.waiting[term] = false;
        Some(term)
    }

    pub fn clear(&mut self) {
        self.retain(|_| false);
    }

    /// Drops the definitions that `keep` does not name.
    pub fn retain(&mut self, keep: impl Fn(Term) -> bool) {
        for tier in &mut self.tiers {
            tier.retain(|&term| {
                self.waiting[term] = keep(term);
                self.waiting[term]
            });
        }
    }
}
