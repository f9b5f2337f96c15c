//! Domains of machine integers and contractors for the operations on them: pure, stateless, fast.
//!
//! A [`Domain`] is a set of values of one width: a clockwise [`Interval`] reduced against known [`Bits`]. A
//! contractor of [`contract`] takes the domains of an operation's operands and result, and returns what is
//! left of each, or nothing if there is surely no solution. It keeps two promises:
//!
//! - *sound*: operands and a result that `quipu-num` relates are never removed;
//! - *contracting*: every domain returned is a part of the one given, so a fact stays true once it is.
//!
//! Values that are all fixed are decided exactly. Otherwise a contractor is one pass: the caller repeats it
//! until nothing changes. `examples/contract_speed.rs` times the contractors, and the ignored test in
//! `examples/optimality.rs` prints how often each finds the smallest domains.

mod bits;
pub mod contract;
mod domain;
mod interval;

pub use bits::Bits;
pub use domain::Domain;
pub use interval::Interval;
