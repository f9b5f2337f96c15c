//! Satisfiability of clauses: literals in, a model or a core out. Nothing here knows what a literal stands for.
//!
//! [`SatSolver`] is what the rest of Quipu sees; [`Cadical`] is the one implementation (ADR 11). Everything is
//! deterministic: the same calls give the same answers and the same counts, and a budget is a number of conflicts,
//! never a time. The clock comes in only through the interruption flag that [`Cadical::new`] takes.

mod cadical;
mod literal;
mod solver;

pub use cadical::Cadical;
pub use literal::{Lit, Var};
pub use solver::{Budget, SatResult, SatSolver, Statistics, Stop};
