//! Quotients and remainders.
//!
//! A quotient is not computed: it and the remainder are new bits of which `q * d + r = n` and `r < d` is demanded,
//! without overflow. Both exist and are unique for every dividend and divisor, so nothing is lost. Multiplication by
//! a constant divisor is cheap, and a divisor that is a power of two costs nothing. A divider that subtracts and
//! restores has 1.6 to 1.8 times as many clauses; of the problems with a variable divisor in `examples/blast_speed`
//! it took fewer conflicts on one (monotone, 1,600 instead of 3,500) and more on the others that ended.

use rustc_hash::FxHashMap;

use crate::circuit::{Circuit, Edge, Word};
use crate::columns::Columns;
use crate::multiply::add_natural_multiple;
use crate::words;

/// The divisions made so far, so that a quotient and a remainder of the same operands are made once.
#[derive(Default)]
pub(crate) struct Divisions {
    known: FxHashMap<(Word, Word), Division>,
}

/// A quotient and a remainder, as `quipu-num` defines them: 0 and the dividend for a zero divisor.
#[derive(Clone)]
pub(crate) struct Division {
    pub quotient: Word,
    pub remainder: Word,
}

impl Divisions {
    pub fn unsigned(&mut self, circuit: &mut Circuit, n: &[Edge], d: &[Edge]) -> Division {
        let key = (n.to_vec(), d.to_vec());
        if let Some(division) = self.known.get(&key) {
            return division.clone();
        }
        let division = divide(circuit, n, d);
        self.known.insert(key, division.clone());
        division
    }

    /// Divides the magnitudes. The quotient is negative if one operand is, the remainder if the dividend is.
    pub fn signed(&mut self, circuit: &mut Circuit, n: &[Edge], d: &[Edge]) -> Division {
        let (sign_n, sign_d) = (n[n.len() - 1], d[d.len() - 1]);
        let magnitude_n = words::negate_if(circuit, sign_n, n);
        let magnitude_d = words::negate_if(circuit, sign_d, d);
        let division = self.unsigned(circuit, &magnitude_n, &magnitude_d);
        let sign = circuit.xor(sign_n, sign_d);
        Division {
            quotient: words::negate_if(circuit, sign, &division.quotient),
            remainder: words::negate_if(circuit, sign_n, &division.remainder),
        }
    }
}

fn divide(circuit: &mut Circuit, n: &[Edge], d: &[Edge]) -> Division {
    match words::as_constant(d) {
        Some(0) => Division { quotient: vec![Edge::FALSE; n.len()], remainder: n.to_vec() },
        Some(d) if d.is_power_of_two() => divide_by_power(n, d.trailing_zeros() as usize),
        Some(d) => divide_by_constant(circuit, n, d),
        None => divide_by_word(circuit, n, d),
    }
}

fn divide_by_power(n: &[Edge], exponent: usize) -> Division {
    let (low, high) = n.split_at(exponent);
    Division { quotient: words::filled(high, n.len()), remainder: words::filled(low, n.len()) }
}

fn divide_by_constant(circuit: &mut Circuit, n: &[Edge], d: u64) -> Division {
    let largest = u64::MAX.unbounded_shr(64 - words::significant(n) as u32);
    let quotient = inputs_up_to(circuit, largest / d);
    let remainder = inputs_up_to(circuit, (d - 1).min(largest));
    // The product is at most `largest` and the remainder less than 2^w: one more bit holds the sum.
    let mut columns = Columns::new(n.len() + 1);
    add_natural_multiple(&mut columns, d, &quotient);
    add_natural_multiple(&mut columns, 1, &remainder);
    let sum = columns.sum(circuit);
    demand_equal(circuit, &sum, &words::filled(n, n.len() + 1));
    Division { quotient: words::filled(&quotient, n.len()), remainder: words::filled(&remainder, n.len()) }
}

/// For a zero divisor the equation leaves the remainder no choice, and the quotient is made 0.
fn divide_by_word(circuit: &mut Circuit, n: &[Edge], d: &[Edge]) -> Division {
    let width = n.len();
    let size = words::significant(n);
    let quotient: Word = (0..size).map(|_| circuit.input()).collect();
    let remainder: Word = (0..size).map(|_| circuit.input()).collect();
    let above = words::set_from(circuit, d);
    let mut columns = Columns::new(size);
    for (i, &q) in quotient.iter().enumerate() {
        circuit.demand_either(!q, above[0]);
        if let Some(&beyond) = above.get(size - i) {
            circuit.demand_either(!q, !beyond);
        }
        for (j, &bit) in d.iter().enumerate().take(size - i) {
            let partial = circuit.and(q, bit);
            columns.add(i + j, partial);
        }
    }
    remainder.iter().enumerate().for_each(|(i, &bit)| columns.add(i, bit));
    let (sum, overflow) = columns.sum_and_carries(circuit);
    overflow.iter().for_each(|&bit| circuit.demand(!bit));
    demand_equal(circuit, &sum, &n[..size]);
    let remainder = words::filled(&remainder, width);
    let less = words::less(circuit, &remainder, d, false);
    circuit.demand_either(less, !above[0]);
    Division { quotient: words::filled(&quotient, width), remainder }
}

/// New bits that are demanded to be at most a number.
fn inputs_up_to(circuit: &mut Circuit, largest: u64) -> Word {
    let size = u64::BITS - largest.leading_zeros();
    let word: Word = (0..size).map(|_| circuit.input()).collect();
    let bound: Word = (0..size).map(|i| Edge::constant(largest >> i & 1 == 1)).collect();
    let fits = words::less(circuit, &word, &bound, true);
    circuit.demand(fits);
    word
}

fn demand_equal(circuit: &mut Circuit, a: &[Edge], b: &[Edge]) {
    for (&a, &b) in a.iter().zip(b) {
        let equal = circuit.equal(a, b);
        circuit.demand(equal);
    }
}
