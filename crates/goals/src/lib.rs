//! Testing goals: which ones a function has, which of them a run meets, and which tests are worth keeping.
//!
//! [`Goals::of`] lists the [`Goal`]s of functions under coverage [`Criterion`]s. A goal says what must happen in two
//! forms that agree: as [`Way`]s through the control flow, for whoever searches an input, and as tables by which a
//! [`Credit`] follows a run. A [`Ledger`] adds up runs; [`select`] picks a small suite from a pool of tests.
//!
//! Nothing here knows how inputs are found.

mod address;
mod assertions;
mod bits;
mod boundary;
mod collect;
mod cover;
mod credit;
mod criterion;
mod decision_graph;
mod evaluation;
mod goal;
mod interval;
mod latest;
mod ledger;
mod order;
mod places;
mod relational;
mod signedness;
mod sites;
mod source_text;
mod suite;
mod undefined;

pub use bits::BitSet;
pub use collect::{Goals, NotAnalysed};
pub use cover::{Cover, minimum_cover};
pub use credit::Credit;
pub use criterion::{Criterion, McdcForm};
pub use evaluation::{Evaluations, Path};
pub use goal::{AssertionKind, Goal, GoalId, GoalKind, Item, Off, Outcome, Part, Way};
pub use ledger::{Independence, Ledger};
pub use order::Order;
pub use signedness::are_signed;
pub use source_text::{SourceFiles, balanced};
pub use suite::{Candidate, Selection, select};
