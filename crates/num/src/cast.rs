//! Conversions between integers, floats and their bit patterns.

use crate::float::{FloatWidth, bits_of_f32, f32_of, f64_of};
use crate::int::Width;

/// A conversion. Source and target formats are part of it, so that its meaning needs no context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cast {
    /// The low bits of a wider integer.
    Trunc(Width, Width),
    /// A narrower integer filled with zeros.
    ZExt(Width, Width),
    /// A narrower integer filled with its sign.
    SExt(Width, Width),
    /// A float truncated towards zero to a signed integer; saturated out of range, 0 for a NaN.
    FloatToSigned(FloatWidth, Width),
    /// A float truncated towards zero to an unsigned integer; saturated out of range, 0 for a NaN.
    FloatToUnsigned(FloatWidth, Width),
    /// A signed integer rounded to the nearest float.
    SignedToFloat(Width, FloatWidth),
    /// An unsigned integer rounded to the nearest float.
    UnsignedToFloat(Width, FloatWidth),
    /// `float` to `double`, exact.
    Widen,
    /// `double` to `float`, rounded to nearest.
    Narrow,
    /// The bits of a float as an integer of its size.
    FloatBits(FloatWidth),
    /// The float with the bits of an integer of its size.
    BitsFloat(FloatWidth),
}

/// The result of the conversion on an operand given as bits.
#[inline]
pub fn cast(op: Cast, a: u64) -> u64 {
    match op {
        Cast::Trunc(_, to) => to.wrap(a),
        Cast::ZExt(..) | Cast::FloatBits(_) | Cast::BitsFloat(_) => a,
        Cast::SExt(from, to) => to.from_signed(from.signed(a)),
        Cast::FloatToSigned(from, to) => to.from_signed(saturate_signed(to_f64(from, a), to)),
        Cast::FloatToUnsigned(from, to) => (to_f64(from, a).trunc() as u64).min(to.mask()),
        Cast::SignedToFloat(from, FloatWidth::F32) => bits_of_f32(from.signed(a) as f32),
        Cast::SignedToFloat(from, FloatWidth::F64) => (from.signed(a) as f64).to_bits(),
        Cast::UnsignedToFloat(_, FloatWidth::F32) => bits_of_f32(a as f32),
        Cast::UnsignedToFloat(_, FloatWidth::F64) => (a as f64).to_bits(),
        Cast::Widen => f64::from(f32_of(a)).to_bits(),
        Cast::Narrow => bits_of_f32(f64_of(a) as f32),
    }
}

/// The value of a float as a `double`: exact from both formats.
pub(crate) fn to_f64(w: FloatWidth, bits: u64) -> f64 {
    match w {
        FloatWidth::F32 => f64::from(f32_of(bits)),
        FloatWidth::F64 => f64_of(bits),
    }
}

fn saturate_signed(value: f64, w: Width) -> i64 {
    (value.trunc() as i64).clamp(w.signed(w.min_signed()), w.signed(w.max_signed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(bits: u32) -> Width {
        Width::new(bits).unwrap()
    }

    #[test]
    fn extensions_keep_the_value_and_truncation_undoes_them() {
        for from in 1..=8 {
            for to in from..=12 {
                let (f, t) = (width(from), width(to));
                for a in 0..=f.mask() {
                    assert_eq!(cast(Cast::ZExt(f, t), a), a);
                    assert_eq!(t.signed(cast(Cast::SExt(f, t), a)), f.signed(a));
                    assert_eq!(cast(Cast::Trunc(t, f), cast(Cast::SExt(f, t), a)), a);
                }
            }
        }
    }

    #[test]
    fn float_to_integer_truncates_and_saturates() {
        let signed = |x: f64, bits| {
            let w = width(bits);
            w.signed(cast(Cast::FloatToSigned(FloatWidth::F64, w), x.to_bits()))
        };
        assert_eq!(signed(-2.9, 32), -2);
        assert_eq!(signed(127.9, 8), 127);
        assert_eq!(signed(128.0, 8), 127);
        assert_eq!(signed(-1e30, 8), -128);
        assert_eq!(signed(f64::NAN, 8), 0);
        assert_eq!(signed(-9.3e18, 64), i64::MIN);
        let unsigned = |x: f64| cast(Cast::FloatToUnsigned(FloatWidth::F64, Width::W8), x.to_bits());
        assert_eq!((unsigned(255.9), unsigned(256.0), unsigned(-0.9), unsigned(-1.0)), (255, 255, 0, 0));
    }

    #[test]
    fn integers_round_to_the_nearest_float() {
        let single = cast(Cast::SignedToFloat(Width::W32, FloatWidth::F32), 16_777_217);
        assert_eq!(f32_of(single), 16_777_216.0);
        let big = cast(Cast::UnsignedToFloat(Width::W64, FloatWidth::F64), u64::MAX);
        assert_eq!(f64_of(big), 18_446_744_073_709_551_616.0);
        assert_eq!(f64_of(cast(Cast::SignedToFloat(Width::W8, FloatWidth::F64), 0xff)), -1.0);
    }
}
