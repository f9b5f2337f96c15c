//! The laws that rewriting knows: each is seen, and each is true, at every value of a small width.

use quipu_base::IdVec;
use quipu_model::{Assignment, Evaluation, Model, Reading, Role, Term, VarInfo, holds};
use quipu_num::{IntCmp, IntOp, Width};
use quipu_rewrite::{Outcome, Rewriter, Simplifier};

const W: Width = Width::new(4).expect("4 is a width");

fn model(n: usize) -> (Model, Vec<Term>) {
    let mut model = Model::new();
    let terms = (0..n)
        .map(|n| {
            let info = VarInfo {
                name: format!("x{n}"),
                width: W,
                reading: Reading::Unsigned,
                range: None,
                role: Role::Input,
            };
            let var = model.add_var(info);
            model.var_term(var)
        })
        .collect();
    (model, terms)
}

fn assignments(n: usize) -> impl Iterator<Item = Assignment> {
    (0..1u64 << (4 * n)).map(move |number| (0..n).map(|n| number >> (4 * n) & 15).collect::<IdVec<_, _>>())
}

/// Rewrites a term and checks its value everywhere.
fn rewritten(model: &mut Model, term: Term) -> Term {
    let simple = Rewriter::new().term(model, term);
    for assignment in assignments(model.vars().len()) {
        let mut evaluation = Evaluation::new(model, &assignment);
        let (was, is) = (evaluation.value(term), evaluation.value(simple));
        assert_eq!(was, is, "{:?} became {:?}", model.node(term), model.node(simple));
    }
    simple
}

fn is_proved(model: &mut Model, a: Term, b: Term) -> bool {
    let same = model.equal(a, b);
    let simple = rewritten(model, same);
    model.constant(simple) == Some(1)
}

#[test]
fn quotients_remainders_and_shifts_by_numbers_combine() {
    for c in 0..16 {
        for d in 0..16 {
            let (mut model, x) = model(1);
            let (c, d) = (model.constant_term(W, c), model.constant_term(W, d));
            for inner in [IntOp::UDiv, IntOp::URem, IntOp::SDiv, IntOp::LShr, IntOp::Mul] {
                for outer in [IntOp::UDiv, IntOp::URem, IntOp::SDiv, IntOp::LShr, IntOp::AShr] {
                    let first = model.op(inner, x[0], c);
                    let second = model.op(outer, first, d);
                    rewritten(&mut model, second);
                    let same = model.equal(second, d);
                    rewritten(&mut model, same);
                }
            }
            let remainder = model.op(IntOp::URem, x[0], c);
            let is = model.equal(remainder, d);
            rewritten(&mut model, is);
        }
    }
}

#[test]
fn extended_numbers_are_divided_as_they_are() {
    const WIDE: Width = Width::new(9).expect("9 is a width");
    for op in [IntOp::UDiv, IntOp::URem, IntOp::SDiv, IntOp::SRem] {
        let signed = matches!(op, IntOp::SDiv | IntOp::SRem);
        let (mut model, x) = model(2);
        let [a, b] = [x[0], x[1]].map(|x| model.resize(x, WIDE, signed));
        let wide = model.op(op, a, b);
        let simple = rewritten(&mut model, wide);
        assert_ne!(model.node(simple), model.node(wide), "{op:?}");
        for divisor in 0..1 << 9 {
            let divisor = model.constant_term(WIDE, divisor);
            let wide = model.op(op, a, divisor);
            rewritten(&mut model, wide);
        }
    }
}

#[test]
fn parts_of_a_number_are_not_larger() {
    for op in [IntOp::UDiv, IntOp::URem, IntOp::LShr, IntOp::And, IntOp::Or] {
        for cmp in [IntCmp::Ult, IntCmp::Ule, IntCmp::Slt] {
            let (mut model, x) = model(2);
            let part = model.op(op, x[0], x[1]);
            for other in [x[0], x[1]] {
                for (a, b) in [(part, other), (other, part)] {
                    let below = model.compare(cmp, a, b);
                    rewritten(&mut model, below);
                }
            }
        }
    }
}

#[test]
fn operations_are_what_defines_them() {
    let (mut model, x) = model(2);
    let (a, b) = (x[0], x[1]);
    let op = |model: &mut Model, op: IntOp, a, b| model.op(op, a, b);
    for (quotient, remainder) in [(IntOp::UDiv, IntOp::URem), (IntOp::SDiv, IntOp::SRem)] {
        let (q, r) = (op(&mut model, quotient, a, b), op(&mut model, remainder, a, b));
        let product = op(&mut model, IntOp::Mul, q, b);
        let whole = op(&mut model, IntOp::Add, product, r);
        assert!(is_proved(&mut model, whole, a));
    }
    let sum = op(&mut model, IntOp::Add, a, b);
    let (or, and) = (op(&mut model, IntOp::Or, a, b), op(&mut model, IntOp::And, a, b));
    let (xor, or_and) = (op(&mut model, IntOp::Xor, a, b), op(&mut model, IntOp::Add, or, and));
    let two_and = op(&mut model, IntOp::Add, and, and);
    let xor_and = op(&mut model, IntOp::Add, xor, two_and);
    assert!(is_proved(&mut model, sum, or_and) && is_proved(&mut model, sum, xor_and));
    let one = model.constant_term(W, 1);
    let (shifted, power) = (op(&mut model, IntOp::Shl, a, b), op(&mut model, IntOp::Shl, one, b));
    let product = op(&mut model, IntOp::Mul, a, power);
    assert!(is_proved(&mut model, shifted, product));
    assert!(!is_proved(&mut model, shifted, sum));
}

#[test]
fn both_ways_of_a_choice_add_up() {
    let (mut model, x) = model(2);
    let condition = model.compare(IntCmp::Ult, x[0], x[1]);
    let (low, high) = (model.select(condition, x[0], x[1]), model.select(condition, x[1], x[0]));
    let (sum, choices) = (model.op(IntOp::Add, x[0], x[1]), model.op(IntOp::Add, low, high));
    assert!(is_proved(&mut model, sum, choices));
    let difference = model.op(IntOp::Sub, low, high);
    assert!(!is_proved(&mut model, sum, difference));
}

#[test]
fn comparisons_in_a_circle_are_equations_or_cannot_be() {
    for strict in 0..8 {
        for cmp in [(IntCmp::Ult, IntCmp::Ule), (IntCmp::Slt, IntCmp::Sle)] {
            let (mut model, x) = model(3);
            for n in 0..3 {
                let cmp = if strict >> n & 1 == 1 { cmp.0 } else { cmp.1 };
                let step = model.compare(cmp, x[n], x[(n + 1) % 3]);
                model.assert(step);
            }
            let outcome = same_solutions(&model);
            assert_eq!(outcome == Outcome::Contradiction, strict != 0);
        }
    }
}

#[test]
fn remainders_of_one_number_combine() {
    for c in 1..8 {
        for d in 1..8 {
            for r in 0..c {
                let (mut model, x) = model(1);
                for (divisor, remainder) in [(c, r), (d, (r + 1) % d), (5, 2)] {
                    let divisor = model.constant_term(W, divisor);
                    let found = model.op(IntOp::URem, x[0], divisor);
                    let remainder = model.constant_term(W, remainder);
                    let is = model.equal(found, remainder);
                    model.assert(is);
                }
                same_solutions(&model);
            }
        }
    }
}

/// Simplifies the assertions and checks that the solutions are the same.
fn same_solutions(original: &Model) -> Outcome {
    let mut model = original.clone();
    let mut simplifier = Simplifier::new();
    let outcome = simplifier.assertions(&mut model);
    let n = original.vars().len();
    let expected: Vec<Assignment> = assignments(n).filter(|assignment| holds(original, assignment)).collect();
    assert!(outcome == Outcome::Open || expected.is_empty(), "there is a solution");
    if outcome == Outcome::Open {
        let mut found: Vec<Assignment> = Vec::new();
        let left: Vec<Assignment> = assignments(n).filter(|assignment| holds(&model, assignment)).collect();
        for mut assignment in left {
            simplifier.complete(&mut model, &mut assignment);
            found.push(assignment);
        }
        let key = |assignment: &Assignment| assignment.iter().rev().copied().collect::<Vec<u64>>();
        found.sort_by_key(key);
        found.dedup();
        assert_eq!(found, expected, "the solutions should be the same");
    }
    outcome
}
