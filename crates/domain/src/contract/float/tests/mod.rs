//! The contractors on formats of a few bits, against all values.

mod brute;
mod tiny;

use super::contract;
use super::format::Format;
use crate::bits::Bits;
use crate::domain::Domain;
use crate::interval::Interval;
use brute::{Relation, Tightness};
use quipu_num::{FloatCmp, FloatFn, FloatOp, FloatUnary, Width};
use tiny::Tiny;

/// A small seeded generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % n
    }

    /// Any arc, in one of four cases with known bits.
    fn domain(&mut self, w: Width) -> Domain {
        let span = if self.below(2) == 0 { self.below(w.mask() + 1) } else { self.below(w.mask() + 1) / 4 };
        let arc = Interval::from_span(w, self.below(w.mask() + 1), span);
        let mask = if self.below(4) == 0 { self.below(w.mask() + 1) & self.below(w.mask() + 1) } else { 0 };
        Domain::new(w, arc, Bits::masked(mask, arc.lo())).expect("the lower end is there")
    }

    /// An interval of numbers.
    fn numbers<F: Format>(&mut self) -> Domain {
        let count = F::INFINITY - F::MINUS_INFINITY + 1;
        let (a, b) = (self.below(count), self.below(count));
        let arc = Interval::new(F::WIDTH, F::MINUS_INFINITY + a.min(b), F::MINUS_INFINITY + a.max(b));
        Domain::from_interval(F::WIDTH, arc)
    }
}

/// All functions of floats.
fn functions() -> Vec<(String, FloatFn)> {
    let mut functions = vec![("ffma".to_string(), FloatFn::Fma)];
    functions.extend(FloatOp::ALL.map(|(op, name)| (name.to_string(), FloatFn::Op(op))));
    functions.extend(FloatUnary::ALL.map(|(op, name)| (name.to_string(), FloatFn::Unary(op))));
    functions.extend(FloatCmp::ALL.map(|(cmp, name)| (name.to_string(), FloatFn::Compare(cmp))));
    functions
}

fn widths<F: Format>(function: FloatFn) -> Vec<Width> {
    let mut widths = vec![F::WIDTH; function.arity()];
    widths.push(if matches!(function, FloatFn::Compare(_)) { Width::W1 } else { F::WIDTH });
    widths
}

fn relation<F: Format>(name: &str, function: FloatFn) -> Relation {
    let name = format!("{name} of {}+{} bits", F::EXPONENT, F::FRACTION);
    Relation::new(name, &widths::<F>(function), |ranks| F::apply(function, ranks))
}

/// Checks a function on random domains.
fn check_some<F: Format>(name: &str, function: FloatFn, count: u32, random: &mut Random) {
    let relation = relation::<F>(name, function);
    let widths = widths::<F>(function);
    for _ in 0..count {
        let given: Vec<Domain> = widths.iter().map(|&w| random.domain(w)).collect();
        relation.check(&given, |domains| contract::<F>(function, domains));
    }
}

/// Checks a function on random intervals of numbers, and counts how often what is left is as small as it can be.
fn tightness<F: Format>(name: &str, function: FloatFn, count: u32, random: &mut Random) -> Tightness {
    let relation = relation::<F>(name, function);
    let mut tightness = Tightness::default();
    for _ in 0..count {
        let mut given: Vec<Domain> = (0..=function.arity()).map(|_| random.numbers::<F>()).collect();
        if matches!(function, FloatFn::Compare(_)) {
            *given.last_mut().expect("a result") =
                [Domain::FALSE, Domain::TRUE, Domain::BOTH][random.below(3) as usize];
        }
        tightness.best += u64::from(relation.check(&given, |domains| contract::<F>(function, domains)));
        tightness.all += 1;
    }
    tightness
}

#[test]
fn functions_lose_nothing_on_random_domains() {
    let mut random = Random(1);
    for (name, function) in functions() {
        let count = if function == FloatFn::Fma { 1_000 } else { 6_000 };
        check_some::<Tiny<2, 1>>(&name, function, count, &mut random);
        check_some::<Tiny<3, 1>>(&name, function, count / 2, &mut random);
        check_some::<Tiny<2, 2>>(&name, function, count / 2, &mut random);
        if function != FloatFn::Fma {
            check_some::<Tiny<3, 2>>(&name, function, count / 4, &mut random);
            check_some::<Tiny<4, 1>>(&name, function, count / 4, &mut random);
        }
    }
}

#[test]
#[ignore = "a report"]
fn report_tightness() {
    let mut random = Random(1);
    for (name, function) in functions() {
        let small = tightness::<Tiny<2, 1>>(&name, function, 20_000, &mut random);
        let large = match function {
            FloatFn::Fma => tightness::<Tiny<3, 1>>(&name, function, 2_000, &mut random),
            _ => tightness::<Tiny<3, 2>>(&name, function, 20_000, &mut random),
        };
        let percent = |t: Tightness| t.best as f64 * 100.0 / t.all as f64;
        println!("{name:12} {:5.1} {:5.1}", percent(small), percent(large));
    }
}
