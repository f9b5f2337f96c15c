//! The SAT side: the same terms as clauses, narrowed by the domains that propagation found.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quipu_blast::Blaster;
use quipu_cp::Solver;
use quipu_domain::Domain;
use quipu_model::{Assignment, Model, Term};
use quipu_sat::{Budget, Cadical, Lit, SatResult, SatSolver, Stop};

/// A SAT instance of the assertions of a model.
pub(crate) struct BitSide {
    blaster: Blaster<Cadical>,
    assertions: Vec<Term>,
    /// What the instance knows of variables that take part.
    told: Vec<(Term, Domain)>,
}

/// What the SAT solver said.
pub(crate) enum BitAnswer {
    Solution(Assignment),
    Infeasible,
    /// Without these calls there is no solution: they must be unfolded.
    Needs(Vec<Term>),
    Budget,
    Interrupted,
}

impl BitSide {
    /// Translates the assertions, using what is known of every term.
    pub fn new(solver: &Solver<'_>, assertions: Vec<Term>, interrupt: Arc<AtomicBool>) -> BitSide {
        let mut blaster = Blaster::new(Cadical::new(interrupt));
        let model = solver.model();
        for term in solver.active_terms() {
            let domain = solver.domain(term);
            if model.constant(term).is_none() && !domain.is_full(model.width(term)) {
                blaster.narrow(model, term, domain);
            }
        }
        for &assertion in &assertions {
            blaster.assert_true(model, assertion);
        }
        let variables = model.vars().ids().map(|var| model.var_term(var));
        let told = variables.map(|term| (term, solver.domain(term))).collect();
        BitSide { blaster, assertions, told }
    }

    /// Tells what propagation has found out about variables since the last time.
    pub fn update(&mut self, solver: &Solver<'_>) {
        for (term, domain) in &mut self.told {
            let now = solver.domain(*term);
            if now != *domain {
                *domain = now;
                self.blaster.narrow(solver.model(), *term, now);
            }
        }
    }

    /// Looks for a solution with a limited number of conflicts.
    pub fn solve(&mut self, model: &Model, conflicts: u64) -> BitAnswer {
        // What was unfolded meanwhile is linked when a term is asked for.
        for &assertion in &self.assertions {
            self.blaster.literal(model, assertion);
        }
        let calls = self.blaster.calls();
        let without: Vec<Lit> = calls.iter().map(|&(_, literal)| !literal).collect();
        match self.blaster.solve(&without, Budget::conflicts(conflicts)) {
            SatResult::Sat => BitAnswer::Solution(self.blaster.assignment(model)),
            SatResult::Unknown(Stop::Budget) => BitAnswer::Budget,
            SatResult::Unknown(Stop::Interrupted) => BitAnswer::Interrupted,
            SatResult::Unsat => {
                let failed = |&&(_, literal): &&(Term, Lit)| self.blaster.solver().failed(!literal);
                let needed: Vec<Term> = calls.iter().filter(failed).map(|&(call, _)| call).collect();
                if needed.is_empty() { BitAnswer::Infeasible } else { BitAnswer::Needs(needed) }
            }
        }
    }

    /// Excludes that all of these terms have these values.
    pub fn exclude(&mut self, model: &Model, values: &[(Term, u64)]) {
        let mut clause = Vec::new();
        for &(term, value) in values {
            let bits = self.blaster.bits(model, term);
            clause.extend(bits.iter().enumerate().map(|(n, &bit)| bit ^ (value >> n & 1 == 1)));
        }
        self.blaster.solver_mut().add_clause(&clause);
    }

    pub fn conflicts(&self) -> u64 {
        self.blaster.solver().statistics().conflicts
    }

    /// What the search has cost.
    pub fn ticks(&self) -> u64 {
        self.blaster.solver().statistics().ticks
    }

    /// Clauses and variables.
    pub fn size(&self) -> (u64, u64) {
        let size = self.blaster.size();
        (size.clauses as u64, size.variables as u64)
    }
}
