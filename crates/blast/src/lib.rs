//! Bit-blasting: the terms of a model as literals of a SAT solver, exact for every operation that has a circuit.
//!
//! ```text
//! term  --translate-->  word of edges  --clauses-->  literals
//! ```
//!
//! [`Blaster`] translates terms when they are asked for, each once. In between stands a circuit of gates that are
//! shared, folded and rewritten; only gates that something asserted depends on become clauses. Domains found by
//! propagation make bits constant before the gates that read them are made ([`Blaster::narrow`]).
//!
//! The few functions of floats that have no circuit are free words. Whoever finds that a solution is none asks for more to
//! be said about them ([`Blaster::refine`]), and solves again.
//!
//! Left out: rewriting of terms, which is the business of whoever builds the model.

mod blaster;
mod circuit;
mod clauses;
mod columns;
mod count;
mod divide;
mod facts;
mod float;
mod multiply;
mod refine;
mod shift;
mod translate;
mod words;

pub use blaster::{Blaster, Size};
