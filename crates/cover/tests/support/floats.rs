//! Random functions of floats: of a few neighbours each, and of special values that a small number chooses.

use quipu_cover::Range;
use quipu_inputs::{Allowed, Number, Shapes};
use quipu_testkit::grammar::{Grammar, Rules};
use quipu_testkit::rng::Rng;

use super::generator::Case;
use super::shapes::integers;

/// Functions with exact operations alone.
pub fn arithmetic(seed: u64) -> Case {
    case(seed, 0x00f1_0a75, &[EXACT])
}

/// Functions that look at the bits of floats, and convert them.
pub fn bits(seed: u64) -> Case {
    case(seed, 0x00f1_0b17, &[EXACT, BITS])
}

/// Functions that also call those of libm.
pub fn libm(seed: u64) -> Case {
    case(seed, 0x00f1_011b, &[EXACT, LIBM])
}

/// The inputs are `x`, `y` and `n`. `real` is one of the formats, `M` the name of a function for it.
fn case(seed: u64, stream: u64, rules: &[Rules]) -> Case {
    let mut rng = Rng::new(Rng::derive(stream, seed));
    let double = rng.chance(50);
    let ranges =
        vec![neighbours(&mut rng, double, "x", 6), neighbours(&mut rng, double, "y", 5), integers("n", 0, 7)];
    let mut writer = Grammar { rng: &mut rng, rules };
    let mut text = String::from("#include <math.h>\n#include <string.h>\n");
    text.push_str(if double {
        "typedef double real;\n#define M(name) name\n"
    } else {
        "typedef float real;\n#define M(name) name##f\n"
    });
    text.push_str("static const real table[8] = { 0.0, -0.0, INFINITY, -INFINITY, NAN, ");
    text.push_str(&writer.expand("$K, $K, $K };\nint f(real x, real y, signed char n) {\n", 0));
    text.push_str("    int r = 0, k = n;\n    real z = table[n], v[2] = { 1, 2 };\n    float s = (float)y;\n    double d = x;\n");
    for _ in 0..writer.rng.between(1, 4) {
        text.push_str(&format!("    {}\n", writer.expand("$S", 3)));
    }
    text.push_str(&writer.expand(FINALE, 2));
    Case { seed, text, flags: Vec::new(), ranges, shapes: Shapes::default() }
}

/// Where something changes: zeros, ends of integers and of the formats, numbers that are no sums of few powers of two.
const STARTS: [f64; 18] = [
    0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    0.1,
    -2.5,
    100.0,
    255.0,
    16_777_216.0,
    2_147_483_648.0,
    -2_147_483_649.0,
    9_007_199_254_740_992.0,
    9_223_372_036_854_775_808.0,
    1e-40,
    1e38,
    f64::INFINITY,
];

/// An input with a few floats around a number.
fn neighbours(rng: &mut Rng, double: bool, name: &str, most: i64) -> Range {
    let start = *rng.pick(&STARTS);
    let (below, above) = (rng.between(0, most / 2), rng.between(0, most / 2));
    let (mut low, mut high) = (start, start);
    let down = |x: f64| if double { x.next_down() } else { f64::from((x as f32).next_down()) };
    let up = |x: f64| if double { x.next_up() } else { f64::from((x as f32).next_up()) };
    (0..below).for_each(|_| low = down(low));
    (0..above).for_each(|_| high = up(high));
    let (low, high) = if double { (low, high) } else { (f64::from(low as f32), f64::from(high as f32)) };
    Range { name: name.to_string(), values: Allowed::Between(Number::Float(low), Number::Float(high)) }
}

/// What every function ends with: places that are harder and harder to get to.
const FINALE: &str = "    if ($C) r += 5;
    if ($C && $C) { r++; if ($C) r = 2; }
    if ($F) { r = 6; if ($F) r = 7; }
    return r;
}
";

/// `K` is a constant, `R` a float, `A` a small integer, `C` a condition, `F` one that is rarely true, `S` a statement.
const EXACT: Rules = &[
    (
        'K',
        &[
            "0.0",
            "-0.0",
            "1.0",
            "-1.0",
            "2.0",
            "0.5",
            "-2.5",
            "0.1",
            "10.0",
            "3.25",
            "100.0",
            "1e10",
            "1e-10",
            "1e30f",
            "1e-40",
            "16777216.0",
            "16777217.0",
            "2147483647.0",
            "0.1f",
        ],
    ),
    (
        'R',
        &[
            "x",
            "x",
            "y",
            "y",
            "z",
            "z",
            "d",
            "s",
            "$K",
            "$K",
            "v[n & 1]",
            "(real)k",
            "(real)$A",
            "(float)$R",
            "(double)$R",
            "($R + $R)",
            "($R + $R)",
            "($R - $R)",
            "($R - $R)",
            "($R * $R)",
            "($R * $R)",
            "($R / $R)",
            "-($R)",
            "M(fabs)($R)",
            "M(sqrt)($R)",
            "M(floor)($R)",
            "M(ceil)($R)",
            "M(trunc)($R)",
            "M(round)($R)",
            "M(rint)($R)",
            "M(fmin)($R, $R)",
            "M(fmax)($R, $R)",
            "M(fmod)($R, $R)",
            "M(copysign)($R, $R)",
            "M(fma)($R, $R, $R)",
            "($C ? $R : $R)",
        ],
    ),
    ('A', &["n", "k", "r", "$0", "(n & 3)", "($C ? 1 : 0)", "($A ^ $A)", "($A & 7)"]),
    (
        'C',
        &[
            "n > 3",
            "n == $0",
            "r > 2",
            "$A == $A",
            "$R < $R",
            "$R <= $R",
            "$R > $R",
            "$R >= $R",
            "$R == $R",
            "$R != $R",
            "x < $R",
            "y > $R",
            "z == $R",
            "isnan($R)",
            "isinf($R)",
            "isfinite($R)",
            "signbit(x * 1)",
            "isless($R, $R)",
            "isunordered($R, $R)",
            "!($C)",
            "($C && $C)",
            "($C || $C)",
            "$R",
        ],
    ),
    (
        'F',
        &[
            "x < y && y < x",
            "x * x < 0",
            "$R + 1 == $R",
            "x == y && 1 / x != 1 / y",
            "$R != $R && $C",
            "(x + y) - y != x && $C",
            "M(sqrt)(x) * M(sqrt)(x) == x && $C",
            "$R == $R && $R > $R",
            "(float)x != x",
            "x / 3 * 3 != x",
            "M(floor)(x) > x",
            "M(fabs)(x) < 0",
            "z * 0 != 0",
            "$C && $C",
        ],
    ),
    (
        'S',
        &[
            "x = $R;",
            "y = $R;",
            "z = $R;",
            "d = $R;",
            "s = $R;",
            "r = $A & 7;",
            "k = $A & 15;",
            "v[n & 1] = $R;",
            "x += $R;",
            "z *= $R;",
            "if ($C) { $S }",
            "if ($C) { $S } else { $S }",
            "if ($C) { $S $S }",
            "if ($F) { r = 3; $S }",
            "if ($C) return 9;",
            "for (int i = 0; i < 3; i++) { z = $R; $S }",
            "for (int i = 0; i < 4 && x < y; i++) x = x * 2 + 1;",
            "switch (n) { case 1: $S break; case 4: $S default: r = 1; }",
        ],
    ),
];

const BITS: Rules = &[
    (
        'R',
        &[
            "M(ldexp)($R, $A)",
            "M(ldexp)($R, $A * 20 - 70)",
            "M(frexp)($R, &k)",
            "M(modf)($R, &z)",
            "(real)(int)$R",
            "(real)(unsigned char)k",
            "(real)((long long)k << 40)",
            "(real)-1ll",
            "(real)~0ull",
        ],
    ),
    (
        'A',
        &[
            "(int)$R",
            "(int)$R",
            "(unsigned char)$R",
            "(_Bool)$R",
            "(short)$R",
            "(long long)$R",
            "(unsigned)$R",
            "(M(lrint)($R) & 3)",
            "(M(lround)($R) == 1)",
            "(M(ilogb)($R) == 3)",
            "fpclassify($R)",
            "(signbit($R) != 0)",
            "((union { float f; int i; }){ (float)x }.i & 7)",
            "((union { double f; long long i; }){ y }.i >> 52 & 15)",
        ],
    ),
    ('C', &["signbit($R)", "isnormal($R)", "(int)x == k", "$R == (real)(int)x"]),
    ('S', &["{ unsigned b; float g = $R; memcpy(&b, &g, 4); r = b >> 23 & 7; }", "k = (int)$R;", "n = $R;"]),
];

const LIBM: Rules = &[
    (
        'R',
        &[
            "M(sin)($R)",
            "M(cos)(x)",
            "M(exp)($R)",
            "M(log)($R)",
            "M(pow)($R, $R)",
            "M(atan2)($R, $R)",
            "M(cbrt)($R)",
            "M(hypot)($R, $R)",
            "M(exp)(x)",
            "M(log)(y)",
            "M(tanh)($R)",
            "M(fdim)($R, $R)",
            "M(nextafter)($R, $R)",
            "M(remainder)($R, $R)",
        ],
    ),
    ('F', &["M(exp)(x) < 0", "M(sin)(x) > 1", "M(log)(x) > x", "M(pow)(x, 2) == x * x && $C"]),
];
