//! Differential testing of Quipu against the system's C compiler.

pub mod generate;
pub mod rng;
