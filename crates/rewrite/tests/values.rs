//! Rewriting changes no value and no solution, by brute force over random terms of small widths.

use quipu_base::IdVec;
use quipu_model::{Assignment, Evaluation, Model, Reading, Role, Term, Var, VarInfo, holds};
use quipu_modelkit::{Random, Shape, random_model, random_term, solutions};
use quipu_num::{IntOp, Width};
use quipu_rewrite::{Outcome, Rewriter, Simplifier, contradict};

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

#[test]
fn what_contradicts_itself_has_no_solution() {
    let (mut refuted, mut open) = (0, 0);
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let original = match seed % 2 {
            0 => {
                let shape = Shape::small(&mut random);
                random_model(&mut random, &shape)
            }
            _ => equations(&mut random),
        };
        let has_solutions = assignments(&original).iter().any(|assignment| holds(&original, assignment));
        let mut model = original.clone();
        let contradicts = contradict(&mut model, original.assertions(), 64);
        assert!(
            !(contradicts && has_solutions),
            "seed {seed}: called a contradiction, but there are solutions"
        );
        refuted += usize::from(contradicts);
        open += usize::from(!contradicts && !has_solutions);
    }
    assert!(refuted > 500 && open < refuted, "{refuted} contradictions are seen, {open} are not");
}

/// Equations between polynomials of three numbers, some behind choices, and one that is denied. The denied one often
/// follows from the others.
fn equations(random: &mut Random) -> Model {
    let mut model = Model::new();
    let width = Width::new(3).expect("a width");
    let numbers: Vec<Term> = ["x", "y", "z"]
        .map(|name| {
            let (name, range, role) = (name.to_string(), None, Role::Input);
            let var = model.add_var(VarInfo { name, width, reading: Reading::Unsigned, range, role });
            model.var_term(var)
        })
        .to_vec();
    let mut sums: Vec<(Term, Term)> = Vec::new();
    for _ in 0..2 {
        let pair = [0, 1].map(|_| {
            let mut parts = Vec::new();
            for _ in 0..2 {
                let (a, b) = (numbers[random.below(3)], numbers[random.below(3)]);
                let part = if random.below(2) == 0 { a } else { model.op(IntOp::Mul, a, b) };
                parts.push((random.below(8) as u64, part));
            }
            model.sum(width, random.below(8) as u64, parts)
        });
        let other = numbers[random.below(3)];
        let condition = model.equal(other, numbers[0]);
        let right = if random.below(3) == 0 { model.select(condition, pair[1], other) } else { pair[1] };
        sums.push((pair[0], right));
        let equal = model.equal(pair[0], right);
        model.assert(equal);
    }
    let factors = [random.below(8) as u64, random.below(8) as u64];
    let side = |model: &mut Model, sides: [Term; 2]| {
        let parts: Vec<(u64, Term)> = factors.into_iter().zip(sides).collect();
        model.sum(width, 0, parts)
    };
    let (left, right) = (side(&mut model, [sums[0].0, sums[1].0]), side(&mut model, [sums[0].1, sums[1].1]));
    let right = model.sum(width, random.below(2) as u64, [(1, right)]);
    let equal = model.equal(left, right);
    let denied = model.not(equal);
    model.assert(denied);
    model
}

fn inputs(model: &Model) -> impl Iterator<Item = Var> + '_ {
    model.vars().entries().filter(|(_, info)| info.role == Role::Input).map(|(var, _)| var)
}
