//! The models of library functions say of every input what the interpreter's do: results, memory behind the call,
//! and which event comes first.

mod common;

use common::Tally;
use quipu_model::VarInfo;

/// A call, and what can be seen behind it.
struct Program<'p> {
    /// The parameters of the function under test.
    params: &'p str,
    /// Statements.
    code: &'p str,
    /// Expressions that are seen, and how many bits of them.
    shown: &'p [(&'p str, u32)],
    /// The values of characters and of other numbers.
    characters: &'p [u8],
    numbers: &'p [u64],
}

const HEADERS: &str = "#define _GNU_SOURCE 1
#include <string.h>
#include <strings.h>
#include <stdlib.h>
#include <stdio.h>
#include <errno.h>
static void seen(void) {}
";

const MOST_RUNS: usize = 2500;

/// Compares the encoding of a program with the interpreter; returns how many runs were clean or ended alike.
fn check(program: &Program<'_>) -> Tally {
    check_with("", program)
}

fn check_with(declarations: &str, program: &Program<'_>) -> Tally {
    let (tally, source) = compare_with(declarations, program);
    assert!(tally.cut + tally.approximate + tally.other + tally.more == 0, "{tally:#?}\n{source}");
    assert!(tally.same > 0, "{tally:#?}\n{source}");
    tally
}

/// The same where some values may be unknown. Also returns the program.
fn compare_with(declarations: &str, program: &Program<'_>) -> (Tally, String) {
    let mut source = format!("{HEADERS}{declarations}\nvoid f({}) {{\n{}\n", program.params, program.code);
    for (n, (expression, bits)) in program.shown.iter().enumerate() {
        source.push_str(&format!("unsigned long long seen{n} = (unsigned long long)({expression});\n"));
        for bit in 0..*bits {
            source.push_str(&format!("if (seen{n} >> {bit} & 1) seen();\n"));
        }
    }
    source.push_str("}\n");
    let module = common::compile(&source);
    let func = module.function("f").expect("the function exists");
    let values = |info: &VarInfo| match info.width.bits() {
        8 => program.characters.iter().map(|&c| u64::from(c)).collect(),
        _ => {
            let numbers = program.numbers.iter().map(|&n| info.width.wrap(n));
            let allowed: Vec<u64> = numbers.filter(|&n| info.allows(n)).collect();
            if allowed.is_empty() { vec![info.range.expect("it excludes something").0] } else { allowed }
        }
    };
    (common::agree_exactly(&module, func, &source, &values, MOST_RUNS), source)
}

const AB: &[u8] = &[0, b'a', b'b'];

#[test]
fn lengths() {
    for call in ["strlen(t.s)", "strlen(t.s + o)", "strnlen(t.s, n)", "strnlen(t.s + o, n)", "strlen(p)"] {
        check(&Program {
            params: "struct { char s[4]; } t, unsigned o, unsigned n, int w",
            code: &format!(
                "char *p = w == 0 ? t.s + 1 : w == 1 ? \"xy\" : w == 2 ? 0 : t.s + o; size_t r = {call};"
            ),
            shown: &[("r", 64)],
            characters: &[0, b'a'],
            numbers: &[0, 1, 2, 3, 4, 5],
        });
    }
}

/// The bytes of buffers behind a call, to be seen.
fn bytes(names: &[String]) -> Vec<(&str, u32)> {
    names.iter().map(|name| (name.as_str(), 8)).collect()
}

fn byte_names(buffer: &str, size: usize) -> Vec<String> {
    (0..size).map(|n| format!("{buffer}[{n}]")).collect()
}

#[test]
fn comparisons() {
    let calls = [
        "strcmp(t.a, t.b)",
        "strcmp(t.a + o, \"ab\")",
        "strcmp(p, t.b)",
        "strcmp(t.a, p)",
        "strncmp(t.a, t.b, n)",
        "strncmp(t.a + o, t.b + n, 2)",
        "strcasecmp(t.a, \"Ab\")",
        "strncasecmp(p, t.b, n)",
        "memcmp(t.a, t.b, n)",
        "memcmp(t.a + o, p, n)",
        "memcmp(u, t.a, n)",
        "strcmp(u, t.a)",
        "__builtin_strcmp(t.a, t.b)",
        "bcmp(t.a, t.b, 3)",
    ];
    for call in calls {
        check(&Program {
            params: "struct { char a[3], b[3]; } t, unsigned o, unsigned n",
            code: &format!(
                "char u[3]; u[0] = 'a'; if (o > 1) u[1] = 'b';
                 char *p = o == 0 ? t.a + 1 : o == 1 ? \"aB\" : o == 2 ? 0 : t.b + n; int r = {call};"
            ),
            shown: &[("r", 32)],
            characters: if call.contains("case") { &[0, b'a', b'B', b'b'] } else { &[0, b'a', b'b', 0xe0] },
            numbers: &[0, 1, 2, 3, 4],
        });
    }
}

#[test]
fn searches() {
    let calls = [
        "strchr(t.a, c)",
        "strchr(t.a + o, 'a')",
        "strchr(t.a, 0)",
        "strchr(p, c)",
        "strchrnul(t.a, c)",
        "strrchr(t.a, c)",
        "strrchr(p, 'a')",
        "index(t.a, 'b')",
        "rindex(t.a + o, 'b')",
        "memchr(t.a, c, n)",
        "memchr(p, 'b', n)",
        "memchr(u, c, n)",
        "memrchr(t.a, c, n)",
        "memrchr(u, 'a', n)",
        "memrchr(t.a + o, c, 2)",
        "strpbrk(t.a, t.b)",
        "strpbrk(p, \"b\")",
        "strstr(t.a, t.b)",
        "strstr(t.a + o, \"ab\")",
        "strstr(p, t.b + 1)",
        "strstr(t.a, \"\")",
    ];
    for call in calls {
        check(&Program {
            params: "struct { char a[4], b[2], c; } t, unsigned o, unsigned n",
            code: &format!(
                "char u[3], c = t.c; u[0] = 'a'; if (o > 1) u[1] = 'b';
                 char *p = o == 0 ? t.a + 1 : o == 1 ? t.b : o == 2 ? 0 : t.a + n; char *r = {call};"
            ),
            shown: &[
                ("r == 0", 1),
                ("r == t.b", 1),
                ("r == u", 1),
                ("r == u + 1", 1),
                ("r && p != t.b ? r - t.a : 0", 8),
            ],
            characters: AB,
            numbers: &[0, 1, 2, 3, 4, 5, 0xffff_ffff],
        });
    }
}

#[test]
fn spans() {
    let calls = [
        "strspn(t.a, t.b)",
        "strcspn(t.a, t.b)",
        "strspn(p, \"ab\")",
        "strcspn(t.a + o, \"b\")",
        "strspn(t.a, p)",
    ];
    for call in calls {
        check(&Program {
            params: "struct { char a[4], b[2]; } t, unsigned o",
            code: &format!(
                "char *p = o == 0 ? t.a + 1 : o == 1 ? t.b : o == 2 ? 0 : t.a + o; size_t r = {call};"
            ),
            shown: &[("r", 64)],
            characters: AB,
            numbers: &[0, 1, 2, 3, 4, 5],
        });
    }
}

#[test]
fn copies_of_strings() {
    let calls = [
        "strcpy(d, t.s)",
        "strcpy(d + o, t.s)",
        "strcpy(d, t.s + o)",
        "strcpy(d + n, d + o)",
        "strcpy(p, t.s)",
        "strcpy(d, p)",
        "stpcpy(d, t.s)",
        "strncpy(d, t.s, n)",
        "strncpy(d + o, t.s, 2)",
        "strncpy(d + o, t.s + 1, n)",
        "strncpy(d, d + o, n)",
        "strcat(d, t.s)",
        "strcat(d, d + o)",
        "strcat(p, \"b\")",
        "strcat(e, t.s)",
        "strncat(d, t.s, n)",
        "strncat(d + o, t.s, 1)",
        "strncat(e, t.s, n)",
        "__builtin___strcpy_chk(d, t.s, 4)",
    ];
    let mut names = byte_names("d", 4);
    names.extend(["p == 0 ? 0 : p[0]".to_string(), "r - d".to_string()]);
    for call in calls {
        if call.contains("e,") {
            names.truncate(4);
        }
        check(&Program {
            params: "struct { char s[3], d[4]; } t, unsigned o, size_t n",
            code: &format!(
                "char d[4], e[4]; memcpy(d, t.d, 4); e[0] = t.d[0]; e[1] = 0;
                 char *p = o == 0 ? d + 1 : o == 1 ? (char *)\"ab\" : o == 2 ? 0 : d + n; char *r = {call};"
            ),
            shown: &bytes(&names),
            characters: AB,
            numbers: &[0, 1, 2, 3, 4, 5, u64::MAX],
        });
    }
}

#[test]
fn blocks() {
    let calls = [
        "memcpy(d, t.s, n)",
        "memcpy(d + o, t.s, n)",
        "memcpy(d, d + o, n)",
        "memcpy(p, t.s, n)",
        "memcpy(d, p, n)",
        "memmove(d, d + o, n)",
        "memmove(d + o, d + 1, n)",
        "memset(d, t.s[0], n)",
        "memset(d + o, 'x', n)",
        "memset(p, 'x', n)",
        "mempcpy(d, t.s, n)",
        "(bzero(d, n), d)",
        "(bcopy(t.s, d, n), d)",
        "memcpy(d, t.s, n * 2)",
        "memcpy(d, \"abcdefgh\" + o, n)",
        "__builtin___memcpy_chk(d, t.s, n, 4)",
    ];
    let mut names = byte_names("d", 4);
    names.push("r - d".to_string());
    for call in calls {
        if call.contains("(p") {
            names.truncate(4);
        }
        check(&Program {
            params: "struct { char s[3], d[4]; } t, unsigned o, size_t n",
            code: &format!(
                "char d[4]; memcpy(d, t.d, 4);
                 char *p = o == 0 ? d + 1 : o == 1 ? (char *)\"ab\" : o == 2 ? 0 : d + n; char *r = {call};"
            ),
            shown: &bytes(&names),
            characters: AB,
            numbers: &[0, 1, 2, 3, 4, 5, u64::MAX, 1 << 40],
        });
    }
}

/// Values that are larger than bytes keep their form.
#[test]
fn blocks_of_elements() {
    check(&Program {
        params: "struct { int s[3]; } t, unsigned n, unsigned o",
        code: "int d[4] = {1, 2, 3, 4}, *q[3] = {d, 0, d + 1}, *e[3] = {0, 0, 0};
               memcpy(d + (o & 3), t.s, n * sizeof *d); memcpy(e, q, n * sizeof *q); memset(q, 0, o * sizeof *q);",
        shown: &[
            ("d[0]", 32),
            ("d[1]", 32),
            ("d[2]", 32),
            ("d[3]", 32),
            ("e[0] == d", 1),
            ("e[0] == 0", 1),
            ("e[2] == d + 1", 1),
            ("q[2] == 0", 1),
        ],
        characters: AB,
        numbers: &[0, 1, 2, 3, 4, 5],
    });
}

#[test]
fn tokens() {
    let names = byte_names("t.s", 5);
    let mut shown = bytes(&names);
    shown.extend([("a == 0", 1), ("b == 0", 1), ("a ? a - t.s : 0", 4), ("b ? b - t.s : 0", 4)]);
    let codes = [
        "char *a = strtok(t.s, \"b\"), *b = strtok(0, \"b\");",
        "char *a = strtok(t.s + o, \"ba\"), *b = strtok(o & 1 ? 0 : t.s, t.d); b = b ? b : strtok(0, \"a\");",
        "char *a = strtok(0, \"b\"), *b = strtok(o ? t.s : 0, \"a\"); if (b) b = strtok(0, \"b\");",
        "char *p = 0; char *a = strtok_r(t.s, \"b\", &p), *b = strtok_r(0, t.d, &p);",
        "char *p; char *a = strtok_r(o ? t.s : 0, \"b\", &p), *b = strtok_r(0, \"b\", o > 1 ? &p : 0);",
        "char *p = o > 3 ? 0 : t.s + o; char *a = strsep(&p, \"b\"), *b = strsep(&p, \"bc\");",
        "char *a = strtok(o ? t.s : (char *)\"xby\", \"b\"), *b = 0; a = o ? a : 0;",
    ];
    for code in codes {
        check(&Program {
            params: "struct { char s[5], d[2]; } t, unsigned o",
            code,
            shown: &shown,
            characters: AB,
            numbers: &[0, 1, 2, 3],
        });
    }
}

const DIGITS: &[u8] = b"\0 -+09xXaFg8\t";

#[test]
fn numbers_in_strings() {
    let calls = [
        "atoi(t.s)",
        "atol(t.s + (o & 3))",
        "strtol(t.s, &e, 10)",
        "strtol(t.s, &e, 0)",
        "strtol(t.s, &e, 16)",
        "strtoul(t.s, o ? &e : 0, 8)",
        "strtoull(t.s, &e, 36)",
        "strtol(o ? t.s : 0, 0, 10)",
        "strtol(t.s, o ? &e : (char **)4, 2)",
        "strtol(t.s, &e, 1)",
    ];
    for call in calls {
        check(&Program {
            params: "struct { char s[5]; } t, unsigned o",
            code: &format!("char *e = t.s; long long r = {call}; int number = errno;"),
            shown: &[("r", 64), ("e - t.s", 4), ("number", 8)],
            characters: DIGITS,
            numbers: &[0, 1, 2],
        });
    }
}

/// A call that reads a float from a string.
fn read_float<'p>(code: &'p str, characters: &'static [u8]) -> Program<'p> {
    Program {
        params: "struct { char s[5]; } t, unsigned o",
        code,
        shown: &[("bits", 64), ("e - t.s", 4), ("number", 8)],
        characters,
        numbers: &[0, 1, 2],
    }
}

#[test]
fn floats_in_strings() {
    let calls = [
        "strtod(t.s, &e)",
        "strtof(t.s, &e)",
        "atof(t.s)",
        "strtod(t.s + (o & 3), o ? &e : 0)",
        "strtof(o ? t.s : 0, 0)",
        "strtod(t.s, o ? &e : (char **)4)",
    ];
    let code = |call: &str| {
        format!(
            "char *e = t.s; double r = {call}; int number = errno;
             unsigned long long bits; memcpy(&bits, &r, 8);"
        )
    };
    for call in calls {
        check(&read_float(&code(call), b"\x00 0159.-+a"));
        // Exponents, prefixes and words are not followed, but nothing wrong is said about them.
        let (tally, source) = compare_with("", &read_float(&code(call), b"\x0010ex.inf-"));
        assert!(tally.cut + tally.other + tally.more == 0, "{tally:#?}\n{source}");
        assert!(tally.same > 1000 && tally.approximate > 100, "{tally:#?}\n{source}");
    }
}

/// A `float` has fewer digits that one division rounds correctly.
#[test]
fn floats_with_many_digits_in_strings() {
    for (function, start, followed) in [
        ("strtod", "90071992547.", true),
        ("strtod", "900719925474099.", false),
        ("strtof", "0.167", true),
        ("strtof", "0.167772", false),
        ("atof", "-0000000000.0", true),
    ] {
        let end = if function == "atof" { "" } else { ", &e" };
        let code = format!(
            "char s[24] = \"{start}\"; memcpy(s + {}, t.s, 3); char *e = s; double r = {function}(s{end});
             int number = errno; unsigned long long bits; memcpy(&bits, &r, 8);",
            start.len()
        );
        let (tally, source) = compare_with(
            "",
            &Program {
                params: "struct { char s[3]; } t",
                code: &code,
                shown: &[("bits", 64), ("e - s", 5), ("number", 8)],
                characters: b"\x000123456789.",
                numbers: &[0],
            },
        );
        assert!(tally.cut + tally.other + tally.more == 0, "{tally:#?}\n{source}");
        assert_eq!(tally.approximate == 0, followed, "{tally:#?}\n{source}");
        assert!(tally.same > 0, "{tally:#?}\n{source}");
    }
}

#[test]
fn numbers_out_of_range() {
    let calls = [
        ("strtol", "92233720368547758", "10"),
        ("strtol", "-92233720368547758", "10"),
        ("strtoul", "184467440737095516", "10"),
        ("strtoull", "-184467440737095516", "0"),
        ("strtoll", "0x7ffffffffffffff", "0"),
        ("strtoull", "0fffffffffffffff", "16"),
        ("strtoull", "0177777777777777777777", "0"),
    ];
    for (function, start, base) in calls {
        check(&Program {
            params: "struct { char s[3]; } t",
            code: &format!(
                "char s[40] = \"{start}\"; memcpy(s + {}, t.s, 3); char *e;
                 unsigned long long r = {function}(s, &e, {base}); int number = errno; int i = atoi(s);",
                start.len()
            ),
            shown: &[("r", 64), ("e - s", 6), ("number", 8), ("i", 32)],
            characters: b"\x000123456789f",
            numbers: &[0],
        });
    }
}

#[test]
fn divisions() {
    let edges = &[0, 1, 2, 7, u64::MAX, u64::MAX - 6, 1 << 31, 1 << 63];
    let program = |code| Program {
        params: "int a, int b, long c, long d",
        code,
        shown: &[("r.quot", 64), ("r.rem", 64)],
        characters: AB,
        numbers: edges,
    };
    check(&program("div_t r = div(a, b);"));
    check(&program("ldiv_t r = ldiv(c, d);"));
    check(&program("struct { int quot, rem; } r = { abs(a), labs(c) > 3 };"));
}

const COMPARISONS: &str = "
static int calls;
static int by_value(const void *a, const void *b) { calls++; return *(const signed char *)a - *(const signed char *)b; }
static int odd_last(const void *a, const void *b) {
    if ((*(const char *)a & 1) != (*(const char *)b & 1)) return *(const char *)a & 1 ? 1 : -1;
    return 0;
}
struct pair { char key, value; };
static int by_key(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    if (x->key < y->key) return -1;
    return x->key > y->key;
}
static int nothing(const void *a, const void *b) { if (*(const char *)a) return 1; }
";

#[test]
fn sorting() {
    let names = byte_names("t.s", 5);
    let codes = [
        "qsort(t.s, 5, 1, by_value);",
        "qsort(t.s, n, 1, by_value);",
        "qsort(t.s + 1, n, 1, odd_last);",
        "qsort(t.s, 2, sizeof(struct pair), by_key);",
        "struct pair p[3] = {{t.s[0], 1}, {t.s[1], 2}, {t.s[2], 3}}; qsort(p, 3, sizeof *p, by_key); memcpy(t.s, p, 5);",
        "qsort(t.s, 3, 1, n ? by_value : 0);",
        "qsort(n ? t.s : 0, n, 1, n & 1 ? by_value : odd_last);",
        "qsort(t.s, 2, 1, nothing);",
        "qsort((char *)\"ba\", n, 1, by_value);",
        "char u[3]; u[0] = 1; u[1] = t.s[0]; if (n) u[2] = 0; qsort(u, 3, 1, by_value);",
    ];
    for code in codes {
        check_with(
            COMPARISONS,
            &Program {
                params: "struct { char s[5]; } t, unsigned n",
                code,
                shown: &bytes(&names),
                characters: &[0, 1, 2, 0xff],
                numbers: &[0, 1, 2, 3, 4, 5, 6],
            },
        );
    }
}

#[test]
fn searching_in_order() {
    let codes = [
        "char *r = bsearch(&t.k, t.s, 5, 1, by_value);",
        "char *r = bsearch(&t.k, t.s, n, 1, by_value);",
        "char *r = bsearch(&t.k, \"\\1\\2\\3\\4\", 4, 1, by_value) ? t.s : 0;",
        "char *r = bsearch(n ? &t.k : 0, t.s + 1, n, 1, odd_last);",
        "char *r = bsearch(&t.k, n ? t.s : 0, n & 3, 1, n > 4 ? 0 : by_value);",
        "char *r = bsearch(&t, t.s, 2, 2, by_key);",
    ];
    for code in codes {
        check_with(
            COMPARISONS,
            &Program {
                params: "struct { char s[5], k; } t, unsigned n",
                code,
                shown: &[("r == 0", 1), ("r ? r - t.s : 0", 4), ("calls", 4)],
                characters: &[0, 1, 2, 3],
                numbers: &[0, 1, 2, 3, 4, 5, 6],
            },
        );
    }
}

#[test]
fn output() {
    let codes = [
        "int r = puts(t.s);",
        "int r = puts(o ? t.s + o : 0);",
        "int r = fputs(t.s, stdout);",
        "int r = fputs(t.s, o ? stdout : 0);",
        "int r = putchar(n);",
        "int r = printf(\"%d %s\\n\", n, t.s);",
        "int r = printf(\"%c%%%x %u\", n, n, n);",
        "int r = printf(\"%5d|%-6s|\", n, t.s);",
        "int r = printf(\"%.*s\", n % 5, t.s);",
        "int r = printf(\"%.2s\", t.s + o);",
        "int r = printf(\"%ld %hhd %hu %llx\", (long)n << 20, n, n, (long long)n);",
        "int r = 0; printf(\"%s\", o ? t.s : 0); printf(\"%f %p\", 1.5, t.s);",
        "int r = fwrite(t.s + o, 1, n, stdout);",
        "int r = fwrite(t.s, 2, n, stdout);",
    ];
    for code in codes {
        check(&Program {
            params: "struct { char s[3]; } t, unsigned o, int n",
            code,
            shown: &[("r", 32)],
            characters: AB,
            numbers: &[0, 1, 2, 3, 10, 99, 100, u64::MAX, u64::MAX - 9, 1 << 31, 0x7fff_ffff],
        });
    }
}

#[test]
fn formatted_texts() {
    let calls = [
        "sprintf(d, \"%d\", n)",
        "sprintf(d, \"%s-%s\", t.s, t.s + 1)",
        "sprintf(d + o, \"%u%c\", n, t.s[0])",
        "snprintf(d, o, \"%d,%x\", n, n)",
        "snprintf(d, sizeof d, \"<%s%d>\", t.s, n)",
        "snprintf(o ? d : 0, o, \"%X%s\", n, t.s)",
        "snprintf(d, o, \"%.2s\", t.s)",
        "snprintf(d, 5, \"%hhd%o\", n, n)",
        "__builtin___snprintf_chk(d, o, 1, 12, \"%s\", t.s)",
        "__builtin___sprintf_chk(d, 1, 12, \"%i\", n)",
        "sprintf(d, \"plain %%\")",
    ];
    let mut names = byte_names("d", 12);
    names.push("r".to_string());
    for call in calls {
        check(&Program {
            params: "struct { char s[3]; } t, unsigned o, int n",
            code: &format!("char d[12]; memset(d, 1, sizeof d); int r = {call};"),
            shown: &bytes(&names),
            characters: AB,
            numbers: &[0, 1, 2, 3, 9, 10, 12, 13, 99, 100, u64::MAX, u64::MAX - 9, 1 << 31, 0x7fff_ffff],
        });
    }
}

const LOGGING: &str = "#include <stdarg.h>
static char logged[8];
static int say(const char *format, ...) {
    va_list list; va_start(list, format); int r = vsnprintf(logged, sizeof logged, format, list); va_end(list);
    va_start(list, format); int s = vprintf(format, list); va_end(list);
    return 16 * r + s;
}
";

#[test]
fn lists_of_arguments() {
    let names = byte_names("logged", 8);
    let mut shown = bytes(&names);
    shown.push(("r", 16));
    for call in ["say(\"%d:%s\", n, t.s)", "say(\"%c%s\", n, o ? t.s : 0)", "say(\"none\")"] {
        check_with(
            LOGGING,
            &Program {
                params: "struct { char s[3]; } t, unsigned o, int n",
                code: &format!("int r = {call};"),
                shown: &shown,
                characters: AB,
                numbers: &[0, 1, 42, u64::MAX],
            },
        );
    }
}

/// A text at one of many places.
#[test]
fn long_strings() {
    let calls = [
        "strlen(s + o)",
        "strcmp(s + o, \"lazy dog\")",
        "strcspn(s + o, \"gz\")",
        "strlen(strcpy(d, s + o))",
        "atoi(s + o)",
        "strlen(strcat(d + o, \"xy\"))",
        "memcmp(s + o, s + 4, n)",
    ];
    let names = byte_names("d", 20);
    let mut shown = bytes(&names);
    shown.push(("r", 32));
    for call in calls {
        check(&Program {
            params: "struct { char c[3]; } t, unsigned o, unsigned n",
            code: &format!(
                "char s[48] = \"the quick brown 123 jumps over the lazy dog\", d[60]; memcpy(s + 17, t.c, 3);
                 memset(d, 'd', 60); memset(d + n, 0, 60 - n); int r = {call};"
            ),
            shown: &shown,
            characters: b"\x00a7",
            numbers: &[0, 1, 2, 9, 16, 17, 18, 19, 20, 31, 32, 33, 35, 40, 46, 47, 48, 49, 60],
        });
    }
}

/// Bytes beyond the longest string that is followed are a cut.
#[test]
fn very_long_strings_are_cuts() {
    let source = format!(
        "{HEADERS}int f(unsigned n) {{
            char s[6000]; memset(s, 'a', 3000); memset(s + 3000, 'a', 2000);
            s[n ? 4500 : 10] = 0; return strlen(s) > 4000; }}"
    );
    let module = common::compile(&source);
    let func = module.function("f").expect("the function exists");
    let values = |_: &VarInfo| vec![0, 1];
    let tally = common::agree_exactly(&module, func, &source, &values, MOST_RUNS);
    assert_eq!((tally.same, tally.cut), (1, 1), "{tally:#?}");
}

const DECLARATIONS_32: &str = "typedef unsigned int size_t;
size_t strlen(const char *); int strcmp(const char *, const char *); char *strchr(const char *, int);
char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t); char *strdup(const char *);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t); char *strtok(char *, const char *);
long strtol(const char *, char **, int); unsigned long long strtoull(const char *, char **, int);
int atoi(const char *); void *malloc(size_t); void *realloc(void *, size_t); void free(void *);
int snprintf(char *, size_t, const char *, ...); int *__errno_location(void);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
static int by_value(const void *a, const void *b) { return *(const signed char *)a - *(const signed char *)b; }
static void seen(void) {}
";

/// Addresses, sizes and `long` with 32 bits.
#[test]
fn small_addresses() {
    let codes = [
        "r = strlen(t.s + o);",
        "r = strcmp(t.s, t.d + o);",
        "char *p = strchr(t.s, 'b'); r = p ? p - t.s : -1;",
        "strcpy(t.d + o, t.s);",
        "strncpy(t.d, t.s + o, n);",
        "memcpy(t.d + o, t.s, n); memset(t.s, 'x', n);",
        "char *p = strtok(t.s, \"b\"); r = p ? p - t.s : 9; p = strtok(0, t.d); r += p ? 16 * (p - t.s) : 0;",
        "char *e; r = strtol(t.s, &e, 36) + (e - t.s); r += *__errno_location();",
        "char u[12] = \"429496729\"; memcpy(u + 9, t.s, 3); r = strtol(u, 0, 10) + atoi(u) + (strtoull(u, 0, 36) >> 20);",
        "char *p = malloc(n); memcpy(p, t.s, o); p = realloc(p, o + 1); r = p[1]; free(p);",
        "char *p = strdup(t.s); r = p[o]; p[n] = 'q';",
        "r = snprintf(t.d, o, \"%ld%s\", (long)n - 3, t.s);",
        "qsort(t.s + o, n, 1, by_value);",
    ];
    for code in codes {
        let mut source = format!(
            "{DECLARATIONS_32}void f(struct {{ char s[3], d[3]; }} t, unsigned o, unsigned n) {{ int r = 0;\n{code}\n"
        );
        for shown in ["r", "t.s[0]", "t.s[1]", "t.s[2]", "t.d[0]", "t.d[1]", "t.d[2]"] {
            let bits = if shown == "r" { 32 } else { 8 };
            (0..bits).for_each(|bit| source.push_str(&format!("if ({shown} >> {bit} & 1) seen();\n")));
        }
        source.push('}');
        let options = quipu_cfront::Options::from_flags(&["-m32"]).expect("a known flag");
        let module = quipu_cfront::compile_source("test.c", source.as_bytes().to_vec(), &options)
            .expect("it compiles")
            .module;
        let func = module.function("f").expect("the function exists");
        let values = |info: &VarInfo| match info.width.bits() {
            8 => vec![0, u64::from(b'a'), u64::from(b'b'), u64::from(b'5')],
            _ => vec![0, 1, 2, 3, 4, 0xffff_ffff],
        };
        let tally = common::agree_exactly(&module, func, &source, &values, MOST_RUNS);
        assert!(tally.same > 0 && tally.approximate + tally.other + tally.more == 0, "{tally:#?}\n{source}");
    }
}

#[test]
fn blocks_that_move() {
    let codes = [
        "char *p = malloc(3); memcpy(p, t.s, 3); p = realloc(p, 4); p[3] = 'x'; r = p[o];",
        "char *p = malloc(3); memcpy(p, t.s, 3); char *q = realloc(p, 2); r = q[o];",
        "char *p = o ? malloc(3) : 0; char *q = realloc(p, 2); q[0] = 'a'; r = q[0]; if (o > 1) r = p[0];",
        "char *p = malloc(3); p[0] = 'a'; char *q = realloc(p, 0); r = q == 0; if (o) free(p);",
        "char *p = malloc(3); p[0] = 'a'; char *q = realloc(o ? p + 1 : p, 5); r = q[0]; if (o) free(p);",
        "char *p = malloc(3); p[0] = 'a'; if (o) free(p); char *q = realloc(p, 5); r = q[0];",
        "char *p = realloc(o ? t.s : 0, 5); r = p == 0;",
        "char *p = aligned_alloc(16, 4); p[o] = 'a'; r = p[0];",
        "char *p = calloc(3, 1); p = reallocarray(p, 2, 2); r = p[o];",
    ];
    for code in codes {
        check(&Program {
            params: "struct { char s[3]; } t, unsigned o",
            code: &format!("int r = 0; {code}"),
            shown: &[("r", 8)],
            characters: AB,
            numbers: &[0, 1, 2, 3, 4],
        });
    }
}

#[test]
fn blocks_whose_size_depends_on_inputs() {
    let codes = [
        "char *p = malloc(n); p[o] = 'a'; r = p[o];",
        "char *p = calloc(n, 2); r = p[o]; p[0] = t.s[0]; r += p[1];",
        "int *p = malloc(n * sizeof *p); p[o] = 5; r = p[0];",
        "char *p = malloc(n); memset(p, 'x', n); r = p[o]; free(p); if (o == 1) free(p);",
        "char *p = malloc(n); memcpy(p, t.s, o); r = p[1];",
        "char *p = malloc(2); memcpy(p, t.s, 2); p = realloc(p, n); r = p ? p[o] : 7;",
        "char *p = calloc(n, 1); p = realloc(p, o + 1); r = p[o];",
        "char *p = calloc(n, 1); p = realloc(p, 3); r = p[o];",
        "char *p = malloc(n), *e = p + n; r = p < e; if (o) r = p + o <= e;",
        "char *p = n & 1 ? malloc(n) : t.s; p[o] = 'b'; r = p[0];",
        "char *p = malloc(n + 1); strcpy(p, t.s); r = strlen(p);",
        "char *p = malloc(n); if (n) p[0] = 0; r = snprintf(p, o, \"%s\", t.s);",
        "char *p = strdup(t.s); r = p[o]; p[n] = 'x'; r += p[0];",
        "char *p = strdup(t.s + o); r = strlen(p) + strcmp(p, t.s);",
        "char *p = strndup(t.s, n); r = p[o]; free(n > 2 ? p + 1 : p);",
        "char *p = strdup(o ? t.s : 0); p = realloc(p, n); r = p ? p[0] : 9;",
    ];
    for code in codes {
        check(&Program {
            params: "struct { char s[3]; } t, unsigned o, unsigned n",
            code: &format!("int r = 0; {code}"),
            shown: &[("r", 32)],
            characters: AB,
            numbers: &[0, 1, 2, 3, 4, 5],
        });
    }
}

/// What is too large for a model is a cut, not a wrong answer.
#[test]
fn large_blocks_are_cuts() {
    let source = format!("{HEADERS}int f(size_t n) {{ char *p = malloc(n); return p && n > 5000; }}");
    let module = common::compile(&source);
    let func = module.function("f").expect("the function exists");
    let values = |_: &VarInfo| vec![3, 1024, 1025, 5001, u64::MAX];
    let tally = common::agree_exactly(&module, func, &source, &values, MOST_RUNS);
    assert_eq!((tally.same, tally.cut), (2, 3), "{tally:#?}");
}
