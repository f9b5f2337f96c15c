//! When an operation is defined: each guard with its truth value.
//!
//! A guard on an overflow is a relation over the integers, contracted by bounds: inside the representable
//! values if it holds, below or above them if not.

use super::cases::unite;
use super::compare::{compare, different};
use super::product::{Range, product};
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{Guard, IntCmp, Width};

/// Contracts `b = g.holds((x, y))`, `b` being of width 1. A float is given by rank.
pub fn guard(g: Guard, x: Domain, y: Domain, b: Domain) -> Option<[Domain; 3]> {
    match g {
        Guard::AddFits(w) => fits(w, sum, [x, y, b]),
        Guard::SubFits(w) => fits(w, difference, [x, y, b]),
        Guard::MulFits(w) => fits(w, product, [x, y, b]),
        Guard::NonZero(w) | Guard::AnyBit(w) => {
            compare(IntCmp::Ne, w, y, Domain::singleton(w, 0), b).map(|[y, _, b]| [x, y, b])
        }
        Guard::QuotientFits(w) => quotient_fits(w, x, y, b),
        Guard::ShiftInRange { amount, shifted } => in_range(amount, shifted, y, b).map(|[y, b]| [x, y, b]),
        Guard::ShlFits(w) => shl_fits(w, x, y, b),
        Guard::IndexBelow(w) => compare(IntCmp::Ult, w, x, y, b),
        Guard::IndexAtMost(w) => compare(IntCmp::Ule, w, x, y, b),
        Guard::FloatFits { from, to, signed } => {
            super::float::fits(from, to, signed, x, b).map(|[x, b]| [x, y, b])
        }
    }
}

/// A relation over the integers between two operands and a result.
type Relation = fn(Range, Range, Range) -> Option<[Range; 3]>;

/// Beyond every product of two 64-bit numbers.
const FAR: i128 = 1 << 126;

fn fits(w: Width, relation: Relation, [x, y, b]: [Domain; 3]) -> Option<[Domain; 3]> {
    let (x_range, y_range) = (Range::signed(w, x), Range::signed(w, y));
    let everything = Range { lo: -FAR, hi: FAR };
    let [_, _, result] = relation(x_range, y_range, everything)?;
    let (least, most) = (i128::from(w.signed(w.min_signed())), i128::from(w.signed(w.max_signed())));
    if result.lo >= least && result.hi <= most {
        return Some([x, y, b.narrow(Width::W1, Interval::singleton(1))?]);
    }
    if result.hi < least || result.lo > most {
        return Some([x, y, b.narrow(Width::W1, Interval::singleton(0))?]);
    }
    let case = |lo: i128, hi: i128| {
        let [x_left, y_left, _] = relation(x_range, y_range, Range { lo, hi })?;
        Some([x.narrow(w, x_left.arc(w))?, y.narrow(w, y_left.arc(w))?])
    };
    let mut found = None;
    match b.is_singleton() {
        None => found = Some([x, y]),
        Some(0) => {
            unite(w, &[x, y], &mut found, case(-FAR, least - 1));
            unite(w, &[x, y], &mut found, case(most + 1, FAR));
        }
        Some(_) => found = case(least, most),
    }
    found.map(|[x, y]| [x, y, b])
}

/// Contracts `z = x + y` over the integers.
fn sum(x: Range, y: Range, z: Range) -> Option<[Range; 3]> {
    let z = Range::new(z.lo.max(x.lo + y.lo), z.hi.min(x.hi + y.hi))?;
    let x = Range::new(x.lo.max(z.lo - y.hi), x.hi.min(z.hi - y.lo))?;
    let y = Range::new(y.lo.max(z.lo - x.hi), y.hi.min(z.hi - x.lo))?;
    Some([x, y, z])
}

/// Contracts `z = x - y` over the integers.
fn difference(x: Range, y: Range, z: Range) -> Option<[Range; 3]> {
    let [x, y, z] = sum(x, Range { lo: -y.hi, hi: -y.lo }, z)?;
    Some([x, Range { lo: -y.hi, hi: -y.lo }, z])
}

/// Contracts `b = not (x is the smallest value and y is -1)`.
fn quotient_fits(w: Width, x: Domain, y: Domain, b: Domain) -> Option<[Domain; 3]> {
    let (smallest, minus_one) = (w.min_signed(), w.mask());
    if !x.contains(w, smallest) || !y.contains(w, minus_one) {
        return Some([x, y, b.narrow(Width::W1, Interval::singleton(1))?]);
    }
    match (b.is_singleton(), x.is_singleton(), y.is_singleton()) {
        (_, Some(_), Some(_)) => Some([x, y, b.narrow(Width::W1, Interval::singleton(0))?]),
        (Some(0), ..) => Some([Domain::singleton(w, smallest), Domain::singleton(w, minus_one), b]),
        (Some(_), Some(_), None) => Some([x, different(w, Domain::singleton(w, minus_one), y)?[1], b]),
        (Some(_), None, Some(_)) => Some([different(w, x, Domain::singleton(w, smallest))?[0], y, b]),
        _ => Some([x, y, b]),
    }
}

/// Contracts `b = (y < bits of shifted)` for an amount `y`.
fn in_range(amount: Width, shifted: Width, y: Domain, b: Domain) -> Option<[Domain; 2]> {
    let limit = u64::from(shifted.bits());
    if limit > amount.mask() {
        return Some([y, b.narrow(Width::W1, Interval::singleton(1))?]);
    }
    let [y, _, b] = compare(IntCmp::Ult, amount, y, Domain::singleton(amount, limit), b)?;
    Some([y, b])
}

/// Contracts `b = (y < w, x >= 0 and x << y is representable)`.
fn shl_fits(w: Width, x: Domain, y: Domain, b: Domain) -> Option<[Domain; 3]> {
    let holds = shl_holds(w, x, y);
    let fails = shl_fails(w, x, y);
    match (holds, fails, b.is_singleton()) {
        (Some([x, y]), _, Some(1)) => Some([x, y, b]),
        (_, Some([x, y]), Some(0)) => Some([x, y, b]),
        (_, _, Some(_)) | (None, None, None) => None,
        (Some(_), Some(_), None) => Some([x, y, b]),
        (holds, _, None) => Some([x, y, Domain::truth(holds.is_some())]),
    }
}

/// What is left of `x` and `y` if the shift fits.
fn shl_holds(w: Width, x: Domain, y: Domain) -> Option<[Domain; 2]> {
    let x = x.narrow(w, Interval::new(w, 0, w.max_signed()))?;
    let y = y.narrow(w, Interval::new(w, 0, u64::from(w.bits() - 1)))?;
    let x = x.narrow(w, Interval::new(w, 0, w.max_signed() >> y.min_unsigned(w)))?;
    let x_min = x.min_unsigned(w);
    // The bits of x and the amount together stay below the sign bit.
    let most = if x_min == 0 { w.bits() - 1 } else { x_min.leading_zeros() - (64 - w.bits()) - 1 };
    Some([x, y.narrow(w, Interval::new(w, 0, most.into()))?])
}

/// What is left of `x` and `y` if it does not.
fn shl_fails(w: Width, x: Domain, y: Domain) -> Option<[Domain; 2]> {
    let given = [x, y];
    let mut found = None;
    let negative = x.narrow(w, Interval::new(w, w.min_signed(), w.mask()));
    unite(w, &given, &mut found, negative.map(|x| [x, y]));
    let beyond = y.narrow(w, Interval::new(w, w.bits().into(), w.mask()));
    unite(w, &given, &mut found, beyond.map(|y| [x, y]));
    unite(w, &given, &mut found, shl_overflows(w, x, y));
    found
}

/// What is left if `x >= 0`, `y < w` and the result is too large.
fn shl_overflows(w: Width, x: Domain, y: Domain) -> Option<[Domain; 2]> {
    let y = y.narrow(w, Interval::new(w, 0, u64::from(w.bits() - 1)))?;
    let most = y.max_unsigned(w).min(u64::from(w.bits() - 1));
    let least = (w.max_signed() >> most) + 1;
    if least > w.max_signed() {
        return None;
    }
    let x = x.narrow(w, Interval::new(w, least, w.max_signed()))?;
    let x_max = x.max_unsigned(w).min(w.max_signed());
    let amount = x_max.leading_zeros() - (64 - w.bits());
    Some([x, y.narrow(w, Interval::new(w, amount.into(), u64::from(w.bits() - 1)))?])
}
