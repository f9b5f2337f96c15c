//! Constraints as data: what a problem *is*, with no word about how it is solved.
//!
//! A [`Model`] is a graph of shared terms over machine integers of 1 to 64 bits and IEEE floats, a list of terms that must be
//! true, and relations: named constraints with parameters, which may call themselves. A loop is a relation
//! too. Terms are total functions with the meaning that `quipu-num` gives them, so a conditional is a term
//! like any other, and only a *call* of a relation is left open until somebody unfolds it.
//!
//! What an assignment must satisfy is defined here once, in [`Evaluation`] and [`holds`]; solvers are tested
//! against it, and every witness they return is checked by it.

mod evaluate;
mod float_parts;
mod graph;
mod node;
mod prepare;
mod relation;
mod substitute;

pub use evaluate::{Assignment, Evaluation, all_hold, apply, holds};
pub use graph::{Model, Reading, Role, VarInfo};
pub use node::{Node, Relation, Term, Var};
pub use relation::{Body, Loop, LoopTurn, LoopVariables, Procedure, RelationInfo, Unfold, WrittenBodies};
pub use substitute::Substitution;
