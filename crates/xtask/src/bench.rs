//! `bench`: the speed of the front end and of the interpreter, in CPU time.
//!
//! Machines are noisy, so that each figure is the best of several rounds.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use quipu_cfront::Options;
use quipu_interp::{Limits, Machine, NoObserver, Outcome, ZeroInputs};
use quipu_ir::Module;

use crate::usage;

/// How often each measurement is made.
const ROUNDS: usize = 5;

/// How often the small file is compiled in one round: the clock ticks only a hundred times a second.
const COMPILATIONS: u64 = 40;

/// Where `corpus` keeps the sources of registry crates.
const VENDOR: &str = "target/corpus/vendor";

/// Measures everything and prints a table.
pub fn run() -> ExitCode {
    println!("| what | figure | wanted |\n| --- | --- | --- |");
    small_file();
    sqlite();
    interpreter();
    ExitCode::SUCCESS
}

/// `bench-front FILE`: compiles and verifies one file, prints CPU milliseconds and peak KiB.
pub fn run_front(file: &str) -> ExitCode {
    let before = usage::cpu_ms();
    load(Path::new(file));
    println!("{} {}", usage::cpu_ms() - before, usage::peak_kib());
    ExitCode::SUCCESS
}

fn load(file: &Path) -> Module {
    let program = quipu_cfront::compile(&[file.to_path_buf()], &Options::default());
    let module = program.unwrap_or_else(|failure| panic!("{failure}")).module;
    quipu_ir::verify(&module).unwrap_or_else(|errors| panic!("{}", errors[0]));
    module
}

fn small_file() {
    let file = Path::new("bench/programs/headers.c");
    let round = || {
        let before = usage::cpu_with_children_ms();
        for _ in 0..COMPILATIONS {
            load(file);
        }
        usage::cpu_with_children_ms() - before
    };
    let best = (0..ROUNDS).map(|_| round()).min().unwrap_or(0);
    let ms = best as f64 / COMPILATIONS as f64;
    println!(
        "| 40 lines with stdio, stdlib, math to verified IR, the compiler asked for its folders | {ms:.1} ms | 30 ms |"
    );
}

fn sqlite() {
    let Some(file) = find_sqlite() else {
        println!("| sqlite3.c to verified IR | run `corpus` first: it brings the source | 4 s, 1.5 GB |");
        return;
    };
    let exe = std::env::current_exe().expect("the program should know itself");
    let round = || {
        let output =
            Command::new(&exe).arg("bench-front").arg(&file).output().expect("the program should start");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
    };
    let (ms, kib) = (0..ROUNDS).map(|_| round()).min().unwrap_or_default();
    println!("| sqlite3.c to verified IR | {:.2} s, {} MB | 4 s, 1.5 GB |", ms as f64 / 1000.0, kib / 1024);
}

fn find_sqlite() -> Option<PathBuf> {
    let crates = std::fs::read_dir(VENDOR).ok()?;
    crates
        .filter_map(Result::ok)
        .map(|entry| entry.path().join("sqlite3/sqlite3.c"))
        .find(|path| path.exists())
}

fn interpreter() {
    let module = load(Path::new("bench/programs/interpreted.c"));
    for (name, argument) in [("sieve", 4), ("arithmetic", 40_000), ("fibonacci", 30), ("floats", 10_000_000)]
    {
        let best = (0..ROUNDS).map(|_| steps_per_second(&module, name, argument)).fold(0.0, f64::max);
        println!("| interpreter, `{name}` | {:.0} million operations/s | 50 million |", best / 1e6);
    }
}

fn steps_per_second(module: &Module, name: &str, argument: u64) -> f64 {
    let func = module.function(name).expect("the benchmark should have the function");
    let mut machine = Machine::new(module, Limits { steps: u64::MAX, ..Limits::default() });
    let before = usage::cpu_ms();
    let outcome = machine.run(func, &[argument], &mut ZeroInputs, &mut NoObserver);
    assert!(matches!(outcome, Outcome::Returned(Some(_))), "{name} should return: {outcome:?}");
    machine.steps() as f64 * 1000.0 / (usage::cpu_ms() - before).max(1) as f64
}
