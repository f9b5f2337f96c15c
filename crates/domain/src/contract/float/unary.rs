//! The square root, and rounding to integers: monotone functions of one float.

use super::format::Format;
use super::monotone::{self, Monotone};
use super::rule::{Left, Rule};
use super::span::Span;
use quipu_num::{FloatFn, FloatUnary};
use std::marker::PhantomData;

/// `z = √x`.
pub(super) struct Root<F>(PhantomData<F>);

impl<F> Root<F> {
    pub(super) const RULE: Root<F> = Root(PhantomData);
}

impl<F: Format> Rule<1> for Root<F> {
    #[inline]
    fn numbers(&self, [x]: [Span; 1], z: Span) -> Left<1> {
        // The root of -0.0 is -0.0.
        let x = x.meet(Span { lo: F::MINUS_ZERO, hi: F::INFINITY })?;
        monotone::contract(self, [x], z)
    }

    fn invalid(&self, [x]: [Span; 1], mut found: impl FnMut([Span; 1])) {
        if let Some(x) = x.meet(F::BELOW_ZERO) {
            found([x]);
        }
    }
}

impl<F: Format> Monotone<1> for Root<F> {
    #[inline]
    fn value(&self, operands: [u64; 1]) -> u64 {
        F::apply(FloatFn::Unary(FloatUnary::Sqrt), &operands)
    }

    #[inline]
    fn range(&self) -> Span {
        F::NUMBERS
    }

    fn guess(&self, _n: usize, result: u64, _operands: [u64; 1]) -> u64 {
        let (point, offset) = F::edge(result);
        F::nearest(point * point + 2.0 * point * offset)
    }
}

/// A float rounded to an integer, in one of the ways of [`FloatUnary`].
pub(super) struct Rounded<F> {
    op: FloatUnary,
    format: PhantomData<F>,
}

impl<F> Rounded<F> {
    pub(super) const fn new(op: FloatUnary) -> Rounded<F> {
        Rounded { op, format: PhantomData }
    }
}

impl<F: Format> Rule<1> for Rounded<F> {
    #[inline]
    fn numbers(&self, operands: [Span; 1], z: Span) -> Left<1> {
        monotone::contract(self, operands, self.integers(z)?)
    }
}

impl<F: Format> Rounded<F> {
    /// The run from the first to the last integer of a run.
    fn integers(&self, z: Span) -> Option<Span> {
        let up = F::apply(FloatFn::Unary(FloatUnary::Ceil), &[z.lo]);
        let down = F::apply(FloatFn::Unary(FloatUnary::Floor), &[z.hi]);
        Span::new(up, down)
    }
}

impl<F: Format> Monotone<1> for Rounded<F> {
    #[inline]
    fn value(&self, operands: [u64; 1]) -> u64 {
        F::apply(FloatFn::Unary(self.op), &operands)
    }

    #[inline]
    fn range(&self) -> Span {
        F::NUMBERS
    }

    fn guess(&self, _n: usize, result: u64, _operands: [u64; 1]) -> u64 {
        let below = F::value(result).floor();
        let nearer = match self.op {
            FloatUnary::Floor => 1.0,
            FloatUnary::Round | FloatUnary::RoundEven => 0.5,
            FloatUnary::Trunc if below >= 0.0 => 1.0,
            _ => 0.0,
        };
        F::nearest(below + nearer)
    }
}
