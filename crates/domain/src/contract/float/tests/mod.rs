//! The contractors on formats of a few bits, against all values.

mod brute;
mod casts;
mod published;
mod tiny;

use super::contract;
use super::format::{Format, Single};
use super::span::Span;
use super::steps::{coarsest, common_power, multiples};
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
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16) % n
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
        numbers::<F>(Span { lo: F::MINUS_INFINITY + a.min(b), hi: F::MINUS_INFINITY + a.max(b) })
    }
}

fn numbers<F: Format>(run: Span) -> Domain {
    Domain::from_interval(F::WIDTH, Interval::new(F::WIDTH, run.lo, run.hi))
}

/// All intervals of numbers.
fn all_runs<F: Format>() -> Vec<Span> {
    let ranks = F::MINUS_INFINITY..=F::INFINITY;
    ranks.flat_map(|lo| (lo..=F::INFINITY).map(move |hi| Span { lo, hi })).collect()
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
            given[2] = [Domain::FALSE, Domain::TRUE, Domain::BOTH][random.below(3) as usize];
        }
        tightness.best += u64::from(relation.check(&given, |domains| contract::<F>(function, domains)));
        tightness.all += 1;
    }
    tightness
}

/// Checks that the image of random intervals of numbers is the smallest interval of numbers, and that a NaN results if
/// and only if it can.
fn check_images<F: Format>(name: &str, function: FloatFn, count: u32, random: &mut Random) {
    let relation = relation::<F>(name, function);
    let result = widths::<F>(function)[function.arity()];
    let is_truth = result == Width::W1;
    for _ in 0..count {
        let operands: Vec<Domain> = (0..function.arity()).map(|_| random.numbers::<F>()).collect();
        let image =
            |results: Domain| relation.image(&operands, results, |domains| contract::<F>(function, domains));
        let (found, best) = image(if is_truth { Domain::BOTH } else { numbers::<F>(F::NUMBERS) });
        assert_eq!(found, best, "{name} should have the best image of {operands:?}");
        if !is_truth {
            let (found, best) = image(Domain::singleton(result, F::NAN));
            assert_eq!(found, best, "{name} should know whether {operands:?} give a NaN");
        }
    }
}

#[test]
fn functions_lose_nothing_on_random_domains() {
    let mut random = Random(1);
    for (name, function) in functions() {
        let count = if function == FloatFn::Fma { 500 } else { 4_000 };
        check_some::<Tiny<2, 1>>(&name, function, count, &mut random);
        check_some::<Tiny<3, 1>>(&name, function, count / 2, &mut random);
        check_some::<Tiny<2, 2>>(&name, function, count / 2, &mut random);
        if function != FloatFn::Fma {
            check_some::<Tiny<3, 2>>(&name, function, count / 4, &mut random);
            check_some::<Tiny<2, 3>>(&name, function, count / 4, &mut random);
            check_some::<Tiny<4, 1>>(&name, function, count / 4, &mut random);
        }
    }
}

#[test]
fn images_of_numbers_are_the_smallest_intervals() {
    let mut random = Random(2);
    // A remainder jumps where the quotient changes.
    for (name, function) in functions().into_iter().filter(|(_, f)| *f != FloatFn::Op(FloatOp::Rem)) {
        let count = if function == FloatFn::Fma { 400 } else { 4_000 };
        check_images::<Tiny<2, 1>>(&name, function, count, &mut random);
        check_images::<Tiny<3, 1>>(&name, function, count / 2, &mut random);
        if function != FloatFn::Fma {
            check_images::<Tiny<3, 2>>(&name, function, count / 2, &mut random);
        }
    }
}

#[test]
#[ignore = "long: some minutes"]
fn functions_lose_nothing_on_all_intervals_and_many_domains() {
    let mut random = Random(3);
    type Small = Tiny<2, 1>;
    let runs: Vec<Domain> = all_runs::<Small>().into_iter().map(numbers::<Small>).collect();
    for (name, function) in functions().into_iter().filter(|(_, f)| matches!(f, FloatFn::Op(_))) {
        let relation = relation::<Small>(&name, function);
        for &x in &runs {
            for &y in &runs {
                for &z in &runs {
                    relation.check(&[x, y, z], |domains| contract::<Small>(function, domains));
                }
            }
        }
    }
    for (name, function) in functions() {
        let count = if function == FloatFn::Fma { 20_000 } else { 400_000 };
        check_some::<Small>(&name, function, count, &mut random);
        check_some::<Tiny<3, 1>>(&name, function, count / 2, &mut random);
        check_some::<Tiny<2, 2>>(&name, function, count / 2, &mut random);
        if function != FloatFn::Fma {
            check_some::<Tiny<3, 2>>(&name, function, count / 4, &mut random);
            check_some::<Tiny<2, 3>>(&name, function, count / 4, &mut random);
            check_some::<Tiny<4, 1>>(&name, function, count / 4, &mut random);
        }
    }
}

#[test]
#[ignore = "a report: how often, in percent, all that is left is as small as it can be, at 4 and 6 bits (fma: 5)"]
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

/// All multiples of a power among the numbers of a format, by division.
fn is_multiple<F: Format>(rank: u64, power: u64) -> bool {
    let least = F::value(F::ZERO + 1);
    F::value(rank) % (least * 2.0f64.powi(power as i32)) == 0.0
}

#[test]
fn multiples_are_those_of_division() {
    type Small = Tiny<3, 2>;
    for run in all_runs::<Small>() {
        let Some(finite) = run.meet(Small::FINITE) else { continue };
        let numbers = || finite.lo..=finite.hi;
        let power = common_power::<Small>(finite);
        assert!(numbers().all(|rank| is_multiple::<Small>(rank, power)), "{finite:?} has 2^{power}");
        for power in 0..=5 {
            let (first, last) = (
                numbers().find(|&rank| is_multiple::<Small>(rank, power)),
                numbers().rev().find(|&rank| is_multiple::<Small>(rank, power)),
            );
            let expected = first.zip(last).map(|(lo, hi)| Span { lo, hi });
            assert_eq!(multiples::<Small>(finite, power), expected, "multiples of 2^{power} in {finite:?}");
        }
    }
}

#[test]
fn the_coarsest_divisor_is_found() {
    type Small = Tiny<3, 2>;
    let least = Small::value(Small::ZERO + 1);
    for run in
        all_runs::<Small>().into_iter().filter(|run| run.lo > Small::ZERO && run.hi <= Small::FINITE.hi)
    {
        let divides_one = |step: f64| (run.lo..=run.hi).any(|rank| Small::value(rank) % step == 0.0);
        let power =
            (0..20).rev().find(|&power| divides_one(least * 2.0f64.powi(power))).expect("all have 2^0");
        // The last float with such a step is followed by one at that distance.
        let step = |rank: u64| Small::value(rank + 1) - Small::value(rank);
        let last =
            (Small::ZERO..Small::FINITE.hi).rev().find(|&rank| step(rank) <= least * 2.0f64.powi(power));
        let expected = last.filter(|&rank| rank + 1 < Small::FINITE.hi);
        assert_eq!(coarsest::<Small>(run), expected, "{run:?}");
    }
}

#[test]
fn a_tiny_format_of_the_size_of_float_is_float() {
    type Same = Tiny<8, 23>;
    let mut random = Random(5);
    for _ in 0..20_000 {
        let ranks = [random.below(1 << 32), random.below(1 << 32)];
        for rank in ranks {
            let (value, expected) = (Same::value(rank), Single::value(rank));
            assert!(value == expected || value.is_nan() && expected.is_nan(), "{rank:x}: {value} {expected}");
        }
        for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div] {
            let function = FloatFn::Op(op);
            assert_eq!(Same::apply(function, &ranks), Single::apply(function, &ranks), "{op:?} {ranks:x?}");
        }
        let root = FloatFn::Unary(FloatUnary::Sqrt);
        assert_eq!(Same::apply(root, &ranks[..1]), Single::apply(root, &ranks[..1]), "{ranks:x?}");
    }
}
