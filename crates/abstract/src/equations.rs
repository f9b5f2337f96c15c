//! What conditions of a turn tell about numbers that the turn has for itself, as equations of polynomials.

use std::cmp::Ordering;

use quipu_model::{Model, Node, Term};
use quipu_num::{IntCmp, Width};

use crate::cone::visit;
use crate::extension::Extension;
use crate::paths::{Decisions, truth};
use crate::polynomial::Polynomial;
use crate::turn::Turn;

/// No more conditions of a turn are looked at.
const MOST_CONDITIONS: usize = 256;

/// What conditions of a turn that goes some way tell about variables that each turn has for itself: what they are equal
/// to. Each value is free of those that have one already.
pub fn equations(
    model: &Model,
    turn: &Turn<'_>,
    path: &Decisions,
    extension: &Extension<'_>,
) -> Vec<(Term, Polynomial)> {
    let width = extension.width;
    let mut equations: Vec<(Term, Polynomial)> = Vec::new();
    let conditions = conditions_on(model, &turn.during, path);
    for (condition, a, b) in equal_pairs(model, &conditions) {
        let Some(zero) = difference(model, (a, b), path, extension) else { continue };
        let zero = replaced(width, zero, &equations);
        let is_own = |leaf: &Term| {
            matches!(model.node(variable(model, *leaf)), Node::Var(_))
                && !is_fixed(model, turn, *leaf)
                && turn.places.iter().all(|place| place.head != variable(model, *leaf))
                && equations.iter().all(|(known, _)| known != leaf)
        };
        let own = zero.parts().filter_map(|(monomial, _)| match &**monomial {
            [leaf] if is_own(leaf) => Some(*leaf),
            _ => None,
        });
        if let Some((leaf, value)) = own.collect::<Vec<Term>>().into_iter().find_map(|leaf| {
            // The condition itself is no number, so it can stand for one that nobody knows.
            let value = zero.solved_for(width, leaf, condition)?;
            Some((leaf, value))
        }) {
            let fresh = (leaf, value);
            for (_, known) in &mut equations {
                *known = replaced(width, known.clone(), std::slice::from_ref(&fresh));
            }
            equations.push(fresh);
        }
    }
    equations
}

/// What is zero if two terms of whatever width are the same; none if that is no polynomial.
fn difference(
    model: &Model,
    (a, b): (Term, Term),
    path: &Decisions,
    extension: &Extension<'_>,
) -> Option<Polynomial> {
    let polynomials = match model.width(a).cmp(&extension.width) {
        Ordering::Equal => [a, b].map(|side| Some(Polynomial::of(model, side, path, extension))),
        Ordering::Less => {
            let signed = extension.reading(a).or_else(|| extension.reading(b))?;
            [a, b].map(|side| extension.of(side, signed))
        }
        Ordering::Greater => [a, b].map(|side| Polynomial::of(model, side, path, extension).cut(extension)),
    };
    let [Some(mut zero), Some(other)] = polynomials else { return None };
    zero.plus(extension.width, &other, extension.width.mask());
    Some(zero)
}

/// What a leaf is in its own width.
fn variable(model: &Model, leaf: Term) -> Term {
    match *model.node(leaf) {
        Node::Cast(_, inner) => inner,
        _ => leaf,
    }
}

/// A polynomial with the values of leaves.
pub fn replaced(width: Width, mut polynomial: Polynomial, values: &[(Term, Polynomial)]) -> Polynomial {
    for (leaf, value) in values {
        polynomial = polynomial.replaced(width, *leaf, value);
    }
    polynomial
}

/// Terms that conditions make equal, each pair with a condition that tells it: numbers between which neither order is
/// strict come first, as they tell where a loop ends.
fn equal_pairs(model: &Model, conditions: &[Term]) -> Vec<(Term, Term, Term)> {
    let at_most = |condition: Term| match *model.node(condition) {
        Node::Compare(order @ (IntCmp::Ule | IntCmp::Sle), a, b) => Some((order, a, b)),
        Node::Not(inner) => match *model.node(inner) {
            Node::Compare(IntCmp::Ult, a, b) => Some((IntCmp::Ule, b, a)),
            Node::Compare(IntCmp::Slt, a, b) => Some((IntCmp::Sle, b, a)),
            _ => None,
        },
        _ => None,
    };
    let orders: Vec<(Term, (IntCmp, Term, Term))> =
        conditions.iter().filter_map(|&condition| Some((condition, at_most(condition)?))).collect();
    let mut pairs = Vec::new();
    for (n, &(condition, (order, a, b))) in orders.iter().enumerate() {
        if orders[..n].iter().any(|&(_, other)| other == (order, b, a)) {
            pairs.push((condition, a, b));
        }
    }
    pairs.extend(conditions.iter().filter_map(|&condition| match *model.node(condition) {
        Node::Compare(IntCmp::Eq, a, b) => Some((condition, a, b)),
        _ => None,
    }));
    pairs
}

/// The conditions that hold on a way, one by one: where only one of several can be true there, it is.
fn conditions_on(model: &Model, conditions: &[Term], path: &Decisions) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open: Vec<Term> = conditions.iter().rev().copied().collect();
    while let Some(condition) = open.pop() {
        match model.node(condition) {
            _ if found.len() >= MOST_CONDITIONS => break,
            Node::All(items) => open.extend(items.iter().rev()),
            Node::Any(items) => {
                let left: Vec<Term> =
                    items.iter().copied().filter(|&item| truth(model, item, path) != Some(false)).collect();
                match left[..] {
                    [only] => open.push(only),
                    _ => found.push(condition),
                }
            }
            _ => found.push(condition),
        }
    }
    found
}

/// Whether a term has the same value in all turns.
pub fn is_fixed(model: &Model, turn: &Turn<'_>, term: Term) -> bool {
    let is_head = |term: Term| turn.places.iter().any(|place| place.head == term);
    visit([term], |term, open| match model.node(term) {
        Node::Var(var) => !is_head(term) && (turn.is_fixed)(*var),
        node => {
            node.for_each_operand(|operand| open.push(operand));
            true
        }
    })
}
