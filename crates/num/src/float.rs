//! IEEE-754 `float` and `double`, rounding to nearest even.

/// Which of the two formats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatWidth {
    /// `float`: 32 bits.
    F32,
    /// `double`: 64 bits.
    F64,
}

impl FloatWidth {
    /// The number of bits.
    pub const fn bits(self) -> u32 {
        match self {
            FloatWidth::F32 => 32,
            FloatWidth::F64 => 64,
        }
    }
}

/// A binary operation on two floats of one format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// C's `fmod`: the exact remainder of the truncated quotient.
    Rem,
    /// C's `fmin`: a NaN operand is ignored.
    Min,
    /// C's `fmax`: a NaN operand is ignored.
    Max,
    /// The magnitude of the first with the sign of the second.
    CopySign,
}

impl FloatOp {
    /// All operations with their names in text forms.
    pub const ALL: [(FloatOp, &'static str); 8] = [
        (FloatOp::Add, "fadd"),
        (FloatOp::Sub, "fsub"),
        (FloatOp::Mul, "fmul"),
        (FloatOp::Div, "fdiv"),
        (FloatOp::Rem, "frem"),
        (FloatOp::Min, "fmin"),
        (FloatOp::Max, "fmax"),
        (FloatOp::CopySign, "fcopysign"),
    ];
}

/// A unary operation on a float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatUnary {
    /// The sign flipped, also of a NaN.
    Neg,
    /// The sign cleared, also of a NaN.
    Abs,
    /// Correctly rounded square root.
    Sqrt,
    /// Rounded to an integer downwards.
    Floor,
    /// Rounded to an integer upwards.
    Ceil,
    /// Rounded to an integer towards zero.
    Trunc,
    /// Rounded to the nearest integer, halves away from zero.
    Round,
    /// Rounded to the nearest integer, halves to even.
    RoundEven,
}

impl FloatUnary {
    /// All operations with their names in text forms.
    pub const ALL: [(FloatUnary, &'static str); 8] = [
        (FloatUnary::Neg, "fneg"),
        (FloatUnary::Abs, "fabs"),
        (FloatUnary::Sqrt, "fsqrt"),
        (FloatUnary::Floor, "ffloor"),
        (FloatUnary::Ceil, "fceil"),
        (FloatUnary::Trunc, "ftrunc"),
        (FloatUnary::Round, "fround"),
        (FloatUnary::RoundEven, "froundeven"),
    ];
}

/// A comparison of two floats; every one but [`Ne`](FloatCmp::Ne) is false when an operand is a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatCmp {
    /// Equal; the two zeros are equal.
    Eq,
    /// Not equal; true when an operand is a NaN.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
}

impl FloatCmp {
    /// All comparisons with their names in text forms.
    pub const ALL: [(FloatCmp, &'static str); 4] =
        [(FloatCmp::Eq, "feq"), (FloatCmp::Ne, "fne"), (FloatCmp::Lt, "flt"), (FloatCmp::Le, "fle")];
}

macro_rules! binary {
    ($op:expr, $a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        match $op {
            FloatOp::Add => a + b,
            FloatOp::Sub => a - b,
            FloatOp::Mul => a * b,
            FloatOp::Div => a / b,
            FloatOp::Rem => a % b,
            // Of two equal operands that differ in sign, C leaves the choice open; the order is fixed here.
            FloatOp::Min => {
                if a.is_nan() || b < a {
                    b
                } else {
                    a
                }
            }
            FloatOp::Max => {
                if a.is_nan() || b > a {
                    b
                } else {
                    a
                }
            }
            FloatOp::CopySign => a.copysign(b),
        }
    }};
}

macro_rules! unary {
    ($op:expr, $a:expr) => {{
        let a = $a;
        match $op {
            FloatUnary::Neg => -a,
            FloatUnary::Abs => a.abs(),
            FloatUnary::Sqrt => a.sqrt(),
            FloatUnary::Floor => a.floor(),
            FloatUnary::Ceil => a.ceil(),
            FloatUnary::Trunc => a.trunc(),
            FloatUnary::Round => a.round(),
            FloatUnary::RoundEven => a.round_ties_even(),
        }
    }};
}

macro_rules! compare {
    ($cmp:expr, $a:expr, $b:expr) => {
        match $cmp {
            FloatCmp::Eq => $a == $b,
            FloatCmp::Ne => $a != $b,
            FloatCmp::Lt => $a < $b,
            FloatCmp::Le => $a <= $b,
        }
    };
}

pub(crate) fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

pub(crate) fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

pub(crate) fn bits_of_f32(value: f32) -> u64 {
    u64::from(value.to_bits())
}

/// The bits of `op` on operands given as bits.
#[inline]
pub fn float_op(op: FloatOp, w: FloatWidth, a: u64, b: u64) -> u64 {
    match w {
        FloatWidth::F32 => bits_of_f32(binary!(op, f32_of(a), f32_of(b))),
        FloatWidth::F64 => binary!(op, f64_of(a), f64_of(b)).to_bits(),
    }
}

/// The bits of `op` on an operand given as bits.
#[inline]
pub fn float_unary(op: FloatUnary, w: FloatWidth, a: u64) -> u64 {
    match w {
        FloatWidth::F32 => bits_of_f32(unary!(op, f32_of(a))),
        FloatWidth::F64 => unary!(op, f64_of(a)).to_bits(),
    }
}

/// The bits of `a * b + c`, rounded once.
#[inline]
pub fn float_fma(w: FloatWidth, a: u64, b: u64, c: u64) -> u64 {
    match w {
        FloatWidth::F32 => bits_of_f32(f32_of(a).mul_add(f32_of(b), f32_of(c))),
        FloatWidth::F64 => f64_of(a).mul_add(f64_of(b), f64_of(c)).to_bits(),
    }
}

/// Whether the comparison holds between operands given as bits.
#[inline]
pub fn float_cmp(cmp: FloatCmp, w: FloatWidth, a: u64, b: u64) -> bool {
    match w {
        FloatWidth::F32 => compare!(cmp, f32_of(a), f32_of(b)),
        FloatWidth::F64 => compare!(cmp, f64_of(a), f64_of(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(x: f64) -> u64 {
        x.to_bits()
    }

    #[test]
    fn nan_fails_every_comparison_but_not_equal() {
        for other in [f64::NAN, 0.0, 1.0, f64::INFINITY] {
            for (cmp, name) in FloatCmp::ALL {
                let expected = cmp == FloatCmp::Ne;
                assert_eq!(float_cmp(cmp, FloatWidth::F64, d(f64::NAN), d(other)), expected, "{name}");
                assert_eq!(float_cmp(cmp, FloatWidth::F64, d(other), d(f64::NAN)), expected, "{name}");
            }
        }
    }

    #[test]
    fn zeros_are_equal_but_their_signs_are_kept() {
        assert!(float_cmp(FloatCmp::Eq, FloatWidth::F64, d(0.0), d(-0.0)));
        assert_eq!(float_unary(FloatUnary::Neg, FloatWidth::F64, d(0.0)), d(-0.0));
        assert_eq!(float_op(FloatOp::Mul, FloatWidth::F64, d(-1.0), d(0.0)), d(-0.0));
        assert_eq!(float_unary(FloatUnary::Ceil, FloatWidth::F64, d(-0.5)), d(-0.0));
    }

    #[test]
    fn minimum_and_maximum_ignore_a_nan() {
        for op in [FloatOp::Min, FloatOp::Max] {
            assert_eq!(float_op(op, FloatWidth::F64, d(f64::NAN), d(3.0)), d(3.0));
            assert_eq!(float_op(op, FloatWidth::F64, d(3.0), d(f64::NAN)), d(3.0));
        }
        assert_eq!(float_op(FloatOp::Min, FloatWidth::F64, d(2.0), d(3.0)), d(2.0));
        assert_eq!(float_op(FloatOp::Max, FloatWidth::F64, d(2.0), d(3.0)), d(3.0));
    }

    #[test]
    fn single_precision_rounds_once() {
        let third = float_op(FloatOp::Div, FloatWidth::F32, bits_of_f32(1.0), bits_of_f32(3.0));
        assert_eq!(third, u64::from(0x3eaa_aaabu32));
        let fused = float_fma(FloatWidth::F32, third, bits_of_f32(3.0), bits_of_f32(-1.0));
        assert_eq!(f32_of(fused), 2.0f32.powi(-25));
    }

    #[test]
    fn halves_round_as_named() {
        let cases = [
            (FloatUnary::Round, 2.5, 3.0),
            (FloatUnary::RoundEven, 2.5, 2.0),
            (FloatUnary::Round, -2.5, -3.0),
            (FloatUnary::RoundEven, 3.5, 4.0),
        ];
        for (op, x, expected) in cases {
            assert_eq!(float_unary(op, FloatWidth::F64, d(x)), d(expected));
        }
    }
}
