//! What calls say as a whole, however far they lead: the side of `w` that unfolds nothing.
//!
//! Calls that are true without any decision are closed before they are unfolded, and while probing assumes something, so
//! are those that become true by it. Both are steps whose results nobody has to explain: they hold for good, or are
//! only compared with those of the opposite assumption.

use std::sync::Arc;

use quipu_domain::Domain;
use quipu_model::{Model, Node, Relation, Term};

use crate::engine::{Engine, Fixpoint};
use crate::explain::Conflict;
use crate::store::Reason;

/// Somebody who knows calls as a whole.
pub trait Closing {
    /// What is left of the domains of a call's arguments if it is true; none if it cannot be.
    fn close(&self, model: &Model, relation: Relation, domains: &[Domain]) -> Option<Vec<Domain>>;
}

impl<C: Closing> Closing for Arc<C> {
    fn close(&self, model: &Model, relation: Relation, domains: &[Domain]) -> Option<Vec<Domain>> {
        (**self).close(model, relation, domains)
    }
}

/// Contractor calls that cost as much.
const COST: u64 = 64;
/// The first calls are all closed before they are unfolded; then one after twice as many each time, so that a loop
/// without end is recognised in the end.
const FIRST_CLOSED: u64 = 4;
/// How often arguments are narrowed before their new domains are taken as they are: two that push each other could go on
/// and on.
const MOST_ROUNDS: usize = 4;

impl<'a> Engine<'a> {
    /// From now on calls are closed, so their arguments take part before they are unfolded.
    pub(crate) fn set_closing(&mut self, closing: Box<dyn Closing + 'a>) {
        self.closing = Some(closing);
        for call in self.open_calls.clone() {
            let Node::Call(_, arguments) = self.model.node(call) else { panic!("only a call is open") };
            arguments.clone().into_iter().for_each(|argument| self.activate(argument));
        }
    }

    /// Narrows the arguments of a call that is true, and is about to be unfolded for good; false if it cannot be true.
    pub(crate) fn close_before_unfolding(&mut self, call: Term) -> bool {
        let n = self.counters.unfoldings;
        let is_due = n < FIRST_CLOSED || n.is_power_of_two();
        self.store.level() > 0 || !is_due || self.close(call)
    }

    /// Propagates without unfolding, where nobody will ask for reasons: calls that are true are closed.
    pub(crate) fn propagate_closing(&mut self) -> Fixpoint {
        for _ in 0..MOST_ROUNDS {
            match self.propagate(false) {
                Fixpoint::Reached => {}
                end => return end,
            }
            let before = self.counters.narrowings;
            let is_true = |&call: &Term| self.store.is_true(call) && self.is_awake(call);
            let calls: Vec<Term> = self.open_calls.iter().copied().filter(is_true).collect();
            if let Some(&impossible) = calls.iter().find(|&&call| !self.close(call)) {
                return Fixpoint::Conflict(Conflict::Definition(impossible));
            }
            if self.counters.narrowings == before {
                return Fixpoint::Reached;
            }
        }
        self.propagate(false)
    }

    /// Narrows the arguments of a call that is true; false if it cannot be.
    fn close(&mut self, call: Term) -> bool {
        let Some(closing) = &self.closing else { return true };
        let Node::Call(relation, arguments) = self.model.node(call) else { panic!("only a call is closed") };
        let arguments = arguments.clone();
        let domains: Vec<Domain> = arguments.iter().map(|&argument| self.store.domain(argument)).collect();
        self.counters.contractions += COST;
        let Some(closed) = closing.close(&self.model, *relation, &domains) else { return false };
        arguments.iter().zip(closed).all(|(&argument, domain)| {
            let (w, old) = (self.store.width(argument), self.store.domain(argument));
            let narrowed = old.meet(w, domain);
            narrowed.is_some_and(|new| {
                self.narrow(argument, new, Reason::Decision);
                true
            })
        })
    }
}
