//! `math.h`: the user's own libm, and exact operations.
//!
//! The functions themselves are those of `quipu_num`; what is added here is `errno`, and results behind pointers.

use std::ffi::c_int;

use quipu_ir::Ty;
use quipu_num::libm::{
    frexp, frexpf, ilogb, ilogbf, llrint, llrintf, llround, llroundf, modf, modff, scalbln, scalblnf, scalbn,
    scalbnf,
};
use quipu_num::{FloatOp, FloatUnary, FloatWidth, MathFn, float_fma, float_op, float_unary, math_fn};

use super::errno::{EDOM, ERANGE, set_errno};
use super::{Call, LibraryFunction, Table};
use crate::outcome::Fallible;

/// The models of this header.
pub(super) fn tables() -> [Table; 3] {
    [FROM_LIBM, EXACT, OTHERS]
}

/// The models of functions of which there are two, one for each format.
macro_rules! both_formats {
    ($($name:literal => $model:expr),* $(,)?) => {
        &[$(
            ($name, |call| $model(call, FloatWidth::F64)),
            (concat!($name, "f"), |call| $model(call, FloatWidth::F32)),
        )*]
    };
}

const FROM_LIBM: Table = both_formats![
    "sin" => |call, w| libm(call, w, MathFn::Sin),
    "cos" => |call, w| libm(call, w, MathFn::Cos),
    "tan" => |call, w| libm(call, w, MathFn::Tan),
    "asin" => |call, w| libm(call, w, MathFn::Asin),
    "acos" => |call, w| libm(call, w, MathFn::Acos),
    "atan" => |call, w| libm(call, w, MathFn::Atan),
    "sinh" => |call, w| libm(call, w, MathFn::Sinh),
    "cosh" => |call, w| libm(call, w, MathFn::Cosh),
    "tanh" => |call, w| libm(call, w, MathFn::Tanh),
    "asinh" => |call, w| libm(call, w, MathFn::Asinh),
    "acosh" => |call, w| libm(call, w, MathFn::Acosh),
    "atanh" => |call, w| libm(call, w, MathFn::Atanh),
    "exp" => |call, w| libm(call, w, MathFn::Exp),
    "exp2" => |call, w| libm(call, w, MathFn::Exp2),
    "exp10" => |call, w| libm(call, w, MathFn::Exp10),
    "expm1" => |call, w| libm(call, w, MathFn::Expm1),
    "log" => |call, w| libm(call, w, MathFn::Log),
    "log2" => |call, w| libm(call, w, MathFn::Log2),
    "log10" => |call, w| libm(call, w, MathFn::Log10),
    "log1p" => |call, w| libm(call, w, MathFn::Log1p),
    "cbrt" => |call, w| libm(call, w, MathFn::Cbrt),
    "lgamma" => |call, w| libm(call, w, MathFn::Lgamma),
    "tgamma" => |call, w| libm(call, w, MathFn::Tgamma),
    "erf" => |call, w| libm(call, w, MathFn::Erf),
    "erfc" => |call, w| libm(call, w, MathFn::Erfc),
    "logb" => |call, w| libm(call, w, MathFn::Logb),
    "pow" => |call, w| libm(call, w, MathFn::Pow),
    "hypot" => |call, w| libm(call, w, MathFn::Hypot),
    "atan2" => |call, w| libm(call, w, MathFn::Atan2),
    "remainder" => |call, w| libm(call, w, MathFn::Remainder),
    "drem" => |call, w| libm(call, w, MathFn::Remainder),
    "fdim" => |call, w| libm(call, w, MathFn::Fdim),
    "nextafter" => |call, w| libm(call, w, MathFn::Nextafter),
];

const EXACT: Table = both_formats![
    "sqrt" => square_root,
    "floor" => |call, w| one(call, w, FloatUnary::Floor),
    "ceil" => |call, w| one(call, w, FloatUnary::Ceil),
    "trunc" => |call, w| one(call, w, FloatUnary::Trunc),
    "round" => |call, w| one(call, w, FloatUnary::Round),
    "roundeven" => |call, w| one(call, w, FloatUnary::RoundEven),
    "rint" => |call, w| one(call, w, FloatUnary::RoundEven),
    "nearbyint" => |call, w| one(call, w, FloatUnary::RoundEven),
    "fabs" => |call, w| one(call, w, FloatUnary::Abs),
    "copysign" => |call, w| two(call, w, FloatOp::CopySign),
    "fmin" => |call, w| two(call, w, FloatOp::Min),
    "fmax" => |call, w| two(call, w, FloatOp::Max),
    "fmod" => remainder_of_quotient,
    "fma" => |call: &mut Call<'_, '_>, w| Ok(float_fma(w, call.arg(0), call.arg(1), call.arg(2))),
];

const OTHERS: Table = &[
    ("scalbn", |call| power_of_two(call, FloatWidth::F64)),
    ("scalbnf", |call| power_of_two(call, FloatWidth::F32)),
    ("ldexp", |call| power_of_two(call, FloatWidth::F64)),
    ("ldexpf", |call| power_of_two(call, FloatWidth::F32)),
    ("scalbln", |call| power_of_two(call, FloatWidth::F64)),
    ("scalblnf", |call| power_of_two(call, FloatWidth::F32)),
    ("ilogb", |call| Ok(ilogb(call.double(0)) as u64)),
    ("ilogbf", |call| Ok(ilogbf(call.single(0)) as u64)),
    ("lrint", |call| Ok(llrint(call.double(0)) as u64)),
    ("lrintf", |call| Ok(llrintf(call.single(0)) as u64)),
    ("llrint", |call| Ok(llrint(call.double(0)) as u64)),
    ("llrintf", |call| Ok(llrintf(call.single(0)) as u64)),
    ("lround", |call| Ok(llround(call.double(0)) as u64)),
    ("lroundf", |call| Ok(llroundf(call.single(0)) as u64)),
    ("llround", |call| Ok(llround(call.double(0)) as u64)),
    ("llroundf", |call| Ok(llroundf(call.single(0)) as u64)),
    ("frexp", split_exponent),
    ("frexpf", split_exponent_f),
    ("modf", split_integral),
    ("modff", split_integral_f),
    ("huge_val", |_| Ok(f64::INFINITY.to_bits())),
    ("inf", |_| Ok(f64::INFINITY.to_bits())),
    ("huge_valf", |_| Ok(u64::from(f32::INFINITY.to_bits()))),
    ("inff", |_| Ok(u64::from(f32::INFINITY.to_bits()))),
    ("nan", |_| Ok(f64::NAN.to_bits())),
    ("nanf", |_| Ok(u64::from(f32::NAN.to_bits()))),
    ("isnan", ISNAN),
    ("__isnan", ISNAN),
    ("__isnanf", ISNAN),
    ("isinf", ISINF),
    ("__isinf", ISINF),
    ("__isinff", ISINF),
    ("isinf_sign", ISINF),
    ("isfinite", FINITE),
    ("finite", FINITE),
    ("finitef", FINITE),
    ("__finite", FINITE),
    ("__finitef", FINITE),
    ("signbit", SIGNBIT),
    ("__signbit", SIGNBIT),
    ("__signbitf", SIGNBIT),
    ("isnormal", |call| Ok(u64::from(classify(call) == FP_NORMAL))),
    ("__fpclassify", |call| Ok(classify(call))),
    ("__fpclassifyf", |call| Ok(classify(call))),
];

const ISNAN: LibraryFunction = |call| Ok(u64::from(classify(call) == FP_NAN));
const FINITE: LibraryFunction = |call| Ok(u64::from(classify(call) > FP_INFINITE));
const SIGNBIT: LibraryFunction = |call| Ok(u64::from(value(call).is_sign_negative()));

/// glibc tells the infinities apart by the sign of the result.
const ISINF: LibraryFunction = |call| match value(call) {
    f64::INFINITY => Ok(1),
    f64::NEG_INFINITY => Ok(u64::MAX),
    _ => Ok(0),
};

/// glibc's numbers of the classes.
const FP_NAN: u64 = 0;
const FP_INFINITE: u64 = 1;
const FP_NORMAL: u64 = 4;

fn classify(call: &Call<'_, '_>) -> u64 {
    use std::num::FpCategory;
    let category = match is_single(call) {
        true => call.single(0).classify(),
        false => call.double(0).classify(),
    };
    match category {
        FpCategory::Nan => FP_NAN,
        FpCategory::Infinite => FP_INFINITE,
        FpCategory::Zero => 2,
        FpCategory::Subnormal => 3,
        FpCategory::Normal => FP_NORMAL,
    }
}

/// The argument of either format as a `double`, which keeps sign and finiteness.
fn value(call: &Call<'_, '_>) -> f64 {
    if is_single(call) { f64::from(call.single(0)) } else { call.double(0) }
}

fn is_single(call: &Call<'_, '_>) -> bool {
    call.function.params.first().is_some_and(|param| param.ty == Ty::F32)
}

fn libm(call: &mut Call<'_, '_>, w: FloatWidth, function: MathFn) -> Fallible<u64> {
    let operands = [call.arg(0), if function.arity() == 2 { call.arg(1) } else { 0 }];
    let operands = &operands[..function.arity()];
    let result = math_fn(function, w, operands);
    let numbers = [0, operands.len() - 1].map(|n| as_double(w, operands[n]));
    report(call, as_double(w, result), &numbers)?;
    Ok(result)
}

/// Sets the program's `errno` (C17 7.12.1): a NaN from numbers is a domain error, an infinity from finite
/// numbers a range error. Underflow is not reported.
fn report(call: &mut Call<'_, '_>, result: f64, args: &[f64]) -> Fallible<()> {
    if result.is_nan() && !args.iter().any(|x| x.is_nan()) {
        set_errno(call, EDOM)?;
    }
    if result.is_infinite() && args.iter().all(|x| x.is_finite()) {
        set_errno(call, ERANGE)?;
    }
    Ok(())
}

fn one(call: &mut Call<'_, '_>, w: FloatWidth, op: FloatUnary) -> Fallible<u64> {
    Ok(float_unary(op, w, call.arg(0)))
}

fn two(call: &mut Call<'_, '_>, w: FloatWidth, op: FloatOp) -> Fallible<u64> {
    Ok(float_op(op, w, call.arg(0), call.arg(1)))
}

fn square_root(call: &mut Call<'_, '_>, w: FloatWidth) -> Fallible<u64> {
    let result = one(call, w, FloatUnary::Sqrt)?;
    let number = |bits: u64| as_double(w, bits);
    report(call, number(result), &[number(call.arg(0))])?;
    Ok(result)
}

fn remainder_of_quotient(call: &mut Call<'_, '_>, w: FloatWidth) -> Fallible<u64> {
    let result = two(call, w, FloatOp::Rem)?;
    let number = |bits: u64| as_double(w, bits);
    report(call, number(result), &[number(call.arg(0)), number(call.arg(1))])?;
    Ok(result)
}

fn as_double(w: FloatWidth, bits: u64) -> f64 {
    match w {
        FloatWidth::F64 => f64::from_bits(bits),
        FloatWidth::F32 => f64::from(f32::from_bits(bits as u32)),
    }
}

/// `x * 2^n` for `int` and `long` exponents.
fn power_of_two(call: &mut Call<'_, '_>, w: FloatWidth) -> Fallible<u64> {
    let n = call.signed(1);
    let x = as_double(w, call.arg(0));
    let (bits, result) = match (w, c_int::try_from(n)) {
        (FloatWidth::F64, Ok(n)) => both(scalbn(x, n)),
        (FloatWidth::F64, Err(_)) => both(scalbln(x, n)),
        (FloatWidth::F32, Ok(n)) => both_f(scalbnf(call.single(0), n)),
        (FloatWidth::F32, Err(_)) => both_f(scalblnf(call.single(0), n)),
    };
    report(call, result, &[x])?;
    Ok(bits)
}

fn both(result: f64) -> (u64, f64) {
    (result.to_bits(), result)
}

fn both_f(result: f32) -> (u64, f64) {
    (u64::from(result.to_bits()), f64::from(result))
}

fn split_exponent(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let mut exponent = 0;
    let fraction = frexp(call.double(0), &mut exponent);
    let place = call.arg(1);
    call.memory().store(place, Ty::I32, u64::from(exponent.cast_unsigned()), 4)?;
    Ok(fraction.to_bits())
}

fn split_exponent_f(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let mut exponent = 0;
    let fraction = frexpf(call.single(0), &mut exponent);
    let place = call.arg(1);
    call.memory().store(place, Ty::I32, u64::from(exponent.cast_unsigned()), 4)?;
    Ok(u64::from(fraction.to_bits()))
}

fn split_integral(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let mut integral = 0.0;
    let fraction = modf(call.double(0), &mut integral);
    let place = call.arg(1);
    call.memory().store(place, Ty::F64, integral.to_bits(), 8)?;
    Ok(fraction.to_bits())
}

fn split_integral_f(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let mut integral = 0.0;
    let fraction = modff(call.single(0), &mut integral);
    let place = call.arg(1);
    call.memory().store(place, Ty::F32, u64::from(integral.to_bits()), 4)?;
    Ok(u64::from(fraction.to_bits()))
}
