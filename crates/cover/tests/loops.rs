//! Loops without a bound: branches behind and inside them that no run takes, and some that look so but are taken.

use std::time::Duration;

use quipu_cfront::Program;
use quipu_cover::{FunctionReport, Options, Subject, Verdict, cover, goals_of};

/// A function `f`, and how many of its branches are out of reach. All others are covered.
type Decided = (&'static str, usize);

const DECIDED: &[Decided] = &[
    // Parity, and a distance from where it began.
    ("int f(int n) { int i = 0; while (i < n) i += 2; if (i & 1) return 1; return 0; }", 1),
    ("int f(int n) { int i = 0; while (i < n) i += 2; if (i > 10) return 1; if (i == 7) return 2; return 0; }", 1),
    (
        "int f(unsigned n, unsigned a) { unsigned i = a; if (a > 90) return 2; while (i < n) i += 4;
         if ((i ^ a) & 3) return 1; return 0; }",
        1,
    ),
    ("int f(int n) { int i = 0; if (n > 1000000) return 0; while (i < n) i += 3; if (i % 3) return 1; return 0; }", 1),
    ("int f(int n) { int i = 1; if (n > 9999) return 0; while (i < n) i += 6; if (i % 3 != 1) return 1; return 0; }", 1),
    // Two numbers that move together, or towards each other.
    ("int f(unsigned n) { unsigned i = 0, j = 5; while (i < n) { i++; j++; } if (j - i != 5) return 1; return 0; }", 1),
    ("int f(unsigned n) { unsigned i, j; for (i = 0, j = n; i < j; i++, j--) ; if (i + j != n) return 1; return 0; }", 1),
    (
        "int f(int n) { int i, j; if (n < 0) return -1; for (i = 0, j = n; i < j; i++, j--) ;
         if (i - j > 1) return 1; return 0; }",
        1,
    ),
    (
        "int f(int n) { int i = n, k = 0; if (n < 0) return 0; while (i > 0) { i--; k++; }
         if (k != n) return 1; if (i != 0) return 2; return 0; }",
        2,
    ),
    ("int f(unsigned n) { unsigned a = 0, b = 0; while (n--) { a += 3; b += 2; } if (2 * a != 3 * b) return 1; return 0; }", 1),
    (
        "int f(unsigned n) { unsigned a = 7, b = 9, t; while (n--) { t = a; a = b; b = t; }
         if (a + b != 16) return 1; return 0; }",
        1,
    ),
    (
        "int f(const unsigned char *p, unsigned n) { unsigned odd = 0, even = 0; if (n > 4) return 9;
         for (unsigned i = 0; i < n; i++) { if (p[i] & 1) odd++; else even++; } if (odd + even != n) return 1; return 0; }",
        1,
    ),
    // Bounds that are kept.
    (
        "int f(unsigned n) { int c = 0; for (unsigned i = 0; i < n; i++) { if (c < 100) c++; }
         if (c > 100) return 1; if (c < 0) return 2; return 0; }",
        2,
    ),
    (
        "int f(unsigned n) { int level = 5; while (n) { if (n & 1) { if (level < 9) level++; } else if (level > 2) level--;
         n >>= 1; } if (level < 2) return 1; if (level > 9) return 2; return 0; }",
        2,
    ),
    (
        "int f(int n) { int lo = 0, hi = n; if (n < 0) return 0;
         while (lo < hi) { int mid = lo + (hi - lo) / 2; if (mid & 4) lo = mid + 1; else hi = mid; }
         if (lo > n) return 1; if (lo != hi) return 2; return 0; }",
        2,
    ),
    ("int f(unsigned n) { unsigned top = 0; while (n--) { top = (top + 1) % 10; } if (top >= 10) return 1; return 0; }", 1),
    // Euclid's algorithm by subtraction.
    (
        "int f(int x, int y) { int a, b, top = y; if (x <= 0 || y <= 0) return 0;
         while (x > 0) { if (x < y) { a = y; b = x; } else { a = x; b = y; } x = a - b; y = b; }
         if (y > top) return 1; if (y <= 0) return 2; return 0; }",
        2,
    ),
    (
        "int f(unsigned x, unsigned y) { if (x < 1 || x > 10 || y < 10 || y > 20) return 0;
         while (x > 0) { if (x < y) { x = x + y; y = x - y; x = x - y; } x = x - y; }
         if (y > 20) return 1; if (y == 0) return 2; return 0; }",
        2,
    ),
    // A machine with modes.
    (
        "int f(unsigned n) { int m = 0; while (n--) { switch (m) { case 0: m = 1; break; case 1: m = 2; break;
         case 2: m = 0; break; default: return 7; } } if (m > 2) return 1; return 0; }",
        2,
    ),
    // One loop in another.
    (
        "int f(unsigned n) { unsigned c = 0; for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < i; j++) c += 2;
         if (c & 1) return 1; return 0; }",
        1,
    ),
    // These can be reached, some only by numbers that wrap.
    ("int f(unsigned n) { unsigned i = 0; if (n > 500) return 0; while (i < n) i += 3; if (i == n) return 1; return 0; }", 0),
    ("int f(unsigned char n) { unsigned char i = 1; while (i != n) i += 2; if (i == 3) return 1; return 0; }", 0),
    ("int f(unsigned char n) { unsigned char i = 250; while (i >= n) i++; if (i < 5) return 1; return 0; }", 0),
    (
        "int f(unsigned n) { unsigned i = 0, s = 0; if (n > 300) return 0; while (i < n) { i++; s += i; }
         if (s == 55) return 1; return 0; }",
        0,
    ),
    (
        "int f(unsigned n) { unsigned char a = 0, b = 0; if (n > 300) return 2; while (n--) { a++; if (a > b) b = a; }
         if (a < b) return 1; return 0; }",
        0,
    ),
    (
        "int f(int n) { int i, j; if (n < 0 || n > 50) return -1; for (i = 0, j = n; i < j; i++, j--) ;
         if (i - j == 1) return 1; if (i == j) return 2; return 0; }",
        1,
    ),
];

fn compiled(text: &str) -> Program {
    let flags = quipu_cfront::Options::from_flags::<&str>(&[]).expect("no flags are fine");
    quipu_cfront::compile_source("f.c", text.as_bytes().to_vec(), &flags).expect("the program is correct")
}

fn report(text: &str) -> FunctionReport {
    let program = compiled(text);
    let options = Options { time: Duration::from_secs(60), ..Options::default() };
    let (func, _) = program.module.functions.entries().next().expect("there is a function");
    let subject = Subject::new(&program.module, func, Vec::new(), &options).expect("nothing is demanded");
    let goals = goals_of(&program, func, &options);
    let all: Vec<_> = goals.all().ids().collect();
    cover(&program, &subject, goals, &all, &options).expect("there are inputs")
}

#[test]
fn every_branch_is_covered_or_out_of_reach() {
    for &(text, out_of_reach) in DECIDED {
        let report = report(text);
        let decided =
            |verdict: &&Verdict| matches!(verdict, Verdict::Covered { .. }) || verdict.proof().is_some();
        let open: Vec<_> = report.verdicts.iter().filter(|verdict| !decided(verdict)).collect();
        assert!(open.is_empty(), "{text}: {open:?}");
        let unreachable = |verdict: &&Verdict| verdict.proof().is_some();
        assert_eq!(report.verdicts.iter().filter(unreachable).count(), out_of_reach, "{text}");
    }
}
