//! The float that a person would choose: zero, one, or else the shortest decimal between two bounds.

use crate::cast::to_f64;
use crate::float::{FloatUnary, FloatWidth, bits_of_f32, float_unary};
use crate::rank::{number_ranks, rank, unrank};

/// The digits of the longest decimal that tells two doubles apart.
const MOST_DIGITS: usize = 17;

/// The rank of the simplest float from one rank to another, both of them ranks of numbers: 0 if it is there, else 1 or
/// -1, else the decimal with the fewest digits, and of those the one nearest to 1 or -1. Infinities and -0.0 only if
/// there is nothing else.
pub fn simplest_between(w: FloatWidth, lo: u64, hi: u64) -> u64 {
    let zero = rank(w, 0);
    let (least, greatest) = number_ranks(w);
    debug_assert!(least <= lo && lo <= hi && hi <= greatest, "the bounds should be numbers in order");
    if lo <= zero && zero <= hi {
        zero
    } else if lo > zero {
        simplest_positive(w, lo, hi.min((greatest - 1).max(lo)))
    } else {
        // Of negative numbers, -0.0 is the last choice as well.
        let hi = hi.min((zero - 2).max(lo));
        let lo = lo.max((least + 1).min(hi));
        negated(w, simplest_positive(w, negated(w, hi), negated(w, lo)))
    }
}

/// The rank of the float of a format that is nearest to a number.
pub fn rank_of(w: FloatWidth, value: f64) -> u64 {
    match w {
        FloatWidth::F32 => rank(w, bits_of_f32(value as f32)),
        FloatWidth::F64 => rank(w, value.to_bits()),
    }
}

/// The number with a rank: exact from both formats.
pub fn number_of_rank(w: FloatWidth, rank: u64) -> f64 {
    to_f64(w, unrank(w, rank))
}

fn negated(w: FloatWidth, number: u64) -> u64 {
    rank(w, float_unary(FloatUnary::Neg, w, unrank(w, number)))
}

/// Between bounds above zero, or a single bound.
fn simplest_positive(w: FloatWidth, lo: u64, hi: u64) -> u64 {
    let one = rank_of(w, 1.0);
    if lo == hi {
        lo
    } else if lo <= one && one <= hi {
        one
    } else if one < lo {
        (1..MOST_DIGITS).find_map(|digits| decimal_from(w, lo, digits, 1).filter(|&x| x <= hi)).unwrap_or(lo)
    } else {
        (1..MOST_DIGITS).find_map(|digits| decimal_from(w, hi, digits, -1).filter(|&x| x >= lo)).unwrap_or(hi)
    }
}

/// The next decimal with so many digits at or above a positive float, or at or below it.
fn decimal_from(w: FloatWidth, bound: u64, digits: usize, direction: i64) -> Option<u64> {
    let text = format!("{:.*e}", digits - 1, number_of_rank(w, bound));
    let (mantissa, exponent) = text.split_once('e')?;
    let whole: i64 = mantissa.replace('.', "").parse().ok()?;
    let exponent: i64 = exponent.parse().ok()?;
    let scale = exponent + 1 - i64::try_from(digits).ok()?;
    [whole, whole + direction].into_iter().find_map(|whole| {
        let found = nearest(w, &format!("{whole}e{scale}"))?;
        let fits = if direction > 0 { found >= bound } else { found <= bound };
        fits.then_some(found)
    })
}

/// The float that a decimal is read as.
fn nearest(w: FloatWidth, decimal: &str) -> Option<u64> {
    match w {
        FloatWidth::F32 => decimal.parse().ok().map(|x: f32| rank(w, bits_of_f32(x))),
        FloatWidth::F64 => decimal.parse().ok().map(|x: f64| rank(w, x.to_bits())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simplest(lo: f64, hi: f64) -> f64 {
        let w = FloatWidth::F64;
        number_of_rank(w, simplest_between(w, rank_of(w, lo), rank_of(w, hi)))
    }

    fn simplest_single(lo: f32, hi: f32) -> f32 {
        let w = FloatWidth::F32;
        let found = simplest_between(w, rank_of(w, f64::from(lo)), rank_of(w, f64::from(hi)));
        number_of_rank(w, found) as f32
    }

    #[test]
    fn zero_then_one_then_short_decimals() {
        assert_eq!(simplest(-3.0, 1e300).to_bits(), 0.0f64.to_bits());
        assert_eq!(simplest(1e-300, 1e300), 1.0);
        assert_eq!(simplest(f64::NEG_INFINITY, -0.5), -1.0);
        assert_eq!(simplest(1.5, 1e9), 2.0);
        assert_eq!(simplest(17.2, 1000.0), 20.0);
        assert_eq!(simplest(17.2, 19.5), 18.0);
        assert_eq!(simplest(2.41, 2.59), 2.5);
        assert_eq!(simplest(0.07, 0.13), 0.1);
        assert_eq!(simplest(-0.13, -0.07), -0.1);
        assert_eq!(simplest(9.7e9, 1.3e10), 1e10);
        assert_eq!(simplest(4.123_42, 4.123_67), 4.1235);
    }

    #[test]
    fn what_is_odd_comes_last() {
        let tiny = f64::from_bits(1);
        assert_eq!(simplest(tiny, tiny), tiny);
        assert_eq!(simplest(-3.0, -0.0), -1.0);
        assert_eq!(simplest(-tiny, -0.0), -tiny);
        assert_eq!(simplest(-0.0, -0.0).to_bits(), (-0.0f64).to_bits());
        assert_eq!(simplest(f64::INFINITY, f64::INFINITY), f64::INFINITY);
        assert_eq!(simplest(f64::MAX, f64::INFINITY), f64::MAX);
        assert_eq!(simplest(f64::NEG_INFINITY, f64::MIN), f64::MIN);
        assert_eq!(simplest(1.7e308, f64::INFINITY), 1.7e308);
    }

    /// The decimal is what the program would read in the text: rounding to the format counts.
    #[test]
    fn decimals_are_read_in_the_format() {
        assert_eq!(simplest_single(0.1, 0.1), 0.1);
        assert_eq!(simplest_single(0.099_999_99, 0.100_000_01), 0.1);
        let (below, above) = (f32::from_bits(0.3f32.to_bits() - 1), f32::from_bits(0.3f32.to_bits() + 1));
        assert_eq!(simplest_single(below, above), 0.3);
        assert_eq!(simplest_single(16_777_217.5, 2e7), 2e7);
    }

    #[test]
    fn the_choice_lies_between_the_bounds() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 7 ^ state << 19
        };
        for w in [FloatWidth::F32, FloatWidth::F64] {
            let (least, greatest) = number_ranks(w);
            for round in 0..4000 {
                let span = greatest - least + 1;
                let a = least + next() % span;
                let b = if round % 2 == 0 { least + next() % span } else { (a + next() % 5).min(greatest) };
                let (lo, hi) = (a.min(b), a.max(b));
                let found = simplest_between(w, lo, hi);
                assert!(lo <= found && found <= hi, "{lo} {found} {hi}");
            }
        }
    }
}
