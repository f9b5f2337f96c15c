//! Random functions whose allocations may fail.

use quipu_testkit::grammar::Rules;

use super::generator::Case;
use super::memory::{Form, case};

/// Functions the first two of whose allocations may fail.
pub fn heap(seed: u64) -> Case {
    let mut case = case(&HEAP, 0x0000_4ea9, seed);
    case.shapes.failing = 2;
    case
}

const FRONT: &str = "#include <errno.h>
static cell *made(int x) {
    cell *block = malloc(2);
    if (!block) return 0;
    block[0] = x; block[1] = 1;
    return block;
}
static int grow(cell **block) {
    cell *more = realloc(*block, 3);
    if (!more) return 0;
    more[2] = 2;
    *block = more;
    return 1;
}
";

/// `P` is a pointer to a cell that may be null.
const RULES: Rules = &[
    ('A', &["b", "u", "*y", "*z", "y[1]", "z[0]", "(y ? *y : 3)", "(z != 0)", "(errno == ENOMEM)"]),
    (
        'P',
        &[
            "y",
            "z",
            "p",
            "&u",
            "malloc(2)",
            "calloc(2, 1)",
            "made(a)",
            "made($A)",
            "(cell *)strdup(\"ab\")",
            "(cell *)strndup(\"abc\", a & 1)",
            "($C ? $P : $P)",
        ],
    ),
    ('C', &["b > 0", "y", "!y", "z", "!z", "y && z", "y == z", "errno", "y && *y == $A", "z && z[0] != $A"]),
    ('F', &["!y && !z", "y && !z", "!y && z && *z == $A", "errno == ENOMEM && y && $C"]),
    (
        'S',
        &[
            "y = $P;",
            "z = $P;",
            "z = $P;",
            "if (y) *y = $A;",
            "if (z) { $S }",
            "if (!y) { $S }",
            "if (!y) return 4;",
            "if (!(y = malloc(2))) return 3;",
            "z = realloc(z, 3);",
            "if ((z = realloc(0, 2))) z[0] = a;",
            "if (h && grow(&h)) r = h[2];",
            "if (h && !grow(&h)) r = h[0];",
            "y = realloc(h, 2); h = 0;",
            "*z = $A;",
            "free(h); h = 0;",
            "errno = 0;",
            "for (k = 0; k < 3 && (y = made(k)); k++) { $S }",
        ],
    ),
];

const HEAP: [Form; 1] = [Form {
    front: FRONT,
    parameters: "cell a, cell b, cell *p",
    locals: "cell u = 1, *y = &u, *z = 0, *h = made(2);
    y = $P;",
    rules: RULES,
    named: &[("p", "object")],
    ranges: &[("a", 0, 3), ("b", -1, 1), ("(*p)", 0, 2)],
    statements: (3, 6),
    depth: 3,
}];
