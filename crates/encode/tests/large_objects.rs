//! The encoding agrees with the interpreter on objects so large that writes to computed places are kept in a log:
//! accesses of all sizes to the same bytes, bit-fields, copies, pointers, meeting paths, loops, library functions.
//! `QUIPU_PROGRAMS` sets how many functions, `QUIPU_FIRST` the seed of the first one.

mod common;

use common::Tally;
use quipu_encode::Unwinding;
use quipu_testkit::grammar::{Grammar, Rules};
use quipu_testkit::rng::Rng;

const FRONT: &str = "#include <string.h>
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
struct part { u8 a; signed char s; u16 b; u32 c : 5, d : 11, e : 16; int g; };
union cell { u64 w; u32 h[2]; u16 q[4]; u8 b[8]; signed char s[8]; };
u8 given[400];
static u32 fixed[90] = { 7, 5, [40] = 3, [89] = 9 };
";

/// `X` is an unsigned place, `I` an index that fits, `J` one that may not, `A` a number.
const RULES: Rules = &[
    ('A', &["1", "300", "a", "b", "c", "r", "0x12345678u", "$X", "(a + $A)", "(b ^ $A)", "($A << 9)"]),
    (
        'I',
        &["0", "3", "64", "(a & 63)", "(b % 65u)", "(c & 7)", "((a + b) & 63)", "(a ^ 1) % 65u", "(r & 63)"],
    ),
    ('J', &["$I", "$I", "$I", "(a & 127)", "(u32)i"]),
    ('K', &["0", "1", "(a & 1)", "(c & 1)"]),
    (
        'X',
        &[
            "m[3]",
            "bytes[$J]",
            "shorts[$J]",
            "words[$J]",
            "given[$J]",
            "given[$I * 4 + 1]",
            "m[$I]",
            "*(u16 *)(m + 2 * $I)",
            "*(u32 *)(m + 4 * $I)",
            "*(u64 *)(m + 8 * $I)",
            "*(u16 *)(m + 6)",
            "*(u32 *)(bytes + 4 * ($I & 15))",
            "*(u16 *)(m + ($J & ~1u))",
            "cells[$I].w",
            "cells[$I].h[$K]",
            "cells[$I].q[$K]",
            "cells[$I].b[c & 7]",
            "cells[$I].s[$K]",
            "parts[$I].a",
            "parts[$I].s",
            "parts[$I].b",
            "parts[$I].c",
            "parts[$I].d",
            "parts[$I].e",
            "parts[$I].g",
            "*p",
            "e->b",
        ],
    ),
    ('N', &["1", "2", "4", "8", "3", "16", "(c & 15)"]),
    ('C', &["a & 1", "b > 2", "$X & 1", "$X > $A", "$X == $X", "links[$I] == &x", "links[$I]"]),
    (
        'S',
        &[
            "p = words + $I;",
            "e = parts + $I;",
            "$X = $A;",
            "$X = $A;",
            "$X = $A;",
            "$X = $X;",
            "$X += $A;",
            "r = r * 31 + (u32)$X;",
            "r = r * 31 + (u32)$X;",
            "parts[$I] = parts[$I];",
            "*e = parts[$I];",
            "cells[$I] = cells[$I];",
            "{ struct part t = parts[$I]; t.d = $A; parts[$I] = t; }",
            "links[$I] = &x;",
            "links[$I] = $K ? &y : &words[$I];",
            "links[$I] = links[$I];",
            "if (links[$I]) *links[$I] = $A;",
            "if (links[$I]) r += *links[$I];",
            "memset(m + $I, (int)$A, $N);",
            "memset(cells, 0, sizeof cells);",
            "memset(&parts[$I], 0, sizeof parts[0]);",
            "memcpy(m + 8 * $I, bytes + $I, $N);",
            "memmove(m + $I, m + $I, $N);",
            "memcpy(&words[$I], &cells[$I], 8);",
            "if ($C) { $S }",
            "if ($C) { $S } else { $S }",
            "if ($C) { $S $S } else { $S }",
            "for (i = 0; i < 3; i++) { $S }",
            "for (i = 0; i < (int)(a & 3); i++) { $S }",
        ],
    ),
];

/// Several objects of different sizes, all of them with many places.
const LOCALS: &str = "    u8 bytes[600] = { 1, 2, 3 };
    u16 shorts[65] = { 5 };
    u32 words[70] = { [64] = 9 }, x = 1, y = 2, *p = words, r = 0, *links[65] = { 0 };
    union cell cells[66] = { { 0x1122334455667788 } };
    struct part parts[80] = { { 1, -1, 2, 3, 4, 5, -6 } }, *e = parts;
    u8 *m = (u8 *)cells;
    int i = 0, k = 0;
";

fn function(seed: u64) -> String {
    let mut rng = Rng::new(Rng::derive(0x0001_a46e, seed));
    let mut grammar = Grammar { rng: &mut rng, rules: &[RULES] };
    let mut text = format!("/* seed {seed} */\n{FRONT}int f(u32 a, u32 b, u32 c) {{\n{LOCALS}");
    for _ in 0..grammar.rng.between(3, 7) {
        text.push_str(&format!("    {}\n", grammar.expand("$S", 3)));
    }
    text.push_str(&grammar.expand("    r ^= (u32)$X; r += (u32)$X;\n    if (fixed[$I] > 4) k++;\n", 2));
    text.push_str(&grammar.expand("    fixed[$I] = r; r ^= fixed[$I];\n", 2));
    // Edges show what was read.
    for bit in (0..32).step_by(2) {
        text.push_str(&format!("    if (r >> {bit} & 1) k++;\n"));
    }
    text.push_str("    return k;\n}\n");
    text
}

#[test]
fn writes_to_computed_places_of_large_objects() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("QUIPU_FIRST").unwrap_or(0);
    let unwinding = Unwinding { turns: 4, ..Unwinding::default() };
    let mut tally = Tally::default();
    for seed in first..first + number("QUIPU_PROGRAMS").unwrap_or(12) {
        let text = function(seed);
        let module = common::compile(&text);
        let func = module.function("f").expect("the function exists");
        tally.add(common::agree_on(&module, func, &text, 60, &unwinding));
    }
    println!("{tally:#?}");
    assert!(tally.same > 4 * (tally.approximate + tally.cut), "{tally:#?}");
    assert!(tally.same > 50 * tally.more, "{tally:#?}");
}
