//! What a call says, simplified before anybody works on it.

use std::cell::RefCell;

use quipu_model::{Model, Relation, Term, Unfold};
use quipu_rewrite::Rewriter;

/// Unfolds calls and rewrites what they say.
pub(crate) struct Simplified<U> {
    bodies: U,
    rewriter: RefCell<Rewriter>,
}

impl<U: Unfold> Simplified<U> {
    pub fn new(bodies: U) -> Simplified<U> {
        Simplified { bodies, rewriter: RefCell::new(Rewriter::new()) }
    }
}

impl<U: Unfold> Unfold for Simplified<U> {
    fn unfold(&self, model: &mut Model, relation: Relation, arguments: &[Term]) -> Term {
        let meaning = self.bodies.unfold(model, relation, arguments);
        self.rewriter.borrow_mut().term(model, meaning)
    }
}
