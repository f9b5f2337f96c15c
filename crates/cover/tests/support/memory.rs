//! Random functions on small memories: objects of one to three cells, pointers between them, inputs with shapes.

use quipu_inputs::{Shape, Shapes};
use quipu_testkit::grammar::{Grammar, Rules};
use quipu_testkit::rng::Rng;

use super::generator::Case;
use super::shapes::integers;

/// A kind of function: what it starts with, and what its statements are made of.
pub struct Form {
    /// In front of the function; between its parameters and its first statement.
    pub front: &'static str,
    pub parameters: &'static str,
    pub locals: &'static str,
    pub rules: Rules,
    /// What pointers point to, by name.
    pub named: &'static [(&'static str, &'static str)],
    pub ranges: &'static [(&'static str, i64, i64)],
    pub statements: (i64, i64),
    /// How deep statements are nested.
    pub depth: u32,
}

/// Limits of shapes so low that all inputs can be tried.
const SMALL: (u64, u64, usize, usize) = (3, 3, 4, 2);

/// Functions on locals, globals, blocks and what input pointers point to.
pub fn objects(seed: u64) -> Case {
    case(&OBJECTS, 0x00b1_ec75, seed)
}

/// Functions on inputs of every shape.
pub fn shaped(seed: u64) -> Case {
    case(&SHAPED, 0x0005_8a9e, seed)
}

/// Functions with loops that may go round in circles.
pub fn circles(seed: u64) -> Case {
    case(&CIRCLES, 0x00c1_4c1e, seed)
}

/// Functions with loops that count, write to memory, and make objects in every turn.
pub fn turns(seed: u64) -> Case {
    case(&TURNS, 0x0070_0425, seed)
}

/// One form after the other.
pub fn case(forms: &[Form], stream: u64, seed: u64) -> Case {
    let mut rng = Rng::new(Rng::derive(stream, seed));
    forms[seed as usize % forms.len()].case(seed, &mut rng)
}

impl Form {
    fn case(&self, seed: u64, rng: &mut Rng) -> Case {
        let mut writer = Grammar { rng, rules: &[self.rules, GENERAL] };
        let mut text = format!("{COMMON}{}int f({}) {{\n", self.front, self.parameters);
        text.push_str(&format!("    int r = 0, k = 0;\n    {}\n", writer.expand(self.locals, 2)));
        for _ in 0..writer.rng.between(self.statements.0, self.statements.1) {
            text.push_str(&format!("    {}\n", writer.expand("$S", self.depth)));
        }
        text.push_str(&writer.expand(FINALE, 2));
        let ranges = self.ranges.iter().map(|&(name, low, high)| integers(name, low, high));
        let named = self.named.iter().map(|&(name, shape)| {
            (name.to_string(), Shape::parse(shape).expect("the shapes of forms are known"))
        });
        let (elements, text_length, largest_array, patches) = SMALL;
        let shapes = Shapes {
            elements,
            text: text_length,
            largest_array,
            patches,
            named: named.collect(),
            ..Shapes::default()
        };
        Case { seed, text, flags: Vec::new(), ranges: ranges.collect(), shapes }
    }
}

/// What every function ends with: places that are harder and harder to get to.
const FINALE: &str = "    if ($C) r = 5;
    if ($C && $C) { r++; if ($C) r = 2; }
    if ($F) { r = 6; if ($F) r = 7; }
    return r;
}
";

const COMMON: &str = "#include <stdlib.h>
#include <string.h>
typedef signed char cell;
struct pair { cell x, y; };
struct node { cell key; struct node *next; };
struct tree { cell key; struct tree *left, *right; };
";

/// What all forms have: `A` is a number, `I` an index, `C` a condition, `S` a statement.
const GENERAL: Rules = &[
    ('A', &["0", "1", "2", "a", "r", "$0", "($A + $A)", "($A ^ $A)"]),
    ('I', &["0", "1", "2", "a", "k", "(a & 1)"]),
    ('C', &["a == 1", "r > 2", "a == $0", "$A == $A", "$A != $A", "$A < $A", "($C && $C)", "($C || $C)"]),
    ('F', &["$C && $C"]),
    (
        'S',
        &[
            "r = a;",
            "r++;",
            "r = $A & 7;",
            "if ($C) { $S }",
            "if ($C) { $S } else { $S }",
            "if ($C) { $S $S }",
            "if ($C) return $A;",
        ],
    ),
];

const OBJECT_FRONT: &str = "static cell g[2];
static void swap(cell *x, cell *y) { cell t = *x; *x = *y; *y = t; }
static cell *pick(int c, cell *x, cell *y) { return c > 1 ? x : y; }
static void set(cell **x, cell *y) { *x = y; }
";

const OBJECT_LOCALS: &str = "cell u = 1, v = 2, t[3] = { 0, 1, 2 }, *h = malloc(2);
    struct pair s = { 1, 2 }, o = { 0, 3 }, *e = &s;
    cell *r1 = &u, *w = t, **z = &r1, *d = t + (a & 1);
    g[0] ^= 0; h[0] = 3; r1 = $P; w = $P;";

/// `P` is a pointer to a cell.
const OBJECT_RULES: Rules = &[
    (
        'A',
        &[
            "b", "u", "v", "*r1", "*w", "*d", "t[1]", "t[$I]", "s.x", "o.y", "e->x", "e->y", "**z", "g[1]",
            "h[0]", "*p", "*q",
        ],
    ),
    ('I', &["b", "(u & 1)", "(b & 1)", "(a & 1)"]),
    (
        'P',
        &[
            "&u",
            "&v",
            "d",
            "t + 1",
            "g",
            "&g[1]",
            "&s.x",
            "&o.y",
            "r1",
            "w",
            "*z",
            "h",
            "p",
            "q",
            "&e->y",
            "&t[$I]",
            "pick($A, $P, $P)",
            "($C ? $P : $P)",
            "($C ? $P : $P)",
        ],
    ),
    (
        'C',
        &[
            "b > 0",
            "a & 1",
            "r1 == w",
            "r1 == p",
            "p == q",
            "d == t",
            "d < t + 1",
            "e == &s",
            "z == &r1",
            "d - t == 1",
            "r1 < w",
            "$P == $P",
            "$P != $P",
            "*r1 == $A",
            "*w == $A",
            "*d != $A",
            "b > $0",
        ],
    ),
    (
        'F',
        &[
            "*r1 == $A && *w == $A && $C",
            "*r1 > *w && r1 != $P",
            "e->x == $A && *z == $P",
            "*p + *q == a + b && $C",
            "r1 == $P && *w == $A",
            "d - t == $0 && *d == $A",
        ],
    ),
    (
        'S',
        &[
            "s = o;",
            "o = *e;",
            "*e = s;",
            "d = t;",
            "u = $A;",
            "*r1 = $A;",
            "*w = $A;",
            "*($P) = $A;",
            "t[$I] = $A;",
            "r1 = $P;",
            "w = $P;",
            "*z = $P;",
            "z = $C ? &r1 : &w;",
            "e = $C ? &s : &o;",
            "e->x = $A;",
            "e->y = $A;",
            "swap($P, $P);",
            "set($C ? &r1 : &w, $P);",
            "h[0] = $A;",
            "g[$I] = $A;",
            "*p = $A;",
            "*q = $A;",
            "if ($C) free(h);",
            "if ($C) { r1 = $P; w = $P; }",
            "{ cell i = $A; *w = i; }",
            "d = t + $I;",
            "if ($C) d++;",
        ],
    ),
];

const OBJECTS: [Form; 4] = [
    Form {
        front: OBJECT_FRONT,
        parameters: "cell a, cell b, cell *p, cell *q",
        locals: OBJECT_LOCALS,
        rules: OBJECT_RULES,
        named: &[("p", "object"), ("q", "object | alias(p)")],
        ranges: &[("a", 0, 3), ("b", -1, 1), ("(*p)", 0, 2), ("(*q)", 1, 2), ("g", 0, 1)],
        statements: (3, 7),
        depth: 4,
    },
    Form {
        front: OBJECT_FRONT,
        parameters: "cell a, cell b, cell *p, cell *q",
        locals: OBJECT_LOCALS,
        rules: OBJECT_RULES,
        named: &[("p", "null | object"), ("q", "null | alias(p)")],
        ranges: &[("a", 0, 3), ("b", -1, 1), ("(*p)", -3, 4), ("g", 0, 1)],
        statements: (3, 7),
        depth: 4,
    },
    Form {
        front: OBJECT_FRONT,
        parameters: "cell a, cell b, cell *p, cell *q",
        locals: OBJECT_LOCALS,
        rules: OBJECT_RULES,
        named: &[("p", "array(2)"), ("q", "alias(p) | object")],
        ranges: &[("a", 0, 3), ("b", -1, 1), ("p[0]", 0, 2), ("p[1]", 0, 1), ("(*q)", 0, 1), ("g", 1, 2)],
        statements: (3, 7),
        depth: 4,
    },
    Form {
        front: OBJECT_FRONT,
        parameters: "cell a, cell b, cell *p, cell **m",
        locals: "cell *q = *m;
    cell u = 1, v = 2, t[3] = { 0, 1, 2 }, *h = malloc(2);
    struct pair s = { 1, 2 }, o = { 0, 3 }, *e = &s;
    cell *r1 = &u, *w = t, **z = m, *d = t + (a & 1);
    g[0] ^= 0; h[0] = 3; r1 = $P; w = $P;",
        rules: OBJECT_RULES,
        named: &[("p", "object"), ("m", "object"), ("(*m)", "object | alias(p) | null")],
        ranges: &[("a", 0, 3), ("b", -1, 1), ("(*p)", 0, 2), ("(*(*m))", 1, 2), ("g", 0, 0)],
        statements: (3, 7),
        depth: 4,
    },
];

const ARRAY_RULES: Rules = &[
    ('A', &["n", "t[0]", "*p", "t[$I]"]),
    ('I', &["n", "n - 1"]),
    ('C', &["n > 1", "p == t", "p < t + n", "p == t + n", "p - t == $0", "t[$I] == $A", "*p == $A"]),
    (
        'S',
        &[
            "p++;",
            "p = t;",
            "p--;",
            "r += *p;",
            "p = t + $I;",
            "t[$I] = $A;",
            "*p = $A;",
            "r += t[$I];",
            "for (k = 0; k < n; k++) { $S }",
            "for (k = 0; k < n; k++) r += t[k];",
            "for (k = 0; k < $A; k++) if (t[k] == $A) break;",
            "if (n > $0) { $S }",
        ],
    ),
];

const STRING_RULES: Rules = &[
    ('A', &["*s", "s[0]", "s[1]", "(int)strlen(s)", "s[$I]"]),
    ('C', &["*s", "s == t", "t", "*t == $A", "s[$I] == $A", "strcmp(s, t) == 0", "strlen(s) > 1", "!t"]),
    (
        'S',
        &[
            "s++;",
            "*s = 1;",
            "t++;",
            "while (*s) { s++; $S }",
            "for (k = 0; s[k]; k++) { $S }",
            "while (*s && *s == *t) { s++; t++; }",
            "if (t) { $S }",
            "if (*s) s[1] = $A;",
            "s[$I] = $A;",
            "r += t[$I];",
        ],
    ),
];

const BUFFER_RULES: Rules = &[
    ('A', &["*b", "*p", "(int)(e - b)", "(int)(e - p)", "b[$I]", "p[$I]"]),
    ('C', &["p < e", "p == e", "b < e", "e - b > 1", "p >= b", "*p == $A", "e - p == $0"]),
    (
        'S',
        &[
            "p++;",
            "p = e;",
            "p = b;",
            "e--;",
            "r += *p;",
            "if (p < e) { $S }",
            "for (p = b; p < e; p++) { $S }",
            "while (p != e) { p++; $S }",
            "if (p < e && *p == $A) { $S }",
            "*p = $A;",
            "b[$I] = $A;",
        ],
    ),
];

const BIG_RULES: Rules = &[
    ('A', &["big[0]", "big[a]", "*p", "big[$I]"]),
    ('I', &["a + 1", "3", "4", "big[a]"]),
    ('C', &["p == big", "*p > 0", "big[$I] == $A", "big[$I] > big[$I]", "p == big + a"]),
    (
        'S',
        &[
            "p++;",
            "r += *p;",
            "p = big + $I;",
            "big[$I] = $A;",
            "*p = $A;",
            "big[$I]++;",
            "r += big[$I];",
            "for (k = 0; k < 4; k++) r += big[k];",
            "for (k = 0; k < 3; k++) if (big[k] == $A) { $S }",
        ],
    ),
];

const TABLE_RULES: Rules = &[
    ('A', &["tab[0].x", "tab[a].y", "p->x", "tab[$I].x", "tab[$I].y"]),
    ('I', &["a + 1", "3", "tab[a].x"]),
    ('C', &["p == tab", "p->x == p->y", "tab[$I].x == $A", "tab[$I].y > tab[$I].x"]),
    (
        'S',
        &[
            "p++;",
            "r += p->y;",
            "tab[1] = *p;",
            "p = tab + $I;",
            "tab[$I].x = $A;",
            "tab[$I] = tab[$I];",
            "p->y = $A;",
            "for (k = 0; k < 3; k++) r += tab[k].y;",
        ],
    ),
];

/// `N` is a pointer to a node.
const LIST_RULES: Rules = &[
    ('A', &["l->key", "p->key", "($N)->key"]),
    ('N', &["l", "p", "l->next", "p->next", "l->next->next", "($C ? $N : $N)"]),
    ('C', &["l", "p", "p == l", "p && p->next", "p->next == l", "p && p->key == $A", "$N == $N", "!p"]),
    (
        'S',
        &[
            "p = l;",
            "p = p->next;",
            "if (p) p = p->next;",
            "p = $N;",
            "($N)->next = $N;",
            "p->key = $A & 3;",
            "if (p) { $S }",
            "if (p && p->next) { $S $S }",
            "while (p && p->next) { p = p->next; $S }",
            "while (p && p->key != $A) p = p->next;",
            "for (k = 0; k < 3 && p; k++) { p = p->next; $S }",
        ],
    ),
];

const TREE_RULES: Rules = &[
    ('A', &["l->key", "p->key", "($N)->key"]),
    ('N', &["l", "p", "l->left", "p->right", "p->left", "($C ? $N : $N)"]),
    ('C', &["l", "p", "p == l", "p && p->left", "l->left == l->right", "p && p->key < $A", "$N == $N"]),
    (
        'S',
        &[
            "p = l;",
            "p = p->left;",
            "if (p) p = p->right;",
            "p = $N;",
            "($N)->left = $N;",
            "while (p && p->key != $A) p = p->key < $A ? p->left : p->right;",
            "if (p) { $S }",
            "if (p && p->left) { $S $S }",
        ],
    ),
];

const SHAPED: [Form; 12] = [
    Form {
        front: "",
        parameters: "cell n, cell *t, cell a",
        locals: "cell *p = t;",
        rules: ARRAY_RULES,
        named: &[("t", "array(n)")],
        ranges: &[("n", -1, 3), ("t[0]", 0, 2), ("t[1]", 0, 2), ("t[2]", 0, 1), ("a", 0, 3)],
        statements: (2, 5),
        depth: 4,
    },
    Form {
        front: "",
        parameters: "int m, int n, short *t, cell a",
        locals: "short *p = t; n *= m;",
        rules: ARRAY_RULES,
        named: &[("t", "array(m*n)")],
        ranges: &[("m", 0, 2), ("n", 0, 2), ("t[0]", 0, 1), ("t[1]", 0, 1), ("t[2]", 0, 1), ("a", 0, 3)],
        statements: (2, 5),
        depth: 4,
    },
    Form {
        front: "",
        parameters: "int n, struct pair *tab, cell a",
        locals: "struct pair *p = tab;",
        rules: TABLE_RULES,
        named: &[("tab", "null | array(2*n)")],
        ranges: &[("n", 0, 2), ("tab[0]", 0, 2), ("a", 0, 2)],
        statements: (2, 5),
        depth: 4,
    },
    Form {
        front: "",
        parameters: "char *s, char *t, cell a",
        locals: "",
        rules: STRING_RULES,
        named: &[("s", "string(2)"), ("t", "string(2) | alias(s) | null")],
        ranges: &[("s[0]", 0, 2), ("s[1]", 0, 2), ("t[0]", 0, 1), ("t[1]", 0, 1), ("a", 0, 2)],
        statements: (2, 4),
        depth: 4,
    },
    Form {
        front: "",
        parameters: "const char *s, const char *t, cell a",
        locals: "",
        rules: &[
            ('A', &["*s", "s[0]", "s[$I]", "t[$I]"]),
            ('C', &["*s", "s == t", "*t == $A", "s[$I] == $A", "!*t"]),
            (
                'S',
                &[
                    "s++;",
                    "while (*s) { s++; $S }",
                    "while (*s && *s == *t) { s++; t++; }",
                    "for (k = 0; s[k]; k++) { $S }",
                    "if (*s) { s++; $S }",
                ],
            ),
        ],
        named: &[("s", "string(3)"), ("t", "string(1) | alias(s)")],
        ranges: &[("s[0]", -1, 1), ("s[1]", 0, 2), ("s[2]", 0, 1), ("t[0]", 0, 2), ("a", 0, 2)],
        statements: (2, 4),
        depth: 4,
    },
    Form {
        front: "",
        parameters: "cell *b, cell *e, cell a",
        locals: "cell *p = b; if (b == e) r = 1;",
        rules: BUFFER_RULES,
        named: &[],
        ranges: &[("b[0]", 0, 1), ("b[1]", 0, 2), ("b[2]", 0, 1), ("a", 0, 2)],
        statements: (2, 4),
        depth: 4,
    },
    Form {
        front: "static cell big[9];\n",
        parameters: "cell a",
        locals: "cell *p = big + a; big[0] ^= 0;",
        rules: BIG_RULES,
        named: &[],
        ranges: &[("big", 0, 2), ("a", 0, 2)],
        statements: (2, 5),
        depth: 4,
    },
    Form {
        front: "",
        parameters: "cell a, short *big",
        locals: "short *p = big + a;",
        rules: BIG_RULES,
        named: &[("big", "array(6)")],
        ranges: &[("big[*]", -1, 1), ("a", 0, 3)],
        statements: (2, 5),
        depth: 4,
    },
    Form {
        front: "static struct pair tab[5];\n",
        parameters: "cell a",
        locals: "struct pair *p = tab; tab[0].x ^= 0;",
        rules: TABLE_RULES,
        named: &[],
        ranges: &[("tab", 0, 3), ("a", 0, 3)],
        statements: (2, 5),
        depth: 4,
    },
    Form {
        front: "",
        parameters: "struct node *l, cell a",
        locals: "struct node *p = l;",
        rules: LIST_RULES,
        named: &[("l", "null | cyclic(3)")],
        ranges: &[("l->key", 0, 1), ("l->next->key", 0, 1), ("l->next->next->key", 0, 1), ("a", 0, 2)],
        statements: (2, 4),
        depth: 4,
    },
    Form {
        front: "",
        parameters: "struct node *l, cell a",
        locals: "struct node *p = l;",
        rules: LIST_RULES,
        named: &[("l", "list(3) | null")],
        ranges: &[("l->key", 0, 2), ("l->next->key", 0, 2), ("l->next->next->key", 0, 2), ("a", 0, 2)],
        statements: (2, 4),
        depth: 4,
    },
    Form {
        front: "",
        parameters: "struct tree *l, cell a",
        locals: "struct tree *p = l;",
        rules: TREE_RULES,
        named: &[("l", "tree(2)")],
        ranges: &[("l->key", 0, 2), ("l->left->key", 0, 2), ("l->right->key", 0, 2), ("a", 0, 2)],
        statements: (2, 4),
        depth: 4,
    },
];

/// `T` is a step.
const CIRCLE_RULES: Rules = &[
    ('A', &["b", "k", "p->key", "q->key", "($N)->key"]),
    ('N', &["p", "q", "&n0", "&n1", "&n2", "p->next", "q->next", "($C ? $N : $N)"]),
    (
        'C',
        &[
            "p != q",
            "b > 1",
            "k != 2",
            "k != 19",
            "p != &n0",
            "p->key != 17",
            "n0.key < 21",
            "q->key != 9",
            "p != $N",
            "p->key != $A",
            "k != $A",
            "p->next == q",
        ],
    ),
    (
        'T',
        &[
            "p = p->next;",
            "p = p->next;",
            "q = q->next;",
            "k = (k + 1) % 3;",
            "p = p->next->next;",
            "p->key ^= 1;",
            "p->key = (p->key + 1) & 31;",
            "n0.key = (n0.key + 1) & 31;",
            "k = (k + 1) % 23;",
            "{ struct node *o = p; p = q; q = o; }",
            "p->next = $N;",
            "p = $N;",
        ],
    ),
    (
        'S',
        &[
            "p = q;",
            "p->key = 1;",
            "$T",
            "p = $N;",
            "p->next = $N;",
            "p->key = $A & 3;",
            "while ($C) { $T }",
            "while (p->key != 17) { p->key = (p->key + 1) & 31; $T }",
            "while (n0.key != 25) { n0.key = (n0.key + a) & 31; }",
            "do n1.key = (n1.key + 1) & 31; while (n1.key != $A + 20);",
            "while ($C) { $T $S }",
            "do { $T $S } while ($C);",
            "do { $T $T } while ($C);",
            "for (;;) { $T if ($C) break; $S }",
            "for (k = 0; $C; k = (k + 1) & 3) { $T if ($C) continue; $T }",
        ],
    ),
    ('S', &["while ($C) { $T if ($C) r = 7; }"]),
];

const CIRCLES: [Form; 3] = [
    Form {
        front: "",
        parameters: "cell a, cell b",
        locals: "struct node n0 = { 0, 0 }, n1 = { 1, &n0 }, n2 = { 2, &n1 }, *p = &n0, *q = &n2;
    n0.next = $N;",
        rules: CIRCLE_RULES,
        named: &[],
        ranges: &[("a", 0, 7), ("b", 0, 3)],
        statements: (2, 4),
        depth: 2,
    },
    Form {
        front: "",
        parameters: "struct node *l, cell a",
        locals: "struct node n0 = { 0, l }, n1 = { 1, &n0 }, n2 = { 2, &n1 }, *p = l, *q = &n2; int b = a & 1;",
        rules: CIRCLE_RULES,
        named: &[("l", "cyclic(2)")],
        ranges: &[("l->key", 0, 2), ("l->next->key", 0, 2), ("a", 0, 3)],
        statements: (1, 3),
        depth: 2,
    },
    Form {
        front: "static struct node n0, n1, n2;\n",
        parameters: "cell a, cell b",
        locals: "struct node *p = &n1, *q = &n2;
    n0.next = &n1; n1.next = &n2; n2.next = a > 1 ? &n0 : &n1; n0.key = a; n1.key = b; n2.key = 2;",
        rules: CIRCLE_RULES,
        named: &[("n0.next", "null"), ("n1.next", "null"), ("n2.next", "null")],
        ranges: &[("a", 0, 3), ("b", 0, 3), ("n0.key", 0, 0), ("n1.key", 0, 0), ("n2.key", 0, 0)],
        statements: (1, 3),
        depth: 2,
    },
];

const TURN_LOCALS: &str = "int i = 0, j = 0; cell t[4] = { 0, 1, 2, 3 }, *w = t, *h = 0, *m = 0, u = 1;
    struct pair s = { 0, 0 }, *e = &s; struct node *l = 0, *o = 0; g ^= 0;";

/// `T` is a part of a turn, `L` a condition under which a loop goes on.
const TURN_RULES: Rules = &[
    ('A', &["b", "i", "j", "u", "*w", "t[1]", "s.x", "s.y", "e->y", "g", "(l ? l->key : 3)", "(int)(w - t)"]),
    (
        'C',
        &[
            "i > b",
            "i < b",
            "i > $A",
            "j > i",
            "j < 0",
            "i == j",
            "w == t",
            "w > t + 1",
            "h == 0",
            "l == 0",
            "l == o",
            "l && l->next == o",
            "l && l->next == l",
            "m == &u",
            "m && *m == 2",
            "s.x > b",
            "s.x > s.y",
            "*w == $0",
            "g > i",
            "h == m",
        ],
    ),
    (
        'L',
        &[
            "i < b",
            "i < a",
            "i < 9",
            "i++ < a",
            "s.x < b",
            "i < 7 && $C",
            "w < t + 3",
            "w < t + b",
            "g < 6",
            "j < 20",
        ],
    ),
    (
        'T',
        &[
            "i++;",
            "i++;",
            "i += 2;",
            "j--;",
            "j = i;",
            "j += i;",
            "if ($C) i++;",
            "if ($C) j++;",
            "s.x++;",
            "s.x = i;",
            "e->y = s.x;",
            "g++;",
            "w++;",
            "w = t + (i & 3);",
            "if (w < t + 3) w++;",
            "*w = i;",
            "*w = *w + 1;",
            "t[i & 3] = j;",
            "m = w;",
            "m = &u;",
            "u++;",
            "{ cell v = i; m = &v; if (*m == 3) r = 4; }",
            "{ cell v[2]; v[i & 1] = 1; if (i & 1) r += v[1]; }",
            "{ cell v; if ($C) v = 1; else v = 2; h = v == 1 ? w : m; m = 0; }",
            "h = malloc(1); *h = i; if (*h == 2) r = 3;",
            "if (h) free(h); h = malloc(2); h[0] = i;",
            "o = l; l = malloc(sizeof *l); l->key = i; l->next = o;",
            "l = malloc(sizeof *l); l->key = i; l->next = l;",
            "if (l) { o = l->next; free(l); l = o; }",
            "if (l) l->key++;",
            "if (l) l->next = o;",
            "if ($C) break;",
            "if ($C) continue;",
            "if ($C) r = 6;",
            "e = e == &s ? 0 : &s; if (!e) e = &s;",
        ],
    ),
    (
        'S',
        &[
            "while ($L) { i++; $T $T }",
            "while ($L) { $T i++; $T }",
            "for (; $L; i++) { $T $T }",
            "for (j = 0; j < b; j++) { $T }",
            "do { i++; $T $T } while ($L);",
            "for (i = 0; $L; i++) { for (j = 0; j < i; j++) { $T } $T }",
            "while ($L) { i++; $T if ($C) r = 7; }",
            "while ($L) { i++; $T $T $T }",
        ],
    ),
    ('S', &["while (s.x < 5) { s.x++; $T }", "while (g < b) { g++; $T }"]),
];

const TURNS: [Form; 2] = [
    Form {
        front: "static cell g;\n",
        parameters: "cell a, cell b",
        locals: TURN_LOCALS,
        rules: TURN_RULES,
        named: &[],
        ranges: &[("a", -1, 12), ("b", -2, 9), ("g", 0, 7)],
        statements: (1, 3),
        depth: 3,
    },
    Form {
        front: "static cell g;\n",
        parameters: "int a, int b",
        locals: TURN_LOCALS,
        rules: TURN_RULES,
        named: &[],
        ranges: &[("a", -1, 40), ("b", 5, 12), ("g", 3, 3)],
        statements: (1, 2),
        depth: 3,
    },
];
