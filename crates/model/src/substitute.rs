//! Replacing terms by terms, and finding the locals that a constraint defines.

use quipu_num::IntCmp;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Model;
use crate::node::{Node, Term, Var};

/// Terms and what replaces them. It remembers what it has built, so shared terms are copied once.
pub(crate) struct Substitution {
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

/// The locals that the body defines by an equation, in an order in which each definition uses only earlier
/// ones: `x == e` among the conjuncts, where `e` contains neither `x` nor an undefined later local.
///
/// Such a local can be replaced by its definition, unless its declaration limits its values.
pub(crate) fn definitions(model: &Model, locals: &[Var], body: Term) -> Vec<(Var, Term)> {
    let mut conjuncts = Vec::new();
    flatten(model, body, &mut conjuncts);
    let open: FxHashSet<Var> =
        locals.iter().copied().filter(|&var| model.vars()[var].range.is_none()).collect();
    let mut defined: Vec<(Var, Term)> = Vec::new();
    loop {
        let found = conjuncts.iter().find_map(|&conjunct| {
            let Node::Compare(IntCmp::Eq, a, b) = *model.node(conjunct) else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(left, right)| {
                let Node::Var(var) = *model.node(left) else { return None };
                let fresh = open.contains(&var) && defined.iter().all(|&(other, _)| other != var);
                let known =
                    |used: Var| !locals.contains(&used) || defined.iter().any(|&(other, _)| other == used);
                (fresh && variables(model, right).into_iter().all(known)).then_some((var, right))
            })
        });
        match found {
            Some(definition) => defined.push(definition),
            None => return defined,
        }
    }
}

fn flatten(model: &Model, term: Term, conjuncts: &mut Vec<Term>) {
    match model.node(term) {
        Node::All(items) => items.iter().for_each(|&item| flatten(model, item, conjuncts)),
        _ => conjuncts.push(term),
    }
}

/// The variables that occur in a term.
fn variables(model: &Model, root: Term) -> Vec<Var> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Node::Var(var) = *model.node(term) {
            found.push(var);
        }
        model.node(term).for_each_operand(|operand| stack.push(operand));
    }
    found
}
