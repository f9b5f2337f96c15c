//! The SAT side: the same terms as clauses, narrowed by the domains that propagation found.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quipu_blast::Blaster;
use quipu_cp::Solver;
use quipu_model::{Assignment, Evaluation, Model, Node, Term, all_hold};
use quipu_sat::{Budget, Cadical, Lit, SatResult, SatSolver, Stop};

/// A SAT instance of the assertions of a model, and of the assumptions it was asked about.
pub(crate) struct BitSide {
    blaster: Blaster<Cadical>,
    assertions: Vec<Term>,
    excluded: Vec<Vec<(Term, u64)>>,
    /// How often a solution was none, because a function has no circuit.
    refinements: u64,
}

/// What the SAT solver said.
pub(crate) enum BitAnswer {
    Solution(Assignment),
    /// These assumptions, of the question, cannot all be true.
    Infeasible(Vec<Term>),
    /// Without these calls there is no solution: they must be unfolded.
    Needs(Vec<Term>),
    Budget,
    Interrupted,
}

impl BitSide {
    /// Translates the assertions of a model, using what is known of every term.
    pub fn new(solver: &mut Solver<'_>, interrupt: Arc<AtomicBool>) -> BitSide {
        let mut bits = BitSide {
            blaster: Blaster::new(Cadical::new(interrupt)),
            assertions: Vec::new(),
            excluded: Vec::new(),
            refinements: 0,
        };
        bits.update(solver);
        for &assertion in solver.model().assertions() {
            bits.assert(solver.model(), assertion);
        }
        bits
    }

    /// Makes a truth value true for good.
    pub fn assert(&mut self, model: &Model, assertion: Term) {
        self.blaster.assert_true(model, assertion);
        self.assertions.push(assertion);
    }

    /// Tells what propagation has found out since the last time about variables, and about terms that are not
    /// translated yet: those that are would only get more clauses.
    pub fn update(&mut self, solver: &mut Solver<'_>) {
        for term in solver.take_narrowed() {
            let model = solver.model();
            if matches!(model.node(term), Node::Var(_)) || !self.blaster.has(term) {
                self.blaster.narrow(model, term, solver.domain(term));
            }
        }
    }

    /// Looks for a solution in which these truth terms hold, with a limited number of conflicts. As long as it is none
    /// because of what functions without a circuit are not, more is said about these.
    pub fn solve(&mut self, model: &Model, assumptions: &[Term], conflicts: u64) -> BitAnswer {
        let limit = self.conflicts().saturating_add(conflicts);
        loop {
            let answer = self.solve_once(model, assumptions, limit.saturating_sub(self.conflicts()));
            let BitAnswer::Solution(assignment) = &answer else { return answer };
            if !self.blaster.is_inexact() || self.is_solution(model, assumptions, assignment) {
                return answer;
            }
            self.refinements += 1;
            if self.blaster.refine(model) == 0 {
                return answer;
            }
            if self.conflicts() >= limit {
                return BitAnswer::Budget;
            }
        }
    }

    fn is_solution(&self, model: &Model, assumptions: &[Term], assignment: &Assignment) -> bool {
        let demanded: Vec<Term> = self.assertions.iter().chain(assumptions).copied().collect();
        if !all_hold(model, &demanded, assignment) {
            return false;
        }
        let mut evaluation = Evaluation::new(model, assignment);
        let differs = |excluded: &Vec<(Term, u64)>| {
            excluded.iter().any(|&(term, value)| evaluation.value(term) != value)
        };
        self.excluded.iter().all(differs)
    }

    fn solve_once(&mut self, model: &Model, assumptions: &[Term], conflicts: u64) -> BitAnswer {
        // What was unfolded meanwhile is linked when a term is asked for.
        for &assertion in &self.assertions {
            self.blaster.literal(model, assertion);
        }
        let assumed: Vec<(Term, Lit)> =
            assumptions.iter().map(|&term| (term, self.blaster.literal(model, term))).collect();
        let calls = self.blaster.calls();
        let without = calls.iter().map(|&(_, literal)| !literal);
        let literals: Vec<Lit> = without.chain(assumed.iter().map(|&(_, literal)| literal)).collect();
        match self.blaster.solve(&literals, Budget::conflicts(conflicts)) {
            SatResult::Sat => BitAnswer::Solution(self.blaster.assignment(model)),
            SatResult::Unknown(Stop::Budget) => BitAnswer::Budget,
            SatResult::Unknown(Stop::Interrupted) => BitAnswer::Interrupted,
            SatResult::Unsat => {
                let core = self.blaster.solver();
                let needed: Vec<Term> =
                    calls.iter().filter(|call| core.failed(!call.1)).map(|call| call.0).collect();
                if !needed.is_empty() {
                    return BitAnswer::Needs(needed);
                }
                let failed = assumed.iter().filter(|assumed| core.failed(assumed.1));
                BitAnswer::Infeasible(failed.map(|assumed| assumed.0).collect())
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
        self.excluded.push(values.to_vec());
    }

    /// Conflicts, and solutions that were none.
    pub fn conflicts(&self) -> u64 {
        self.blaster.solver().statistics().conflicts + self.refinements
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
