//! Random functions, all of whose inputs can be run.
#![allow(dead_code)]

pub mod brute;
pub mod expressions;
pub mod generator;
pub mod shapes;

/// A number from the environment.
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}
