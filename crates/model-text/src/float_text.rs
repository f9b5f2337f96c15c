//! Floats as text: decimals, hexadecimal numbers with an exponent, infinities and NaNs.
//!
//! A text denotes the float nearest to it, halfway between two the even one. The text written for a float is the
//! shortest decimal that denotes it. Floats are ranks here, as everywhere in a model.

use quipu_num::{FloatWidth, is_nan_rank, nan_rank, number_ranks, rank, unrank};

/// A number as it is written, without its sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Magnitude<'a> {
    /// `1.5`, `1e-7`, `0x1.8p3`.
    Digits(&'a str),
    /// `inf`.
    Infinity,
    /// `nan`, or `nan(0x7fc00001)` with all bits of it.
    Nan(Option<u64>),
}

/// A float as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Literal<'a> {
    pub magnitude: Magnitude<'a>,
    pub negative: bool,
}

impl Literal<'_> {
    /// The float nearest to the number, if it is one of the format: no number is read as infinite.
    pub fn rank(self, w: FloatWidth) -> Option<u64> {
        let bits = match self.magnitude {
            Magnitude::Digits(text) => nearest(w, &text.replace('_', ""))?,
            Magnitude::Infinity => unrank(w, number_ranks(w).1),
            Magnitude::Nan(None) => unrank(w, nan_rank(w)),
            Magnitude::Nan(Some(bits)) => {
                let fits = bits <= w.width().mask() && is_nan_rank(w, rank(w, bits));
                fits.then_some(bits)?
            }
        };
        let sign = u64::from(self.negative) << (w.bits() - 1);
        Some(rank(w, bits ^ sign))
    }
}

/// The float that an integer is, if it is one.
pub(crate) fn rank_of_integer(w: FloatWidth, number: i128) -> Option<u64> {
    let (bits, back) = match w {
        FloatWidth::F32 => (u64::from((number as f32).to_bits()), number as f32 as i128),
        FloatWidth::F64 => ((number as f64).to_bits(), number as f64 as i128),
    };
    (back == number).then(|| rank(w, bits))
}

/// The greatest finite float.
pub(crate) fn greatest(w: FloatWidth) -> u64 {
    number_ranks(w).1 - 1
}

/// The smallest finite float.
pub(crate) fn least(w: FloatWidth) -> u64 {
    number_ranks(w).0 + 1
}

/// A float as the shortest text that denotes it.
pub(crate) fn show(w: FloatWidth, value: u64) -> String {
    let bits = unrank(w, value);
    if value == nan_rank(w) {
        return "nan".to_owned();
    }
    if is_nan_rank(w, value) {
        return format!("nan({bits:#x})");
    }
    match w {
        FloatWidth::F32 => format!("{:?}", f32::from_bits(u32::try_from(bits).expect("a float has 32 bits"))),
        FloatWidth::F64 => format!("{:?}", f64::from_bits(bits)),
    }
}

/// The bits of the float nearest to a number without a sign; none if that is infinite.
fn nearest(w: FloatWidth, text: &str) -> Option<u64> {
    if let Some(hexadecimal) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        return nearest_to_hexadecimal(w, hexadecimal);
    }
    match w {
        FloatWidth::F32 => text.parse().ok().filter(|x: &f32| x.is_finite()).map(|x| x.to_bits().into()),
        FloatWidth::F64 => text.parse().ok().filter(|x: &f64| x.is_finite()).map(f64::to_bits),
    }
}

/// The bits of the float nearest to `1.8p3`, digits being hexadecimal and the exponent a power of two.
fn nearest_to_hexadecimal(w: FloatWidth, text: &str) -> Option<u64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // An exponent that is too large for the type is too large for every number of digits.
    let written =
        exponent.parse().unwrap_or(if exponent.starts_with('-') { i64::MIN / 4 } else { i64::MAX / 4 });
    let mut exponent: i64 = written.clamp(i64::MIN / 4, i64::MAX / 4);
    let (mut mantissa, mut inexact) = (0_u128, false);
    for (place, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = digit.to_digit(16)?;
        let behind_the_point = place >= whole.len();
        if mantissa >> 100 == 0 {
            mantissa = mantissa << 4 | u128::from(digit);
            exponent -= if behind_the_point { 4 } else { 0 };
        } else {
            inexact |= digit != 0;
            exponent += if behind_the_point { 0 } else { 4 };
        }
    }
    // Room for the two bits behind the last one that is kept, the second standing for all that follow.
    Some(rounded(w, mantissa << 2 | u128::from(inexact), exponent - 2))
        .filter(|&bits| bits < unrank(w, number_ranks(w).1))
}

/// The bits of `mantissa * 2^exponent`, rounded to nearest, halves to even.
fn rounded(w: FloatWidth, mantissa: u128, exponent: i64) -> u64 {
    if mantissa == 0 {
        return 0;
    }
    let (precision, least_exponent) = match w {
        FloatWidth::F32 => (24, -149),
        FloatWidth::F64 => (53, -1074),
    };
    let length = i64::from(128 - mantissa.leading_zeros());
    // The exponent of the last bit of the result.
    let last = (exponent + length - precision).max(least_exponent);
    let dropped = last - exponent;
    let kept = if dropped <= 0 {
        u64::try_from(mantissa << -dropped).expect("no more bits than the format has")
    } else {
        shifted_to_nearest(mantissa, dropped)
    };
    // A carry into the exponent, and from the subnormal to the normal, is what the addition makes of it.
    let biased = last - least_exponent;
    let fraction_bits = u32::try_from(precision - 1).expect("a format has a precision");
    let infinity = unrank(w, number_ranks(w).1);
    u64::try_from(biased)
        .ok()
        .filter(|&biased| biased < 1 << 12)
        .and_then(|biased| (biased << fraction_bits).checked_add(kept))
        .map_or(infinity, |bits| bits.min(infinity))
}

fn shifted_to_nearest(mantissa: u128, dropped: i64) -> u64 {
    let Some(shift) = u32::try_from(dropped).ok().filter(|&shift| shift < 128) else { return 0 };
    let quotient = mantissa >> shift;
    let rest = mantissa & ((1 << shift) - 1);
    let half = 1_u128 << (shift - 1);
    let up = rest > half || rest == half && quotient & 1 == 1;
    u64::try_from(quotient + u128::from(up)).expect("no more bits than the format has")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(text: &str) -> Option<f32> {
        let literal = Literal { magnitude: Magnitude::Digits(text), negative: false };
        literal.rank(FloatWidth::F32).map(|value| f32::from_bits(unrank(FloatWidth::F32, value) as u32))
    }

    fn double(text: &str) -> Option<f64> {
        let literal = Literal { magnitude: Magnitude::Digits(text), negative: false };
        literal.rank(FloatWidth::F64).map(|value| f64::from_bits(unrank(FloatWidth::F64, value)))
    }

    #[test]
    fn decimals_are_rounded_once() {
        assert_eq!(single("0.1"), Some(0.1));
        assert_eq!(double("1_000.5e-1"), Some(100.05));
        // Rounded to a double first, this would be halfway between two singles.
        assert_eq!(single("1.000000059604644775390625001"), Some(1.0 + f32::EPSILON));
        assert_eq!((single("1e39"), double("1e39")), (None, Some(1e39)));
        assert_eq!((single("1e-60"), double("1e400")), (Some(0.0), None));
    }

    #[test]
    fn hexadecimal_numbers_are_exact_or_rounded_to_even() {
        assert_eq!(single("0x1.8p3"), Some(12.0));
        assert_eq!(double("0X.1p4"), Some(1.0));
        assert_eq!(double("0x1p-1074"), Some(5e-324));
        assert_eq!((double("0x1p-1075"), double("0x1.8p-1075")), (Some(0.0), Some(5e-324)));
        assert_eq!(double("0x1.fffffffffffffp1023"), Some(f64::MAX));
        assert_eq!(double("0x1.fffffffffffff8p1023"), None);
        assert_eq!(double("0x1.fffffffffffff7ffffffffffffffffffffffffffffffp1023"), Some(f64::MAX));
        assert_eq!(single("0x1.000001p0"), Some(1.0));
        assert_eq!(single("0x1.00000100000000000000000000000000000000001p0"), Some(1.0 + f32::EPSILON));
        assert_eq!(single("0x1.000003p0"), Some(1.0 + 2.0 * f32::EPSILON));
        assert_eq!(single("0x0.ffffffp-126"), Some(f32::MIN_POSITIVE));
        assert_eq!(
            (single("0x1p99999999999999999999"), single("0x1p-99999999999999999999")),
            (None, Some(0.0))
        );
        assert_eq!(single("0x0p99999999999999999999"), Some(0.0));
        assert_eq!(double("0x10000000000000000000000000000000000p-136"), Some(1.0));
    }

    #[test]
    fn what_is_shown_is_read_as_the_same_float() {
        for n in 0..200_000_u64 {
            let value = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for w in [FloatWidth::F32, FloatWidth::F64] {
                let value = w.width().wrap(value >> (64 - w.bits()));
                if is_nan_rank(w, value) {
                    continue;
                }
                let text = show(w, value);
                let magnitude = Magnitude::Digits(text.trim_start_matches('-'));
                let negative = text.starts_with('-');
                assert_eq!(Literal { magnitude, negative }.rank(w), Some(value), "{text}");
            }
        }
    }

    #[test]
    fn special_values() {
        let w = FloatWidth::F32;
        let shown = |bits: u64| show(w, rank(w, bits));
        assert_eq!([shown(0x8000_0000), shown(0x7f80_0000), shown(0xff80_0000)], ["-0.0", "inf", "-inf"]);
        assert_eq!([shown(0x7fc0_0000), shown(0xffc0_0001)], ["nan", "nan(0xffc00001)"]);
        let nan = |bits| Literal { magnitude: Magnitude::Nan(bits), negative: false }.rank(w);
        assert_eq!(nan(Some(0xffc0_0001)), Some(rank(w, 0xffc0_0001)));
        assert_eq!((nan(None), nan(Some(5)), nan(Some(1 << 40))), (Some(nan_rank(w)), None, None));
        assert_eq!(
            (show(w, greatest(w)), show(w, least(w))),
            ("3.4028235e38".into(), "-3.4028235e38".into())
        );
        assert_eq!(rank_of_integer(w, 16_777_217), None);
        assert_eq!(rank_of_integer(w, -3), Some(rank(w, u64::from((-3.0_f32).to_bits()))));
    }
}
