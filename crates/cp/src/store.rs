//! The domains of all terms, the trail of their changes, and what was known when.

use quipu_base::IdVec;
use quipu_domain::Domain;
use quipu_model::Term;
use quipu_num::Width;

use crate::atom::Atom;
use crate::clauses::ClauseId;

/// A position on the trail.
pub type Time = u32;

const NEVER: Time = Time::MAX;

/// Why a domain changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The decision that opened the level.
    Decision,
    /// The node of a term, which relates it to its operands.
    Definition(Term),
    /// A clause all of whose other atoms are false; the atom that had to be true stands first in it.
    Clause(ClauseId),
}

#[derive(Clone, Copy)]
struct Entry {
    term: Term,
    /// The entry before it for the same term.
    previous: Time,
    reason: Reason,
    before: Domain,
}

/// A point in the history of a term: its domain then, and the entry that made it so.
#[derive(Clone, Copy)]
pub struct Past {
    pub domain: Domain,
    entry: Time,
}

/// Domains with their history. At level 0 nothing is ever undone, so no history is kept there.
#[derive(Default)]
pub struct Store {
    widths: IdVec<Term, Width>,
    domains: IdVec<Term, Domain>,
    /// The domains at level 0.
    roots: IdVec<Term, Domain>,
    latest: IdVec<Term, Time>,
    trail: Vec<Entry>,
    levels: Vec<(Time, Atom)>,
    /// The lowest level to which decisions were taken back since somebody asked.
    lowest: Option<usize>,
    /// Terms that were narrowed at level 0 since somebody asked, each once.
    narrowed: Vec<Term>,
    is_noted: IdVec<Term, bool>,
}

impl Store {
    /// The lowest level to which decisions were taken back since the last call.
    pub fn take_lowest_level(&mut self) -> Option<usize> {
        self.lowest.take()
    }

    /// Adds the next term.
    pub fn push(&mut self, width: Width, domain: Domain) {
        self.widths.push(width);
        self.domains.push(domain);
        self.roots.push(domain);
        self.latest.push(NEVER);
        self.is_noted.push(false);
    }

    pub fn len(&self) -> usize {
        self.domains.len()
    }

    #[inline]
    pub fn width(&self, term: Term) -> Width {
        self.widths[term]
    }

    #[inline]
    pub fn domain(&self, term: Term) -> Domain {
        self.domains[term]
    }

    /// The domain at level 0, which needs no explanation.
    pub fn root(&self, term: Term) -> Domain {
        self.roots[term]
    }

    #[inline]
    pub fn is_true(&self, term: Term) -> bool {
        self.domains[term].is_singleton() == Some(1)
    }

    pub fn status(&self, atom: Atom) -> Option<bool> {
        atom.fact.status(self.widths[atom.term], self.domains[atom.term])
    }

    #[inline]
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// The number of changes that can be undone.
    pub fn now(&self) -> Time {
        self.trail.len() as Time
    }

    /// Changes the domain of a term to a part of it.
    #[inline]
    pub fn set(&mut self, term: Term, domain: Domain, reason: Reason) {
        if !self.levels.is_empty() {
            let entry = Entry { term, previous: self.latest[term], reason, before: self.domains[term] };
            self.latest[term] = self.trail.len() as Time;
            self.trail.push(entry);
        } else {
            self.roots[term] = domain;
            if !std::mem::replace(&mut self.is_noted[term], true) {
                self.narrowed.push(term);
            }
        }
        self.domains[term] = domain;
    }

    /// The terms that were narrowed at level 0 since the last call.
    pub fn take_narrowed(&mut self) -> Vec<Term> {
        let narrowed = std::mem::take(&mut self.narrowed);
        narrowed.iter().for_each(|&term| self.is_noted[term] = false);
        narrowed
    }

    /// Opens a level for a decision, which the caller then applies.
    pub fn open_level(&mut self, decision: Atom) {
        self.levels.push((self.now(), decision));
    }

    /// Undoes everything above a level; `undone` is told the terms, latest first.
    pub fn backtrack(&mut self, level: usize, mut undone: impl FnMut(Term)) {
        let Some(&(start, _)) = self.levels.get(level) else { return };
        for entry in self.trail.drain(start as usize..).rev() {
            self.domains[entry.term] = entry.before;
            self.latest[entry.term] = entry.previous;
            undone(entry.term);
        }
        self.levels.truncate(level);
        self.lowest = Some(self.lowest.map_or(level, |lowest| lowest.min(level)));
    }

    /// The terms that changed from a time on.
    pub fn changed_since(&self, time: Time) -> impl Iterator<Item = Term> + '_ {
        self.trail[time as usize..].iter().map(|entry| entry.term)
    }

    /// The level at which an entry was made.
    pub fn level_of(&self, time: Time) -> usize {
        self.levels.partition_point(|&(start, _)| start <= time)
    }

    /// The first entry of a level.
    pub fn level_start(&self, level: usize) -> Time {
        self.levels[level - 1].0
    }

    /// The decisions so far, outermost first.
    pub fn decisions(&self) -> impl Iterator<Item = Atom> + '_ {
        self.levels.iter().map(|&(_, decision)| decision)
    }

    /// The decision that opened a level.
    pub fn decision(&self, level: usize) -> Atom {
        self.levels[level - 1].1
    }

    pub fn reason(&self, time: Time) -> Reason {
        self.trail[time as usize].reason
    }

    /// The domain that a term had just before an entry was made.
    pub fn domain_before(&self, term: Term, time: Time) -> Domain {
        let mut past = self.present(term);
        self.rewind(&mut past, time);
        past.domain
    }

    /// The domain of a term now, as a point of its history.
    pub fn present(&self, term: Term) -> Past {
        Past { domain: self.domains[term], entry: self.latest[term] }
    }

    /// Goes back to just before an entry was made, if `past` is later.
    pub fn rewind(&self, past: &mut Past, time: Time) {
        while past.entry != NEVER && past.entry >= time {
            let Entry { before, previous, .. } = self.trail[past.entry as usize];
            *past = Past { domain: before, entry: previous };
        }
    }

    /// When an atom that is true became so; nothing if it is true at level 0.
    pub fn became_true(&self, atom: Atom) -> Option<Time> {
        self.became_true_before(atom, self.present(atom.term))
    }

    /// When an atom that was true at a point of its term's history became so; nothing if it is true at level 0.
    pub fn became_true_before(&self, atom: Atom, past: Past) -> Option<Time> {
        let width = self.widths[atom.term];
        let mut entry = past.entry;
        while entry != NEVER {
            let Entry { before, previous, .. } = self.trail[entry as usize];
            if !atom.fact.is_true(width, before) {
                return Some(entry);
            }
            entry = previous;
        }
        None
    }
}
