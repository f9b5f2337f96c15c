//! Propagation and search over a constraint model: the solver that reasons about domains.
//!
//! Every term of the model has a domain. The node of a term is a constraint between it and its operands; a
//! contractor of `quipu-domain` narrows them, in tiers, until nothing changes. What a call of a relation says is
//! added only when the call must be true. The search labels variables, explains conflicts, learns clauses over
//! atoms that are made when needed, and goes back as far as the clause allows. Everything is deterministic: effort
//! is counted, and the clock can only interrupt.

mod analyze;
mod atom;
mod cases;
mod clauses;
mod closing;
mod creep;
pub mod definition;
mod direction;
mod engine;
mod explain;
mod float_label;
mod limits;
mod open_labels;
mod probe;
mod queue;
mod solver;
mod store;
mod strategy;
#[cfg(test)]
mod tests;

pub use cases::{Conclusion, Place, Reasoner, Refutation};
pub use closing::Closing;
pub use direction::{Direction, Queue};
pub use engine::Counters;
pub use float_label::{format_of, simplest_value};
pub use limits::{Limits, Stop};
pub use probe::Effort;
pub use solver::{Answer, Propagation, Solver};
pub use strategy::Strategy;
