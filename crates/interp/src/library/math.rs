//! `math.h`: the user's own libm, and the exact operations of `quipu_num`.
//!
//! The rounding of `sin` and its relatives is left to the implementation, so the only exact model of the
//! real program is the library that it will be linked with.

#![allow(unsafe_code)]

use std::ffi::{c_int, c_long, c_longlong};

use quipu_ir::Ty;
use quipu_num::{FloatOp, FloatUnary, FloatWidth, float_fma, float_op, float_unary};

use super::errno::{EDOM, ERANGE, set_errno};
use super::{Call, LibraryFunction, Table};
use crate::outcome::Fallible;

/// Declares functions of libm: name and name of the `float` version.
macro_rules! declare_libm {
    (unary: $($f64:ident $f32:ident),*; binary: $($g64:ident $g32:ident),*;) => {
        // Sound: these are the C library's functions with their standard prototypes. They read no memory
        // but their arguments, and the only state they write is the thread's floating-point environment
        // and `errno`.
        #[link(name = "m")]
        unsafe extern "C" {
            $(safe fn $f64(x: f64) -> f64; safe fn $f32(x: f32) -> f32;)*
            $(safe fn $g64(x: f64, y: f64) -> f64; safe fn $g32(x: f32, y: f32) -> f32;)*
            // Rust's runtime brings a `cbrt` of its own, which rounds better than glibc's; this name reaches
            // the one that the program will use.
            #[cfg_attr(target_env = "gnu", link_name = "cbrtf64")]
            safe fn cbrt(x: f64) -> f64;
            #[cfg_attr(target_env = "gnu", link_name = "cbrtf32")]
            safe fn cbrtf(x: f32) -> f32;
            safe fn scalbn(x: f64, n: c_int) -> f64;
            safe fn scalbnf(x: f32, n: c_int) -> f32;
            safe fn scalbln(x: f64, n: c_long) -> f64;
            safe fn scalblnf(x: f32, n: c_long) -> f32;
            safe fn ilogb(x: f64) -> c_int;
            safe fn ilogbf(x: f32) -> c_int;
            safe fn llrint(x: f64) -> c_longlong;
            safe fn llrintf(x: f32) -> c_longlong;
            safe fn llround(x: f64) -> c_longlong;
            safe fn llroundf(x: f32) -> c_longlong;
            // A mutable reference is passed as the pointer that C expects, and lives during the call.
            safe fn frexp(x: f64, exponent: &mut c_int) -> f64;
            safe fn frexpf(x: f32, exponent: &mut c_int) -> f32;
            safe fn modf(x: f64, integral: &mut f64) -> f64;
            safe fn modff(x: f32, integral: &mut f32) -> f32;
        }

        const FROM_LIBM: Table = &[
            $((stringify!($f64), |call| unary(call, $f64)), (stringify!($f32), |call| unary_f(call, $f32)),)*
            $((stringify!($g64), |call| binary(call, $g64)), (stringify!($g32), |call| binary_f(call, $g32)),)*
        ];
    };
}

declare_libm!(
    unary: sin sinf, cos cosf, tan tanf, asin asinf, acos acosf, atan atanf, sinh sinhf, cosh coshf, tanh tanhf,
        asinh asinhf, acosh acoshf, atanh atanhf, exp expf, exp2 exp2f, expm1 expm1f, log logf, log2 log2f,
        log10 log10f, log1p log1pf, lgamma lgammaf, tgamma tgammaf, erf erff, erfc erfcf, logb logbf,
        exp10 exp10f;
    binary: pow powf, hypot hypotf, atan2 atan2f, remainder remainderf, fdim fdimf, nextafter nextafterf;
);

/// The models of this header.
pub(super) fn tables() -> [Table; 3] {
    [FROM_LIBM, EXACT, OTHERS]
}

macro_rules! exact {
    ($($name:literal => $model:expr),* $(,)?) => {
        &[$(
            ($name, |call| $model(call, FloatWidth::F64)),
            (concat!($name, "f"), |call| $model(call, FloatWidth::F32)),
        )*]
    };
}

const EXACT: Table = exact![
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
    "drem" => |call, w| match w {
        FloatWidth::F64 => binary(call, remainder),
        FloatWidth::F32 => binary_f(call, remainderf),
    },
];

const OTHERS: Table = &[
    ("cbrt", |call| unary(call, cbrt)),
    ("cbrtf", |call| unary_f(call, cbrtf)),
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

fn unary(call: &mut Call<'_, '_>, f: extern "C" fn(f64) -> f64) -> Fallible<u64> {
    let x = call.double(0);
    let result = f(x);
    report(call, result, &[x])?;
    Ok(result.to_bits())
}

fn unary_f(call: &mut Call<'_, '_>, f: extern "C" fn(f32) -> f32) -> Fallible<u64> {
    let x = call.single(0);
    let result = f(x);
    report(call, f64::from(result), &[f64::from(x)])?;
    Ok(u64::from(result.to_bits()))
}

fn binary(call: &mut Call<'_, '_>, f: extern "C" fn(f64, f64) -> f64) -> Fallible<u64> {
    let (x, y) = (call.double(0), call.double(1));
    let result = f(x, y);
    report(call, result, &[x, y])?;
    Ok(result.to_bits())
}

fn binary_f(call: &mut Call<'_, '_>, f: extern "C" fn(f32, f32) -> f32) -> Fallible<u64> {
    let (x, y) = (call.single(0), call.single(1));
    let result = f(x, y);
    report(call, f64::from(result), &[f64::from(x), f64::from(y)])?;
    Ok(u64::from(result.to_bits()))
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
