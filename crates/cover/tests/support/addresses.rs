//! Random functions that make pointers of numbers and bytes: tags, differences, unions, copies in pieces, and pointers
//! to functions.

use quipu_testkit::grammar::Rules;

use super::generator::Case;
use super::memory::{Form, case};

/// Functions on addresses as numbers.
pub fn addresses(seed: u64) -> Case {
    case(&ADDRESSES, 0x000a_dd4e, seed)
}

const FRONT: &str = "#include <stdint.h>
typedef uintptr_t number;
union word { number number; cell *pointer; unsigned char bytes[sizeof(cell *)]; unsigned short halves[4]; };
static cell g[2];
static int inc(int x) { return x + 1; }
static int dbl(int x) { return 2 * x; }
static cell *copied(cell *from) {
    cell *to;
    for (unsigned n = 0; n < sizeof to; n++) ((unsigned char *)&to)[n] = ((unsigned char *)&from)[n];
    return to;
}
static void store(number place, int value) { *(cell *)place = value; }
";

/// `P` is a pointer to a cell, `N` one to an `int`, `W` an address.
const RULES: Rules = &[
    ('A', &["b", "u", "v", "i", "j", "*y", "*c.pointer", "t[1]", "g[0]", "h[1]", "*n", "*tab[$I]", "fn($A)"]),
    ('I', &["(b & 1)", "(a & 1)"]),
    (
        'P',
        &[
            "&u",
            "&v",
            "(t + 1)",
            "h",
            "g",
            "p",
            "y",
            "c.pointer",
            "tab[$I]",
            "(cell *)w",
            "(cell *)$W",
            "copied($P)",
            "($C ? $P : $P)",
        ],
    ),
    ('N', &["&i", "&j", "n", "($C ? &i : &j)", "(int *)(x & ~(number)3)"]),
    (
        'W',
        &[
            "w",
            "(number)$P",
            "((number)$P ^ (number)&u ^ (number)&u)",
            "((number)t + (number)(a & 3))",
            "(w ^ (number)&u ^ (number)&v)",
            "c.number",
        ],
    ),
    (
        'C',
        &[
            "b > 0",
            "a & 1",
            "(x & 3) == (number)(a & 3)",
            "(x & 3) == 2",
            "w == (number)&u",
            "w == $W",
            "y == c.pointer",
            "$P == $P",
            "c.number == 0",
            "w - (number)t == 1",
            "fn == inc",
            "*y == $A",
            "$N == &i",
            "*n == $A",
        ],
    ),
    (
        'F',
        &[
            "*y == $A && *c.pointer == $A && $C",
            "w == $W && *(cell *)w == $A",
            "fn($A) == $A && $N == $N",
            "i == $A && j == $A",
            "c.pointer == $P && u == $A",
        ],
    ),
    (
        'S',
        &[
            "w = $W;",
            "w = $W;",
            "y = $P;",
            "*y = $A;",
            "store($W, $A);",
            "*(cell *)$W = $A;",
            "*(cell *)w = $A;",
            "c.pointer = $P;",
            "c.number = $W;",
            "if ($C) c.number = a;",
            "if ($C) c.number = 0;",
            "*c.pointer = $A;",
            "c.bytes[0] ^= 1; c.bytes[0] ^= 1;",
            "c.halves[1] += b;",
            "memcpy(&y, c.bytes, sizeof y);",
            "memcpy(c.halves, &y, sizeof y);",
            "memcpy(&tab[$I], &c, sizeof c);",
            "tab[$I] = $P;",
            "x = (number)$N | (number)(a & 3);",
            "*(int *)(x & ~(number)3) = $A;",
            "*(int *)x = $A;",
            "n = $N;",
            "*n = $A;",
            "fn = $C ? inc : dbl;",
            "fn = (int (*)(int))((number)fn ^ 1); fn = (int (*)(int))((number)fn ^ 1);",
            "if ($C) free(h);",
            "if ($C) { y = h; free((void *)(number)y); }",
            "{ cell i = $A; w = (number)&i; *(cell *)w = $A; }",
        ],
    ),
];

const LOCALS: &str = "cell u = 1, v = 2, t[3] = { 0, 1, 2 }, *h = malloc(2), *y = &u, *tab[2] = { &u, &v };
    int i = 3, j = 4, *n = &i, (*fn)(int) = inc;
    number w = (number)&u, x = (number)&i;
    union word c = { (number)&v };
    h[0] = 3; h[1] = 1; g[0] ^= 0; y = $P; w = $W;";

const ADDRESSES: [Form; 2] = [
    Form {
        front: FRONT,
        parameters: "cell a, cell b, cell *p",
        locals: LOCALS,
        rules: RULES,
        named: &[("p", "object")],
        ranges: &[("a", 0, 3), ("b", -1, 1), ("(*p)", 0, 2), ("g", 0, 1)],
        statements: (3, 6),
        depth: 3,
    },
    Form {
        front: FRONT,
        parameters: "cell a, cell b, cell **m",
        locals: "cell *p = *m;
    cell u = 1, v = 2, t[3] = { 0, 1, 2 }, *h = malloc(2), *y = *m, *tab[2] = { &u, *m };
    int i = 3, j = 4, *n = &i, (*fn)(int) = inc;
    number w = (number)*m, x = (number)&i;
    union word c = { (number)*m };
    h[0] = 3; h[1] = 1; g[0] ^= 0; y = $P; w = $W;",
        rules: RULES,
        named: &[("m", "object"), ("(*m)", "null | object")],
        ranges: &[("a", 0, 3), ("b", -1, 1), ("(*(*m))", 0, 2), ("g", 0, 1)],
        statements: (3, 6),
        depth: 3,
    },
];
