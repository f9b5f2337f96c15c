//! Random constraint models and their solutions by brute force: what solvers are tested against. Not part of the
//! product.

mod brute_force;
mod random;

pub use brute_force::{input_bits, solutions};
pub use random::{Random, Shape, random_model, random_term};
