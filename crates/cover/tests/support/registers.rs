//! Random functions that read volatile objects and registers at fixed addresses, each of a few bits.

use quipu_testkit::grammar::Rules;

use super::generator::Case;
use super::memory::{Form, case};

/// Functions whose reads of volatile objects give any of four values.
pub fn registers(seed: u64) -> Case {
    case(&REGISTERS, 0x0de7_1ce5, seed)
}

const FRONT: &str = "struct regs { unsigned char a : 2, b : 1; signed char c : 2; };
static volatile struct regs w;
static const volatile struct regs fixed = { 1, 0, 1 };
#define REG (*(volatile struct regs *)0x40001000)
#define BASE 0x40002000u
static volatile struct regs *const table[] = { (volatile struct regs *)0x40001000, &w };
static int bit(volatile struct regs *p) { return p->b; }
static int at(unsigned base, int n) { return ((volatile struct regs *)(unsigned long)(base + n))->a; }
";

const RULES: Rules = &[
    (
        'A',
        &[
            "w.a",
            "w.c",
            "REG.a",
            "REG.b",
            "fixed.a",
            "u",
            "l",
            "bit(&w)",
            "bit(&REG)",
            "table[a & 1]->a",
            "at(BASE, 4)",
        ],
    ),
    (
        'C',
        &[
            "w.b",
            "REG.b",
            "w.a == $A",
            "w.c < 0",
            "REG.a != REG.a",
            "fixed.b",
            "w.a > 3",
            "REG.c == 2",
            "l != 2",
            "w.a == u",
        ],
    ),
    ('F', &["w.a == 3 && w.a == $A", "REG.b && !REG.b", "u == 2 && w.c == -2"]),
    (
        'S',
        &[
            "u = $A;",
            "w.a = $A;",
            "w.a++;",
            "REG.a |= $A;",
            "REG.b = $A;",
            "{ struct regs s = w; if (s.a == $A) r = 9; }",
            "while (w.b && k++ < 2) { $S }",
            "while (!REG.b) { if (++k > 1) return 3; }",
            "do { u = w.a; } while (u != 1 && k++ < 1);",
            "if (w.c == $A) { $S }",
        ],
    ),
];

const REGISTERS: [Form; 1] = [Form {
    front: FRONT,
    parameters: "cell a",
    locals: "cell u = 1; volatile int l = 2; w.b = 0;",
    rules: RULES,
    named: &[],
    ranges: &[("a", 0, 1), ("w.a", 0, 0), ("w.b", 0, 0), ("w.c", 0, 0)],
    statements: (1, 3),
    depth: 2,
}];
