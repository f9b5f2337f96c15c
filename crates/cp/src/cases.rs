//! Refutation by cases: somebody else reasons about all domains at once, and where that leaves something open, a case is
//! told apart and each side is refuted on its own.
//!
//! The cases are truth values first, then halves of the largest domain. What is found below decisions becomes a clause of
//! them, so it stays true when they are taken back, and conflicts are analysed as in any search.

use quipu_domain::{Domain, Interval};
use quipu_model::{Model, Role, Term};
use quipu_num::Width;

use crate::atom::Atom;
use crate::clauses::Origin;
use crate::engine::Fixpoint;
use crate::limits::Stop;
use crate::solver::{Assumed, Solver};

/// Somebody who draws conclusions from all domains together.
pub trait Reasoner {
    /// Whether an open truth value is worth a case.
    fn is_case(&self, truth: Term) -> bool;

    /// What follows for the terms of a model from domains that its solutions lie in.
    fn reason(&mut self, model: &Model, domain: &dyn Fn(Term) -> Domain, place: Place) -> Conclusion;
}

/// Where in a refutation somebody is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// No case was told apart.
    Root,
    /// Conditions are open, and will be told apart.
    Conditions,
    /// Only domains can be split.
    Domains,
}

/// What follows from domains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// No solution lies in them.
    Infeasible,
    /// Values lie on these arcs.
    Arcs(Vec<(Term, Interval)>),
    Nothing,
    /// It is no use to ask again.
    Enough,
}

/// How a refutation went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refutation {
    /// The assumptions cannot all be true; see [`Solver::core`].
    Refuted,
    Open,
    Stopped(Stop),
}

/// How often domains are narrowed before a case is told apart.
const MOST_ROUNDS: usize = 6;
/// Contractor calls before the reasoner is asked although propagation goes on; doubled each time.
const FIRST_PATIENCE: u64 = 300;
/// A domain with fewer values is no case.
const FEWEST_VALUES: u64 = 2;

impl Solver<'_> {
    /// Tries to refute assumptions, with at most so many cases.
    pub fn refute(
        &mut self,
        assumptions: &[Term],
        reasoner: &mut dyn Reasoner,
        most_cases: usize,
    ) -> Refutation {
        let end = self.refute_cases(assumptions, reasoner, most_cases);
        self.engine.backtrack(0);
        end
    }

    fn refute_cases(
        &mut self,
        assumptions: &[Term],
        reasoner: &mut dyn Reasoner,
        most_cases: usize,
    ) -> Refutation {
        self.begin_question(assumptions);
        if self.is_refuted() {
            return Refutation::Refuted;
        }
        self.go_to_root();
        self.engine.connect_unfolded();
        let (mut cases, mut rounds) = (0, 0);
        let mut patience = FIRST_PATIENCE;
        loop {
            let settled = match self.propagate_for(patience) {
                Fixpoint::Stopped(Stop::Contractions) if !self.is_limit_reached() => false,
                Fixpoint::Stopped(stop) => return Refutation::Stopped(stop),
                Fixpoint::TooDeep => unreachable!("nothing is unfolded below decisions"),
                Fixpoint::Conflict(conflict) => {
                    self.engine.counters.conflicts += 1;
                    if self.engine.store.level() == 0 || !self.learn(conflict) {
                        self.refuted();
                        return Refutation::Refuted;
                    }
                    rounds = 0;
                    continue;
                }
                Fixpoint::Reached => true,
            };
            patience = if settled { FIRST_PATIENCE } else { 2 * patience };
            match self.next_assumption(assumptions) {
                Assumed::All => {}
                Assumed::Refuted(assumption) => {
                    let is_for_good = self.blame(assumption);
                    debug_assert!(is_for_good, "nothing is postponed here");
                    return Refutation::Refuted;
                }
                // Going back would forget what is still to be propagated below a decision.
                Assumed::Open(_) if !settled => {}
                Assumed::Open(assumption) => {
                    self.engine.decide(Atom::truth(assumption, true));
                    continue;
                }
            }
            let case = self.next_case(&*reasoner);
            let store = &self.engine.store;
            let place = match case {
                _ if cases == 0 => Place::Root,
                Some(case) if store.width(case.term) == Width::W1 => Place::Conditions,
                _ => Place::Domains,
            };
            let conclusion = match rounds < MOST_ROUNDS {
                true => reasoner.reason(&self.engine.model, &|term| store.domain(term), place),
                false => Conclusion::Nothing,
            };
            rounds += 1;
            let possible = match conclusion {
                Conclusion::Infeasible => false,
                Conclusion::Arcs(arcs) if !arcs.is_empty() => {
                    if arcs.into_iter().all(|(term, arc)| self.tell(term, arc)) {
                        continue;
                    }
                    false
                }
                Conclusion::Enough => return Refutation::Open,
                _ if !settled => continue,
                Conclusion::Arcs(_) | Conclusion::Nothing => match case {
                    Some(case) if cases < most_cases => {
                        cases += 1;
                        self.engine.counters.decisions += 1;
                        self.engine.decide(case);
                        true
                    }
                    _ => return Refutation::Open,
                },
            };
            rounds = 0;
            if !possible && !self.turn_around(assumptions) {
                return Refutation::Refuted;
            }
        }
    }

    /// Propagates for a while: two bounds that push each other, one step at a time, are better left to the reasoner.
    fn propagate_for(&mut self, contractions: u64) -> Fixpoint {
        let limit = self.engine.limits.contractions;
        let soon = self.engine.counters.contractions + contractions;
        self.engine.limits.contractions = Some(limit.map_or(soon, |limit| limit.min(soon)));
        let end = self.engine.propagate(self.engine.store.level() == 0);
        self.engine.limits.contractions = limit;
        end
    }

    fn is_limit_reached(&self) -> bool {
        self.engine.limits.check(&self.engine.counters).is_some()
    }

    /// Makes a conclusion known, which follows from the present decisions; false if it contradicts what is known.
    fn tell(&mut self, term: Term, arc: Interval) -> bool {
        let width = self.engine.store.width(term);
        let atom = Atom::within(term, arc);
        if arc.is_full(width) || self.engine.store.status(atom) == Some(true) {
            return true;
        }
        if self.engine.store.status(atom) == Some(false) {
            return false;
        }
        let level = self.engine.store.level();
        let mut atoms = vec![atom];
        atoms.extend(self.negated_decisions());
        self.engine.add_clause(atoms, Origin::Learned, level as u32 + 1, level)
    }

    /// The present decisions cannot all be right: the last one is turned around. False if they are all assumptions.
    fn turn_around(&mut self, assumptions: &[Term]) -> bool {
        loop {
            let level = self.engine.store.level();
            let decided: Vec<Term> = self.engine.store.decisions().map(|decision| decision.term).collect();
            if decided.iter().all(|term| assumptions.contains(term)) {
                if decided.is_empty() {
                    self.refuted();
                }
                self.set_core(decided);
                return false;
            }
            let atoms = self.negated_decisions();
            self.engine.backtrack(level - 1);
            // If the opposite is impossible as well, the decisions before it are to blame.
            if self.engine.add_clause(atoms, Origin::Learned, level as u32, level - 1) {
                return true;
            }
        }
    }

    /// The opposites of the decisions, the last one first.
    fn negated_decisions(&self) -> Vec<Atom> {
        let store = &self.engine.store;
        let mut atoms: Vec<Atom> =
            store.decisions().map(|atom| atom.negated(store.width(atom.term))).collect();
        atoms.reverse();
        atoms
    }

    /// A condition that is open, or half of the largest domain.
    fn next_case(&self, reasoner: &dyn Reasoner) -> Option<Atom> {
        let engine = &self.engine;
        let is_case = |&question: &Term| engine.is_awake(question) && reasoner.is_case(question);
        let open_condition = self.questions(true).into_iter().find(is_case);
        if let Some(condition) = open_condition {
            return Some(Atom::truth(condition, true));
        }
        let vars = engine.model.vars().entries().filter(|(_, info)| info.role != Role::Formal);
        let widths = vars.map(|(var, info)| (engine.model.var_term(var), info.width));
        let open = widths.filter(|&(term, _)| engine.is_awake(term)).filter_map(|(term, w)| {
            let span = engine.store.domain(term).span(w);
            (span >= FEWEST_VALUES).then_some((span, term, w))
        });
        // Of equals the first.
        let (_, term, w) = open.max_by_key(|&(span, term, _)| (span, std::cmp::Reverse(term)))?;
        let domain = engine.store.domain(term);
        let arc = domain.hull(w);
        let half = Interval::from_span(w, arc.lo(), arc.span(w) / 2);
        let atom = Atom::within(term, half);
        engine.store.status(atom).is_none().then_some(atom)
    }
}
