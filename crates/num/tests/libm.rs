//! The errors of this machine's libm, against correctly rounded functions: what contractors rely on.
//!
//! `QUIPU_CASES` sets how many operands are tried per function and format. Of floats these are evenly spaced ones.

use core_math as exact;
use quipu_num::{FloatWidth, MathFn, is_nan_rank, math_fn, rank};

macro_rules! correctly_rounded {
    (unary: $($F:ident $f64:ident $f32:ident),*; binary: $($G:ident $g64:ident $g32:ident),*;) => {
        fn correctly_rounded(function: MathFn, w: FloatWidth, operands: &[u64]) -> Option<u64> {
            let double = |n: usize| f64::from_bits(operands[n]);
            let single = |n: usize| f32::from_bits(operands[n] as u32);
            Some(match (function, w) {
                $((MathFn::$F, FloatWidth::F32) => u64::from(exact::$f32(single(0)).to_bits()),)*
                $((MathFn::$F, FloatWidth::F64) => exact::$f64(double(0)).to_bits(),)*
                $((MathFn::$G, FloatWidth::F32) => u64::from(exact::$g32(single(0), single(1)).to_bits()),)*
                $((MathFn::$G, FloatWidth::F64) => exact::$g64(double(0), double(1)).to_bits(),)*
                _ => return None,
            })
        }
    };
}

correctly_rounded!(
    unary: Sin sin sinf, Cos cos cosf, Tan tan tanf, Asin asin asinf, Acos acos acosf, Atan atan atanf,
        Sinh sinh sinhf, Cosh cosh coshf, Tanh tanh tanhf, Asinh asinh asinhf, Acosh acosh acoshf,
        Atanh atanh atanhf, Exp exp expf, Exp2 exp2 exp2f, Exp10 exp10 exp10f, Expm1 expm1 expm1f, Log log logf,
        Log2 log2 log2f, Log10 log10 log10f, Log1p log1p log1pf, Cbrt cbrt cbrtf, Lgamma lgamma lgammaf,
        Tgamma tgamma tgammaf, Erf erf erff, Erfc erfc erfcf;
    binary: Pow pow powf, Hypot hypot hypotf, Atan2 atan2 atan2f;
);

/// A small seeded generator (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Bits of a float: any, of moderate size, or near a special one.
    fn float(&mut self, w: FloatWidth) -> u64 {
        let any = self.next();
        let moderate = (any >> 11) as f64 * (((any & 31) as f64) - 72.0).exp2();
        let x = match any >> 5 & 7 {
            0 | 1 => return w.width().wrap(self.next()),
            2..=5 => moderate,
            _ => SPECIAL[(any >> 8) as usize % SPECIAL.len()],
        };
        let x = if any & 256 == 0 { x } else { -x };
        let bits = match w {
            FloatWidth::F32 => u64::from((x as f32).to_bits()),
            FloatWidth::F64 => x.to_bits(),
        };
        w.width().wrap(bits.wrapping_add(self.next() % 9).wrapping_sub(4))
    }
}

/// Zeros of the functions, limits of their ranges, and where their results overflow and vanish.
const SPECIAL: [f64; 18] = [
    0.0,
    1.0,
    2.0,
    0.5,
    std::f64::consts::PI,
    std::f64::consts::FRAC_PI_2,
    3.0 * std::f64::consts::FRAC_PI_2,
    f64::INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE,
    f32::MAX as f64,
    f32::MIN_POSITIVE as f64,
    709.782712893384,
    745.1332191019411,
    88.72284,
    103.97208,
    26.5,
    6.5,
];

fn cases() -> u64 {
    std::env::var("QUIPU_CASES").map_or(50_000, |text| text.parse().expect("QUIPU_CASES should be a number"))
}

/// The error of libm in ranks. Signs are right, and so are NaNs and values that the function does not cross.
fn error(function: MathFn, w: FloatWidth, operands: &[u64]) -> u64 {
    let exact = correctly_rounded(function, w, operands).expect("the function has a reference");
    let found = math_fn(function, w, operands);
    let told = || format!("{function:?} {w:?} of {operands:x?}: {found:x}, exactly {exact:x}");
    let (found_rank, exact_rank) = (rank(w, found), rank(w, exact));
    let is_nan = is_nan_rank(w, exact_rank);
    assert_eq!(is_nan_rank(w, found_rank), is_nan, "{}", told());
    if is_nan {
        return 0;
    }
    assert_eq!(found >> (w.bits() - 1), exact >> (w.bits() - 1), "{}", told());
    if let Some((least, greatest)) = limits(function) {
        let value = match w {
            FloatWidth::F32 => f64::from(f32::from_bits(found as u32)),
            FloatWidth::F64 => f64::from_bits(found),
        };
        assert!(least <= value && value <= greatest, "{}", told());
    }
    found_rank.abs_diff(exact_rank)
}

/// Limits that are not zero, and are floats.
fn limits(function: MathFn) -> Option<(f64, f64)> {
    match function {
        MathFn::Sin | MathFn::Cos | MathFn::Tanh | MathFn::Erf => Some((-1.0, 1.0)),
        MathFn::Erfc => Some((0.0, 2.0)),
        MathFn::Cosh => Some((1.0, f64::INFINITY)),
        MathFn::Expm1 => Some((-1.0, f64::INFINITY)),
        _ => None,
    }
}

/// The error, which is at most what is documented: half of the bound.
fn documented_error(function: MathFn, w: FloatWidth, operands: &[u64]) -> u64 {
    let found = error(function, w, operands);
    assert!(2 * found <= function.error(), "{function:?} {w:?} of {operands:x?}: {found} ranks");
    found
}

#[test]
fn errors_of_functions_of_one_operand_are_as_documented() {
    for &(function, name) in MathFn::ALL {
        if function.arity() != 1 || function.error() == 0 {
            continue;
        }
        let mut random = Random(17);
        for _ in 0..cases() {
            for w in [FloatWidth::F32, FloatWidth::F64] {
                documented_error(function, w, &[random.float(w)]);
            }
        }
        // An odd step meets all low bits.
        let step = ((1u64 << 32) / cases()) | 1;
        let operands = (0..1u64 << 32).step_by(usize::try_from(step).expect("a step is small"));
        let worst = operands.map(|bits| documented_error(function, FloatWidth::F32, &[bits])).max();
        println!("{name}: {worst:?} ranks in floats");
    }
}

#[test]
fn errors_of_functions_of_two_operands_are_as_documented() {
    for function in [MathFn::Pow, MathFn::Hypot, MathFn::Atan2] {
        let mut random = Random(19);
        for n in 0..cases() {
            for w in [FloatWidth::F32, FloatWidth::F64] {
                let x = random.float(w);
                // Operands of similar size, and small exponents, are met often enough this way.
                let y = if n % 2 == 0 { random.float(w) } else { w.width().wrap(x ^ random.next() >> 30) };
                documented_error(function, w, &[x, y]);
            }
        }
    }
}

/// The other functions have one right result.
#[test]
fn exact_functions_are_exact() {
    let mut random = Random(23);
    let of = |function, operands: &[f64]| {
        let bits: Vec<u64> = operands.iter().map(|x| x.to_bits()).collect();
        f64::from_bits(math_fn(function, FloatWidth::F64, &bits))
    };
    for _ in 0..cases() {
        let [x, y] = [(); 2].map(|()| f64::from_bits(random.float(FloatWidth::F64)));
        if x.is_nan() || y.is_nan() {
            continue;
        }
        assert_eq!(of(MathFn::Fdim, &[x, y]), if x > y { x - y } else { 0.0 }, "{x:e} {y:e}");
        let next = if x < y { x.next_up() } else { x.next_down() };
        assert_eq!(of(MathFn::Nextafter, &[x, y]), if x == y { y } else { next }, "{x:e} {y:e}");
        let exponent = of(MathFn::Logb, &[x]);
        if x.is_normal() {
            assert_eq!(exponent, f64::from((x.to_bits() >> 52 & 0x7ff) as i32 - 1023), "{x:e}");
        }
        let remainder = of(MathFn::Remainder, &[x, y]);
        if x.is_finite() && y != 0.0 {
            let truncated = x % y;
            assert!(remainder.abs() <= y.abs() / 2.0 + f64::from_bits(1), "{x:e} {y:e}");
            let candidates = [truncated, truncated - y.abs(), truncated + y.abs()];
            assert!(candidates.contains(&remainder), "{x:e} {y:e}: {remainder:e}");
        } else {
            assert!(remainder.is_nan(), "{x:e} {y:e}");
        }
    }
}
