//! Linear relaxations: what rows of real numbers say about a model of machine integers and floats.
//!
//! A [`Relaxation`] reads the terms of a model, within domains that are known of them, as real numbers, and describes them
//! by linear rows that every solution satisfies: products by their envelopes, wrapping by a number of turns, conditions by
//! guarded rows, rounding by its largest error. A simplex method ([`Simplex`]) looks for a contradiction or for bounds.
//! It works with doubles and may be wrong, so nothing is believed of it but multipliers of rows, from which [`System`]
//! computes bounds with directed rounding. [`deduce`] puts these together.

mod deduce;
mod form;
mod relax;
mod round;
mod simplex;
mod system;

pub use deduce::{Deduction, Found, Limits, deduce};
pub use form::{Column, Form};
pub use relax::{Difference, Relaxation, View};
pub use round::Range;
pub use simplex::{Feasibility, Simplex};
pub use system::{Row, System};
