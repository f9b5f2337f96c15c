//! Test suites: a verdict for every goal of a function, with a test or a proof.
//!
//! A burst of cheap inputs through the interpreter meets the easy goals. Each goal that is left becomes a question to
//! the solver: a solution is run in the interpreter and credited to every goal that it meets; an infeasible one is
//! unreachable as soon as no loop was cut short on the way. What is kept is a small part of the tests found, with
//! values that a person would choose, replayed on the compiled program.

mod attack;
mod attempt;
mod beyond;
mod burst;
mod carried;
mod clock;
mod confirm;
mod conflict;
mod cover;
mod deepen;
mod explain;
mod explore;
mod floats;
mod judge;
mod location;
mod options;
mod path_name;
mod paths;
mod pool;
mod properties;
mod prover;
mod question;
mod random;
mod reach;
mod record;
mod refuter;
mod report;
mod scrutiny;
mod second_opinion;
mod shrink;
mod slices;
mod solving;
mod subject;
mod trace;
mod uninitialized;

pub use attack::attack;
pub use confirm::{confirm, withdraw_proofs};
pub use conflict::{Conflict, Conflicting};
pub use cover::{cover, goals_of};
pub use deepen::cover_deeply;
pub use location::{Located, Location, file_named, function_at, locate};
pub use options::{Options, Range};
pub use path_name::{PathNameError, PathStepName, path_named};
pub use paths::{all_paths, cover_paths};
pub use pool::Found;
pub use properties::{Property, Standing, properties};
pub use prover::{Contradiction, is_contradictory};
pub use reach::{Next, Place};
pub use record::{Known, News, Record, Saved, Start};
pub use report::{
    Bound, Exclusion, Explanation, FunctionReport, PathChoice, PathReport, Proof, Reason, ReplayOutcome,
    Spare, Statistics, Test, Undefined, UsedInvariant, Verdict,
};
pub use second_opinion::{SecondOpinion, second_opinion};
pub use subject::{RangeError, Subject, is_clean};
pub use trace::{Decided, decisions};
pub use uninitialized::Uninitialized;
