//! Sums and products of doubles rounded in a direction, without touching the rounding mode of the machine.
//!
//! The error of a sum (Knuth) and of a product (by a fused operation) is itself a double, so its sign tells on which side
//! the exact result lies; an exact result stays as it is. Where the error may be lost, near zero and near overflow, the
//! neighbour is taken in any case.

/// Products this small may have an error that is no double.
const UNDERFLOW: f64 = 1e-290;
/// Beyond this the error of a sum or product is not computed.
const OVERFLOW: f64 = 1e290;

/// A double that is not greater than `a + b`.
pub fn add_down(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if sum.abs() < OVERFLOW && sum_error(a, b, sum) >= 0.0 { sum } else { below(sum) }
}

/// A double that is not less than `a + b`.
pub fn add_up(a: f64, b: f64) -> f64 {
    -add_down(-a, -b)
}

/// A double that is not greater than `a * b`. A factor 0 makes it 0, even beside an infinite bound: that stands for
/// arbitrarily large numbers, not for one.
pub fn mul_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let product = a * b;
    let is_safe = product.abs() > UNDERFLOW && product.abs() < OVERFLOW;
    if is_safe && a.mul_add(b, -product) >= 0.0 { product } else { below(product) }
}

/// A double that is not less than `a * b`.
pub fn mul_up(a: f64, b: f64) -> f64 {
    -mul_down(-a, b)
}

/// The sum, if it is a double.
pub fn exact_sum(a: f64, b: f64) -> Option<f64> {
    let sum = a + b;
    (sum.abs() < OVERFLOW && sum_error(a, b, sum) == 0.0).then_some(sum)
}

/// The product, if it is a double.
pub fn exact_product(a: f64, b: f64) -> Option<f64> {
    if a == 0.0 || b == 0.0 {
        return Some(0.0);
    }
    let product = a * b;
    let is_safe = product.abs() > UNDERFLOW && product.abs() < OVERFLOW;
    (is_safe && a.mul_add(b, -product) == 0.0).then_some(product)
}

/// The nearest double that is not greater than an integer.
pub fn integer_down(n: i128) -> f64 {
    let nearest = n as f64;
    // A double of this size is an integer, and within the range unless it is 2^127.
    if nearest >= TWO_TO_127 || nearest as i128 > n { below(nearest) } else { nearest }
}

/// The nearest double that is not less than an integer.
pub fn integer_up(n: i128) -> f64 {
    let nearest = n as f64;
    if nearest < TWO_TO_127 && (nearest as i128) < n { -below(-nearest) } else { nearest }
}

const TWO_TO_127: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

/// The next double below; -∞ for what is no number.
fn below(x: f64) -> f64 {
    if x.is_nan() { f64::NEG_INFINITY } else { x.next_down() }
}

/// `a + b - sum`, exactly, for a sum far from overflow.
fn sum_error(a: f64, b: f64, sum: f64) -> f64 {
    let b_part = sum - a;
    let a_part = sum - b_part;
    (a - a_part) + (b - b_part)
}

/// All numbers from one to another; either end may be infinite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    pub lo: f64,
    pub hi: f64,
}

impl Range {
    pub const ZERO: Range = Range { lo: 0.0, hi: 0.0 };
    pub const TRUTH: Range = Range { lo: 0.0, hi: 1.0 };

    pub fn new(lo: f64, hi: f64) -> Range {
        Range { lo, hi }
    }

    /// A range that holds all integers between two.
    pub fn of_integers(lo: i128, hi: i128) -> Range {
        Range { lo: integer_down(lo), hi: integer_up(hi) }
    }

    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    pub fn is_finite(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    pub fn width(self) -> f64 {
        self.hi - self.lo
    }

    /// The largest absolute value.
    pub fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// The sums.
    pub fn plus(self, other: Range) -> Range {
        Range { lo: add_down(self.lo, other.lo), hi: add_up(self.hi, other.hi) }
    }

    /// The differences.
    pub fn minus(self, other: Range) -> Range {
        Range { lo: add_down(self.lo, -other.hi), hi: add_up(self.hi, -other.lo) }
    }

    /// The products with a number.
    pub fn times(self, factor: f64) -> Range {
        let (lo, hi) = if factor < 0.0 { (self.hi, self.lo) } else { (self.lo, self.hi) };
        Range { lo: mul_down(lo, factor), hi: mul_up(hi, factor) }
    }

    /// The products.
    pub fn product(self, other: Range) -> Range {
        let (a, b) = (self.times(other.lo), self.times(other.hi));
        Range { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) }
    }

    pub fn meet(self, other: Range) -> Range {
        Range { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    pub fn join(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_results_stay_and_others_move_outwards() {
        assert_eq!(add_down(3.0, 5.0), 8.0);
        assert_eq!(add_up(1.0, 1e-30), 1.0f64.next_up());
        assert_eq!(add_down(1.0, 1e-30), 1.0);
        assert_eq!(add_down(1.0, -1e-30), 1.0f64.next_down());
        assert!(mul_down(0.1, 0.1) < mul_up(0.1, 0.1));
        assert_eq!(mul_up(3.0, 7.0), 21.0);
        assert!(mul_up(1e-200, 1e-200) > 0.0);
        assert!(mul_down(1e-200, 1e-200) <= 0.0);
    }

    #[test]
    fn integers_are_rounded_outwards() {
        for n in [0, 7, -7, (1i128 << 53) + 1, -(1i128 << 53) - 1, i128::MAX, i128::MIN, (1 << 100) + 12345] {
            let (down, up) = (integer_down(n), integer_up(n));
            assert!(down as i128 <= n && (up >= TWO_TO_127 || up as i128 >= n), "{n}");
            assert!(down <= up && up <= down.next_up(), "{n}");
        }
        assert_eq!(integer_down(5), 5.0);
        assert_eq!(integer_up(-5), -5.0);
    }

    #[test]
    fn what_overflows_is_bounded_by_infinity_or_the_largest_number() {
        assert_eq!(mul_up(1e200, 1e200), f64::INFINITY);
        assert!(mul_down(1e200, 1e200) <= f64::MAX);
        assert_eq!(add_down(f64::NEG_INFINITY, f64::INFINITY), f64::NEG_INFINITY);
        assert_eq!(mul_down(0.0, f64::NEG_INFINITY), 0.0);
    }

    #[test]
    fn directions_agree_with_wider_arithmetic() {
        let mut state = 1u64;
        for _ in 0..100_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let a = (state >> 11) as i64 - (1 << 52);
            let b = (state.rotate_left(32) >> 11) as i64 - (1 << 52);
            let (x, y) = (a as f64, b as f64);
            let product = i128::from(a) * i128::from(b);
            assert!(mul_down(x, y) as i128 <= product && mul_up(x, y) as i128 >= product);
            let scaled = x * 1024.0;
            let sum = i128::from(a) * 1024 + i128::from(b);
            assert!(add_down(scaled, y) as i128 <= sum && add_up(scaled, y) as i128 >= sum);
        }
    }
}
