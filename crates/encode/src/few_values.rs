//! The values of a term that has only a few, whatever its variables are.

use quipu_model::{Model, Node, Term};
use quipu_num::{Cast, Width};
use rustc_hash::FxHashMap;

/// Terms with more values are not followed.
const MOST_VALUES: usize = 32;
/// So many terms are looked at, and so deep.
const MOST_TERMS: usize = 512;
const DEPTH: u32 = 128;

/// Numbers among which all values of a term are, in order; none if there may be many.
pub(crate) fn few_values(model: &Model, term: Term) -> Option<Vec<u64>> {
    let mut found = Found { model, known: FxHashMap::default() };
    found.look(term, DEPTH);
    found.known.remove(&term).flatten()
}

struct Found<'m> {
    model: &'m Model,
    known: FxHashMap<Term, Option<Vec<u64>>>,
}

impl Found<'_> {
    /// Finds the values of a term.
    fn look(&mut self, term: Term, depth: u32) -> Option<Vec<u64>> {
        if let Some(values) = self.known.get(&term) {
            return values.clone();
        }
        if depth == 0 || self.known.len() >= MOST_TERMS {
            return None;
        }
        let values = self.of_node(term, depth - 1).map(sorted).filter(|values| values.len() <= MOST_VALUES);
        self.known.insert(term, values.clone());
        values
    }

    fn of_node(&mut self, term: Term, depth: u32) -> Option<Vec<u64>> {
        let model = self.model;
        let width = model.width(term);
        match model.node(term) {
            Node::Const(bits) => Some(vec![*bits]),
            _ if width == Width::W1 => Some(vec![0, 1]),
            Node::Select(_, a, b) => {
                let (mut values, others) = (self.look(*a, depth)?, self.look(*b, depth)?);
                values.extend(others);
                Some(values)
            }
            // Behind the end there are zeros.
            Node::Element(_, items) => items.iter().try_fold(vec![0], |mut values, &item| {
                values.extend(self.look(item, depth)?);
                (values.len() <= MOST_TERMS).then_some(values)
            }),
            Node::Cast(cast @ (Cast::Trunc(..) | Cast::ZExt(..) | Cast::SExt(..)), a) => {
                let values = self.look(*a, depth)?;
                Some(values.into_iter().map(|bits| quipu_num::cast(*cast, bits)).collect())
            }
            Node::Sum(constant, parts) => parts.iter().try_fold(vec![*constant], |sums, &(factor, part)| {
                let values = self.look(part, depth)?;
                let sum = |sum: u64, value: &u64| width.wrap(sum.wrapping_add(factor.wrapping_mul(*value)));
                let sums = sums.iter().flat_map(|&a| values.iter().map(move |b| sum(a, b))).collect();
                Some(sorted(sums)).filter(|sums| sums.len() <= MOST_VALUES)
            }),
            _ => None,
        }
    }
}

fn sorted(mut values: Vec<u64>) -> Vec<u64> {
    values.sort_unstable();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use quipu_model::{Assignment, Evaluation, Role, VarInfo};

    use super::*;

    const W8: Width = Width::W8;

    /// A random term of eight bits whose leaves are numbers, and truths that depend on two variables.
    fn term(model: &mut Model, next: &mut dyn FnMut(u64) -> u64, leaves: &[Term], depth: u32) -> Term {
        if depth == 0 {
            return model.constant_term(W8, next(256));
        }
        let (a, b) = (term(model, next, leaves, depth - 1), term(model, next, leaves, depth - 1));
        let condition = model.equal(leaves[next(2) as usize], a);
        match next(5) {
            0 => model.sum(W8, next(256), [(next(256), a), (next(3), b)]),
            1 => model.element(leaves[0], vec![a, b]),
            2 => {
                let narrow = model.resize(a, Width::new(5).unwrap(), false);
                model.resize(narrow, W8, next(2) == 0)
            }
            3 => model.resize(condition, W8, false),
            _ => model.select(condition, a, b),
        }
    }

    #[test]
    fn every_value_is_among_the_few() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % n
        };
        let mut several = 0;
        for _ in 0..300 {
            let mut model = Model::new();
            let variable = |model: &mut Model, name: &str| {
                let info = VarInfo {
                    name: name.to_string(),
                    width: W8,
                    reading: quipu_model::Reading::Unsigned,
                    range: None,
                    role: Role::Input,
                };
                let var = model.add_var(info);
                model.var_term(var)
            };
            let leaves = [variable(&mut model, "x"), variable(&mut model, "y")];
            assert_eq!(few_values(&model, leaves[0]), None);
            let term = term(&mut model, &mut next, &leaves, 4);
            let Some(values) = few_values(&model, term) else { continue };
            several += u32::from(values.len() > 1);
            for x in 0..=255 {
                for y in (0..=255).step_by(3) {
                    let assignment: Assignment = [x, y].into_iter().collect();
                    let value = Evaluation::new(&model, &assignment).value(term);
                    assert!(values.contains(&value), "{value} is not among {values:?}");
                }
            }
        }
        assert!(several > 100, "{several} of 300 terms have several values");
    }
}
