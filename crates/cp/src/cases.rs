//! Refutation by cases: somebody else reasons about all domains at once, and where that leaves something open, a case is
//! told apart and each side is refuted on its own.
//!
//! The cases are truth values first, then halves of the largest domain. What is found below decisions becomes a clause of
//! them, so it stays true when they are taken back, and conflicts are analysed as in any search.

use quipu_domain::{Domain, Interval};
use quipu_model::{Model, Role, Term};

use crate::analyze::decisions_behind;
use crate::atom::Atom;
use crate::clauses::Origin;
use crate::engine::Fixpoint;
use crate::limits::Stop;
use crate::solver::{Propagation, Solver};

/// Somebody who draws conclusions from all domains together.
pub trait Reasoner {
    /// What follows for the terms of a model from domains that its solutions lie in.
    fn reason(&mut self, model: &Model, domain: &dyn Fn(Term) -> Domain) -> Conclusion;
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
        match self.propagate() {
            Propagation::Infeasible => return Refutation::Refuted,
            Propagation::Stopped(stop) => return Refutation::Stopped(stop),
            Propagation::Open => {}
        }
        let (mut cases, mut rounds) = (0, 0);
        loop {
            match self.engine.propagate(false) {
                Fixpoint::Stopped(stop) => return Refutation::Stopped(stop),
                Fixpoint::TooDeep => unreachable!("nothing is unfolded"),
                Fixpoint::Conflict(conflict) => {
                    self.engine.counters.conflicts += 1;
                    if self.engine.store.level() == 0 || !self.learn(conflict) {
                        self.refuted();
                        return Refutation::Refuted;
                    }
                    rounds = 0;
                    continue;
                }
                Fixpoint::Reached => {}
            }
            match self.next_assumption(assumptions) {
                Assumed::All => {}
                Assumed::Refuted => return Refutation::Refuted,
                Assumed::Open(assumption) => {
                    self.engine.decide(Atom::truth(assumption, true));
                    continue;
                }
            }
            let store = &self.engine.store;
            let conclusion = match rounds < MOST_ROUNDS {
                true => reasoner.reason(&self.engine.model, &|term| store.domain(term)),
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
                Conclusion::Arcs(_) | Conclusion::Nothing => match self.next_case() {
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

    /// Whether all assumptions are true, and if not, what is to be done about it.
    fn next_assumption(&mut self, assumptions: &[Term]) -> Assumed {
        for &assumption in assumptions {
            match self.engine.store.status(Atom::truth(assumption, true)) {
                Some(true) => {}
                None => return Assumed::Open(assumption),
                Some(false) => {
                    let mut explainer = self.engine.explainer();
                    let behind = decisions_behind(&mut explainer, Atom::truth(assumption, false));
                    self.engine.counters.contractions += explainer.ticks;
                    let decided = behind.iter().map(|decision| decision.term);
                    self.set_core(std::iter::once(assumption).chain(decided).collect());
                    return Assumed::Refuted;
                }
            }
        }
        Assumed::All
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
    fn next_case(&self) -> Option<Atom> {
        let engine = &self.engine;
        let open_condition = self.questions(true).into_iter().find(|&question| engine.is_awake(question));
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

enum Assumed {
    All,
    Refuted,
    Open(Term),
}
