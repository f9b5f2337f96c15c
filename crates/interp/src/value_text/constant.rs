//! The value of a constant expression, with C's types and conversions (C17 6.3.1, 6.4.4, 6.6).

use quipu_ir::{DataModel, Module, SourceType, Ty};
use quipu_num::{
    Cast, FloatOp, FloatUnary, FloatWidth, Guard, IntOp, Width, cast, float_op, float_unary, int_op,
};

use super::{Expr, ExprKind, TextError, error};

/// A constant with its type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Constant {
    /// An integer of at least `int`'s width, as canonical bits.
    Int { bits: u64, width: Width, signed: bool },
    /// A float as bits.
    Float { bits: u64, width: FloatWidth },
}

impl Constant {
    fn int(value: i32) -> Constant {
        Constant::signed(i64::from(value), Width::W32)
    }

    fn signed(value: i64, width: Width) -> Constant {
        Constant::Int { bits: width.from_signed(value), width, signed: true }
    }

    fn unsigned(value: u64, width: Width) -> Constant {
        Constant::Int { bits: width.wrap(value), width, signed: false }
    }

    fn double(value: f64) -> Constant {
        Constant::Float { bits: value.to_bits(), width: FloatWidth::F64 }
    }

    fn single(value: f32) -> Constant {
        Constant::Float { bits: u64::from(value.to_bits()), width: FloatWidth::F32 }
    }

    /// Whether it is an integer zero, and so a null pointer.
    pub fn is_null(self) -> bool {
        matches!(self, Constant::Int { bits: 0, .. })
    }

    /// The bits after conversion to a scalar type; `signed` says how an integer type is taken.
    pub fn convert(self, ty: Ty, signed: bool) -> u64 {
        match (self, ty) {
            (Constant::Int { bits, .. }, Ty::Int(Width::W1)) => u64::from(bits != 0),
            (Constant::Float { .. }, Ty::Int(Width::W1)) => u64::from(self.as_double() != 0.0),
            (Constant::Int { bits, width, signed }, Ty::Int(to)) => {
                to.wrap(if signed { width.signed(bits).cast_unsigned() } else { bits })
            }
            (Constant::Float { bits, width }, Ty::Int(to)) if signed => {
                cast(Cast::FloatToSigned(width, to), bits)
            }
            (Constant::Float { bits, width }, Ty::Int(to)) => cast(Cast::FloatToUnsigned(width, to), bits),
            (Constant::Int { bits, width, signed: true }, Ty::Float(to)) => {
                cast(Cast::SignedToFloat(width, to), bits)
            }
            (Constant::Int { bits, width, .. }, Ty::Float(to)) => {
                cast(Cast::UnsignedToFloat(width, to), bits)
            }
            (Constant::Float { bits, width: FloatWidth::F64 }, Ty::Float(FloatWidth::F32)) => {
                cast(Cast::Narrow, bits)
            }
            (Constant::Float { bits, width: FloatWidth::F32 }, Ty::Float(FloatWidth::F64)) => {
                cast(Cast::Widen, bits)
            }
            (Constant::Float { bits, .. } | Constant::Int { bits, .. }, Ty::Float(_) | Ty::Ptr) => bits,
        }
    }

    fn as_double(self) -> f64 {
        f64::from_bits(self.convert(Ty::F64, true))
    }
}

/// The value of an expression.
pub(super) fn evaluate(module: &Module, expr: &Expr) -> Result<Constant, TextError> {
    let model = module.data_model;
    match &expr.kind {
        ExprKind::Integer { value, decimal, suffix } => integer_literal(model, *value, *decimal, suffix)
            .ok_or_else(|| TextError { at: expr.at, message: format!("the number {value} is too large") }),
        // Plain `char` is signed on the machines that Quipu models.
        ExprKind::Char(byte) => Ok(Constant::int(i32::from(byte.cast_signed()))),
        ExprKind::Float(value, true) => Ok(Constant::single(*value as f32)),
        ExprKind::Float(value, false) => Ok(Constant::double(*value)),
        ExprKind::Name(name) => match enumerator(module, name).or_else(|| named(model, name)) {
            Some(constant) => Ok(constant),
            None => error(expr.at, format!("`{name}` is not a known constant")),
        },
        ExprKind::Unary(operator, operand) => unary(*operator, evaluate(module, operand)?, expr.at),
        ExprKind::Binary(operator, left, right) => {
            binary(*operator, evaluate(module, left)?, evaluate(module, right)?, expr.at)
        }
    }
}

/// C17 6.4.4.1p5: the first type of the list in which the value fits.
fn integer_literal(model: DataModel, value: u64, decimal: bool, suffix: &str) -> Option<Constant> {
    let long = model.address_ty().width()?;
    let unsigned = suffix.contains('u');
    let widths: &[Width] = match suffix.bytes().filter(|&letter| letter == b'l').count() {
        0 => &[Width::W32, long, Width::W64],
        1 => &[long, Width::W64],
        _ => &[Width::W64],
    };
    for &width in widths {
        if !unsigned && value <= width.max_signed() {
            return Some(Constant::Int { bits: value, width, signed: true });
        }
        if (unsigned || !decimal) && value <= width.mask() {
            return Some(Constant::unsigned(value, width));
        }
    }
    None
}

fn enumerator(module: &Module, name: &str) -> Option<Constant> {
    module.types.iter().find_map(|ty| match ty {
        SourceType::Enum { enumerators, .. } => {
            let (_, value) = enumerators.iter().find(|(known, _)| known == name)?;
            let width = if i32::try_from(*value).is_ok() { Width::W32 } else { Width::W64 };
            Some(Constant::signed(*value, width))
        }
        _ => None,
    })
}

/// The constants of `limits.h`, `stdint.h`, `float.h`, `math.h`, `stdbool.h` and `stddef.h`.
fn named(model: DataModel, name: &str) -> Option<Constant> {
    let long = model.address_ty().width()?;
    let limits = |width: Width, promoted: Width, which: &str| match which {
        "MAX" => Some(Constant::signed(width.signed(width.max_signed()), promoted)),
        "MIN" => Some(Constant::signed(width.signed(width.min_signed()), promoted)),
        _ => None,
    };
    if let Some((prefix, which)) = name.rsplit_once('_') {
        let found = match prefix {
            "CHAR" | "SCHAR" | "INT8" => limits(Width::W8, Width::W32, which),
            "SHRT" | "INT16" => limits(Width::W16, Width::W32, which),
            "INT" | "INT32" => limits(Width::W32, Width::W32, which),
            "LONG" | "PTRDIFF" | "INTPTR" | "SSIZE" => limits(long, long, which),
            "LLONG" | "INT64" | "INTMAX" => limits(Width::W64, Width::W64, which),
            "UCHAR" | "UINT8" if which == "MAX" => Some(Constant::int(255)),
            "USHRT" | "UINT16" if which == "MAX" => Some(Constant::int(65535)),
            "UINT" | "UINT32" if which == "MAX" => Some(Constant::unsigned(u64::MAX, Width::W32)),
            "ULONG" | "SIZE" | "UINTPTR" if which == "MAX" => Some(Constant::unsigned(u64::MAX, long)),
            "ULLONG" | "UINT64" | "UINTMAX" if which == "MAX" => {
                Some(Constant::unsigned(u64::MAX, Width::W64))
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    Some(match name {
        "CHAR_BIT" => Constant::int(8),
        "NULL" | "false" => Constant::int(0),
        "true" => Constant::int(1),
        "EOF" => Constant::int(-1),
        "RAND_MAX" => Constant::int(i32::MAX),
        "DBL_MAX" => Constant::double(f64::MAX),
        "DBL_MIN" => Constant::double(f64::MIN_POSITIVE),
        "DBL_TRUE_MIN" => Constant::double(f64::from_bits(1)),
        "DBL_EPSILON" => Constant::double(f64::EPSILON),
        "FLT_MAX" => Constant::single(f32::MAX),
        "FLT_MIN" => Constant::single(f32::MIN_POSITIVE),
        "FLT_TRUE_MIN" => Constant::single(f32::from_bits(1)),
        "FLT_EPSILON" => Constant::single(f32::EPSILON),
        "INFINITY" | "HUGE_VALF" => Constant::single(f32::INFINITY),
        "HUGE_VAL" => Constant::double(f64::INFINITY),
        "NAN" => Constant::single(f32::NAN),
        "M_PI" => Constant::double(std::f64::consts::PI),
        "M_E" => Constant::double(std::f64::consts::E),
        _ => return None,
    })
}

fn unary(operator: u8, operand: Constant, at: usize) -> Result<Constant, TextError> {
    match (operator, operand) {
        (b'!', _) => Ok(Constant::int(i32::from(operand.as_double() == 0.0))),
        (b'+', _) => Ok(operand),
        (b'-', Constant::Float { bits, width }) => {
            Ok(Constant::Float { bits: float_unary(FloatUnary::Neg, width, bits), width })
        }
        (b'-', Constant::Int { width, signed, .. }) => {
            binary(b'-', Constant::Int { bits: 0, width, signed }, operand, at)
        }
        (_, Constant::Int { bits, width, signed }) => {
            Ok(Constant::Int { bits: int_op(IntOp::Xor, width, bits, width.mask()), width, signed })
        }
        (_, Constant::Float { .. }) => error(at, "`~` needs an integer"),
    }
}

fn binary(operator: u8, left: Constant, right: Constant, at: usize) -> Result<Constant, TextError> {
    match (left, right) {
        (Constant::Int { bits: a, width, signed }, Constant::Int { bits: b, width: other, .. })
            if matches!(operator, b'<' | b'>') =>
        {
            shift(operator, (a, width, signed), (b, other), at)
        }
        (Constant::Int { .. }, Constant::Int { .. }) => integers(operator, left, right, at),
        _ => floats(operator, left, right, at),
    }
}

fn shift(
    operator: u8,
    (a, width, signed): (u64, Width, bool),
    (b, amount): (u64, Width),
    at: usize,
) -> Result<Constant, TextError> {
    if !(Guard::ShiftInRange { amount, shifted: width }).holds((a, b)) {
        return error(at, "the shift amount is out of range");
    }
    let op = match operator {
        b'<' => IntOp::Shl,
        _ if signed => IntOp::AShr,
        _ => IntOp::LShr,
    };
    Ok(Constant::Int { bits: int_op(op, width, a, b), width, signed })
}

fn integers(operator: u8, left: Constant, right: Constant, at: usize) -> Result<Constant, TextError> {
    let (width, signed) = common_type(left, right);
    let (a, b) = (left.convert(Ty::Int(width), signed), right.convert(Ty::Int(width), signed));
    if matches!(operator, b'/' | b'%') && b == 0 {
        return error(at, "division by zero");
    }
    // Unsigned arithmetic wraps, and bitwise operations always fit.
    let (op, guard) = match operator {
        b'+' => (IntOp::Add, Some(Guard::AddFits(width))),
        b'-' => (IntOp::Sub, Some(Guard::SubFits(width))),
        b'*' => (IntOp::Mul, Some(Guard::MulFits(width))),
        b'/' if signed => (IntOp::SDiv, Some(Guard::QuotientFits(width))),
        b'%' if signed => (IntOp::SRem, Some(Guard::QuotientFits(width))),
        b'/' => (IntOp::UDiv, None),
        b'%' => (IntOp::URem, None),
        b'&' => (IntOp::And, None),
        b'|' => (IntOp::Or, None),
        _ => (IntOp::Xor, None),
    };
    if signed && guard.is_some_and(|guard| !guard.holds((a, b))) {
        return error(at, "the result does not fit its type");
    }
    Ok(Constant::Int { bits: int_op(op, width, a, b), width, signed })
}

/// The usual arithmetic conversions of two integers (C17 6.3.1.8).
fn common_type(left: Constant, right: Constant) -> (Width, bool) {
    let of = |constant| match constant {
        Constant::Int { width, signed, .. } => (width, signed),
        Constant::Float { .. } => (Width::W64, true),
    };
    let ((a, a_signed), (b, b_signed)) = (of(left), of(right));
    match a.cmp(&b) {
        std::cmp::Ordering::Less => (b, b_signed),
        std::cmp::Ordering::Equal => (a, a_signed && b_signed),
        std::cmp::Ordering::Greater => (a, a_signed),
    }
}

fn floats(operator: u8, left: Constant, right: Constant, at: usize) -> Result<Constant, TextError> {
    let single = |constant| !matches!(constant, Constant::Float { width: FloatWidth::F64, .. });
    let width = if single(left) && single(right) { FloatWidth::F32 } else { FloatWidth::F64 };
    let op = match operator {
        b'+' => FloatOp::Add,
        b'-' => FloatOp::Sub,
        b'*' => FloatOp::Mul,
        b'/' => FloatOp::Div,
        _ => return error(at, "the operator needs integers"),
    };
    let (a, b) = (left.convert(Ty::Float(width), true), right.convert(Ty::Float(width), true));
    Ok(Constant::Float { bits: float_op(op, width, a, b), width })
}
