//! Explanations: few atoms that were true before, and that imply what a change said.
//!
//! Contractors are pure functions of domains, so an explanation needs no code of its own: the change is repeated
//! from weaker and weaker domains as long as it still follows. What is left is implied by the model, whatever
//! the contractor does.

use quipu_domain::Domain;
use quipu_model::{Model, Term};
use rustc_hash::FxHashMap;

use crate::atom::{Atom, describe};
use crate::clauses::{ClauseId, Clauses};
use crate::definition::{contract, related};
use crate::store::{Past, Reason, Store, Time};

/// What an explanation is drawn from.
///
/// Conflicts are unwound from the latest change to earlier ones, and a term may have changed very often (two bounds
/// that push each other take a step of one at a time). So it is remembered how far the history of a term was walked
/// back: the next question starts there.
pub struct Explainer<'a> {
    pub model: &'a Model,
    pub store: &'a Store,
    pub clauses: &'a Clauses,
    /// Contractor calls made.
    pub ticks: u64,
    history: FxHashMap<Term, (Time, Past)>,
}

/// A conflict.
#[derive(Clone, Copy, Debug)]
pub enum Conflict {
    /// The definition of a term has no solution in the present domains.
    Definition(Term),
    /// No atom of a clause can be true any more.
    Clause(ClauseId),
    /// The first atom of a clause has to be true and cannot.
    Forced(ClauseId),
}

impl<'a> Explainer<'a> {
    pub fn new(model: &'a Model, store: &'a Store, clauses: &'a Clauses) -> Explainer<'a> {
        Explainer { model, store, clauses, ticks: 0, history: FxHashMap::default() }
    }

    /// When an atom that was true before a time became so; nothing if it is true at level 0.
    pub fn became_true(&mut self, atom: Atom, time: Time) -> Option<Time> {
        let past = self.past(atom.term, time);
        self.store.became_true_before(atom, past)
    }

    /// A term as it was just before a time; cheap if times decrease from question to question.
    fn past(&mut self, term: Term, time: Time) -> Past {
        let (walked_to, past) = self.history.entry(term).or_insert((Time::MAX, self.store.present(term)));
        if time > *walked_to {
            *past = self.store.present(term);
        }
        *walked_to = time;
        self.store.rewind(past, time);
        *past
    }

    /// Atoms that are true now and cannot be true together.
    pub fn conflict(&mut self, conflict: Conflict, atoms: &mut Vec<Atom>) {
        let now = self.store.now();
        match conflict {
            Conflict::Definition(term) => self.definition(term, None, now, atoms),
            Conflict::Clause(id) => {
                let clause = self.clauses.get(id);
                atoms.extend(clause.atoms.iter().map(|&atom| self.negated(atom)));
            }
            Conflict::Forced(id) => {
                let first = self.others_false(id, atoms);
                describe(self.store.width(first.term), first.term, self.store.domain(first.term), atoms);
            }
        }
    }

    /// Atoms that were true before an entry and imply an atom that the entry made true.
    pub fn change(&mut self, atom: Atom, time: Time, atoms: &mut Vec<Atom>) {
        match self.store.reason(time) {
            Reason::Definition(term) => self.definition(term, Some(atom), time, atoms),
            Reason::Decision => {
                let decision = self.store.decision(self.store.level_of(time));
                atoms.push(decision);
                self.own_part(decision, atom, time, atoms);
            }
            Reason::Clause(id) => {
                let first = self.others_false(id, atoms);
                self.own_part(first, atom, time, atoms);
            }
        }
    }

    /// The first atom of a clause; the opposites of the others, which made it necessary, are added. (A fact stands
    /// twice in its clause.)
    fn others_false(&self, id: ClauseId, atoms: &mut Vec<Atom>) -> Atom {
        let clause = &self.clauses.get(id).atoms;
        let first = clause[0];
        atoms.extend(clause.iter().filter(|&&other| other != first).map(|&other| self.negated(other)));
        first
    }

    fn negated(&self, atom: Atom) -> Atom {
        atom.negated(self.store.width(atom.term))
    }

    /// What the domain before contributed to `atom`, beside the atom that was applied to it.
    fn own_part(&mut self, applied: Atom, atom: Atom, time: Time, atoms: &mut Vec<Atom>) {
        let w = self.store.width(atom.term);
        let alone = applied.fact.narrow(w, Domain::full(w));
        if alone.is_none_or(|domain| !atom.fact.is_true(w, domain)) {
            describe(w, atom.term, self.past(atom.term, time).domain, atoms);
        }
    }

    /// Why a definition implies an atom, or has no solution.
    fn definition(&mut self, term: Term, goal: Option<Atom>, time: Time, atoms: &mut Vec<Atom>) {
        let mut terms = Vec::new();
        related(self.model, term, &mut terms);
        let mut premises = Premises { slots: Vec::with_capacity(terms.len()), term, goal, ticks: 0 };
        for &related in &terms {
            let w = self.store.width(related);
            let mut described = Vec::new();
            describe(w, related, self.past(related, time).domain, &mut described);
            described.retain(|atom| !atom.fact.is_true(w, self.store.root(related)));
            premises.slots.push(Slot { term: related, atoms: described });
        }
        premises.weaken(self.model, self.store);
        self.ticks += premises.ticks;
        for slot in premises.slots {
            atoms.extend(slot.atoms);
        }
    }
}

const MOST_TRIED_SINGLY: usize = 32;

/// One of the terms of a definition, with what is assumed of it.
struct Slot {
    term: Term,
    atoms: Vec<Atom>,
}

/// What is assumed of the terms of a definition.
struct Premises {
    slots: Vec<Slot>,
    term: Term,
    goal: Option<Atom>,
    ticks: u64,
}

impl Premises {
    /// Each trial costs a contractor call that looks at every term, so the terms of a wide definition are first tried
    /// in groups; if most of them are needed, nothing more is tried.
    fn weaken(&mut self, model: &Model, store: &Store) {
        loop {
            let filled: Vec<usize> =
                (0..self.slots.len()).filter(|&n| !self.slots[n].atoms.is_empty()).collect();
            if filled.len() <= MOST_TRIED_SINGLY {
                return filled.into_iter().for_each(|n| self.weaken_slot(n, model, store));
            }
            let groups = filled.chunks(filled.len().div_ceil(MOST_TRIED_SINGLY));
            let needed: usize = groups.map(|group| self.weaken_group(group, model, store)).sum();
            if needed > filled.len() / 2 {
                return;
            }
        }
    }

    /// Drops all atoms of some slots if the rest suffices; how many of the slots are kept.
    fn weaken_group(&mut self, group: &[usize], model: &Model, store: &Store) -> usize {
        let dropped: Vec<Vec<Atom>> =
            group.iter().map(|&n| std::mem::take(&mut self.slots[n].atoms)).collect();
        if self.suffice(model, store) {
            return 0;
        }
        for (&n, atoms) in group.iter().zip(dropped) {
            self.slots[n].atoms = atoms;
        }
        group.len()
    }

    /// The atoms describe a domain exactly, so they imply the goal even where narrowing the root domain by them
    /// loses something. Drops all atoms of a slot, or all of one kind, or one by one, as long as the rest suffices.
    fn weaken_slot(&mut self, n: usize, model: &Model, store: &Store) {
        let all = std::mem::take(&mut self.slots[n].atoms);
        if all.is_empty() || self.suffice(model, store) {
            return;
        }
        if all.len() == 1 {
            self.slots[n].atoms = all;
            return;
        }
        let (bits, arcs): (Vec<Atom>, Vec<Atom>) =
            all.iter().partition(|atom| matches!(atom.fact, crate::atom::Fact::Bit { .. }));
        self.slots[n].atoms = arcs;
        if !self.suffice(model, store) {
            self.slots[n].atoms.extend(bits);
        }
        let mut position = 0;
        while position < self.slots[n].atoms.len() && self.slots[n].atoms.len() > 1 {
            let dropped = self.slots[n].atoms.remove(position);
            if !self.suffice(model, store) {
                self.slots[n].atoms.insert(position, dropped);
                position += 1;
            }
        }
    }

    /// Whether the atoms that are left imply the goal.
    fn suffice(&mut self, model: &Model, store: &Store) -> bool {
        self.ticks += 1;
        let mut domains = Vec::with_capacity(self.slots.len());
        for slot in &self.slots {
            let w = store.width(slot.term);
            // What is known at level 0 needs no premise.
            let mut domain = store.root(slot.term);
            for atom in &slot.atoms {
                match atom.fact.narrow(w, domain) {
                    Some(narrowed) => domain = narrowed,
                    None => return true,
                }
            }
            domains.push(domain);
        }
        if !contract(model, self.term, &mut domains) {
            return true;
        }
        let Some(goal) = self.goal else { return false };
        let w = store.width(goal.term);
        let result = self.slots.iter().zip(&domains).filter(|(slot, _)| slot.term == goal.term);
        let mut left = Some(Domain::full(w));
        for (_, &domain) in result {
            left = left.and_then(|left| left.meet(w, domain));
        }
        left.is_none_or(|left| goal.fact.is_true(w, left))
    }
}
