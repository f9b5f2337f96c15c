//! What proofs rest on: the conditions that conflict, and what holds in all turns of loops.
//!
//! Proofs about all turns take everything for granted that is known of loops. To find out what of it is needed, the
//! function is encoded once more, such that each invariant can be left out.

use std::collections::BTreeSet;

use quipu_encode::{Context, Encoding, Unwinding};
use quipu_goals::Goal;
use quipu_ir::{Block, Func, Module};
use quipu_model::{Model, Term};
use quipu_solve::Session;

use crate::clock::Clock;
use crate::conflict::{Budget, Reasons, conflicts, smallest_core};
use crate::options::Options;
use crate::question::{Chance, Clean};
use crate::refuter::Refuter;
use crate::report::{Explanation, UsedInvariant};
use crate::slices::Part;
use crate::subject::Subject;

/// Loose encodings with more block executions are not made again.
const MOST_VISITS: usize = 4_000;

/// A loose encoding in which nothing that is known of loops is taken for granted unless it is assumed.
pub(crate) struct Explainer<'m> {
    module: &'m Module,
    encoding: Encoding,
    session: Session<'m>,
    clean: Clean,
    /// The choices that grant premises, with the numbers of these: all that hold.
    granted: Vec<(Term, usize)>,
}

impl<'m> Explainer<'m> {
    /// For proofs of a refuter without turns in the past. None if there is nothing to choose, or it costs too much.
    pub fn new(
        part: Part<'m>,
        subject: &'m Subject,
        options: &Options,
        clock: &Clock,
        refuter: &Refuter<'_>,
    ) -> Option<Explainer<'m>> {
        if refuter.encoding.premises.is_empty() || refuter.encoding.n_visits > MOST_VISITS {
            return None;
        }
        let mut session = clock.session(Model::new(), options);
        let unwinding = Unwinding { selectable: true, ..Refuter::unwinding(clock, options, 0) };
        let mut encoder = part.encoder(subject);
        let encoding = encoder.encode(session.model_mut(), &unwinding);
        let (invariants, premises) = (&encoding.invariants, &encoding.premises);
        // What was found to hold is known by number: there must be the same to choose from, loop by loop.
        if candidates(&encoding) != candidates(&refuter.encoding) || invariants.len() != refuter.held.len() {
            return None;
        }
        let mut granted: Vec<(Term, usize)> = Vec::new();
        for (number, premise) in premises.iter().enumerate() {
            let chosen = premise.chosen.expect("every premise can be chosen");
            let holds = match invariants.iter().position(|invariant| invariant.chosen == chosen) {
                Some(n) => refuter.held[n],
                None => premise.is_fact,
            };
            match holds {
                true => granted.push((chosen, number)),
                false => {
                    let not = session.model_mut().not(chosen);
                    session.assert(not);
                }
            }
        }
        // What takes long to tell is left out first.
        let length = |number: usize| encoding.premises[number].text.as_ref().map_or(usize::MAX, String::len);
        granted.sort_by_key(|&(_, number)| length(number));
        encoding.lemmas.iter().for_each(|&term| session.assert(term));
        Some(Explainer { module: part.module, encoding, session, clean: Clean::default(), granted })
    }

    /// What the proof rests on that a goal is unreachable; nothing if that cannot be told.
    pub fn explain(&mut self, goal: &Goal, budget: &mut Budget) -> Explanation {
        let Reasons { conflicts, mut premises, mut least } =
            conflicts(self.module, &self.encoding, &mut self.session, goal, &self.granted, budget);
        if conflicts.is_empty() {
            return Explanation::default();
        }
        least &= self.close(&mut premises, budget);
        let invariants = premises.into_iter().map(|number| self.used(number, budget)).collect();
        Explanation { conflicts, invariants, least }
    }

    /// Adds what is needed to prove the premises by induction. False if that is not known: then everything is added
    /// that may be needed.
    fn close(&mut self, premises: &mut BTreeSet<usize>, budget: &mut Budget) -> bool {
        let mut open: Vec<usize> = premises.iter().copied().collect();
        let mut known = true;
        while let Some(number) = open.pop() {
            let premise = &self.encoding.premises[number];
            let invariant = self.encoding.invariants.iter().find(|one| Some(one.chosen) == premise.chosen);
            let Some(invariant) = invariant else { continue };
            let violated = invariant.violated.iter();
            let chances: Vec<Chance> = violated.map(|&(when, n_checks)| Chance { when, n_checks }).collect();
            let needed = match self.needed(&chances, budget) {
                Some(needed) => needed,
                None => {
                    known = false;
                    self.granted.iter().map(|&(_, number)| number).collect()
                }
            };
            open.extend(needed.into_iter().filter(|&number| premises.insert(number)));
        }
        known
    }

    /// The premises by which no clean run has any of some chances; none if that could not be shown.
    fn needed(&mut self, chances: &[Chance], budget: &mut Budget) -> Option<Vec<usize>> {
        let question = self.clean.until(self.session.model_mut(), &self.encoding, chances);
        let choices = self.granted.iter().map(|&(chosen, _)| chosen);
        let terms: Vec<Term> =
            [question].into_iter().chain(self.encoding.assumptions.iter().copied()).chain(choices).collect();
        let core = smallest_core(&mut self.session, &terms, budget)?.0;
        let needed = self.granted.iter().filter(|(chosen, _)| core.contains(chosen));
        Some(needed.map(|&(_, number)| number).collect())
    }

    fn used(&mut self, number: usize, budget: &mut Budget) -> UsedInvariant {
        let before = self.encoding.premises[number].violated_before.clone();
        let from_start = before.is_some_and(|before| {
            let chances = before.into_iter().map(|(when, n_checks)| Chance { when, n_checks });
            self.needed(&chances.collect::<Vec<_>>(), budget).is_some()
        });
        let premise = &self.encoding.premises[number];
        let (func, head, context) = (premise.func, premise.head, premise.context);
        let n_contexts = self.encoding.loops.get(&(func, head)).copied().unwrap_or(0);
        UsedInvariant { func, head, context, n_contexts, text: premise.text.clone(), from_start }
    }
}

/// The loops for which something may hold, once for each such thing.
fn candidates(encoding: &Encoding) -> Vec<(Func, Block, Context)> {
    let candidates = encoding.premises.iter().filter(|premise| !premise.is_fact);
    candidates.map(|premise| (premise.func, premise.head, premise.context)).collect()
}
