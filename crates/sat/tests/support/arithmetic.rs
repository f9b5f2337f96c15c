//! Multipliers in clauses: the instances whose answers plain arithmetic knows.

use quipu_sat::{Lit, SatSolver};

use super::new_vars;

/// Two factors and their product, the least significant bit first.
pub struct Multiplier {
    pub left: Vec<Lit>,
    pub right: Vec<Lit>,
    pub product: Vec<Lit>,
}

/// An array multiplier of two numbers of `bits` bits with a product of twice as many.
pub fn multiplier(solver: &mut impl SatSolver, bits: usize) -> Multiplier {
    let left = literals(solver, bits);
    let right = literals(solver, bits);
    let zero = literals(solver, 1)[0];
    solver.add_clause(&[!zero]);
    let mut product = vec![zero; 2 * bits];
    for (shift, &factor) in right.iter().enumerate() {
        let mut carry = zero;
        for (position, &bit) in left.iter().enumerate() {
            let partial = and(solver, bit, factor);
            (product[shift + position], carry) =
                full_adder(solver, product[shift + position], partial, carry);
        }
        product[shift + bits] = carry;
    }
    Multiplier { left, right, product }
}

/// The assumptions that make `bits` the binary digits of `number`.
pub fn equals(bits: &[Lit], number: u64) -> Vec<Lit> {
    bits.iter().enumerate().map(|(place, &bit)| bit ^ (number >> place & 1 == 0)).collect()
}

/// The number whose binary digits are the values of `bits` in the model.
pub fn number(solver: &impl SatSolver, bits: &[Lit]) -> u64 {
    bits.iter().rev().fold(0, |number, &bit| 2 * number + u64::from(solver.value(bit)))
}

/// Demands that the number be at least 2.
pub fn at_least_two(solver: &mut impl SatSolver, bits: &[Lit]) {
    solver.add_clause(&bits[1..]);
}

/// The least prime number that is not below `number`.
pub fn prime_from(number: u64) -> u64 {
    (number..).find(|n| (2..).take_while(|d| d * d <= *n).all(|d| n % d != 0)).expect("primes do not end")
}

/// Two different primes of `bits` bits, neither near a power of two, where guessing would find them.
pub fn prime_factors(bits: usize) -> [u64; 2] {
    [prime_from((1 << bits) / 100 * 62), prime_from((1 << bits) / 100 * 83)]
}

fn literals(solver: &mut impl SatSolver, count: usize) -> Vec<Lit> {
    new_vars(solver, count).into_iter().map(Lit::from).collect()
}

fn and(solver: &mut impl SatSolver, a: Lit, b: Lit) -> Lit {
    let out = literals(solver, 1)[0];
    solver.add_clause(&[!out, a]);
    solver.add_clause(&[!out, b]);
    solver.add_clause(&[out, !a, !b]);
    out
}

/// Sum and carry: the clauses are the rows of their truth tables, the carry's without the input that does not matter.
fn full_adder(solver: &mut impl SatSolver, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
    let (sum, carry) = (literals(solver, 1)[0], literals(solver, 1)[0]);
    for row in 0..8 {
        let [x, y, z] = [row & 1 != 0, row & 2 != 0, row & 4 != 0];
        solver.add_clause(&[a ^ x, b ^ y, c ^ z, sum ^ !(x ^ y ^ z)]);
    }
    for value in [true, false] {
        for (one, two) in [(a, b), (a, c), (b, c)] {
            solver.add_clause(&[one ^ value, two ^ value, carry ^ !value]);
        }
    }
    (sum, carry)
}
