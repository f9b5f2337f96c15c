//! Products and quotients, by the signs of the operands.
//!
//! With fixed signs both rise or fall in each operand, and the sign of the result is fixed too: signs are those of the
//! sign bits, so a zero has one, and a product that underflows ends at the zero of its sign.

use super::format::Format;
use super::monotone::{self, Monotone};
use super::rule::{Left, Rule};
use super::span::Span;
use quipu_num::{FloatFn, FloatOp};
use std::marker::PhantomData;

/// `z = x * y`.
pub(super) struct Product<F>(PhantomData<F>);

/// `z = x / y`.
pub(super) struct Quotient<F>(PhantomData<F>);

impl<F> Product<F> {
    pub(super) const RULE: Product<F> = Product(PhantomData);
}

impl<F> Quotient<F> {
    pub(super) const RULE: Quotient<F> = Quotient(PhantomData);
}

impl<F: Format> Rule<2> for Product<F> {
    #[inline]
    fn numbers(&self, operands: [Span; 2], z: Span) -> Left<2> {
        by_signs::<F>(operands, z, |signs, [x, y], z| {
            let infinities = signs.map(|negative| if negative { F::MINUS_INFINITY } else { F::INFINITY });
            let zeros = signs.map(|negative| if negative { F::MINUS_ZERO } else { F::ZERO });
            let operands = valid_pairs([x, y], [zeros[0], infinities[0]], [infinities[1], zeros[1]])?;
            monotone::contract(&SignedProduct::<F> { signs, format: PhantomData }, operands, z)
        })
    }

    fn invalid(&self, [x, y]: [Span; 2], mut found: impl FnMut([Span; 2])) {
        for infinity in [F::INFINITY, F::MINUS_INFINITY] {
            if let (Some(zeros), true) = (x.meet(F::ZEROS), y.contains(infinity)) {
                found([zeros, Span::point(infinity)]);
            }
            if let (true, Some(zeros)) = (x.contains(infinity), y.meet(F::ZEROS)) {
                found([Span::point(infinity), zeros]);
            }
        }
    }
}

impl<F: Format> Rule<2> for Quotient<F> {
    #[inline]
    fn numbers(&self, operands: [Span; 2], z: Span) -> Left<2> {
        by_signs::<F>(operands, z, |signs, [x, y], z| {
            let infinities = signs.map(|negative| if negative { F::MINUS_INFINITY } else { F::INFINITY });
            let zeros = signs.map(|negative| if negative { F::MINUS_ZERO } else { F::ZERO });
            let operands = valid_pairs([x, y], [zeros[0], infinities[0]], [zeros[1], infinities[1]])?;
            monotone::contract(&SignedQuotient::<F> { signs, format: PhantomData }, operands, z)
        })
    }

    fn invalid(&self, [x, y]: [Span; 2], mut found: impl FnMut([Span; 2])) {
        if let (Some(zeros), Some(zero_divisors)) = (x.meet(F::ZEROS), y.meet(F::ZEROS)) {
            found([zeros, zero_divisors]);
        }
        for dividend in [F::INFINITY, F::MINUS_INFINITY] {
            for divisor in [F::INFINITY, F::MINUS_INFINITY] {
                if x.contains(dividend) && y.contains(divisor) {
                    found([Span::point(dividend), Span::point(divisor)]);
                }
            }
        }
    }
}

/// A product of operands with fixed signs; true is negative.
struct SignedProduct<F> {
    signs: [bool; 2],
    format: PhantomData<F>,
}

impl<F: Format> Monotone<2> for SignedProduct<F> {
    #[inline]
    fn value(&self, operands: [u64; 2]) -> u64 {
        F::apply(FloatFn::Op(FloatOp::Mul), &operands)
    }

    #[inline]
    fn rises(&self, n: usize) -> bool {
        !self.signs[1 - n]
    }

    #[inline]
    fn range(&self) -> Span {
        F::signed(self.signs[0] != self.signs[1])
    }

    fn guess(&self, n: usize, result: u64, operands: [u64; 2]) -> u64 {
        let (point, offset) = F::edge(result);
        let other = F::value(operands[1 - n]);
        F::nearest(point / other + offset / other)
    }
}

/// A quotient of operands with fixed signs; true is negative.
struct SignedQuotient<F> {
    signs: [bool; 2],
    format: PhantomData<F>,
}

impl<F: Format> Monotone<2> for SignedQuotient<F> {
    #[inline]
    fn value(&self, operands: [u64; 2]) -> u64 {
        F::apply(FloatFn::Op(FloatOp::Div), &operands)
    }

    #[inline]
    fn rises(&self, n: usize) -> bool {
        if n == 0 { !self.signs[1] } else { self.signs[0] }
    }

    #[inline]
    fn range(&self) -> Span {
        F::signed(self.signs[0] != self.signs[1])
    }

    fn guess(&self, n: usize, result: u64, operands: [u64; 2]) -> u64 {
        let (point, offset) = F::edge(result);
        let other = F::value(operands[1 - n]);
        if n == 0 {
            F::nearest(point * other + offset * other)
        } else {
            let divisor = other / (point + offset);
            F::nearest(divisor - divisor * ((point - (point + offset)) + offset) / point)
        }
    }
}

/// Contracts each combination of signs that is possible, and unites what they leave.
#[inline]
fn by_signs<F: Format>(
    [x, y]: [Span; 2],
    z: Span,
    contract: impl Fn([bool; 2], [Span; 2], Span) -> Left<2>,
) -> Left<2> {
    let mut left: Left<2> = None;
    for signs in [[false, false], [false, true], [true, false], [true, true]] {
        let parts = [x.meet(F::signed(signs[0])), y.meet(F::signed(signs[1]))];
        let ([Some(x), Some(y)], Some(z)) = (parts, z.meet(F::signed(signs[0] != signs[1]))) else {
            continue;
        };
        left = hull(left, contract(signs, [x, y], z));
    }
    left
}

/// What one or the other case leaves.
#[inline]
pub(super) fn hull<const N: usize>(a: Left<N>, b: Left<N>) -> Left<N> {
    match (a, b) {
        (Some((xs, z)), Some((others, other))) => {
            Some((std::array::from_fn(|n| xs[n].hull(others[n])), z.hull(other)))
        }
        (only, None) | (None, only) => only,
    }
}

/// Trims operands to values that are part of a pair that is not one of two invalid pairs: a value of `x` with the
/// value of `y` at the same place.
#[inline]
fn valid_pairs([mut x, mut y]: [Span; 2], of_x: [u64; 2], of_y: [u64; 2]) -> Option<[Span; 2]> {
    for (a, b) in of_x.into_iter().zip(of_y) {
        if y.is_point(b) {
            x = x.without(a)?;
        } else if x.is_point(a) {
            y = y.without(b)?;
        }
    }
    Some([x, y])
}
