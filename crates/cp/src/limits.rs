//! When to stop: effort is counted, the clock and the user can only interrupt.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::Counters;

/// Bounds of the effort. The counts make runs repeatable; `interrupt` is set from outside.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Contractor calls, and what clauses cost in terms of them.
    pub contractions: Option<u64>,
    pub conflicts: Option<u64>,
    /// Calls unfolded.
    pub unfoldings: Option<u64>,
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Which limit was hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Contractions,
    Conflicts,
    Unfoldings,
    Interrupted,
}

impl Limits {
    /// The limit that has been reached, if any.
    #[inline]
    pub fn check(&self, counters: &Counters) -> Option<Stop> {
        let reached = |limit: Option<u64>, count: u64| limit.is_some_and(|limit| count >= limit);
        if reached(self.contractions, counters.contractions) {
            return Some(Stop::Contractions);
        }
        if reached(self.unfoldings, counters.unfoldings) {
            return Some(Stop::Unfoldings);
        }
        if reached(self.conflicts, counters.conflicts) {
            return Some(Stop::Conflicts);
        }
        if counters.contractions.is_multiple_of(256) && self.is_interrupted() {
            return Some(Stop::Interrupted);
        }
        None
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
