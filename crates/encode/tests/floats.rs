//! The encoding of floats agrees with the interpreter: arithmetic, conversions, bits, and the functions of `math.h`.

mod common;

use quipu_encode::Unwinding;

/// Compares on many inputs; all runs must be the same, but for some with NaNs whose bits are looked at.
fn agree(source: &str, most_unknown: usize) {
    let module = common::compile(source);
    let func = module.function("f").expect("the function exists");
    let tally = common::agree_on(&module, func, source, 4000, &Unwinding::default());
    assert!(tally.approximate + tally.cut + tally.other <= most_unknown, "{tally:#?}");
    assert!(tally.same > 2000, "{tally:#?}");
}

/// A function that tells the classes of results apart by branches: every bit of the result decides something.
fn of_one(ty: &str, expression: &str) -> String {
    let (bits, suffix) = if ty == "float" { ("unsigned", "u") } else { ("unsigned long", "ul") };
    format!(
        "#include <math.h>
        #include <errno.h>
        #include <string.h>
        int f({ty} x, {ty} y, int n) {{
            {ty} z = {expression};
            {bits} b;
            int k = 0;
            if (z != z) return -1;
            memcpy(&b, &z, sizeof b);
            if (b % 5{suffix} == 2) k += 1;
            if (b % 3{suffix} == 1) k += 2;
            if (z < 0) k += 4;
            if (signbit(z)) k += 8;
            if (z == ({ty})(int)(n & 15)) k += 16;
            return k;
        }}"
    )
}

#[test]
fn arithmetic() {
    for ty in ["float", "double"] {
        for expression in ["x + y", "x - y", "x * y", "x / y", "-x", "x * x - 2 * y", "x > y ? x : y"] {
            agree(&of_one(ty, expression), 0);
        }
    }
}

#[test]
fn exact_functions() {
    let f = |text: &str| text.replace('@', "f");
    let d = |text: &str| text.replace('@', "");
    for text in [
        "sqrt@(x)",
        "floor@(x)",
        "ceil@(x)",
        "trunc@(x)",
        "round@(x)",
        "rint@(x)",
        "nearbyint@(x)",
        "fabs@(x)",
        "fmod@(x, y)",
        "fma@(x, y, x)",
        "copysign@(x, y)",
        "fdim@(x, y)",
    ] {
        agree(&of_one("float", &f(text)), 0);
        agree(&of_one("double", &d(text)), 0);
    }
}

#[test]
fn powers_of_two() {
    for n in ["n & 31", "-(n & 31)", "(n & 4095) - 2048", "(n & 255) - 160", "n"] {
        agree(&of_one("float", &format!("ldexpf(x, {n})")), 0);
        agree(&of_one("double", &format!("scalbn(x, {n})")), 0);
    }
}

#[test]
fn functions_with_two_results() {
    for (ty, suffix) in [("float", "f"), ("double", "")] {
        let parts = format!(
            "#include <math.h>
            int f({ty} x) {{
                int e = 7;
                {ty} whole = 1, part = modf{suffix}(x, &whole), m = frexp{suffix}(x, &e);
                if (x != x) return -1;
                if (part == 0) return 1;
                if (signbit(part)) return 2;
                if (whole > 10) return 3;
                if (e > 3) return 4;
                if (e < -1050) return 5;
                if (m >= 0.75{suffix} || m < -0.6{suffix}) return 6;
                return whole == 2;
            }}"
        );
        agree(&parts, 0);
    }
}

#[test]
fn libm() {
    for function in
        ["sin", "cos", "tan", "exp", "log", "log10", "exp2", "expm1", "log1p", "cbrt", "atan", "tanh"]
    {
        agree(&of_one("double", &format!("{function}(x)")), 0);
        agree(&of_one("float", &format!("{function}f(x)")), 0);
    }
    for function in ["pow", "atan2", "hypot"] {
        agree(&of_one("double", &format!("{function}(x, y)")), 0);
    }
}

#[test]
fn errors_of_functions() {
    let source = "#include <math.h>
    #include <errno.h>
    int f(double x, double y) {
        errno = 0;
        double z = sqrt(x);
        if (errno == EDOM) return 1;
        z += exp(y);
        if (errno == ERANGE) return 2;
        z += fmod(x, y);
        if (errno) return 3;
        return z > 5;
    }";
    agree(source, 0);
}

#[test]
fn conversions() {
    for (from, to) in [
        ("double", "int"),
        ("float", "int"),
        ("double", "unsigned char"),
        ("float", "long"),
        ("double", "unsigned long"),
    ] {
        let source = format!(
            "int f({from} x, long n, unsigned long u) {{
                {to} a = ({to})x;
                {from} back = ({from})a, big = ({from})n, other = ({from})u;
                if (back != x) return 1;
                if (big == ({from})(n + 1)) return 2;
                if (other > 1e10f) return 3;
                if ((float)(double)big != (float)n) return 4;
                return a > 100;
            }}"
        );
        let module = common::compile(&source);
        let func = module.function("f").expect("the function exists");
        let tally = common::agree_on(&module, func, &source, 4000, &Unwinding::default());
        assert_eq!((tally.approximate, tally.cut, tally.other), (0, 0, 0), "{tally:#?}");
        assert!(tally.same > 1500, "{tally:#?}");
    }
}

#[test]
fn bits_and_classes() {
    let source = "#include <math.h>
    #include <string.h>
    union u { float f; unsigned b; unsigned char c[4]; };
    int f(float x, unsigned n) {
        union u u, v;
        u.f = x;
        v.b = n;
        if ((u.b >> 23 & 255) == 128) return 1;
        if (u.c[3] == 0x80) return 2;
        if (v.f > 1.0f && v.f < 2.0f) return 3;
        if (isnan(v.f)) return 4;
        if (isinf(x)) return x > 0 ? 5 : 6;
        switch (fpclassify(x)) { case FP_ZERO: return 7; case FP_SUBNORMAL: return 8; case FP_NAN: return 9; }
        return isnormal(v.f);
    }";
    agree(source, 0);
}

/// The bits of a NaN that was computed are nobody's business.
#[test]
fn the_bits_of_a_computed_nan_are_unknown() {
    let source = "#include <math.h>
    int f(double x, double y) { double z = x - y; if (signbit(z)) return 1; return z != z; }";
    let module = common::compile(source);
    let func = module.function("f").expect("the function exists");
    let tally = common::agree_on(&module, func, source, 4000, &Unwinding::default());
    assert!(tally.approximate > 0, "{tally:#?}");
}

/// A quotient of constants was folded to a NaN like any constant: its sign was taken to be known.
#[test]
fn the_bits_of_a_nan_computed_from_constants_are_unknown() {
    for quotient in ["z / z", "-(z / z)", "z * 0"] {
        let source = format!(
            "#include <math.h>
            static const float table[4] = {{ 0.0f, INFINITY, 2.0f, -1.0f }};
            int f(unsigned n) {{ float z = table[n & 3]; if (signbit({quotient})) return 1; return 0; }}"
        );
        let module = common::compile(&source);
        let func = module.function("f").expect("the function exists");
        let tally = common::agree_on(&module, func, &source, 1000, &Unwinding::default());
        assert!(tally.approximate > 0 && tally.same > 0, "{tally:#?}");
    }
}

/// Which of two zeros is the less, C does not say, and compilers exchange the operands.
#[test]
fn the_less_of_two_zeros_is_unknown() {
    for text in ["fmax@(x, y)", "fmin@(x, y)"] {
        agree(&of_one("float", &text.replace('@', "f")), 200);
        agree(&of_one("double", &text.replace('@', "")), 200);
    }
    let source = "#include <math.h>
    int f(double x, double y) { return signbit(fmin(x, y)) != 0; }";
    let module = common::compile(source);
    let func = module.function("f").expect("the function exists");
    let tally = common::agree_on(&module, func, source, 4000, &Unwinding::default());
    assert!(tally.approximate > 0, "{tally:#?}");
    // Where one of them is no zero, nothing is unknown.
    agree("#include <math.h>\nint f(double x) { return signbit(fmin(x, 2.0)) != 0; }", 0);
}
