//! Functions of `math.h` whose meaning is what the user's libm computes.
//!
//! The exact ones of these (`logb`, `remainder`, `fdim`, `nextafter`) have one right result in every libm; of the others
//! only the bounds of their errors are known.

use crate::float::{FloatWidth, bits_of_f32, f32_of, f64_of};
use crate::libm;

macro_rules! functions {
    (unary: $($F:ident $f64:ident $f32:ident),*; binary: $($G:ident $g64:ident $g32:ident),*;) => {
        /// A function of libm, of one or two floats of one format, which has a float of this format as result.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum MathFn {
            $(#[doc = concat!("C's `", stringify!($f64), "`.")] $F,)*
            $(#[doc = concat!("C's `", stringify!($g64), "`.")] $G,)*
        }

        impl MathFn {
            /// All functions with their names in C and in text forms: those of the `double` version.
            pub const ALL: &[(MathFn, &'static str)] = &[
                $((MathFn::$F, stringify!($f64)),)*
                $((MathFn::$G, stringify!($g64)),)*
            ];

            /// How many operands it has.
            pub const fn arity(self) -> usize {
                match self {
                    $(MathFn::$F => 1,)*
                    $(MathFn::$G => 2,)*
                }
            }
        }

        /// The bits of a function of libm, of operands given as bits, of which there are as many as it takes.
        pub fn math_fn(function: MathFn, w: FloatWidth, operands: &[u64]) -> u64 {
            let (single, double) = (|n: usize| f32_of(operands[n]), |n: usize| f64_of(operands[n]));
            match (function, w) {
                $((MathFn::$F, FloatWidth::F32) => bits_of_f32(libm::$f32(single(0))),)*
                $((MathFn::$F, FloatWidth::F64) => libm::$f64(double(0)).to_bits(),)*
                $((MathFn::$G, FloatWidth::F32) => bits_of_f32(libm::$g32(single(0), single(1))),)*
                $((MathFn::$G, FloatWidth::F64) => libm::$g64(double(0), double(1)).to_bits(),)*
            }
        }
    };
}

functions!(
    unary: Sin sin sinf, Cos cos cosf, Tan tan tanf, Asin asin asinf, Acos acos acosf, Atan atan atanf,
        Sinh sinh sinhf, Cosh cosh coshf, Tanh tanh tanhf, Asinh asinh asinhf, Acosh acosh acoshf,
        Atanh atanh atanhf, Exp exp expf, Exp2 exp2 exp2f, Exp10 exp10 exp10f, Expm1 expm1 expm1f, Log log logf,
        Log2 log2 log2f, Log10 log10 log10f, Log1p log1p log1pf, Cbrt cbrt cbrtf, Lgamma lgamma lgammaf,
        Tgamma tgamma tgammaf, Erf erf erff, Erfc erfc erfcf, Logb logb logbf;
    binary: Pow pow powf, Hypot hypot hypotf, Atan2 atan2 atan2f, Remainder remainder remainderf, Fdim fdim fdimf,
        Nextafter nextafter nextafterf;
);

impl MathFn {
    /// The error of libm that is taken for granted, in units in the last place; 0 if every libm has the same result.
    ///
    /// glibc's manual ("Errors in Math Functions", and `libm-test-ulps` of x86_64, from which its table is made) states
    /// the largest errors known: 1 unit for most functions, 2 to 5 for some, 9 for `tgamma`. The larger one of the two
    /// formats was taken, and doubled for what is not known.
    pub const fn units(self) -> u64 {
        match self {
            MathFn::Logb | MathFn::Remainder | MathFn::Fdim | MathFn::Nextafter => 0,
            MathFn::Sin | MathFn::Cos | MathFn::Tan | MathFn::Asin | MathFn::Acos | MathFn::Atan => 2,
            MathFn::Exp | MathFn::Exp2 | MathFn::Expm1 | MathFn::Log | MathFn::Pow | MathFn::Hypot => 2,
            MathFn::Sinh | MathFn::Cosh | MathFn::Tanh | MathFn::Asinh | MathFn::Acosh | MathFn::Atanh => 4,
            MathFn::Exp10 | MathFn::Log2 | MathFn::Log10 | MathFn::Log1p | MathFn::Atan2 | MathFn::Erf => 4,
            MathFn::Cbrt | MathFn::Erfc => 10,
            MathFn::Lgamma | MathFn::Tgamma => 18,
        }
    }

    /// The same error in ranks, from the correctly rounded result: just below a power of two, a unit of that power is
    /// two ranks.
    pub const fn error(self) -> u64 {
        2 * self.units()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_their_names() {
        let double = |f: MathFn, operands: &[f64]| {
            let bits: Vec<u64> = operands.iter().map(|x| x.to_bits()).collect();
            f64_of(math_fn(f, FloatWidth::F64, &bits))
        };
        assert_eq!(double(MathFn::Exp, &[0.0]), 1.0);
        assert_eq!(double(MathFn::Exp2, &[10.0]), 1024.0);
        assert!((double(MathFn::Cbrt, &[27.0]) - 3.0).abs() < 1e-15);
        assert_eq!(double(MathFn::Pow, &[2.0, 0.5]), 2f64.sqrt());
        assert_eq!(double(MathFn::Atan2, &[1.0, 0.0]), std::f64::consts::FRAC_PI_2);
        assert_eq!(double(MathFn::Remainder, &[7.0, 4.0]), -1.0);
        assert_eq!(double(MathFn::Fdim, &[3.0, 5.0]), 0.0);
        assert_eq!(double(MathFn::Nextafter, &[1.0, 2.0]), 1.0f64.next_up());
        assert_eq!(double(MathFn::Logb, &[0.3]), -2.0);
    }

    #[test]
    fn a_float_function_rounds_to_float() {
        let third = bits_of_f32(1.0 / 3.0);
        let result = f32_of(math_fn(MathFn::Exp, FloatWidth::F32, &[third]));
        assert_eq!(result, f64::from(1.0f32 / 3.0).exp() as f32);
    }

    #[test]
    fn names_are_told_once_and_arities_are_of_the_right_form() {
        for (n, &(f, name)) in MathFn::ALL.iter().enumerate() {
            assert!(MathFn::ALL[..n].iter().all(|&(g, other)| g != f && other != name), "{name}");
            assert_eq!(f.arity(), if f < MathFn::Pow { 1 } else { 2 }, "{name}");
        }
    }
}
