//! What a SAT solver does for Quipu.
//!
//! Incremental: clauses and variables are added at any time and stay, assumptions hold for one call. Model and core
//! are those of the last `solve` and stay readable until the next one, whatever is added in between.

use crate::{Lit, Var};

/// A set of clauses that can be asked, again and again, whether it has a model.
pub trait SatSolver {
    /// A fresh variable.
    fn new_var(&mut self) -> Var;

    /// How many variables there are.
    fn var_count(&self) -> usize;

    /// Demands that one of the literals be true. The empty clause is false; duplicates and tautologies are welcome.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Makes decisions on the variable try `lit` first, until [`unphase`](Self::unphase). A hint: some models are
    /// found without decisions. It overrides the phases that the search learns, so it is for values that are known to
    /// be good, and it is best taken back after use.
    fn phase(&mut self, lit: Lit);

    /// Takes the last [`phase`](Self::phase) of the variable back.
    fn unphase(&mut self, var: Var);

    /// Looks for a model of the clauses in which all assumptions are true.
    fn solve(&mut self, assumptions: &[Lit], budget: Budget) -> SatResult;

    /// The value of a literal in the model that the last `solve` found.
    ///
    /// # Panics
    ///
    /// If the last answer was not [`SatResult::Sat`], or if the variable is younger than it.
    fn value(&self, lit: Lit) -> bool;

    /// Assumptions of the last `solve` that cannot all be true, sorted. Empty if the clauses alone have no model.
    /// Not always the smallest such set.
    ///
    /// # Panics
    ///
    /// If the last answer was not [`SatResult::Unsat`].
    fn core(&self) -> &[Lit];

    /// Whether the literal is in the [`core`](Self::core).
    ///
    /// # Panics
    ///
    /// If the last answer was not [`SatResult::Unsat`].
    fn failed(&self, assumption: Lit) -> bool {
        self.core().binary_search(&assumption).is_ok()
    }

    /// What the search has cost since the solver was made.
    fn statistics(&self) -> Statistics;
}

/// The most that one call of [`SatSolver::solve`] may spend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    conflicts: Option<u64>,
}

impl Budget {
    /// Search until there is an answer.
    pub const UNLIMITED: Budget = Budget { conflicts: None };

    /// Stop after this many conflicts, or a few more: conflicts that follow each other at once are counted together.
    /// With none, only what propagation and some cheap guesses show is found.
    pub fn conflicts(limit: u64) -> Budget {
        Budget { conflicts: Some(limit) }
    }

    /// The number of conflicts allowed, if it is limited.
    pub fn conflict_limit(self) -> Option<u64> {
        self.conflicts
    }
}

/// The answer of [`SatSolver::solve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatResult {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The search stopped before it knew. What it learned is kept: calling `solve` again goes on from there.
    Unknown(Stop),
}

/// Why a search stopped without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The budget was spent.
    Budget,
    /// The interruption flag was raised.
    Interrupted,
}

/// Counts of the search since the solver was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How often an assignment falsified a clause.
    pub conflicts: u64,
    /// How often a value was chosen.
    pub decisions: u64,
    /// How many values followed from others during search.
    pub propagations: u64,
    /// How many learned clauses are held now.
    pub learned: u64,
    /// Memory accesses of the search, estimated: the count that follows the time most closely.
    pub ticks: u64,
}
