//! The solver: propagation, probing, and a search that learns from its conflicts.

use quipu_base::{Id, IdVec};
use quipu_domain::{Domain, Interval};
use quipu_model::{Assignment, Model, Node, Reading, Role, Term, Unfold, Var, VarInfo};
use quipu_num::Width;

use crate::analyze::{Lesson, Until, analyze, decisions_behind};
use crate::atom::Atom;
use crate::clauses::Origin;
use crate::closing::Closing;
use crate::direction::{Direction, Guide};
use crate::engine::{Counters, Engine, Fixpoint};
use crate::explain::Conflict;
use crate::float_label::{format_of, simplest_value};
use crate::limits::{Limits, Stop};
use crate::open_labels::OpenLabels;
use crate::strategy::{Open, Strategy, Turn};

/// How a search went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Values for all variables that satisfy the model.
    Witness(Assignment),
    /// There are none.
    Infeasible,
    GaveUp(Stop),
}

/// What propagation alone found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Propagation {
    /// Solutions lie in the domains, if there are any.
    Open,
    Infeasible,
    Stopped(Stop),
}

/// Calls unfolded below decisions, before a part of the search is postponed.
const FIRST_DEPTH: u64 = 64;
const RESTART_UNIT: u64 = 64;
const FIRST_CLAUSES: usize = 2000;

/// A solver for one model. It can be asked again and again; what it learned stays.
pub struct Solver<'a> {
    pub(crate) engine: Engine<'a>,
    infeasible: bool,
    core: Vec<Term>,
    /// The assumptions of the present question.
    asked: Vec<Term>,
    /// The terms that only they need.
    n_attended: usize,
    pub strategy: Strategy,
    pub direction: Direction,
    guide: Guide,
    turn: Turn,
    activity: IdVec<Term, f64>,
    activity_step: f64,
    random_state: u64,
    /// Variables that can be labelled, in order of declaration.
    labels: Vec<Label>,
    open_labels: OpenLabels,
    /// Variables to be labelled before all others, instead of the inputs.
    first: Option<Vec<Var>>,
    vars_seen: usize,
    /// True while parts of the search that go too deep are postponed; false once they are all that is left.
    patience: Option<Term>,
    depth: u64,
    most_clauses: usize,
    /// The decisions are those of the solution told last.
    at_solution: bool,
    /// The search goes on from its present decisions.
    resume: bool,
}

impl<'a> Solver<'a> {
    pub fn new(model: Model, bodies: impl Unfold + 'a, limits: Limits) -> Solver<'a> {
        let (engine, possible) = Engine::new(model, Box::new(bodies), limits);
        Solver {
            engine,
            infeasible: !possible,
            core: Vec::new(),
            asked: Vec::new(),
            n_attended: 0,
            strategy: Strategy::default(),
            direction: Direction::default(),
            guide: Guide::default(),
            turn: Turn::default(),
            activity: IdVec::new(),
            activity_step: 1.0,
            random_state: 0x9e37_79b9_7f4a_7c15,
            labels: Vec::new(),
            open_labels: OpenLabels::default(),
            first: None,
            vars_seen: 0,
            patience: None,
            depth: FIRST_DEPTH,
            most_clauses: FIRST_CLAUSES,
            at_solution: false,
            resume: false,
        }
    }

    /// Lets somebody who knows calls as a whole take part in propagation.
    pub fn set_closing(&mut self, closing: impl Closing + 'a) {
        self.go_to_root();
        self.engine.set_closing(Box::new(closing));
    }

    /// The calls that are true in all solutions, as far as is known.
    pub fn true_calls(&self) -> Vec<Term> {
        let model = &self.engine.model;
        let is_call = |&term: &Term| matches!(model.node(term), Node::Call(..));
        let is_true = |&term: &Term| self.domain(term) == Domain::TRUE;
        model.terms().filter(is_call).filter(is_true).collect()
    }

    pub fn model(&self) -> &Model {
        &self.engine.model
    }

    /// The model, to which terms and variables may be added.
    pub fn model_mut(&mut self) -> &mut Model {
        &mut self.engine.model
    }

    pub fn counters(&self) -> Counters {
        self.engine.counters
    }

    pub fn set_limits(&mut self, limits: Limits) {
        self.engine.limits = limits;
    }

    /// The domain of a term in all solutions: what is known without any decision.
    pub fn domain(&self, term: Term) -> Domain {
        if self.engine.is_active(term) { self.engine.store.root(term) } else { self.declared(term) }
    }

    /// What is known of a term that takes no part.
    fn declared(&self, term: Term) -> Domain {
        let model = &self.engine.model;
        let w = model.width(term);
        match model.node(term) {
            Node::Const(bits) => Domain::singleton(w, *bits),
            Node::Var(var) => Domain::declared(w, model.vars()[*var].range),
            _ => Domain::full(w),
        }
    }

    /// The number of atoms in clauses.
    pub fn n_atoms(&self) -> usize {
        self.engine.clauses.n_atoms()
    }

    /// The memory held by terms and by atoms of clauses, in bytes each.
    pub fn bytes_per_item() -> (usize, usize) {
        let per_term =
            2 * size_of::<Domain>() + size_of::<Width>() + size_of::<u32>() + size_of::<Vec<Term>>() * 2;
        (per_term, size_of::<Atom>())
    }

    /// Propagates at level 0, unfolding calls that must be true.
    pub fn propagate(&mut self) -> Propagation {
        if self.infeasible {
            return Propagation::Infeasible;
        }
        self.go_to_root();
        self.engine.connect_unfolded();
        match self.engine.propagate(true) {
            Fixpoint::Reached => Propagation::Open,
            Fixpoint::Stopped(stop) => Propagation::Stopped(stop),
            Fixpoint::TooDeep => unreachable!("depth is limited below decisions only"),
            Fixpoint::Conflict(_) => {
                self.infeasible = true;
                Propagation::Infeasible
            }
        }
    }

    /// Notes that the model has no solution.
    pub(crate) fn refuted(&mut self) -> Propagation {
        self.infeasible = true;
        Propagation::Infeasible
    }

    /// Finds a solution.
    pub fn solve(&mut self) -> Answer {
        self.solve_under(&[])
    }

    /// Finds a solution in which the truth values given are true. What is learned stays, the assumptions do not.
    pub fn solve_under(&mut self, assumptions: &[Term]) -> Answer {
        self.begin_question(assumptions);
        if self.infeasible {
            return Answer::Infeasible;
        }
        if !std::mem::take(&mut self.resume) {
            match self.propagate() {
                Propagation::Infeasible => return Answer::Infeasible,
                Propagation::Stopped(stop) => return Answer::GaveUp(stop),
                Propagation::Open => {}
            }
        }
        let roots: Vec<Term> = assumptions.iter().chain(self.engine.model.assertions()).copied().collect();
        self.guide.begin(&self.engine.model, self.direction, &roots);
        self.open_labels.begin(self.labels.len());
        let mut until_restart = RESTART_UNIT;
        loop {
            match self.search(assumptions, until_restart) {
                End::Answer(answer) => return answer,
                End::Restart => {
                    self.engine.counters.restarts += 1;
                    until_restart = RESTART_UNIT * luby(self.engine.counters.restarts);
                    self.turn = self.turn.next();
                    self.engine.backtrack(0);
                    self.forget_clauses();
                }
            }
        }
    }

    pub(crate) fn begin_question(&mut self, assumptions: &[Term]) {
        self.core.clear();
        self.at_solution = false;
        self.turn = Turn::default();
        self.attend(assumptions);
    }

    /// Whether it is known that the model has no solution.
    pub(crate) fn is_refuted(&self) -> bool {
        self.infeasible
    }

    /// Notes assumptions that cannot all be true.
    pub(crate) fn set_core(&mut self, core: Vec<Term>) {
        self.core = core;
    }

    /// Turns to a question: terms that only its assumptions need take part, those that only earlier ones needed do not
    /// any more. Says how many terms the assumptions need that the model does not.
    pub fn attend(&mut self, assumptions: &[Term]) -> usize {
        if assumptions != self.asked {
            self.go_to_root();
            self.asked = assumptions.to_vec();
            self.n_attended = self.engine.attend(assumptions);
        }
        self.n_attended
    }

    /// After `Infeasible`: assumptions that cannot all be true. Empty if there is no solution without them either; not
    /// always the smallest such set.
    pub fn core(&self) -> &[Term] {
        &self.core
    }

    /// Demands that a truth value is true, for good.
    pub fn assert(&mut self, term: Term) {
        self.go_to_root();
        self.engine.model.assert(term);
        self.infeasible |= !self.engine.assert(term);
    }

    /// How many terms these need that the model without them does not, counted up to a limit.
    pub fn count_needed(&self, terms: &[Term], most: usize) -> usize {
        self.engine.count_needed(terms, most)
    }

    /// The terms whose domain became smaller since the last call, as far as that follows from no decision.
    pub fn take_narrowed(&mut self) -> Vec<Term> {
        self.engine.store.take_narrowed()
    }

    /// Excludes that all of these terms have these values from all further answers.
    pub fn exclude(&mut self, values: &[(Term, u64)]) {
        self.go_to_root();
        let mut atoms = Vec::with_capacity(values.len());
        for &(term, value) in values {
            self.engine.activate(term);
            let w = self.engine.store.width(term);
            let atom = Atom::within(term, Interval::singleton(value)).negated(w);
            match self.engine.store.status(atom) {
                Some(true) => return,
                Some(false) => {}
                // An atom that stands twice in its clause would be taken for a fact.
                None if atoms.contains(&atom) => {}
                None => atoms.push(atom),
            }
        }
        if atoms.len() > 1 {
            self.engine.watch_clause(atoms, Origin::Told);
        } else if !self.engine.add_clause(atoms, Origin::Told, 1, 0) {
            self.infeasible = true;
        }
    }

    /// Excludes the solution that was just found, for these terms, and stays where it was found; false if that
    /// cannot be done, because the solver has moved on or a part of the search was postponed.
    ///
    /// The decisions down to the level where all terms were fixed imply their values. If they are decisions about
    /// these terms only, it is enough to exclude that they meet again, and to turn the last one around.
    pub fn exclude_found(&mut self, terms: &[Term]) -> bool {
        if !std::mem::take(&mut self.at_solution) || self.patience.is_some() {
            return false;
        }
        let store = &self.engine.store;
        let fixed_at = |&term: &Term| {
            if !self.engine.is_active(term) {
                return None;
            }
            let value = store.domain(term).is_singleton()?;
            let atom = Atom::within(term, Interval::singleton(value));
            Some(store.became_true(atom).map_or(0, |time| store.level_of(time)))
        };
        let levels: Option<Vec<usize>> = terms.iter().map(fixed_at).collect();
        let Some(level) = levels.and_then(|levels| levels.into_iter().max()) else { return false };
        if level == 0 {
            self.infeasible = true;
            return true;
        }
        if store.decisions().take(level).any(|atom| !terms.contains(&atom.term)) {
            return false;
        }
        let mut atoms: Vec<Atom> = store.decisions().take(level).map(|atom| self.opposite(atom)).collect();
        atoms.reverse();
        terms.iter().for_each(|&term| self.engine.activate(term));
        self.engine.backtrack(level - 1);
        self.infeasible = !self.engine.add_clause(atoms, Origin::Told, level as u32, level - 1);
        self.resume = true;
        true
    }

    fn opposite(&self, atom: Atom) -> Atom {
        atom.negated(self.engine.store.width(atom.term))
    }

    /// Labels these variables before all others. Without this, inputs come first.
    pub fn label_first(&mut self, vars: &[Var]) {
        self.first = Some(vars.to_vec());
        self.labels.clear();
        self.vars_seen = 0;
    }

    /// Makes sure that a term takes part, so that its domain is narrowed.
    pub fn watch(&mut self, term: Term) {
        self.go_to_root();
        self.engine.activate(term);
    }

    /// Adds what a call says to the model, whether or not it must be true.
    pub fn unfold(&mut self, call: Term) {
        self.go_to_root();
        self.engine.open_calls.retain(|&open| open != call);
        self.engine.unfold(call);
    }

    /// Takes all decisions back.
    pub(crate) fn go_to_root(&mut self) {
        self.at_solution = false;
        self.resume = false;
        self.engine.backtrack(0);
    }

    // The search.

    fn search(&mut self, assumptions: &[Term], conflicts: u64) -> End {
        let limit = self.engine.counters.conflicts + conflicts;
        loop {
            match self.engine.propagate_to_depth(self.depth) {
                Fixpoint::Stopped(stop) => return End::Answer(Answer::GaveUp(stop)),
                Fixpoint::TooDeep => self.postpone(),
                Fixpoint::Conflict(conflict) => {
                    self.engine.counters.conflicts += 1;
                    self.engine.counters.contractions += 1;
                    if self.engine.store.level() == 0 || !self.learn(conflict) {
                        self.infeasible = true;
                        return End::Answer(Answer::Infeasible);
                    }
                    // Propagation looks at the limits when a definition was looked at; clauses alone can conflict too.
                    if let Some(stop) = self.engine.limits.check(&self.engine.counters) {
                        return End::Answer(Answer::GaveUp(stop));
                    }
                }
                Fixpoint::Reached if self.engine.counters.conflicts >= limit => return End::Restart,
                Fixpoint::Reached => match self.next_step(assumptions) {
                    Step::Decide(atom) => {
                        self.engine.counters.decisions += 1;
                        self.engine.decide(atom);
                    }
                    Step::Refuted => return End::Answer(Answer::Infeasible),
                    Step::Impatient => return End::Restart,
                    Step::Solved => {
                        // Under assumptions, the decisions are not only those of a search that can go on.
                        self.at_solution = assumptions.is_empty();
                        return End::Answer(Answer::Witness(self.assignment()));
                    }
                },
            }
        }
    }

    fn next_step(&mut self, assumptions: &[Term]) -> Step {
        if let Some(patience) = self.patience {
            match self.engine.store.status(Atom::truth(patience, true)) {
                None => return Step::Decide(Atom::truth(patience, true)),
                Some(true) => {}
                // Only what was postponed is left: go deeper.
                Some(false) => {
                    self.patience = None;
                    self.depth *= 4;
                    return Step::Impatient;
                }
            }
        }
        if let Some(level) = self.engine.store.take_lowest_level() {
            self.guide.go_back_to(level);
            self.open_labels.go_back_to(level);
        }
        match self.next_assumption(assumptions) {
            Assumed::All => {}
            Assumed::Open(assumption) => return Step::Decide(Atom::truth(assumption, true)),
            Assumed::Refuted(assumption) if self.blame(assumption) => return Step::Refuted,
            Assumed::Refuted(_) => {
                self.patience = None;
                self.depth *= 4;
                return Step::Impatient;
            }
        }
        if let Some(decision) = self.guide.decide(&self.engine.model, &self.engine.store) {
            return Step::Decide(decision);
        }
        self.collect_labels();
        let mut state = self.random_state;
        let strategy = self.strategy;
        let mut random = || next_random(&mut state, strategy);
        let step = match self.next_label(&mut random) {
            Some(variable) => Step::Decide(strategy.branch(&variable, self.turn, &mut random)),
            None => match self.engine.undecided_call() {
                Some(call) => Step::Decide(Atom::truth(call, false)),
                None => Step::Solved,
            },
        };
        self.random_state = state;
        step
    }

    /// Whether all assumptions are true; if not, the first that is not.
    pub(crate) fn next_assumption(&self, assumptions: &[Term]) -> Assumed {
        let status = |&assumption: &Term| self.engine.store.status(Atom::truth(assumption, true));
        let first = assumptions.iter().find(|assumption| status(assumption) != Some(true));
        match first {
            None => Assumed::All,
            Some(assumption) if status(assumption).is_none() => Assumed::Open(*assumption),
            Some(assumption) => Assumed::Refuted(*assumption),
        }
    }

    /// Notes the assumptions because of which one is false; false if it is only so while parts of the search are
    /// postponed.
    pub(crate) fn blame(&mut self, assumption: Term) -> bool {
        let mut explainer = self.engine.explainer();
        let behind = decisions_behind(&mut explainer, Atom::truth(assumption, false));
        self.engine.counters.contractions += explainer.ticks;
        if behind.iter().any(|decision| Some(decision.term) == self.patience) {
            return false;
        }
        // Nothing is decided before all assumptions are true, but they themselves and patience.
        self.core.push(assumption);
        self.core.extend(behind.iter().map(|decision| decision.term));
        true
    }

    /// Leaves the present part of the search for later.
    fn postpone(&mut self) {
        let patience = match self.patience {
            Some(patience) => patience,
            None => {
                self.patience = Some(self.engine.add_truth("patience"));
                self.engine.backtrack(0);
                return;
            }
        };
        let decided: Vec<Atom> = self.engine.store.decisions().filter(|atom| atom.term != patience).collect();
        self.engine.backtrack(0);
        let negated = |atom: Atom, engine: &Engine<'_>| atom.negated(engine.store.width(atom.term));
        let mut atoms = vec![Atom::truth(patience, false)];
        atoms.extend(decided.into_iter().map(|atom| negated(atom, &self.engine)));
        if atoms.len() > 1 {
            self.engine.watch_clause(atoms, Origin::Postponed);
        } else {
            self.engine.add_clause(atoms, Origin::Postponed, 1, 0);
        }
    }

    /// Learns a clause from a conflict and goes back to where it says something new; false if nothing is left.
    ///
    /// The domain there may not be able to say it (a hole in the middle of an arc). Then the last decision is taken
    /// back instead: decisions cut off an end of their domain, so their opposite can be said one level below.
    pub(crate) fn learn(&mut self, conflict: Conflict) -> bool {
        let mut lesson = self.analyze(conflict, Until::FirstPoint);
        self.bump(&lesson);
        let mut back_to = lesson.level;
        if lesson.clause.first().is_some_and(|&first| !self.says_something(first, lesson.level)) {
            lesson = self.analyze(conflict, Until::Decision);
            back_to = lesson.own_level - 1;
        }
        if lesson.clause.is_empty() {
            return false;
        }
        self.engine.backtrack(back_to);
        self.engine.add_clause(lesson.clause, Origin::Learned, lesson.spread, lesson.level)
    }

    fn analyze(&mut self, conflict: Conflict, until: Until) -> Lesson {
        let mut explainer = self.engine.explainer();
        let lesson = analyze(&mut explainer, conflict, until);
        self.engine.counters.contractions += explainer.ticks;
        lesson
    }

    /// Whether an atom would change the domain that its term had at the end of a level.
    fn says_something(&self, atom: Atom, level: usize) -> bool {
        let store = &self.engine.store;
        let domain = store.domain_before(atom.term, store.level_start(level + 1));
        atom.fact.narrow(store.width(atom.term), domain) != Some(domain)
    }

    fn bump(&mut self, lesson: &Lesson) {
        while self.activity.len() < self.engine.store.len() {
            self.activity.push(0.0);
        }
        for &term in &lesson.terms {
            self.activity[term] += self.activity_step;
        }
        for &clause in &lesson.used {
            self.engine.clauses.get_mut(clause).last_used = self.engine.counters.conflicts;
        }
        self.activity_step *= 1.05;
        if self.activity_step > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.activity_step *= 1e-100;
        }
    }

    /// Forgets learned clauses that were not used lately, when there are many.
    fn forget_clauses(&mut self) {
        if self.engine.clauses.n_learned() < self.most_clauses {
            return;
        }
        self.most_clauses += self.most_clauses / 10;
        let mut uses: Vec<u64> = self
            .engine
            .clauses
            .entries()
            .filter(|(_, clause)| clause.origin == Origin::Learned && clause.spread > 2)
            .map(|(_, clause)| clause.last_used)
            .collect();
        uses.sort_unstable();
        let Some(&middle) = uses.get(uses.len() / 2) else { return };
        debug_assert!(self.engine.store.level() == 0, "no clause is a reason at level 0");
        self.engine.clauses.forget(|_, clause| {
            clause.origin == Origin::Learned && clause.spread > 2 && clause.last_used < middle
        });
    }

    /// Unfolding adds variables: they are labelled too.
    fn collect_labels(&mut self) {
        for var in (self.vars_seen..self.engine.model.vars().len()).map(Var::new) {
            let info = &self.engine.model.vars()[var];
            if info.role != Role::Formal {
                let input = match &self.first {
                    Some(first) => first.contains(&var),
                    None => info.role == Role::Input,
                };
                let term = self.engine.model.var_term(var);
                self.labels.push(Label { term, width: info.width, reading: info.reading, input });
            }
        }
        self.vars_seen = self.engine.model.vars().len();
    }

    /// The variable to be labelled next: inputs before locals.
    fn next_label(&mut self, random: &mut impl FnMut() -> u64) -> Option<Open> {
        if self.open_labels.n_labels() != self.labels.len() {
            self.open_labels.begin(self.labels.len());
        }
        let (engine, labels, activity) = (&self.engine, &self.labels, &self.activity);
        let (strategy, turn) = (self.strategy, self.turn);
        let mut best: Option<Open> = None;
        let mut all: Vec<Open> = Vec::new();
        self.open_labels.look_at(engine.store.level(), |order| {
            let Some(open) = labels[order as usize].open(engine, activity, order) else { return false };
            if let Strategy::Random(_) = strategy {
                all.push(open);
            } else if best.is_none_or(|best| strategy.prefers(turn, &open, &best)) {
                best = Some(open);
            }
            true
        });
        let inputs = all.iter().any(|variable| variable.input);
        all.retain(|variable| variable.input || !inputs);
        all.sort_by_key(|variable| variable.order);
        best.or_else(|| all.get((random() >> 33) as usize % all.len().max(1)).copied())
    }

    /// The values that the domains leave; a variable that takes no part gets one that its declaration allows.
    fn assignment(&self) -> Assignment {
        self.engine.model.vars().entries().map(|(var, info)| self.plain_value(var, info)).collect()
    }

    /// A value that the present domain allows, and a simple one if that is left open.
    fn plain_value(&self, var: Var, info: &VarInfo) -> u64 {
        let term = self.engine.model.var_term(var);
        let is_active = self.engine.is_active(term);
        let domain = if is_active { self.engine.store.domain(term) } else { self.declared(term) };
        match format_of(info) {
            Some(w) => simplest_value(w, domain),
            None if !is_active && info.allows(0) => 0,
            None => domain.lo(),
        }
    }
}

/// How far the assumptions of a question are true.
pub(crate) enum Assumed {
    All,
    Open(Term),
    Refuted(Term),
}

/// A variable that can be labelled.
struct Label {
    term: Term,
    width: Width,
    reading: Reading,
    /// Whether it comes before those that are not.
    input: bool,
}

impl Label {
    /// What is known of the variable; none if it is fixed or takes no part.
    fn open(&self, engine: &Engine<'_>, activity: &IdVec<Term, f64>, order: u32) -> Option<Open> {
        let &Label { term, width, reading, input } = self;
        if !engine.is_awake(term) {
            return None;
        }
        let domain = engine.store.domain(term);
        if domain.is_singleton().is_some() {
            return None;
        }
        let activity = activity.get(term).copied().unwrap_or(0.0);
        Some(Open { term, width, reading, domain, degree: engine.degree(term), activity, order, input })
    }
}

enum End {
    Answer(Answer),
    Restart,
}

enum Step {
    Decide(Atom),
    Solved,
    Refuted,
    /// Everything but what was postponed is refuted.
    Impatient,
}

/// A pseudo-random number; the seed of the strategy takes part in it.
fn next_random(state: &mut u64, strategy: Strategy) -> u64 {
    let seed = if let Strategy::Random(seed) = strategy { seed } else { 0 };
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    (*state ^ seed.wrapping_mul(0xd134_2543_de82_ef95)).wrapping_mul(0x2545_f491_4f6c_dd1d)
}

/// The sequence 1 1 2 1 1 2 4 … of restart intervals (Luby, Sinclair, Zuckerman 1993), from index 1.
fn luby(mut n: u64) -> u64 {
    loop {
        let bits = 64 - n.leading_zeros();
        if n == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        n -= (1 << (bits - 1)) - 1;
    }
}

impl Engine<'_> {
    /// A fresh truth value that nothing else mentions.
    fn add_truth(&mut self, name: &str) -> Term {
        let info = VarInfo {
            name: name.into(),
            width: Width::W1,
            reading: Reading::Unsigned,
            range: None,
            role: Role::Formal,
        };
        let var = self.model.add_var(info);
        let term = self.model.var_term(var);
        self.activate(term);
        term
    }
}
