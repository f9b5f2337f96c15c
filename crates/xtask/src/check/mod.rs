//! `check [--sources DIR] [--cbmc CBMC] [--cadical CADICAL] [--timeout SECONDS] [--jobs N] [--only NAME]
//! [--quipu QUIPU]`: assertions of programs, violated or proved by `quipu check`, by CBMC with its own SAT solver, and
//! by CBMC with CaDiCaL. Fails if a verdict is not the one that the list expects; a full run writes `bench/check.md`.
//!
//! One file per concern: [`list`] which programs, [`watch`] what a process costs, [`tools`] how each tool is called,
//! [`verdict`] what it said, [`page`] the tables.

mod list;
mod page;
mod tools;
mod verdict;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::cover::Scratch;
use crate::pool;
use list::Task;
use tools::{Bench, Cbmc, Measured};

/// The programs of this repository, and where the paths of their list start.
const OWN: (&str, &str) = ("bench/check/own.list", "bench");
/// Programs that others published, which the user has.
const PUBLISHED: &str = "bench/check/published.list";
const RESULTS: &str = "bench/check.md";

/// What was asked for on the command line.
struct Wish {
    sources: Option<PathBuf>,
    cbmc: Option<PathBuf>,
    cadical: Option<PathBuf>,
    quipu: PathBuf,
    only: Option<String>,
    /// CPU seconds of a run.
    limit: f64,
    /// The number of programs that are checked at once.
    jobs: usize,
}

/// What each tool made of a program.
struct Row {
    task: Task,
    quipu: Measured,
    /// CBMC as it is, and with CaDiCaL.
    peers: Vec<Measured>,
}

/// The names of the peers that take part.
struct Peers {
    names: Vec<String>,
}

/// Measures the programs and prints the tables.
pub fn run(arguments: &[String]) -> Result<ExitCode, String> {
    let wish = wish(arguments)?;
    let tasks = tasks(&wish)?;
    let scratch = Scratch::new()?;
    let numbered: Vec<(usize, Task)> = tasks.into_iter().enumerate().collect();
    let measured = pool::map(&numbered, wish.jobs, |(number, task)| {
        let row = measure(&scratch.path().join(number.to_string()), &wish, task.clone())?;
        eprintln!("{}", page::line(&row));
        Ok(row)
    });
    let rows = measured.into_iter().collect::<Result<Vec<Row>, String>>()?;
    let text = page::page(&rows, &peers(&wish), wish.limit);
    print!("{text}");
    if wish.only.is_none() && wish.sources.is_some() && wish.cbmc.is_some() && wish.cadical.is_some() {
        std::fs::write(RESULTS, &text).map_err(|error| format!("{RESULTS}: {error}"))?;
    }
    let wrong = page::wrong(&rows, &peers(&wish));
    wrong.iter().for_each(|line| eprintln!("wrong: {line}"));
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tasks(wish: &Wish) -> Result<Vec<Task>, String> {
    let mut tasks = match &wish.sources {
        Some(sources) => list::read(Path::new(PUBLISHED), sources)?,
        None => Vec::new(),
    };
    tasks.extend(list::read(Path::new(OWN.0), Path::new(OWN.1))?);
    tasks.retain(|task| wish.only.as_ref().is_none_or(|only| task.name().contains(only)));
    Ok(tasks)
}

fn measure(scratch: &Path, wish: &Wish, task: Task) -> Result<Row, String> {
    std::fs::create_dir(scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let bench = &Bench { scratch, limit: wish.limit };
    let quipu = tools::quipu(bench, &wish.quipu, &task)?;
    let mut peers = Vec::new();
    if let Some(program) = &wish.cbmc {
        let preprocessed = tools::prepare(bench, &task)?;
        peers.push(Cbmc { program, solver: None }.check(bench, &task, &preprocessed)?);
        if let Some(solver) = &wish.cadical {
            peers.push(Cbmc { program, solver: Some(solver) }.check(bench, &task, &preprocessed)?);
        }
    }
    Ok(Row { task, quipu, peers })
}

fn peers(wish: &Wish) -> Peers {
    let mut names = Vec::new();
    if wish.cbmc.is_some() {
        names.push("CBMC".to_owned());
        names.extend(wish.cadical.as_ref().map(|_| "CBMC with CaDiCaL".to_owned()));
    }
    Peers { names }
}

fn wish(arguments: &[String]) -> Result<Wish, String> {
    let quipu = PathBuf::from("target/release/quipu");
    let mut wish = Wish { sources: None, cbmc: None, cadical: None, quipu, only: None, limit: 60.0, jobs: 1 };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--sources" => wish.sources = Some(value()?.into()),
            "--cbmc" => wish.cbmc = Some(value()?.into()),
            "--cadical" => wish.cadical = Some(value()?.into()),
            "--quipu" => wish.quipu = value()?.into(),
            "--only" => wish.only = Some(value()?),
            "--timeout" => {
                wish.limit = value()?.parse().map_err(|_| "--timeout needs seconds".to_owned())?;
            }
            "--jobs" => {
                wish.jobs = value()?.parse().map_err(|_| "--jobs needs a number".to_owned())?;
            }
            _ => return Err(format!("unknown option `{word}` of check")),
        }
    }
    Ok(wish)
}
