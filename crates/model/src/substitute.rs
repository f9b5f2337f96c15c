//! Replacing terms by terms.

use rustc_hash::FxHashMap;

use crate::graph::Model;
use crate::node::Term;

/// Terms and what replaces them. It remembers what it has built, so shared terms are copied once.
pub struct Substitution {
    to: FxHashMap<Term, Term>,
}

impl Substitution {
    pub fn new(pairs: impl IntoIterator<Item = (Term, Term)>) -> Substitution {
        Substitution { to: pairs.into_iter().collect() }
    }

    /// Adds a replacement of a term that nothing built so far contains.
    pub fn set(&mut self, from: Term, to: Term) {
        self.to.insert(from, to);
    }

    /// The term with everything replaced.
    pub fn apply(&mut self, model: &mut Model, root: Term) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.to.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            model.node(term).for_each_operand(|operand| {
                if !self.to.contains_key(&operand) {
                    stack.push(operand);
                }
            });
            if stack.len() == before {
                stack.pop();
                let node = model.node(term).map_operands(|operand| self.to[&operand]);
                let width = model.width(term);
                let new = model.add(node, width);
                self.to.insert(term, new);
            }
        }
        self.to[&root]
    }
}
