//! Proofs where not everything can be followed exactly.
//!
//! Where loops have no bound, no exact encoding follows them to their end. A loose one has turns that stand for all
//! others, and may use invariants of loops. Whatever cannot happen in it cannot happen at all.

use quipu_encode::{Cut, Encoding, Unwinding};
use std::collections::BTreeMap;

use quipu_goals::{Goal, Goals, Item, Way};
use quipu_ir::Module;
use quipu_model::{Model, Node, Term};
use quipu_solve::{Answer, Session};

use crate::clock::Clock;
use crate::judge::first_failures;
use crate::options::Options;
use crate::question::{Chance, Clean, chances, unchecked};
use crate::slices::Part;
use crate::subject::Subject;

/// A question may take this part of the effort of other questions.
const EFFORT_SHARE: u64 = 4;
/// Where floats occur, this part: a turn that stands for all says little about what was rounded in each, and such
/// questions cost most.
const FLOAT_EFFORT_SHARE: u64 = 100;
/// So many questions find out which invariants hold, with this part of the effort of other questions; so many of them
/// may remain without an answer.
const MOST_ABOUT_INVARIANTS: u64 = 400;
const INVARIANT_SHARE: u64 = 40;
const MOST_UNANSWERED: u64 = 8;
/// Rewriting tells so many cases apart.
const MOST_CASES: usize = 64;
/// The largest encoding, in block executions.
const MOST_VISITS: usize = 20_000;

/// A loose encoding, and what it refutes.
pub(crate) struct Refuter<'m> {
    module: &'m Module,
    pub encoding: Encoding,
    pub session: Session<'m>,
    pub(crate) clean: Clean,
    pub questions: u64,
    /// How many of them took too much effort.
    unanswered: u64,
    /// Which of the invariants that may hold do, by number.
    pub held: Vec<bool>,
    /// Whether nothing undefined ever happens, if somebody asked.
    always_defined: Option<bool>,
}

impl<'m> Refuter<'m> {
    pub fn new(
        part: Part<'m>,
        subject: &'m Subject,
        options: &Options,
        clock: &Clock,
        unwinding: &Unwinding,
    ) -> Refuter<'m> {
        let mut session = clock.session(Model::new(), options);
        let mut encoder = part.encoder(subject);
        let encoding = encoder.encode(session.model_mut(), unwinding);
        for &term in encoding.assumptions.iter().chain(&encoding.lemmas) {
            session.assert(term);
        }
        let mut refuter = Refuter {
            module: part.module,
            encoding,
            session,
            clean: Clean::default(),
            questions: 0,
            unanswered: 0,
            held: Vec::new(),
            always_defined: None,
        };
        let has_floats = has_floats(refuter.session.model());
        let share = if has_floats { FLOAT_EFFORT_SHARE } else { EFFORT_SHARE };
        refuter.session.set_effort(Some(options.effort / share.max(INVARIANT_SHARE)));
        refuter.choose_invariants();
        refuter.session.set_effort(Some(options.effort / share));
        refuter
    }

    /// How loose encodings are made. Each turn that stands for all comes behind so many turns in the `past`.
    pub fn unwinding(clock: &Clock, options: &Options, past: usize) -> Unwinding {
        Unwinding { turns: 0, size: MOST_VISITS, loose: true, past, ..clock.unwinding(options) }
    }

    /// Finds the invariants that hold: those are left that no run violates while all of them are taken for granted
    /// (Flanagan and Leino's Houdini, 2001). By induction over the steps of a run, none of them is ever violated: the
    /// first violation would be one that is possible although all of them held before.
    fn choose_invariants(&mut self) {
        let invariants = std::mem::take(&mut self.encoding.invariants);
        let mut left: Vec<usize> = (0..invariants.len()).collect();
        loop {
            let before = left.len();
            let mut n = 0;
            while n < left.len() {
                if self.questions >= MOST_ABOUT_INVARIANTS || self.unanswered >= MOST_UNANSWERED {
                    left.clear();
                    break;
                }
                let chosen: Vec<Term> = left.iter().map(|&n| invariants[n].chosen).collect();
                let invariant = &invariants[left[n]];
                let chance = |&(when, n_checks): &(Term, usize)| Chance { when, n_checks };
                let chances: Vec<Chance> = invariant.violated.iter().map(chance).collect();
                match self.is_impossible(&chances, &chosen) {
                    true => n += 1,
                    false => drop(left.remove(n)),
                }
            }
            if left.len() == before {
                break;
            }
        }
        self.held = (0..invariants.len()).map(|n| left.contains(&n)).collect();
        for (n, invariant) in invariants.iter().enumerate() {
            let chosen = invariant.chosen;
            let model = self.session.model_mut();
            let fact = if left.contains(&n) { chosen } else { model.not(chosen) };
            self.session.assert(fact);
        }
    }

    /// Whether no input satisfies the preconditions.
    pub fn is_contradictory(&mut self) -> bool {
        self.questions += 1;
        !self.encoding.assumptions.is_empty() && matches!(self.session.solve_under(&[]), Answer::Infeasible)
    }

    /// Whether no clean run has any of some chances, if assumptions hold.
    fn is_impossible(&mut self, chances: &[Chance], assumptions: &[Term]) -> bool {
        if self.is_refuted_by_rewriting(chances, assumptions) {
            return true;
        }
        let question = self.clean.until(self.session.model_mut(), &self.encoding, chances);
        self.questions += 1;
        let mut terms = assumptions.to_vec();
        terms.push(question);
        let answer = self.session.solve_under(&terms);
        self.unanswered += u64::from(matches!(answer, Answer::GaveUp(_)));
        matches!(answer, Answer::Infeasible)
    }

    /// The same, for each chance alone, without a solver.
    fn is_refuted_by_rewriting(&mut self, chances: &[Chance], assumptions: &[Term]) -> bool {
        chances.iter().all(|chance| {
            let clean = self.clean.before(self.session.model_mut(), &self.encoding, chance.n_checks);
            let mut terms = assumptions.to_vec();
            terms.extend([clean, chance.when]);
            self.session.is_refuted_by_rewriting(&terms, MOST_CASES)
        })
    }

    /// Whether a goal is never met, as long as none of the cuts is reached that matter for it.
    pub fn refutes(&mut self, goal: &Goal, matters: impl Fn(&Cut) -> bool) -> bool {
        self.is_never_met(goal, &[]) && self.ends_nowhere(matters, &[])
    }

    /// The same, if assumptions hold.
    pub fn refutes_under(
        &mut self,
        goals: &Goals,
        goal: &Goal,
        matters: impl Fn(&Cut) -> bool,
        assumptions: &[Term],
    ) -> bool {
        let never = match goals.any_pair(goal.id) {
            true => self.is_never_met(goal, assumptions),
            false => self.has_no_pair(goals, goal, assumptions),
        };
        never && self.ends_nowhere(matters, assumptions)
    }

    /// Whether of every two evaluations that fit together for a goal, one never happens.
    fn has_no_pair(&mut self, goals: &Goals, goal: &Goal, assumptions: &[Term]) -> bool {
        let mut known: BTreeMap<Item, bool> = BTreeMap::new();
        for (&when_true, true_way) in goal.parts[0].items.iter().zip(&goal.parts[0].ways) {
            for (&when_false, false_way) in goal.parts[1].items.iter().zip(&goal.parts[1].ways) {
                let halves = [(when_true, true_way), (when_false, false_way)];
                let fits = goals.pair(goal.id, when_true, when_false);
                let mut never = |&(item, way): &(Item, &Way)| match known.get(&item) {
                    Some(&never) => never,
                    None => {
                        let found = chances(self.module, &self.encoding, self.session.model_mut(), way);
                        let never = self.is_impossible(&found, assumptions);
                        known.insert(item, never);
                        never
                    }
                };
                if fits && !halves.iter().any(&mut never) {
                    return false;
                }
            }
        }
        true
    }

    /// A goal needs all its parts. What no check stands for may happen wherever control comes to its place.
    fn is_never_met(&mut self, goal: &Goal, assumptions: &[Term]) -> bool {
        goal.parts.iter().any(|part| {
            let mut found: Vec<Chance> = Vec::new();
            for way in &part.ways {
                found.extend(chances(self.module, &self.encoding, self.session.model_mut(), way));
            }
            let unseen = unchecked(&self.encoding, &part.ways);
            found.extend(unseen.iter().map(|place| Chance { when: place.when, n_checks: place.n_checks }));
            self.is_impossible(&found, assumptions)
        })
    }

    /// Whether nothing undefined ever happens, on the paths that are followed.
    pub fn is_always_defined(&mut self) -> bool {
        if self.always_defined.is_none() {
            let failures = first_failures(&self.encoding, self.session.model_mut());
            let nothing_unseen = self.encoding.unchecked.is_empty();
            self.always_defined = Some(nothing_unseen && self.is_impossible(&failures, &[]));
        }
        self.always_defined == Some(true)
    }

    /// Whether a part of a goal never happens, even in runs that are not clean.
    pub fn is_never_met_at_all(&mut self, goal: &Goal) -> bool {
        goal.parts.iter().any(|part| {
            let mut found: Vec<Chance> = Vec::new();
            for way in &part.ways {
                found.extend(chances(self.module, &self.encoding, self.session.model_mut(), way));
            }
            found.iter_mut().for_each(|chance| chance.n_checks = 0);
            self.is_impossible(&found, &[])
        })
    }

    /// Whether no run ends at a cut that matters, even if it is not clean.
    pub fn ends_nowhere_at_all(&mut self, matters: impl Fn(&Cut) -> bool) -> bool {
        let cuts = self.encoding.cuts.iter().filter(|cut| matters(cut));
        let cuts: Vec<Chance> = cuts.map(|cut| Chance { when: cut.when, n_checks: 0 }).collect();
        cuts.is_empty() || self.is_impossible(&cuts, &[])
    }

    /// Whether no run ends at a cut that matters.
    pub fn ends_nowhere(&mut self, matters: impl Fn(&Cut) -> bool, assumptions: &[Term]) -> bool {
        let cuts: Vec<Chance> = self
            .encoding
            .cuts
            .iter()
            .filter(|cut| matters(cut))
            .map(|cut| Chance { when: cut.when, n_checks: cut.n_checks })
            .collect();
        cuts.is_empty() || self.is_impossible(&cuts, assumptions)
    }
}

fn has_floats(model: &Model) -> bool {
    model.terms().any(|term| matches!(model.node(term), Node::Float(..)))
}
