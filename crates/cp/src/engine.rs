//! Propagation: definitions and clauses narrow domains until nothing changes or nothing is left.

use quipu_base::IdVec;
use quipu_domain::Domain;
use quipu_model::{Model, Node, Term, Unfold};
use rustc_hash::FxHashSet;

use crate::atom::Atom;
use crate::clauses::{Clause, ClauseId, Clauses, Origin};
use crate::closing::Closing;
use crate::creep::Creep;
use crate::definition::{contract, has_definition, related, tier};
use crate::explain::{Conflict, Explainer};
use crate::limits::{Limits, Stop};
use crate::queue::Queue;
use crate::store::{Reason, Store};

/// How propagation ended.
#[derive(Clone, Copy, Debug)]
pub enum Fixpoint {
    /// Nothing changes any more.
    Reached,
    Conflict(Conflict),
    /// More calls were unfolded below decisions than asked for.
    TooDeep,
    Stopped(Stop),
}

/// The network of definitions over a model that may grow, and the state of a search in it.
pub struct Engine<'a> {
    pub model: Model,
    bodies: Box<dyn Unfold + 'a>,
    /// Who knows calls as a whole, if anybody does.
    pub closing: Option<Box<dyn Closing + 'a>>,
    pub store: Store,
    pub clauses: Clauses,
    queue: Queue,
    /// The definitions in which a term is an operand.
    users: IdVec<Term, Vec<Term>>,
    tiers: IdVec<Term, u8>,
    active: IdVec<Term, bool>,
    /// For which question the definition of a term is looked at. What takes part in earlier questions only is asleep.
    awake: IdVec<Term, u32>,
    /// The number of the present question.
    question: u32,
    /// Terms whose domain changed and whose watches were not yet looked at.
    changed: Vec<Term>,
    /// Calls that were not unfolded.
    pub open_calls: Vec<Term>,
    /// Terms made active above level 0: going back undoes what their definitions did.
    fresh: Vec<(usize, Term)>,
    /// Clauses whose first atom was made true at a level above the one where the others became false: going back
    /// between the two undoes it, so they are looked at again there.
    late: Vec<LateClause>,
    /// Clauses looked at and not yet counted.
    visits: usize,
    /// Calls unfolded below decisions since level 0.
    deep_unfoldings: u64,
    creep: Creep,
    pub limits: Limits,
    pub counters: Counters,
    scratch_terms: Vec<Term>,
    scratch: Vec<Domain>,
}

/// Awake for all questions.
const ALWAYS: u32 = u32::MAX;

/// So many clauses are looked at in the time of a contractor call.
const VISITS_PER_CONTRACTION: usize = 8;

#[derive(Clone, Copy)]
struct LateClause {
    id: ClauseId,
    /// The level at which the first atom was made true.
    at: usize,
    /// The level at which the others are false.
    since: usize,
}

/// What was done so far.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counters {
    /// Contractor calls, and what clauses cost in terms of them.
    pub contractions: u64,
    /// Domains that became smaller.
    pub narrowings: u64,
    pub unfoldings: u64,
    pub conflicts: u64,
    pub decisions: u64,
    pub restarts: u64,
}

impl<'a> Engine<'a> {
    /// An engine for a model; the assertions are made true, but nothing is propagated yet. False if an assertion
    /// is the number 0.
    pub fn new(model: Model, bodies: Box<dyn Unfold + 'a>, limits: Limits) -> (Engine<'a>, bool) {
        let mut engine = Engine {
            model,
            bodies,
            closing: None,
            store: Store::default(),
            clauses: Clauses::default(),
            queue: Queue::default(),
            users: IdVec::new(),
            tiers: IdVec::new(),
            active: IdVec::new(),
            awake: IdVec::new(),
            question: 0,
            changed: Vec::new(),
            open_calls: Vec::new(),
            fresh: Vec::new(),
            late: Vec::new(),
            visits: 0,
            deep_unfoldings: 0,
            creep: Creep::default(),
            limits,
            counters: Counters::default(),
            scratch_terms: Vec::new(),
            scratch: Vec::new(),
        };
        let assertions = engine.model.assertions().to_vec();
        let possible = assertions.into_iter().all(|assertion| engine.assert(assertion));
        (engine, possible)
    }

    /// Makes a truth value true at the current level; false if it cannot be.
    pub fn assert(&mut self, term: Term) -> bool {
        self.activate(term);
        self.apply(Atom::truth(term, true), Reason::Decision)
    }

    /// Begins a question that depends on these terms, and on what was activated for all questions. Everything else
    /// falls asleep: a decision should not be followed into terms that only other questions are about. Says how many
    /// terms were woken.
    pub fn attend(&mut self, terms: &[Term]) -> usize {
        debug_assert!(self.store.level() == 0, "a question begins without decisions");
        self.question += 1;
        // What falls asleep is looked at when it wakes.
        self.queue.retain(|term| self.awake[term] == ALWAYS);
        terms.iter().map(|&term| self.wake(term, self.question)).sum()
    }

    /// Makes sure that a term and everything below it takes part in all questions.
    pub fn activate(&mut self, root: Term) {
        self.wake(root, ALWAYS);
    }

    /// Makes sure that a term and everything below it takes part; how many did not.
    fn wake(&mut self, root: Term, until: u32) -> usize {
        self.make_room();
        let mut woken = 0;
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if [until, ALWAYS].contains(&self.awake[term]) && self.active[term] {
                continue;
            }
            let slept = !self.is_awake(term);
            self.awake[term] = until;
            if !std::mem::replace(&mut self.active[term], true) {
                self.begin(term);
            } else if slept && has_definition(&self.model, term) {
                self.look_at_again(term);
            }
            woken += 1;
            related(&self.model, term, &mut self.scratch_terms);
            stack.extend_from_slice(&self.scratch_terms);
            if let Node::Call(_, arguments) = self.model.node(term)
                && self.closing.is_some()
            {
                stack.extend_from_slice(arguments);
            }
        }
        woken
    }

    /// A term takes part for the first time.
    fn begin(&mut self, term: Term) {
        if let Node::Call(..) = self.model.node(term)
            && self.model.unfolding(term).is_none()
        {
            self.open_calls.push(term);
        }
        self.connect(term);
    }

    /// Registers a term's definition with its operands, and has it looked at.
    fn connect(&mut self, term: Term) {
        if !has_definition(&self.model, term) {
            return;
        }
        let mut terms = std::mem::take(&mut self.scratch_terms);
        related(&self.model, term, &mut terms);
        for &operand in terms.iter().filter(|&&operand| operand != term) {
            if self.users[operand].last() != Some(&term) {
                self.users[operand].push(term);
            }
        }
        self.scratch_terms = terms;
        self.look_at_again(term);
    }

    /// Has a definition looked at, now and after going back: nobody did so far.
    fn look_at_again(&mut self, term: Term) {
        self.queue.add(term, self.tiers[term].into());
        if self.store.level() > 0 {
            self.fresh.push((self.store.level(), term));
        }
    }

    /// Gives the terms that the model gained their domains.
    fn make_room(&mut self) {
        for term in self.model.terms_after(self.store.len()) {
            let w = self.model.width(term);
            let domain = match self.model.node(term) {
                Node::Const(bits) => Domain::singleton(w, *bits),
                Node::Var(var) => Domain::declared(w, self.model.vars()[*var].range),
                _ => Domain::full(w),
            };
            self.store.push(w, domain);
            self.clauses.push_term();
            self.queue.push_term();
            self.creep.push_term();
            self.users.push(Vec::new());
            self.active.push(false);
            self.awake.push(0);
            self.tiers.push(tier(self.model.node(term)) as u8);
        }
    }

    pub fn is_active(&self, term: Term) -> bool {
        self.active.get(term).copied().unwrap_or(false)
    }

    /// Whether a term takes part in the present question.
    pub fn is_awake(&self, term: Term) -> bool {
        self.is_active(term) && [self.question, ALWAYS].contains(&self.awake[term])
    }

    /// In how many definitions a term is an operand.
    pub fn degree(&self, term: Term) -> usize {
        self.users[term].len()
    }

    /// Makes an atom true; false if it cannot be.
    pub fn apply(&mut self, atom: Atom, reason: Reason) -> bool {
        let w = self.store.width(atom.term);
        match atom.fact.narrow(w, self.store.domain(atom.term)) {
            Some(domain) => {
                self.narrow(atom.term, domain, reason);
                true
            }
            None => false,
        }
    }

    /// Opens a level with a decision that is open.
    pub fn decide(&mut self, atom: Atom) {
        self.store.open_level(atom);
        let possible = self.apply(atom, Reason::Decision);
        assert!(possible, "a decision should be possible");
    }

    /// Goes back to a level.
    pub fn backtrack(&mut self, level: usize) {
        if self.store.level() <= level {
            return;
        }
        self.store.backtrack(level, |_| ());
        if level == 0 {
            self.deep_unfoldings = 0;
        }
        self.queue.clear();
        self.changed.clear();
        for (at, term) in &mut self.fresh {
            if *at > level {
                *at = level;
                self.queue.add(*term, self.tiers[*term].into());
            }
        }
        self.fresh.retain(|&(at, _)| at > 0);
        for late in &mut self.late {
            if late.at > level {
                late.at = level;
                self.changed.push(self.clauses.get(late.id).atoms[0].term);
            }
        }
        self.late.retain(|late| late.at > late.since);
    }

    /// Changes the domain of a term to a part of it, which is known to hold.
    #[inline]
    pub fn narrow(&mut self, term: Term, domain: Domain, reason: Reason) {
        if domain == self.store.domain(term) {
            return;
        }
        self.set(term, domain, reason);
        self.wake_users(term);
    }

    #[inline]
    fn set(&mut self, term: Term, domain: Domain, reason: Reason) {
        self.counters.narrowings += 1;
        self.store.set(term, domain, reason);
        self.changed.push(term);
    }

    /// Has definitions looked at that depend on a term.
    #[inline]
    fn wake_users(&mut self, term: Term) {
        for n in 0..self.users[term].len() {
            let user = self.users[term][n];
            if [self.question, ALWAYS].contains(&self.awake[user]) {
                self.queue.add(user, self.tiers[user].into());
            }
        }
        if has_definition(&self.model, term) && self.is_awake(term) {
            self.queue.add(term, self.tiers[term].into());
        }
    }

    /// Propagates to a fixpoint. Calls that became true are unfolded if `unfold` says so.
    pub fn propagate(&mut self, unfold: bool) -> Fixpoint {
        self.run(unfold, u64::MAX)
    }

    /// Propagates to a fixpoint, unfolding calls that became true, but only so many below decisions.
    pub fn propagate_to_depth(&mut self, depth: u64) -> Fixpoint {
        self.run(true, depth)
    }

    fn run(&mut self, unfold: bool, depth: u64) -> Fixpoint {
        self.creep.begin_propagation();
        loop {
            if let Some(conflict) = self.propagate_clauses() {
                return Fixpoint::Conflict(conflict);
            }
            match self.queue.next() {
                Some(term) => {
                    if !self.propagate_definition(term) {
                        return Fixpoint::Conflict(Conflict::Definition(term));
                    }
                }
                None if !unfold => return Fixpoint::Reached,
                None => match self.next_call() {
                    None => return Fixpoint::Reached,
                    Some(_) if self.deep_unfoldings >= depth => return Fixpoint::TooDeep,
                    Some(n) => {
                        let call = self.open_calls.swap_remove(n);
                        if !self.close_before_unfolding(call) {
                            return Fixpoint::Conflict(Conflict::Definition(call));
                        }
                        self.unfold(call);
                    }
                },
            }
            if let Some(stop) = self.limits.check(&self.counters) {
                return Fixpoint::Stopped(stop);
            }
        }
    }

    #[inline]
    fn propagate_definition(&mut self, term: Term) -> bool {
        self.counters.contractions += 1;
        let mut terms = std::mem::take(&mut self.scratch_terms);
        let mut domains = std::mem::take(&mut self.scratch);
        related(&self.model, term, &mut terms);
        domains.clear();
        domains.extend(terms.iter().map(|&related| self.store.domain(related)));
        let possible = contract(&self.model, term, &mut domains);
        let may_creep = matches!(self.model.node(term), Node::Float(..));
        let mut alive = possible;
        if possible {
            for (&related, &domain) in terms.iter().zip(&domains) {
                alive &= self.narrow_related(related, domain, term, may_creep);
            }
        }
        self.scratch_terms = terms;
        self.scratch = domains;
        alive
    }

    /// A term that is an operand twice may have been narrowed already.
    #[inline]
    fn narrow_related(&mut self, related: Term, domain: Domain, definition: Term, may_creep: bool) -> bool {
        let old = self.store.domain(related);
        if domain == old {
            return true;
        }
        let w = self.store.width(related);
        match old.meet(w, domain) {
            None => false,
            Some(domain) if domain == old => true,
            Some(domain) => {
                self.set(related, domain, Reason::Definition(definition));
                if !(may_creep && self.creep.is_creeping(related, w, old, domain)) {
                    self.wake_users(related);
                }
                true
            }
        }
    }

    /// The place of a call that is true and was not unfolded.
    fn next_call(&self) -> Option<usize> {
        self.open_calls.iter().position(|&call| self.store.is_true(call) && self.is_awake(call))
    }

    /// A call that was not unfolded and may be true or not. What was never unfolded is not true, so a solution needs it
    /// to be false: a disjunction of calls that is true does not say which of them is.
    pub fn undecided_call(&self) -> Option<Term> {
        let undecided = |&call: &Term| self.store.domain(call) == Domain::BOTH && self.is_awake(call);
        self.open_calls.iter().copied().find(undecided)
    }

    /// Adds what a call says. A call that takes no part brings it along when it is activated.
    pub fn unfold(&mut self, call: Term) {
        self.counters.unfoldings += 1;
        self.deep_unfoldings += u64::from(self.store.level() > 0);
        let meaning = self.model.unfold(call, &*self.bodies);
        if self.is_active(call) {
            self.connect_call(call, meaning);
        }
    }

    fn connect_call(&mut self, call: Term, meaning: Term) {
        let until = if self.awake[call] == ALWAYS { ALWAYS } else { self.question };
        self.wake(meaning, until);
        self.connect(call);
    }

    /// Connects calls that others have unfolded in the model with what they say.
    pub fn connect_unfolded(&mut self) {
        let (known, open): (Vec<Term>, Vec<Term>) =
            self.open_calls.iter().partition(|&&call| self.model.unfolding(call).is_some());
        self.open_calls = open;
        for call in known {
            let meaning = self.model.unfolding(call).expect("the call was unfolded");
            self.connect_call(call, meaning);
        }
    }

    /// How many terms these need that do not take part in all questions, counted up to a limit.
    pub fn count_needed(&self, roots: &[Term], most: usize) -> usize {
        let mut seen = FxHashSet::default();
        let mut stack = roots.to_vec();
        let mut terms = Vec::new();
        while let Some(term) = stack.pop() {
            if seen.len() >= most {
                break;
            }
            let always = self.awake.get(term) == Some(&ALWAYS);
            if !always && seen.insert(term) {
                related(&self.model, term, &mut terms);
                stack.extend_from_slice(&terms);
            }
        }
        seen.len()
    }

    // Clauses.

    fn propagate_clauses(&mut self) -> Option<Conflict> {
        while let Some(term) = self.changed.pop() {
            let watches = self.clauses.take_watches(term);
            self.count_visits(watches.len());
            for (n, watch) in watches.iter().enumerate() {
                if let Some(conflict) = self.visit(term, watch.clause) {
                    watches[n + 1..].iter().for_each(|rest| self.clauses.watch(term, rest.clause));
                    self.changed.push(term);
                    return Some(conflict);
                }
            }
        }
        None
    }

    fn count_visits(&mut self, n: usize) {
        self.visits += n;
        self.counters.contractions += (self.visits / VISITS_PER_CONTRACTION) as u64;
        self.visits %= VISITS_PER_CONTRACTION;
    }

    /// Looks at a clause one of whose watched atoms is on a term that changed; keeps or moves the watch. A clause that
    /// is true at level 0 has nothing to say any more.
    ///
    /// An arc cannot always say what an atom says (a hole in the middle of a domain), so an atom that had to be
    /// true may still be open: it is applied again whenever its term changes.
    fn visit(&mut self, term: Term, id: ClauseId) -> Option<Conflict> {
        if !self.clauses.exists(id) {
            return None;
        }
        let store = &self.store;
        let clause = self.clauses.get_mut(id);
        if store.level() == 0 && clause.atoms[..2].iter().any(|&atom| store.status(atom) == Some(true)) {
            self.clauses.remove(id);
            return None;
        }
        let is_false = |atom: Atom| store.status(atom) == Some(false);
        let watched = [clause.atoms[0].term, clause.atoms[1].term];
        let forced = loop {
            if is_false(clause.atoms[0]) {
                clause.atoms.swap(0, 1);
            }
            if !is_false(clause.atoms[1]) {
                // A fact that its domain cannot say yet stands twice in its clause.
                break clause.atoms[0] == clause.atoms[1];
            }
            match (2..clause.atoms.len()).find(|&n| !is_false(clause.atoms[n])) {
                Some(n) => clause.atoms.swap(1, n),
                None => {
                    // All are false: the first may be one that was forced, explained by its place, and then refuted.
                    if is_false(clause.atoms[0]) {
                        clause.atoms.swap(0, 1);
                    }
                    break true;
                }
            }
        };
        let now = [clause.atoms[0].term, clause.atoms[1].term];
        for (n, &new) in now.iter().enumerate() {
            let again = n == 1 && new == now[0];
            if !again && (new == term || !watched.contains(&new)) {
                self.clauses.watch(new, id);
            }
        }
        if forced { self.force_first(id) } else { None }
    }

    fn force_first(&mut self, id: ClauseId) -> Option<Conflict> {
        let first = self.clauses.get(id).atoms[0];
        match self.store.status(first) {
            Some(true) => None,
            Some(false) => Some(Conflict::Clause(id)),
            None if self.apply(first, Reason::Clause(id)) => None,
            None => Some(Conflict::Forced(id)),
        }
    }

    /// Adds a clause whose first atom is to be made true now, all others being false since a level; false if it
    /// cannot be.
    pub fn add_clause(&mut self, mut atoms: Vec<Atom>, origin: Origin, spread: u32, since: usize) -> bool {
        let Some(&first) = atoms.first() else { return false };
        if self.store.level() == 0 && self.store.status(first) == Some(true) {
            return true;
        }
        if atoms.len() == 1 {
            if self.store.level() == 0 {
                let possible = self.apply(first, Reason::Decision);
                if !possible || self.store.status(first) == Some(true) {
                    return possible;
                }
            }
            // Twice the same atom: it is watched, in case the domain cannot say it yet.
            atoms.push(first);
        }
        let last_used = self.counters.conflicts;
        let id = self.clauses.add(Clause { atoms, origin, spread, last_used });
        let at = self.store.level();
        if at > since {
            self.late.push(LateClause { id, at, since });
        }
        self.store.status(first) == Some(true) || self.apply(first, Reason::Clause(id))
    }

    /// Adds a clause at level 0, where at least two of its atoms are open.
    pub fn watch_clause(&mut self, atoms: Vec<Atom>, origin: Origin) {
        debug_assert!(self.store.level() == 0, "watches are chosen at level 0");
        let last_used = self.counters.conflicts;
        self.clauses.add(Clause { atoms, origin, spread: u32::MAX, last_used });
    }

    pub fn explainer(&self) -> Explainer<'_> {
        Explainer::new(&self.model, &self.store, &self.clauses)
    }
}
