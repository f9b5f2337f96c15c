//! Answers for constraint models: rewriting, propagation and search, linear relaxations, and SAT work on the same terms
//! in turns.
//!
//! ```text
//! model ──rewrite──▶ simpler terms ──propagate, probe──▶ domains
//!   ──▶ search │ trying all values │ linear relaxations │ walk over assignments (floats) │ SAT, in growing slices
//!   ──▶ Answer
//! ```
//!
//! What one part finds, the others use: equations that rewriting solved replace variables, domains make bits of the
//! SAT instance constant, and a call that SAT needs is unfolded for all. A solution is checked by the model's own
//! definition before it is told.
//!
//! A session answers many questions about one model, which may grow between them: each question is a list of truth
//! values assumed to be true. What was learned stays, and an infeasible question has a core.

mod answer;
mod approach;
mod bits;
mod contents;
mod enumerate;
mod equal_factors;
mod linear;
mod loops;
mod options;
mod orders;
mod session;
mod summary;
mod unfolding;
mod walk;

pub use answer::{Answer, Limit, Report, Solution};
pub use approach::Approach;
pub use linear::Linear;
pub use options::Options;
pub use quipu_cp::{Queue, Strategy};
pub use session::Session;
