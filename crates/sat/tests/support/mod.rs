//! What the tests and the example share: instances, a random number generator, and a solver that is plainly right.

#![allow(dead_code)] // each test uses its part

pub mod arithmetic;
pub mod truth_table;

use quipu_sat::{Lit, SatSolver, Var};

/// splitmix64 (Steele, Lea, Flood 2014).
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn literal(&mut self, vars: &[Var]) -> Lit {
        Lit::new(vars[self.below(vars.len())], self.chance(2))
    }

    /// `length` literals, with repetitions and contradictions as they come.
    pub fn literals(&mut self, vars: &[Var], length: usize) -> Vec<Lit> {
        (0..length).map(|_| self.literal(vars)).collect()
    }
}

pub fn new_vars(solver: &mut impl SatSolver, count: usize) -> Vec<Var> {
    (0..count).map(|_| solver.new_var()).collect()
}

/// Every pigeon sits in a hole, no two in the same: unsatisfiable if there are more pigeons than holes, and then
/// exponentially hard for resolution (Haken 1985).
pub fn pigeons(solver: &mut impl SatSolver, pigeons: usize, holes: usize) {
    let sits: Vec<Vec<Var>> = (0..pigeons).map(|_| new_vars(solver, holes)).collect();
    for pigeon in &sits {
        solver.add_clause(&pigeon.iter().map(|var| var.positive()).collect::<Vec<_>>());
    }
    for (second, pigeon) in sits.iter().enumerate() {
        for other in &sits[..second] {
            for (one, two) in pigeon.iter().zip(other) {
                solver.add_clause(&[one.negative(), two.negative()]);
            }
        }
    }
}

/// `clauses` random clauses of three literals over `vars` new variables.
pub fn random_3sat(solver: &mut impl SatSolver, vars: usize, clauses: usize, seed: u64) {
    let vars = new_vars(solver, vars);
    let mut rng = Rng(seed);
    for _ in 0..clauses {
        solver.add_clause(&rng.literals(&vars, 3));
    }
}
