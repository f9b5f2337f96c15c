//! Answers, models and cores are right: against truth tables on small random clauses, and against arithmetic.

mod support;

use quipu_base::Id;
use quipu_sat::{Budget, Cadical, Lit, SatResult, SatSolver, Stop, Var};
use support::arithmetic::{at_least_two, equals, multiplier, number};
use support::truth_table::TruthTable;
use support::{Rng, new_vars, pigeons, random_3sat};

#[test]
fn incremental_answers_equal_the_truth_table() {
    let mut answers = [0; 3];
    for seed in 0..1500 {
        let mut rng = Rng(seed);
        let mut solver = Cadical::default();
        let mut table = TruthTable::default();
        let final_vars = 3 + rng.below(12);
        while table.vars.len() < final_vars {
            let more = 1 + rng.below(final_vars - table.vars.len());
            table.vars.extend(new_vars(&mut solver, more));
            add_random_clauses(&mut rng, &mut solver, &mut table, more);
            for _ in 0..4 {
                answers[query(&mut rng, &mut solver, &table)] += 1;
            }
            if !table.is_satisfiable(&[]) {
                break;
            }
        }
    }
    let [sat, unsat, unknown] = answers;
    assert!(sat.min(unsat) > 1000 && unknown > 0, "every answer should occur: {answers:?}");
}

#[test]
fn products_factor_as_arithmetic_says() {
    const BITS: usize = 8;
    let mut solver = Cadical::default();
    let circuit = multiplier(&mut solver, BITS);
    at_least_two(&mut solver, &circuit.left);
    at_least_two(&mut solver, &circuit.right);
    let mut rng = Rng(1);
    for round in 0..400 {
        let product =
            if round % 2 == 0 { rng.below(1 << (2 * BITS)) } else { rng.below(253) * 2 + 40_001 } as u64;
        let assumptions = equals(&circuit.product, product);
        let factors =
            (2..1 << BITS).any(|n| product.is_multiple_of(n) && (2..1 << BITS).contains(&(product / n)));
        match solver.solve(&assumptions, Budget::UNLIMITED) {
            SatResult::Sat => {
                assert!(factors || product == 0, "{product} should not factor");
                let found = number(&solver, &circuit.left) * number(&solver, &circuit.right);
                assert_eq!(found, product);
            }
            SatResult::Unsat => {
                assert!(!factors, "{product} should factor");
                let core = solver.core().to_vec();
                assert_eq!(solver.solve(&core, Budget::UNLIMITED), SatResult::Unsat);
            }
            SatResult::Unknown(stop) => panic!("an unlimited search should not stop: {stop:?}"),
        }
    }
    assert!(solver.statistics().conflicts > 5_000, "there should be enough search for inprocessing to run");
}

#[test]
fn a_model_can_be_read_while_clauses_are_added() {
    let mut solver = Cadical::default();
    let vars = new_vars(&mut solver, 5);
    solver.add_clause(&vars.iter().map(|var| var.positive()).collect::<Vec<_>>());
    let mut models = 0;
    while solver.solve(&[], Budget::UNLIMITED) == SatResult::Sat {
        models += 1;
        let fresh = solver.new_var();
        let blocking: Vec<Lit> =
            vars.iter().map(|&var| Lit::new(var, !solver.value(var.positive()))).collect();
        solver.add_clause(&[&blocking[..], &[fresh.positive()]].concat());
        solver.add_clause(&[fresh.negative()]);
        assert!(blocking.iter().all(|&lit| !solver.value(lit)), "adding should not change the model");
    }
    assert_eq!((models, solver.core()), (31, &[][..]));
}

#[test]
fn odd_clauses_and_assumptions() {
    let mut solver = Cadical::default();
    assert_eq!(solver.solve(&[], Budget::UNLIMITED), SatResult::Sat);
    let (x, y) = (Lit::from(solver.new_var()), Lit::from(solver.new_var()));
    solver.add_clause(&[x, !x, y]);
    solver.add_clause(&[y, y]);
    assert_eq!(solver.solve(&[x, x], Budget::conflicts(0)), SatResult::Sat);
    assert_eq!((solver.value(x), solver.value(!y)), (true, false));
    assert_eq!(solver.solve(&[x, !x, x], Budget::UNLIMITED), SatResult::Unsat);
    assert_eq!(solver.core(), [x, !x]);
    assert!(!solver.failed(y), "what was not assumed did not fail");
    assert_eq!(solver.solve(&[x, !y], Budget::UNLIMITED), SatResult::Unsat);
    assert_eq!((solver.core(), solver.failed(!y), solver.failed(y)), (&[!y][..], true, false));
    solver.add_clause(&[]);
    assert_eq!(solver.solve(&[x], Budget::UNLIMITED), SatResult::Unsat);
    assert_eq!(solver.core(), []);
}

#[test]
fn phases_steer_the_search() {
    let mut solver = Cadical::default();
    random_3sat(&mut solver, 200, 780, 3);
    let vars: Vec<Var> = (0..solver.var_count()).map(Var::new).collect();
    assert_eq!(solver.solve(&[], Budget::UNLIMITED), SatResult::Sat);
    let model: Vec<Lit> = vars.iter().map(|&var| Lit::new(var, solver.value(var.positive()))).collect();
    let other: Vec<Lit> = model.iter().map(|&lit| !lit).collect();
    let near = agreement(&mut solver, &model, &model);
    let far = agreement(&mut solver, &other, &model);
    assert!(near > far + 50, "phases should be followed: {near} of 200 literals near, {far} far");
    vars.iter().for_each(|&var| solver.unphase(var));
    assert_eq!(solver.solve(&[], Budget::UNLIMITED), SatResult::Sat);
}

#[test]
fn pigeons_need_as_many_holes() {
    for (count, expected) in [(7, SatResult::Sat), (8, SatResult::Unsat)] {
        let mut solver = Cadical::default();
        pigeons(&mut solver, count, 7);
        assert_eq!(solver.solve(&[], Budget::UNLIMITED), expected);
    }
}

#[test]
#[should_panic(expected = "x3 should be a variable of this solver")]
fn literals_of_other_solvers_are_refused() {
    let mut other = Cadical::default();
    let vars = new_vars(&mut other, 4);
    let mut solver = Cadical::default();
    new_vars(&mut solver, 3);
    solver.add_clause(&[vars[3].positive()]);
}

#[test]
#[should_panic(expected = "after the answer `Sat`")]
fn without_a_model_there_are_no_values() {
    let mut solver = Cadical::default();
    let x = solver.new_var().positive();
    assert_eq!(solver.solve(&[x, !x], Budget::UNLIMITED), SatResult::Unsat);
    solver.value(x);
}

#[test]
#[should_panic(expected = "after the answer `Unsat`")]
fn without_a_conflict_there_is_no_core() {
    let mut solver = Cadical::default();
    let x = solver.new_var().positive();
    assert_eq!(solver.solve(&[x], Budget::UNLIMITED), SatResult::Sat);
    solver.failed(x);
}

/// How many literals of `model` are true in the model that is found with these phases.
fn agreement(solver: &mut Cadical, phases: &[Lit], model: &[Lit]) -> usize {
    phases.iter().for_each(|&lit| solver.phase(lit));
    assert_eq!(solver.solve(&[], Budget::UNLIMITED), SatResult::Sat);
    model.iter().filter(|&&lit| solver.value(lit)).count()
}

/// About four clauses per new variable, most of them of three literals: both answers are then common.
fn add_random_clauses(rng: &mut Rng, solver: &mut Cadical, table: &mut TruthTable, new_vars: usize) {
    for _ in 0..new_vars * 4 {
        let length = [1, 2, 3, 3, 3, 3, 3, 4, 4, 5][(1 + rng.below(9)) * usize::from(!rng.chance(80))];
        let clause = rng.literals(&table.vars, length);
        solver.add_clause(&clause);
        table.clauses.push(clause);
    }
}

/// Asks once, checks all of the answer, and says which it was.
fn query(rng: &mut Rng, solver: &mut Cadical, table: &TruthTable) -> usize {
    let count = rng.below(6);
    let assumptions = rng.literals(&table.vars, count);
    if rng.chance(3) {
        solver.phase(rng.literal(&table.vars));
    }
    let budget = if rng.chance(4) { Budget::conflicts(0) } else { Budget::UNLIMITED };
    let answer = solver.solve(&assumptions, budget);
    match answer {
        SatResult::Sat => {
            let all_clauses = table.clauses.iter().all(|clause| clause.iter().any(|&lit| solver.value(lit)));
            assert!(all_clauses, "the model should satisfy the clauses: {table:?}");
            assert!(
                assumptions.iter().all(|&lit| solver.value(lit)),
                "{assumptions:?} should hold: {table:?}"
            );
            assert!(
                table.vars.iter().all(|var| solver.value(var.positive()) != solver.value(var.negative()))
            );
            0
        }
        SatResult::Unsat => {
            let core = solver.core();
            assert!(!table.is_satisfiable(core), "{core:?} should be a core: {table:?}");
            assert!(core.iter().all(|lit| assumptions.contains(lit)), "{core:?} is not of {assumptions:?}");
            assert!(assumptions.iter().all(|&lit| solver.failed(lit) == core.contains(&lit)));
            1
        }
        SatResult::Unknown(stop) => {
            assert_eq!((budget, stop), (Budget::conflicts(0), Stop::Budget));
            2
        }
    }
}
