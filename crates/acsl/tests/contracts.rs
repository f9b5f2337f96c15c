//! Contracts that hold and contracts that do not, in the interpreter and as compiled code.

mod support;

use support::{Run, Subject, failed};

#[test]
fn what_is_ensured_is_checked() {
    let subject = Subject::new(
        "/*@ requires x > -10;\n  @ ensures \\result >= 0;\n  @ ensures big: \\result >= x; */\n\
         int absolute(int x) { return x < -3 ? x : x < 0 ? -x : x; }\n",
    );
    let runs = subject.runs("absolute", &[&[("x", -20)], &[("x", -5)], &[("x", -2)], &[("x", 7)]]);
    assert_eq!(runs, [Run::Excluded, failed("ensures \\result >= 0"), Run::Fine, Run::Fine]);
    let contract = subject.contract("absolute").unwrap();
    assert_eq!((contract.place.line, contract.place.column), (1, 5));
    assert_eq!(contract.gates[0].text, "requires x > -10");
}

#[test]
fn old_values_are_those_before_the_call() {
    let subject = Subject::new(
        "int count;\n\
         /*@ requires \\valid(p);\n  ensures *p == \\old(*p) + 1 && count == \\old(count) + \\old(x); */\n\
         void bump(int *p, int x) { ++*p; count += x; if (x == 5) count++; }\n",
    );
    let runs = subject
        .runs("bump", &[&[("p", 0)], &[("p", 1), ("p[0]", 4), ("x", 3)], &[("p", 1), ("p[0]", 4), ("x", 5)]]);
    let clause = "ensures *p == \\old(*p) + 1 && count == \\old(count) + \\old(x)";
    assert_eq!(runs, [Run::Excluded, Run::Fine, failed(clause)]);
    assert_eq!(subject.contract("bump").unwrap().shapes, [("p".to_string(), "valid".to_string())]);
}

#[test]
fn behaviors_apply_by_what_was_before() {
    let subject = Subject::new(
        "/*@ behavior none: assumes p == \\null; ensures \\result == -1;\n\
             behavior some: assumes p != \\null; ensures \\result == \\old(*p);\n\
             complete behaviors; disjoint behaviors none, some; */\n\
         int get(int *p) { if (!p) return -1; int v = *p; *p = 0; return v == 9 ? 8 : v; }\n\
         /*@ behavior low: assumes x < 0; ensures \\result == 0;\n\
             behavior high: assumes x > 0; ensures \\result == 1;\n\
             complete behaviors low, high; */\n\
         int sign(int x) { while (!x) ; return x > 0; }\n",
    );
    let runs = subject.runs("get", &[&[("p", 0)], &[("p", 1), ("p[0]", 4)], &[("p", 1), ("p[0]", 9)]]);
    assert_eq!(runs, [Run::Fine, Run::Fine, failed("ensures \\result == \\old(*p)")]);
    let runs = subject.runs("sign", &[&[("x", -3)], &[("x", 0)], &[("x", 3)]]);
    assert_eq!(runs, [Run::Fine, failed("complete behaviors low, high"), Run::Fine]);
}

#[test]
fn quantifiers_run_over_their_ranges() {
    let subject = Subject::new(
        "/*@ requires 0 <= n <= 8 && \\valid(a + (0 .. n-1));\n\
             ensures \\forall integer i; 0 <= i < n ==> a[i] == \\old(a[i]) + 1;\n\
             ensures n == 2 ==> \\exists integer i; 0 <= i < n && a[i] == 5; */\n\
         void bump(int *a, int n) { for (int i = 0; i < n; i++) if (a[i] != 7) a[i]++; }\n",
    );
    let runs = subject.runs(
        "bump",
        &[
            &[("a", 1), ("n", 2), ("a[0]", 1), ("a[1]", 4)],
            &[("a", 1), ("n", 2), ("a[0]", 1), ("a[1]", 2)],
            &[("a", 1), ("n", 3), ("a[2]", 7)],
            &[("a", 0), ("n", 2)],
            &[("a", 0), ("n", 0)],
            &[("a", 1), ("n", 9)],
        ],
    );
    let (all, some) = (
        "ensures \\forall integer i; 0 <= i < n ==> a[i] == \\old(a[i]) + 1",
        "ensures n == 2 ==> \\exists integer i; 0 <= i < n && a[i] == 5",
    );
    assert_eq!(runs, [Run::Fine, failed(some), failed(all), Run::Excluded, Run::Fine, Run::Excluded]);
    assert_eq!(subject.contract("bump").unwrap().shapes, [("a".to_string(), "array(n <= 8)".to_string())]);
}

#[test]
fn callers_establish_preconditions() {
    let subject = Subject::new(
        "/*@ requires d != 0; */\nstatic int part(int n, int d) { return n / d; }\n\
         int mean(int sum, int n) { return part(sum, n); }\n",
    );
    let runs = subject.runs("mean", &[&[("sum", 8), ("n", 0)], &[("sum", 8), ("n", 2)]]);
    assert_eq!(runs, [failed("requires d != 0"), Run::Fine]);
    // Places and texts are those of the file, though the claim stands in the same line.
    let module = &subject.program.module;
    let part = module.functions[module.function("part").unwrap()].code().unwrap();
    let statement = part.stmts.iter().last().unwrap().span;
    assert_eq!((statement.line, statement.column, statement.end_column), (2, 33, 46));
    assert_eq!(subject.program.excerpt(statement), "return n / d;");
    let claim = &subject.annotations.claims[0];
    assert_eq!(
        (claim.kind.clone(), claim.function.as_str(), claim.place.line),
        (quipu_acsl::ClaimKind::Requires, "part", 1)
    );
}

#[test]
fn assertions_stand_in_bodies() {
    let subject = Subject::new(
        "#include <limits.h>\n\
         int f(int x, unsigned long u) {\n\
           int y = x;\n\
           //@ assert y == x;\n\
           { int y = 3; /*@ assert y == 3 &&\n y < 4; */ y++; }\n\
           for (int i = 0; i < 3; i++) {\n\
             y = y < INT_MAX ? y + 1 : y;\n\
             //@ assert i <= 2 && y >= \\at(x, Pre);\n\
           }\n\
           x = 0;\n\
           //@ assert y != 8 && u != 18446744073709551615 && y <= INT_MAX;\n\
           return y;\n\
         }\n",
    );
    let runs =
        subject.runs("f", &[&[("x", 1)], &[("x", 5)], &[("x", 0), ("u", -1)], &[("x", i64::from(i32::MAX))]]);
    let clause = "assert y != 8 && u != 18446744073709551615 && y <= INT_MAX";
    assert_eq!(runs, [Run::Fine, failed(clause), failed(clause), Run::Fine]);
    let lines: Vec<u32> = subject.annotations.claims.iter().map(|claim| claim.place.line).collect();
    assert_eq!(lines, [4, 5, 9, 12]);
}

#[test]
fn invariants_hold_at_the_heads_of_loops() {
    let subject = Subject::new(
        "int f(int n) {\n\
           int s = 0, i = 0;\n\
           /*@ loop invariant 0 <= i <= 10 && s <= 6; loop assigns i, s; loop variant n - i; */\n\
           while (i < n) { i++; if (i == 2) continue; s += i == 3; if (i == 20) break; }\n\
           //@ loop invariant k <= 5;\n\
           for (int k = 0; k < n; k++) s++;\n\
           //@ loop invariant s >= 0;\n\
           for (;;) if (s++ > 3) break;\n\
           //@ loop invariant i < 4;\n\
           do { i--; if (i & 1) continue; } while (i > 0);\n\
           return s;\n\
         }\n",
    );
    let runs = subject.runs("f", &[&[("n", 0)], &[("n", 3)], &[("n", 4)], &[("n", 6)], &[("n", 12)]]);
    let (first, second, last) =
        ("loop invariant 0 <= i <= 10 && s <= 6", "loop invariant k <= 5", "loop invariant i < 4");
    assert_eq!(runs, [Run::Fine, Run::Fine, failed(last), failed(second), failed(first)]);
    let notes: Vec<&str> =
        subject.annotations.notes.iter().map(|note| note.message.message.as_str()).collect();
    assert_eq!(notes, ["`loop assigns` is read as documentation", "`loop variant` is read as documentation"]);
}

#[test]
fn arithmetic_that_leaves_64_bits_is_told() {
    let subject = Subject::new(
        "/*@ requires x + y > x;\n ensures \\result == x * y; */\n\
         long times(long x, long y) { return (long)((unsigned long)x * (unsigned long)y); }\n\
         /*@ ensures \\result == x * y + 1; */\n\
         long small(int x, int y) { return (long)x * y + 1; }\n\
         /*@ ensures \\result == x / y && x % y < 10; */\n\
         int quotient(int x, int y) { return y ? x / y : 0; }\n",
    );
    let max = i64::MAX;
    let runs = subject.runs(
        "times",
        &[
            &[("x", 5), ("y", 6)],
            &[("x", max), ("y", 2)],
            &[("x", max - 9), ("y", 2)],
            &[("x", 1), ("y", -1)],
        ],
    );
    assert_eq!(
        runs,
        [
            Run::Fine,
            failed("evaluate: requires x + y > x"),
            failed("evaluate: ensures \\result == x * y"),
            Run::Excluded
        ]
    );
    let (lo, hi) = (i64::from(i32::MIN), i64::from(i32::MAX));
    assert_eq!(
        subject.runs("small", &[&[("x", lo), ("y", lo)], &[("x", lo), ("y", hi)]]),
        [Run::Fine, Run::Fine]
    );
    let runs = subject.runs("quotient", &[&[("x", 7), ("y", 2)], &[("x", 7), ("y", 0)]]);
    assert_eq!(runs, [Run::Fine, failed("evaluate: ensures \\result == x / y && x % y < 10")]);
}

#[test]
fn predicates_and_logic_functions_are_expanded() {
    let subject = Subject::new(
        "/*@ predicate sorted(int *a, integer n) = \\forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];\n\
             logic integer next(integer x) = x + 1;\n\
             predicate same(int x) = x == limit; */\n\
         int limit;\n\
         /*@ requires \\valid_read(a + (0 .. 2)) && sorted(a, 3);\n\
             ensures \\let m = a[1]; \\result == next(m) && same(limit); */\n\
         int middle(const int *a) { return a[1] == 50 ? 0 : a[1] + 1; }\n",
    );
    let runs = subject.runs(
        "middle",
        &[
            &[("a", 1), ("a[0]", 1), ("a[1]", 2), ("a[2]", 3)],
            &[("a", 1), ("a[0]", 1), ("a[1]", 2), ("a[2]", 1)],
            &[("a", 1), ("a[0]", 1), ("a[1]", 50), ("a[2]", 90)],
        ],
    );
    let clause = "ensures \\let m = a[1]; \\result == next(m) && same(limit)";
    assert_eq!(runs, [Run::Fine, Run::Excluded, failed(clause)]);
}

#[test]
fn separated_objects_share_no_byte() {
    let subject = Subject::new(
        "/*@ requires \\valid(p) && \\valid(q) && \\separated(p, q);\n\
             ensures *p == 1; */\n\
         void set(int *p, int *q) { *p = 1; *q = 2; }\n",
    );
    let interface = subject.interface("set");
    let codes = |name: &str| {
        let (low, high) = interface.leaves[interface.leaf(name).unwrap()].limits();
        low as i64..=high as i64
    };
    let all: Vec<[(&str, i64); 2]> =
        codes("p").flat_map(|p| codes("q").map(move |q| [("p", p), ("q", q)])).collect();
    let runs = subject.runs("set", &all.iter().map(|one| &one[..]).collect::<Vec<_>>());
    let count = |wanted: Run| runs.iter().filter(|run| **run == wanted).count();
    // Pointers to one object are excluded, so nothing fails.
    assert!(count(Run::Fine) > 0 && count(Run::Excluded) > 0, "{runs:?}");
    assert_eq!(count(Run::Fine) + count(Run::Excluded), runs.len(), "{runs:?}");
}

#[test]
fn structs_floats_and_unsigned_values_have_their_meaning() {
    let subject = Subject::new(
        "#include <stddef.h>\n\
         struct pair { int a; unsigned b : 3; double d; };\n\
         /*@ requires \\valid(p); ensures \\result.a == p->a && \\result.b <= 7 && \\result.d >= 0.5; */\n\
         struct pair copy(struct pair *p) { struct pair r = *p; if (r.d < 0.5) r.d = 0.25; return r; }\n\
         /*@ ensures n <= -1 ==> \\false; ensures \\result > i || \\result == n; */\n\
         size_t most(size_t n, long i) { return i >= 0 && (size_t)i > n ? (size_t)i : n; }\n",
    );
    let half = 0.5f64.to_bits() as i64;
    let runs = subject.runs("copy", &[&[("p", 1), ("p->a", 3), ("p->d", half)], &[("p", 1), ("p->d", 0)]]);
    assert_eq!(
        runs,
        [Run::Fine, failed("ensures \\result.a == p->a && \\result.b <= 7 && \\result.d >= 0.5")]
    );
    let runs =
        subject.runs("most", &[&[("n", -1), ("i", -1)], &[("n", 3), ("i", -1)], &[("n", 3), ("i", 5)]]);
    assert_eq!(runs, [Run::Fine, Run::Fine, failed("ensures \\result > i || \\result == n")]);
}

#[test]
fn files_with_headers_keep_their_includes() {
    let subject = Subject::with(
        &[
            "#include \"file1.c\"\n/*@ ensures \\result == twice(x); */\nint f(int x) { return TWICE(x); }\n\
             /*@ logic integer twice(integer x) = 2 * x; */\n",
            "#ifndef TWICE\n#define TWICE(x) ((x) == 77 ? 0 : (x) * 2)\n#endif\n",
        ],
        &[],
    );
    let runs = subject.runs("f", &[&[("x", 4)], &[("x", 77)]]);
    assert_eq!(runs, [Run::Fine, failed("ensures \\result == twice(x)")]);
}

#[test]
fn contracts_in_headers_are_about_the_functions_of_files() {
    // The second file is a program of its own, too.
    let subject = Subject::with(
        &[
            "#include \"file1.c\"\nint f(int x) { return x == LIMIT ? -1 : x; }\n",
            "#ifndef LIMIT\n#define LIMIT 7\n/*@ requires 0 <= x <= LIMIT;\n  ensures \\result == x; */\n\
             int f(int x);\n#endif\n",
        ],
        &[],
    );
    let header = Subject::in_header(
        "#include \"part.h\"\nint f(int x) { return x == LIMIT ? -1 : x; }\n",
        "#define LIMIT 7\n/*@ requires 0 <= x <= LIMIT;\n  ensures \\result == x; */\nint f(int x);\n",
    );
    for subject in [subject, header] {
        let runs = subject.runs("f", &[&[("x", 4)], &[("x", 7)], &[("x", 8)]]);
        assert_eq!(runs, [Run::Fine, failed("ensures \\result == x"), Run::Excluded]);
    }
}

#[test]
fn all_kinds_of_declarations_have_contracts() {
    let subject = Subject::new(
        "#include <stdbool.h>\n\
         typedef struct { int x, y; } point;\nenum color { RED, GREEN = 5 };\n\
         struct list { struct list *next; int value; };\n\
         static point origin;\n\
         /*@ ensures \\result.x == p.x + origin.x && \\result.y == \\at(origin.y, Pre); */\n\
         point moved(point p) { p.x += origin.x; p.y = origin.y; if (p.y == 3) origin.y = 4; return p; }\n\
         /*@ requires \\valid(l); ensures \\result == \\old(l->next) && l->next == \\null; */\n\
         struct list *cut(struct list *l) { struct list *n = l->next; l->next = 0; return l->value == 6 ? 0 : n; }\n\
         /*@ ensures \\result <==> c == GREEN; */\n\
         bool is_green(enum color c) { return c == 5; }\n\
         /*@ requires \\valid(&m[0 .. 1]) && m[1][2] == 7; ensures check: \\result == (char)(7 + m[0][0]); */\n\
         char pick(int m[][3]) { return m[1][2] + (unsigned)m[0][0]; }\n\
         /*@ requires n >= 0; ensures \\result == (n % 2 == 0 ? 1 : 0); */\n\
         static int even(int n) { return n == 0 ? 1 : n == 1 ? 0 : even(n - 2); }\n\
         int odd(unsigned char n) { static int calls; calls++; //@ check calls >= 1;\n\
           return !even(n - 1); }\n",
    );
    let runs = subject.runs("moved", &[&[("p.x", 4), ("origin.x", 2)], &[("origin.y", 3)]]);
    assert_eq!(runs, [Run::Fine, Run::Fine]);
    let runs = subject.runs("cut", &[&[("l", 1)], &[("l", 0)], &[("l", 1), ("l->value", 6), ("l->next", 1)]]);
    let clause = "ensures \\result == \\old(l->next) && l->next == \\null";
    assert_eq!(runs, [Run::Fine, Run::Excluded, failed(clause)]);
    assert_eq!(subject.runs("is_green", &[&[("c", 5)], &[("c", 0)]]), [Run::Fine, Run::Fine]);
    let runs =
        subject.runs("pick", &[&[("m", 0)], &[("m", 1)], &[("m", 1), ("m[1][2]", 7), ("m[0][0]", 300)]]);
    assert_eq!(runs, [Run::Excluded, Run::Excluded, Run::Fine]);
    assert_eq!(subject.runs("even", &[&[("n", 6)], &[("n", -1)]]), [Run::Fine, Run::Excluded]);
    assert_eq!(subject.runs("odd", &[&[("n", 5)], &[("n", 0)]]), [Run::Fine, failed("requires n >= 0")]);
}

#[test]
fn dialects_and_strict_flags_make_no_difference() {
    let source = "/*@ requires x + y >= 0; ensures \\result == x + y; */\n\
         long f(long x, long y) {\n  long s = x;\n  /*@ loop invariant s <= x + y; */\n\
         while (s < x + y) s++;\n  return s;\n}\n";
    let flags: [&[&str]; 4] = [
        &["-std=c89", "-pedantic-errors"],
        &["-std=c99", "-Werror", "-Wall"],
        &["-fwrapv", "-O2"],
        &["-std=c11"],
    ];
    for flags in flags {
        let subject = Subject::with(&[source], flags);
        let runs =
            subject.runs("f", &[&[("x", 3), ("y", 4)], &[("x", i64::MAX), ("y", 1)], &[("x", 0), ("y", -1)]]);
        assert_eq!(runs, [Run::Fine, failed("evaluate: requires x + y >= 0"), Run::Excluded], "{flags:?}");
    }
}

#[test]
fn claims_are_found_in_the_program() {
    let subject = Subject::new(
        "/*@ ensures \\result == x; */\nint f(int x) {\n#ifdef UNKNOWN\n  //@ assert x == 1;\n#endif\n\
           //@ assert x == x;\n  return x;\n}\n",
    );
    let module = &subject.program.module;
    let calls = quipu_acsl::claim_calls(module);
    let found: Vec<(u32, &str)> = calls
        .iter()
        .map(|call| {
            (subject.annotations.claims[call.claim].place.line, module.functions[call.func].name.as_str())
        })
        .collect();
    let wrapper = subject.contract("f").unwrap().wrapper.as_deref().unwrap();
    // What the preprocessor leaves out is no claim.
    assert_eq!(found, [(6, "f"), (1, wrapper)]);
    assert_eq!(subject.annotations.claims.len(), 2);
}

#[test]
fn types_with_names_are_known() {
    let subject = Subject::new(
        "#include <stddef.h>\n#include <stdint.h>\n\
         typedef short value; typedef struct { value v; } box; typedef struct tagged { box *b; } tagged;\n\
         /*@ predicate all(value *a, integer n) = \\forall size_t i; i < n ==> a[i] > 0;\n\
             predicate holds(box *b, value v) = b->v == v;\n\
             logic integer inner(tagged *t) = t->b->v; */\n\
         /*@ requires 0 <= n <= 4 && \\valid(a + (0 .. n-1));\n\
             ensures \\result <==> all(a, n); */\n\
         int positive(value *a, int n) { for (int i = 0; i < n; i++) if (a[i] <= 0) return 0; return 1; }\n\
         /*@ requires \\valid(t) && \\valid(t->b); ensures holds(t->b, (value)x) && inner(t) == (int16_t)x; */\n\
         void store(tagged *t, int x) { t->b->v = x == 9 ? 8 : (value)x; }\n",
    );
    let runs =
        subject.runs("positive", &[&[("a", 1), ("n", 1), ("a[0]", 5)], &[("a", 1), ("n", 2), ("a[0]", 5)]]);
    assert_eq!(runs, [Run::Fine, Run::Fine]);
    let store = [("t", 1), ("t->b", 1)];
    let with = |x: i64| [store[0], store[1], ("x", x)];
    let runs = subject.runs("store", &[&with(7), &with(9), &with(70000)]);
    let clause = "ensures holds(t->b, (value)x) && inner(t) == (int16_t)x";
    assert_eq!(runs, [Run::Fine, failed(clause), Run::Fine]);
}
