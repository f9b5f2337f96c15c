//! What a run may take, by its options.

use std::time::Duration;

use quipu_limits::{default_memory, tolerance};

use super::journal::Phase;
use crate::args::{Command, Search};

/// Reading, compiling and writing may take at least so long: they are done once for all functions.
const LEAST_ONCE: Duration = Duration::from_secs(60);
/// One of so many parts of the budget is kept for compiling, running tests and writing reports.
const REPLAY_PART: u32 = 4;
/// In sixteenths of the memory: the search in a function ends before a worker is ended.
const SEARCH_SIXTEENTHS: u64 = 13;

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// For each function.
    pub time: Duration,
    /// For the whole run.
    pub budget: Option<Duration>,
    /// For this process, and for each one that it starts.
    pub memory: u64,
}

impl RunLimits {
    /// Those that are given, or what is usual.
    pub fn of(search: &Search) -> RunLimits {
        let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX / 4);
        RunLimits {
            time: seconds(search.time),
            budget: search.budget.map(seconds),
            memory: search.memory.unwrap_or_else(default_memory),
        }
    }

    /// Those of a command. Who does not search takes the time that it takes.
    pub fn of_command(command: &Command) -> RunLimits {
        match command.search() {
            Some(search) => RunLimits::of(search),
            None => RunLimits { time: Duration::MAX / 4, budget: None, memory: default_memory() },
        }
    }

    /// The bytes at which a search ends.
    pub fn search_memory(&self) -> u64 {
        self.memory / 16 * SEARCH_SIXTEENTHS
    }

    /// When the search for tests ends in all functions.
    pub fn search_budget(&self) -> Option<Duration> {
        self.budget.map(|budget| budget - budget / REPLAY_PART)
    }

    /// What a phase may take before whoever works at it is ended; it should have ended before.
    pub fn most(&self, phase: Phase) -> Duration {
        match phase {
            Phase::Search(_) | Phase::Replay(_) => self.time + tolerance(self.time) / 2,
            Phase::Load | Phase::Recall | Phase::Build | Phase::Export => self.time.max(LEAST_ONCE),
            // Half a report would be worse than a late one.
            Phase::Print => Duration::MAX,
        }
    }

    /// What the tests of a function may take, if the search for them has taken so long. Even if nothing is left, a few
    /// runs are worth their time.
    pub fn replay(&self, searched: Duration) -> Duration {
        self.time.saturating_sub(searched).max(tolerance(self.time) / 2)
    }

    /// When whoever works is ended, by the budget. What is known then is told in the time that is left.
    pub fn hard_budget(&self) -> Option<Duration> {
        self.budget.map(|budget| budget + tolerance(budget) / 2)
    }

    /// When nothing more is told, by the budget.
    pub fn last_budget(&self) -> Option<Duration> {
        self.budget.map(|budget| budget + tolerance(budget))
    }
}
