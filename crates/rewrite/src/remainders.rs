//! Asserted remainders of one number by several divisors are one remainder by their least common multiple (the
//! Chinese remainder theorem), or cannot be.

use quipu_model::{Model, Node, Term};
use quipu_num::{IntCmp, IntOp, Width};

use crate::equations::{Outcome, conjuncts};
use crate::rules;

/// `x % divisor == remainder`, with a remainder below the divisor.
#[derive(Clone, Copy)]
struct Congruence {
    x: Term,
    divisor: u64,
    remainder: u64,
}

/// Combines asserted remainders of the same terms where the common multiple fits the width.
pub(crate) fn combine(model: &mut Model, parts: &mut Vec<Term>) -> Outcome {
    let mut n = 0;
    while n < parts.len() {
        let Some(first) = congruence(model, parts[n]) else {
            n += 1;
            continue;
        };
        let second = (n + 1..parts.len()).find_map(|m| {
            let other = congruence(model, parts[m]).filter(|other| other.x == first.x)?;
            Some((m, first.and(other, model.width(first.x))?))
        });
        match second {
            None => n += 1,
            Some((_, None)) => return Outcome::Contradiction,
            Some((m, Some(both))) => {
                parts.swap_remove(m);
                parts.swap_remove(n);
                let both = both.build(model);
                parts.extend(conjuncts(model, both));
            }
        }
    }
    Outcome::Open
}

fn congruence(model: &Model, part: Term) -> Option<Congruence> {
    let Node::Compare(IntCmp::Eq, a, b) = *model.node(part) else { return None };
    let (Node::Op(IntOp::URem, x, divisor), Some(remainder)) = (model.node(a), model.constant(b)) else {
        return None;
    };
    let divisor = model.constant(*divisor)?;
    (remainder < divisor).then_some(Congruence { x: *x, divisor, remainder })
}

impl Congruence {
    /// What both say: nothing is known if the common multiple is too large, `Some(None)` if they contradict.
    fn and(self, other: Congruence, width: Width) -> Option<Option<Congruence>> {
        let common = gcd(self.divisor, other.divisor);
        if self.remainder % common != other.remainder % common {
            return Some(None);
        }
        let multiple = u128::from(self.divisor / common) * u128::from(other.divisor);
        let divisor = u64::try_from(multiple).ok().filter(|&multiple| multiple <= width.mask())?;
        // How many times the first divisor must be added to reach the other remainder.
        let (step, modulus) = (self.divisor / common, other.divisor / common);
        let distance = i128::from(other.remainder) - i128::from(self.remainder);
        let distance = (distance / i128::from(common)).rem_euclid(i128::from(modulus)) as u128;
        let times = distance * u128::from(inverse_modulo(step, modulus)) % u128::from(modulus);
        let remainder = self.remainder + times as u64 * self.divisor;
        Some(Some(Congruence { x: self.x, divisor, remainder }))
    }

    fn build(self, model: &mut Model) -> Term {
        let width = model.width(self.x);
        let divisor = model.constant_term(width, self.divisor);
        let remainder = rules::build(model, Node::Op(IntOp::URem, self.x, divisor), width);
        let number = model.constant_term(width, self.remainder);
        rules::equal(model, remainder, number)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The inverse of a number modulo one that has no factor in common with it (Euclid's algorithm).
fn inverse_modulo(number: u64, modulus: u64) -> u64 {
    let (mut r, mut next_r) = (i128::from(modulus), i128::from(number % modulus));
    let (mut t, mut next_t) = (0i128, 1i128);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    t.rem_euclid(i128::from(modulus)) as u64
}
