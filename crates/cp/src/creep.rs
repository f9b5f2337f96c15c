//! Creeping floats: two definitions may take turns in narrowing each other by a few values of many.
//!
//! `x < y` and `y < x + 1` end after as many turns as there are floats. So a float that has lost a small part of its
//! values several times since propagation began is narrowed without waking those that depend on it; they are woken by the
//! next large loss, and always by the last. Propagation then ends before its fixpoint, and halving the domain takes over.
//! Nothing is lost: when all values are fixed, every definition has been looked at with them.

use quipu_base::IdVec;
use quipu_domain::Domain;
use quipu_model::Term;
use quipu_num::Width;

/// Small losses that a term may have until its users sleep on.
const MOST_SMALL_LOSSES: u8 = 8;
/// The part of the values that is a small loss.
const SMALL_PART: u64 = 8;
/// Of so few values, every one counts.
const FEW_VALUES: u64 = 32;

/// How often each term has lost little in the present propagation.
#[derive(Default)]
pub struct Creep {
    propagation: u32,
    losses: IdVec<Term, (u32, u8)>,
}

impl Creep {
    /// Makes room for the next term.
    pub fn push_term(&mut self) {
        self.losses.push((0, 0));
    }

    pub fn begin_propagation(&mut self) {
        self.propagation = self.propagation.wrapping_add(1);
    }

    /// Notes a change of a domain by a definition of floats; whether it is one more small loss after many.
    pub fn is_creeping(&mut self, term: Term, w: Width, old: Domain, new: Domain) -> bool {
        let (before, after) = (old.interval().span(w), new.interval().span(w));
        if after < FEW_VALUES || after <= before - before / SMALL_PART {
            return false;
        }
        let (propagation, losses) = &mut self.losses[term];
        if *propagation != self.propagation {
            (*propagation, *losses) = (self.propagation, 0);
        }
        *losses = losses.saturating_add(1);
        *losses > MOST_SMALL_LOSSES
    }
}

#[cfg(test)]
mod tests {
    use quipu_base::Id;
    use quipu_domain::Interval;

    use super::*;

    fn below(limit: u64) -> Domain {
        Domain::from_interval(Width::W32, Interval::new(Width::W32, 0, limit))
    }

    #[test]
    fn small_losses_wake_a_few_times_and_large_ones_always() {
        let mut creep = Creep::default();
        creep.push_term();
        let term = Term::new(0);
        let mut is_creeping = |old, new| creep.is_creeping(term, Width::W32, below(old), below(new));
        let small: Vec<bool> = (0..12).map(|n| is_creeping(1_000_000 - n, 999_999 - n)).collect();
        assert_eq!(small.iter().filter(|&&creeping| creeping).count(), 4);
        assert!(small[11] && !is_creeping(1_000_000, 400_000), "a large loss is told");
        assert!(!is_creeping(20, 19) && !is_creeping(1, 0), "so are the last values");
        creep.begin_propagation();
        assert!(!creep.is_creeping(term, Width::W32, below(1_000_000), below(999_999)));
    }
}
