//! When a place is executed: the conditions on the way there.
//!
//! Guards are lists that share their beginnings, so that it can be seen what two of them have in common. Where paths
//! meet, only what they do not share is joined, and where they cover all cases together, nothing of it remains: behind
//! an `if` stands the guard from before it.
//!
//! Whether paths cover all cases is seen by their weights. A place where ways part gives each of them a random number,
//! such that these add up to its own number. As paths exclude each other, some of them cover all paths behind a place
//! if their numbers add up to that of the place; otherwise, the sum is as good as random, and with 128 bits never equal.

use std::rc::Rc;

use quipu_model::Term;

use crate::terms::Terms;

/// A conjunction of conditions, in the order in which they were met.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    last: Option<Rc<Link>>,
    /// All conditions as one term.
    term: Term,
    weight: u128,
    length: usize,
}

/// A condition, and those before it.
#[derive(Debug)]
struct Link {
    before: Guard,
    condition: Term,
}

/// The conditions under which something happens: all of them are true.
#[derive(Clone, Debug)]
pub struct Conditions(Guard);

/// So many conditions back it is noticed that a condition contradicts an earlier one.
const MOST_LOOKED_AT: usize = 256;

impl Conditions {
    /// The conditions, in the order of execution.
    pub fn to_vec(&self) -> Vec<Term> {
        self.0.conditions_behind(0)
    }
}

impl Guard {
    pub fn always(terms: &mut Terms<'_>) -> Guard {
        Guard { last: None, term: terms.truth(true), weight: terms.new_weight(), length: 0 }
    }

    /// The conditions, one by one.
    pub fn conditions(&self) -> Conditions {
        Conditions(self.clone())
    }

    /// The condition that was met last.
    pub fn last_condition(&self) -> Option<Term> {
        self.last.as_deref().map(|link| link.condition)
    }

    /// The truth of all conditions.
    pub fn term(&self) -> Term {
        self.term
    }

    /// The guard with one more condition; none if it cannot be true.
    pub fn with(&self, terms: &mut Terms<'_>, condition: Term) -> Option<Guard> {
        match self.implied(terms, condition) {
            Some(true) => Some(self.clone()),
            Some(false) => None,
            None => {
                let weight = terms.new_weight();
                Some(self.and(terms, condition, weight))
            }
        }
    }

    /// The guards where ways part: one of the conditions is true, and no other. None for those that cannot be true.
    pub fn split(&self, terms: &mut Terms<'_>, conditions: &[Term]) -> Vec<Option<Guard>> {
        let implied: Vec<Option<bool>> =
            conditions.iter().map(|&condition| self.implied(terms, condition)).collect();
        let certain = implied.contains(&Some(true));
        let is_open = |n: usize| if certain { implied[n] == Some(true) } else { implied[n].is_none() };
        let mut n_open = (0..conditions.len()).filter(|&n| is_open(n)).count();
        let only = n_open == 1;
        let mut left = self.weight;
        let mut guards = Vec::new();
        for (n, &condition) in conditions.iter().enumerate() {
            if !is_open(n) {
                guards.push(None);
                continue;
            }
            if only {
                guards.push(Some(self.clone()));
                continue;
            }
            n_open -= 1;
            let weight = if n_open == 0 { left } else { terms.new_weight() };
            left = left.wrapping_sub(weight);
            guards.push(Some(self.and(terms, condition, weight)));
        }
        guards
    }

    /// Whether a condition is known to be true or false here.
    fn implied(&self, terms: &mut Terms<'_>, condition: Term) -> Option<bool> {
        if let Some(bits) = terms.known(condition) {
            return Some(bits == 1);
        }
        let not = terms.not(condition);
        let mut last = self.last.as_deref();
        for _ in 0..MOST_LOOKED_AT {
            let link = last?;
            if link.condition == condition {
                return Some(true);
            }
            if link.condition == not {
                return Some(false);
            }
            last = link.before.last.as_deref();
        }
        None
    }

    fn and(&self, terms: &mut Terms<'_>, condition: Term, weight: u128) -> Guard {
        // Not in normal form: that would flatten the list again and again.
        let term = match self.length {
            0 => condition,
            _ => terms.model.all([self.term, condition]),
        };
        let last = Some(Rc::new(Link { before: self.clone(), condition }));
        Guard { last, term, weight, length: self.length + 1 }
    }

    /// The conditions behind the first ones.
    fn conditions_behind(&self, length: usize) -> Vec<Term> {
        let mut conditions = Vec::with_capacity(self.length - length);
        let mut guard = self;
        while guard.length > length {
            let link = guard.last.as_deref().expect("a guard with a length has conditions");
            conditions.push(link.condition);
            guard = &link.before;
        }
        conditions.reverse();
        conditions
    }

    fn before(&self) -> &Guard {
        &self.last.as_deref().expect("guards share at least the empty one").before
    }
}

/// A long list is dropped link by link: recursion would need as much of the stack.
impl Drop for Link {
    fn drop(&mut self) {
        let mut next = self.before.last.take();
        while let Some(link) = next {
            next = Rc::into_inner(link).and_then(|mut link| link.before.last.take());
        }
    }
}

/// The guard of a place that is reached in several ways, and for each way but the last the condition that tells it
/// from those behind it, given that some way is taken.
pub(crate) fn join(terms: &mut Terms<'_>, guards: &[&Guard]) -> (Guard, Vec<Term>) {
    let (last, others) = guards.split_last().expect("some way leads to the place");
    let mut joined = (*last).clone();
    let mut choices = Vec::with_capacity(others.len());
    for guard in others.iter().rev() {
        let (next, choice) = join_two(terms, guard, &joined);
        choices.push(choice);
        joined = next;
    }
    choices.reverse();
    (joined, choices)
}

/// The guard for both of two ways, which exclude each other, and what tells the first from the second.
fn join_two(terms: &mut Terms<'_>, a: &Guard, b: &Guard) -> (Guard, Term) {
    let shared = shared_part(a, b);
    let (rest_a, rest_b) = (a.conditions_behind(shared.length), b.conditions_behind(shared.length));
    let (way_a, way_b) = (terms.all(&rest_a), terms.all(&rest_b));
    let choice = if rest_a.len() <= rest_b.len() { way_a } else { terms.not(way_b) };
    let weight = a.weight.wrapping_add(b.weight);
    if weight == shared.weight {
        return (shared, choice);
    }
    let either = terms.any(&[way_a, way_b]);
    let joined = if terms.is_true(either) { shared } else { shared.and(terms, either, weight) };
    (joined, choice)
}

fn shared_part(a: &Guard, b: &Guard) -> Guard {
    let (mut a, mut b) = (a, b);
    while a.length > b.length {
        a = a.before();
    }
    while b.length > a.length {
        b = b.before();
    }
    // The empty guard is the same for all.
    while a.weight != b.weight && a.length > 0 {
        (a, b) = (a.before(), b.before());
    }
    a.clone()
}

#[cfg(test)]
mod tests {
    use quipu_model::{Model, Reading};
    use quipu_num::Width;
    use quipu_rewrite::Rewriter;

    use super::*;

    fn with_terms(test: impl FnOnce(&mut Terms<'_>, &[Term])) {
        let (mut model, mut rewriter) = (Model::new(), Rewriter::new());
        let mut terms = Terms::new(&mut model, &mut rewriter);
        let truth = Width::new(1).unwrap();
        let conditions: Vec<Term> = (0..4)
            .map(|n| {
                let var = terms.new_var(format!("c{n}"), truth, Reading::Unsigned, None);
                terms.model.var_term(var)
            })
            .collect();
        test(&mut terms, &conditions);
    }

    fn branch(terms: &mut Terms<'_>, guard: &Guard, condition: Term) -> (Guard, Guard) {
        let not = terms.not(condition);
        let mut ways = guard.split(terms, &[condition, not]).into_iter();
        let mut next = || ways.next().flatten().expect("both ways are possible");
        (next(), next())
    }

    #[test]
    fn behind_an_if_stands_the_guard_from_before_it() {
        with_terms(|terms, c| {
            let start = Guard::always(terms);
            let (outer, _) = branch(terms, &start, c[0]);
            let (then, otherwise) = branch(terms, &outer, c[1]);
            let (left, right) = branch(terms, &then, c[2]);
            let (joined, _) = join(terms, &[&left, &otherwise, &right]);
            assert_eq!(joined.conditions().to_vec(), [c[0]]);
        });
    }

    #[test]
    fn a_path_that_is_missing_is_not_forgotten() {
        with_terms(|terms, c| {
            let start = Guard::always(terms);
            let (then, otherwise) = branch(terms, &start, c[0]);
            let (left, _) = branch(terms, &then, c[1]);
            let (joined, choices) = join(terms, &[&left, &otherwise]);
            let not = terms.not(c[0]);
            let both = terms.all(&[c[0], c[1]]);
            let either = terms.any(&[both, not]);
            assert_eq!(joined.term(), either);
            assert_eq!(choices.len(), 1);
        });
    }

    #[test]
    fn what_is_known_is_not_asked_again() {
        with_terms(|terms, c| {
            let start = Guard::always(terms);
            let (then, otherwise) = branch(terms, &start, c[0]);
            assert!(otherwise.with(terms, c[0]).is_none());
            let again = then.with(terms, c[0]).expect("it is true already");
            assert_eq!(again.conditions().to_vec(), [c[0]]);
            let not = terms.not(c[0]);
            let ways = then.split(terms, &[c[0], not]);
            assert!(ways[0].is_some() && ways[1].is_none());
        });
    }
}
