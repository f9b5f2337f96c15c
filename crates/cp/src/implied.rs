//! What follows from assumptions by propagation alone.

use quipu_model::Term;
use quipu_num::Width;

use crate::atom::Atom;
use crate::engine::Fixpoint;
use crate::solver::{Propagation, Solver};

impl Solver<'_> {
    /// The truth values that follow from assumptions, and do not hold without them. None if the assumptions contradict
    /// each other, or if to find out takes more than is allowed.
    pub fn implied(&mut self, assumptions: &[Term]) -> Vec<(Term, bool)> {
        self.attend(assumptions);
        let facts = match self.propagate() {
            Propagation::Open => self.assume_all(assumptions),
            Propagation::Infeasible | Propagation::Stopped(_) => Vec::new(),
        };
        self.go_to_root();
        facts
    }

    fn assume_all(&mut self, assumptions: &[Term]) -> Vec<(Term, bool)> {
        for &assumption in assumptions {
            match self.engine.store.status(Atom::truth(assumption, true)) {
                Some(true) => continue,
                Some(false) => return Vec::new(),
                None => self.engine.decide(Atom::truth(assumption, true)),
            }
            if !matches!(self.engine.propagate_to_depth(self.depth), Fixpoint::Reached) {
                return Vec::new();
            }
        }
        if self.engine.store.level() == 0 {
            return Vec::new();
        }
        let store = &self.engine.store;
        let changed = store.changed_since(store.level_start(1));
        let truths = changed.filter(|&term| store.width(term) == Width::W1);
        truths.filter_map(|term| Some((term, store.domain(term).is_singleton()? == 1))).collect()
    }
}
