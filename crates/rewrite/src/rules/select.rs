//! Conditional terms and array elements.

use quipu_model::{Model, Node, Term};
use quipu_num::Width;

use super::{all, any, not};

pub(crate) fn select(model: &mut Model, c: Term, a: Term, b: Term) -> Term {
    match model.constant(c) {
        Some(1) => return a,
        Some(_) => return b,
        None => {}
    }
    if a == b {
        return a;
    }
    if let Node::Not(inner) = *model.node(c) {
        return select(model, inner, b, a);
    }
    // Below a condition the same condition is known.
    let a = known_below(model, c, a, true);
    let b = known_below(model, c, b, false);
    if a == b {
        return a;
    }
    if model.width(a) == Width::W1
        && let Some(simple) = select_truth(model, c, a, b)
    {
        return simple;
    }
    model.select(c, a, b)
}

fn known_below(model: &Model, c: Term, branch: Term, value: bool) -> Term {
    match *model.node(branch) {
        Node::Select(inner, x, y) if inner == c => {
            if value {
                x
            } else {
                y
            }
        }
        _ => branch,
    }
}

/// A conditional truth value with a constant branch is a connective.
fn select_truth(model: &mut Model, c: Term, a: Term, b: Term) -> Option<Term> {
    match (model.constant(a), model.constant(b)) {
        (Some(1), _) => Some(any(model, &[c, b])),
        (Some(_), _) => {
            let otherwise = not(model, c);
            Some(all(model, &[otherwise, b]))
        }
        (_, Some(1)) => {
            let otherwise = not(model, c);
            Some(any(model, &[otherwise, a]))
        }
        (_, Some(_)) => Some(all(model, &[c, a])),
        _ => None,
    }
}

/// The element of a fixed list at a position.
pub(crate) fn element(model: &mut Model, index: Term, items: &[Term]) -> Term {
    let width = model.width(items[0]);
    match model.constant(index) {
        Some(position) => match usize::try_from(position).ok().and_then(|n| items.get(n)) {
            Some(&item) => item,
            None => model.constant_term(width, 0),
        },
        None => model.element(index, items.iter().copied()),
    }
}
