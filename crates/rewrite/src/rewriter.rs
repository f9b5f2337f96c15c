//! The walk from the leaves up, with a memory of what has been done.

use quipu_model::{Model, Node, Term};
use rustc_hash::FxHashMap;

use crate::rules;

/// Rewrites terms of one model. Terms may be replaced by equal ones from outside with [`Rewriter::replace`].
#[derive(Default)]
pub struct Rewriter {
    done: FxHashMap<Term, Term>,
    replaced: FxHashMap<Term, Term>,
}

impl Rewriter {
    pub fn new() -> Rewriter {
        Rewriter::default()
    }

    /// From now on `from` is rewritten to `to`, which does not contain `from`.
    pub fn replace(&mut self, from: Term, to: Term) {
        self.replaced.insert(from, to);
        self.done.clear();
    }

    /// What a term is replaced by.
    pub fn replacement(&self, term: Term) -> Option<Term> {
        self.replaced.get(&term).copied()
    }

    /// A simpler term with the same value under every assignment that respects the replacements.
    pub fn term(&mut self, model: &mut Model, root: Term) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
            } else if let Some(&to) = self.replaced.get(&term) {
                self.finish_or_visit(term, to, &mut stack);
            } else if !self.push_operands(model, term, &mut stack) {
                stack.pop();
                let simple = self.rebuild(model, term);
                // The result may itself have been replaced.
                match self.replaced.get(&simple) {
                    Some(&to) if simple != term => {
                        let to = self.term(model, to);
                        self.done.insert(term, to);
                    }
                    _ => {
                        self.done.insert(term, simple);
                    }
                }
            }
        }
        self.done[&root]
    }

    fn finish_or_visit(&mut self, term: Term, to: Term, stack: &mut Vec<Term>) {
        match self.done.get(&to) {
            Some(&simple) => {
                stack.pop();
                self.done.insert(term, simple);
            }
            None => stack.push(to),
        }
    }

    /// Pushes the operands that are still to do; says whether there were any.
    fn push_operands(&self, model: &Model, term: Term, stack: &mut Vec<Term>) -> bool {
        let before = stack.len();
        model.node(term).for_each_operand(|operand| {
            if !self.done.contains_key(&operand) {
                stack.push(operand);
            }
        });
        stack.len() > before
    }

    fn rebuild(&mut self, model: &mut Model, term: Term) -> Term {
        let width = model.width(term);
        let node = model.node(term).map_operands(|operand| self.done[&operand]);
        match node {
            Node::Var(_) => model.add(node, width),
            Node::Call(..) => {
                let call = model.add(node, width);
                // What the old call says is what the new one says.
                if call != term && model.unfolding(term).is_none() {
                    model.set_unfolding(term, call);
                }
                call
            }
            node => rules::build(model, node, width),
        }
    }
}
