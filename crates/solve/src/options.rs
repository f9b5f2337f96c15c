//! What is allowed, and how to go about it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quipu_cp::{Direction, Queue, Strategy};

use crate::linear::Linear;

/// What is allowed, and how to go about it.
#[derive(Clone, Debug)]
pub struct Options {
    pub strategy: Strategy,
    /// Contractor calls, and SAT conflicts, in total. See also [`crate::Session::set_effort`].
    pub effort: Option<u64>,
    /// Calls that may be unfolded.
    pub unfoldings: u64,
    /// Whether terms are rewritten first.
    pub rewrite: bool,
    pub search: bool,
    /// What search decides first. It takes these in turns, slice by slice, and keeps what it learns.
    pub directions: Vec<Direction>,
    pub sat: bool,
    pub linear: Linear,
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::default(),
            effort: None,
            unfoldings: 10_000,
            rewrite: true,
            search: true,
            directions: vec![Direction::Values, Direction::Backwards(Queue::LastFirst)],
            sat: true,
            linear: Linear::Adaptive,
            interrupt: Arc::default(),
        }
    }
}
