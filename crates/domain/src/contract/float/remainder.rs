//! C's `fmod`: the exact remainder of the truncated quotient.
//!
//! It has the sign of the dividend, and the divisor's sign plays no part, so magnitudes are contracted. A dividend less
//! than the divisor is its own remainder. Otherwise the remainder is less than the divisor and less than half of the
//! dividend; and where the quotient is the same for all operands, it rises in the dividend and falls in the divisor.

use super::format::Format;
use super::monotone::{self, Monotone};
use super::product::hull;
use super::rule::{Left, Rule};
use super::span::Span;
use super::steps::{common_power, multiples};
use quipu_num::{FloatFn, FloatOp};
use std::marker::PhantomData;

/// `z = fmod(x, y)`.
pub(super) struct Remainder<F>(PhantomData<F>);

impl<F> Remainder<F> {
    pub(super) const RULE: Remainder<F> = Remainder(PhantomData);
}

impl<F: Format> Rule<2> for Remainder<F> {
    fn numbers(&self, [x, y]: [Span; 2], z: Span) -> Left<2> {
        let mut left = None;
        for signs in [[false, false], [false, true], [true, false], [true, true]] {
            let turned =
                |span: Span, is_negative: bool| if is_negative { F::negated_span(span) } else { span };
            let part = |span: Span, is_negative: bool| {
                span.meet(F::signed(is_negative)).map(|part| turned(part, is_negative))
            };
            let parts = (part(x, signs[0]), part(y, signs[1]), part(z, signs[0]));
            let (Some(x), Some(y), Some(z)) = parts else { continue };
            let case = magnitudes::<F>([x, y], z)
                .map(|([x, y], z)| ([turned(x, signs[0]), turned(y, signs[1])], turned(z, signs[0])));
            left = hull(left, case);
        }
        left
    }

    fn invalid(&self, [x, y]: [Span; 2], mut found: impl FnMut([Span; 2])) {
        if let Some(zeros) = y.meet(F::ZEROS) {
            found([x, zeros]);
        }
        for infinity in [F::INFINITY, F::MINUS_INFINITY].into_iter().filter(|&infinity| x.contains(infinity))
        {
            found([Span::point(infinity), y]);
        }
    }
}

/// Contracts `z = fmod(x, y)` for numbers with clear sign bits.
fn magnitudes<F: Format>([x, y]: [Span; 2], z: Span) -> Left<2> {
    let x = x.meet(F::FINITE)?;
    let y = y.meet(Span { lo: F::ZERO + 1, hi: F::INFINITY })?;
    hull(smaller_dividend([x, y], z), larger_dividend::<F>([x, y], z))
}

/// `z = x < y`.
fn smaller_dividend([x, y]: [Span; 2], z: Span) -> Left<2> {
    let x = x.meet(z)?;
    let y = Span::new(y.lo.max(x.lo + 1), y.hi)?;
    let x = Span::new(x.lo, x.hi.min(y.hi - 1))?;
    Some(([x, y], x))
}

/// `y <= x`, so that `z < y` and, since `z <= x - y`, also `2z < x`.
fn larger_dividend<F: Format>([x, y]: [Span; 2], z: Span) -> Left<2> {
    let x = Span::new(x.lo.max(y.lo), x.hi)?;
    let y = Span::new(y.lo.max(z.lo + 1), y.hi.min(x.hi))?;
    let z = Span::new(z.lo, z.hi.min(y.hi - 1))?;
    let twice = |rank: u64| F::apply(FloatFn::Op(FloatOp::Add), &[rank, rank]);
    let z = Span::new(
        z.lo,
        z.last(|| F::nearest(F::value(x.hi) / 2.0), |rank| rank == F::ZERO || twice(rank) < x.hi)?,
    )?;
    let x = if z.lo == F::ZERO { x } else { Span::new(x.lo.max(twice(z.lo) + 1), x.hi)? };
    let z = multiples::<F>(z, common_power::<F>(x).min(common_power::<F>(y)))?;
    match quotient::<F>(x, y) {
        Some(quotient) => monotone::contract(&Fixed::<F> { quotient, format: PhantomData }, [x, y], z),
        None if y.lo == y.hi => Some(([periodic::<F>(x, y.lo, z)?, y], z)),
        None => Some(([x, y], z)),
    }
}

/// The dividends from the first to the last whose remainder by one divisor is in a run, or some more.
fn periodic<F: Format>(x: Span, divisor: u64, z: Span) -> Option<Span> {
    let [least, most, period] = [z.lo, z.hi, divisor].map(F::value);
    let remainder = |rank: u64| F::value(F::apply(FloatFn::Op(FloatOp::Rem), &[rank, divisor]));
    // How far an end is from the run of remainders of its own period, or of the one before or behind it.
    let (at_lo, at_hi) = (remainder(x.lo), remainder(x.hi));
    let up = if at_lo > most { (period - at_lo) + least } else { (least - at_lo).max(0.0) };
    let down = if at_hi < least { (period - most) + at_hi } else { (at_hi - most).max(0.0) };
    // Each of the operations is off by less than a step between floats at the size of the dividend.
    let lo = if up > 0.0 { F::nearest(F::value(x.lo) + up) - MARGIN } else { x.lo };
    let hi = if down > 0.0 { F::nearest(F::value(x.hi) - down) + MARGIN } else { x.hi };
    x.meet(Span::new(lo, hi)?)
}

/// In ranks: what rounding may move the ends of [`periodic`] runs.
const MARGIN: u64 = 4;

/// The truncated quotient, if it is the same for all operands.
fn quotient<F: Format>(x: Span, y: Span) -> Option<f64> {
    let least = truncated(F::value(x.lo), F::value(y.hi));
    let most = truncated(F::value(x.hi), F::value(y.lo));
    let is_exact = most < 1.0 / f64::EPSILON;
    (least == most && (is_exact || (x.lo == x.hi && y.lo == y.hi))).then_some(least)
}

/// The truncated quotient of positive numbers, if it is an exact `double`.
fn truncated(x: f64, y: f64) -> f64 {
    let quotient = (x / y).floor();
    // Rounded up, the quotient may have become an integer. What is left then is negative, and so is its rounded value.
    if (-quotient).mul_add(y, x) < 0.0 { quotient - 1.0 } else { quotient }
}

/// A remainder at a fixed quotient.
struct Fixed<F> {
    quotient: f64,
    format: PhantomData<F>,
}

impl<F: Format> Monotone<2> for Fixed<F> {
    #[inline]
    fn value(&self, operands: [u64; 2]) -> u64 {
        F::apply(FloatFn::Op(FloatOp::Rem), &operands)
    }

    #[inline]
    fn rises(&self, n: usize) -> bool {
        n == 0
    }

    #[inline]
    fn range(&self) -> Span {
        F::POSITIVE
    }

    fn guess(&self, n: usize, result: u64, operands: [u64; 2]) -> u64 {
        let other = F::value(operands[1 - n]);
        let remainder = F::value(result);
        F::nearest(if n == 0 {
            self.quotient.mul_add(other, remainder)
        } else {
            (other - remainder) / self.quotient
        })
    }
}
