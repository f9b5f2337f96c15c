//! Formats of a few bits. Their values, sums, products and remainders are exact in `double`; of quotients and roots
//! a `double` has more than twice as many bits, so that rounding it once more is rounding once.

use super::super::format::Format;
use quipu_num::{FloatFn, FloatUnary, FloatWidth, Width, float_fn, rank, unrank};

/// A format with `E` bits of exponent and `F` of fraction.
#[derive(Clone, Copy)]
pub(super) struct Tiny<const E: u32, const F: u32>;

impl<const E: u32, const F: u32> Tiny<E, F> {
    /// The exponent of the least normal number.
    const LEAST: i32 = 2 - (1 << (E - 1));

    fn of_magnitude(value: f64) -> u64 {
        let exponent =
            if value == 0.0 { Self::LEAST } else { (value.log2().floor() as i32).max(Self::LEAST) };
        let step = 2.0f64.powi(exponent - F as i32);
        let steps = (value / step).round_ties_even() as u64;
        // The codes of the numbers of an exponent follow each other, and the first of the next one follows them.
        let code = steps + (((exponent - Self::LEAST) as u64) << F);
        code.min(Self::INFINITY - Self::ZERO)
    }
}

impl<const E: u32, const F: u32> Format for Tiny<E, F> {
    const EXPONENT: u32 = E;
    const FRACTION: u32 = F;

    fn value(rank: u64) -> f64 {
        let code = Self::magnitude(rank) - Self::ZERO;
        let (exponent, fraction) = (code >> F, code & ((1 << F) - 1));
        let magnitude = if exponent == (1 << E) - 1 {
            if fraction == 0 { f64::INFINITY } else { f64::NAN }
        } else {
            let hidden = u64::from(exponent > 0) << F;
            (hidden + fraction) as f64 * 2.0f64.powi(exponent.max(1) as i32 - 1 + Self::LEAST - F as i32)
        };
        if rank < Self::ZERO { -magnitude } else { magnitude }
    }

    fn nearest(value: f64) -> u64 {
        if value.is_nan() {
            return Self::NAN;
        }
        let magnitude =
            if value.is_infinite() { Self::INFINITY } else { Self::ZERO + Self::of_magnitude(value.abs()) };
        if value.is_sign_negative() { Self::negated(magnitude) } else { magnitude }
    }

    fn apply(function: FloatFn, ranks: &[u64]) -> u64 {
        match function {
            FloatFn::Unary(FloatUnary::Neg) => return Self::negated(ranks[0]),
            FloatFn::Unary(FloatUnary::Abs) => return Self::magnitude(ranks[0]),
            FloatFn::Op(quipu_num::FloatOp::CopySign) => {
                let magnitude = Self::magnitude(ranks[0]);
                return if ranks[1] < Self::ZERO { Self::negated(magnitude) } else { magnitude };
            }
            _ => {}
        }
        let double = FloatWidth::F64;
        let operands: Vec<u64> = ranks.iter().map(|&r| rank(double, Self::value(r).to_bits())).collect();
        let result = float_fn(function, double, &operands);
        if matches!(function, FloatFn::Compare(_)) {
            return result;
        }
        Self::nearest(f64::from_bits(unrank(double, result)))
    }

    fn of_integer(is_signed: bool, from: Width, value: u64) -> u64 {
        Self::nearest(if is_signed { from.signed(value) as f64 } else { value as f64 })
    }
}
