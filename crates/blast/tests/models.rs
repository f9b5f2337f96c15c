//! Whole models: the answer is that of brute force, and a solution found is a solution.

use quipu_base::IdVec;
use quipu_blast::Blaster;
use quipu_domain::{Bits, Domain, Interval};
use quipu_model::{Evaluation, Model, Reading, Role, Term, VarInfo, holds};
use quipu_modelkit::{Random, Shape, random_model, random_term, solutions};
use quipu_num::{IntOp, Width};
use quipu_sat::{Budget, Cadical, SatResult};

fn shape(random: &mut Random) -> Shape {
    let widths = [vec![1, 2, 3], vec![2, 3, 4], vec![1, 4, 5], vec![3, 8]];
    Shape {
        variables: 1 + random.below(3),
        widths: widths[random.below(widths.len())].clone(),
        bits: 9,
        terms: 5 + random.below(40),
        assertions: 1 + random.below(4),
    }
}

fn asserted(model: &Model, mut blaster: Blaster<Cadical>) -> Blaster<Cadical> {
    model.assertions().iter().for_each(|&assertion| blaster.assert_true(model, assertion));
    blaster
}

fn check(model: &Model, blaster: &mut Blaster<Cadical>, satisfiable: bool, about: &str) {
    let answer = blaster.solve(&[], Budget::UNLIMITED);
    assert_eq!(answer == SatResult::Sat, satisfiable, "{about}");
    if satisfiable {
        assert!(holds(model, &blaster.assignment(model)), "{about}: the witness should be a solution");
    }
}

#[test]
fn answers_equal_brute_force() {
    let mut counts = [0; 2];
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let shape = shape(&mut random);
        let model = random_model(&mut random, &shape);
        let satisfiable = !solutions(&model).is_empty();
        counts[usize::from(satisfiable)] += 1;
        let mut blaster = asserted(&model, Blaster::new(Cadical::default()));
        check(&model, &mut blaster, satisfiable, &format!("seed {seed}"));
    }
    assert!(counts.iter().all(|&count| count > 300), "both answers should be common: {counts:?}");
}

/// Assertions as assumptions, on a model that grows between the questions.
#[test]
fn answers_under_assumptions_equal_brute_force_while_the_model_grows() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let shape = shape(&mut random);
        let mut model = random_model(&mut random, &shape);
        model.truncate_assertions(0);
        let mut blaster = Blaster::new(Cadical::default());
        for round in 0..6 {
            for _ in 0..5 {
                random_term(&mut model, &mut random, &shape);
            }
            let truths: Vec<Term> = model.terms().filter(|&term| model.width(term) == Width::W1).collect();
            let kept = model.assertions().len();
            let chosen: Vec<Term> = (0..2).map(|_| random.pick(&truths)).collect();
            chosen.iter().for_each(|&term| model.assert(term));
            let satisfiable = !solutions(&model).is_empty();
            let assumptions: Vec<_> = chosen.iter().map(|&term| blaster.literal(&model, term)).collect();
            // Variables that no assumption depends on must have values too.
            let answer = blaster.solve(&assumptions, Budget::UNLIMITED);
            assert_eq!(answer == SatResult::Sat, satisfiable, "seed {seed}, round {round}");
            if satisfiable {
                assert!(holds(&model, &blaster.assignment(&model)), "seed {seed}, round {round}");
            }
            if satisfiable && random.chance(30) {
                chosen.iter().for_each(|&term| blaster.assert_true(&model, term));
            } else {
                model.truncate_assertions(kept);
            }
        }
    }
}

/// Domains that hold in all solutions, told before, between and after the assertions.
#[test]
fn narrowing_by_true_facts_changes_no_answer() {
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let shape = shape(&mut random);
        let model = random_model(&mut random, &shape);
        let facts = true_facts(&model, &mut random);
        let satisfiable = !solutions(&model).is_empty();
        let mut blaster = Blaster::new(Cadical::default());
        let middle = random.below(facts.len() + 1);
        facts[..middle].iter().for_each(|&(term, domain)| blaster.narrow(&model, term, domain));
        let late = random.below(facts.len() - middle + 1) + middle;
        for (n, &assertion) in model.assertions().iter().enumerate() {
            if n == 1 {
                facts[middle..late].iter().for_each(|&(term, domain)| blaster.narrow(&model, term, domain));
            }
            blaster.assert_true(&model, assertion);
        }
        check(&model, &mut blaster, satisfiable, &format!("seed {seed}"));
        facts[late..].iter().for_each(|&(term, domain)| blaster.narrow(&model, term, domain));
        check(&model, &mut blaster, satisfiable, &format!("seed {seed}, told late"));
    }
}

/// For many terms, a random domain that holds all its values in the solutions; any domain if there are none.
fn true_facts(model: &Model, random: &mut Random) -> Vec<(Term, Domain)> {
    let all = solutions(model);
    let mut facts = Vec::new();
    for term in model.terms() {
        if random.chance(50) {
            continue;
        }
        let value = |solution: &Vec<u64>| {
            let assignment: IdVec<_, u64> = solution.iter().copied().collect();
            Evaluation::new(model, &assignment).value(term)
        };
        let mut values: Vec<u64> = all.iter().map(value).collect();
        values.sort_unstable();
        values.dedup();
        if let Some(domain) = domain_of(random, model.width(term), &values) {
            facts.push((term, domain));
        }
    }
    facts
}

fn domain_of(random: &mut Random, w: Width, values: &[u64]) -> Option<Domain> {
    if values.is_empty() {
        return Some(Domain::singleton(w, random.value(w)));
    }
    let start = random.below(values.len());
    let before = (start + values.len() - 1) % values.len();
    let arc = Interval::new(w, values[start], values[before]);
    let zeros = values.iter().fold(w.mask(), |zeros, value| zeros & !value) & random.number();
    let ones = values.iter().fold(w.mask(), |ones, value| ones & value) & random.number();
    let bits = Bits { zeros, ones };
    match random.below(3) {
        0 => Some(Domain::from_interval(w, arc)),
        1 => Domain::new(w, Interval::full(w), bits),
        _ => Domain::new(w, arc, bits),
    }
}

#[test]
fn arcs_of_variables_are_exact() {
    for bits in 1..=4 {
        let width = Width::new(bits).unwrap();
        for first in 0..=width.mask() {
            for last in 0..=width.mask() {
                let mut model = Model::new();
                let range = Some((first, last));
                let info =
                    VarInfo { name: "x".into(), width, reading: Reading::Signed, range, role: Role::Input };
                let var = model.add_var(info);
                let mut blaster = Blaster::new(Cadical::default());
                let word = blaster.bits(&model, model.var_term(var));
                for value in 0..=width.mask() {
                    let fixed: Vec<_> =
                        word.iter().enumerate().map(|(i, &lit)| lit ^ (value >> i & 1 == 0)).collect();
                    let possible = blaster.solve(&fixed, Budget::UNLIMITED) == SatResult::Sat;
                    assert_eq!(possible, model.vars()[var].allows(value), "{value} in {first}..{last}");
                }
            }
        }
    }
}

/// What is known makes the translation smaller: that is what it is for.
#[test]
fn known_bits_fold_gates_away() {
    let clauses = |facts: bool| {
        let mut model = Model::new();
        let [x, y] = ["x", "y"].map(|name| {
            let info = VarInfo {
                name: name.into(),
                width: Width::W32,
                reading: Reading::Signed,
                range: None,
                role: Role::Input,
            };
            let var = model.add_var(info);
            model.var_term(var)
        });
        let product = model.op(IntOp::Mul, x, y);
        let quotient = model.op(IntOp::SDiv, product, y);
        let wanted = model.constant_term(Width::W32, 12);
        let same = model.equal(quotient, wanted);
        let mut blaster = Blaster::new(Cadical::default());
        if facts {
            for term in [x, y] {
                let arc = Interval::from_signed(Width::W32, -100, 100);
                blaster.narrow(&model, term, Domain::from_interval(Width::W32, arc));
            }
        }
        blaster.assert_true(&model, same);
        blaster.size().clauses
    };
    let (with, without) = (clauses(true), clauses(false));
    assert!(with * 5 < without, "{with} clauses with facts, {without} without");
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut model = Model::new();
    let info = VarInfo {
        name: "x".into(),
        width: Width::W8,
        reading: Reading::Unsigned,
        range: None,
        role: Role::Input,
    };
    let var = model.add_var(info);
    let x = model.var_term(var);
    let mut term = x;
    for i in 0..150_000 {
        let op = if i % 2 == 0 { IntOp::Add } else { IntOp::Xor };
        term = model.op(op, term, x);
    }
    let wanted = model.constant_term(Width::W8, 0);
    let same = model.equal(term, wanted);
    model.assert(same);
    let mut blaster = asserted(&model, Blaster::new(Cadical::default()));
    assert_eq!(blaster.solve(&[], Budget::UNLIMITED), SatResult::Sat);
    assert!(holds(&model, &blaster.assignment(&model)));
}
