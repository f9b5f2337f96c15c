//! `math.h`: functions of floats are terms, or are put together from such that have the same value.

use quipu_inputs::Assumption;
use quipu_ir::Ty;
use quipu_model::Term;
use quipu_num::{FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, IntCmp, MathFn, Width, number_ranks};

use super::{Call, Called};
use crate::block::Flow;
use crate::encoder::Engine;
use crate::float::Float;
use crate::open::Reach;
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
                let (x, to) = (*x, call.width());
                Some(Some(Symbol::Int(self.terms.made(|model| model.rounded(x.width, x.rank, rounding, to)))))
            }
            (
                "scalbn" | "scalbnf" | "ldexp" | "ldexpf" | "scalbln" | "scalblnf",
                [Symbol::Float(x), Symbol::Int(n)],
            ) => {
                let (x, n) = (*x, *n);
                let rank = self.terms.made(|model| model.scaled(x.width, x.rank, n));
                let result = Float { width: x.width, rank };
                self.report(result, &[x]);
                Some(Some(Symbol::Float(result)))
            }
            ("modf" | "modff", [Symbol::Float(x), Symbol::Pointer(place)]) => {
                let (integral, fraction) = self.terms.model.integral_and_fraction(x.width, x.rank);
                let [integral, fraction] = [integral, fraction]
                    .map(|rank| Float { width: x.width, rank: self.terms.made(|_| rank) });
                self.store_result(call, place, Ty::Float(x.width), &Symbol::Float(integral))?;
                Some(Some(Symbol::Float(fraction)))
            }
            ("frexp" | "frexpf", [Symbol::Float(x), Symbol::Pointer(place)]) => {
                let (fraction, exponent) = self.terms.model.fraction_and_exponent(x.width, x.rank);
                let [fraction, exponent] = [fraction, exponent].map(|term| self.terms.made(|_| term));
                self.store_result(call, place, Ty::I32, &Symbol::Int(exponent))?;
                Some(Some(Symbol::Float(Float { width: x.width, rank: fraction })))
            }
            ("ilogb" | "ilogbf", [Symbol::Float(x)]) => {
                let x = *x;
                let exponent = self.terms.made(|model| model.integer_exponent(x.width, x.rank));
                Some(Some(Symbol::Int(self.terms.resize(exponent, call.width(), true))))
            }
            ("huge_val" | "inf" | "huge_valf" | "inff", []) => self.special(call, f64::INFINITY),
            ("nan" | "nanf", _) => self.special(call, f64::NAN),
            (_, [Symbol::Float(x)]) => self.classification(call, *x),
            _ => self.unknown_function(call),
        }
    }

    fn apply(&mut self, function: FloatFn, operands: &[Float], sets_errno: bool) -> Symbol {
        let result = self.float(function, operands);
        self.grant_error(function, result.float());
        if sets_errno {
            self.report(result.float(), operands);
        }
        result
    }

    /// Contractors trust libm to err by no more than a stated bound.
    fn grant_error(&mut self, function: FloatFn, result: Float) {
        if let FloatFn::Math(math) = function
            && math.units() > 0
            && self.terms.known(result.rank).is_none()
            && let Some((_, name)) = MathFn::ALL.iter().find(|(other, _)| *other == math)
        {
            let (bound, unit) = (math.units(), "units in the last place");
            let text = format!("`{name}` of libm errs by at most {bound} {unit}");
            let trusted = self.take_for_granted(Assumption::World(text));
            self.escape_unless(trusted, Reach::Result);
        }
    }

    /// Sets `errno` as the interpreter does: a NaN from numbers is a domain error, an infinity from finite numbers a
    /// range error.
    fn report(&mut self, result: Float, operands: &[Float]) {
        let nan = result.is_nan(&mut self.terms);
        let nans: Vec<Term> = operands.iter().map(|&operand| operand.is_nan(&mut self.terms)).collect();
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

    fn float_unary(&mut self, op: FloatUnary, a: Float) -> Float {
        Float { width: a.width, rank: self.terms.float(FloatFn::Unary(op), a.width, &[a.rank]) }
    }

    /// A number that is exact in both formats.
    fn float_number(&mut self, width: FloatWidth, value: f64) -> Float {
        let bits = match width {
            FloatWidth::F32 => u64::from((value as f32).to_bits()),
            FloatWidth::F64 => value.to_bits(),
        };
        Float::constant(&mut self.terms, width, bits)
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

    // Classes.

    fn classification(&mut self, call: &Call<'_>, x: Float) -> Called {
        let truth = match call.name {
            "isnan" | "__isnan" | "__isnanf" => x.is_nan(&mut self.terms),
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
        let least = match x.width {
            FloatWidth::F32 => f64::from(f32::MIN_POSITIVE),
            FloatWidth::F64 => f64::MIN_POSITIVE,
        };
        let least = self.float_number(x.width, least);
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
        let classes =
            [(3, not_normal), (2, self.is_zero(x)), (1, self.is_infinite(x)), (0, x.is_nan(&mut self.terms))];
        for (number, is) in classes {
            let number = self.terms.constant(width, number);
            class = self.terms.select(is, number, class);
        }
        Symbol::Int(class)
    }

    pub(super) fn unknown_function(&mut self, call: &Call<'_>) -> Called {
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
