//! The values of an input that a user allows, and what is left of the input's own values.

use std::cmp::Ordering;
use std::fmt;

use quipu_num::{FloatWidth, Width, nan_rank, number_of_rank, number_ranks, rank_of};

use crate::interface::LeafInfo;

/// A number as users write it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    Int(i128),
    Float(f64),
}

/// The values that an input may have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Allowed {
    /// One value: for a float the nearest of its format, and the zero of this sign.
    Only(Number),
    /// All from one number to another: neither a NaN nor a value outside, however little, but zeros of both signs if
    /// zero is allowed.
    Between(Number, Number),
}

impl Number {
    pub fn is_nan(self) -> bool {
        matches!(self, Number::Float(value) if value.is_nan())
    }

    pub fn is_above(self, other: Number) -> bool {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a > b,
            _ => self.as_double() > other.as_double(),
        }
    }

    /// The nearest double.
    pub fn as_double(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
        }
    }

    /// The least integer that is not below.
    fn ceil(self) -> i128 {
        match self {
            Number::Int(value) => value,
            Number::Float(value) => value.ceil() as i128,
        }
    }

    /// The greatest integer that is not above.
    fn floor(self) -> i128 {
        match self {
            Number::Int(value) => value,
            Number::Float(value) => value.floor() as i128,
        }
    }

    /// How the float with a rank, one of the two around this number, compares with it.
    fn compared(self, w: FloatWidth, rank: u64) -> Ordering {
        let float = number_of_rank(w, rank);
        match self {
            // Only this float is an integer that no `i128` is.
            Number::Int(_) if float >= 2f64.powi(127) => Ordering::Greater,
            // Floats around an integer that is no float are integers.
            Number::Int(value) => (float as i128).cmp(&value),
            Number::Float(value) => float.partial_cmp(&value).expect("bounds are no NaNs"),
        }
    }
}

impl Allowed {
    /// The least and the greatest code among the values of an input; none if no value of it is allowed.
    pub(crate) fn codes(self, leaf: &LeafInfo) -> Option<(u64, u64)> {
        let (least, greatest) = leaf.limits();
        match leaf.float_width() {
            Some(w) => {
                let (low, high) = self.ranks(w)?;
                let (low, high) = (low.max(least), high.min(greatest));
                (low <= high).then_some((low, high))
            }
            None => self.integers(leaf.width(), leaf.signed, (least, greatest)),
        }
    }

    fn ranks(self, w: FloatWidth) -> Option<(u64, u64)> {
        match self {
            Allowed::Only(number) if number.is_nan() => Some((nan_rank(w), nan_rank(w))),
            Allowed::Only(number) => {
                let rank = rank_of(w, number.as_double());
                Some((rank, rank))
            }
            Allowed::Between(low, high) if low.is_nan() || high.is_nan() => None,
            Allowed::Between(low, high) => Some((rank_at_least(w, low), rank_at_most(w, high))),
        }
    }

    fn integers(self, w: Width, signed: bool, (least, greatest): (u64, u64)) -> Option<(u64, u64)> {
        let (low, high) = match self {
            Allowed::Only(number) => (number, number),
            Allowed::Between(low, high) => (low, high),
        };
        if low.is_nan() || high.is_nan() {
            return None;
        }
        let number = |bits: u64| if signed { i128::from(w.signed(bits)) } else { i128::from(bits) };
        let (low, high) = (number(least).max(low.ceil()), number(greatest).min(high.floor()));
        (low <= high).then(|| (w.wrap(low as u64), w.wrap(high as u64)))
    }
}

/// The rank of the least float that is not below a number.
fn rank_at_least(w: FloatWidth, number: Number) -> u64 {
    let near = rank_of(w, number.as_double());
    let (minus_zero, zero) = (rank_of(w, -0.0), rank_of(w, 0.0));
    match near {
        _ if number.compared(w, near).is_lt() => near + 1,
        _ if near == zero => minus_zero,
        _ => near,
    }
}

/// The rank of the greatest float that is not above a number.
fn rank_at_most(w: FloatWidth, number: Number) -> u64 {
    let near = rank_of(w, number.as_double());
    let (minus_zero, zero) = (rank_of(w, -0.0), rank_of(w, 0.0));
    match near {
        _ if number.compared(w, near).is_gt() => near - 1,
        _ if near == minus_zero => zero,
        _ => near,
    }
}

/// The ranks of all floats that are neither infinite nor NaN.
pub const fn finite_ranks(w: FloatWidth) -> (u64, u64) {
    let (least, greatest) = number_ranks(w);
    (least + 1, greatest - 1)
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(value) => write!(f, "{value}"),
            Number::Float(value) => write!(f, "{value:?}"),
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowed::Only(number) => write!(f, "{number}"),
            Allowed::Between(low, high) => write!(f, "{low}..{high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F32: FloatWidth = FloatWidth::F32;
    const F64: FloatWidth = FloatWidth::F64;

    #[track_caller]
    fn between(w: FloatWidth, low: Number, high: Number, expected: (f64, f64)) {
        let (low, high) = Allowed::Between(low, high).ranks(w).expect("numbers");
        let found = [low, high].map(|rank| number_of_rank(w, rank).to_bits());
        assert_eq!(found, [expected.0.to_bits(), expected.1.to_bits()]);
    }

    #[test]
    fn bounds_of_floats_are_rounded_inwards() {
        use Number::{Float, Int};
        between(F64, Float(0.5), Float(2.5), (0.5, 2.5));
        // As a float, 0.1 is a little more, and 0.7 a little less.
        between(F32, Float(0.1), Float(0.7), (f64::from(0.1f32), f64::from(0.7f32)));
        let less_than_a_tenth = f64::from(f32::from_bits(0.1f32.to_bits() - 1));
        let more_than_seven_tenths = f64::from(f32::from_bits(0.7f32.to_bits() + 1));
        between(F32, Float(-0.1), Float(0.1), (-less_than_a_tenth, less_than_a_tenth));
        between(F32, Float(0.7), Float(1.0), (more_than_seven_tenths, 1.0));
        between(F32, Int(16_777_217), Int(33_554_435), (16_777_218.0, 33_554_432.0));
        between(F32, Float(1e-60), Float(1e300), (f64::from(f32::from_bits(1)), f64::from(f32::MAX)));
        between(F64, Int(0), Int(0), (-0.0, 0.0));
        between(F64, Float(0.0), Float(-0.0), (-0.0, 0.0));
        between(
            F64,
            Float(f64::NEG_INFINITY),
            Int(i128::MAX),
            (f64::NEG_INFINITY, 2f64.powi(127).next_down()),
        );
    }

    #[test]
    fn one_float_is_the_nearest() {
        let only = |w, number| {
            Allowed::Only(number).ranks(w).map(|(low, high)| (number_of_rank(w, low), low == high))
        };
        assert_eq!(only(F32, Number::Float(0.1)), Some((f64::from(0.1f32), true)));
        assert_eq!(only(F32, Number::Int(16_777_217)), Some((16_777_216.0, true)));
        assert!(only(F64, Number::Float(f64::NAN)).is_some_and(|(value, one)| value.is_nan() && one));
        assert!(only(F64, Number::Float(-0.0)).is_some_and(|(value, _)| value.is_sign_negative()));
        assert_eq!(Allowed::Between(Number::Int(0), Number::Float(f64::NAN)).ranks(F64), None);
    }

    #[test]
    fn bounds_of_integers_are_rounded_inwards() {
        let w = Width::W8;
        let range = |low, high| {
            let all = (w.min_signed(), w.max_signed());
            let found = Allowed::Between(Number::Float(low), Number::Float(high)).integers(w, true, all);
            found.map(|(low, high)| (w.signed(low), w.signed(high)))
        };
        assert_eq!(range(-2.5, 2.5), Some((-2, 2)));
        assert_eq!(range(f64::NEG_INFINITY, 1e300), Some((-128, 127)));
        assert_eq!(range(0.2, 0.8), None);
        assert_eq!(range(f64::NAN, 1.0), None);
    }
}
