//! When a place is executed: the conditions on the way there.
//!
//! Guards are lists, so that what two of them share can be seen. Where paths meet, only what they do not share is
//! joined, and where they cover all cases together, nothing of it remains: behind an `if` stands the guard from
//! before it.

use std::rc::Rc;

use quipu_model::{Node, Term};

use crate::terms::Terms;

/// A conjunction of conditions, in the order in which they were met.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    conditions: Rc<Vec<Term>>,
    /// All of them as one term.
    term: Term,
}

/// Beyond this many different conditions, whether they cover all cases is not looked into.
const MOST_ATOMS: usize = 8;

impl Guard {
    pub fn always(terms: &mut Terms<'_>) -> Guard {
        Guard { conditions: Rc::default(), term: terms.truth(true) }
    }

    /// The conditions, one by one.
    pub fn conditions(&self) -> Rc<Vec<Term>> {
        self.conditions.clone()
    }

    /// The truth of all conditions.
    pub fn term(&self) -> Term {
        self.term
    }

    /// The guard with one more condition; none if it cannot be true.
    pub fn with(&self, terms: &mut Terms<'_>, condition: Term) -> Option<Guard> {
        if terms.is_true(condition) {
            return Some(self.clone());
        }
        let not = terms.not(condition);
        if terms.is_false(condition) || self.conditions.contains(&not) {
            return None;
        }
        if self.conditions.contains(&condition) {
            return Some(self.clone());
        }
        let mut conditions = (*self.conditions).clone();
        conditions.push(condition);
        // Not in normal form: that would flatten the list again and again.
        let term = match self.conditions.is_empty() {
            true => condition,
            false => terms.model.all([self.term, condition]),
        };
        Some(Guard { conditions: Rc::new(conditions), term })
    }

    fn prefix(&self, terms: &mut Terms<'_>, length: usize) -> Guard {
        let mut guard = Guard::always(terms);
        for &condition in &self.conditions[..length] {
            guard = guard.with(terms, condition).expect("part of a guard that can be true can be true");
        }
        guard
    }
}

/// The guard of a place that is reached in several ways, and for each way the condition that tells it from those
/// behind it, given that some way is taken.
pub(crate) fn join(terms: &mut Terms<'_>, guards: &[&Guard]) -> (Guard, Vec<Term>) {
    let shared = shared_length(guards);
    let prefix = guards[0].prefix(terms, shared);
    let rests: Vec<Vec<Term>> = guards.iter().map(|guard| guard.conditions[shared..].to_vec()).collect();
    let choices = choices(terms, &rests);
    let whole: Vec<Term> = rests.iter().map(|rest| terms.all(rest)).collect();
    let any = terms.any(&whole);
    let guard = match terms.is_true(any) || covers_all(terms, &whole) {
        true => prefix,
        false => prefix.with(terms, any).unwrap_or(prefix),
    };
    (guard, choices)
}

fn shared_length(guards: &[&Guard]) -> usize {
    let first = &guards[0].conditions;
    let shares = |n: usize| guards.iter().all(|guard| guard.conditions.get(n) == Some(&first[n]));
    (0..first.len()).take_while(|&n| shares(n)).count()
}

/// What tells each way from the later ones. A way that was excluded by one condition makes the opposite condition
/// true for all later ones, where it need not be said again.
fn choices(terms: &mut Terms<'_>, rests: &[Vec<Term>]) -> Vec<Term> {
    let mut given: Vec<Term> = Vec::new();
    let mut choices = Vec::new();
    for rest in rests {
        let open: Vec<Term> = rest.iter().copied().filter(|condition| !given.contains(condition)).collect();
        choices.push(terms.all(&open));
        if let [only] = open[..] {
            given.push(terms.not(only));
        }
    }
    choices
}

/// Whether some of the conditions are true whatever their atoms are.
fn covers_all(terms: &mut Terms<'_>, conditions: &[Term]) -> bool {
    let mut atoms = Vec::new();
    for &condition in conditions {
        collect_atoms(terms, condition, &mut atoms);
        if atoms.len() > MOST_ATOMS {
            return false;
        }
    }
    (0u32..1 << atoms.len())
        .all(|row| conditions.iter().any(|&condition| truth(terms, condition, &atoms, row)))
}

/// A condition that is not made of others, and its negation.
type Atom = (Term, Term);

fn collect_atoms(terms: &mut Terms<'_>, term: Term, atoms: &mut Vec<Atom>) {
    match terms.model.node(term).clone() {
        Node::Const(_) => {}
        Node::Not(a) => collect_atoms(terms, a, atoms),
        Node::All(items) | Node::Any(items) if atoms.len() <= MOST_ATOMS => {
            items.iter().for_each(|&item| collect_atoms(terms, item, atoms));
        }
        _ if atoms.iter().any(|&(atom, not)| term == atom || term == not) => {}
        _ => {
            let not = terms.not(term);
            atoms.push((term, not));
        }
    }
}

fn truth(terms: &Terms<'_>, term: Term, atoms: &[Atom], row: u32) -> bool {
    if let Some(n) = atoms.iter().position(|&(atom, _)| atom == term) {
        return row >> n & 1 == 1;
    }
    if let Some(n) = atoms.iter().position(|&(_, not)| not == term) {
        return row >> n & 1 == 0;
    }
    match terms.model.node(term) {
        Node::Const(bits) => *bits == 1,
        Node::Not(a) => !truth(terms, *a, atoms, row),
        Node::All(items) => items.iter().all(|&item| truth(terms, item, atoms, row)),
        Node::Any(items) => items.iter().any(|&item| truth(terms, item, atoms, row)),
        _ => unreachable!("everything else is an atom"),
    }
}
