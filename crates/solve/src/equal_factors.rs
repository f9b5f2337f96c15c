//! Products that are equal where their factors are: `a == b` makes `a * c` and `b * c` the same number.
//!
//! Domains cannot say that two terms are equal, and a relaxation of a product does not know of another one. So for each
//! equation that may or may not hold, the products are rewritten as if it did; those that come out as the same term are
//! equal under it. What is said here is true under every assignment.

use quipu_model::{Model, Node, Term};
use quipu_num::{IntCmp, IntOp};
use quipu_rewrite::Rewriter;
use rustc_hash::FxHashMap;

/// Beyond these there would be too much to rewrite.
const MOST_EQUATIONS: usize = 24;
const MOST_PRODUCTS: usize = 64;
const MOST_FACTORS: usize = 16;

/// A truth value that always holds: an equation is false, or two products are equal.
pub(crate) struct Fact {
    pub truth: Term,
    /// That the products are equal.
    pub equal: Term,
}

/// What equations say about products.
pub(crate) fn equal_products(model: &mut Model, equations: &[Term], products: &[Term]) -> Vec<Fact> {
    let mut facts = Vec::new();
    if equations.len() > MOST_EQUATIONS || products.len() > MOST_PRODUCTS || products.len() < 2 {
        return facts;
    }
    for &equation in equations {
        let Some((variable, other)) = replacement(model, equation) else { continue };
        let mut rewriter = Rewriter::new();
        rewriter.replace(variable, other);
        let mut first_with: FxHashMap<Vec<Term>, Term> = FxHashMap::default();
        for &product in products {
            let rewritten = rewriter.term(model, product);
            let first = *first_with.entry(factors(model, rewritten)).or_insert(product);
            if first == product {
                continue;
            }
            let different = model.not(equation);
            let equal = model.equal(first, product);
            facts.push(Fact { truth: model.any([different, equal]), equal });
        }
    }
    facts
}

/// The factors of a product of integers, in order: they determine it. Anything else is its only factor.
fn factors(model: &Model, term: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match *model.node(term) {
            Node::Op(IntOp::Mul, a, b) if found.len() + stack.len() < MOST_FACTORS => stack.extend([a, b]),
            _ => found.push(term),
        }
    }
    found.sort();
    found
}

/// A variable that an equation makes equal to a term without it.
fn replacement(model: &Model, equation: Term) -> Option<(Term, Term)> {
    let Node::Compare(IntCmp::Eq, a, b) = *model.node(equation) else { return None };
    let is_variable = |term: Term| matches!(model.node(term), Node::Var(_));
    if is_variable(b) && !contains(model, a, b) {
        Some((b, a))
    } else if is_variable(a) && !contains(model, b, a) {
        Some((a, b))
    } else {
        None
    }
}

fn contains(model: &Model, root: Term, part: Term) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        if term == part {
            return true;
        }
        if seen.insert(term) {
            model.node(term).for_each_operand(|operand| stack.push(operand));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use quipu_model::{Assignment, Evaluation, Reading, Role, VarInfo};
    use quipu_num::Width;

    use super::*;

    #[test]
    fn facts_hold_under_every_assignment_and_join_products() {
        let mut model = Model::new();
        let width = Width::new(3).unwrap();
        let terms: Vec<Term> = ["a", "b", "c"]
            .into_iter()
            .map(|name| {
                let (range, role) = (None, Role::Input);
                let info = VarInfo { name: name.into(), width, reading: Reading::Unsigned, range, role };
                let var = model.add_var(info);
                model.var_term(var)
            })
            .collect();
        let mut products = Vec::new();
        for [x, y, z] in [[0, 0, 2], [0, 1, 2], [1, 1, 2], [0, 0, 0]] {
            let two = model.op(IntOp::Mul, terms[x], terms[y]);
            let three = model.op(IntOp::Mul, two, terms[z]);
            products.extend([two, three]);
        }
        products.dedup();
        let equations = [model.equal(terms[0], terms[1]), model.equal(terms[0], terms[2])];
        let facts = equal_products(&mut model, &equations, &products);
        assert!(facts.len() >= 4, "{}", facts.len());
        for values in 0..512u64 {
            let assignment: Assignment = (0..3).map(|n| values >> (3 * n) & 7).collect();
            let mut evaluation = Evaluation::new(&model, &assignment);
            assert!(facts.iter().all(|fact| evaluation.value(fact.truth) == 1), "{values:o}");
        }
    }
}
