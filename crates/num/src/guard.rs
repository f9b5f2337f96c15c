//! When an operation is defined in C: the conditions under which no undefined behaviour occurs.
//!
//! Each guard has two operands; a guard of one operand ignores the second. C17 clauses are named.

use crate::cast::to_f64;
use crate::float::FloatWidth;
use crate::int::Width;

/// A condition that C requires of the operands of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guard {
    /// The signed sum is representable (6.5p5).
    AddFits(Width),
    /// The signed difference is representable (6.5p5).
    SubFits(Width),
    /// The signed product is representable (6.5p5).
    MulFits(Width),
    /// The divisor, the second operand, is not zero (6.5.5p5).
    NonZero(Width),
    /// The second operand has a bit that is set: counting the zeros in front of or behind it is defined.
    AnyBit(Width),
    /// Not the smallest signed value divided by -1 (6.5.5p6).
    QuotientFits(Width),
    /// The shift amount, the second operand, is less than the width of the shifted type, the first being
    /// ignored; both are taken as unsigned, so that a negative amount is out of range (6.5.7p3).
    ShiftInRange {
        /// The width of the amount.
        amount: Width,
        /// The width of the shifted, promoted operand.
        shifted: Width,
    },
    /// A signed left shift: the operand is not negative and the result is representable (6.5.7p4).
    ShlFits(Width),
    /// The truncated float is representable as a signed or unsigned integer (6.3.1.4p1).
    FloatFits {
        /// The float's format.
        from: FloatWidth,
        /// The integer's width.
        to: Width,
        /// Whether the integer is signed.
        signed: bool,
    },
    /// The first operand, taken as unsigned, is less than the second: an index within an array (6.5.6p8).
    IndexBelow(Width),
    /// The first operand, taken as unsigned, is at most the second: a pointer to an element or just past
    /// the last one.
    IndexAtMost(Width),
}

/// The operands of a guard, as canonical bits.
pub type GuardArgs = (u64, u64);

impl Guard {
    /// Whether the operation is defined for these operands.
    #[inline]
    pub fn holds(self, (a, b): GuardArgs) -> bool {
        match self {
            Guard::AddFits(w) => fits(w, i128::from(w.signed(a)) + i128::from(w.signed(b))),
            Guard::SubFits(w) => fits(w, i128::from(w.signed(a)) - i128::from(w.signed(b))),
            Guard::MulFits(w) => fits(w, i128::from(w.signed(a)) * i128::from(w.signed(b))),
            Guard::NonZero(_) | Guard::AnyBit(_) => b != 0,
            Guard::QuotientFits(w) => !(a == w.min_signed() && b == w.mask()),
            Guard::ShiftInRange { shifted, .. } => b < u64::from(shifted.bits()),
            Guard::ShlFits(w) => {
                b < u64::from(w.bits()) && w.signed(a) >= 0 && fits(w, i128::from(w.signed(a)) << b)
            }
            Guard::FloatFits { from, to, signed } => float_fits(to_f64(from, a), to, signed),
            Guard::IndexBelow(_) => a < b,
            Guard::IndexAtMost(_) => a <= b,
        }
    }
}

fn fits(w: Width, value: i128) -> bool {
    value >= i128::from(w.signed(w.min_signed())) && value <= i128::from(w.signed(w.max_signed()))
}

/// Powers of two up to 2^64 are exact doubles, so the open bounds below are exact.
fn float_fits(value: f64, to: Width, signed: bool) -> bool {
    let truncated = value.trunc();
    let power = |bits: u32| (u128::from(1u8) << bits) as f64;
    if signed {
        let limit = power(to.bits() - 1);
        truncated >= -limit && truncated < limit
    } else {
        truncated >= 0.0 && truncated < power(to.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::int::{IntOp, int_op};

    #[test]
    fn overflow_guards_hold_exactly_where_wrapping_changes_nothing() {
        for bits in 1..=6 {
            let w = Width::new(bits).unwrap();
            for a in 0..=w.mask() {
                for b in 0..=w.mask() {
                    let (sa, sb) = (w.signed(a), w.signed(b));
                    let same = |op, exact: i64| w.signed(int_op(op, w, a, b)) == exact;
                    assert_eq!(Guard::AddFits(w).holds((a, b)), same(IntOp::Add, sa + sb));
                    assert_eq!(Guard::SubFits(w).holds((a, b)), same(IntOp::Sub, sa - sb));
                    assert_eq!(Guard::MulFits(w).holds((a, b)), same(IntOp::Mul, sa * sb));
                    if sb != 0 {
                        assert_eq!(Guard::QuotientFits(w).holds((a, b)), same(IntOp::SDiv, sa / sb));
                    }
                    let shl = b < u64::from(bits) && sa >= 0 && same(IntOp::Shl, sa << b);
                    assert_eq!(Guard::ShlFits(w).holds((a, b)), shl, "{sa} << {b} at {bits}");
                }
            }
        }
    }

    #[test]
    fn float_guard_is_exact_at_its_bounds() {
        let fits = |x: f64, bits, signed| {
            let to = Width::new(bits).unwrap();
            Guard::FloatFits { from: FloatWidth::F64, to, signed }.holds((x.to_bits(), 0))
        };
        assert!(fits(127.999, 8, true) && !fits(128.0, 8, true));
        assert!(fits(-128.999, 8, true) && !fits(-129.0, 8, true));
        assert!(fits(255.999, 8, false) && !fits(256.0, 8, false));
        assert!(fits(-0.999, 8, false) && !fits(-1.0, 8, false));
        assert!(fits(-9_223_372_036_854_775_808.0, 64, true) && !fits(9_223_372_036_854_775_808.0, 64, true));
        assert!(!fits(f64::NAN, 64, true) && !fits(f64::INFINITY, 64, false));
    }
}
