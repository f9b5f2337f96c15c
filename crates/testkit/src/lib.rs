//! Differential testing of Quipu against the system's C compiler.
//!
//! [`generate`] writes random C programs, [`differential`] runs them through the front end and the
//! interpreter on one side and as native code on the other, [`layouts`] does the same for the layout of
//! records. Development only: nothing else depends on this crate.

pub mod differential;
pub mod generate;
pub mod grammar;
pub mod layouts;
pub mod native;
pub mod open_world;
pub mod rng;
pub mod subject;
