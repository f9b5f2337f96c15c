//! Comparisons with a truth value: bounds in the order of the comparison, entailed either way.
//!
//! Both orders are one: the circle is cut at 0 for the unsigned order and at the smallest signed value for
//! the signed one, and values are compared by their distance from the cut.

use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{IntCmp, Width, int_cmp};

/// Contracts `b = cmp(x, y)`, `b` being of width 1.
#[inline]
pub fn compare(cmp: IntCmp, w: Width, x: Domain, y: Domain, b: Domain) -> Option<[Domain; 3]> {
    if let (Some(u), Some(v)) = (x.is_singleton(), y.is_singleton()) {
        let truth = int_cmp(cmp, w, u, v);
        return b.contains(Width::W1, u64::from(truth)).then(|| [x, y, Domain::truth(truth)]);
    }
    match cmp {
        IntCmp::Eq => equal(w, x, y, b),
        IntCmp::Ne => equal(w, x, y, b.flip(Width::W1)).map(|[x, y, b]| [x, y, b.flip(Width::W1)]),
        IntCmp::Ult => less(w, 0, x, y, b),
        IntCmp::Slt => less(w, w.min_signed(), x, y, b),
        IntCmp::Ule => less_or_equal(w, 0, x, y, b),
        IntCmp::Sle => less_or_equal(w, w.min_signed(), x, y, b),
    }
}

/// Contracts `b = (x == y)`. The operands are not both fixed to the same value.
#[inline]
fn equal(w: Width, x: Domain, y: Domain, b: Domain) -> Option<[Domain; 3]> {
    match b.is_singleton() {
        Some(0) => different(w, x, y).map(|[x, y]| [x, y, b]),
        Some(_) => {
            let x = x.meet(w, y)?;
            Some([x, y.meet(w, x)?, b])
        }
        None if x.meet(w, y).is_none() => Some([x, y, Domain::FALSE]),
        None => Some([x, y, b]),
    }
}

/// Contracts `x != y`.
#[inline]
pub(crate) fn different(w: Width, x: Domain, y: Domain) -> Option<[Domain; 2]> {
    if let Some(value) = y.is_singleton() {
        return Some([x.without(w, value)?, y]);
    }
    if let Some(value) = x.is_singleton() {
        return Some([x, y.without(w, value)?]);
    }
    Some([x, y])
}

/// Contracts `b = (x < y)` in the order that starts at `pole`.
#[inline]
fn less(w: Width, pole: u64, x: Domain, y: Domain, b: Domain) -> Option<[Domain; 3]> {
    let not_b = b.flip(Width::W1);
    let [y, x, not_b] = less_or_equal(w, pole, y, x, not_b)?;
    Some([x, y, not_b.flip(Width::W1)])
}

/// Contracts `b = (x <= y)` in the order that starts at `pole`.
#[inline]
pub(crate) fn less_or_equal(w: Width, pole: u64, x: Domain, y: Domain, b: Domain) -> Option<[Domain; 3]> {
    let rank = |value: u64| w.wrap(value.wrapping_sub(pole));
    let (x_min, x_max) = x.bounds_from(w, pole);
    let (y_min, y_max) = y.bounds_from(w, pole);
    if rank(x_max) <= rank(y_min) {
        return Some([x, y, b.narrow(Width::W1, Interval::singleton(1))?]);
    }
    if rank(x_min) > rank(y_max) {
        return Some([x, y, b.narrow(Width::W1, Interval::singleton(0))?]);
    }
    match b.is_singleton() {
        None => Some([x, y, b]),
        Some(0) => {
            // x > y: the largest y is below the largest x, the smallest x above the smallest y.
            let x = x.narrow(w, run(w, pole, rank(y_min) + 1, w.mask()))?;
            let y = y.narrow(w, run(w, pole, 0, rank(x_max) - 1))?;
            Some([x, y, b])
        }
        Some(_) => {
            let x = x.narrow(w, run(w, pole, 0, rank(y_max)))?;
            let y = y.narrow(w, run(w, pole, rank(x_min), w.mask()))?;
            Some([x, y, b])
        }
    }
}

/// The values of the given ranks in the order that starts at `pole`.
#[inline]
fn run(w: Width, pole: u64, first: u64, last: u64) -> Interval {
    Interval::from_span(w, pole.wrapping_add(first), last - first)
}
