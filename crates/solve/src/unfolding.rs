//! What a call says, simplified before anybody works on it.

use std::cell::RefCell;

use quipu_base::{Id, IdVec};
use quipu_model::{Model, Relation, Term, Unfold};
use quipu_rewrite::Rewriter;

use crate::summary::Summary;

/// So many turns of a loop are told what all turns have in common: further in, there is little left to find out.
const MOST_SUMMARISED: u32 = 4;

/// Unfolds calls and rewrites what they say. Loops also say what holds after any number of turns.
pub(crate) struct Simplified<U> {
    bodies: U,
    rewriter: RefCell<Rewriter>,
    /// With the number of times that they may still be used.
    summaries: RefCell<IdVec<Relation, Option<(Summary, u32)>>>,
}

impl<U: Unfold> Simplified<U> {
    pub fn new(model: &mut Model, bodies: U) -> Simplified<U> {
        let mut summaries = IdVec::new();
        for relation in model.relations().ids() {
            let body = model.relations()[relation].body.clone();
            summaries.push(Summary::of(model, &body).map(|summary| (summary, MOST_SUMMARISED)));
        }
        Simplified { bodies, rewriter: RefCell::new(Rewriter::new()), summaries: RefCell::new(summaries) }
    }
}

impl<U: Unfold> Unfold for Simplified<U> {
    fn unfold(&self, model: &mut Model, relation: Relation, arguments: &[Term]) -> Term {
        let mut meaning = self.bodies.unfold(model, relation, arguments);
        if let Some(Some((summary, left))) = self.summaries.borrow_mut().iter_mut().nth(relation.index())
            && *left > 0
        {
            *left -= 1;
            let facts = summary.instance(model, arguments);
            meaning = model.all(facts.into_iter().chain([meaning]));
        }
        self.rewriter.borrow_mut().term(model, meaning)
    }
}
