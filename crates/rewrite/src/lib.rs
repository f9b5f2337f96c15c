//! Simpler terms with the same values: what vanishes here costs no solver anything.
//!
//! Terms are brought into a normal form from the leaves up. Sums are linear combinations with sorted parts,
//! products have sorted factors, `-x`, `x - y`, `3 * x` and `x << 2` are all sums, comparisons are `==`, `<`
//! (unsigned and signed) and their negations. An equation is decided by comparing polynomials, so
//! `a * (b + c) == a * b + a * c` is simply true, and so is `a / b * b + a % b == a`. Equations that are asserted are
//! solved for a variable, which is then replaced everywhere, unless that would make the rest longer. Asserted
//! comparisons that lead in a circle become equations, and remainders of one number become one remainder. [`contradict`]
//! does that case by case.
//!
//! Terms are added to the same model, so a simplified term can be used wherever the original could.

mod cases;
mod equations;
mod orders;
mod polynomial;
mod remainders;
mod rewriter;
mod rules;

pub use cases::contradict;
pub use equations::{Outcome, Simplifier};
pub use rewriter::Rewriter;
