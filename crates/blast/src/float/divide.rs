//! Quotients.
//!
//! As with integers, a quotient is not computed: its bits and those of the remainder are new, and what they satisfy is
//! demanded. The dividend is doubled where it is less than the divisor, so that the first bit of the quotient is a one.

use rustc_hash::FxHashMap;

use super::format::Format;
use super::round::{Special, Unrounded, round};
use super::unpack::{Unpacked, unpack};
use crate::circuit::{Circuit, Edge, Word};
use crate::columns::Columns;
use crate::multiply::{add_natural_multiple, add_natural_product};
use crate::words;

/// The quotients of significands made so far.
#[derive(Default)]
pub(crate) struct Quotients {
    known: FxHashMap<(Word, Word), Quotient>,
}

/// The leading bits of a quotient, and whether there is more.
#[derive(Clone)]
struct Quotient {
    bits: Word,
    sticky: Edge,
}

impl Quotients {
    pub fn divide(&mut self, circuit: &mut Circuit, format: Format, a: &[Edge], b: &[Edge]) -> Word {
        let (a, b) = (unpack(circuit, format, a), unpack(circuit, format, b));
        let ((exponent_a, dividend), (exponent_b, divisor)) = (a.normalized(circuit), b.normalized(circuit));
        let is_less = words::less(circuit, &dividend, &divisor, false);
        let exponent = exponent_a.plus(circuit, &exponent_b.negated(), !is_less).shifted(-1);
        let plain = words::filled(&dividend, dividend.len() + 1);
        let doubled = [&[Edge::FALSE], dividend.as_slice()].concat();
        let dividend = words::mux(circuit, is_less, &doubled, &plain);
        let quotient = self.quotient(circuit, dividend, divisor);
        let number = Unrounded {
            sign: circuit.xor(a.sign, b.sign),
            exponent,
            significand: quotient.bits,
            sticky: quotient.sticky,
        };
        let special = special(circuit, &a, &b);
        round(circuit, format, number, special)
    }

    fn quotient(&mut self, circuit: &mut Circuit, dividend: Word, divisor: Word) -> Quotient {
        let key = (dividend, divisor);
        if let Some(quotient) = self.known.get(&key) {
            return quotient.clone();
        }
        let quotient = match (words::as_constant(&key.0), words::as_constant(&key.1)) {
            (Some(n), Some(d)) => constant(n, d, key.0.len()),
            _ => related(circuit, &key.0, &key.1),
        };
        self.known.insert(key, quotient.clone());
        quotient
    }
}

/// As many bits as the dividend has.
fn constant(n: u64, d: u64, size: usize) -> Quotient {
    let (n, d) = (u128::from(n) << (size - 1), u128::from(d));
    let bits = u64::try_from(n / d).expect("a dividend should be less than two divisors");
    Quotient { bits: words::natural(bits, size), sticky: Edge::constant(n % d != 0) }
}

/// A quotient of new bits, but for the first.
fn related(circuit: &mut Circuit, n: &[Edge], d: &[Edge]) -> Quotient {
    let mut quotient: Word = d.iter().map(|_| circuit.input()).collect();
    quotient.push(Edge::TRUE);
    let shifted = [&vec![Edge::FALSE; n.len() - 1], n].concat();
    let remainder = demand_quotient(circuit, &shifted, d, &quotient);
    Quotient { sticky: circuit.any(remainder), bits: quotient }
}

/// Demands that q is the quotient of n by d, which is not zero: `q * d + r = n` and `r < d`. Gives the remainder r. Nothing
/// overflows, so that the equation modulo a power of two is the equation.
pub(crate) fn demand_quotient(circuit: &mut Circuit, n: &[Edge], d: &[Edge], q: &[Edge]) -> Word {
    let remainder: Word = d.iter().map(|_| circuit.input()).collect();
    let mut columns = Columns::new(q.len() + d.len() + 1);
    add_natural_product(circuit, &mut columns, q, d);
    add_natural_multiple(&mut columns, 1, &remainder);
    let sum = columns.sum(circuit);
    words::demand_equal(circuit, &sum, &words::filled(n, sum.len()));
    let is_less = words::less(circuit, &remainder, d, false);
    circuit.demand(is_less);
    remainder
}

fn special(circuit: &mut Circuit, a: &Unpacked, b: &Unpacked) -> Special {
    let both_infinite = circuit.and(a.is_infinite, b.is_infinite);
    let both_zero = circuit.and(a.is_zero, b.is_zero);
    Special {
        is_nan: circuit.any([a.is_nan, b.is_nan, both_infinite, both_zero]),
        is_infinite: circuit.or(a.is_infinite, b.is_zero),
        is_zero: circuit.or(a.is_zero, b.is_infinite),
    }
}
