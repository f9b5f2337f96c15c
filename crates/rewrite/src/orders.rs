//! Asserted comparisons that lead in a circle: `a <= b <= c <= a` makes all three equal, and a `<` among them
//! cannot be. Signed and unsigned order are looked at separately.

use quipu_model::{Model, Node, Term};
use quipu_num::IntCmp;
use rustc_hash::FxHashMap;

use crate::equations::Outcome;
use crate::rules;

/// `low <= high`, or `low < high` if it is strict.
struct Step {
    low: usize,
    high: usize,
    strict: bool,
}

/// The terms of one order, numbered, and the steps between them.
#[derive(Default)]
struct Order {
    numbers: FxHashMap<Term, usize>,
    terms: Vec<Term>,
    steps: Vec<Step>,
}

/// Adds the equations that follow from circles of comparisons.
pub(crate) fn close_circles(model: &mut Model, parts: &mut Vec<Term>) -> Outcome {
    for cmp in [IntCmp::Ult, IntCmp::Slt] {
        let order = Order::of(model, parts, cmp);
        let groups = order.groups();
        if order.steps.iter().any(|step| step.strict && groups[step.low] == groups[step.high]) {
            return Outcome::Contradiction;
        }
        for (n, &group) in groups.iter().enumerate().filter(|&(n, &group)| n != group) {
            let same = rules::equal(model, order.terms[n], order.terms[group]);
            if model.constant(same) == Some(0) {
                return Outcome::Contradiction;
            }
            if model.constant(same).is_none() && !parts.contains(&same) {
                parts.push(same);
            }
        }
    }
    Outcome::Open
}

impl Order {
    fn of(model: &Model, parts: &[Term], cmp: IntCmp) -> Order {
        let mut order = Order::default();
        for &part in parts {
            match *model.node(part) {
                Node::Compare(found, a, b) if found == cmp => order.add(a, b, true),
                Node::Not(inner) => match *model.node(inner) {
                    Node::Compare(found, a, b) if found == cmp => order.add(b, a, false),
                    _ => {}
                },
                _ => {}
            }
        }
        order
    }

    fn add(&mut self, low: Term, high: Term, strict: bool) {
        let (low, high) = (self.number(low), self.number(high));
        self.steps.push(Step { low, high, strict });
    }

    fn number(&mut self, term: Term) -> usize {
        let terms = &mut self.terms;
        *self.numbers.entry(term).or_insert_with(|| {
            terms.push(term);
            terms.len() - 1
        })
    }

    /// For every term, one that stands for all that lie on circles with it (Kosaraju: who is reached backwards, in
    /// the opposite order of leaving forwards).
    fn groups(&self) -> Vec<usize> {
        let n = self.terms.len();
        let (mut up, mut down) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for step in &self.steps {
            up[step.low].push(step.high);
            down[step.high].push(step.low);
        }
        let mut left = Vec::with_capacity(n);
        let mut seen = vec![false; n];
        for start in 0..n {
            walk(start, &up, &mut seen, |term| left.push(term));
        }
        let mut groups = vec![0; n];
        let mut seen = vec![false; n];
        for &start in left.iter().rev() {
            walk(start, &down, &mut seen, |term| groups[term] = start);
        }
        groups
    }
}

/// Visits what can be reached and was not seen; each place is left after all behind it.
fn walk(start: usize, next: &[Vec<usize>], seen: &mut [bool], mut leave: impl FnMut(usize)) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut stack = vec![(start, 0)];
    while let Some((place, n)) = stack.last_mut() {
        match next[*place].get(*n) {
            Some(&behind) => {
                *n += 1;
                if !std::mem::replace(&mut seen[behind], true) {
                    stack.push((behind, 0));
                }
            }
            None => {
                leave(*place);
                stack.pop();
            }
        }
    }
}
