//! Undefined behaviour of random functions that misuse memory: what is found happens, and what is called absent
//! happens for no input. `QUIPU_PROGRAMS` sets how many functions,
//! `QUIPU_FIRST` the seed of the first one.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use quipu_cover::{Options, Reason, Uninitialized, Verdict, cover, goals_of};
use quipu_goals::{Criterion, Goal};
use quipu_inputs::Shapes;
use quipu_testkit::rng::Rng;
use support::brute::{Brute, STEPS, Target, all_inputs, meets};
use support::generator::Case;
use support::number;
use support::shapes::integers;

/// What comes in front of every function.
const FRONT: &str = "#include <stdlib.h>
#include <string.h>
static const char fixed[4] = \"abc\";
static int shared[3];
void touch(void) { shared[0] = 1; }
static int none(int n) { if (n > 1) return 1; }
static int twice(int n) { return 2 * n; }
int f(int a, int b) {
    char *p = malloc(4), *q = p, *o;
    int t[3], x, *w = t, r = shared[0];
    int (*g)(int) = twice;
";

/// Statements; `A` stands for a small number, `I` for an index, `C` for a condition.
const STATEMENTS: [&str; 40] = [
    "free(p);",
    "free(q);",
    "q = p + I;",
    "q = 0;",
    "q = (char *)fixed;",
    "q = (char *)t;",
    "q = (char *)shared + I;",
    "q += I;",
    "{ char inner = A; q = &inner; r += *q; }",
    "*q = A;",
    "q[I] = A;",
    "p[I] = A;",
    "r += *q;",
    "r += p[I];",
    "t[I] = A;",
    "r += t[I];",
    "shared[I] = A;",
    "r += shared[I];",
    "x = A;",
    "r += x;",
    "w = &x;",
    "w = t + I;",
    "w = shared;",
    "w = (int *)(p + I);",
    "*w = A;",
    "r += *w;",
    "r += w < t + 2;",
    "r += (int)(w - t);",
    "r += q <= p;",
    "memcpy(q, p, 2);",
    "memcpy(p + I, p, 2);",
    "memcpy(t, w, 4);",
    "memset(q, A, 3);",
    "o = malloc(2); o[I] = A; q = o;",
    "r += A / I;",
    "r += A << I;",
    "r += 2147483640 + A * I;",
    "r += g(I);",
    "g = C ? none : 0;",
    "g = none;",
];

fn function(seed: u64) -> Case {
    let mut rng = Rng::new(Rng::derive(0x0dd_ba11, seed));
    let mut text = FRONT.to_string();
    for _ in 0..4 + rng.index(7) {
        let template = *rng.pick(&STATEMENTS);
        let statement = instance(&mut rng, template);
        let condition = condition(&mut rng);
        match rng.index(5) {
            0 => writeln!(text, "    {statement}"),
            1 => writeln!(text, "    for (int i = 0; i < a; i++) if ({condition}) {{ {statement} }}"),
            _ => writeln!(text, "    if ({condition}) {{ {statement} }}"),
        }
        .expect("text");
    }
    text.push_str("    return r;\n}\n");
    let ranges = vec![integers("a", 0, 3), integers("b", -3, 6), integers("shared", 0, 0)];
    Case { seed, text, flags: Vec::new(), ranges, shapes: Shapes::default() }
}

fn instance(rng: &mut Rng, template: &str) -> String {
    let mut text = String::new();
    for letter in template.chars() {
        match letter {
            'A' => text.push_str(&operand(rng, 4)),
            'I' => text.push_str(&operand(rng, 5)),
            'C' => text.push_str(&condition(rng)),
            other => text.push(other),
        }
    }
    text
}

fn operand(rng: &mut Rng, most: i64) -> String {
    match rng.index(4) {
        0 => rng.between(-1, most).to_string(),
        1 => "a".to_string(),
        2 => "b".to_string(),
        _ => format!("(a + b - {})", rng.between(0, 2)),
    }
}

fn condition(rng: &mut Rng) -> String {
    let comparison = ["==", "!=", "<", ">="][rng.index(4)];
    format!("{} {comparison} {}", ["a", "b", "a + b"][rng.index(3)], rng.between(-2, 4))
}

#[test]
fn misused_memory() {
    let first = number("QUIPU_FIRST", 0);
    let mut counts: BTreeMap<(String, &'static str), u64> = BTreeMap::new();
    let mut gave_up: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + number("QUIPU_PROGRAMS", 60) {
        let target = Target::new(function(seed)).unwrap_or_else(|error| panic!("{error}"));
        let options = Options {
            criteria: vec![Criterion::Undefined],
            steps: STEPS,
            time: Duration::from_secs(10),
            // Runs by brute force end where they read what was never written.
            uninitialized: Uninitialized::Trap,
            ..Options::default()
        };
        let func = target.subject.interface.func;
        let inputs = all_inputs(&target.subject.interface).expect("there are few inputs");
        let goals = goals_of(&target.program, func, &options);
        let brute = Brute::force(&target, &goals, &inputs, &[0]);
        assert!(
            brute.surprises.is_empty(),
            "{}",
            target.blame(&format!("no goal for {:?}", brute.surprises))
        );
        for runs in [2000, 0] {
            let options = Options { runs, ..options.clone() };
            let goals = goals_of(&target.program, func, &options);
            let all: Vec<_> = goals.all().ids().collect();
            let report = cover(&target.program, &target.subject, goals, &all, &options)
                .unwrap_or_else(|_| panic!("{}", target.blame("a contradiction")));
            for (goal, verdict) in report.goals.all().iter().zip(&report.verdicts) {
                let happens = meets(&report.goals, goal, &brute.all);
                if let Err(what) = judge(happens, verdict) {
                    let Goal { span, text, outcome, .. } = goal;
                    let place = format!("{}:{} `{text}` {outcome}", span.line, span.column);
                    panic!("{}", target.blame(&format!("{what}: {place} {verdict:?}")));
                }
                *counts.entry((goal.outcome.clone(), verdict.name())).or_default() += 1;
                if let Verdict::GaveUp(reason) = verdict {
                    *gave_up.entry(format!("{reason:?}")).or_default() += 1;
                }
            }
        }
    }
    println!("{counts:#?}\n{gave_up:#?}");
    let n_gave_up: u64 = gave_up.values().sum();
    let n_goals: u64 = counts.values().sum();
    assert!(n_gave_up * 10 <= n_goals, "{n_gave_up} of {n_goals} goals are given up");
}

fn judge(happens: bool, verdict: &Verdict) -> Result<(), &'static str> {
    match verdict {
        Verdict::Covered { .. } if !happens => Err("found, but it never happens"),
        proved if proved.proof().is_some() && happens => Err("called absent, but it happens"),
        Verdict::GaveUp(Reason::Mismatch) => Err("the encoding is wrong"),
        _ => Ok(()),
    }
}
