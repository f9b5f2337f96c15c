//! `libraries --list FILE --sources DIR`: `quipu cover`, as a user calls it and without any configuration, on every
//! function of public C libraries that the user has checked out. The page goes to standard output.
//!
//! The libraries are no part of this repository. Each function is covered in a process of its own, so that a crash or
//! an endless search counts for that function only. What came out is kept under `target/libraries/`; `--resume` takes
//! it from there. `--attack RUNS` attacks all that is called unreachable. With `--export` the tests of each function are
//! written to a file, which is compiled and run with sanitizers.
//!
//! One file per concern: [`args`] the command line, [`list`] which libraries and files, [`functions`] what a file
//! defines, [`one`] one function, [`export`] its file of tests, [`outcome`] what came out, [`page`] the tables.

mod args;
mod export;
mod functions;
mod list;
mod one;
mod outcome;
mod page;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::pool;
use args::Args;
use functions::Task;
use outcome::Outcome;

pub use one::run_one;

/// Where results are kept.
const RESULTS: &str = "target/libraries";

/// The running program, also where a build has replaced its file meanwhile.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// Covers the libraries and prints the page. Fails if a test disagrees with the compiled program, an exported file does
/// not pass, a proof is refuted, or a run of Quipu crashes or does not end.
///
/// # Errors
///
/// When the command line, the list or the sources are wrong.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let args = Args::parse(words)?;
    let mut libraries = list::read(&args.list)?;
    libraries.retain(|library| args.only.is_empty() || args.only.contains(&library.name));
    if libraries.is_empty() {
        return Err("no library is selected".to_owned());
    }
    let (tasks, rejected) = functions::tasks(&libraries, &args.sources)?;
    eprintln!("{} functions of {} libraries", tasks.len(), libraries.len());
    let done = AtomicUsize::new(0);
    let outcomes = pool::map(&tasks, args.jobs, |task| {
        let outcome = covered(task, &args);
        let number = done.fetch_add(1, Ordering::Relaxed) + 1;
        eprintln!("{number}/{} {}: {}", tasks.len(), task.name(), outcome.line());
        outcome
    });
    let results: Vec<(&Task, &Outcome)> = tasks.iter().zip(&outcomes).collect();
    print!("{}", page::page(&libraries, &results, &rejected, &args));
    let all_well = outcomes.iter().all(Outcome::is_sound);
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The outcome for one function: an earlier one if that is wanted, else a new one.
fn covered(task: &Task, args: &Args) -> Outcome {
    let kept = Path::new(RESULTS).join(format!("{}.json", task.name()));
    if args.resume
        && let Some(outcome) = fs::read_to_string(&kept).ok().and_then(|text| Outcome::decode(&text))
    {
        return outcome;
    }
    let outcome = in_child(task, args);
    if let Err(error) = keep(&kept, &outcome) {
        eprintln!("{}: not kept: {error}", kept.display());
    }
    outcome
}

fn keep(file: &PathBuf, outcome: &Outcome) -> std::io::Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
    fs::write(file, outcome.encode())
}

/// What `libraries-one` prints in a process of its own, which counts the CPU time of its children.
fn in_child(task: &Task, args: &Args) -> Outcome {
    let mut command = Command::new(THIS_PROGRAM);
    command.arg("libraries-one").arg(&args.quipu).arg(args.seconds.to_string()).arg(args.attack.to_string());
    match args.export.then(|| tests_file(task)).transpose() {
        Ok(file) => command.arg(file.unwrap_or_else(|| one::NO_FILE.into())),
        Err(error) => return Outcome::failed(format!("no place for tests: {error}")),
    };
    command.args([&task.file, &task.function]).args(&task.flags).current_dir(&task.directory);
    match command.output() {
        Ok(output) => Outcome::decode(&String::from_utf8_lossy(&output.stdout))
            .unwrap_or_else(|| Outcome::failed(format!("libraries-one: {}", output.status))),
        Err(error) => Outcome::failed(format!("this program does not start: {error}")),
    }
}

/// Where the tests of a function go: an absolute path, since the function is covered in the library's directory.
fn tests_file(task: &Task) -> std::io::Result<PathBuf> {
    let file = std::env::current_dir()?.join(RESULTS).join("tests").join(format!("{}.c", task.name()));
    fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
    Ok(file)
}
