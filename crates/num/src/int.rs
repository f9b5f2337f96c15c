//! Integers of 1 to 64 bits, two's complement, wrapping.

/// The width of an integer in bits, 1 to 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Width(u8);

impl Width {
    /// One bit: the truth values.
    pub const W1: Width = Width(1);
    /// A byte.
    pub const W8: Width = Width(8);
    /// Two bytes.
    pub const W16: Width = Width(16);
    /// Four bytes.
    pub const W32: Width = Width(32);
    /// Eight bytes.
    pub const W64: Width = Width(64);

    /// The width of `bits` bits, if there is one.
    pub const fn new(bits: u32) -> Option<Width> {
        if bits >= 1 && bits <= 64 { Some(Width(bits as u8)) } else { None }
    }

    /// The number of bits.
    pub const fn bits(self) -> u32 {
        self.0 as u32
    }

    /// The largest unsigned value: all bits set.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.0 as u32)
    }

    /// Cuts `bits` down to this width.
    pub const fn wrap(self, bits: u64) -> u64 {
        bits & self.mask()
    }

    /// The signed value of canonical `bits`.
    pub const fn signed(self, bits: u64) -> i64 {
        let shift = 64 - self.0 as u32;
        ((bits << shift) as i64) >> shift
    }

    /// The canonical bits of a signed value, wrapped to the width.
    pub const fn from_signed(self, value: i64) -> u64 {
        self.wrap(value as u64)
    }

    /// The canonical bits of the smallest signed value.
    pub const fn min_signed(self) -> u64 {
        1 << (self.0 - 1)
    }

    /// The canonical bits of the largest signed value.
    pub const fn max_signed(self) -> u64 {
        self.mask() >> 1
    }
}

/// A binary operation on two integers of one width; the result has that width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntOp {
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Sub,
    /// Wrapping product.
    Mul,
    /// Unsigned quotient; 0 for a zero divisor.
    UDiv,
    /// Signed quotient, truncated towards zero and wrapped; 0 for a zero divisor.
    SDiv,
    /// Unsigned remainder; the dividend for a zero divisor.
    URem,
    /// Signed remainder with the sign of the dividend; the dividend for a zero divisor.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift; 0 for an amount of the width or more.
    Shl,
    /// Right shift filling with zeros; 0 for an amount of the width or more.
    LShr,
    /// Right shift filling with the sign; the sign alone for an amount of the width or more.
    AShr,
}

impl IntOp {
    /// All operations with their names in text forms.
    pub const ALL: [(IntOp, &'static str); 13] = [
        (IntOp::Add, "add"),
        (IntOp::Sub, "sub"),
        (IntOp::Mul, "mul"),
        (IntOp::UDiv, "udiv"),
        (IntOp::SDiv, "sdiv"),
        (IntOp::URem, "urem"),
        (IntOp::SRem, "srem"),
        (IntOp::And, "and"),
        (IntOp::Or, "or"),
        (IntOp::Xor, "xor"),
        (IntOp::Shl, "shl"),
        (IntOp::LShr, "lshr"),
        (IntOp::AShr, "ashr"),
    ];
}

/// A unary operation on an integer; the result has the same width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntUnary {
    /// The number of leading zero bits; the width for zero.
    Clz,
    /// The number of trailing zero bits; the width for zero.
    Ctz,
    /// The number of set bits.
    Popcount,
    /// The bytes in reverse order; defined for widths that are whole bytes, the operand itself otherwise.
    Bswap,
}

impl IntUnary {
    /// All operations with their names in text forms.
    pub const ALL: [(IntUnary, &'static str); 4] = [
        (IntUnary::Clz, "clz"),
        (IntUnary::Ctz, "ctz"),
        (IntUnary::Popcount, "popcount"),
        (IntUnary::Bswap, "bswap"),
    ];
}

/// A comparison of two integers of one width. The missing orders are these with swapped operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntCmp {
    /// Equal.
    Eq,
    /// Different.
    Ne,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
}

impl IntCmp {
    /// All comparisons with their names in text forms.
    pub const ALL: [(IntCmp, &'static str); 6] = [
        (IntCmp::Eq, "eq"),
        (IntCmp::Ne, "ne"),
        (IntCmp::Ult, "ult"),
        (IntCmp::Ule, "ule"),
        (IntCmp::Slt, "slt"),
        (IntCmp::Sle, "sle"),
    ];
}

/// The result of `op` on canonical operands.
#[inline]
pub fn int_op(op: IntOp, w: Width, a: u64, b: u64) -> u64 {
    let bits = u64::from(w.bits());
    match op {
        IntOp::Add => w.wrap(a.wrapping_add(b)),
        IntOp::Sub => w.wrap(a.wrapping_sub(b)),
        IntOp::Mul => w.wrap(a.wrapping_mul(b)),
        IntOp::UDiv => a.checked_div(b).unwrap_or(0),
        IntOp::URem => a.checked_rem(b).unwrap_or(a),
        IntOp::SDiv if b == 0 => 0,
        IntOp::SDiv => w.from_signed(w.signed(a).wrapping_div(w.signed(b))),
        IntOp::SRem if b == 0 => a,
        IntOp::SRem => w.from_signed(w.signed(a).wrapping_rem(w.signed(b))),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl if b >= bits => 0,
        IntOp::Shl => w.wrap(a << b),
        IntOp::LShr if b >= bits => 0,
        IntOp::LShr => a >> b,
        IntOp::AShr => w.from_signed(w.signed(a) >> b.min(bits - 1)),
    }
}

/// The result of `op` on a canonical operand.
#[inline]
pub fn int_unary(op: IntUnary, w: Width, a: u64) -> u64 {
    let count = match op {
        IntUnary::Clz => a.leading_zeros() - (64 - w.bits()),
        IntUnary::Ctz => a.trailing_zeros().min(w.bits()),
        IntUnary::Popcount => a.count_ones(),
        IntUnary::Bswap if w.bits().is_multiple_of(8) => return a.swap_bytes() >> (64 - w.bits()),
        IntUnary::Bswap => return a,
    };
    w.wrap(u64::from(count))
}

/// Whether the comparison holds between canonical operands.
#[inline]
pub fn int_cmp(cmp: IntCmp, w: Width, a: u64, b: u64) -> bool {
    match cmp {
        IntCmp::Eq => a == b,
        IntCmp::Ne => a != b,
        IntCmp::Ult => a < b,
        IntCmp::Ule => a <= b,
        IntCmp::Slt => w.signed(a) < w.signed(b),
        IntCmp::Sle => w.signed(a) <= w.signed(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mathematical result of `op`, by arithmetic over `i128` that shares nothing with `int_op`.
    fn reference(op: IntOp, w: Width, a: u64, b: u64) -> u64 {
        let modulus = 1i128 << w.bits();
        let (ua, ub) = (i128::from(a), i128::from(b));
        let sign = |u: i128| if u >= modulus / 2 { u - modulus } else { u };
        let (sa, sb) = (sign(ua), sign(ub));
        let power = |n: i128| if n >= i128::from(w.bits()) { None } else { Some(1i128 << n) };
        let exact = match op {
            IntOp::Add => ua + ub,
            IntOp::Sub => ua - ub,
            IntOp::Mul => ua * ub,
            IntOp::UDiv => {
                if ub == 0 {
                    0
                } else {
                    ua / ub
                }
            }
            IntOp::SDiv => {
                if sb == 0 {
                    0
                } else {
                    sa / sb
                }
            }
            IntOp::URem => {
                if ub == 0 {
                    ua
                } else {
                    ua % ub
                }
            }
            IntOp::SRem => {
                if sb == 0 {
                    sa
                } else {
                    sa % sb
                }
            }
            IntOp::And => (0..w.bits()).map(|i| ((ua >> i) & (ub >> i) & 1) << i).sum(),
            IntOp::Or => (0..w.bits()).map(|i| (((ua >> i) | (ub >> i)) & 1) << i).sum(),
            IntOp::Xor => (0..w.bits()).map(|i| (((ua >> i) + (ub >> i)) & 1) << i).sum(),
            IntOp::Shl => power(ub).map_or(0, |p| ua * p),
            IntOp::LShr => power(ub).map_or(0, |p| ua / p),
            IntOp::AShr => power(ub).map_or(if sa < 0 { -1 } else { 0 }, |p| sa.div_euclid(p)),
        };
        u64::try_from(exact.rem_euclid(modulus)).expect("a residue fits")
    }

    #[test]
    fn operations_equal_arithmetic_over_the_integers_at_small_widths() {
        for bits in 1..=6 {
            let w = Width::new(bits).unwrap();
            for (op, name) in IntOp::ALL {
                for a in 0..=w.mask() {
                    for b in 0..=w.mask() {
                        assert_eq!(int_op(op, w, a, b), reference(op, w, a, b), "{name} i{bits} {a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn operations_equal_arithmetic_over_the_integers_at_boundaries() {
        for bits in [7, 8, 15, 16, 31, 32, 33, 63] {
            let w = Width::new(bits).unwrap();
            let points = boundary_points(w);
            for (op, name) in IntOp::ALL {
                for &a in &points {
                    for &b in &points {
                        assert_eq!(int_op(op, w, a, b), reference(op, w, a, b), "{name} i{bits} {a} {b}");
                    }
                }
            }
        }
    }

    fn boundary_points(w: Width) -> Vec<u64> {
        let near = |x: u64| [x.wrapping_sub(2), x.wrapping_sub(1), x, x.wrapping_add(1), x.wrapping_add(2)];
        [0, w.min_signed(), w.max_signed(), w.mask(), u64::from(w.bits())]
            .into_iter()
            .flat_map(near)
            .map(|x| w.wrap(x))
            .collect()
    }

    #[test]
    fn comparisons_follow_the_two_orders() {
        for bits in 1..=6 {
            let w = Width::new(bits).unwrap();
            for a in 0..=w.mask() {
                for b in 0..=w.mask() {
                    let signed = w.signed(a).cmp(&w.signed(b));
                    assert_eq!(int_cmp(IntCmp::Eq, w, a, b), a == b);
                    assert_eq!(int_cmp(IntCmp::Ne, w, a, b), a != b);
                    assert_eq!(int_cmp(IntCmp::Ult, w, a, b), a < b);
                    assert_eq!(int_cmp(IntCmp::Ule, w, a, b), a <= b);
                    assert_eq!(int_cmp(IntCmp::Slt, w, a, b), signed.is_lt());
                    assert_eq!(int_cmp(IntCmp::Sle, w, a, b), signed.is_le());
                }
            }
        }
    }

    #[test]
    fn signed_view_is_two_s_complement() {
        for bits in 1..=10 {
            let w = Width::new(bits).unwrap();
            for a in 0..=w.mask() {
                let s = i128::from(w.signed(a));
                assert_eq!(s.rem_euclid(1 << bits), i128::from(a));
                assert!(s >= -(1 << (bits - 1)) && s < 1 << (bits - 1));
                assert_eq!(w.from_signed(w.signed(a)), a);
            }
        }
    }

    #[test]
    fn bit_counts_agree_with_counting() {
        for bits in 1..=10 {
            let w = Width::new(bits).unwrap();
            for a in 0..=w.mask() {
                let bit = |i: u32| (a >> i) & 1 == 1;
                let leading = (0..bits).rev().take_while(|&i| !bit(i)).count() as u64;
                let trailing = (0..bits).take_while(|&i| !bit(i)).count() as u64;
                let ones = (0..bits).filter(|&i| bit(i)).count() as u64;
                assert_eq!(int_unary(IntUnary::Clz, w, a), w.wrap(leading));
                assert_eq!(int_unary(IntUnary::Ctz, w, a), w.wrap(trailing));
                assert_eq!(int_unary(IntUnary::Popcount, w, a), w.wrap(ones));
            }
        }
        assert_eq!(int_unary(IntUnary::Bswap, Width::W32, 0x0102_0304), 0x0403_0201);
        assert_eq!(int_unary(IntUnary::Bswap, Width::W16, 0x0102), 0x0201);
    }
}
