//! Who works when.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quipu_base::IdVec;
use quipu_cp::{Answer as Found, Effort, Limits, Propagation, Solver, Stop, Strategy};
use quipu_domain::Domain;
use quipu_model::{Assignment, Model, Node, Term, Unfold, Var, all_hold};
use quipu_num::IntOp;
use quipu_rewrite::{Outcome, Simplifier};

use crate::answer::{Answer, Limit, Report, Solution};
use crate::bits::{BitAnswer, BitSide};
use crate::enumerate::{Enumerated, Enumeration};
use crate::unfolding::Simplified;

/// The effort of the first slices. Each round doubles them. They are short: what is easy for one part should not wait
/// for the other. Bits are easy for SAT; loops and recursion are bounded by search better than by SAT.
const FIRST_CONTRACTIONS: u64 = 3_000;
const FIRST_CONTRACTIONS_ON_BITS: u64 = 500;
const FIRST_CONTRACTIONS_WITH_CALLS: u64 = 20_000;
const FIRST_SAT_CONFLICTS: u64 = 500;
/// Calls that SAT may ask for in its first slice.
const FIRST_UNFOLDINGS: u64 = 8;
/// Conflicts can cost very different times, so search may also make up for what SAT has cost: it is given a contractor
/// call for so many ticks, which is about a third of the time.
const TICKS_PER_CONTRACTION: u64 = 100;
/// All values are tried as soon as that costs no more computed terms than this, doubled in each round.
const FIRST_COMPUTED: u64 = 600_000;
/// Computed terms that cost as much as a contractor call.
const COMPUTED_PER_CONTRACTION: u64 = 10;
/// Probing looks at everything twice: worth its price on small models only.
const MOST_TERMS_TO_PROBE: usize = 2_000;

/// What is allowed, and how to go about it.
#[derive(Clone, Debug)]
pub struct Options {
    pub strategy: Strategy,
    /// Contractor calls, and SAT conflicts, in total.
    pub effort: Option<u64>,
    /// Calls that may be unfolded.
    pub unfoldings: u64,
    /// Whether terms are rewritten first.
    pub rewrite: bool,
    pub search: bool,
    pub sat: bool,
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::default(),
            effort: None,
            unfoldings: 10_000,
            rewrite: true,
            search: true,
            sat: true,
            interrupt: Arc::default(),
        }
    }
}

/// A model and everything that was found out about it. It can be asked for one solution after the other.
pub struct Session<'a> {
    options: Options,
    n_vars: usize,
    original: Vec<Term>,
    simplifier: Simplifier,
    solver: Solver<'a>,
    bits: Option<BitSide>,
    excluded: Vec<Vec<(Term, u64)>>,
    probed: bool,
    first_contractions: u64,
    /// The effort of trying all values, in contractor calls.
    computed: u64,
    infeasible: bool,
}

impl<'a> Session<'a> {
    pub fn new(mut model: Model, bodies: impl Unfold + 'a, options: Options) -> Session<'a> {
        let (n_vars, original) = (model.vars().len(), model.assertions().to_vec());
        let mut simplifier = Simplifier::new();
        let infeasible = options.rewrite && simplifier.assertions(&mut model) == Outcome::Contradiction;
        let first_contractions = first_contractions(&model);
        let mut solver = match options.rewrite {
            true => Solver::new(model, Simplified::new(bodies), Limits::default()),
            false => Solver::new(model, bodies, Limits::default()),
        };
        solver.strategy = options.strategy;
        Session {
            options,
            n_vars,
            original,
            simplifier,
            solver,
            bits: None,
            excluded: Vec::new(),
            probed: false,
            first_contractions,
            computed: 0,
            infeasible,
        }
    }

    /// Narrows domains as far as propagation and probing alone lead; none if there is no solution.
    pub fn propagate(&mut self) -> Result<(), Answer> {
        if self.infeasible {
            return Err(Answer::Infeasible);
        }
        self.limit_search(u64::MAX);
        self.probed = true;
        match self.solver.probe(Effort { rounds: 16, shaves: 0 }) {
            Propagation::Open => Ok(()),
            Propagation::Infeasible => Err(self.refuted()),
            Propagation::Stopped(stop) => Err(Answer::GaveUp(limit_of(stop))),
        }
    }

    /// Makes sure that the domain of a term is narrowed by propagation.
    pub fn watch(&mut self, term: Term) {
        let term = self.simple(term);
        self.solver.watch(term);
    }

    /// What is known of a term.
    pub fn domain(&mut self, term: Term) -> Domain {
        let term = self.simple(term);
        self.solver.domain(term)
    }

    /// Looks for a solution that was not excluded.
    pub fn solve(&mut self) -> Answer {
        if self.infeasible {
            return Answer::Infeasible;
        }
        let mut slice = 1;
        loop {
            if let Some(answer) = self.search_slice(slice) {
                return answer;
            }
            if let Some(answer) = self.enumeration_slice(slice) {
                return answer;
            }
            if let Some(answer) = self.sat_slice(slice) {
                return answer;
            }
            if self.effort_left() == 0 {
                return Answer::GaveUp(Limit::Effort);
            }
            slice *= 2;
        }
    }

    /// Prepares for solutions that differ in these variables: they are chosen before all others.
    pub fn project(&mut self, vars: &[Var]) {
        self.solver.label_first(vars);
    }

    /// Excludes solutions in which these variables have the values that they have in a solution.
    pub fn exclude(&mut self, solution: &Solution, vars: &[Var]) {
        let values: Vec<(Term, u64)> = vars
            .iter()
            .map(|&var| {
                let term = self.solver.model().var_term(var);
                (self.simple(term), solution[var])
            })
            .collect();
        let open: Vec<(Term, u64)> =
            values.into_iter().filter(|&(term, _)| self.solver.model().constant(term).is_none()).collect();
        if open.is_empty() {
            self.infeasible = true;
            return;
        }
        let terms: Vec<Term> = open.iter().map(|&(term, _)| term).collect();
        if !self.solver.exclude_found(&terms) {
            self.solver.exclude(&open);
        }
        if let Some(bits) = &mut self.bits {
            bits.exclude(self.solver.model(), &open);
        }
        self.excluded.push(open);
    }

    pub fn report(&self) -> Report {
        let counters = self.solver.counters();
        let (sat_clauses, sat_variables) = self.bits.as_ref().map_or((0, 0), BitSide::size);
        Report {
            contractions: counters.contractions,
            narrowings: counters.narrowings,
            conflicts: counters.conflicts,
            decisions: counters.decisions,
            unfoldings: counters.unfoldings,
            sat_conflicts: self.bits.as_ref().map_or(0, BitSide::conflicts),
            sat_clauses,
            sat_variables,
        }
    }

    // The parts.

    fn search_slice(&mut self, slice: u64) -> Option<Answer> {
        let used = self.solver.counters().contractions;
        let owed = self.bits.as_ref().map_or(0, BitSide::ticks) / TICKS_PER_CONTRACTION;
        let contractions = match self.options.search || !self.options.sat {
            true => (self.first_contractions * slice).max(owed.saturating_sub(used)),
            false => 0,
        };
        self.limit_search(contractions);
        if !self.probed && self.solver.model().terms().len() <= MOST_TERMS_TO_PROBE {
            self.probed = true;
            match self.solver.probe(Effort { rounds: 2, shaves: 2 }) {
                Propagation::Infeasible => return Some(self.refuted()),
                Propagation::Open | Propagation::Stopped(_) => {}
            }
        }
        match self.solver.solve() {
            Found::Witness(assignment) => Some(self.confirmed(assignment)),
            Found::Infeasible => Some(self.refuted()),
            Found::GaveUp(Stop::Interrupted) => Some(Answer::GaveUp(Limit::Interrupted)),
            Found::GaveUp(Stop::Unfoldings) => Some(Answer::GaveUp(Limit::Unfoldings)),
            Found::GaveUp(Stop::Contractions | Stop::Conflicts) => None,
        }
    }

    /// Tries all values if they are few.
    fn enumeration_slice(&mut self, slice: u64) -> Option<Answer> {
        if !self.options.search || !self.excluded.is_empty() {
            return None;
        }
        let enumeration = Enumeration::plan(&self.solver)?;
        let limit = FIRST_COMPUTED * slice;
        let effort = enumeration.cost() / COMPUTED_PER_CONTRACTION;
        if enumeration.cost() > limit || effort > self.effort_left() {
            return None;
        }
        self.computed += effort;
        match enumeration.run(&self.solver, &self.options.interrupt) {
            Enumerated::Solution(assignment) => Some(self.confirmed(assignment)),
            Enumerated::Infeasible => Some(self.refuted()),
            Enumerated::Interrupted => Some(Answer::GaveUp(Limit::Interrupted)),
        }
    }

    fn sat_slice(&mut self, slice: u64) -> Option<Answer> {
        if !self.options.sat {
            return None;
        }
        if self.bits.is_none() {
            let assertions = self.solver.model().assertions().to_vec();
            let mut bits = BitSide::new(&self.solver, assertions, self.options.interrupt.clone());
            for values in &self.excluded {
                bits.exclude(self.solver.model(), values);
            }
            self.bits = Some(bits);
        }
        if let Some(bits) = &mut self.bits {
            bits.update(&self.solver);
        }
        // A loop that only search can bound would be unfolded for ever here.
        let most_unfoldings = self.solver.counters().unfoldings + FIRST_UNFOLDINGS * slice;
        loop {
            let conflicts = (FIRST_SAT_CONFLICTS * slice).min(self.effort_left());
            let bits = self.bits.as_mut().expect("it was just made");
            match bits.solve(self.solver.model(), conflicts) {
                BitAnswer::Solution(assignment) => return Some(self.confirmed(assignment)),
                BitAnswer::Infeasible => return Some(self.refuted()),
                BitAnswer::Budget => return None,
                BitAnswer::Interrupted => return Some(Answer::GaveUp(Limit::Interrupted)),
                BitAnswer::Needs(calls) => {
                    if self.solver.counters().unfoldings + calls.len() as u64 > self.options.unfoldings {
                        return Some(Answer::GaveUp(Limit::Unfoldings));
                    }
                    calls.into_iter().for_each(|call| self.solver.unfold(call));
                    if self.solver.counters().unfoldings > most_unfoldings {
                        return None;
                    }
                }
            }
        }
    }

    fn limit_search(&mut self, more_contractions: u64) {
        let counters = self.solver.counters();
        let contractions = counters.contractions.saturating_add(more_contractions.min(self.effort_left()));
        self.solver.set_limits(Limits {
            contractions: Some(contractions),
            conflicts: None,
            unfoldings: Some(self.options.unfoldings),
            interrupt: Some(self.options.interrupt.clone()),
        });
    }

    /// A conflict of the SAT solver counts as a hundred contractor calls, which is about what it costs.
    fn effort_left(&self) -> u64 {
        let Some(effort) = self.options.effort else { return u64::MAX };
        let sat = self.bits.as_ref().map_or(0, BitSide::conflicts);
        let search = self.solver.counters().contractions + self.computed;
        effort.saturating_sub(search).saturating_sub(sat.saturating_mul(100))
    }

    fn refuted(&mut self) -> Answer {
        self.infeasible = true;
        Answer::Infeasible
    }

    fn simple(&mut self, term: Term) -> Term {
        if self.options.rewrite { self.simplifier.term(self.solver.model_mut(), term) } else { term }
    }

    /// Completes a solution and checks it against what was asserted at first.
    fn confirmed(&mut self, mut assignment: Assignment) -> Answer {
        self.simplifier.complete(self.solver.model_mut(), &mut assignment);
        if !all_hold(self.solver.model(), &self.original, &assignment) {
            return Answer::GaveUp(Limit::Unconfirmed);
        }
        let values = assignment.iter().copied().take(self.n_vars);
        Answer::Solution(values.collect::<IdVec<Var, u64>>())
    }
}

fn first_contractions(model: &Model) -> u64 {
    if !model.relations().is_empty() {
        FIRST_CONTRACTIONS_WITH_CALLS
    } else if is_about_bits(model) {
        FIRST_CONTRACTIONS_ON_BITS
    } else {
        FIRST_CONTRACTIONS
    }
}

/// Whether a quarter of the operations in the assertions are on single bits.
fn is_about_bits(model: &Model) -> bool {
    let mut seen = model.table(false);
    let (mut bitwise, mut others) = (0, 0);
    let mut stack = model.assertions().to_vec();
    while let Some(term) = stack.pop() {
        if std::mem::replace(&mut seen[term], true) {
            continue;
        }
        match model.node(term) {
            Node::Op(op, ..) if is_bitwise(*op) => bitwise += 1,
            Node::Const(_) | Node::Var(_) | Node::Not(_) | Node::All(_) | Node::Any(_) => {}
            _ => others += 1,
        }
        model.node(term).for_each_operand(|operand| stack.push(operand));
    }
    bitwise > 0 && 3 * bitwise >= others
}

fn is_bitwise(op: IntOp) -> bool {
    matches!(op, IntOp::And | IntOp::Or | IntOp::Xor | IntOp::Shl | IntOp::LShr | IntOp::AShr)
}

fn limit_of(stop: Stop) -> Limit {
    match stop {
        Stop::Contractions | Stop::Conflicts => Limit::Effort,
        Stop::Unfoldings => Limit::Unfoldings,
        Stop::Interrupted => Limit::Interrupted,
    }
}
