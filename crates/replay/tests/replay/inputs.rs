//! Inputs of all shapes reach the function, and what it changes is read back.

use crate::support::{Subject, Values, both, confirmed, confirmed_with, leaves};
use quipu_inputs::Bearing;
use quipu_replay::{Ending, Verdict};

#[test]
fn scalars_of_all_types() {
    let source = "
        _Bool f(_Bool b, char c, signed char s, unsigned short u, long l, long long ll, unsigned long long ull,
                float x, double d) {
            if (b && c < 0 && s == -128 && u == 65535 && l == -1 && ll < -1000000000000 && ull > 1ull << 63)
                return x == 0.5f && d == -2.25;
            return 1;
        }";
    let yes = [
        ("b", 1),
        ("c", -5),
        ("s", -128),
        ("u", 65535),
        ("l", -1),
        ("ll", -2_000_000_000_000),
        ("ull", -1),
        ("x", i64::from(0.5f32.to_bits())),
        ("d", (-2.25f64).to_bits() as i64),
    ];
    let seen = confirmed(source, "f", &[leaves(&yes), leaves(&[]), leaves(&yes[..8])]);
    let ends: Vec<&Ending> = seen.iter().map(|one| &one.replayed.ending).collect();
    assert_eq!(ends, [&Ending::Returned(Some(1)), &Ending::Returned(Some(1)), &Ending::Returned(Some(0))]);
}

#[test]
fn float_results() {
    let half = i64::from(1.5f32.to_bits());
    confirmed(
        "float f(float x) { return x > 1 ? x * 3 : x / 0.0f - x / 0.0f; }",
        "f",
        &[leaves(&[("x", half)]), leaves(&[])],
    );
    confirmed("double f(int n) { return n ? 1.0 / n : -0.0; }", "f", &[leaves(&[("n", 3)]), leaves(&[])]);
}

#[test]
fn structs_by_value_and_as_results() {
    let source = "
        typedef struct { short a; int b[3]; } pair;
        struct box { pair p; char c; pair *link; };
        static pair swap(pair p) { int t = p.a; p.a = p.b[1]; p.b[1] = t; return p; }
        struct box f(struct box in, pair q, union { int x; } *unused) {
            struct box out = in;
            if (q.b[2] > in.p.b[2]) out.p = swap(q);
            out.c = in.link ? in.link->a : 'n';
            return out;
        }";
    let values = [
        leaves(&[("q.b[2]", 3), ("q.a", 7), ("q.b[1]", 9), ("in.c", 4), ("in.link", 1), ("in.link->a", 77)]),
        leaves(&[("in.p.b[2]", 3), ("in.p.a", -7)]),
    ];
    let seen = confirmed(source, "f", &values);
    assert_eq!(seen[0].replayed.result.as_ref().unwrap()[0], 9);
}

#[test]
fn what_happens_to_a_copied_struct_is_not_seen() {
    let source =
        "struct p { int x, y; }; struct p f(struct p a, int n) { a.x += n; if (n) a.y--; return a; }";
    confirmed(source, "f", &[leaves(&[("a.x", 3), ("n", 2)]), leaves(&[])]);
}

#[test]
fn pointers_arrays_and_bit_fields() {
    let source = "
        struct flags { unsigned a : 3; int b : 5; unsigned long long c : 40; _Bool d : 1; };
        struct node { struct node *next; struct flags f; int v[2][2]; };
        int f(struct node *n, int a[4], char *s) {
            int r = 0;
            for (int i = 0; i < 4; i++) if (a[i] > i) { a[i] = -i; r++; }
            for (struct node *p = n; p; p = p->next) {
                switch (p->f.a) { case 5: r += 10; break; case 7: p->f.b = -3; }
                if (p->f.b < 0 && p->f.c > 0xffffffff && p->f.d) p->v[1][0] = r;
            }
            if (s) { s[1] = s[0]; if (n) n->next = 0; }
            return r;
        }";
    let values = [
        leaves(&[
            ("n", 1),
            ("n->f.a", 5),
            ("n->f.b", -16),
            ("n->f.c", 0xff_ffff_ffff),
            ("n->f.d", 1),
            ("a[2]", 8),
            ("n->next", 1),
            ("n->next->f.a", 7),
            ("s", 1),
            ("s[0]", 65),
        ]),
        leaves(&[("a[0]", 1), ("a[3]", 9)]),
    ];
    let seen = confirmed(source, "f", &values);
    assert!(seen[0].replayed.outputs.len() >= 4, "{:?}", seen[0].replayed.outputs);
    assert_eq!(seen[1].replayed.outputs.len(), 2);
}

#[test]
fn globals_and_static_functions() {
    let source = "
        struct s { int x; char *p; };
        static int count; int total = 5; static struct s state; extern int outside; extern short limit[3];
        static const int table[] = { 1, 2, 3 };
        static int step(int by) { static int calls; calls += by; return calls > 1 ? count : table[by]; }
        static int f(int n) {
            count += n; total -= n; state.x++; outside = limit[2];
            if (state.p && *state.p == 'x') total = 0;
            return step(1) + step(1) + (outside > 3);
        }
        int use(void) { return f(1); }";
    let values = [
        leaves(&[("n", 2), ("count", 10), ("total", 20), ("limit[2]", 9), ("state.x", -1)]),
        leaves(&[("n", -2), ("state.p", 1), ("state.p[0]", 120)]),
    ];
    let seen = confirmed(source, "f", &values);
    assert_eq!(seen[0].replayed.ending, Ending::Returned(Some(15)));
    assert_eq!(seen[0].replayed.outputs.len(), 4);
}

#[test]
fn function_pointers() {
    let source = "
        static int inc(int x) { return x + 1; }
        int dec(int x) { return x - 1; }
        struct ops { int (*run)(int); };
        int f(int (*g)(int), struct ops *o, int x) { if (g) x = g(x); return o && o->run ? o->run(x) : x; }";
    let values = [
        leaves(&[("g", 1), ("o", 1), ("o->run", 2), ("x", 5)]),
        leaves(&[("g", 2), ("x", 5)]),
        leaves(&[("o", 1), ("x", 5)]),
    ];
    confirmed(source, "f", &values);
}

#[test]
fn several_files_share_names() {
    let header = "static inline int clamp(int x) { return x > HIGH ? HIGH : x; }";
    let a = format!(
        "#define HIGH 10\n{header}
        static int state; int other(int); extern int shared;
        int f(int x) {{ state++; shared = clamp(x); return other(x) + state; }}"
    );
    let b = format!(
        "#define HIGH 20\n{header}
        static int state = 3; int shared = 1;
        int other(int x) {{ state += x; return clamp(state) + shared; }}"
    );
    let subject = Subject::new(&[&a, &b], &[]);
    let values =
        [leaves(&[("x", 15), ("state", 4)]), leaves(&[("x", 3), ("shared", 2)]), leaves(&[("x", 30)])];
    confirmed_with(&subject, "f", &values);
}

#[test]
fn stubs_answer_from_the_sequence() {
    let source = "
        struct point { short x; unsigned y : 4; float z; char name[2]; };
        int read_sensor(int); unsigned char small(void); double real(void); struct point where(char *);
        void *find(void); _Bool ready(); void ignore(int); int __VERIFIER_nondet_int(void);
        int f(void) {
            int n = 0;
            while (ready() && read_sensor(n) < 100) n++;
            ignore(n);
            if (small() == 200 && real() > 1.5) n += 1000;
            struct point p = where(\"a\");
            if (p.x == -2 && p.y == 9 && p.z == 0.5f && p.name[1] == 'b') n += 10000;
            if (!find()) n += 100000;
            return n + __VERIFIER_nondet_int();
        }";
    let real = 2.5f64.to_bits();
    let z = u64::from(0.5f32.to_bits());
    let sequence = [1, 5, 1, 7, 1, 100, 200, real, 0xfffe, 9, z, 97, 98, 0, 3];
    let values = [Values { leaves: &[], sequence: &sequence }, Values { leaves: &[], sequence: &[] }];
    let seen = confirmed(source, "f", &values);
    assert_eq!(seen[0].replayed.ending, Ending::Returned(Some(111_005)));
    assert_eq!(seen[0].replayed.requests, sequence.len() as u64);
}

/// The entry had parameters of these names.
#[test]
fn functions_with_short_names() {
    let subject = Subject::new(&["int a(int r) { return r > 3; } int r(int a) { return a < 2; }"], &[]);
    for function in ["a", "r"] {
        let seen = both(&subject, function, &[Values { leaves: &[], sequence: &[] }]);
        assert_eq!(seen[0].verdict, Verdict::Confirmed);
    }
}

#[test]
fn input_functions_of_the_library() {
    let source = "
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <time.h>
        int f(void) {
            int a = -1, c; long long b = -1; double d = 0; float g = 0; char word[8] = \"\", line[5];
            int got = scanf(\"%d, %lld %lf\", &a, &b, &d);
            if (got != 3 || a < 0) return got;
            got = fscanf(stdin, \" %7s %f %*d %c%%\", word, &g, (char *)&c);
            if (got == 3 && !strcmp(word, \"hi\")) a++;
            c = getchar();
            if (c == 'x') ungetc('y', stdin);
            if (fgets(line, sizeof line, stdin)) a += strlen(line);
            srand(1);
            if (rand() % 10 == 3 && time(0) > 1000) a *= 2;
            while ((c = getc(stdin)) != EOF) a += c;
            return feof(stdin) ? a : -1;
        }";
    let d = 0.25f64.to_bits();
    // In front of each number stands what comes there: 0 for a number.
    let sequence = [
        0,
        7,
        0,
        1 << 40,
        0,
        d,
        104,
        105,
        32,
        0,
        0x3f00_0000,
        0,
        5,
        113,
        120,
        97,
        98,
        10,
        13,
        2000,
        1,
        2,
        u64::from(u32::MAX),
    ];
    let values = [
        Values { leaves: &[], sequence: &sequence },
        Values { leaves: &[], sequence: &[1] },
        Values { leaves: &[], sequence: &[0, 1, 0, 2, 0, 3, 104, 0] },
    ];
    let subject = Subject::new(&[source], &[]);
    let seen = both(&subject, "f", &values);
    // Behind the last of the values the input has ended, so that the loop over getc ends, too.
    for one in &seen {
        assert_eq!(one.verdict, Verdict::Confirmed);
        assert_eq!(one.replayed.requests, one.predicted.requests.len() as u64);
    }
    assert!(
        matches!(seen[0].replayed.ending, Ending::Returned(Some(n)) if n > 10),
        "{:?}",
        seen[0].replayed.ending
    );
}

#[test]
fn streams_of_the_library_stay_what_they_are() {
    let source =
        "#include <stdio.h>\nint f(int x) { return fprintf(stderr, \"%d\", x) + fputs(\"x\", stdout); }";
    let seen = confirmed(source, "f", &[leaves(&[("x", 77)])]);
    assert_eq!(seen[0].replayed.ending, Ending::Returned(Some(3)));
}

#[test]
fn there_is_no_file_to_read() {
    let source = "#include <stdio.h>\n#include <errno.h>\n
        int f(void) { FILE *in = fopen(\"/etc/passwd\", \"r\"); return in ? 1 : errno == ENOENT ? 2 : 3; }";
    let seen = confirmed(source, "f", &[leaves(&[])]);
    assert_eq!(seen[0].replayed.ending, Ending::Returned(Some(2)));
}

#[test]
fn functions_of_the_user_win_over_those_of_the_library() {
    let source = "
        static int opened; int read(int n) { return n > 2 ? n : 0; } int open(int x) { opened = x; return read(x); }
        int time; void *mmap(int x) { return x ? &time : 0; } int rand(void) { return 4; }
        int f(int x) { time = x; return open(x) + (mmap(x) != 0) + rand(); }";
    let seen = confirmed(source, "f", &[leaves(&[("x", 3)])]);
    assert_eq!(seen[0].replayed.ending, Ending::Returned(Some(8)));
}

#[test]
fn addresses_in_unions_are_not_compared() {
    let source = "
        struct s { int n; union { char raw[16]; struct { long tag; char *at; } part; } u[2]; int last; };
        int f(struct s *s, char *p) { if (!s) return 0; s->u[1].part.at = p; s->u[1].part.tag = 3; s->last = 7; return 1; }";
    let seen = confirmed(source, "f", &[leaves(&[("s", 1), ("p", 1)]), leaves(&[])]);
    assert!(seen[0].replayed.outputs.len() > 3);
}

/// Bytes of pointers in numbers: copied, cast, mixed with something else, or only a part of one.
#[test]
fn addresses_in_numbers_are_not_compared() {
    let source = "
        typedef unsigned long word;
        struct s { word whole; unsigned low; char bytes[12]; unsigned bits : 9; int last; };
        void *memcpy(void *, const void *, word);
        word f(struct s *s, char *p)
        {
            if (!s || !p) return 0;
            s->whole = (word)p ^ 0x55;
            s->low = (unsigned)(word)p;
            memcpy(s->bytes + 3, &p, sizeof p);
            s->bits = (word)p >> 4 & 0x1ff;
            s->last = 7;
            return (word)p;
        }";
    let seen = confirmed(source, "f", &[leaves(&[("s", 1), ("p", 1)]), leaves(&[])]);
    assert!(seen[0].replayed.outputs.len() > 3);
}

/// What is no address is compared, also next to one.
#[test]
fn numbers_next_to_addresses_are_compared() {
    let source = "
        struct s { union { char *at; long tag; } u; int n; };
        int f(struct s *s, char *p) { if (!s) return 0; s->u.at = p; s->n = 5; return 1; }";
    let subject = Subject::new(&[source], &[]);
    let seen = both(&subject, "f", &[leaves(&[("s", 1), ("p", 1)])]);
    let predicted = &seen[0].predicted;
    let bearings: Vec<_> =
        predicted.outputs.iter().map(|output| predicted.leaf_bearing(output.leaf)).collect();
    assert_eq!(bearings, [Bearing::Address, Bearing::Number]);
}
