//! Random functions on pointers that are inputs and walk through arrays that are inputs, too: those of the program, and
//! those in the struct in which the pointer stands.

use quipu_testkit::grammar::Rules;

use super::generator::Case;
use super::memory::{Form, case};

/// Functions on pointers into arrays.
pub fn rings(seed: u64) -> Case {
    case(&RINGS, 0x0014_1265, seed)
}

const FRONT: &str = "struct ring { cell b[3]; cell *at; };
static cell g[3];
static cell *w = g, *v = g;
static struct ring s;
static void open(void) { s.at = s.b; w = v = g; }
static void step(cell **x) { if (++*x == g + 3) *x = g; }
";

/// `P` is a pointer into `g`.
const RULES: Rules = &[
    ('A', &["*w", "*v", "g[0]", "g[2]", "g[$I]", "(int)(w - g)", "(int)(w - v)", "w[0]", "v[$I]"]),
    ('P', &["w", "v", "g", "(g + $I)", "(g + 3)", "(w + 1)"]),
    ('C', &["w == v", "$P == $P", "w < v", "w <= g + 1", "w == g + 3", "w - v > 0", "*w == $A", "v", "!v"]),
    ('F', &["w == $P && *v == $A", "w - g == $0 && v == $P", "*w != *v && v < w", "g[$I] == $A && v == $P"]),
    (
        'S',
        &[
            "w++;",
            "v--;",
            "*w = $A;",
            "*v = $A;",
            "*w++ = a;",
            "w = $P;",
            "v = $P;",
            "step(&w);",
            "if (v) step(&v);",
            "g[$I] = $A;",
            "r += *w;",
            "while (w < g + 3) { $S w++; }",
            "if ($P == $P) { $S }",
        ],
    ),
];

/// Nothing here asks where pointers to different objects are: with one just behind its array, nobody knows.
const FOLLOWING_RULES: Rules = &[
    ('A', &["*w", "*v", "g[0]", "g[2]", "g[$I]", "w[$I]", "v[1]"]),
    ('C', &["*w == $A", "*v != $A", "g[$I] == $A", "v", "w[$I] > 0"]),
    ('F', &["*w == $A && *v == $A", "*w != g[0] && w[1] == $A", "g[$I] == $A && v"]),
    (
        'S',
        &[
            "w++;",
            "v--;",
            "*w = $A;",
            "*v = $A;",
            "*w++ = a;",
            "g[$I] = $A;",
            "r += *w;",
            "while (*w) { $S w++; }",
        ],
    ),
];

const MEMBER_RULES: Rules = &[
    ('A', &["*s.at", "s.b[0]", "s.b[$I]", "(int)(s.at - s.b)", "s.at[$I]", "*p->at", "p->b[1]"]),
    ('P', &["s.at", "s.b", "(s.b + $I)", "(s.at + 1)"]),
    (
        'C',
        &[
            "s.at == s.b",
            "s.at == $P",
            "s.at < s.b + 2",
            "p->at == p->b + 1",
            "p->at - p->b > 1",
            "*s.at == $A",
        ],
    ),
    ('F', &["s.at == $P && *s.at == $A", "p->at - p->b == $0 && $C", "s.at - s.b == $0 && s.b[1] == $A"]),
    (
        'S',
        &[
            "s.at++;",
            "*s.at = $A;",
            "s.b[$I] = $A;",
            "s.at = $P;",
            "p->at++;",
            "*p->at = $A;",
            "p->b[1] = $A;",
        ],
    ),
];

const RINGS: [Form; 4] = [
    Form {
        front: FRONT,
        parameters: "cell a",
        locals: "g[0] ^= 0; if (!w) return 1; if (v) r = 1;",
        rules: RULES,
        named: &[("w", "alias(g)"), ("v", "alias(g) | null")],
        ranges: &[("a", 0, 2), ("g", 0, 2)],
        statements: (2, 5),
        depth: 3,
    },
    Form {
        front: FRONT,
        parameters: "cell a",
        locals: "g[0] ^= 0; if (!w) return 1; if (v) r = 1;",
        rules: FOLLOWING_RULES,
        named: &[("w", "array(2) | alias(g)"), ("v", "alias(w) | alias(g) | null")],
        ranges: &[("a", 0, 1), ("g", 0, 1), ("w[0]", 0, 1), ("w[1]", 0, 1)],
        statements: (2, 5),
        depth: 3,
    },
    Form {
        front: FRONT,
        parameters: "cell a, cell *v",
        locals: "g[0] ^= 0; if (!w) return 1; if (v) r = 1;",
        rules: RULES,
        named: &[("v", "null | alias(g)"), ("w", "alias(v)")],
        ranges: &[("a", 0, 2), ("g", 0, 1)],
        statements: (2, 5),
        depth: 3,
    },
    Form {
        front: FRONT,
        parameters: "cell a, struct ring *p",
        locals: "s.b[0] ^= 0; if (!s.at || !p->at) return 1;",
        rules: MEMBER_RULES,
        named: &[("p", "object"), ("s.at", "alias(s)"), ("p->at", "alias(p->b)")],
        ranges: &[("a", 0, 1), ("s.b", 0, 1), ("p->b", 0, 1)],
        statements: (2, 5),
        depth: 3,
    },
];
