//! The ways through a turn: which branch each choice takes.

use quipu_model::{Model, Node, Term};
use rustc_hash::FxHashMap;

use crate::cone::visit;

/// Truth values of conditions. Choices whose condition is not among them may go either way.
pub type Decisions = FxHashMap<Term, bool>;

/// The ways on which some terms get their values. There are never more than allowed; the last ones leave choices open.
pub fn paths(model: &Model, terms: &[Term], most: usize) -> Vec<Decisions> {
    let mut done = Vec::new();
    let mut open = vec![Decisions::default()];
    while let Some(decisions) = open.pop() {
        let undecided = match done.len() + open.len() + 2 <= most {
            true => first_undecided(model, terms, &decisions),
            false => None,
        };
        match undecided {
            None => done.push(decisions),
            Some(condition) => {
                for truth in [false, true] {
                    let mut decisions = decisions.clone();
                    decisions.insert(condition, truth);
                    open.push(decisions);
                }
            }
        }
    }
    done
}

/// The condition of a choice that has some say in the value of a term.
fn first_undecided(model: &Model, terms: &[Term], decisions: &Decisions) -> Option<Term> {
    let mut found = None;
    visit(terms.iter().rev().copied(), |term, open| {
        match model.node(term) {
            Node::Select(condition, a, b) => match truth(model, *condition, decisions) {
                None => found = Some(positive(model, *condition).0),
                Some(true) => open.push(*a),
                Some(false) => open.push(*b),
            },
            node => node.for_each_operand(|operand| open.push(operand)),
        }
        found.is_none()
    });
    found
}

/// The condition below negations, and whether there is an odd number of them.
fn positive(model: &Model, mut condition: Term) -> (Term, bool) {
    let mut negated = false;
    while let Node::Not(inner) = model.node(condition) {
        condition = *inner;
        negated = !negated;
    }
    (condition, negated)
}

/// Connectives are followed so deep. Terms are shared, so that it could take for ever to the end.
const DEEPEST: u32 = 3;

/// The truth value of a condition, if it is decided and that is easy to see.
pub fn truth(model: &Model, condition: Term, decisions: &Decisions) -> Option<bool> {
    truth_at_depth(model, condition, decisions, DEEPEST)
}

fn truth_at_depth(model: &Model, condition: Term, decisions: &Decisions, depth: u32) -> Option<bool> {
    let (condition, negated) = positive(model, condition);
    let known = match model.node(condition) {
        Node::Const(bits) => Some(*bits == 1),
        Node::All(items) if depth > 0 => all(model, items, decisions, true, depth - 1),
        Node::Any(items) if depth > 0 => all(model, items, decisions, false, depth - 1).map(|truth| !truth),
        _ => None,
    };
    let known = known.or_else(|| decisions.get(&condition).copied());
    known.map(|truth| truth != negated)
}

/// Whether all items have a truth value.
fn all(model: &Model, items: &[Term], decisions: &Decisions, value: bool, depth: u32) -> Option<bool> {
    let mut known = Some(true);
    for &item in items {
        match truth_at_depth(model, item, decisions, depth) {
            Some(truth) if truth == value => {}
            Some(_) => return Some(false),
            None => known = None,
        }
    }
    known
}

/// The branch of a choice that is taken, again and again.
pub fn resolved(model: &Model, mut term: Term, decisions: &Decisions) -> Term {
    while let Node::Select(condition, a, b) = model.node(term) {
        match truth(model, *condition, decisions) {
            Some(true) => term = *a,
            Some(false) => term = *b,
            None => break,
        }
    }
    term
}
