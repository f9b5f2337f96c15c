//! The user's own libm: the one place where foreign functions are declared.
//!
//! The rounding of `sin` and its relatives is left to the implementation, so the only exact model of the real program
//! is the library that it will be linked with.

#![allow(unsafe_code)]

use std::ffi::{c_int, c_long, c_longlong};

/// Declares functions of libm: name and name of the `float` version.
macro_rules! declare {
    (unary: $($f64:ident $f32:ident),*; binary: $($g64:ident $g32:ident),*;) => {
        // Sound: these are the C library's functions with their standard prototypes. They read no memory but their
        // arguments, and the only state they write is the thread's floating-point environment and `errno`, and
        // `signgam`, which nothing here reads.
        #[link(name = "m")]
        unsafe extern "C" {
            $(pub safe fn $f64(x: f64) -> f64; pub safe fn $f32(x: f32) -> f32;)*
            $(pub safe fn $g64(x: f64, y: f64) -> f64; pub safe fn $g32(x: f32, y: f32) -> f32;)*
            // Rust's runtime brings a `cbrt` of its own, which rounds better than glibc's; this name reaches the one
            // that the program will use.
            #[cfg_attr(target_env = "gnu", link_name = "cbrtf64")]
            pub safe fn cbrt(x: f64) -> f64;
            #[cfg_attr(target_env = "gnu", link_name = "cbrtf32")]
            pub safe fn cbrtf(x: f32) -> f32;
            pub safe fn scalbn(x: f64, n: c_int) -> f64;
            pub safe fn scalbnf(x: f32, n: c_int) -> f32;
            pub safe fn scalbln(x: f64, n: c_long) -> f64;
            pub safe fn scalblnf(x: f32, n: c_long) -> f32;
            pub safe fn ilogb(x: f64) -> c_int;
            pub safe fn ilogbf(x: f32) -> c_int;
            pub safe fn llrint(x: f64) -> c_longlong;
            pub safe fn llrintf(x: f32) -> c_longlong;
            pub safe fn llround(x: f64) -> c_longlong;
            pub safe fn llroundf(x: f32) -> c_longlong;
            // A mutable reference is passed as the pointer that C expects, and lives during the call.
            pub safe fn frexp(x: f64, exponent: &mut c_int) -> f64;
            pub safe fn frexpf(x: f32, exponent: &mut c_int) -> f32;
            pub safe fn modf(x: f64, integral: &mut f64) -> f64;
            pub safe fn modff(x: f32, integral: &mut f32) -> f32;
        }
    };
}

declare!(
    unary: sin sinf, cos cosf, tan tanf, asin asinf, acos acosf, atan atanf, sinh sinhf, cosh coshf, tanh tanhf,
        asinh asinhf, acosh acoshf, atanh atanhf, exp expf, exp2 exp2f, exp10 exp10f, expm1 expm1f, log logf,
        log2 log2f, log10 log10f, log1p log1pf, lgamma lgammaf, tgamma tgammaf, erf erff, erfc erfcf, logb logbf;
    binary: pow powf, hypot hypotf, atan2 atan2f, remainder remainderf, fdim fdimf, nextafter nextafterf;
);
