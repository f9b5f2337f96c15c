//! Random functions of which only a part matters for what they assert.
//!
//! Two or three strands of computation have variables of their own, loops, helpers and ways to end the run early, and
//! now and then one of them looks at another: through a parameter, a global, a pointer, or by what it lets happen.

use quipu_inputs::Shapes;
use quipu_testkit::grammar::{Grammar, Rules};
use quipu_testkit::rng::Rng;

use super::generator::Case;
use super::shapes::integers;

const FRONT: &str = "extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern void exit(int) __attribute__((noreturn));
extern void __VERIFIER_assume(int);
extern void *malloc(unsigned long);
extern void free(void *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"f.c\", __LINE__, \"f\"))
struct pair { int left, right; };
static int g, h, last;
static struct pair both = { 3, 4 };
static void require(int holds) { if (!holds) exit(1); }
static void stop(int code) { last = code; exit(code); }
static int bump(int by) { g += by; return g; }
static int half(int of) { int n = 0; while (of > 1) { of -= 2; n++; } return n; }
static void put(int *where, int what) { *where = what; }
static int pick(struct pair *from, int which) { return which ? from->left : from->right; }
static void both_ways(int n) { for (int k = 0; k < n; k++) { h += k; if (h > 50) h = 0; } }
";

/// `S` a statement, `L` a loop, `P` what is asserted, `V` and `W` variables of two strands, `A` any variable, `E` a number,
/// `C` a condition, `K` a small number.
const RULES: Rules = &[
    ('K', &["0", "1", "2", "3", "5", "7"]),
    ('V', &["x", "x", "x", "g", "y"]),
    ('W', &["y", "y", "h", "z", "z"]),
    ('A', &["$V", "$V", "$V", "$W", "a", "b", "last", "both.left", "both.right"]),
    (
        'E',
        &[
            "$K",
            "$A",
            "$A + $K",
            "$A - $K",
            "$A & 7",
            "half($A & 15)",
            "pick(p, $A)",
            "pick(&both, $A & 1)",
            "bump($K)",
            "*q",
            "$A * $K",
            "t[$A & 3]",
        ],
    ),
    (
        'C',
        &[
            "$A < $E",
            "$A > $K",
            "$A == $E",
            "$A != $K",
            "$A & 1",
            "$V <= $V",
            "(void *)p == (void *)q",
            "a > b",
        ],
    ),
    (
        'S',
        &[
            "$V = $E;",
            "$W = $E;",
            "$V += $K;",
            "$W -= $K;",
            "if ($C) $V = $E;",
            "if ($C) $W = $E; else $W++;",
            "put(&$V, $E);",
            "put(&$W, $E);",
            "put(q, $E);",
            "p->left = $E;",
            "both.right = $E;",
            "t[$A & 3] = $E;",
            "both_ways($A & 7);",
            "bump($E);",
            "require($C);",
            "if ($C) stop($K);",
            "if ($C) exit($K);",
            "if ($C) return $E;",
            "__VERIFIER_assume($C);",
            "assert($C || $C);",
            "q = $C ? &x : &y;",
            "p = $C ? &mine : &both;",
            "{ int *m = malloc(4); if (m) { *m = $E; $W = *m; free(m); } }",
            "switch ($A & 3) { case 0: $V++; break; case 1: $W++; default: $W--; }",
            "$L",
            "$L",
        ],
    ),
    (
        'L',
        &[
            "for (int k = 0; k < ($A & 15); k++) { $S $S }",
            "while ($W > 0) { $W--; $S }",
            "while ($V < a) { $V++; if ($C) break; }",
            "for (int k = $K; k; k--) { $S }",
            "for (int k = 0; k < b; k++) { $W += k & 3; if ($W > 9) $W = 0; }",
        ],
    ),
    ('P', &["$C", "$V <= $V + 1 || $C", "x < $K || x >= $K || $C", "$V != $K || $C", "!($C) || $C"]),
];

/// The function with a seed.
pub fn sliceable(seed: u64) -> Case {
    let mut rng = Rng::new(Rng::derive(0x511c_ab1e, seed));
    let mut text = format!("{FRONT}int f(signed char a, signed char b) {{\n");
    text.push_str("    int x = a, y = b, z = 0, t[4] = { 1 }, *q = &z;\n");
    text.push_str("    struct pair mine = { a, 0 }, *p = &mine;\n");
    text.push_str("    g = h = last = 1;\n    both.left = 3;\n    both.right = 4;\n");
    let mut writer = Grammar { rng: &mut rng, rules: &[RULES] };
    for _ in 0..writer.rng.between(2, 5) {
        text.push_str(&writer.expand("    $S\n", 3));
    }
    for _ in 0..writer.rng.between(1, 2) {
        text.push_str(&writer.expand("    $L\n    assert($P);\n", 3));
    }
    text.push_str("    return x + y + z + g + h + last + both.left + both.right;\n}\n");
    let globals = ["g", "h", "last", "both.left", "both.right"].map(|name| integers(name, 1, 1));
    let ranges = [integers("a", -3, 12), integers("b", -2, 6)].into_iter().chain(globals).collect();
    Case { seed, text, flags: Vec::new(), ranges, shapes: Shapes::default() }
}
