//! Clauses over atoms: those learned from conflicts, and those that exclude solutions already told.
//!
//! Two atoms of each clause are watched. An atom lives on one term, so a watch hangs on that term and is looked at
//! when its domain changes.

use quipu_base::{IdVec, define_id};
use quipu_model::Term;

use crate::atom::Atom;

define_id!(
    /// A clause.
    ClauseId,
    "c"
);

/// Why a clause is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It follows from the model: it may be forgotten.
    Learned,
    /// It excludes a solution that was told.
    Told,
    /// It excludes a part of the search that was left unfinished: nothing follows from it.
    Postponed,
}

/// At least one of the atoms is true.
pub struct Clause {
    pub atoms: Vec<Atom>,
    pub origin: Origin,
    /// From how many levels its atoms came: clauses that join few levels are worth keeping.
    pub spread: u32,
    /// When it last took part in a conflict.
    pub last_used: u64,
}

/// A clause whose atom, one of its first two, is on the term.
#[derive(Clone, Copy)]
pub struct Watch {
    pub clause: ClauseId,
}

/// All clauses and the watches on terms.
#[derive(Default)]
pub struct Clauses {
    clauses: IdVec<ClauseId, Option<Clause>>,
    watches: IdVec<Term, Vec<Watch>>,
    n_learned: usize,
}

impl Clauses {
    /// Makes room for the next term.
    pub fn push_term(&mut self) {
        self.watches.push(Vec::new());
    }

    pub fn get(&self, id: ClauseId) -> &Clause {
        self.clauses[id].as_ref().expect("a clause in use should not be forgotten")
    }

    pub fn get_mut(&mut self, id: ClauseId) -> &mut Clause {
        self.clauses[id].as_mut().expect("a clause in use should not be forgotten")
    }

    pub fn n_learned(&self) -> usize {
        self.n_learned
    }

    /// The number of atoms in all clauses.
    pub fn n_atoms(&self) -> usize {
        self.clauses.iter().flatten().map(|clause| clause.atoms.len()).sum()
    }

    /// Adds a clause of at least two atoms; the first two are watched.
    pub fn add(&mut self, clause: Clause) -> ClauseId {
        self.n_learned += usize::from(clause.origin == Origin::Learned);
        let (first, second) = (clause.atoms[0].term, clause.atoms[1].term);
        let id = self.clauses.push(Some(clause));
        self.watches[first].push(Watch { clause: id });
        if second != first {
            self.watches[second].push(Watch { clause: id });
        }
        id
    }

    /// Takes the watches of a term, to be given back with [`Clauses::watch`].
    pub fn take_watches(&mut self, term: Term) -> Vec<Watch> {
        std::mem::take(&mut self.watches[term])
    }

    pub fn watch(&mut self, term: Term, clause: ClauseId) {
        self.watches[term].push(Watch { clause });
    }

    /// Whether the clause is still there.
    pub fn exists(&self, id: ClauseId) -> bool {
        self.clauses[id].is_some()
    }

    /// Removes a clause that is no reason for anything.
    pub fn remove(&mut self, id: ClauseId) {
        if let Some(clause) = self.clauses[id].take() {
            self.n_learned -= usize::from(clause.origin == Origin::Learned);
        }
    }

    /// Forgets the clauses that `forget` names. Their watches disappear when they are looked at.
    pub fn forget(&mut self, mut forget: impl FnMut(ClauseId, &Clause) -> bool) {
        for id in self.clauses.ids() {
            if let Some(clause) = &self.clauses[id]
                && forget(id, clause)
            {
                self.n_learned -= usize::from(clause.origin == Origin::Learned);
                self.clauses[id] = None;
            }
        }
    }

    /// All clauses.
    pub fn entries(&self) -> impl Iterator<Item = (ClauseId, &Clause)> {
        self.clauses.entries().filter_map(|(id, clause)| clause.as_ref().map(|clause| (id, clause)))
    }
}
