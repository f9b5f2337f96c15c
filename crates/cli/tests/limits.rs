//! Limits of time and memory, interruptions and crashes: what is known is told, and soon.
//!
//! Times are CPU times, so that a busy machine passes as well. They are generous, but far below what the same programs
//! took when limits were kept only where somebody looked at the clock.

#[path = "support/mod.rs"]
mod support;
#[path = "support/watched.rs"]
mod watched;

use std::time::Instant;

use support::quipu;
use watched::{measure, start};

pub use support::empty_folder;

/// What reading, compiling and writing may take on top of the limits for functions.
const AROUND: f64 = 4.0;
/// By how much `--time` may be exceeded.
const TOLERANCE: f64 = 2.0;

/// Products of inputs in a bubble sort: easy to run, hopeless to solve.
const SORTED_PRODUCTS: &str = "int f(const int *x, const int *y) {
    long long p[64];
    for (int i = 0; i < 64; i++) p[i] = (long long)x[i % 8] * y[i / 8];
    for (int i = 0; i < 64; i++)
        for (int j = 0; j + 1 < 64 - i; j++)
            if (p[j] > p[j + 1]) { long long t = p[j]; p[j] = p[j + 1]; p[j + 1] = t; }
    if (p[0] > 1000) return 1;
    if (p[31] == 123457) return 3;
    return 0;
}";

/// A chain of multiplications that SAT takes much memory for.
const LONG_PRODUCT: &str = "int f(unsigned long a, unsigned long b, unsigned long c) {
    unsigned long x = a;
    for (int i = 0; i < 200; i++) x = x * b + c * x * x + 1;
    if (x == 0x123456789abcdefUL) return 1;
    if (x % 1000003 == 17 && a > 1000) return 2;
    return 0;
}";

#[test]
fn memory_that_is_used_up_leaves_what_was_found() {
    for (name, program, covered) in [("products", SORTED_PRODUCTS, 9), ("chain", LONG_PRODUCT, 3)] {
        let run = measure(name, program, "cover p.c --memory 300M --time 20 --json");
        let run = run.exits(3).holds_at_most(345).leaves_nothing();
        assert!(run.count("covered") >= covered && run.count("confirmed") >= 1, "{}", run.stdout);
        assert!(run.stdout.contains("the memory is used up"), "{}", run.stdout);
    }
}

#[test]
fn the_next_function_has_as_much_memory_as_the_first() {
    let program = format!("{LONG_PRODUCT}\nint g(int x) {{ if (x == 4711) return 1; return 0; }}");
    let run = measure("next", &program, "cover p.c --memory 300M --time 20 --json").exits(3);
    let goals = run.json()["functions"][1]["summary"].clone();
    assert_eq!((&goals["covered"], &goals["gave-up"]), (&2.into(), &0.into()), "{}", run.stdout);
}

#[test]
fn lists() {
    let list = "#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *insert(struct node *l, int k) {
    struct node *n = malloc(sizeof *n), *p = l;
    if (!n) return l;
    n->key = k;
    if (!l || l->key >= k) { n->next = l; return n; }
    while (p->next && p->next->key < k) p = p->next;
    n->next = p->next; p->next = n;
    return l;
}\n";
    let merge = format!(
        "{list}int f(struct node *a, struct node *b, int k) {{
    int n = 0;
    a = insert(a, k);
    while (b) {{ a = insert(a, b->key); b = b->next; }}
    for (struct node *p = a; p; p = p->next) {{
        if (p->key > 100) n++;
        if (p->key == 77 && n == 25) return -1;
    }}
    return n;
}}"
    );
    let reverse = format!(
        "{list}int f(struct node *l, int k) {{
    struct node *r = 0;
    while (l) {{ struct node *t = l->next; l->next = r; r = l; l = t; k = k * 3 + r->key; }}
    r = insert(r, k);
    while (r && r->next) {{ if (r->key == r->next->key + 1000 && k == 4711) return 1; r = r->next; }}
    return 0;
}}"
    );
    for (name, program) in [("merge", merge), ("reverse", reverse)] {
        let run = measure(name, &program, "cover p.c -f f --memory 250M --time 3 --json");
        let run = run.takes_at_most(3.0 + TOLERANCE + AROUND).holds_at_most(290);
        assert!(run.count("covered") >= 4, "{}", run.stdout);
    }
}

#[test]
fn very_many_inputs() {
    let array = "struct big { int v[100000]; };
int f(struct big b, int k) {
    long s = 0;
    for (int i = 0; i < 100000; i++) s += b.v[i];
    if (s == 4711) return 1;
    return b.v[99999] == 7 && b.v[50000] == k;
}";
    let members: String = (0..20000).map(|n| format!("int m{n};")).collect();
    let members = format!(
        "struct s {{ {members} }};
int f(struct s a, struct s b, struct s c) {{
    if (a.m77 == 5 && b.m19999 == a.m3) return 1;
    return b.m5 + c.m6 == 1;
}}"
    );
    for (name, program) in [("array", array), ("members", &members)] {
        let run = measure(name, program, "cover p.c --memory 700M --time 3 --json");
        let run = run.takes_at_most(3.0 + TOLERANCE + AROUND).holds_at_most(770);
        assert!(run.count("covered") >= 1, "{}", run.stdout);
    }
}

#[test]
fn large_allocations() {
    let many = "#include <stdlib.h>
int f(int n) {
    char *p[200];
    for (int i = 0; i < 200; i++) {
        p[i] = malloc(256u << 20);
        if (!p[i]) return -1;
        p[i][n & 0xfffffff] = 1;
    }
    return p[3][17] == 1;
}";
    let zeros = "#include <stdlib.h>
int f(unsigned n) {
    int k = 0;
    for (unsigned i = 0; i < n; i++) {
        int *p = calloc(50000000, 4);
        if (!p) return k;
        p[i] = k++;
        free(p);
    }
    return k == 12345;
}";
    for (name, program) in [("many", many), ("zeros", zeros)] {
        let run = measure(name, program, "cover p.c --time 2 --json");
        run.takes_at_most(2.0 + TOLERANCE + AROUND).json();
    }
}

#[test]
fn floats() {
    let chain = "#include <math.h>
int f(double x, double y, double z) {
    for (int i = 0; i < 40; i++) {
        x = x * y + sqrt(fabs(z)) / (1.0 + x * x);
        y = y * z - x / (2.0 + y * y);
        z = z * x * y * 0.5 + sqrt(fabs(x * y));
    }
    if (x > y && y > z && z > 3.25 && x < 3.5) return 2;
    return x * y * z == 42.0;
}";
    let powers = "#include <math.h>
int f(float a[12], float k) {
    float p = 1.0f, q = 0.0f;
    for (int i = 0; i < 12; i++) { p *= a[i]; q += sqrtf(p / (a[i] + k)); }
    for (int i = 0; i < 12; i++) q = q * q * q + a[i] / q;
    if (p == 3.0f && q > 1.0f && q < 1.5f) return 1;
    return q == 17.25f;
}";
    for (name, program) in [("chain-of-floats", chain), ("powers", powers)] {
        let run = measure(name, program, "cover p.c --time 2 --json");
        let run = run.takes_at_most(2.0 + TOLERANCE + AROUND);
        assert!(run.count("covered") >= 3, "{}", run.stdout);
    }
}

#[test]
fn thousands_of_goals() {
    let cases: String =
        (0..5000).map(|n| format!("case {}: if (y == {n}) return {n}; break;\n", 13 * n)).collect();
    let switch = format!("int f(int x, int y) {{ switch (x * 7 + y) {{ {cases} }} return 0; }}");
    let ifs: Vec<String> = (0..2000).map(|n| format!("if (x == {}) return {n};", 17 * n)).collect();
    let chain = format!("int f(int x) {{ {} return 0; }}", ifs.join("\nelse "));
    for (name, program) in [("switch", switch), ("else-if", chain)] {
        let run = measure(name, &program, "cover p.c --time 2 --budget 6 --json");
        let run = run.takes_at_most(6.0 + TOLERANCE + 1.0);
        assert!(run.count("covered") >= 100, "{}", run.stderr);
    }
}

#[test]
fn the_budget_holds_for_all_functions_together() {
    let hard: String = (0..40).map(|n| LONG_PRODUCT.replace("int f(", &format!("int f{n}("))).collect();
    let easy =
        |n: u32| format!("int f{n}(int x, int y) {{ if (x * {n} + y == 977) return 1; return x > y; }}\n");
    let easy: String = (3..2003).map(easy).collect();
    for (name, program) in [("hard", hard), ("easy", easy)] {
        let run = measure(name, &program, "cover p.c --budget 4 --memory 500M --json");
        let run = run.takes_at_most(4.0 + TOLERANCE + 1.0).leaves_nothing();
        assert!(run.count("gave-up") >= 1 && run.count("functions") >= 40, "{}", run.stderr);
        assert!(run.stdout.contains("the time is over"), "{}", run.stderr);
    }
}

#[test]
fn programs_that_hang_or_eat_memory_or_write_without_end() {
    let endless = "#include <stdio.h>
int f(int n) {
    if (n == 5) for (;;) puts(\"again and again\");
    if (n == 6) for (;;) ;
    return n > 100;
}";
    let greedy = "#include <stdlib.h>
#include <string.h>
int f(int n) {
    if (n == 12) for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); }
    return n > 3;
}";
    for (name, program) in [("endless", endless), ("greedy", greedy)] {
        let run = measure(name, program, "cover p.c --time 5 --timeout 1 --memory 600M --json");
        let run = run.takes_at_most(5.0 + TOLERANCE + AROUND).holds_at_most(660).leaves_nothing();
        assert!(run.count("covered") >= 3, "{}", run.stdout);
    }
}

#[test]
fn an_interruption_ends_everything_with_what_is_known() {
    for (name, program, args) in [
        ("interrupted", SORTED_PRODUCTS, "cover p.c --json"),
        ("interrupted-chain", LONG_PRODUCT, "cover p.c --json"),
    ] {
        let run = start(name, program, args).writes("Found").works_for(1.5).gets("-INT");
        let since = Instant::now();
        let run = run.end().exits(3).leaves_nothing();
        // Two seconds on a machine that has time for it.
        assert!(since.elapsed().as_secs_f64() < 4.0, "{:?}", since.elapsed());
        assert!(run.count("covered") >= 3, "{}", run.stdout);
        assert!(run.stdout.contains("the work was interrupted"), "{}", run.stdout);
    }
}

#[test]
fn a_second_interruption_ends_at_once() {
    let run =
        start("twice", LONG_PRODUCT, "cover p.c").works_for(1.0).gets("-INT").works_for(0.1).gets("-INT");
    let since = Instant::now();
    run.end().exits(130).leaves_nothing();
    assert!(since.elapsed().as_secs_f64() < 1.0, "{:?}", since.elapsed());
}

/// Three functions, of which the second takes very long.
fn with_one_hard_function() -> String {
    let hard = LONG_PRODUCT.replace("int f(", "int hard(");
    let simple = |name: &str| format!("int {name}(int x) {{ if (x == 4711) return 1; return 0; }}\n");
    format!("{}{hard}\n{}", simple("first"), simple("last"))
}

#[test]
fn a_crash_in_one_function_leaves_the_others() {
    for (name, signal) in [("aborted", "-ABRT"), ("broken", "-ILL"), ("killed", "-KILL")] {
        let run = start(name, &with_one_hard_function(), "cover p.c --json --tests tests.c");
        let run = run.writes("\"function\":1,\"news\":{\"Found\"").worker_gets(signal);
        let run = run.end().exits(3).leaves_nothing();
        let covered: Vec<u64> = (0..3)
            .map(|n| run.json()["functions"][n]["summary"]["covered"].as_u64().expect("a count"))
            .collect();
        assert!(covered[0] == 2 && covered[1] >= 1 && covered[2] == 2, "{}", run.stdout);
        let why = if signal == "-KILL" { "the memory is used up" } else { "crashed (signal" };
        assert!(run.stdout.contains(why), "{}", run.stdout);
    }
}

#[test]
fn a_crash_of_check_and_reach_is_told() {
    let program = "#include <assert.h>\n".to_string() + &LONG_PRODUCT.replace("return 1;", "assert(b != 3);");
    let run = start("check", &program, "check p.c -f f --json").writes("{\"Search\":0}").works_for(0.5);
    let run = run.worker_gets("-ABRT").end().exits(3).leaves_nothing();
    assert!(run.stdout.contains("crashed (signal 6, abort)"), "{}", run.stdout);
    let run = start("reach", LONG_PRODUCT, "reach p.c:4/then --json").writes("{\"Search\":0}").works_for(0.5);
    let run = run.worker_gets("-ABRT").end().exits(3);
    assert!(run.json().is_object() && run.stdout.contains("crashed"), "{}", run.stdout);
}

#[test]
fn json_is_json_whatever_happens() {
    let kind = |args: &str, program: &str| {
        let run = measure("json", program, args);
        let error = run.json()["error"].clone();
        assert!(!error["messages"].as_array().expect("messages").is_empty(), "{}", run.stdout);
        (error["kind"].as_str().expect("a kind").to_string(), run.code)
    };
    let told = |kind: &str, code: i32| (kind.to_string(), code);
    assert_eq!(kind("cover p.c --json", "int f(int x) { return x +; }"), told("input", 2));
    assert_eq!(kind("check none.c --json", ""), told("input", 2));
    assert_eq!(kind("cover p.c -f g --json", "int f(void) { return 1; }"), told("input", 2));
    assert_eq!(kind("show p.c --ir --json", "int f(int x) { return y; }"), told("input", 2));
    assert_eq!(kind("run p.c --json", "int f(int x) { return x; }"), told("input", 2));
    assert_eq!(kind("cover p.c --json --frobnicate", ""), told("command-line", 2));
    assert_eq!(kind("reach --json", ""), told("command-line", 2));
    assert_eq!(kind("cover p.c --json --memory lots", ""), told("command-line", 2));
    // Not even the program can be read.
    let numbers: String = (0..300_000).map(|n| format!("{n},")).collect();
    let table =
        format!("static const int t[] = {{ {numbers} }};\nint f(unsigned i) {{ return t[i % 300000]; }}");
    assert_eq!(kind("cover p.c --json --memory 30M", &table), told("memory", 3));
}

#[test]
fn sizes_are_read_as_people_write_them() {
    for size in ["2G", "2048M", "1.5g", "3GiB"] {
        measure("size", "int f(int x) { return x > 3; }", &format!("cover p.c --memory {size}")).exits(0);
    }
    quipu("cover main.c --memory 0").exits(2).says("no size");
    quipu("cover main.c --time nan").exits(2);
    quipu("cover main.c --budget nan").exits(2).says("not negative");
}
