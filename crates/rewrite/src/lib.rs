//! Simpler terms with the same values: what vanishes here costs no solver anything.
//!
//! Terms are brought into a normal form from the leaves up. Sums are linear combinations with sorted parts,
//! products have sorted factors, `-x`, `x - y`, `3 * x` and `x << 2` are all sums, comparisons are `==`, `<`
//! (unsigned and signed) and their negations. An equation is decided by comparing polynomials, so
//! `a * (b + c) == a * b + a * c` is simply true. Equations that are asserted are solved for a variable, which is
//! then replaced everywhere.
//!
//! Terms are added to the same model, so a simplified term can be used wherever the original could.

mod equations;
mod orders;
mod polynomial;
mod rewriter;
mod rules;

pub use equations::{Outcome, Simplifier};
pub use rewriter::Rewriter;
