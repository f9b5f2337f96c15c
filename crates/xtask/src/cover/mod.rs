//! `cover [--only NAME] [--cbmc CBMC] [--programs DIR]... [--random RUNS] [--refute]`: the programs of `bench/cover`, a
//! generated one and those of other folders, covered by Quipu, by random testing and by CBMC. The table goes to
//! standard output. Fails if a goal that Quipu calls unreachable is met.

mod aims;
mod cbmc;
mod credited;
mod generated;
mod one;
mod program;
mod quipu;
mod random;
mod refute;
mod report;
mod row;
mod scratch;

use std::path::PathBuf;
use std::process::ExitCode;

use cbmc::Cbmc;
use program::{Source, Wanted};
use row::Row;

pub use cbmc::{ENTRY, harness};
pub use one::run_one;
pub use scratch::Scratch;

/// Where our programs are.
const PROGRAMS: &str = "bench/cover";

/// What was asked for on the command line.
struct Wish {
    only: Option<String>,
    cbmc: Option<PathBuf>,
    folders: Vec<PathBuf>,
    refute: bool,
    runs: u64,
}

/// Measures the programs and prints the tables.
pub fn run(arguments: &[String]) -> Result<ExitCode, String> {
    let wish = wish(arguments)?;
    let scratch = Scratch::new()?;
    let sources = program::all(&wish.folders, scratch.path(), wish.only.as_deref())?;
    if wish.refute {
        return refute::run(&sources);
    }
    let cbmc = wish.cbmc.as_deref().map(|program| Cbmc { program, scratch: scratch.path() });
    let mut rows = Vec::new();
    let mut left_out = Vec::new();
    for source in &sources {
        match measure(source, cbmc.as_ref(), wish.runs) {
            Ok(measured) => rows.extend(measured),
            Err(error) => left_out.push((source.name.clone(), error)),
        }
    }
    let version = cbmc.as_ref().map(Cbmc::version);
    print!("{}", report::page(&rows, &left_out, version.as_deref(), wish.runs));
    let refuted: Vec<&String> = rows.iter().flat_map(|row| &row.refuted).collect();
    refuted.iter().for_each(|line| eprintln!("refuted: {line}"));
    Ok(if refuted.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A program under all criteria.
fn measure(source: &Source, cbmc: Option<&Cbmc<'_>>, runs: u64) -> Result<Vec<Row>, String> {
    let program = program::load(&source.file)?;
    let (funcs, unsupported) = program::functions(&program, &source.file);
    if funcs.is_empty() {
        return Err(match unsupported {
            0 => "it defines no function itself".to_owned(),
            n => format!("none of its {n} functions is supported"),
        });
    }
    let mut rows = Vec::new();
    for wanted in Wanted::ALL {
        let row = row::measure(source, &program, (&funcs, unsupported), wanted, cbmc, runs)?;
        eprintln!("{}", report::line(&row));
        rows.push(row);
    }
    Ok(rows)
}

fn wish(arguments: &[String]) -> Result<Wish, String> {
    let folders = vec![PathBuf::from(PROGRAMS)];
    let mut wish = Wish { only: None, cbmc: None, folders, refute: false, runs: 100_000 };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--only" => wish.only = Some(value()?),
            "--cbmc" => wish.cbmc = Some(value()?.into()),
            "--programs" => wish.folders.push(value()?.into()),
            "--refute" => wish.refute = true,
            "--random" => {
                wish.runs = value()?.parse().map_err(|_| "--random needs a number of runs".to_owned())?;
            }
            _ => return Err(format!("unknown option `{word}` of cover")),
        }
    }
    Ok(wish)
}
