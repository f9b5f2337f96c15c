//! `math.h`: functions of floats are terms, or are put together from such that have the same value.

use quipu_ir::Ty;
use quipu_model::Term;
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, IntCmp, IntOp, MathFn, Width,
    number_ranks,
};

use super::{Call, Called};
use crate::block::Flow;
use crate::encoder::Engine;
use crate::float::Float;
use crate::symbol::Symbol;

const EDOM: u64 = 33;
const ERANGE: u64 = 34;

/// Functions that have one right result, and whether they set `errno`.
const EXACT: [(&str, FloatFn, bool); 14] = [
    ("sqrt", FloatFn::Unary(FloatUnary::Sqrt), true),
    ("floor", FloatFn::Unary(FloatUnary::Floor), false),
    ("ceil", FloatFn::Unary(FloatUnary::Ceil), false),
    ("trunc", FloatFn::Unary(FloatUnary::Trunc), false),
    ("round", FloatFn::Unary(FloatUnary::Round), false),
    ("roundeven", FloatFn::Unary(FloatUnary::RoundEven), false),
    ("rint", FloatFn::Unary(FloatUnary::RoundEven), false),
    ("nearbyint", FloatFn::Unary(FloatUnary::RoundEven), false),
    ("fabs", FloatFn::Unary(FloatUnary::Abs), false),
    ("copysign", FloatFn::Op(FloatOp::CopySign), false),
    ("fmin", FloatFn::Op(FloatOp::Min), false),
    ("fmax", FloatFn::Op(FloatOp::Max), false),
    ("fmod", FloatFn::Op(FloatOp::Rem), true),
    ("fma", FloatFn::Fma, false),
];

/// The function of a name, whether it sets `errno`, and its format.
fn function_named(name: &str) -> Option<(FloatFn, bool, FloatWidth)> {
    let find = |name: &str| {
        let exact =
            EXACT.iter().find(|(known, ..)| *known == name).map(|&(_, function, errno)| (function, errno));
        let math =
            || MathFn::ALL.iter().find(|(_, known)| *known == name).map(|&(f, _)| (FloatFn::Math(f), true));
        let other = (name == "drem").then_some((FloatFn::Math(MathFn::Remainder), true));
        exact.or_else(math).or(other)
    };
    let double = find(name).map(|(function, errno)| (function, errno, FloatWidth::F64));
    double.or_else(|| {
        let (function, errno) = find(name.strip_suffix('f')?)?;
        Some((function, errno, FloatWidth::F32))
    })
}

/// Conversions to the nearest integer: the name without `l` or `ll` in front and `f` behind.
fn rounding_named(name: &str) -> Option<FloatUnary> {
    match name.strip_suffix('f').unwrap_or(name) {
        "lrint" | "llrint" => Some(FloatUnary::RoundEven),
        "lround" | "llround" => Some(FloatUnary::Round),
        _ => None,
    }
}

impl Engine<'_> {
    pub(super) fn math_function(&mut self, call: &Call<'_>) -> Called {
        if let Some((function, sets_errno, w)) = function_named(call.name)
            && let Some(operands) = floats(call, w).filter(|operands| operands.len() == function.arity())
            && call.ret == Some(Ty::Float(w))
        {
            return Some(Some(self.apply(function, &operands, sets_errno)));
        }
        match (call.name, call.args) {
            (name, [Symbol::Float(x)]) if rounding_named(name).is_some() => {
                let rounding = rounding_named(name).expect("it was just asked for");
                Some(Some(self.nearest_integer(call, *x, rounding)))
            }
            (
                "scalbn" | "scalbnf" | "ldexp" | "ldexpf" | "scalbln" | "scalblnf",
                [Symbol::Float(x), Symbol::Int(n)],
            ) => {
                let (x, n) = (*x, self.terms.resize(*n, Width::W64, true));
                let result = self.scaled(x, n);
                self.report(result, &[x]);
                Some(Some(Symbol::Float(result)))
            }
            ("modf" | "modff", [Symbol::Float(x), Symbol::Pointer(place)]) => {
                let (integral, fraction) = self.integral_part(*x);
                let ty = Ty::Float(x.width);
                self.store_result(call, place, ty, &Symbol::Float(integral))?;
                Some(Some(Symbol::Float(fraction)))
            }
            ("frexp" | "frexpf", [Symbol::Float(x), Symbol::Pointer(place)]) => {
                let (fraction, exponent) = self.fraction_and_exponent(*x);
                self.store_result(call, place, Ty::I32, &Symbol::Int(exponent))?;
                Some(Some(Symbol::Float(fraction)))
            }
            ("huge_val" | "inf" | "huge_valf" | "inff", []) => self.special(call, f64::INFINITY),
            ("nan" | "nanf", _) => self.special(call, f64::NAN),
            (_, [Symbol::Float(x)]) => self.classification(call, *x),
            _ => self.unknown_function(call),
        }
    }

    fn apply(&mut self, function: FloatFn, operands: &[Float], sets_errno: bool) -> Symbol {
        let result = self.float(function, operands);
        if sets_errno {
            self.report(result.float(), operands);
        }
        result
    }

    /// Sets `errno` as the interpreter does: a NaN from numbers is a domain error, an infinity from finite numbers a
    /// range error.
    fn report(&mut self, result: Float, operands: &[Float]) {
        let nan = self.is_nan(result);
        let nans: Vec<Term> = operands.iter().map(|&operand| self.is_nan(operand)).collect();
        let any = self.terms.any(&nans);
        let none = self.terms.not(any);
        let domain = self.terms.both(nan, none);
        self.set_errno(EDOM, domain);
        let infinite = self.is_infinite(result);
        let finite: Vec<Term> = operands.iter().map(|&operand| self.is_finite(operand)).collect();
        let finite = self.terms.all(&finite);
        let range = self.terms.both(infinite, finite);
        self.set_errno(ERANGE, range);
    }

    fn compare_floats(&mut self, cmp: FloatCmp, a: Float, b: Float) -> Term {
        self.terms.float(FloatFn::Compare(cmp), a.width, &[a.rank, b.rank])
    }

    fn float_op(&mut self, op: FloatOp, a: Float, b: Float) -> Float {
        Float { width: a.width, rank: self.terms.float(FloatFn::Op(op), a.width, &[a.rank, b.rank]) }
    }

    fn float_unary(&mut self, op: FloatUnary, a: Float) -> Float {
        Float { width: a.width, rank: self.terms.float(FloatFn::Unary(op), a.width, &[a.rank]) }
    }

    fn select_float(&mut self, condition: Term, a: Float, b: Float) -> Float {
        Float { width: a.width, rank: self.terms.select(condition, a.rank, b.rank) }
    }

    /// A number that is exact in both formats.
    fn float_number(&mut self, width: FloatWidth, value: f64) -> Float {
        let bits = match width {
            FloatWidth::F32 => u64::from((value as f32).to_bits()),
            FloatWidth::F64 => value.to_bits(),
        };
        Float::constant(&mut self.terms, width, bits)
    }

    fn is_nan(&mut self, x: Float) -> Term {
        self.compare_floats(FloatCmp::Ne, x, x)
    }

    fn is_infinite(&mut self, x: Float) -> Term {
        let (low, high) = number_ranks(x.width);
        let (low, high) = (self.terms.is(x.rank, low), self.terms.is(x.rank, high));
        self.terms.any(&[low, high])
    }

    fn is_finite(&mut self, x: Float) -> Term {
        let (low, high) = number_ranks(x.width);
        let width = x.width.width();
        let (low, high) = (self.terms.constant(width, low), self.terms.constant(width, high));
        let above = self.terms.compare(IntCmp::Ult, low, x.rank);
        let below = self.terms.compare(IntCmp::Ult, x.rank, high);
        self.terms.both(above, below)
    }

    fn is_zero(&mut self, x: Float) -> Term {
        let zero = self.float_number(x.width, 0.0);
        self.compare_floats(FloatCmp::Eq, x, zero)
    }

    fn special(&mut self, call: &Call<'_>, value: f64) -> Called {
        let Some(Ty::Float(width)) = call.ret else { return self.unknown_function(call) };
        Some(Some(Symbol::Float(self.float_number(width, value))))
    }

    fn store_result(
        &mut self,
        call: &Call<'_>,
        place: &crate::pointer::Pointer,
        ty: Ty,
        value: &Symbol,
    ) -> Option<()> {
        let bits = self.stored_bits(ty);
        match self.store(call.here, place, ty, bits, 0, value, bits / 8) {
            Flow::On => Some(()),
            Flow::Stopped => None,
        }
    }

    // Integers.

    /// The nearest integer; what is too large has no certain result.
    fn nearest_integer(&mut self, call: &Call<'_>, x: Float, rounding: FloatUnary) -> Symbol {
        let to = call.width();
        let rounded = self.float_unary(rounding, x);
        let fits = Guard::FloatFits { from: x.width, to, signed: true };
        let fits = self.terms.guard(fits, rounded.rank, rounded.rank);
        let number = self.terms.cast(Cast::FloatToSigned(x.width, to), rounded.rank, to);
        if self.terms.is_true(fits) {
            return Symbol::Int(number);
        }
        let unknown = self.made_up(call.here, "a float too large for an integer", Ty::Int(to)).int();
        Symbol::Int(self.terms.select(fits, number, unknown))
    }

    // Powers of two.

    /// 2 to a power that is a normal number.
    fn power_of_two(&mut self, width: FloatWidth, n: Term) -> Float {
        let (bias, fraction) = layout(width);
        let n = self.terms.resize(n, width.width(), true);
        let bias = self.terms.constant(width.width(), bias);
        let exponent = self.terms.add(n, bias);
        let shift = self.terms.constant(width.width(), fraction);
        let bits = self.terms.op(IntOp::Shl, exponent, shift);
        Float::from_bits(&mut self.terms, width, bits)
    }

    /// `x * 2^n`, rounded once. `n` is a term of 64 bits.
    fn scaled(&mut self, x: Float, n: Term) -> Float {
        let (bias, fraction) = layout(x.width);
        let (bias, fraction) = (bias.cast_signed(), fraction.cast_signed());
        // Down by steps that leave a normal number normal, unless what is left is rounded to zero: so that only the last
        // step rounds.
        let (up, down) = (bias, 1 - bias + fraction + 1);
        let (most, least) = (bias, 1 - bias);
        let (mut x, mut n) = (x, n);
        for (step, is_up) in [(up, true), (up, true), (down, false), (down, false)] {
            let limit = self.terms.constant(Width::W64, if is_up { most } else { least }.cast_unsigned());
            let (a, b) = if is_up { (limit, n) } else { (n, limit) };
            let far = self.terms.compare(IntCmp::Slt, a, b);
            let power = self.float_number(x.width, 2f64.powi(step as i32));
            let stepped = self.float_op(FloatOp::Mul, x, power);
            x = self.select_float(far, stepped, x);
            let by = self.terms.constant(Width::W64, step.wrapping_neg().cast_unsigned());
            let rest = self.terms.add(n, by);
            n = self.terms.select(far, rest, n);
        }
        let n = self.clamped(n, least, most);
        let power = self.power_of_two(x.width, n);
        self.float_op(FloatOp::Mul, x, power)
    }

    fn clamped(&mut self, n: Term, least: i64, most: i64) -> Term {
        let (least, most) = (least.cast_unsigned(), most.cast_unsigned());
        let (least, most) = (self.terms.constant(Width::W64, least), self.terms.constant(Width::W64, most));
        let below = self.terms.compare(IntCmp::Slt, n, least);
        let n = self.terms.select(below, least, n);
        let above = self.terms.compare(IntCmp::Slt, most, n);
        self.terms.select(above, most, n)
    }

    /// `modf`: the part before the point, and that behind it, with the sign of the whole.
    fn integral_part(&mut self, x: Float) -> (Float, Float) {
        let integral = self.float_unary(FloatUnary::Trunc, x);
        let rest = self.float_op(FloatOp::Sub, x, integral);
        let infinite = self.is_infinite(x);
        let zero = self.float_number(x.width, 0.0);
        let rest = self.select_float(infinite, zero, rest);
        (integral, self.float_op(FloatOp::CopySign, rest, x))
    }

    /// `frexp`: a fraction from 0.5 to 1, and the power of two by which it is to be multiplied.
    fn fraction_and_exponent(&mut self, x: Float) -> (Float, Term) {
        let (bias, fraction_bits) = layout(x.width);
        let width = x.width.width();
        let least_normal = self.float_number(x.width, 2f64.powi(1 - bias as i32));
        let magnitude = self.float_unary(FloatUnary::Abs, x);
        let small = self.compare_floats(FloatCmp::Lt, magnitude, least_normal);
        let lift = fraction_bits + 2;
        let factor = self.float_number(x.width, 2f64.powi(lift as i32));
        let lifted = self.float_op(FloatOp::Mul, x, factor);
        let normal = self.select_float(small, lifted, x);
        let bits = self.terms.cast(Cast::FloatBits(x.width), normal.rank, width);
        let exponent_width = Width::new(width.bits() - 1 - fraction_bits as u32).expect("8 or 11");
        let stored = self.terms.extract(bits, fraction_bits as u32, exponent_width);
        let stored = self.terms.resize(stored, Width::W32, false);
        let (zero, lift) = (self.terms.constant(Width::W32, 0), self.terms.constant(Width::W32, lift));
        let lift = self.terms.select(small, lift, zero);
        let bias_term = self.terms.constant(Width::W32, bias - 1);
        let exponent = self.terms.op(IntOp::Sub, stored, bias_term);
        let exponent = self.terms.op(IntOp::Sub, exponent, lift);
        let field = exponent_width.mask() << fraction_bits;
        let keep = self.terms.constant(width, width.wrap(!field));
        let kept = self.terms.op(IntOp::And, bits, keep);
        let half = self.terms.constant(width, (bias - 1) << fraction_bits);
        let bits = self.terms.op(IntOp::Or, kept, half);
        let fraction = Float::from_bits(&mut self.terms, x.width, bits);
        let (finite, is_zero) = (self.is_finite(x), self.is_zero(x));
        let not_zero = self.terms.not(is_zero);
        let proper = self.terms.both(finite, not_zero);
        (self.select_float(proper, fraction, x), self.terms.select(proper, exponent, zero))
    }

    // Classes.

    fn classification(&mut self, call: &Call<'_>, x: Float) -> Called {
        let truth = match call.name {
            "isnan" | "__isnan" | "__isnanf" => self.is_nan(x),
            "isfinite" | "finite" | "finitef" | "__finite" | "__finitef" => self.is_finite(x),
            "isnormal" => self.is_normal(x),
            "signbit" | "__signbit" | "__signbitf" => {
                let bits = x.bits(&mut self.terms);
                self.terms.extract(bits, x.width.bits() - 1, Width::W1)
            }
            "isinf" | "__isinf" | "__isinff" | "isinf_sign" => {
                return Some(Some(self.sign_of_infinity(call, x)));
            }
            "__fpclassify" | "__fpclassifyf" => return Some(Some(self.class(call, x))),
            _ => return self.unknown_function(call),
        };
        Some(Some(Symbol::Int(self.terms.resize(truth, call.width(), false))))
    }

    fn is_normal(&mut self, x: Float) -> Term {
        let (bias, _) = layout(x.width);
        let least = self.float_number(x.width, 2f64.powi(1 - bias as i32));
        let magnitude = self.float_unary(FloatUnary::Abs, x);
        let large = self.compare_floats(FloatCmp::Le, least, magnitude);
        let finite = self.is_finite(x);
        self.terms.both(large, finite)
    }

    /// 1 or -1 for an infinity, else 0.
    fn sign_of_infinity(&mut self, call: &Call<'_>, x: Float) -> Symbol {
        let width = call.width();
        let (low, high) = number_ranks(x.width);
        let (low, high) = (self.terms.is(x.rank, low), self.terms.is(x.rank, high));
        let (zero, one) = (self.terms.constant(width, 0), self.terms.constant(width, 1));
        let minus = self.terms.constant(width, width.mask());
        let sign = self.terms.select(high, one, zero);
        Symbol::Int(self.terms.select(low, minus, sign))
    }

    /// glibc's numbers of the classes.
    fn class(&mut self, call: &Call<'_>, x: Float) -> Symbol {
        let width = call.width();
        let mut class = self.terms.constant(width, 4);
        let normal = self.is_normal(x);
        let not_normal = self.terms.not(normal);
        let classes = [(3, not_normal), (2, self.is_zero(x)), (1, self.is_infinite(x)), (0, self.is_nan(x))];
        for (number, is) in classes {
            let number = self.terms.constant(width, number);
            class = self.terms.select(is, number, class);
        }
        Symbol::Int(class)
    }

    fn unknown_function(&mut self, call: &Call<'_>) -> Called {
        self.unsupported(call.here, format!("the library function `{}`", call.name));
        None
    }
}

/// The arguments, if all are floats of a format.
fn floats(call: &Call<'_>, w: FloatWidth) -> Option<Vec<Float>> {
    let float = |arg: &Symbol| match arg {
        Symbol::Float(float) if float.width == w => Some(*float),
        _ => None,
    };
    call.args.iter().map(float).collect()
}

/// The bias of exponents and the number of fraction bits.
fn layout(width: FloatWidth) -> (u64, u64) {
    match width {
        FloatWidth::F32 => (127, 23),
        FloatWidth::F64 => (1023, 52),
    }
}
