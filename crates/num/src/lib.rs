//! Machine numbers: what every arithmetic operation of Quipu means.
//!
//! This crate is the only definition of an operation's meaning. The interpreter, constant folding, the
//! constraint model and all tests call it. Every function here is total: where C leaves a case undefined,
//! a [`Guard`] says so, and the operation itself still returns one fixed value.
//!
//! Values travel as the bits of a `u64`: an integer of width *w* is zero-extended (the *canonical* form),
//! a `float` sits in the low 32 bits, a `double` fills the word.

mod cast;
mod float;
mod guard;
mod int;
pub mod libm;
mod math;
mod rank;
mod simple_float;

pub use cast::{Cast, cast};
pub use float::{FloatCmp, FloatOp, FloatUnary, FloatWidth, float_cmp, float_fma, float_op, float_unary};
pub use guard::{Guard, GuardArgs};
pub use int::{IntCmp, IntOp, IntUnary, Width, int_cmp, int_op, int_unary};
pub use math::{MathFn, math_fn};
pub use rank::{FloatFn, cast_of_rank, float_fn, is_nan_rank, nan_rank, number_ranks, rank, unrank};
pub use simple_float::{number_of_rank, rank_of, simplest_between};
