//! What a call says, simplified before anybody works on it.

use std::cell::RefCell;
use std::sync::Arc;

use quipu_base::IdVec;
use quipu_model::{Model, Relation, Term, Unfold};
use quipu_rewrite::Rewriter;

use crate::summary::Summaries;

/// So many turns of a loop are told what all turns have in common: further in, there is little left to find out.
const MOST_SUMMARISED: u32 = 4;

/// Unfolds calls and rewrites what they say. Loops also say what holds after any number of turns.
pub(crate) struct Simplified<U> {
    bodies: U,
    rewriter: RefCell<Rewriter>,
    summaries: Arc<Summaries>,
    /// How often each relation may still be summarised.
    left: RefCell<IdVec<Relation, u32>>,
}

impl<U: Unfold> Simplified<U> {
    pub fn new(model: &Model, bodies: U, summaries: Arc<Summaries>) -> Simplified<U> {
        let left = RefCell::new(IdVec::filled(MOST_SUMMARISED, model.relations().len()));
        Simplified { bodies, rewriter: RefCell::new(Rewriter::new()), summaries, left }
    }
}

impl<U: Unfold> Unfold for Simplified<U> {
    fn unfold(&self, model: &mut Model, relation: Relation, arguments: &[Term]) -> Term {
        let mut meaning = self.bodies.unfold(model, relation, arguments);
        if let Some(summary) = self.summaries.get(relation)
            && let left = &mut self.left.borrow_mut()[relation]
            && *left > 0
        {
            *left -= 1;
            let facts = summary.instance(model, arguments);
            meaning = model.all(facts.into_iter().chain([meaning]));
        }
        self.rewriter.borrow_mut().term(model, meaning)
    }
}
