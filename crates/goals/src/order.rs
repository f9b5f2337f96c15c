//! How numbers that are compared follow one another.

use quipu_num::{Cast, FloatWidth, Width, cast, is_nan_rank, rank};

/// The order in which operands of a comparison have neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    Unsigned,
    Signed,
    Float(FloatWidth),
    /// Of `double`s that are all exact as `float`: what was converted from it, and constants.
    Widened,
}

impl Order {
    /// The place of a number among the others: those of neighbours differ by one. The two zeros of floats have one place,
    /// a NaN has none.
    pub fn place(self, w: Width, bits: u64) -> Option<i128> {
        match self {
            Order::Unsigned => Some(i128::from(bits)),
            Order::Signed => Some(i128::from(w.signed(bits))),
            Order::Float(w) => float_place(w, bits),
            Order::Widened => float_place(FloatWidth::F32, cast(Cast::Narrow, bits)),
        }
    }

    /// The place of the least number, and of the greatest.
    pub(crate) fn ends(self, w: Width) -> (i128, i128) {
        let infinities = |w: FloatWidth| {
            let (least, greatest) = quipu_num::number_ranks(w);
            (i128::from(least), i128::from(greatest) - 1)
        };
        match self {
            Order::Unsigned => (0, i128::from(w.mask())),
            Order::Signed => (i128::from(w.signed(w.min_signed())), i128::from(w.signed(w.max_signed()))),
            Order::Float(w) => infinities(w),
            Order::Widened => infinities(FloatWidth::F32),
        }
    }
}

/// The rank, one less from +0.0 on, so that both zeros are at the place of -0.0.
fn float_place(w: FloatWidth, bits: u64) -> Option<i128> {
    let at = rank(w, bits);
    (!is_nan_rank(w, at)).then(|| i128::from(at) - i128::from(at >= rank(w, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_apart() {
        let place = |x: f64| Order::Float(FloatWidth::F64).place(Width::W64, x.to_bits());
        let next = |x: f64| place(x).map(|place| place + 1);
        assert_eq!(place(0.0), place(-0.0));
        assert_eq!(place(f64::from_bits(1)), next(0.0));
        assert_eq!(place(-0.0), next(-f64::from_bits(1)));
        assert_eq!(place(1.0), next(1f64.next_down()));
        assert_eq!(place(f64::INFINITY), next(f64::MAX));
        assert_eq!(place(f64::NAN), None);
        let wide = |x: f32| Order::Widened.place(Width::W64, f64::from(x).to_bits());
        assert_eq!(wide(0.5), wide(0.5f32.next_down()).map(|place| place + 1));
        let (least, greatest) = Order::Float(FloatWidth::F64).ends(Width::W64);
        assert_eq!((place(f64::NEG_INFINITY), place(f64::INFINITY)), (Some(least), Some(greatest)));
    }
}
