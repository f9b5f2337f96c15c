//! Random C programs that do little else than move pointers around. They may follow a null or a stale pointer: what
//! they did before counts.

use std::fmt::Write;

use quipu_testkit::rng::Rng;

const HEAD: &str = "#include <stdlib.h>
#include <string.h>
#include <stdint.h>
struct node { int value; int *data; struct node *next; };
union word { int *pointer; long number; char bytes[8]; };
static unsigned state = SEED;
static int rnd(void) { state = state * 1103515245u + 12345u; return (int)(state >> 16) & 0x7fff; }
int ga, gb, garray[4];
static int sa;
int *gp = &ga, *gq, **gpp = &gp, *gt[4] = { &ga, &gb };
struct node gn = { 1, &gb, 0 }, *gl = &gn, gnodes[3];
typedef int *(*action)(int *, int **, struct node *);
";

/// The text of a program that starts with `void test(void)`.
pub fn pointer_program(seed: u64) -> String {
    let mut rng = Rng::new(seed + 1);
    let mut out = HEAD.replace("SEED", &(rng.below(30_000) + 1).to_string());
    let n_functions = 1 + rng.below(3);
    for n in 0..n_functions {
        writeln!(out, "static int *f{n}(int *p, int **pp, struct node *n);").unwrap();
    }
    let names: Vec<String> = (0..3).map(|n| format!("f{}", n % n_functions)).collect();
    writeln!(out, "static action actions[3] = {{ {} }};", names.join(", ")).unwrap();
    writeln!(out, "static int depth;").unwrap();
    for n in 0..n_functions {
        let mut body = Body { rng: &mut rng, n_functions, names: 0 };
        let text = body.block(2, 7);
        writeln!(
            out,
            "static int *f{n}(int *p, int **pp, struct node *n) {{\n{LOCALS}if (depth++ > 4) return p;\n{text}return {};\n}}",
            if body.rng.below(8) == 0 { "&a" } else { "p" }
        )
        .unwrap();
    }
    let mut body = Body { rng: &mut rng, n_functions, names: 0 };
    let text = body.block(2, 12);
    let inputs = "int *p = &ga; int **pp = &gp; struct node *n = &gn;\n";
    writeln!(out, "void test(void) {{\n{inputs}{LOCALS}{text}}}").unwrap();
    writeln!(out, "int main(void) {{ test(); return 0; }}").unwrap();
    out
}

const LOCALS: &str = "int a = 1, b = 2, i = 0, *q = &a, *r = 0, **qq = &q, *t[3] = { &a, &b, &ga }, *u[3];
struct node m = { 2, &a, 0 }, *l = &m, nodes[3]; union word w; action f = f0;
memset(nodes, 0, sizeof nodes); memcpy(u, t, sizeof u); w.pointer = &b;
";

struct Body<'r> {
    rng: &'r mut Rng,
    n_functions: u64,
    /// The names of inner variables given so far.
    names: u64,
}

impl Body<'_> {
    fn block(&mut self, depth: u64, n_statements: u64) -> String {
        let n = 1 + self.rng.below(n_statements);
        (0..n).map(|_| self.statement(depth)).collect()
    }

    fn pick(&mut self, choices: &[&str]) -> String {
        self.rng.pick(choices).to_string()
    }

    fn pointer_place(&mut self) -> String {
        self.pick(&[
            "p",
            "q",
            "r",
            "gp",
            "gq",
            "t[0]",
            "t[2]",
            "t[rnd() % 3]",
            "u[1]",
            "gt[rnd() & 3]",
            "w.pointer",
        ])
    }

    fn pointer(&mut self) -> String {
        let fixed = [
            "&a",
            "&b",
            "&ga",
            "&gb",
            "&sa",
            "0",
            "&garray[2]",
            "garray + (rnd() & 3)",
            "u[rnd() % 3]",
            "gt[1]",
        ];
        match self.rng.below(5) {
            0 | 1 => self.pick(&fixed),
            2 => format!("(rnd() & 1 ? {} : {})", self.pointer_place(), self.pick(&fixed)),
            _ => self.pointer_place(),
        }
    }

    fn pointer_pointer(&mut self) -> String {
        self.pick(&[
            "&p",
            "&q",
            "&gp",
            "&gq",
            "pp",
            "qq",
            "gpp",
            "&t[1]",
            "&t[rnd() % 3]",
            "&gt[2]",
            "&m.data",
            "u",
        ])
    }

    fn node(&mut self) -> String {
        let choices =
            ["&m", "&gn", "l", "n", "gl", "gnodes + rnd() % 3", "&nodes[1]", "&nodes[rnd() % 3]", "0"];
        self.pick(&choices)
    }

    fn node_place(&mut self) -> String {
        self.pick(&["l", "n", "gl"])
    }

    fn statement(&mut self, depth: u64) -> String {
        let text = match self.rng.below(if depth == 0 { 22 } else { 28 }) {
            0..3 => format!("{} = {};", self.pointer_place(), self.pointer()),
            3 => format!("{} = {};", self.pick(&["pp", "qq", "gpp"]), self.pointer_pointer()),
            4 => format!("{{ int **x = {}; if (x) *x = {}; }}", self.pointer_pointer(), self.pointer()),
            5 => format!("{{ int **x = {}; if (x) {} = *x; }}", self.pointer_pointer(), self.pointer_place()),
            6 => format!("{{ int *x = {}; if (x) *x = rnd(); }}", self.pointer()),
            7 | 8 => format!("{} = {};", self.node_place(), self.node()),
            9 => format!("{{ struct node *x = {}; if (x) x->next = {}; }}", self.node(), self.node()),
            10 => format!("{{ struct node *x = {}; if (x) {} = x->next; }}", self.node(), self.node_place()),
            11 => format!("{{ struct node *x = {}; if (x) x->data = {}; }}", self.node(), self.pointer()),
            12 => {
                format!("{{ struct node *x = {}; if (x) {} = x->data; }}", self.node(), self.pointer_place())
            }
            13 => format!(
                "{{ struct node *x = {0}(sizeof *x{1}); x->value = 1; x->data = {2}; x->next = {3}; {4} = x; }}",
                "malloc",
                "",
                self.pointer(),
                self.node(),
                self.node_place()
            ),
            14 => format!(
                "{{ struct node *x = {}, *y = {}; if (x && y) *x = *y; }}",
                self.node(),
                self.pick(&["&m", "&gn", "l", "gl"])
            ),
            15 => self.pick(&[
                "memcpy(t, gt, sizeof t);",
                "memcpy(u, t, 2 * sizeof *u);",
                "memcpy(gt, t, (1 + rnd() % 3) * sizeof *gt);",
                "memset(&m, 0, sizeof m);",
                "memset(gnodes + rnd() % 3, 0, sizeof *gnodes);",
                "gnodes[rnd() % 3] = m;",
                "nodes[rnd() % 3] = gn;",
                "m = nodes[2];",
            ]),
            16 => {
                let (place, pointer) = (self.pointer_place(), self.pointer());
                match self.rng.below(4) {
                    0 => format!("{place} = (int *)(uintptr_t){pointer};"),
                    1 => format!("{{ long x = (long){pointer}; {place} = (int *)(x + 0); }}"),
                    2 => format!("w.pointer = {pointer}; w.bytes[0] ^= 0; {place} = w.pointer;"),
                    _ => format!(
                        "w.pointer = {pointer}; {{ long x = w.number; w.number = x; }} {place} = w.pointer;"
                    ),
                }
            }
            17 => {
                let place = self.pointer_place();
                format!(
                    "{{ int *x = {}; char *from = (char *)&x, *to = (char *)&{place};\n\
                         for (int k = 0; k < 8; k++) to[k] = from[k]; }}",
                    self.pointer()
                )
            }
            18 => format!("f = {};", self.function()),
            19 => format!("{} = {};", self.pointer_place(), self.call()),
            20 => format!("{};", self.call()),
            21 => format!(
                "{{ int *x = calloc(2, sizeof *x); x = realloc(x, 32); {} = x + 1; }}",
                self.pointer_place()
            ),
            22 => format!(
                "if (rnd() & 1) {{\n{}}} else {{\n{}}}",
                self.block(depth - 1, 4),
                self.block(depth - 1, 4)
            ),
            23 => format!("if (rnd() % 3) {{\n{}}}", self.block(depth - 1, 4)),
            24 | 25 => {
                let bound = 1 + self.rng.below(4);
                self.names += 1;
                let k = format!("k{}", self.names);
                format!("for (int {k} = 0; {k} < {bound}; {k}++) {{\n{}}}", self.block(depth - 1, 4))
            }
            26 => {
                self.names += 1;
                let z = format!("z{}", self.names);
                let outer = self.pick(&["q", "r", "gp", "*pp", "*qq"]);
                format!("{{ int {z} = 3; {outer} = &{z};\n{}}}", self.block(depth - 1, 3))
            }
            _ => format!("while (l && l->next && i++ < 6) {{ l = l->next;\n{}}}", self.block(depth - 1, 3)),
        };
        text + "\n"
    }

    fn function(&mut self) -> String {
        match self.rng.below(3) {
            0 => "actions[rnd() % 3]".to_string(),
            1 => "f".to_string(),
            _ => format!("f{}", self.rng.below(self.n_functions)),
        }
    }

    fn call(&mut self) -> String {
        format!("{}({}, {}, {})", self.function(), self.pointer(), self.pointer_pointer(), self.node())
    }
}
