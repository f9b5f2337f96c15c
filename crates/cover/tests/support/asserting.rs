//! Random functions that assert something inside and behind loops without a bound.
//!
//! Inputs are few, so that all of them can be run, but nothing in the text says so: to a prover the loops have no end.
//! Bodies move counters as programs do, and assertions are of the kinds that invariants are made of; many of them hold.

use quipu_inputs::Shapes;
use quipu_testkit::grammar::{Grammar, Rules};
use quipu_testkit::rng::Rng;

use super::generator::Case;
use super::shapes::integers;

const FRONT: &str = "extern int env(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"f.c\", __LINE__, \"f\"))
";

/// An input, and its least and greatest value.
type Values = (&'static str, i64, i64);

/// Inputs: their types, and the values that count.
const PARAMETERS: [(&str, [Values; 2]); 7] = [
    ("signed char a, signed char b", [("a", -9, 30), ("b", -4, 12)]),
    ("unsigned char a, signed char b", [("a", 0, 40), ("b", -3, 8)]),
    ("int a, int b", [("a", -5, 40), ("b", 0, 15)]),
    ("unsigned a, unsigned b", [("a", 0, 50), ("b", 0, 9)]),
    ("short a, unsigned char b", [("a", -30, 30), ("b", 250, 255)]),
    ("signed char a, int b", [("a", -128, 127), ("b", 0, 2)]),
    ("unsigned char a, unsigned char b", [("a", 0, 255), ("b", 1, 3)]),
];

/// `T` a type, `I` and `N` what variables begin with, `V` a variable, `K` a number above zero, `E` a number, `C` a condition, `M` how a variable moves,
/// `B` the body of a loop, `L` a loop, `P` what is asserted, `S` a statement.
const RULES: Rules = &[
    ('T', &["int", "int", "unsigned", "signed char", "unsigned char", "short"]),
    ('I', &["0", "0", "0", "1", "a", "b", "$K"]),
    ('N', &["a", "a", "b", "a + b", "a - b", "20", "b + $K"]),
    ('V', &["x", "y", "i", "n"]),
    ('K', &["1", "1", "2", "3", "4", "5", "7", "10"]),
    (
        'E',
        &[
            "0",
            "1",
            "a",
            "b",
            "x",
            "y",
            "i",
            "n",
            "$K",
            "-$K",
            "$V + $K",
            "$V - $K",
            "a + b",
            "$V & $K",
            "$V % $K",
            "$V * $K",
            "$V / $K",
            "a - b",
            "x + y",
            "n - i",
            "$V ^ $V",
            "($V < $E ? $E : $E)",
        ],
    ),
    (
        'C',
        &[
            "x < y", "x > 0", "i < n", "i != n", "y & 1", "$V < $E", "$V > $E", "$V == $E", "$V != $E",
            "$V <= $E", "$V >= $E", "$C && $C", "$C || $C", "!($C)",
        ],
    ),
    (
        'M',
        &[
            "$V++;",
            "$V--;",
            "$V += $K;",
            "$V -= $K;",
            "x += $E;",
            "y -= $E;",
            "$V = $E;",
            "x = y; y = $E;",
            "$V >>= 1;",
            "$V = ($V + 1) % $K;",
            "if (x < $K) x++;",
            "if (y > $K) y -= $K;",
            "x += y;",
            "y = n - i;",
        ],
    ),
    (
        'B',
        &[
            "$M",
            "$M $M",
            "$M if ($C) { $M } else { $M }",
            "if ($C) { $M $M }",
            "if ($C) break; $M",
            "$M assert($P); $M",
            "$M $M if ($C) continue; $M",
            "$L $M",
        ],
    ),
    (
        'L',
        &[
            "while (i < n) { $B i++; }",
            "while (i < n) { i++; $B }",
            "while (i != n) { $B i++; }",
            "while (n > 0) { $B n -= $K; }",
            "while (n-- > $K) { $B }",
            "while (x < y) { $B x += $K; }",
            "while (x != y) { if (x > y) x -= $K; else y -= $K; $B }",
            "for (i = 0; i < n; i += $K) { $B }",
            "for (i = n; i > 0; i--) { $B }",
            "do { $B i++; } while (i < n);",
            "while ($C) { $B }",
            "while ($C) { $B n--; }",
            "while (y) { $B y >>= 1; }",
            "while (y) { x = x + 1; y = y & (y - 1); }",
            "while (n >= $K) { n -= $K; x++; }",
        ],
    ),
    (
        'P',
        &[
            "i >= n",
            "i <= n",
            "i == n",
            "x >= 0",
            "y >= 0",
            "n <= 0",
            "x <= y",
            "x >= y || $C",
            "x + y == $E",
            "x == y",
            "$C",
            "$C || $C",
            "i - x == $E",
            "x == $K * i",
            "(x & 1) == 0",
            "x % $K == 0",
            "x < $K || y < $K",
            "x <= 10 * $K",
            "i <= n || n < 0",
            "(x ^ i) != $K",
            "y != $K",
            "x != $K",
        ],
    ),
    (
        'S',
        &[
            "$L",
            "$L",
            "$M",
            "if ($C) { $M }",
            "if ($C) { $L } else { $M }",
            "if ($C) return 0;",
            "assert($P);",
            "if ($C) assert($P);",
            "if ($C) { assert($P); $M }",
        ],
    ),
];

/// What asks the environment.
const ENVIRONMENT: Rules = &[
    ('C', &["env() > 0", "env() & 1", "env() == $K"]),
    ('M', &["x = env();", "if (env() > 0) $V++;", "x += env() & 3;", "$V = env() % $K;"]),
    (
        'L',
        &[
            "while (env()) { $B }",
            "while (env() > 0) { if (x < 10 * $K) x++; $B }",
            "for (;;) { int t = env(); if (t < 0) break; if (t & 1) i++; else $V = $E; $B }",
            "do { $B } while (env() & 1);",
        ],
    ),
];

/// The function that a seed names.
pub fn asserting(seed: u64) -> Case {
    function(seed, &[RULES])
}

/// The one with an environment, which answers whatever it likes.
pub fn asking(seed: u64) -> Case {
    function(seed, &[RULES, ENVIRONMENT, ENVIRONMENT])
}

fn function(seed: u64, rules: &[Rules]) -> Case {
    let mut rng = Rng::new(Rng::derive(0x00a5_5e47, seed));
    let (parameters, values) = PARAMETERS[rng.index(PARAMETERS.len())];
    let flags = if rng.chance(30) { vec!["-fwrapv"] } else { Vec::new() };
    let mut writer = Grammar { rng: &mut rng, rules };
    let mut text = format!("{FRONT}int f({parameters}) {{\n");
    for name in ["x", "y", "i"] {
        text.push_str(&writer.expand(&format!("    $T {name} = $I;\n"), 1));
    }
    text.push_str(&writer.expand("    $T n = $N;\n", 1));
    for _ in 0..writer.rng.between(1, 3) {
        text.push_str(&writer.expand("    $S\n", 3));
    }
    text.push_str(&writer.expand("    $L\n    assert($P);\n    assert($P);\n    return 0;\n}\n", 3));
    let ranges = values.iter().map(|&(name, low, high)| integers(name, low, high)).collect();
    Case { seed, text, flags, ranges, shapes: Shapes::default() }
}
