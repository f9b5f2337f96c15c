//! One solver on one problem, in a process of its own.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use quipu_model::WrittenBodies;
use quipu_solve::{Answer, Linear, Options, Report, Session};

use super::problem;
use crate::usage;

const QUIPU: &str = "quipu";

/// A run is repeated twice if it is shorter: the best counts.
const REPEAT_BELOW_SECONDS: f64 = 0.1;
/// Starting a process, and importing a solver, is not measured but takes time.
const TO_START: Duration = Duration::from_secs(3);

/// What a solver said, and in which CPU time; what else it printed.
pub struct Measured {
    pub solver: &'static str,
    pub answer: Said,
    pub seconds: f64,
    pub notes: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Said {
    Sat,
    Unsat,
    /// Nothing within the time, or no answer.
    Nothing,
}

/// Quipu on a problem.
pub fn quipu(file: &Path, timeout: Duration) -> Result<Measured, String> {
    let exe = std::env::current_exe().map_err(|error| format!("the program should know itself: {error}"))?;
    let mut command = Command::new(exe);
    command.arg("solver-one").arg(file);
    measured(QUIPU, command, timeout)
}

/// Another solver on a problem in SMT-LIB.
pub fn peer(python: &Path, solver: &'static str, file: &Path, timeout: Duration) -> Result<Measured, String> {
    let mut command = Command::new(python);
    command.arg(super::PEERS_SCRIPT).arg(solver).arg(file);
    measured(solver, command, timeout)
}

/// The names and versions of the peers, as Python's package index calls them.
pub fn versions(python: Option<&Path>) -> String {
    let script = "from importlib.metadata import version as v\n\
                  print(', '.join(n + ' ' + v(n) for n in ['bitwuzla', 'z3-solver', 'cvc5']))";
    let output = python.and_then(|python| Command::new(python).args(["-c", script]).output().ok());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|| "not run".to_owned())
}

/// `solver-one FILE [no-rewrite] [no-search] [no-sat] [no-linear]`: parses and solves, and prints the answer, the CPU
/// seconds and the counters.
pub fn run_one(arguments: &[String]) -> Result<ExitCode, String> {
    let (file, without) = arguments.split_first().ok_or("solver-one needs FILE")?;
    let with = |part: &str| !without.iter().any(|word| word == part);
    let options = Options {
        rewrite: with("no-rewrite"),
        search: with("no-search"),
        sat: with("no-sat"),
        linear: if with("no-linear") { Linear::Adaptive } else { Linear::Never },
        ..Options::default()
    };
    let file = Path::new(file);
    let text = problem::read(file)?;
    let solve = || solve_once(file, &text, options.clone());
    let (answer, mut seconds, report) = solve()?;
    if seconds < REPEAT_BELOW_SECONDS {
        seconds = seconds.min(solve()?.1).min(solve()?.1);
    }
    println!(
        "{answer} {seconds:.6} {} {} {} {}",
        report.contractions, report.conflicts, report.sat_conflicts, report.sat_clauses
    );
    Ok(ExitCode::SUCCESS)
}

fn solve_once(file: &Path, text: &str, options: Options) -> Result<(&'static str, f64, Report), String> {
    let before = usage::thread_cpu_ns();
    let document = problem::parse(file, text)?;
    let mut session = Session::new(document.model, &WrittenBodies, options);
    let answer = match session.solve() {
        Answer::Solution(_) => "sat",
        Answer::Infeasible => "unsat",
        Answer::GaveUp(_) => "unknown",
    };
    let seconds = (usage::thread_cpu_ns() - before) as f64 / 1e9;
    Ok((answer, seconds, session.report()))
}

fn measured(solver: &'static str, mut command: Command, timeout: Duration) -> Result<Measured, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{solver} should start: {error}"))?;
    let end = Instant::now() + timeout + TO_START;
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if Instant::now() > end {
            child.kill().map_err(|error| error.to_string())?;
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(understood(solver, &text, timeout.as_secs_f64()))
}

fn understood(solver: &'static str, text: &str, limit: f64) -> Measured {
    let mut words = text.split_whitespace();
    let answer = match words.next() {
        Some("sat") => Said::Sat,
        Some("unsat") => Said::Unsat,
        _ => Said::Nothing,
    };
    let seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(limit);
    let notes = words.collect::<Vec<&str>>().join(" | ");
    if answer == Said::Nothing || seconds > limit {
        return Measured { solver, answer: Said::Nothing, seconds: limit, notes };
    }
    Measured { solver, answer, seconds, notes }
}
