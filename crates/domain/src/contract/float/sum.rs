//! Sums and differences.
//!
//! In the order of ranks a sum rises in both operands, zeros included: only -0.0 + -0.0 is -0.0. A difference is a sum
//! with the second operand negated, which turns its run of ranks around.
//!
//! A sum is a multiple of the steps between floats at the sizes of its operands; see [`super::steps`]. And where these
//! are long runs, the bounds of `0 < x - y <= 1` say nothing about them, but floats are so sparse where they are large
//! that they do not differ by 1; see [`sparse`].

use super::format::Format;
use super::monotone::{self, Monotone};
use super::product::hull;
use super::rule::{Left, Rule};
use super::span::Span;
use super::steps::{coarsest, common_power, multiples};
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
        let z = signed_zero::<F>([x, y], z)?;
        let ([x, y], z) = monotone::contract(self, [x, y], z)?;
        let z = multiples::<F>(z, common_power::<F>(x).min(common_power::<F>(y)))?;
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
    fn range(&self) -> Span {
        F::NUMBERS
    }

    fn guess(&self, n: usize, result: u64, operands: [u64; 2]) -> u64 {
        let (point, offset) = F::edge(result);
        F::nearest((point - F::value(operands[1 - n])) + offset)
    }
}

/// Takes -0.0 from the ends of `z` if it cannot be the sum, which needs both operands to be -0.0.
#[inline]
fn signed_zero<F: Format>([x, y]: [Span; 2], z: Span) -> Option<Span> {
    let is_possible = x.contains(F::MINUS_ZERO) && y.contains(F::MINUS_ZERO);
    if is_possible { Some(z) } else { z.without(F::MINUS_ZERO) }
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
    hull(x_small, y_small)
}
