//! `solver [--floats] [--only NAME] [--peers PYTHON] [--timeout SECONDS]`: the problems of `bench/solver`, or of
//! `bench/floats`, solved by Quipu and by other solvers that read the same constraints as SMT-LIB. Each run is a process
//! of its own. Fails if an answer is not the expected one; a full run with peers writes `bench/solver.md`, or
//! `bench/floats.md`.

mod problem;
mod report;
mod run;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::propagation;
use problem::Problem;
use run::Measured;

pub use run::run_one;

/// Where problems are, where their table goes, and how it is made.
struct Set {
    problems: &'static str,
    results: &'static str,
    /// What stands behind `solver` on the command line.
    option: &'static str,
    logic: &'static str,
    /// How many problems there should be at least.
    wanted: usize,
}

const INTEGERS: Set =
    Set { problems: "bench/solver", results: "bench/solver.md", option: "", logic: "QF_BV", wanted: 40 };
const FLOATS: Set = Set {
    problems: "bench/floats",
    results: "bench/floats.md",
    option: " --floats",
    logic: "QF_BVFP",
    wanted: 60,
};

/// The script that runs a peer.
const PEERS_SCRIPT: &str = "bench/solver/peers.py";
const PEERS: [&str; 3] = ["bitwuzla", "z3", "cvc5"];

/// What was asked for on the command line.
struct Wish {
    set: Set,
    only: Option<String>,
    python: Option<PathBuf>,
    timeout: Duration,
}

/// One problem and what each solver said to it, Quipu first.
struct Row {
    problem: Problem,
    quipu: Measured,
    peers: Vec<Measured>,
}

/// Runs the problems and prints the table.
pub fn run(arguments: &[String]) -> Result<ExitCode, String> {
    let wish = wish(arguments)?;
    let problems = problem::all(wish.set.problems, wish.only.as_deref())?;
    let mut rows = Vec::new();
    for problem in problems {
        let row = measure(problem, &wish)?;
        eprintln!("{}", report::line(&row));
        rows.push(row);
    }
    let mut text = report::page(&wish.set, &rows, wish.timeout, &run::versions(wish.python.as_deref()));
    print!("{text}");
    if wish.only.is_none() && wish.python.is_some() {
        let results = wish.set.results;
        if results == INTEGERS.results {
            text += "\n## Propagation and memory\n\n`cargo run --release -p quipu-xtask -- propagation`, in the same run.\n\n";
            text += &propagation::table();
        }
        std::fs::write(results, &text).map_err(|error| format!("{results}: {error}"))?;
    }
    let wrong = report::wrong(&rows);
    wrong.iter().for_each(|line| eprintln!("wrong: {line}"));
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn measure(problem: Problem, wish: &Wish) -> Result<Row, String> {
    let quipu = run::quipu(&problem.file, wish.timeout)?;
    let mut peers = Vec::new();
    if let Some(python) = &wish.python {
        let text = problem::smtlib(&problem.file)?;
        let file = std::env::temp_dir().join(format!("quipu-{}-{}.smt2", std::process::id(), problem.name));
        std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        for peer in PEERS {
            peers.push(run::peer(python, peer, &file, wish.timeout)?);
        }
        std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(Row { problem, quipu, peers })
}

fn wish(arguments: &[String]) -> Result<Wish, String> {
    let mut wish = Wish { set: INTEGERS, only: None, python: None, timeout: Duration::from_secs(20) };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--floats" => wish.set = FLOATS,
            "--only" => wish.only = Some(value()?),
            "--peers" => wish.python = Some(value()?.into()),
            "--timeout" => {
                let seconds =
                    value()?.parse().map_err(|_| "--timeout needs a number of seconds".to_owned())?;
                wish.timeout = Duration::from_secs(seconds);
            }
            _ => return Err(format!("unknown option `{word}` of solver")),
        }
    }
    Ok(wish)
}
