//! Refutation by rewriting alone, case by case.
//!
//! What products say of each other is seen by comparing polynomials, however wide the numbers are, but only where no
//! choice stands in between. So the conditions of choices are decided, one after the other, until every case is a
//! contradiction of its own.

use quipu_model::{Model, Node, Term};
use quipu_num::{IntCmp, Width};
use rustc_hash::FxHashSet;

use crate::equations::{Outcome, Simplifier, conjuncts};
use crate::polynomial::Polynomial;
use crate::rewriter::Rewriter;
use crate::rules;

/// Among more equations no sums are looked for.
const MOST_EQUATIONS: usize = 32;

/// Whether truth values contradict each other, as far as rewriting shows that in so many cases. False says nothing.
/// Terms are added to the model, and its assertions are lost.
pub fn contradict(model: &mut Model, parts: &[Term], mut most_cases: usize) -> bool {
    refute(model, parts.to_vec(), &mut most_cases)
}

fn refute(model: &mut Model, mut parts: Vec<Term>, cases_left: &mut usize) -> bool {
    let Some(left) = cases_left.checked_sub(1) else { return false };
    *cases_left = left;
    loop {
        model.truncate_assertions(0);
        parts.iter().for_each(|&part| model.assert(part));
        if Simplifier::new().assertions(model) == Outcome::Contradiction {
            return true;
        }
        let simpler = model.assertions().to_vec();
        if contradict_as_polynomials(model, &simpler) {
            return true;
        }
        parts = with_truths_used(model, &simpler);
        if parts == simpler {
            break;
        }
    }
    let Some(condition) = open_condition(model, &parts) else { return false };
    let not = rules::build(model, Node::Not(condition), model.width(condition));
    [condition, not].into_iter().all(|case| {
        let mut parts = parts.clone();
        parts.extend(conjuncts(model, case));
        refute(model, parts, cases_left)
    })
}

/// Whether what is said to be different is the same, as sums of multiples of equations show.
fn contradict_as_polynomials(model: &Model, parts: &[Term]) -> bool {
    let mut equations: Vec<Polynomial> = Vec::new();
    let mut differences: Vec<Polynomial> = Vec::new();
    for &part in parts {
        let (truth, found) = match *model.node(part) {
            Node::Not(inner) => (inner, &mut differences),
            _ => (part, &mut equations),
        };
        if let Node::Compare(IntCmp::Eq, a, b) = *model.node(truth)
            && model.width(a) != Width::W1
        {
            found.extend(Polynomial::difference(model, a, b));
        }
    }
    if equations.len() > MOST_EQUATIONS || differences.is_empty() {
        return false;
    }
    for n in 0..equations.len() {
        let Some(pivot) = equations[n].pivot() else { continue };
        let (before, rest) = equations.split_at_mut(n);
        let (equation, behind) = rest.split_first_mut().expect("there is such an equation");
        let others = before.iter_mut().chain(behind).chain(&mut differences);
        others
            .filter(|other| other.has_width_of(equation))
            .for_each(|other| other.eliminate(equation, &pivot));
    }
    differences.iter().any(Polynomial::is_zero)
}

/// The same truth values, where each that occurs inside another one is replaced by its truth there.
fn with_truths_used(model: &mut Model, parts: &[Term]) -> Vec<Term> {
    let mut rewriter = Rewriter::new();
    for &part in parts {
        let (truth, value) = match *model.node(part) {
            Node::Not(inner) => (inner, false),
            _ => (part, true),
        };
        let value = model.truth(value);
        rewriter.replace(truth, value);
    }
    parts.iter().map(|&part| inside_rewritten(model, &mut rewriter, part)).collect()
}

/// A truth value stays itself; only what it is made of is rewritten. No two of them contain each other, so what is used
/// is never lost.
fn inside_rewritten(model: &mut Model, rewriter: &mut Rewriter, part: Term) -> Term {
    let node = model.node(part).clone();
    let width = model.width(part);
    let node = match node {
        Node::Var(_) | Node::Const(_) | Node::Call(..) => return part,
        Node::Not(inner) => Node::Not(inside_rewritten(model, rewriter, inner)),
        node => node.map_operands(|operand| rewriter.term(model, operand)),
    };
    rules::build(model, node, width)
}

/// A condition of a choice that is not decided: that which was made first, as others may depend on it. Where no number is
/// chosen, one of several truth values of which one holds.
fn open_condition(model: &Model, parts: &[Term]) -> Option<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = parts.to_vec();
    let mut conditions: Vec<Term> = Vec::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Node::Select(condition, ..) = model.node(term) {
            conditions.push(*condition);
        }
        model.node(term).for_each_operand(|operand| stack.push(operand));
    }
    let ways = parts.iter().filter_map(|&part| match model.node(part) {
        Node::Any(items) => items.first().copied(),
        _ => None,
    });
    conditions.into_iter().min().or_else(|| ways.min())
}

#[cfg(test)]
mod tests {
    use quipu_model::{Reading, Role, VarInfo};
    use quipu_num::IntOp;

    use super::*;

    fn number(model: &mut Model, name: &str) -> Term {
        let info = VarInfo {
            name: name.into(),
            width: Width::W32,
            reading: Reading::Unsigned,
            range: None,
            role: Role::Input,
        };
        let var = model.add_var(info);
        model.var_term(var)
    }

    /// `s == i * i` and `i == n` as two comparisons; behind a choice, `s` is not `n * n`.
    fn squares(wrong: u64) -> bool {
        let mut model = Model::new();
        let [s, i, n] = ["s", "i", "n"].map(|name| number(&mut model, name));
        let square = model.op(IntOp::Mul, i, i);
        let fact = model.equal(s, square);
        let low = model.compare(IntCmp::Ule, i, n);
        let high = model.compare(IntCmp::Ule, n, i);
        let zero = model.constant_term(Width::W32, 0);
        let none = model.equal(n, zero);
        let sum = model.sum(Width::W32, wrong, [(1, s)]);
        let result = model.select(none, zero, sum);
        let wanted = model.op(IntOp::Mul, n, n);
        let same = model.equal(result, wanted);
        let differs = model.not(same);
        contradict(&mut model, &[fact, low, high, differs], 8)
    }

    #[test]
    fn choices_are_decided_one_by_one() {
        assert!(squares(0));
        assert!(!squares(1));
    }

    /// `2 * s == i * i + i` and `i + 3 * s == d` make `5 * s == d + i * i`, and nothing else.
    #[test]
    fn sums_of_equations_are_found() {
        for wrong in [0, 1] {
            let mut model = Model::new();
            let [s, i, d] = ["s", "i", "d"].map(|name| number(&mut model, name));
            let square = model.op(IntOp::Mul, i, i);
            let (twice, thrice) =
                (model.sum(Width::W32, 0, [(2, s)]), model.sum(Width::W32, 0, [(3, s), (1, i)]));
            let (right, wanted) = (
                model.sum(Width::W32, 0, [(1, square), (1, i)]),
                model.sum(Width::W32, wrong, [(1, square), (1, d)]),
            );
            let five = model.sum(Width::W32, 0, [(5, s)]);
            let (first, second, same) =
                (model.equal(twice, right), model.equal(thrice, d), model.equal(five, wanted));
            let differs = model.not(same);
            assert_eq!(contradict(&mut model, &[first, second, differs], 8), wrong == 0);
        }
    }

    #[test]
    fn a_truth_is_not_used_up_by_itself() {
        let mut model = Model::new();
        let [a, b] = ["a", "b"].map(|name| number(&mut model, name));
        let below = model.compare(IntCmp::Ult, a, b);
        let not_above = model.compare(IntCmp::Ule, a, b);
        let either = model.any([below, not_above]);
        assert!(!contradict(&mut model, &[below, not_above, either], 8));
        let above = model.compare(IntCmp::Ult, b, a);
        assert!(contradict(&mut model, &[below, either, above], 8));
    }
}
