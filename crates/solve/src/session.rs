//! Who works when.

use std::sync::Arc;

use quipu_base::IdVec;
use quipu_cp::{Answer as Found, Effort, Limits, Propagation, Refutation, Solver, Stop};
use quipu_domain::Domain;
use quipu_model::{Assignment, Model, Node, Term, Unfold, Var, all_hold};
use quipu_num::IntOp;
use quipu_rewrite::{Outcome, Simplifier, contradict};
use rustc_hash::FxHashSet;

use crate::answer::{Answer, Limit, Report, Solution};
use crate::bits::{BitAnswer, BitSide};
use crate::contents::{Floats, is_about_bits, needed};
use crate::enumerate::{Enumerated, Enumeration};
use crate::equal_factors::equal_products;
use crate::linear::{Linear, LinearSide, Relaxing, Subject};
use crate::loops::Loops;
use crate::options::Options;
use crate::orders::Orders;
use crate::summary::Summaries;
use crate::unfolding::Simplified;
use crate::walk::{Walk, Walked};

/// The effort of the first slices. Each round doubles them. They are short: what is easy for one part should not wait
/// for the other. Bits are easy for SAT; loops and recursion are bounded by search better than by SAT.
const FIRST_CONTRACTIONS: u64 = 3_000;
const FIRST_CONTRACTIONS_ON_BITS: u64 = 500;
const FIRST_CONTRACTIONS_WITH_CALLS: u64 = 20_000;
/// What search may cost at first for each term that the assumptions of a question need.
const CONTRACTIONS_PER_TERM: u64 = 32;
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
/// Terms that a walk over assignments may compute in its first slice.
const FIRST_WALKED: u64 = 100_000;
/// Circuits of floats are large: SAT waits until the slices of the others are as long as writing them takes. So many
/// operations take as long as the first slice.
const OPERATIONS_PER_SLICE: u64 = 4;
/// Products of unknowns are hard for SAT too, if there are more than so many. Each counts as so many operations.
const MOST_EASY_PRODUCTS: u64 = 1;
const OPERATIONS_PER_PRODUCT: u64 = 2;
/// Search looks at the terms of a question only, SAT must give a value to everything that was ever asked about. So search
/// goes first where assumptions need no more terms than this. It also does for larger questions, where it finds most
/// solutions sooner than SAT, but it pauses for more and more of them as long as it finds nothing.
const MOST_TERMS_OF_SMALL_QUESTION: usize = 500;
const LONGEST_PAUSE: u32 = 16;
/// Probing looks at everything twice: worth its price on small models only.
const MOST_TERMS_TO_PROBE: usize = 2_000;

/// Numbers that linear relaxations may compute in their first slice, and cases that they may tell apart.
const FIRST_RELAXED: u64 = 200_000;
const FIRST_CASES: u64 = 48;
/// What they may compute altogether where nothing but propagation is asked for.
const RELAXED_IN_PROPAGATION: u64 = 20_000_000;
/// With fewer operations, domains say all that relaxations could.
const LEAST_ARITHMETIC: usize = 2;
/// How many times longer slices are where equal factors make products equal.
const HASTE_WITH_EQUATIONS: u64 = 8;
/// Relaxations that concluded nothing in a slice this long are not asked again.
const SLICES_WITHOUT_SUCCESS: u64 = 4;
/// Numbers of relaxations that cost as much as a contractor call.
const RELAXED_PER_CONTRACTION: u64 = 100;

/// Rewriting case by case is worth its price on small questions only.
const MOST_TERMS_TO_REWRITE: usize = 3_000;

/// A model and everything that was found out about it. It can be asked for one solution after the other, and, under
/// assumptions, one question after the other while the model grows.
pub struct Session<'a> {
    options: Options,
    original: Vec<Term>,
    simplifier: Simplifier,
    solver: Solver<'a>,
    bits: Option<BitSide>,
    linear: LinearSide,
    loops: Loops,
    /// Terms of which the domains are asked for.
    watched: Vec<Term>,
    /// Numbers that relaxations computed in propagation.
    relaxed_in_propagation: u64,
    /// What was said about products, so that it is not said again.
    products_told: FxHashSet<Term>,
    excluded: Vec<Vec<(Term, u64)>>,
    probed: bool,
    /// The slices of search so far, for the present question.
    n_slices: usize,
    first_contractions: u64,
    /// For how many large questions search does not go first, and for how many it will not if it fails again.
    pause: u32,
    next_pause: u32,
    /// The effort of trying values, in contractor calls.
    computed: u64,
    floats: Floats,
    orders: Orders,
    /// Values that satisfy what SAT knows of the present question, but not the question.
    near_miss: Option<Assignment>,
    infeasible: bool,
    core: Vec<Term>,
    /// Whether the effort is allowed to each question, or to all together.
    effort_per_question: bool,
    /// What had been used when the effort began to be counted.
    effort_before: u64,
    /// What search and SAT had cost when they began to be weighed against each other.
    contractions_before: u64,
    ticks_before: u64,
}

/// What is asked.
struct Question {
    /// The assumptions as they were given, each with its simpler form.
    assumptions: Vec<(Term, Term)>,
    /// The simpler forms of those that are not surely true.
    open: Vec<Term>,
    is_large: bool,
    /// Whether floats may take part.
    has_floats: bool,
    /// A solution gives values to the variables that there were at the beginning.
    n_vars: usize,
}

impl<'a> Session<'a> {
    pub fn new(mut model: Model, bodies: impl Unfold + 'a, options: Options) -> Session<'a> {
        let original = model.assertions().to_vec();
        let mut simplifier = Simplifier::new();
        let infeasible = options.rewrite && simplifier.assertions(&mut model) == Outcome::Contradiction;
        let first_contractions = first_contractions(&model);
        let mut summaries = Arc::new(Summaries::default());
        let mut solver = match options.rewrite {
            true => {
                summaries = Arc::new(Summaries::of(&mut model));
                let bodies = Simplified::new(&model, bodies, summaries.clone());
                Solver::new(model, bodies, Limits::default())
            }
            false => Solver::new(model, bodies, Limits::default()),
        };
        if !summaries.is_empty() {
            solver.set_closing(summaries.clone());
        }
        solver.strategy = options.strategy;
        Session {
            options,
            original,
            simplifier,
            solver,
            bits: None,
            linear: LinearSide::new(),
            loops: Loops::new(summaries),
            watched: Vec::new(),
            relaxed_in_propagation: 0,
            products_told: FxHashSet::default(),
            excluded: Vec::new(),
            probed: false,
            n_slices: 0,
            first_contractions,
            pause: 0,
            next_pause: 1,
            computed: 0,
            floats: Floats::default(),
            orders: Orders::default(),
            near_miss: None,
            infeasible,
            core: Vec::new(),
            effort_per_question: false,
            effort_before: 0,
            contractions_before: 0,
            ticks_before: 0,
        }
    }

    /// The model. Its assertions may have been rewritten.
    pub fn model(&self) -> &Model {
        self.solver.model()
    }

    /// The model, to which terms and variables may be added between questions; assertions by [`Session::assert`] only.
    pub fn model_mut(&mut self) -> &mut Model {
        self.solver.model_mut()
    }

    /// Demands that a truth value is true in all solutions to come.
    pub fn assert(&mut self, term: Term) {
        self.original.push(term);
        let simple = self.simple(term);
        match self.model().constant(simple) {
            Some(1) => return,
            Some(_) => self.infeasible = true,
            None => {}
        }
        self.solver.assert(simple);
        if let Some(bits) = &mut self.bits {
            bits.assert(self.solver.model(), simple);
        }
    }

    /// Allows this effort to each question to come, counted from its beginning.
    pub fn set_effort(&mut self, effort: Option<u64>) {
        self.options.effort = effort;
        self.effort_per_question = true;
    }

    /// Narrows domains as far as propagation and probing alone lead; none if there is no solution.
    pub fn propagate(&mut self) -> Result<(), Answer> {
        if self.infeasible {
            return Err(Answer::Infeasible);
        }
        self.limit_search(u64::MAX);
        self.probed = true;
        loop {
            match self.probe_relaxing(Effort { rounds: 16, shaves: 0, parts: true }) {
                Propagation::Open if self.tell_of_loops() => {}
                Propagation::Open => return Ok(()),
                Propagation::Infeasible => return Err(self.refuted_for_good()),
                Propagation::Stopped(stop) => return Err(Answer::GaveUp(limit_of(stop))),
            }
        }
    }

    /// Probes, with linear relaxations where they are allowed and not too large.
    fn probe_relaxing(&mut self, effort: Effort) -> Propagation {
        let roots: Vec<Term> = self.model().assertions().iter().chain(&self.watched).copied().collect();
        let subject = match self.options.linear {
            Linear::Never => None,
            // One sum is enough where numbers differ, of which domains know nothing.
            Linear::Adaptive => Subject::of(self.model(), roots, 1),
            Linear::Always => Subject::of(self.model(), roots, 0),
        };
        let Some(mut subject) = subject else { return self.solver.probe(effort) };
        subject.bound_first(&self.watched);
        let most_work = RELAXED_IN_PROPAGATION
            .min(self.effort_left().saturating_mul(RELAXED_PER_CONTRACTION))
            .saturating_sub(self.relaxed_in_propagation);
        let interrupt = self.options.interrupt.clone();
        let mut relaxing = Relaxing { subject: &mut subject, interrupt, most_work, work: 0, successes: 0 };
        let end = self.solver.probe_with(effort, &mut relaxing);
        self.relaxed_in_propagation += relaxing.work;
        self.computed += relaxing.work / RELAXED_PER_CONTRACTION;
        end
    }

    /// Says what is known of loops whose arguments lie in the present domains; whether that is something new.
    fn tell_of_loops(&mut self) -> bool {
        let facts = self.loops.facts(&mut self.solver);
        let mut is_new = false;
        for fact in facts {
            let simple = self.simple(fact);
            if self.model().constant(simple) != Some(1) && self.solver.domain(simple) != Domain::TRUE {
                is_new = true;
                self.solver.assert(simple);
            }
        }
        is_new
    }

    /// Makes sure that the domain of a term is narrowed by propagation.
    pub fn watch(&mut self, term: Term) {
        let term = self.simple(term);
        self.watched.push(term);
        self.solver.watch(term);
    }

    /// What is known of a term.
    pub fn domain(&mut self, term: Term) -> Domain {
        let term = self.simple(term);
        self.solver.domain(term)
    }

    /// Looks for a solution that was not excluded.
    pub fn solve(&mut self) -> Answer {
        self.solve_under(&[])
    }

    /// Looks for a solution, that was not excluded, in which these truth values are true too. What is learned stays, the
    /// assumptions do not.
    pub fn solve_under(&mut self, assumptions: &[Term]) -> Answer {
        self.core.clear();
        self.near_miss = None;
        self.n_slices = 0;
        if self.infeasible {
            return Answer::Infeasible;
        }
        let mut question = match self.question(assumptions) {
            Ok(question) => question,
            Err(never_true) => {
                self.core.push(never_true);
                return Answer::Infeasible;
            }
        };
        self.count_from_here(&question);
        if self.options.linear == Linear::Always {
            let mut subject = self.subject(&question);
            if let Some(answer) = self.linear_slice(&question, &mut subject, 2) {
                return answer;
            }
        }
        if self.is_for_search_first(&question) {
            let answer = self.search_slice(&question, 1).or_else(|| self.enumeration_slice(&question, 1));
            self.note_success_of_search(&question, answer.is_some());
            if let Some(answer) = answer {
                return answer;
            }
        }
        let mut subject = self.subject(&question);
        self.tell_equal_products(&mut question, &mut subject);
        let mut walk = self.plan_walk(&question);
        let answer = self
            .walk_slice(&question, &mut walk, 1)
            .or_else(|| self.linear_slice(&question, &mut subject, 1));
        if let Some(answer) = answer {
            return answer;
        }
        let n_products = subject.as_ref().map_or(0, |subject| subject.products.len() as u64);
        let sat_goes_last = walk.is_some() || n_products > MOST_EASY_PRODUCTS;
        let n_operations = walk.as_ref().map_or(OPERATIONS_PER_PRODUCT * n_products, Walk::n_operations);
        let mut slice = 1;
        loop {
            if !sat_goes_last && let Some(answer) = self.sat_slice(&question, slice) {
                return answer;
            }
            if self.effort_left() == 0 {
                return Answer::GaveUp(Limit::Effort);
            }
            let with_sat = sat_goes_last && OPERATIONS_PER_SLICE * slice >= n_operations;
            let answer = self
                .search_slice(&question, 2 * slice)
                .or_else(|| self.enumeration_slice(&question, 2 * slice))
                .or_else(|| self.linear_slice(&question, &mut subject, 2 * slice))
                .or_else(|| self.walk_slice(&question, &mut walk, 2 * slice))
                .or_else(|| if with_sat { self.sat_slice(&question, slice) } else { None });
            if let Some(answer) = answer {
                return answer;
            }
            if slice == 1 {
                self.tell_orders(&question);
            }
            slice *= 2;
        }
    }

    /// Whether there is no solution in which these truth values are true, as far as rewriting shows that in so many cases.
    /// This is for products of wide numbers, of which no other part knows much; where there are none, or too much else,
    /// the answer is no.
    pub fn is_refuted_by_rewriting(&self, assumptions: &[Term], most_cases: usize) -> bool {
        let parts: Vec<Term> = self.original.iter().chain(assumptions).copied().collect();
        let is_product = |term: Term| match *self.model().node(term) {
            Node::Op(IntOp::Mul, a, b) => [a, b].iter().all(|side| self.model().constant(*side).is_none()),
            _ => false,
        };
        let terms = needed(self.model(), &parts, MOST_TERMS_TO_REWRITE + 1);
        terms.len() <= MOST_TERMS_TO_REWRITE
            && terms.iter().any(|&term| is_product(term))
            && contradict(&mut self.model().clone(), &parts, most_cases)
    }

    /// After an `Infeasible` of [`Session::solve_under`]: assumptions that cannot all be true. Empty if there is no
    /// solution without them either; not always the smallest such set.
    pub fn core(&self) -> &[Term] {
        &self.core
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

    // The question.

    /// Makes assumptions ready; gives back one that is never true, if there is one.
    fn question(&mut self, assumptions: &[Term]) -> Result<Question, Term> {
        let assumptions: Vec<(Term, Term)> =
            assumptions.iter().map(|&given| (given, self.simple(given))).collect();
        let mut open = Vec::with_capacity(assumptions.len());
        for &(given, simple) in &assumptions {
            match self.model().constant(simple) {
                Some(1) => {}
                Some(_) => return Err(given),
                None => open.push(simple),
            }
        }
        let most = MOST_TERMS_OF_SMALL_QUESTION;
        let is_large = self.solver.count_needed(&open, most + 1) > most;
        let has_floats = self.floats.occur_in(self.solver.model());
        Ok(Question { assumptions, open, is_large, has_floats, n_vars: self.model().vars().len() })
    }

    /// What other questions have cost is no reason to give search more time for this one.
    fn count_from_here(&mut self, question: &Question) {
        if self.effort_per_question {
            self.effort_before = self.effort_used();
        }
        if !question.open.is_empty() {
            self.contractions_before = self.solver.counters().contractions;
            self.ticks_before = self.ticks();
        }
    }

    fn is_for_search_first(&mut self, question: &Question) -> bool {
        if !self.options.sat || !question.is_large {
            return true;
        }
        let goes_first = self.options.search && self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        goes_first
    }

    fn note_success_of_search(&mut self, question: &Question, found: bool) {
        if !question.is_large {
            return;
        }
        if found {
            self.next_pause = 1;
        } else {
            self.pause = self.next_pause;
            self.next_pause = (2 * self.next_pause).min(LONGEST_PAUSE);
        }
    }

    // The parts.

    fn search_slice(&mut self, question: &Question, slice: u64) -> Option<Answer> {
        if !self.may_search() && !question.open.is_empty() {
            return None;
        }
        let contractions = self.contractions(question, slice);
        self.limit_search(contractions);
        if !self.probed && self.solver.model().terms().len() <= MOST_TERMS_TO_PROBE {
            self.probed = true;
            if question.has_floats {
                self.limit_search(contractions / 2);
            }
            match self.solver.probe(Effort { rounds: 2, shaves: 2, parts: false }) {
                Propagation::Infeasible => return Some(self.refuted_for_good()),
                Propagation::Open => {
                    self.tell_of_loops();
                }
                Propagation::Stopped(_) => {}
            }
            if question.has_floats {
                self.limit_search(contractions);
            }
        }
        self.solver.direction = self.options.directions[self.n_slices % self.options.directions.len()];
        self.n_slices += 1;
        match self.solver.solve_under(&question.open) {
            Found::Witness(assignment) => Some(self.confirmed(question, assignment)),
            Found::Infeasible => {
                let core = self.solver.core().to_vec();
                Some(self.refuted(question, &core))
            }
            Found::GaveUp(Stop::Interrupted) => Some(Answer::GaveUp(Limit::Interrupted)),
            Found::GaveUp(Stop::Unfoldings) => Some(Answer::GaveUp(Limit::Unfoldings)),
            Found::GaveUp(Stop::Contractions | Stop::Conflicts) => None,
        }
    }

    /// Somebody has to work.
    fn may_search(&self) -> bool {
        self.options.search || !self.options.sat
    }

    /// What search may cost in a slice. It can do nothing useful before it has looked at every term of the question.
    fn contractions(&mut self, question: &Question, slice: u64) -> u64 {
        if !self.may_search() {
            return 0;
        }
        let size = self.solver.attend(&question.open) as u64;
        let used = self.solver.counters().contractions - self.contractions_before;
        let owed = (self.ticks() - self.ticks_before) / TICKS_PER_CONTRACTION;
        let first = self.first_contractions.max(CONTRACTIONS_PER_TERM * size);
        (first * slice).max(owed.saturating_sub(used))
    }

    /// Tries all values if they are few. It knows of no assumptions: to plan it for each of many questions would cost
    /// more than it gains.
    fn enumeration_slice(&mut self, question: &Question, slice: u64) -> Option<Answer> {
        if !self.options.search || !self.excluded.is_empty() || !question.open.is_empty() {
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
            Enumerated::Solution(assignment) => Some(self.confirmed(question, assignment)),
            Enumerated::Infeasible => Some(self.refuted_for_good()),
            Enumerated::Interrupted => Some(Answer::GaveUp(Limit::Interrupted)),
        }
    }

    /// What linear relaxations can be made of, if they are to take part.
    fn subject(&mut self, question: &Question) -> Option<Subject> {
        let takes_part = match self.options.linear {
            Linear::Never => false,
            Linear::Adaptive => self.options.search && !question.is_large && self.linear.takes_part(),
            Linear::Always => true,
        };
        if !takes_part {
            return None;
        }
        let roots = self.model().assertions().iter().chain(&question.open).copied().collect();
        let least_arithmetic = if self.options.linear == Linear::Always { 0 } else { LEAST_ARITHMETIC };
        Subject::of(self.model(), roots, least_arithmetic)
    }

    /// Propagation and linear relaxations together; in later slices by cases.
    fn linear_slice(
        &mut self,
        question: &Question,
        linear_subject: &mut Option<Subject>,
        slice: u64,
    ) -> Option<Answer> {
        let subject = linear_subject.as_mut()?;
        // Most of the work should be that of relaxations. They begin with little, for the rest may be easy for others, but
        // not where products depend on equations.
        let haste = if subject.implied.is_empty() { 1 } else { HASTE_WITH_EQUATIONS };
        let contractions = self.contractions(question, slice) * haste / 4;
        self.limit_search(contractions);
        let work = FIRST_RELAXED.saturating_mul(haste * slice.saturating_mul(slice));
        let most_work = work.min(self.effort_left().saturating_mul(RELAXED_PER_CONTRACTION));
        let interrupt = self.options.interrupt.clone();
        // Products are hard for SAT, so their cases do not wait for it.
        let has_products = !subject.products.is_empty();
        let most_cases = if slice > 1 || has_products { FIRST_CASES * slice } else { 0 };
        let mut relaxing = Relaxing { subject, interrupt, most_work, work: 0, successes: 0 };
        let refutation = self.solver.refute(&question.open, &mut relaxing, most_cases as usize);
        self.computed += relaxing.work / RELAXED_PER_CONTRACTION;
        let successes = relaxing.successes;
        if slice == 1 {
            self.linear.note(successes > 0 || refutation == Refutation::Refuted);
        }
        if successes == 0 && slice >= SLICES_WITHOUT_SUCCESS {
            *linear_subject = None;
        }
        match refutation {
            Refutation::Refuted => {
                let core = self.solver.core().to_vec();
                Some(self.refuted(question, &core))
            }
            Refutation::Stopped(Stop::Interrupted) => Some(Answer::GaveUp(Limit::Interrupted)),
            Refutation::Stopped(Stop::Unfoldings) => Some(Answer::GaveUp(Limit::Unfoldings)),
            Refutation::Open | Refutation::Stopped(Stop::Contractions | Stop::Conflicts) => None,
        }
    }

    /// Says which products are equal where their factors are. That is always true: it is said for good if the model alone
    /// is asked about, else with the assumptions, so that products of one question take no part in others.
    fn tell_equal_products(&mut self, question: &mut Question, subject: &mut Option<Subject>) {
        let Some(subject) = subject else { return };
        let facts = equal_products(self.solver.model_mut(), &subject.equations, &subject.products);
        subject.implied = facts.iter().map(|fact| fact.equal).collect();
        let facts: Vec<Term> = facts.into_iter().map(|fact| fact.truth).collect();
        subject.roots.extend_from_slice(&facts);
        if !question.open.is_empty() {
            question.open.extend(facts);
            return;
        }
        for fact in facts {
            if self.products_told.insert(fact) {
                self.solver.assert(fact);
                if let Some(bits) = &mut self.bits {
                    bits.assert(self.solver.model(), fact);
                }
            }
        }
    }

    /// A walk over assignments, if there are floats: these have few other friends.
    fn plan_walk(&self, question: &Question) -> Option<Walk> {
        let may_walk = question.has_floats && self.options.search && self.excluded.is_empty();
        if may_walk { Walk::plan(&self.solver, &question.open) } else { None }
    }

    fn walk_slice(&mut self, question: &Question, walk: &mut Option<Walk>, slice: u64) -> Option<Answer> {
        if !walk.as_mut()?.refresh(&self.solver) {
            *walk = self.plan_walk(question);
        }
        let walk = walk.as_mut()?;
        let limit = (FIRST_WALKED * slice).min(self.effort_left().saturating_mul(COMPUTED_PER_CONTRACTION));
        let start = self.near_miss.take();
        let (end, computed) = walk.run(&self.solver, start.as_ref(), slice, limit, &self.options.interrupt);
        self.computed += computed / COMPUTED_PER_CONTRACTION;
        match end {
            Walked::Solution(assignment) => Some(self.confirmed(question, assignment)),
            Walked::Nothing => None,
            Walked::Interrupted => Some(Answer::GaveUp(Limit::Interrupted)),
        }
    }

    fn sat_slice(&mut self, question: &Question, slice: u64) -> Option<Answer> {
        // To begin is not for free: in a large instance it takes long to find out that nothing is allowed.
        let too_late = !question.open.is_empty() && self.effort_left() == 0;
        if !self.options.sat || too_late {
            return None;
        }
        match &mut self.bits {
            Some(bits) => bits.update(&mut self.solver),
            None => self.start_bits(),
        }
        // A loop that only search can bound would be unfolded for ever here.
        let most_unfoldings = self.solver.counters().unfoldings + FIRST_UNFOLDINGS * slice;
        loop {
            let conflicts = (FIRST_SAT_CONFLICTS * slice).min(self.effort_left());
            let bits = self.bits.as_mut().expect("it was just made");
            match bits.solve(self.solver.model(), &question.open, conflicts) {
                BitAnswer::Solution(assignment) => return self.confirmed_by_bits(question, assignment),
                BitAnswer::Infeasible(core) => return Some(self.refuted(question, &core)),
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

    /// SAT does not know every function of floats: what it takes for a solution may be none, but not far from one.
    fn confirmed_by_bits(&mut self, question: &Question, assignment: Assignment) -> Option<Answer> {
        match self.confirmed(question, assignment.clone()) {
            Answer::GaveUp(Limit::Unconfirmed) if question.has_floats => {
                self.near_miss = Some(assignment);
                None
            }
            answer => Some(answer),
        }
    }

    fn start_bits(&mut self) {
        let mut bits = BitSide::new(&mut self.solver, self.options.interrupt.clone());
        for values in &self.excluded {
            bits.exclude(self.solver.model(), values);
        }
        self.bits = Some(bits);
    }

    /// What takes longer than a moment may depend on orders.
    fn tell_orders(&mut self, question: &Question) {
        let mut needed = self.solver.model().assertions().to_vec();
        needed.extend(&question.open);
        let lemmas = self.orders.lemmas(self.solver.model_mut(), &needed);
        for lemma in lemmas {
            let simple = self.simple(lemma);
            if self.model().constant(simple).is_some() {
                continue;
            }
            self.solver.assert(simple);
            if let Some(bits) = &mut self.bits {
                bits.assert(self.solver.model(), simple);
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

    fn effort_left(&self) -> u64 {
        let Some(effort) = self.options.effort else { return u64::MAX };
        effort.saturating_sub(self.effort_used() - self.effort_before)
    }

    /// The effort of all questions so far. A conflict of the SAT solver counts as a hundred contractor calls, which is
    /// about what it costs.
    pub fn effort_used(&self) -> u64 {
        let sat = self.bits.as_ref().map_or(0, BitSide::conflicts);
        let search = self.solver.counters().contractions + self.computed;
        search.saturating_add(sat.saturating_mul(100))
    }

    /// What SAT has cost.
    fn ticks(&self) -> u64 {
        self.bits.as_ref().map_or(0, BitSide::ticks)
    }

    fn refuted_for_good(&mut self) -> Answer {
        self.infeasible = true;
        Answer::Infeasible
    }

    /// Some assumptions, in their simpler form, cannot all be true.
    fn refuted(&mut self, question: &Question, core: &[Term]) -> Answer {
        let given = question.assumptions.iter().filter(|(_, simple)| core.contains(simple));
        self.core = given.map(|&(given, _)| given).collect();
        self.infeasible = core.is_empty();
        Answer::Infeasible
    }

    fn simple(&mut self, term: Term) -> Term {
        if self.options.rewrite { self.simplifier.term(self.solver.model_mut(), term) } else { term }
    }

    /// Completes a solution and checks it against what was asserted and assumed, as it was given.
    fn confirmed(&mut self, question: &Question, mut assignment: Assignment) -> Answer {
        self.simplifier.complete(self.solver.model_mut(), &mut assignment);
        let assumed = question.assumptions.iter().map(|&(given, _)| given);
        let demanded: Vec<Term> = self.original.iter().copied().chain(assumed).collect();
        if !all_hold(self.solver.model(), &demanded, &assignment) {
            return Answer::GaveUp(Limit::Unconfirmed);
        }
        let values = assignment.iter().copied().take(question.n_vars);
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

fn limit_of(stop: Stop) -> Limit {
    match stop {
        Stop::Contractions | Stop::Conflicts => Limit::Effort,
        Stop::Unfoldings => Limit::Unfoldings,
        Stop::Interrupted => Limit::Interrupted,
    }
}
