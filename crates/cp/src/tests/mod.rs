//! The test kit of the engine: what every definition, every explanation and every learned clause owes, checked with
//! nothing but what a node means (`quipu_model::apply`). A new node or contractor needs no test code of its own, only
//! a line in [`subject::subjects`].
//!
//! | file | what holds |
//! |---|---|
//! | `contraction` | no solution is lost, nothing is added, a fixpoint is one, fixed operands are decided, failure is kept by parts |
//! | `explanation` | the atoms of an explanation were true before and imply what they explain, by the definition alone |
//! | `walk` | the same on random models with clauses; going back restores everything; clauses are propagated to the end |
//! | `incremental` | posting one by one, with decisions in between, and posting at once |
//! | `learning` | every learned clause holds in every solution; limits stop every kind of search |
//!
//! Narrowing is not monotone as a function of *sets*, and cannot be: where an arc and a bound have two pieces in
//! common, an arc must keep one of the two gaps, and which one depends on what was there before. `[6, 4]` narrowed by
//! `[4, 6]` keeps `[6, 4]` while the full circle narrowed by `[4, 6]` becomes `[4, 6]`, although `[6, 4]` is the
//! smaller set. So the *results* of a larger and a smaller input cannot be compared. *Failure* can, almost: if
//! a contractor refutes a domain, then its parts have no solution either, and the kit counts how often the contractor
//! sees that too. Where it does not, the reason is the same choice of a gap one step earlier.

mod contraction;
mod explanation;
mod incremental;
mod learning;
mod random_facts;
mod subject;
mod walk;
