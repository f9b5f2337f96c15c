//! Abstract interpretation of loops: what holds at the head of a loop in every turn, however many there are.
//!
//! A loop is given as terms of a model: the values at its head, which are variables, the values with which it starts,
//! and those after a turn. Two analyses look at it:
//!
//! - [`analyse`]: a domain for each number, reduced against an octagon over numbers that change and fixed ones, by
//!   iteration with widening and narrowing (Cousot and Cousot, 1977; Miné, 2001);
//! - [`equalities`]: polynomial equalities modulo the width, by linear algebra (Müller-Olm and Seidl, 2005), exact for
//!   arithmetic that wraps.
//!
//! Both end by construction, and what they claim is true of all runs that keep the conditions given.

mod analysis;
mod cone;
mod congruence;
mod equalities;
mod equations;
mod extension;
mod facts;
mod image;
mod linear;
mod module;
mod octagon;
mod paths;
mod polynomial;
mod reader;
mod refine;
mod state;
#[cfg(test)]
mod tests;
mod turn;

pub use analysis::{Analysis, Effort, Found, analyse};
pub use equalities::equalities;
pub use facts::facts;
pub use turn::{Place, Turn};
