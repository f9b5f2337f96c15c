//! Sums and differences.
//!
//! In the order of ranks a sum rises in both operands, zeros included: only -0.0 + -0.0 is -0.0. A difference is a sum
//! with the second operand negated, which turns its run of ranks around.
//!
//! Where a sum has a long run of operands of both signs, its bounds say nothing about them: `x - y <= 1` is possible for
//! the largest `x`. But floats are sparse there (Marre and Michel, CP 2010): `x` and `y` are multiples of the steps
//! between floats of their sizes, and so is their sum, if it is not zero. One of the two is therefore no larger than
//! the floats whose step divides some float of the result; see [`sparse`].

use super::format::Format;
use super::monotone::{self, Monotone};
use super::rule::{Left, Rule};
use super::span::Span;
use quipu_num::{FloatFn, FloatOp};
use std::marker::PhantomData;

/// `z = x + y`.
pub(super) struct Sum<F>(PhantomData<F>);

/// `z = x - y`.
pub(super) struct Difference<F>(PhantomData<F>);

impl<F> Sum<F> {
    pub(super) const RULE: Sum<F> = Sum(PhantomData);
}

impl<F> Difference<F> {
    pub(super) const RULE: Difference<F> = Difference(PhantomData);
}

impl<F: Format> Rule<2> for Sum<F> {
    #[inline]
    fn numbers(&self, [mut x, mut y]: [Span; 2], z: Span) -> Left<2> {
        for infinity in [F::INFINITY, F::MINUS_INFINITY] {
            if y.is_point(infinity) {
                x = x.without(F::negated(infinity))?;
            }
            if x.is_point(infinity) {
                y = y.without(F::negated(infinity))?;
            }
        }
        let ([x, y], z) = monotone::contract(self, [x, y], z)?;
        sparse(self, [x, y], z)
    }

    fn invalid(&self, [x, y]: [Span; 2], mut found: impl FnMut([Span; 2])) {
        for infinity in [F::INFINITY, F::MINUS_INFINITY] {
            let opposite = F::negated(infinity);
            if x.contains(infinity) && y.contains(opposite) {
                found([Span::point(infinity), Span::point(opposite)]);
            }
        }
    }
}

impl<F: Format> Rule<2> for Difference<F> {
    #[inline]
    fn numbers(&self, [x, y]: [Span; 2], z: Span) -> Left<2> {
        let ([x, y], z) = Sum::<F>::RULE.numbers([x, F::negated_span(y)], z)?;
        Some(([x, F::negated_span(y)], z))
    }

    fn invalid(&self, [x, y]: [Span; 2], mut found: impl FnMut([Span; 2])) {
        Sum::<F>::RULE.invalid([x, F::negated_span(y)], |[x, y]| found([x, F::negated_span(y)]));
    }
}

impl<F: Format> Monotone<2> for Sum<F> {
    #[inline]
    fn value(&self, operands: [u64; 2]) -> u64 {
        F::apply(FloatFn::Op(FloatOp::Add), &operands)
    }

    #[inline]
    fn rises(&self, _n: usize) -> bool {
        true
    }

    #[inline]
    fn range(&self) -> Span {
        F::NUMBERS
    }

    fn guess(&self, n: usize, result: u64, operands: [u64; 2]) -> u64 {
        let (point, offset) = F::edge(result);
        F::nearest((point - F::value(operands[1 - n])) + offset)
    }
}

/// Contracts by the steps between floats: if 2^k is the largest power of two that divides a float of `z`, one of `x` and
/// `y` is at most as large as the floats whose step is 2^k. Rounding keeps it: what is a multiple of 2^k rounds to one.
#[inline]
fn sparse<F: Format>(sum: &Sum<F>, [x, y]: [Span; 2], z: Span) -> Left<2> {
    let most = |span: Span| F::magnitude(span.lo).max(F::magnitude(span.hi));
    let unchanged = Some(([x, y], z));
    let has_one_sign = z.lo > F::ZERO || z.hi < F::MINUS_ZERO;
    if !has_one_sign || z.meet(F::FINITE) != Some(z) {
        return unchanged;
    }
    let Some(limit) = coarsest::<F>(if z.lo > F::ZERO { z } else { F::negated_span(z) }) else {
        return unchanged;
    };
    if most(x) <= limit || most(y) <= limit {
        return unchanged;
    }
    let small = Span { lo: F::negated(limit), hi: limit };
    let x_small = x.meet(small).and_then(|x| monotone::contract(sum, [x, y], z));
    let y_small = y.meet(small).and_then(|y| monotone::contract(sum, [x, y], z));
    match (x_small, y_small) {
        (Some(([x, y], z)), Some(([x2, y2], z2))) => Some(([x.hull(x2), y.hull(y2)], z.hull(z2))),
        (only, None) | (None, only) => only,
    }
}

/// The largest float whose step divides some float of a run of positive ones; `None` if all floats are.
fn coarsest<F: Format>(run: Span) -> Option<u64> {
    let (lo, hi) = (run.lo - F::ZERO, run.hi - F::ZERO);
    // A float of the run that ends in most zeros: the last one that has no bits behind those in which the ends agree,
    // or the last power of two.
    let common = (lo ^ hi).checked_ilog2().unwrap_or(0).min(F::FRACTION);
    let roundest = hi >> common << common;
    let power = trailing::<F>(lo).max(trailing::<F>(roundest));
    let limit = ((power + 2) << F::FRACTION) - 1;
    (limit < F::INFINITY - F::ZERO).then_some(limit + F::ZERO)
}

/// The power of two that divides a positive float, counted from the least float.
fn trailing<F: Format>(magnitude: u64) -> u64 {
    let (exponent, fraction) = (magnitude >> F::FRACTION, magnitude & ((1 << F::FRACTION) - 1));
    let hidden = if exponent == 0 { 0 } else { 1 << F::FRACTION };
    exponent.max(1) - 1 + u64::from((fraction | hidden).trailing_zeros())
}
