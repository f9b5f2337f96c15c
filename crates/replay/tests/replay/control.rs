//! Control flow: what is measured is what the interpreter predicts, step by step.

use crate::support::{Subject, Values, confirmed, confirmed_with, leaves};
use quipu_interp::Step;
use quipu_replay::{Ending, Replayer};

#[test]
fn macros_in_conditions() {
    let source = "
        #define IN(x, a, b) ((x) >= (a) && (x) <= (b))
        #define BOTH(p, q) (IN(p, 1, 5) && IN(q, (p), 9))
        #define SWAP(a, b) do { int t = a; a = b; b = t; } while (0)
        #define MAX(a, b) ({ int ma = (a), mb = (b); ma > mb ? ma : mb; })
        int f(int x, int y) {
            int r = 0;
            if (BOTH(x, y) || !IN(x, -3, 3)) r = 1; else if (IN(y, 4, 4)) r = 2;
            if (x > y) SWAP(x, y);
            r += MAX(x, y);
            return r + x;
        }";
    let cases = [(0, 0), (2, 3), (2, 10), (9, 4), (-9, 0), (1, 4), (3, -3)];
    for (x, y) in cases {
        confirmed(source, "f", &[leaves(&[("x", x), ("y", y)])]);
    }
}

#[test]
fn conditionals_and_logical_values() {
    let source = "
        static int twice(int v, int w) { return v * 2 + (w || v); }
        int f(int x, int y, char *p) {
            int r = x ? y ? 1 : 2 : y > 3 && x < 9 ? 3 : 4;
            r += twice((x) && (y), 1);
            r = r ?: y;
            r += (x ?: y) + (p ? 1 : 0);
            if (!(x && !(y || r)) && p) r++;
            return 100 * r + (x > 0 && (y > 0 || r > 0));
        }";
    let subject = Subject::new(&[source], &[]);
    let all: Vec<[(&str, i64); 3]> =
        (0..8).map(|n| [("x", 7 * (n & 1)), ("y", 4 * (n >> 1 & 1)), ("p", n >> 2)]).collect();
    let values: Vec<Values<'_>> = all.iter().map(|values| leaves(values)).collect();
    confirmed_with(&subject, "f", &values);
}

#[test]
fn switches() {
    let source = "
        enum colour { RED, GREEN = 7, BLUE };
        int f(int x, unsigned long long u, enum colour c, unsigned char b) {
            int r = 0;
            switch (x) {
                case 1: r = 1;
                case 2 ... 5: { int z = r; r = z + 2; } break;
                case -7: r = 9; break;
                default: r = 3;
                case 100: r++;
            }
            switch (u) { case 0xffffffffffffffffull: r += 10; break; case 1ull << 63: r += 20; }
            switch (c) { case RED: return r; case GREEN: r++; break; case BLUE: r--; }
            switch (b & 3) case 2: r += 100;
            switch (b) { case 255: r += 1000; break; case 128 ... 254: r += 2000; }
            return r;
        }";
    let values = [
        leaves(&[("x", 1), ("u", -1), ("c", 7), ("b", 255)]),
        leaves(&[("x", 4), ("u", i64::MIN), ("c", 8), ("b", 128)]),
        leaves(&[("x", -7), ("u", 0x7fff_ffff), ("c", 0), ("b", 2)]),
        leaves(&[("x", 100), ("u", 0xffff_ffff), ("c", 5), ("b", 6)]),
        leaves(&[("x", -2_147_483_648), ("c", 7), ("b", 254)]),
    ];
    confirmed(source, "f", &values);
}

#[test]
fn loops() {
    let source = "
        typedef unsigned long size;
        struct node { int v; };
        int f(int n, int *a) {
            int r = 0, i, j = 1;
            for (int k = 0, m = n; k < m; k++) if (k & 1) continue; else r += k;
            for (size s = 0; s < 3; ++s) r++;
            for (struct node q = { n }; q.v > 0; q.v -= 2) { if (q.v == 3) break; r += q.v; }
            for (i = 0; ; i++) { if (i > n) break; }
            for (;;) { if (j++ > 2) break; else continue; }
            for (; j < 9; ) j++;
            for ((i) -= 2, (j)++; (i) > 0; (i)--) { (r)++; }
            while (n > 0 && a[0] < 5) { a[0]++; n--; }
            while ((r -= 3) > 10) ;
            do r++; while (r < 3);
            do { if (r == 4) { r++; continue; } r += 2; } while (r < 7 || r % 3);
            if (n) for (int z = 0; z < 2; z++) r++; else while (r > 20) r -= 5;
            return r;
        }";
    let values = [
        leaves(&[("n", 0), ("a", 1)]),
        leaves(&[("n", 5), ("a", 1), ("a[0]", 3)]),
        leaves(&[("n", 11), ("a", 1), ("a[0]", -20)]),
    ];
    let seen = confirmed(source, "f", &values);
    assert!(!seen[1].replayed.outputs.is_empty());
}

#[test]
fn labels_and_gotos() {
    let source = "
        int f(int x) {
            int r = 0;
            if (x > 5) goto out;
            if (x < 0) neg: r--;
        again:
            r++;
            switch (x) { for (; x < 3; x++) { case 1: r += 10; case 2: ; } }
            if (r < 4) goto again;
            if (x == 4) { x = 5; goto neg; }
            { static void *to[] = { &&out, &&last }; goto *to[x == 5]; }
        last: __extension__ int y = r; r += y;
        out: ;
            int z = 3;
            return r + z;
        }";
    let all: Vec<[(&str, i64); 1]> = (-2..8).map(|x| [("x", x)]).collect();
    let values: Vec<Values<'_>> = all.iter().map(|values| leaves(values)).collect();
    confirmed(source, "f", &values);
}

#[test]
fn recursion_and_old_style_functions() {
    let source = "
        int odd(); int even(n) int n; { return n == 0 || odd(n - 1); }
        int odd(n) int n; { if (n == 0) return 0; return even(n - 1); }
        unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int f(short n, float x, double d) { return fib(n) + even(n) + (x < d); }";
    let half = i64::from(0.5f32.to_bits());
    let one = 1f64.to_bits() as i64;
    confirmed(source, "f", &[leaves(&[("n", 7), ("x", half), ("d", one)]), leaves(&[("n", 0), ("x", half)])]);
}

#[test]
fn statement_expressions_and_nested_blocks() {
    let source = "
        int f(int x) {
            int r = ({ int t = x; if (t > 2) t++; else { t--; } t * 2; });
            { { ; } }
            if (x) { } else ;
            if (x > 1) if (x > 2) r++; else r--;
            for (int i = ({ r += 1; 0; }); i < 2; i++) ({ r++; (void)0; });
            r += sizeof(x ? 1 : 2), r += 1 ? x : 2;
            if (sizeof(int) == 2) { extern int missing(void); r = missing(); }
            while (1) { if (r++ > 3) break; }
            return r;
        }";
    confirmed(source, "f", &[leaves(&[("x", 0)]), leaves(&[("x", 2)]), leaves(&[("x", 3)])]);
}

#[test]
fn an_order_that_c_leaves_open_is_no_difference() {
    let source = "
        static int g(int a) { return a > 2 ? a : 0; }
        int f(int x) { int r = 0; r = g(x) + g(x && 3) * g(x || 9); return r ? g(g(x) + (x > 1)) : g(x > 3); }";
    let subject = Subject::new(&[source], &["-O2"]);
    for x in [0, 1, 2, 5] {
        let seen = crate::support::both(&subject, "f", &[leaves(&[("x", x)])]);
        assert_eq!(seen[0].verdict, quipu_replay::Verdict::Confirmed);
    }
    let failing = "#include <assert.h>
        #define CHECKED(c) ({ assert(c); 1; })
        int g(int a, int b) { return a + b; }
        int f(int x) { int r = x; return g(CHECKED(x > 1 && r), CHECKED(x < 9 || r == 3)); }";
    let subject = Subject::new(&[failing], &[]);
    for x in [0, 1, 3, 9] {
        let seen = crate::support::both(&subject, "f", &[leaves(&[("x", x)])]);
        assert_eq!(seen[0].verdict, quipu_replay::Verdict::Confirmed, "{x}");
    }
    let calls = "int g(int a, int b) { return a - b; } int f(int x) { return g(x && 1, x || 2); }";
    let subject = Subject::new(&[calls], &[]);
    assert_eq!(
        crate::support::both(&subject, "f", &[leaves(&[("x", 1)])])[0].verdict,
        quipu_replay::Verdict::Confirmed
    );
}

#[test]
fn the_users_main_is_a_function_like_any_other() {
    let source = "
        #include <stdio.h>
        int main(int argc, char **argv) {
            if (argc > 2) return argc;
            printf(\"%d\\n\", argc);
        }";
    let seen = confirmed(source, "main", &[leaves(&[("argc", 5)]), leaves(&[("argc", 1)])]);
    assert_eq!(seen[0].replayed.ending, Ending::Returned(Some(5)));
    assert_eq!(seen[1].replayed.ending, Ending::Returned(Some(0)));
    assert!(seen[1].replayed.steps.iter().any(|step| matches!(step, Step::Leave(_))));
}

#[test]
fn flags_of_the_user_are_used() {
    let source = "
        #include LIMITS
        #ifdef BIG
        #define TOP (INT_MAX - 1)
        #else
        #define TOP 3
        #endif
        int f(int x, char c) { return x > TOP && c > 100; }";
    let flags = [
        "-D",
        "BIG=1",
        "-DLIMITS=<limits.h>",
        "-O1",
        "-Wall",
        "-Werror",
        "-g",
        "-funsigned-char",
        "-std=c99",
    ];
    let subject = Subject::new(&[source], &flags);
    let x = i64::from(i32::MAX);
    let seen = confirmed_with(&subject, "f", &[leaves(&[("x", x), ("c", 200)]), leaves(&[("x", 4)])]);
    assert_eq!(seen[0].replayed.ending, Ending::Returned(Some(1)));
}

#[test]
fn conditions_in_parameters_are_not_measured() {
    let source = "int f(int n, int a[n > 0 ? n : 1]) { if (n > 2) return a[0]; return 1; }";
    let subject = Subject::new(&[source], &[]);
    let interfaces = [subject.interface("f")];
    let mut replayer = Replayer::build(&subject.setup(&interfaces)).unwrap();
    assert_eq!(replayer.unmeasured(), [(interfaces[0].func, "the condition `n > 0`".to_string())]);
    let replayed = replayer.run(0, &crate::support::inputs(&interfaces[0], &leaves(&[("n", 1)])));
    assert_eq!(replayed.steps.len(), 5);
}

#[test]
fn old_dialects() {
    let source = "
        int f(x, c) int x; char c; {
            int i, r = 0; /* as in 1989 */
            for (i = 0; i < x; i++) if (c) r += i; else --r;
            { long y = r; switch (y) { case 3: return 1; default: r = y; } }
            while (x--) { if (x == 2) break; }
            return r;
        }";
    for flags in [&["-ansi"][..], &["-std=c89", "-pedantic-errors"], &["-std=gnu89"], &["-std=c11", "-O3"]] {
        let subject = Subject::new(&[source], flags);
        confirmed_with(&subject, "f", &[leaves(&[("x", 3), ("c", 1)]), leaves(&[("x", 5)])]);
    }
}
