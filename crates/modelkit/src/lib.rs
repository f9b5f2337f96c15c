//! Random constraint models and their solutions by brute force: what solvers are tested against. Not part of the
//! product.

mod brute_force;
mod random;

pub use brute_force::{assignments, input_bits, solutions};
pub use random::{Random, Shape, allowed_value, plant_assertions, planted_model, random_model, random_term};
