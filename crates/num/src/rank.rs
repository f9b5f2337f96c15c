//! Floats by rank: the code of a float in which the order of numbers is the order of codes.
//!
//! The bits of negative floats go down as their values go up, so bits are no good for intervals. The *rank* of a float
//! is an unsigned integer of the same size, and a one-to-one code of its bits: from -∞ over -0.0, then +0.0, to +∞ ranks
//! go up by one from float to float. NaNs lie behind +∞ and before -∞, next to each other on the circle of integers, so
//! that the floats that are "not less than x", a NaN included, are one arc.
//!
//! Models speak of floats by rank. Where the result of an operation is a NaN, C does not say which; here it is always
//! [`nan_rank`]. Operations on the sign alone keep the NaN that they are given.

use crate::cast::{Cast, cast};
use crate::float::{FloatCmp, FloatOp, FloatUnary, FloatWidth, float_cmp, float_fma, float_op, float_unary};
use crate::guard::Guard;
use crate::int::Width;
use crate::math::{MathFn, math_fn};

/// A function of floats of one format, on ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatFn {
    Op(FloatOp),
    Unary(FloatUnary),
    /// `a * b + c`, rounded once.
    Fma,
    /// A truth value.
    Compare(FloatCmp),
    /// What the user's libm computes.
    Math(MathFn),
}

impl FloatFn {
    /// How many operands it has.
    pub const fn arity(self) -> usize {
        match self {
            FloatFn::Unary(_) => 1,
            FloatFn::Op(_) | FloatFn::Compare(_) => 2,
            FloatFn::Fma => 3,
            FloatFn::Math(function) => function.arity(),
        }
    }

    /// The size of its result.
    pub const fn width(self, w: FloatWidth) -> Width {
        match self {
            FloatFn::Compare(_) => Width::W1,
            _ => w.width(),
        }
    }

    /// Whether it changes nothing but signs, so that a NaN comes out as it went in.
    const fn is_about_signs(self) -> bool {
        matches!(self, FloatFn::Unary(FloatUnary::Neg | FloatUnary::Abs) | FloatFn::Op(FloatOp::CopySign))
    }
}

impl FloatWidth {
    /// The integers with as many bits.
    pub const fn width(self) -> Width {
        match self {
            FloatWidth::F32 => Width::W32,
            FloatWidth::F64 => Width::W64,
        }
    }

    const fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// The bits of +∞.
    const fn infinity(self) -> u64 {
        match self {
            FloatWidth::F32 => 0x7f80_0000,
            FloatWidth::F64 => 0x7ff0_0000_0000_0000,
        }
    }
}

/// The rank of the float with these bits.
#[inline]
pub const fn rank(w: FloatWidth, bits: u64) -> u64 {
    if bits & w.sign() != 0 { w.width().wrap(!bits) } else { bits | w.sign() }
}

/// The bits of the float with this rank.
#[inline]
pub const fn unrank(w: FloatWidth, rank: u64) -> u64 {
    if rank & w.sign() != 0 { rank ^ w.sign() } else { w.width().wrap(!rank) }
}

/// The ranks of -∞ and of +∞: all others outside of these are NaNs.
#[inline]
pub const fn number_ranks(w: FloatWidth) -> (u64, u64) {
    (rank(w, w.infinity() | w.sign()), rank(w, w.infinity()))
}

/// Whether a rank is that of a NaN.
#[inline]
pub const fn is_nan_rank(w: FloatWidth, rank: u64) -> bool {
    let (least, greatest) = number_ranks(w);
    rank < least || rank > greatest
}

/// The rank of the NaN that operations result in.
#[inline]
pub const fn nan_rank(w: FloatWidth) -> u64 {
    rank(w, w.infinity() | (w.infinity() >> 1 & !w.infinity()))
}

/// A function of floats, of ranks. The rank of its result, or a truth value.
#[inline]
pub fn float_fn(function: FloatFn, w: FloatWidth, ranks: &[u64]) -> u64 {
    let bits = |n: usize| unrank(w, ranks[n]);
    let result = match function {
        FloatFn::Op(op) => float_op(op, w, bits(0), bits(1)),
        FloatFn::Unary(op) => float_unary(op, w, bits(0)),
        FloatFn::Fma => float_fma(w, bits(0), bits(1), bits(2)),
        FloatFn::Compare(cmp) => return u64::from(float_cmp(cmp, w, bits(0), bits(1))),
        FloatFn::Math(function) if function.arity() == 1 => math_fn(function, w, &[bits(0)]),
        FloatFn::Math(function) => math_fn(function, w, &[bits(0), bits(1)]),
    };
    let result = rank(w, result);
    if is_nan_rank(w, result) && !function.is_about_signs() { nan_rank(w) } else { result }
}

/// A conversion in which floats are given, and result, by rank.
#[inline]
pub fn cast_of_rank(op: Cast, a: u64) -> u64 {
    let (from, to) = op.floats();
    let result = cast(op, from.map_or(a, |w| unrank(w, a)));
    let Some(w) = to else { return result };
    let result = rank(w, result);
    let is_copy = matches!(op, Cast::BitsFloat(_));
    if is_nan_rank(w, result) && !is_copy { nan_rank(w) } else { result }
}

impl Cast {
    /// The formats of the operand and the result, where these are floats.
    pub const fn floats(self) -> (Option<FloatWidth>, Option<FloatWidth>) {
        match self {
            Cast::Trunc(..) | Cast::ZExt(..) | Cast::SExt(..) => (None, None),
            Cast::FloatToSigned(w, _) | Cast::FloatToUnsigned(w, _) | Cast::FloatBits(w) => (Some(w), None),
            Cast::SignedToFloat(_, w) | Cast::UnsignedToFloat(_, w) | Cast::BitsFloat(w) => (None, Some(w)),
            Cast::Widen => (Some(FloatWidth::F32), Some(FloatWidth::F64)),
            Cast::Narrow => (Some(FloatWidth::F64), Some(FloatWidth::F32)),
        }
    }

    /// The sizes of the operand and the result.
    pub const fn widths(self) -> (Width, Width) {
        match self {
            Cast::Trunc(from, to) | Cast::ZExt(from, to) | Cast::SExt(from, to) => (from, to),
            Cast::FloatToSigned(from, to) | Cast::FloatToUnsigned(from, to) => (from.width(), to),
            Cast::SignedToFloat(from, to) | Cast::UnsignedToFloat(from, to) => (from, to.width()),
            Cast::Widen => (Width::W32, Width::W64),
            Cast::Narrow => (Width::W64, Width::W32),
            Cast::FloatBits(w) | Cast::BitsFloat(w) => (w.width(), w.width()),
        }
    }
}

impl Guard {
    /// Whether the operation is defined, floats being given by rank.
    #[inline]
    pub fn holds_of_ranks(self, (a, b): (u64, u64)) -> bool {
        match self {
            Guard::FloatFits { from, .. } => self.holds((unrank(from, a), b)),
            _ => self.holds((a, b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: [f32; 11] =
        [f32::NEG_INFINITY, f32::MIN, -1.5, -1.0, -1e-45, -0.0, 0.0, 1e-45, 1.0, f32::MAX, f32::INFINITY];

    fn rank32(x: f32) -> u64 {
        rank(FloatWidth::F32, u64::from(x.to_bits()))
    }

    #[test]
    fn ranks_are_ordered_like_numbers_and_neighbours_are_neighbours() {
        for pair in SAMPLES.windows(2) {
            assert!(rank32(pair[0]) < rank32(pair[1]), "{pair:?}");
        }
        assert_eq!(rank32(-0.0) + 1, rank32(0.0));
        assert_eq!(rank32(0.0) + 1, rank32(1e-45));
        assert_eq!(rank32(f32::MAX) + 1, rank32(f32::INFINITY));
        assert_eq!(number_ranks(FloatWidth::F32), (rank32(f32::NEG_INFINITY), rank32(f32::INFINITY)));
    }

    #[test]
    fn ranks_and_bits_are_codes_of_each_other() {
        for n in 0..=0xffffu64 {
            let bits = n << 16 | n;
            assert_eq!(unrank(FloatWidth::F32, rank(FloatWidth::F32, bits)), bits);
            let wide = bits << 32 | bits;
            assert_eq!(unrank(FloatWidth::F64, rank(FloatWidth::F64, wide)), wide);
            let is_nan = f32::from_bits(bits as u32).is_nan();
            assert_eq!(is_nan_rank(FloatWidth::F32, rank(FloatWidth::F32, bits)), is_nan);
        }
    }

    #[test]
    fn the_nan_of_operations_is_the_quiet_one_without_a_payload() {
        assert_eq!(unrank(FloatWidth::F32, nan_rank(FloatWidth::F32)), 0x7fc0_0000);
        assert_eq!(unrank(FloatWidth::F64, nan_rank(FloatWidth::F64)), 0x7ff8_0000_0000_0000);
        let infinity = rank32(f32::INFINITY);
        let minus = rank32(f32::NEG_INFINITY);
        assert_eq!(
            float_fn(FloatFn::Op(FloatOp::Add), FloatWidth::F32, &[infinity, minus]),
            nan_rank(FloatWidth::F32)
        );
    }

    #[test]
    fn functions_of_libm_work_on_ranks_and_give_one_nan() {
        let w = FloatWidth::F32;
        let log = |x: f32| float_fn(FloatFn::Math(MathFn::Log), w, &[rank32(x)]);
        assert_eq!(log(1.0), rank32(0.0));
        assert_eq!(log(0.0), rank32(f32::NEG_INFINITY));
        assert_eq!(log(-1.0), nan_rank(w));
        let odd = rank(w, 0x7fc1_2345);
        assert_eq!(float_fn(FloatFn::Math(MathFn::Hypot), w, &[odd, rank32(1.0)]), nan_rank(w));
        assert_eq!(float_fn(FloatFn::Math(MathFn::Pow), w, &[odd, rank32(0.0)]), rank32(1.0));
    }

    #[test]
    fn a_sign_operation_keeps_the_nan() {
        let w = FloatWidth::F32;
        let odd = rank(w, 0x7fc1_2345);
        let negated = float_fn(FloatFn::Unary(FloatUnary::Neg), w, &[odd]);
        assert_eq!(unrank(w, negated), 0xffc1_2345);
        assert_eq!(float_fn(FloatFn::Unary(FloatUnary::Sqrt), w, &[negated]), nan_rank(w));
    }
}
