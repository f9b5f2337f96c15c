//! Decisions about conditions before values: backwards from what is asked, or forwards along the program.
//!
//! Backwards (DPVS: Le Vinh, Collavizza, Rueher, Devulder, Gueguen, 2010), the search starts with what is asked and
//! follows definitions. Where one of two definitions holds it decides which, so that what is not connected with the
//! question by the decisions so far is never looked at. What is left when nothing is to be decided any more is labelled.
//!
//! Forwards (CPBPV), conditions are decided in the order in which the program meets them.
//!
//! Both only choose what to decide next: propagation, learning and the final check are those of any search.

use std::collections::BTreeSet;

use quipu_base::{Id, IdVec};
use quipu_model::{Model, Node, Term};
use quipu_num::Width;

use crate::atom::Atom;
use crate::store::Store;

/// What a search decides first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Direction {
    /// Values of variables only.
    #[default]
    Values,
    /// Definitions, from what is asked back to the inputs.
    Backwards(Queue),
    /// Conditions, in the order of the program.
    Forwards,
}

/// Which of the terms that wait for a definition comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Queue {
    /// The one found last: one thread of information is followed to its end.
    LastFirst,
    FirstFirst,
    /// The one that the program defines first.
    EarliestDefined,
}

/// The decisions of a direction, for one question after the other.
#[derive(Default)]
pub(crate) struct Guide {
    direction: Direction,
    /// What waits: a rank and a term.
    waiting: BTreeSet<(i64, Term)>,
    seen: IdVec<Term, bool>,
    /// What was done, in order, to be undone when decisions are taken back.
    done: Vec<Deed>,
    /// For each level the deeds before its decision.
    levels: Vec<usize>,
    n_found: i64,
    /// What was decided about a condition last, as a truth value; none if nothing was.
    last: IdVec<Term, Option<bool>>,
}

#[derive(Clone, Copy)]
enum Deed {
    Found(i64, Term),
    Finished(i64, Term),
}

/// What a term needs.
enum Need {
    /// These are looked at next.
    Terms(Vec<Term>),
    Decision(Term),
}

impl Guide {
    /// Turns to a question.
    pub fn begin(&mut self, model: &Model, direction: Direction, roots: &[Term]) {
        self.direction = direction;
        self.waiting.clear();
        self.done.clear();
        self.levels.clear();
        self.n_found = 0;
        let first = match direction {
            Direction::Values => return,
            Direction::Backwards(_) => roots.to_vec(),
            Direction::Forwards => conditions(model, roots),
        };
        self.seen = model.table(false);
        self.make_room(model.terms().len());
        self.find_all(&first);
        self.done.clear();
    }

    /// The next decision; none if only values are left.
    pub fn decide(&mut self, model: &Model, store: &Store) -> Option<Atom> {
        if self.direction == Direction::Values {
            return None;
        }
        self.levels.resize(store.level() + 1, self.done.len());
        let decision = loop {
            let &(rank, term) = self.waiting.first()?;
            match self.need(model, store, term) {
                Need::Decision(condition) => break condition,
                Need::Terms(terms) => {
                    self.waiting.remove(&(rank, term));
                    self.done.push(Deed::Finished(rank, term));
                    self.find_all(&terms);
                }
            }
        };
        let value = self.last[decision].unwrap_or(true);
        self.last[decision] = Some(value);
        Some(Atom::truth(decision, value))
    }

    fn need(&self, model: &Model, store: &Store, term: Term) -> Need {
        if self.direction == Direction::Forwards {
            return match truth(store, term) {
                Some(_) => Need::Terms(Vec::new()),
                None => Need::Decision(term),
            };
        }
        justification(model, store, term)
    }

    fn find_all(&mut self, terms: &[Term]) {
        match self.direction {
            Direction::Backwards(Queue::LastFirst) => terms.iter().rev().for_each(|&term| self.find(term)),
            _ => terms.iter().for_each(|&term| self.find(term)),
        }
    }

    /// Unfolding adds terms.
    fn make_room(&mut self, n_terms: usize) {
        while self.seen.len() < n_terms {
            self.seen.push(false);
        }
        while self.last.len() < n_terms {
            self.last.push(None);
        }
    }

    fn find(&mut self, term: Term) {
        self.make_room(term.index() + 1);
        if std::mem::replace(&mut self.seen[term], true) {
            return;
        }
        self.n_found += 1;
        let rank = match self.direction {
            Direction::Backwards(Queue::LastFirst) => -self.n_found,
            Direction::Backwards(Queue::FirstFirst) => self.n_found,
            Direction::Backwards(Queue::EarliestDefined) | Direction::Forwards | Direction::Values => 0,
        };
        self.waiting.insert((rank, term));
        self.done.push(Deed::Found(rank, term));
    }

    /// Undoes what belongs to decisions above a level, which were taken back.
    pub fn go_back_to(&mut self, level: usize) {
        let Some(&n_done) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        for deed in self.done.drain(n_done..).rev() {
            match deed {
                Deed::Found(rank, term) => {
                    self.waiting.remove(&(rank, term));
                    self.seen[term] = false;
                }
                Deed::Finished(rank, term) => {
                    self.waiting.insert((rank, term));
                }
            }
        }
    }
}

/// All conditions that select a value.
fn conditions(model: &Model, roots: &[Term]) -> Vec<Term> {
    let mut seen = model.table(false);
    let mut stack = roots.to_vec();
    let mut conditions = Vec::new();
    while let Some(term) = stack.pop() {
        if std::mem::replace(&mut seen[term], true) {
            continue;
        }
        if let Node::Select(condition, ..) = model.node(term) {
            conditions.push(*condition);
        }
        model.node(term).for_each_operand(|operand| stack.push(operand));
    }
    conditions
}

/// What gives a term the value that it has, or may have.
fn justification(model: &Model, store: &Store, term: Term) -> Need {
    let is_truth = model.width(term) == Width::W1;
    let value = if is_truth { truth(store, term) } else { None };
    match model.node(term) {
        Node::Const(_) | Node::Var(_) => Need::Terms(Vec::new()),
        // What a call says is a part of the model once it must be true.
        Node::Call(..) => Need::Terms(model.unfolding(term).into_iter().collect()),
        _ if is_truth && value.is_none() => Need::Decision(term),
        Node::Select(condition, a, b) => match truth(store, *condition) {
            None => Need::Decision(*condition),
            Some(true) => Need::Terms(vec![*condition, *a]),
            Some(false) => Need::Terms(vec![*condition, *b]),
        },
        Node::Any(items) if value == Some(true) => one_of(store, items, true),
        Node::All(items) if value == Some(false) => one_of(store, items, false),
        Node::Element(index, items) => match store.domain(*index).is_singleton() {
            Some(n) => {
                let item = usize::try_from(n).ok().and_then(|n| items.get(n));
                Need::Terms(item.into_iter().copied().chain([*index]).collect())
            }
            None => Need::Terms(items.iter().copied().chain([*index]).collect()),
        },
        node => {
            let mut operands = Vec::new();
            node.for_each_operand(|operand| operands.push(operand));
            Need::Terms(operands)
        }
    }
}

/// One of some truth values is enough.
fn one_of(store: &Store, items: &[Term], wanted: bool) -> Need {
    if let Some(&item) = items.iter().find(|&&item| truth(store, item) == Some(wanted)) {
        return Need::Terms(vec![item]);
    }
    match items.iter().find(|&&item| truth(store, item).is_none()) {
        Some(&item) => Need::Decision(item),
        None => Need::Terms(Vec::new()),
    }
}

fn truth(store: &Store, term: Term) -> Option<bool> {
    store.status(Atom::truth(term, true))
}
