//! What the user wants.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use quipu_goals::Criterion;
use quipu_inputs::{Allowed, LeafInfo, Shapes};
use quipu_solve::Approach;

use crate::record::{Record, Start};
use crate::uninitialized::Uninitialized;

/// What is wanted, and what it may cost.
#[derive(Clone, Debug)]
pub struct Options {
    pub criteria: Vec<Criterion>,
    /// Whether all paths are goals too.
    pub paths: bool,
    /// How many calls away from the function under test functions may be whose goals count too.
    pub depth: u32,
    pub shapes: Shapes,
    /// Values that inputs may have, by name, both bounds inclusive.
    pub ranges: Vec<Range>,
    /// Whether floats from outside are neither infinite nor NaN.
    pub finite_floats: bool,
    /// Compiler flags under which floats may have other values than IEEE 754 says.
    pub float_departures: Vec<String>,
    /// What reads of memory mean that was never written.
    pub uninitialized: Uninitialized,
    /// The most turns of every loop; deeper and deeper as far as the time allows if not given.
    pub turns: Option<u64>,
    /// CPU time for each function.
    pub time: Duration,
    /// The CPU time of this process at which all search ends.
    pub end: Option<Duration>,
    /// The bytes at which the search in a function ends.
    pub memory: Option<u64>,
    /// Runs of the burst.
    pub runs: u64,
    /// Whether values are made simpler in the end.
    pub shrink: bool,
    /// Runs that try to refute what was called unreachable.
    pub attack: u64,
    /// Instructions of one run.
    pub steps: u64,
    /// The effort of one question, in contractor calls.
    pub effort: u64,
    pub approach: Approach,
    pub seed: u64,
    pub interrupt: Arc<AtomicBool>,
    /// Who is told what is found out.
    pub record: Record,
    pub start: Start,
}

impl Options {
    /// Whether what must not happen is looked for. Then a run counts as far as it goes: what happened stays so if an
    /// assumption of the program fails later. Tests, on the other hand, satisfy all assumptions.
    pub fn checks(&self) -> bool {
        self.criteria.contains(&Criterion::Assertion)
    }

    /// The same, with nobody who is told about proofs.
    pub(crate) fn unrecorded(self) -> Options {
        Options { record: Record::default(), ..self }
    }

    /// The same, for work in which a read of memory that was never written is an event.
    pub(crate) fn trapping(&self) -> Options {
        Options { uninitialized: Uninitialized::Trap, ..self.clone() }
    }
}

/// The values allowed for an input.
#[derive(Clone, PartialEq, Debug)]
pub struct Range {
    pub name: String,
    pub values: Allowed,
}

impl Range {
    /// Whether it is about a scalar: the one with its name, or a number in the array or struct with its name.
    pub fn is_about(&self, leaf: &LeafInfo) -> bool {
        let Some(rest) = leaf.name.strip_prefix(self.name.as_str()) else { return false };
        let inside = rest.starts_with(['[', '.']) || rest.starts_with("->");
        rest.is_empty() || (inside && leaf.targets.is_none())
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            criteria: vec![Criterion::Branch],
            paths: false,
            depth: 0,
            shapes: Shapes::default(),
            ranges: Vec::new(),
            finite_floats: false,
            float_departures: Vec::new(),
            uninitialized: Uninitialized::Automatic,
            turns: None,
            time: Duration::from_secs(60),
            end: None,
            memory: None,
            runs: 2000,
            shrink: true,
            attack: 0,
            steps: 200_000,
            effort: 20_000_000,
            approach: Approach::Automatic,
            seed: 1,
            interrupt: Arc::default(),
            record: Record::default(),
            start: Start::Afresh,
        }
    }
}
