//! Rewriting changes no value and no solution, by brute force over random terms of small widths.

use quipu_base::IdVec;
use quipu_model::{Assignment, Evaluation, Model, Role, Term, Var, holds};
use quipu_modelkit::{Random, Shape, random_model, random_term, solutions};
use quipu_rewrite::{Outcome, Rewriter, Simplifier};

fn assignments(model: &Model) -> Vec<Assignment> {
    let bits: Vec<u32> = model.vars().iter().map(|info| info.width.bits()).collect();
    let total: u32 = bits.iter().sum();
    (0..1u64 << total)
        .map(|mut number| {
            let mut assignment: Assignment = IdVec::new();
            for info in model.vars().iter() {
                assignment.push(info.width.wrap(number));
                number >>= info.width.bits();
            }
            assignment
        })
        .collect()
}

#[test]
fn a_rewritten_term_has_the_same_value_everywhere() {
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let shape = Shape::small(&mut random);
        let mut model = random_model(&mut random, &shape);
        let term = random_term(&mut model, &mut random, &shape);
        let originals: Vec<Term> = model.terms().collect();
        let mut rewriter = Rewriter::new();
        let pairs: Vec<(Term, Term)> = originals
            .into_iter()
            .rev()
            .take(12)
            .chain([term])
            .map(|t| (t, rewriter.term(&mut model, t)))
            .collect();
        for assignment in assignments(&model) {
            let mut evaluation = Evaluation::new(&model, &assignment);
            for &(before, after) in &pairs {
                let (was, is) = (evaluation.value(before), evaluation.value(after));
                assert_eq!(was, is, "seed {seed}: {:?} became {:?}", model.node(before), model.node(after));
            }
        }
    }
}

#[test]
fn rewriting_twice_changes_nothing_more() {
    let mut again = 0;
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let shape = Shape::small(&mut random);
        let mut model = random_model(&mut random, &shape);
        let terms: Vec<Term> = model.terms().collect();
        for term in terms {
            let once = Rewriter::new().term(&mut model, term);
            let twice = Rewriter::new().term(&mut model, once);
            again += usize::from(once != twice);
        }
    }
    assert_eq!(again, 0, "a normal form should be its own normal form");
}

#[test]
fn simplified_assertions_have_the_same_solutions() {
    let (mut contradictions, mut solved) = (0, 0);
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let shape = Shape::small(&mut random);
        let original = random_model(&mut random, &shape);
        let expected = solutions(&original);
        let mut model = original.clone();
        let mut simplifier = Simplifier::new();
        let outcome = simplifier.assertions(&mut model);
        if outcome == Outcome::Contradiction {
            contradictions += 1;
            assert!(expected.is_empty(), "seed {seed}: a contradiction was found where there are solutions");
        }
        let mut found: Vec<Vec<u64>> = Vec::new();
        for assignment in assignments(&model) {
            if !holds(&model, &assignment) {
                continue;
            }
            let mut completed = assignment.clone();
            simplifier.complete(&mut model, &mut completed);
            solved += usize::from(completed != assignment);
            assert!(holds(&original, &completed), "seed {seed}: a completed solution should be a solution");
            found.push(inputs(&original).map(|var| completed[var]).collect());
        }
        found.sort();
        found.dedup();
        assert_eq!(found, expected, "seed {seed}: the solutions should be the same");
    }
    assert!(contradictions > 50 && solved > 50, "the test should see both kinds: {contradictions} {solved}");
}

fn inputs(model: &Model) -> impl Iterator<Item = Var> + '_ {
    model.vars().entries().filter(|(_, info)| info.role == Role::Input).map(|(var, _)| var)
}
