//! Random models solved in every way, against brute force and against each other. Not part of the product.
//!
//! ```text
//! number ──case──▶ model ──┬──▶ all assignments, by execution ──┐
//!                          ├──▶ propagation and search          ├──▶ same answers? ──shrink──▶ .qm
//!                          └──▶ rewriting │ search │ SAT ───────┘
//! ```

mod case;
mod check;
mod shrink;
mod ways;

pub use case::{Case, case, float_case, loop_case};
pub use check::{Difference, Tally, check};
pub use shrink::shrink;
pub use ways::{Verdict, Way};
