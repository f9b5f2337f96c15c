//! From a conflict to a clause: explanations are unwound, latest change first, until one atom of the current level
//! is left (the first unique implication point).

use std::collections::BinaryHeap;

use quipu_model::Term;
use rustc_hash::FxHashSet;

use crate::atom::Atom;
use crate::explain::{Conflict, Explainer};
use crate::store::{Reason, Time};

/// What a conflict teaches.
pub struct Lesson {
    /// At least one of these is true; the first is the one to be made true after going back.
    pub clause: Vec<Atom>,
    /// The level to go back to.
    pub level: usize,
    /// The level of the first atom.
    pub own_level: usize,
    /// Over how many levels the atoms were spread.
    pub spread: u32,
    /// The terms whose changes took part.
    pub terms: Vec<Term>,
    /// The clauses that took part.
    pub used: Vec<crate::clauses::ClauseId>,
}

/// How far explanations are unwound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// To the latest atom of the level through which all its explanations lead.
    FirstPoint,
    /// To the decision of the level.
    Decision,
}

/// Learns from a conflict above level 0.
pub fn analyze(explainer: &mut Explainer<'_>, conflict: Conflict, until: Until) -> Lesson {
    let mut work = Work::default();
    let mut atoms = Vec::new();
    work.note_clause_of_conflict(conflict);
    explainer.conflict(conflict, &mut atoms);
    let mut explained = explainer.store.now();
    loop {
        for atom in atoms.drain(..) {
            work.push(explainer, atom, explained);
        }
        // A conflict may lie wholly below the current level: then that level is the one that counts.
        let Some((time, _, n)) = work.heap.pop() else { break };
        let start = explainer.store.level_start(explainer.store.level_of(time));
        let atom = work.atoms[n];
        let alone = work.heap.peek().is_none_or(|&(next, ..)| next < start);
        if alone && (until == Until::FirstPoint || work.is_decision(explainer, atom, time)) {
            return work.finish(explainer, atom, time);
        }
        if let Reason::Clause(id) = explainer.store.reason(time) {
            work.used.push(id);
        }
        explained = work.explain(explainer, atom, time, &mut atoms);
    }
    // Nothing but facts of level 0 took part: the model has no solution.
    Lesson { clause: Vec::new(), level: 0, own_level: 0, spread: 0, terms: work.terms, used: work.used }
}

/// The decisions from which an atom that is true follows, latest first.
pub fn decisions_behind(explainer: &mut Explainer<'_>, atom: Atom) -> Vec<Atom> {
    let mut work = Work::default();
    let mut decisions = Vec::new();
    let mut atoms = Vec::new();
    work.push(explainer, atom, explainer.store.now());
    while let Some((time, _, n)) = work.heap.pop() {
        let atom = work.atoms[n];
        if work.is_decision(explainer, atom, time) {
            decisions.push(atom);
            continue;
        }
        let explained = work.explain(explainer, atom, time, &mut atoms);
        atoms.drain(..).for_each(|atom| work.push(explainer, atom, explained));
    }
    decisions
}

#[derive(Default)]
struct Work {
    /// Entries with the atoms that they made true, latest first. A decision comes after what it implied at once:
    /// it has no explanation.
    heap: BinaryHeap<(Time, bool, usize)>,
    atoms: Vec<Atom>,
    seen: FxHashSet<Atom>,
    terms: Vec<Term>,
    used: Vec<crate::clauses::ClauseId>,
}

impl Work {
    fn note_clause_of_conflict(&mut self, conflict: Conflict) {
        if let Conflict::Clause(id) | Conflict::Forced(id) = conflict {
            self.used.push(id);
        }
    }

    fn is_decision(&self, explainer: &Explainer<'_>, atom: Atom, time: Time) -> bool {
        let store = explainer.store;
        store.reason(time) == Reason::Decision && store.decision(store.level_of(time)) == atom
    }

    /// Takes on an atom that was true before a time.
    fn push(&mut self, explainer: &mut Explainer<'_>, atom: Atom, before: Time) {
        if !self.seen.insert(atom) {
            return;
        }
        if let Some(time) = explainer.became_true(atom, before) {
            let decision = self.is_decision(explainer, atom, time);
            self.heap.push((time, !decision, self.atoms.len()));
            self.atoms.push(atom);
            self.terms.push(atom.term);
        }
    }

    /// Adds the atoms from which an atom followed that an entry made true; says before which time they were true.
    fn explain(&self, explainer: &mut Explainer<'_>, atom: Atom, time: Time, atoms: &mut Vec<Atom>) -> Time {
        explainer.change(atom, time, atoms);
        // A decision explains what it implied at once, and became true with it.
        let decided = explainer.store.reason(time) == Reason::Decision;
        if decided { time + 1 } else { time }
    }

    fn finish(mut self, explainer: &Explainer<'_>, last: Atom, time: Time) -> Lesson {
        let store = explainer.store;
        let negated = |atom: Atom| atom.negated(store.width(atom.term));
        let mut clause = vec![negated(last)];
        let mut levels = vec![store.level_of(time)];
        while let Some((time, _, n)) = self.heap.pop() {
            clause.push(negated(self.atoms[n]));
            levels.push(store.level_of(time));
        }
        let (own_level, level) = (levels[0], levels.get(1).copied().unwrap_or(0));
        levels.dedup();
        Lesson { clause, level, own_level, spread: levels.len() as u32, terms: self.terms, used: self.used }
    }
}
