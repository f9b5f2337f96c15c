//! Contractors of floats at their real sizes: solutions chosen by `quipu-num` survive in random domains around them.

mod support;

use quipu_domain::{Bits, Domain, Interval, contract};
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, Width, cast_of_rank, float_fn, rank,
};
use support::{Random, width};

/// How many solutions of each function are tried in the ordinary test; the long one takes `QUIPU_FLOATS` or this many.
const FEW: u64 = 4_000;
const MANY: u64 = 1_000_000;

#[test]
fn solutions_survive() {
    check_all(FEW, 1);
}

#[test]
#[ignore = "long: some minutes"]
fn many_solutions_survive() {
    let count =
        std::env::var("QUIPU_FLOATS").map_or(MANY, |text| text.parse().expect("a number of solutions"));
    check_all(count, 2);
}

fn check_all(count: u64, seed: u64) {
    let mut random = Random::new(seed);
    for w in [FloatWidth::F32, FloatWidth::F64] {
        for function in functions() {
            (0..count).for_each(|_| check_function(&mut random, function, w));
        }
    }
    for c in casts() {
        (0..count).for_each(|_| check_cast(&mut random, c));
    }
    for bits in [1, 7, 8, 16, 31, 32, 33, 63, 64] {
        for (from, signed) in [
            (FloatWidth::F32, true),
            (FloatWidth::F32, false),
            (FloatWidth::F64, true),
            (FloatWidth::F64, false),
        ] {
            let guard = Guard::FloatFits { from, to: width(bits), signed };
            (0..count / 4).for_each(|_| check_guard(&mut random, guard, from, width(bits)));
        }
    }
}

fn functions() -> Vec<FloatFn> {
    let mut functions = vec![FloatFn::Fma];
    functions.extend(FloatOp::ALL.map(|(op, _)| FloatFn::Op(op)));
    functions.extend(FloatUnary::ALL.map(|(op, _)| FloatFn::Unary(op)));
    functions.extend(FloatCmp::ALL.map(|(cmp, _)| FloatFn::Compare(cmp)));
    functions
}

fn casts() -> Vec<Cast> {
    let mut casts = vec![Cast::Widen, Cast::Narrow];
    for w in [FloatWidth::F32, FloatWidth::F64] {
        casts.extend([Cast::FloatBits(w), Cast::BitsFloat(w)]);
        for bits in [1, 8, 16, 23, 24, 25, 31, 32, 33, 52, 53, 54, 63, 64] {
            let n = width(bits);
            casts.extend([Cast::FloatToSigned(w, n), Cast::FloatToUnsigned(w, n)]);
            casts.extend([Cast::SignedToFloat(n, w), Cast::UnsignedToFloat(n, w)]);
        }
    }
    casts
}

/// Operands are often related: equal, neighbours, opposite, or at a distance of some powers of two.
fn check_function(random: &mut Random, function: FloatFn, w: FloatWidth) {
    let mut ranks = vec![float(random, w)];
    while ranks.len() < function.arity() {
        let next = match random.below(4) {
            0 => related(random, w, ranks[0]),
            _ => float(random, w),
        };
        ranks.push(next);
    }
    let result = float_fn(function, w, &ranks);
    let mut widths = vec![w.width(); ranks.len()];
    widths.push(function.width(w));
    ranks.push(result);
    check(&format!("{function:?} {w:?}"), random, &widths, &ranks, |domains| {
        contract::float(function, w, domains)
    });
}

fn check_cast(random: &mut Random, c: Cast) {
    let (from, to) = c.widths();
    let operand = match c.floats() {
        (Some(w), Some(_)) => float(random, w),
        (Some(w), None) => {
            if random.below(2) == 0 {
                float(random, w)
            } else {
                near_integer(random, w, to)
            }
        }
        (None, _) => random.value(from),
    };
    let values = [operand, cast_of_rank(c, operand)];
    check(&format!("{c:?}"), random, &[from, to], &values, |domains| {
        store(domains, contract::cast(c, domains[0], domains[1]))
    });
}

fn check_guard(random: &mut Random, guard: Guard, from: FloatWidth, to: Width) {
    let x = if random.below(2) == 0 { float(random, from) } else { near_integer(random, from, to) };
    let values = [x, u64::from(guard.holds_of_ranks((x, x)))];
    check(&format!("{guard:?}"), random, &[from.width(), Width::W1], &values, |domains| {
        store(domains, contract::guard(guard, domains[0], domains[0], domains[1]).map(|[x, _, b]| [x, b]))
    });
}

fn store<const N: usize>(domains: &mut [Domain], left: Option<[Domain; N]>) -> bool {
    left.map(|left| domains.copy_from_slice(&left)).is_some()
}

/// The values survive in domains around them, contraction only contracts, and fixed values are decided.
fn check(
    name: &str,
    random: &mut Random,
    widths: &[Width],
    values: &[u64],
    contract: impl Fn(&mut [Domain]) -> bool,
) {
    let given: Vec<Domain> = widths.iter().zip(values).map(|(&w, &v)| around(random, w, v)).collect();
    let mut left = given.clone();
    for _ in 0..2 {
        assert!(contract(&mut left), "{name} loses {values:x?} of {given:x?}");
        for (n, (&w, &value)) in widths.iter().zip(values).enumerate() {
            assert!(left[n].contains(w, value), "{name} loses {values:x?} of {given:x?}: {left:x?}");
            assert!(left[n].is_subset(w, given[n]), "{name} adds to {n} of {given:x?}: {left:x?}");
        }
    }
    let (last, operands) = widths.split_last().expect("a result");
    let mut fixed: Vec<Domain> =
        operands.iter().zip(values).map(|(&w, &v)| Domain::singleton(w, v)).collect();
    fixed.push(Domain::full(*last));
    assert!(contract(&mut fixed), "{name} denies {values:x?}");
    let result = fixed.last().and_then(|domain| domain.is_singleton());
    assert_eq!(result, values.last().copied(), "{name} should know the result of {values:x?}");
}

/// A domain with the value: often an end of it, often short, sometimes all or with known bits.
fn around(random: &mut Random, w: Width, value: u64) -> Domain {
    match random.below(8) {
        0 => Domain::full(w),
        1 => Domain::singleton(w, value),
        2..6 => {
            let mut side = || match random.below(4) {
                0 => 0,
                1 => random.below(3),
                _ => random.next() >> (64 - w.bits()) >> random.below(u64::from(w.bits())),
            };
            let before = side().min(w.mask());
            let after = side().min(w.mask() - before);
            Domain::from_interval(w, Interval::from_span(w, value.wrapping_sub(before), before + after))
        }
        6 => random.around(w, value),
        _ => {
            let mask = w.wrap(random.next() & random.next());
            Domain::new(w, Interval::full(w), Bits::masked(mask, value)).expect("the value is there")
        }
    }
}

/// The rank of a float: special ones and their neighbours, small integers, powers of two, fractions with few bits, any.
fn float(random: &mut Random, w: FloatWidth) -> u64 {
    let bits = u64::from(w.bits());
    let (fraction, exponent) = if bits == 32 { (23, 8) } else { (52, 11) };
    let infinity = ((1u64 << exponent) - 1) << fraction;
    let magnitude = match random.below(10) {
        0 => {
            random.pick(&[0, 1, 2, (1 << fraction) - 1, 1 << fraction, infinity - 1, infinity, infinity + 1])
        }
        1 => random.below(infinity),
        2 => random.below(1 << exponent) << fraction,
        3 => (random.below(1 << exponent) << fraction) + random.below(5),
        4 | 5 => {
            let near = (1 << (exponent - 1)) - 33 + random.below(64);
            near << fraction | (random.next() & random.next()) >> (64 - fraction)
        }
        6 | 7 => {
            let near = (1 << (exponent - 1)) - 3 + random.below(6);
            near << fraction | (random.next() >> 60) << (fraction - 4)
        }
        8 => random.below(1 << fraction) >> random.below(fraction),
        _ => infinity.saturating_sub(random.below(1 << (fraction + 1))),
    };
    let sign = random.below(2) << (bits - 1);
    rank(w, magnitude | sign)
}

/// A float near another one, or near its opposite, or near it but for the exponent.
fn related(random: &mut Random, w: FloatWidth, other: u64) -> u64 {
    let steps = random.below(9).wrapping_sub(4);
    let fraction = if w == FloatWidth::F32 { 23 } else { 52 };
    let base = match random.below(3) {
        0 => other,
        1 => !other,
        _ => other.wrapping_add(random.below(120).wrapping_sub(60) << fraction),
    };
    w.width().wrap(base.wrapping_add(steps))
}

/// A float near an integer of a width, or near the ends of what has one.
fn near_integer(random: &mut Random, w: FloatWidth, integers: Width) -> u64 {
    let value = random.value(integers);
    let cast = random.pick(&[Cast::SignedToFloat(integers, w), Cast::UnsignedToFloat(integers, w)]);
    w.width().wrap(cast_of_rank(cast, value).wrapping_add(random.below(5)).wrapping_sub(2))
}
