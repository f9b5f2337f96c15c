//! Every verdict on random loops of many turns over narrow numbers against all of their inputs: what is proved for all
//! turns of a loop, with turns in the past, invariants and equalities, is violated by no run. `QUIPU_PROGRAMS` sets how
//! many functions, `QUIPU_FIRST` the seed of the first one.

mod support;

use std::fmt::Write;

use quipu_inputs::Shapes;
use quipu_testkit::rng::Rng;
use support::generator::Case;
use support::shapes::integers;
use support::verdicts::attack;

/// What comes in front of every function: numbers that turns change.
const FRONT: &str = "extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern void __VERIFIER_assume(int);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"f.c\", 1, \"f\"))
static const signed char fixed[6] = { 1, 2, 3, 5, 8, 13 };
";

/// What a turn may do; `V` stands for a variable, `E` for an expression, `C` for a condition, `K` for a small number.
const STEPS: [&str; 26] = [
    "V += K;",
    "V -= K;",
    "V = E;",
    "V += V;",
    "V = K - V;",
    "V = V * K;",
    "if (C) V = E;",
    "if (C) V++; else V--;",
    "V = C ? E : V;",
    "{ int swap = V; V = W; W = swap; }",
    "W = V;",
    "if (C) break;",
    "if (C) continue;",
    "if (C) return V;",
    "assert(C);",
    "assert(C || C);",
    "if (V < K) V++;",
    "t[V & 3] = (signed char)E;",
    "t[V] = K;",
    "V = t[W & 3];",
    "V = fixed[W];",
    "V = K / W;",
    "V = K << W;",
    "for (unsigned char j = 0; j < K; j++) V++;",
    "while (V > K) { W++; V--; }",
    "__VERIFIER_assume(C);",
];

fn case(seed: u64) -> Case {
    let mut rng = Rng::new(Rng::derive(0x100b_5eed, seed));
    let mut text = FRONT.to_string();
    let ty = *rng.pick(&["int", "int", "unsigned char", "signed char", "unsigned", "short"]);
    let wide = *rng.pick(&["int", "int", "long", "unsigned long"]);
    let counter = *rng.pick(&["int", "int", "unsigned char", "unsigned"]);
    let start = |rng: &mut Rng| match rng.index(3) {
        0 => "n".to_string(),
        _ => rng.between(-1, 4).to_string(),
    };
    let (x, y, z) = (start(&mut rng), start(&mut rng), start(&mut rng));
    writeln!(text, "int f(unsigned char n, signed char m) {{\n    {ty} x = {x}, y = {y}; {wide} z = {z};")
        .expect("text");
    writeln!(text, "    signed char t[4] = {{ 0, 1 }};\n    {counter} i = 0;").expect("text");
    let head = match rng.index(6) {
        0 => "for (; i < n; i++)".to_string(),
        1 => "for (; i != n; i++)".to_string(),
        2 => "while (n--)".to_string(),
        3 => format!("while ({})", condition(&mut rng)),
        4 => format!("for (; {} && i < 60; i++)", condition(&mut rng)),
        _ => "for (;;)".to_string(),
    };
    writeln!(text, "    {head} {{").expect("text");
    for _ in 0..2 + rng.index(4) {
        let step = *rng.pick(&STEPS);
        writeln!(text, "        {}", instance(&mut rng, step)).expect("text");
    }
    text.push_str("    }\n");
    for _ in 0..1 + rng.index(2) {
        let template = *rng.pick(&["assert(C);", "if (C) return 7;", "x = 100 / (E);", "z = fixed[V];"]);
        writeln!(text, "    {}", instance(&mut rng, template)).expect("text");
    }
    text.push_str("    return (int)(x + y) + z + i + t[1];\n}\n");
    let ranges = vec![integers("n", 0, 40), integers("m", -3, 6)];
    Case { seed, text, flags: Vec::new(), ranges, shapes: Shapes::default() }
}

fn instance(rng: &mut Rng, template: &str) -> String {
    let (v, w) = (variable(rng), variable(rng));
    let mut text = String::new();
    let mut previous = ' ';
    let letters: Vec<char> = template.chars().collect();
    for (n, &letter) in letters.iter().enumerate() {
        let next = letters.get(n + 1).copied().unwrap_or(' ');
        let alone = !previous.is_alphanumeric() && previous != '_' && !next.is_alphanumeric() && next != '_';
        match letter {
            'V' if alone => text.push_str(v),
            'W' if alone => text.push_str(w),
            'K' if alone => text.push_str(&rng.between(0, 5).to_string()),
            'E' if alone => text.push_str(&expression(rng)),
            'C' if alone => text.push_str(&condition(rng)),
            other => text.push(other),
        }
        previous = letter;
    }
    text
}

fn variable(rng: &mut Rng) -> &'static str {
    ["x", "y", "z", "x", "y"][rng.index(5)]
}

fn expression(rng: &mut Rng) -> String {
    let (v, w, k) = (variable(rng), variable(rng), rng.between(0, 5));
    match rng.index(8) {
        0 => k.to_string(),
        1 => format!("({v} + {k})"),
        2 => format!("({v} - {w})"),
        3 => format!("({v} * {w})"),
        4 => format!("({v} & {k})"),
        5 => "m".to_string(),
        6 => format!("({v} + i)"),
        _ => format!("!{v}"),
    }
}

fn condition(rng: &mut Rng) -> String {
    let comparison = ["==", "!=", "<", ">=", "<=", ">"][rng.index(6)];
    let left = match rng.index(3) {
        0 => variable(rng).to_string(),
        1 => "i".to_string(),
        _ => expression(rng),
    };
    let right = match rng.index(4) {
        0 => "n".to_string(),
        1 => expression(rng),
        _ => rng.between(-2, 12).to_string(),
    };
    format!("{left} {comparison} {right}")
}

#[test]
fn verdicts_on_loops_of_many_turns() {
    let tally = attack("loops", 25, &case);
    let proved = tally.dead.get("unreachable").copied().unwrap_or(0);
    assert!(proved > tally.programs, "{proved} goals of {} functions are proved", tally.programs);
}
