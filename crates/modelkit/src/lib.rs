//! Random constraint models and their solutions by brute force: what solvers are tested against. Not part of the
//! product.

mod brute_force;
mod execute;
mod floats;
mod random;
mod relations;

pub use brute_force::{assignments, input_bits, solutions};
pub use execute::{Meanings, Specimen};
pub use floats::{FloatShape, float_value, random_float_model};
pub use random::{Random, Shape, allowed_value, plant_assertions, planted_model, random_model, random_term};
pub use relations::with_relations;
