//! How a run ends.

use quipu_ir::{Event, Func, Span};

/// How a run ended. Undefined behaviour is an answer, not an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The function came back, with its result if it has one.
    Returned(Option<u64>),
    /// The program called `exit` with this status.
    Exited(i32),
    /// The program called `abort`.
    Aborted,
    /// An assertion does not hold, or the program called a function that reports an error.
    AssertionFailed {
        /// The function that asserts.
        func: Func,
        /// The call.
        span: Span,
        /// The text of the assertion, where known.
        detail: String,
    },
    /// Undefined behaviour.
    Event {
        /// Which one.
        event: Event,
        /// The function in which it happened.
        func: Func,
        /// The instruction.
        span: Span,
        /// More about it, for people.
        detail: String,
    },
    /// A limit stopped the run.
    LimitReached(Limit),
    /// The input source had no further value.
    InputsExhausted {
        /// The function that asked for one.
        function: String,
        /// The call.
        span: Span,
    },
    /// The program needs something that the interpreter cannot do.
    Unsupported {
        /// What it is.
        what: String,
        /// The function that needs it.
        func: Func,
        /// Where.
        span: Span,
    },
    /// The program assumed something that does not hold: the run does not count.
    AssumptionFailed,
}

/// What a failed claim says for itself, in front of its number.
const CLAIM: &str = "claim ";

pub(crate) fn claim_text(number: u64) -> String {
    format!("{CLAIM}{number}")
}

impl Outcome {
    /// The number of the claim that does not hold, if that is how the run ended.
    pub fn failed_claim(&self) -> Option<usize> {
        match self {
            Outcome::AssertionFailed { detail, .. } => detail.strip_prefix(CLAIM)?.parse().ok(),
            _ => None,
        }
    }
}

/// A limit of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The number of instructions.
    Steps,
    /// The number of active calls.
    Depth,
    /// The bytes of memory.
    Memory,
}

/// The limits of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions of all blocks entered, plus the work of copies and library functions.
    pub steps: u64,
    /// Active calls.
    pub depth: usize,
    /// Bytes of memory that were touched. Untouched parts of large objects are free.
    pub memory: u64,
    /// Sum of the sizes of all live objects, touched or not.
    pub address_space: u64,
    /// Callbacks (a comparison function called by `qsort`) inside callbacks.
    pub nesting: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 1_000_000_000,
            depth: 1_000_000,
            memory: 1 << 30,
            address_space: 1 << 36,
            nesting: 32,
        }
    }
}

/// Why a run cannot go on, before its place in the program is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Undefined behaviour, with more about it.
    Event(Event, String),
    /// A limit.
    Limit(Limit),
    /// `exit`.
    Exit(i32),
    /// `abort`.
    Abort,
    /// A failed assertion.
    Assertion(String),
    /// A failed assumption.
    Assumption,
    /// No further input for this function.
    Inputs(String),
    /// Something without a model.
    Unsupported(String),
    /// A callback stopped; its place is known.
    Placed(Outcome),
}

/// A result that may stop the run. The reason is boxed: it is rare and large.
pub type Fallible<T> = Result<T, Box<Stop>>;

/// The failure of an access.
pub(crate) fn event<T>(event: Event, detail: String) -> Fallible<T> {
    Err(Box::new(Stop::Event(event, detail)))
}

/// The failure for want of a model.
pub(crate) fn unsupported<T>(what: impl Into<String>) -> Fallible<T> {
    Err(Box::new(Stop::Unsupported(what.into())))
}

impl Stop {
    /// The outcome when this happened in `func` at `span`.
    pub(crate) fn at(self, func: Func, span: Span) -> Outcome {
        match self {
            Stop::Event(event, detail) => Outcome::Event { event, func, span, detail },
            Stop::Limit(limit) => Outcome::LimitReached(limit),
            Stop::Exit(status) => Outcome::Exited(status),
            Stop::Abort => Outcome::Aborted,
            Stop::Assertion(detail) => Outcome::AssertionFailed { func, span, detail },
            Stop::Assumption => Outcome::AssumptionFailed,
            Stop::Inputs(function) => Outcome::InputsExhausted { function, span },
            Stop::Unsupported(what) => Outcome::Unsupported { what, func, span },
            Stop::Placed(outcome) => outcome,
        }
    }
}
