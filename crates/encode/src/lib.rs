//! A function as constraints: IR to model, and solutions of the model back to inputs.
//!
//! The function is executed once with terms instead of numbers. Calls are entered, loops are unfolded turn by turn
//! as far as an [`Unwinding`] allows, and where paths meet their states are joined by conditionals, so that no path
//! is followed twice. Every block and edge gets a truth term that says when it is executed; a testing goal is a
//! question about these terms. What lies behind the last turn allowed is a [`Cut`]: its truth term says when the
//! execution gets there, so that a goal is proved unreachable once its own terms and those of the cuts are infeasible.
//!
//! Undefined behaviour does not end a path here: each check adds a condition under which the run is *clean*, and
//! everything behind it is only asked under that condition. So guards stay short.
//!
//! The encoding is exact but for its [`Approximation`]s, where an unknown value stands for one that is not modelled:
//! such an encoding can still prove that something is unreachable, but its solutions are only candidates.

mod access;
mod address;
mod any_turn;
mod apart;
mod block;
mod bounds;
mod call;
mod carried;
mod content;
mod context;
mod device;
mod distinct;
mod encoder;
mod encoding;
mod few_values;
mod float;
mod frame;
mod guard;
mod initial;
mod inst;
mod invariant;
mod library;
mod local;
mod log;
mod loose_read;
mod memory;
mod merge;
mod open;
mod order;
mod overlap;
mod paths;
mod pointer;
mod premise;
mod product;
mod progression;
mod repeat;
mod state;
mod stream;
mod symbol;
mod table;
mod targets;
mod terms;
mod trail;
mod turn_shape;
mod unwritten;
mod wording;

pub use context::Context;
pub use encoder::{Encoder, Unwinding};
pub use encoding::{
    Approximation, Check, Comparison, Cut, CutKind, Encoding, Invariant, Origin, Premise, Refused, Requested,
    Visit,
};
pub use guard::Conditions;
pub use paths::{PathStep, Paths, Stray, Wanted, WantedOutcome, named_path, paths};
pub use trail::{Tracker, Trail};
