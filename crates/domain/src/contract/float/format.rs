//! A binary interchange format: its special ranks, and its arithmetic on ranks.
//!
//! Contractors are generic over the format, so that the code that contracts `float` and `double` is checked on formats
//! of a few bits against all values. The arithmetic of the two comes from `quipu-num`.

use super::span::Span;
use quipu_num::{Cast, FloatFn, FloatWidth, Width, cast_of_rank, float_fn, rank, unrank};

/// A format with signed zeros, subnormals, infinities and NaNs. Its floats are given by rank.
pub(super) trait Format: Copy {
    /// The bits of the exponent.
    const EXPONENT: u32;
    /// The bits of the fraction.
    const FRACTION: u32;

    /// The value of a float, as a `double`: exact.
    fn value(rank: u64) -> f64;
    /// The float nearest to a value, of two the even one.
    fn nearest(value: f64) -> u64;
    /// A function of floats; the rank of its result, or a truth value.
    fn apply(function: FloatFn, ranks: &[u64]) -> u64;
    /// The float nearest to an integer.
    fn of_integer(is_signed: bool, from: Width, value: u64) -> u64;

    const WIDTH: Width = Width::new(1 + Self::EXPONENT + Self::FRACTION).expect("a format should fit a word");
    /// +0.0; its rank is also the bit that tells positive from negative.
    const ZERO: u64 = Self::WIDTH.min_signed();
    /// -0.0.
    const MINUS_ZERO: u64 = Self::ZERO - 1;
    const INFINITY: u64 = Self::ZERO | ((1 << Self::EXPONENT) - 1) << Self::FRACTION;
    const MINUS_INFINITY: u64 = Self::WIDTH.mask() & !Self::INFINITY;
    /// The NaN that operations result in.
    const NAN: u64 = Self::INFINITY | 1 << (Self::FRACTION - 1);

    const NUMBERS: Span = Span { lo: Self::MINUS_INFINITY, hi: Self::INFINITY };
    const FINITE: Span = Span { lo: Self::MINUS_INFINITY + 1, hi: Self::INFINITY - 1 };
    const ZEROS: Span = Span { lo: Self::MINUS_ZERO, hi: Self::ZERO };
    /// The numbers with the sign bit clear, and those with it set: each has a zero and an infinity.
    const POSITIVE: Span = Span { lo: Self::ZERO, hi: Self::INFINITY };
    const NEGATIVE: Span = Span { lo: Self::MINUS_INFINITY, hi: Self::MINUS_ZERO };
    /// The numbers less than zero.
    const BELOW_ZERO: Span = Span { lo: Self::MINUS_INFINITY, hi: Self::MINUS_ZERO - 1 };

    /// The numbers of one sign.
    fn signed(is_negative: bool) -> Span {
        if is_negative { Self::NEGATIVE } else { Self::POSITIVE }
    }

    /// The float with the other sign.
    fn negated(rank: u64) -> u64 {
        Self::WIDTH.mask() & !rank
    }

    /// The floats with the other sign.
    fn negated_span(span: Span) -> Span {
        Span { lo: Self::negated(span.hi), hi: Self::negated(span.lo) }
    }

    /// The float without its sign.
    fn magnitude(rank: u64) -> u64 {
        if rank < Self::ZERO { Self::negated(rank) } else { rank }
    }

    /// The border between the values that round to the number `rank` or less and those that round to more: a point and
    /// an offset to be added to it, since `double` has no float for their sum.
    fn edge(rank: u64) -> (f64, f64) {
        let half = |from: u64, to: u64| (Self::value(to) - Self::value(from)) / 2.0;
        // The threshold of overflow is half a step beyond the last finite number, as if there were one more.
        let (least, most) = (Self::FINITE.lo, Self::FINITE.hi);
        if rank < least {
            (Self::value(least), half(least + 1, least))
        } else if rank >= most {
            (Self::value(most), half(most - 1, most))
        } else {
            (Self::value(rank), half(rank, rank + 1))
        }
    }
}

/// `float`.
#[derive(Clone, Copy)]
pub(super) struct Single;

/// `double`.
#[derive(Clone, Copy)]
pub(super) struct Double;

impl Format for Single {
    const EXPONENT: u32 = 8;
    const FRACTION: u32 = 23;

    #[inline]
    fn value(rank: u64) -> f64 {
        f64::from_bits(unrank(FloatWidth::F64, cast_of_rank(Cast::Widen, rank)))
    }

    #[inline]
    fn nearest(value: f64) -> u64 {
        cast_of_rank(Cast::Narrow, rank(FloatWidth::F64, value.to_bits()))
    }

    #[inline]
    fn apply(function: FloatFn, ranks: &[u64]) -> u64 {
        float_fn(function, FloatWidth::F32, ranks)
    }

    #[inline]
    fn of_integer(is_signed: bool, from: Width, value: u64) -> u64 {
        cast_of_rank(of_integer(is_signed, from, FloatWidth::F32), value)
    }
}

impl Format for Double {
    const EXPONENT: u32 = 11;
    const FRACTION: u32 = 52;

    #[inline]
    fn value(rank: u64) -> f64 {
        f64::from_bits(unrank(FloatWidth::F64, rank))
    }

    #[inline]
    fn nearest(value: f64) -> u64 {
        rank(FloatWidth::F64, value.to_bits())
    }

    #[inline]
    fn apply(function: FloatFn, ranks: &[u64]) -> u64 {
        float_fn(function, FloatWidth::F64, ranks)
    }

    #[inline]
    fn of_integer(is_signed: bool, from: Width, value: u64) -> u64 {
        cast_of_rank(of_integer(is_signed, from, FloatWidth::F64), value)
    }
}

fn of_integer(is_signed: bool, from: Width, to: FloatWidth) -> Cast {
    if is_signed { Cast::SignedToFloat(from, to) } else { Cast::UnsignedToFloat(from, to) }
}
