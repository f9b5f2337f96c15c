//! `x * y + c`, rounded once.
//!
//! With finite operands and fixed signs of the factors this rises or falls in each operand, and there is always a
//! result. Infinite operands are cases of their own.

use super::format::Format;
use super::monotone::{self, Monotone};
use super::product::hull;
use super::rule::{Left, Rule};
use super::span::Span;
use quipu_num::FloatFn;
use std::marker::PhantomData;

/// `z = x * y + c`.
pub(super) struct Fused<F>(PhantomData<F>);

impl<F> Fused<F> {
    pub(super) const RULE: Fused<F> = Fused(PhantomData);
}

impl<F: Format> Rule<3> for Fused<F> {
    fn numbers(&self, [x, y, c]: [Span; 3], z: Span) -> Left<3> {
        let mut left = finite::<F>([x, y, c], z);
        for infinity in [F::INFINITY, F::MINUS_INFINITY].into_iter().filter(|&infinity| z.contains(infinity))
        {
            let point = Span::point(infinity);
            if let (true, Some(x), Some(y)) = (c.contains(infinity), x.meet(F::FINITE), y.meet(F::FINITE)) {
                left = hull(left, Some(([x, y, point], point)));
            }
            infinite_products::<F>([x, y], infinity, |[x, y]| {
                let case = c.without(F::negated(infinity)).map(|c| ([x, y, c], point));
                left = hull(left, case);
            });
        }
        left
    }

    fn invalid(&self, [x, y, c]: [Span; 3], mut found: impl FnMut([Span; 3])) {
        super::product::Product::<F>::RULE.invalid([x, y], |[x, y]| found([x, y, c]));
        for infinity in [F::INFINITY, F::MINUS_INFINITY] {
            let opposite = F::negated(infinity);
            if c.contains(opposite) {
                infinite_products::<F>([x, y], infinity, |[x, y]| found([x, y, Span::point(opposite)]));
            }
        }
    }
}

/// Calls `found` with the factors whose product is a given infinity, one of them being infinite.
fn infinite_products<F: Format>([x, y]: [Span; 2], infinity: u64, mut found: impl FnMut([Span; 2])) {
    for factor in [F::INFINITY, F::MINUS_INFINITY] {
        let is_negative = (factor == F::INFINITY) != (infinity == F::INFINITY);
        let zero = if is_negative { F::MINUS_ZERO } else { F::ZERO };
        let others = |span: Span| span.meet(F::signed(is_negative)).and_then(|part| part.without(zero));
        if let (true, Some(y)) = (x.contains(factor), others(y)) {
            found([Span::point(factor), y]);
        }
        if let (Some(x), true) = (others(x), y.contains(factor)) {
            found([x, Span::point(factor)]);
        }
    }
}

fn finite<F: Format>(operands: [Span; 3], z: Span) -> Left<3> {
    let [x, y, c] = operands.map(|span| span.meet(F::FINITE));
    let (x, y, c) = (x?, y?, c?);
    let mut left = None;
    for signs in [[false, false], [false, true], [true, false], [true, true]] {
        let (Some(x), Some(y)) = (x.meet(F::signed(signs[0])), y.meet(F::signed(signs[1]))) else { continue };
        left = hull(left, monotone::contract(&SignedFused::<F> { signs, format: PhantomData }, [x, y, c], z));
    }
    left
}

/// Factors with fixed signs; true is negative.
struct SignedFused<F> {
    signs: [bool; 2],
    format: PhantomData<F>,
}

impl<F: Format> Monotone<3> for SignedFused<F> {
    #[inline]
    fn value(&self, operands: [u64; 3]) -> u64 {
        F::apply(FloatFn::Fma, &operands)
    }

    #[inline]
    fn rises(&self, n: usize) -> bool {
        n == 2 || !self.signs[1 - n]
    }

    #[inline]
    fn range(&self) -> Span {
        F::NUMBERS
    }

    fn guess(&self, n: usize, result: u64, operands: [u64; 3]) -> u64 {
        let (point, offset) = F::edge(result);
        let [x, y, c] = operands.map(F::value);
        F::nearest(match n {
            2 => (-x).mul_add(y, point) + offset,
            _ => ((point - c) + offset) / if n == 0 { y } else { x },
        })
    }
}
