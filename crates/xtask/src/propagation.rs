//! `propagation`: how many bounds change per second, what a variable costs in memory, and how long all solutions of a
//! small loop take.

use std::process::ExitCode;

use quipu_cp::{Limits, Solver};
use quipu_model::{Model, Reading, Role, Term, VarInfo, WrittenBodies};
use quipu_num::{IntCmp, Width};
use quipu_solve::{Answer, Options, Session};

use crate::usage;

const ROUNDS: usize = 3;
const CONTRACTIONS: u64 = 4_000_000;
/// Sums in a circle, each of which pushes the next.
const CIRCLE: usize = 64;
const VARIABLES: usize = 1_000_000;

/// The loop that looks for a value in an array whose elements are the sides of a right-angled triangle.
const SAMPLE: &str = "var a[3], target : i32 in 1..9;
var found : i32;
w (i : u32 = 0, f = 0) while (i < 3) {
  f' == (a[i] == target ? 1 : f);
  i' == i + 1;
} end (_, found);
found == 1;
a[2] * a[2] == a[0] * a[0] + a[1] * a[1];
all a, target;
";

/// Measures everything and prints a table.
pub fn run() -> ExitCode {
    print!("{}", table());
    ExitCode::SUCCESS
}

/// The figures as a table.
pub fn table() -> String {
    let mut text = String::from("| what | figure | wanted |\n| --- | --- | --- |\n");
    text += &speed("two comparisons in a circle, 32 bits", ping_pong);
    text += &speed(&format!("{CIRCLE} sums and comparisons in a circle, 32 bits"), circle);
    text += &sample();
    text += &memory();
    text
}

fn speed(what: &str, model: fn() -> Model) -> String {
    let best = (0..ROUNDS).map(|_| changes_per_second(model())).fold(0.0, f64::max);
    format!("| {what} | {:.1} million bound changes/s | 10 million |\n", best / 1e6)
}

fn changes_per_second(model: Model) -> f64 {
    let limits = Limits { contractions: Some(CONTRACTIONS), ..Limits::default() };
    let mut solver = Solver::new(model, &WrittenBodies, limits);
    let before = usage::thread_cpu_ns();
    solver.propagate();
    solver.counters().narrowings as f64 * 1e9 / (usage::thread_cpu_ns() - before).max(1) as f64
}

/// `x < y` and `y < x`: each moves a bound by one.
fn ping_pong() -> Model {
    let mut model = Model::new();
    let (x, y) = (variable(&mut model, 0), variable(&mut model, 1));
    let (forth, back) = (model.compare(IntCmp::Ult, x, y), model.compare(IntCmp::Ult, y, x));
    model.assert(forth);
    model.assert(back);
    model
}

/// `x0 + 3 <= x1`, `x1 + 3 <= x2` and so on, and the last again below the first.
fn circle() -> Model {
    let mut model = Model::new();
    let terms: Vec<Term> = (0..CIRCLE).map(|n| variable(&mut model, n)).collect();
    for n in 0..CIRCLE {
        let more = model.sum(Width::W32, 3, [(1, terms[n])]);
        let below = model.compare(IntCmp::Ule, more, terms[(n + 1) % CIRCLE]);
        model.assert(below);
    }
    model
}

/// A variable that no sum here makes wrap.
fn variable(model: &mut Model, n: usize) -> Term {
    let range = Some((0, 1 << 30));
    let info = VarInfo {
        name: format!("x{n}"),
        width: Width::W32,
        reading: Reading::Unsigned,
        range,
        role: Role::Input,
    };
    let var = model.add_var(info);
    model.var_term(var)
}

fn sample() -> String {
    let best = (0..ROUNDS).map(|_| sample_once()).reduce(|a, b| if b.1 < a.1 { b } else { a });
    let (solutions, seconds) = best.unwrap_or_default();
    format!("| all {solutions} solutions of the search in an array | {seconds:.4} s | 0.1 s |\n")
}

fn sample_once() -> (usize, f64) {
    let before = usage::thread_cpu_ns();
    let document = quipu_model_text::parse(SAMPLE).expect("the text should be right");
    let variables = document.queries[0].variables.clone();
    let mut session = Session::new(document.model, &WrittenBodies, Options::default());
    let mut solutions = 0;
    while let Answer::Solution(solution) = session.solve() {
        solutions += 1;
        session.exclude(&solution, &variables);
    }
    (solutions, (usage::thread_cpu_ns() - before) as f64 / 1e9)
}

fn memory() -> String {
    let start = usage::resident_kib();
    let mut model = Model::new();
    let terms: Vec<Term> = (0..VARIABLES).map(|n| variable(&mut model, n)).collect();
    let with_variables = usage::resident_kib();
    for pair in terms.windows(2) {
        let below = model.compare(IntCmp::Ule, pair[0], pair[1]);
        model.assert(below);
    }
    let with_constraints = usage::resident_kib();
    let mut solver = Solver::new(model, &WrittenBodies, Limits::default());
    solver.propagate();
    let with_solver = usage::resident_kib();
    let each = |from: u64, to: u64, n: usize| to.saturating_sub(from) * 1024 / n as u64;
    let (term, atom) = Solver::bytes_per_item();
    let lines = [
        ("a variable of a model", each(start, with_variables, VARIABLES)),
        ("a comparison, asserted", each(with_variables, with_constraints, VARIABLES)),
        ("a term in the solver, measured", each(with_constraints, with_solver, 2 * VARIABLES)),
        ("a term in the solver, by the sizes of its tables", term as u64),
        ("an atom of a clause", atom as u64),
    ];
    lines.iter().map(|(what, bytes)| format!("| {what} | {bytes} bytes | |\n")).collect()
}
