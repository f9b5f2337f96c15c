//! Negation, conjunction and disjunction.

use quipu_model::{Model, Node, Term};

use super::compare::equal_truths;

/// The complement of a term.
pub(crate) fn not(model: &mut Model, a: Term) -> Term {
    let width = model.width(a);
    match model.node(a) {
        Node::Const(bits) => {
            let bits = !*bits;
            model.constant_term(width, bits)
        }
        Node::Not(inner) => *inner,
        // ~(c + Σ) is -1 - c - Σ: a sum again.
        Node::Sum(..) => super::sum(model, width, width.mask(), &[(width.mask(), a)]),
        _ => model.not(a),
    }
}

/// Exclusive or of truth values.
pub(crate) fn differ(model: &mut Model, a: Term, b: Term) -> Term {
    let same = equal_truths(model, a, b);
    not(model, same)
}

/// A longer conjunction inside another one stays as it is: where each of many conjunctions extends the one before,
/// flat ones would take quadratic space.
const MOST_FLATTENED: usize = 32;

/// The conjunction: flat as far as its parts are short, sorted, without repetition.
pub(crate) fn all(model: &mut Model, items: &[Term]) -> Term {
    connect(model, items, true)
}

/// The disjunction. It is flat and sorted like a conjunction.
pub(crate) fn any(model: &mut Model, items: &[Term]) -> Term {
    connect(model, items, false)
}

/// `neutral` is the truth value that changes nothing: true for a conjunction.
fn connect(model: &mut Model, items: &[Term], neutral: bool) -> Term {
    let mut flat = Vec::with_capacity(items.len());
    for &item in items {
        match (model.node(item), neutral) {
            (Node::Const(bit), _) if (*bit == 1) == neutral => {}
            (Node::Const(_), _) => return item,
            (Node::All(inner), true) | (Node::Any(inner), false) if inner.len() <= MOST_FLATTENED => {
                flat.extend_from_slice(inner);
            }
            _ => flat.push(item),
        }
    }
    flat.sort();
    flat.dedup();
    if has_opposites(model, &flat) {
        return model.truth(!neutral);
    }
    match flat[..] {
        [] => model.truth(neutral),
        [item] => item,
        _ if neutral => model.all(flat),
        _ => model.any(flat),
    }
}

fn has_opposites(model: &Model, sorted: &[Term]) -> bool {
    sorted.iter().any(|&item| match model.node(item) {
        Node::Not(inner) => sorted.binary_search(inner).is_ok(),
        _ => false,
    })
}
