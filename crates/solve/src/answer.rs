//! Answers.

use quipu_model::Assignment;

/// What was found out about a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A solution, checked by the model's definition.
    Solution(Solution),
    /// There is none, or none that was not told before.
    Infeasible,
    GaveUp(Limit),
}

/// Values of all variables that the model had when the question was asked.
pub type Solution = Assignment;

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The effort that was allowed is used up.
    Effort,
    /// More calls (turns of loops, recursive calls) would have to be unfolded than allowed.
    Unfoldings,
    Interrupted,
    /// A solution was found that does not satisfy the model: a fault of the solver.
    Unconfirmed,
}

/// How the work was shared.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Report {
    pub contractions: u64,
    pub narrowings: u64,
    pub conflicts: u64,
    pub decisions: u64,
    pub unfoldings: u64,
    pub sat_conflicts: u64,
    pub sat_clauses: u64,
    pub sat_variables: u64,
}
