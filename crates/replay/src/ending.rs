//! What a replay measured.

use quipu_inputs::Leaf;
use quipu_interp::Step;

/// What a run of the compiled program did.
#[derive(Clone, PartialEq, Debug)]
pub struct Replayed {
    pub ending: Ending,
    /// What was measured, in order. Constructs without a probe do not appear.
    pub steps: Vec<Step>,
    /// Whether the steps are all there were. The log has an end; a run that goes on behind it is not complete.
    pub complete: bool,
    /// Statements, conditions and functions that were met, each once, also behind the end of the log.
    pub met: Vec<Step>,
    /// The scalars of input objects that the run changed, with their values after it came back.
    pub outputs: Vec<(Leaf, u64)>,
    /// For a struct result, its bytes.
    pub result: Option<Vec<u8>>,
    /// How many values it asked its environment for.
    pub requests: u64,
}

/// How a run of the compiled program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The function came back; with the bits of a scalar result, for a pointer its address.
    Returned(Option<u64>),
    /// The program ended with this status, of which the system keeps eight bits.
    Exited(i32),
    /// The program called `abort`.
    Aborted,
    /// An assertion failed, or a function that reports an error was called.
    AssertionFailed,
    /// The claim of a contract with this number does not hold.
    ClaimFailed(usize),
    /// What the program assumes does not hold.
    AssumptionFailed,
    /// A signal ended it.
    Crashed(i32),
    /// It needs more stack than there is.
    StackOverflow,
    /// It wanted to do something that no test should do.
    Blocked(String),
    /// It did not end in time.
    Timeout,
    /// It needs more memory than allowed.
    OutOfMemory,
    /// The function cannot be called, or the process could not be started.
    NotRun(String),
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ending::Returned(Some(bits)) => write!(f, "returned {}", bits.cast_signed()),
            Ending::Returned(None) => f.write_str("returned"),
            Ending::Exited(status) => write!(f, "exited with status {status}"),
            Ending::Aborted => f.write_str("aborted"),
            Ending::AssertionFailed => f.write_str("failed an assertion"),
            Ending::ClaimFailed(number) => write!(f, "failed claim {number}"),
            Ending::AssumptionFailed => f.write_str("failed an assumption"),
            Ending::Crashed(signal) => write!(f, "crashed with {}", signal_name(*signal)),
            Ending::StackOverflow => f.write_str("overflowed the stack"),
            Ending::Blocked(what) => write!(f, "was stopped when it {what}"),
            Ending::Timeout => f.write_str("did not end in time"),
            Ending::OutOfMemory => f.write_str("ran out of memory"),
            Ending::NotRun(reason) => write!(f, "was not run: {reason}"),
        }
    }
}

pub(crate) fn signal_name(signal: i32) -> String {
    let name = match signal {
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        _ => return format!("signal {signal}"),
    };
    name.to_string()
}

/// What the filter of system calls stopped; `sandbox.c` has the same list.
pub(crate) fn blocked(reason: u64) -> String {
    let what = match reason {
        1 => "opens a file for writing",
        2 => "changes the file system",
        3 => "starts a process",
        4 => "runs another program",
        5 => "sends a signal to another process",
        6 => "uses the network",
        _ => "changes the system",
    };
    what.to_string()
}
