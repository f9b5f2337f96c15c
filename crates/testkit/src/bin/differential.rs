//! Runs generated programs through Quipu and the system's compiler and reports differences.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use quipu_testkit::differential::{self, Difference, Plan, Side};
use quipu_testkit::generate::{Config, Program};
use quipu_testkit::layouts;

const USAGE: &str =
    "usage: differential [--programs N] [--first N] [--seed S] [--ub] [--native-only] [--layouts N]
                    [--workers N] [--save DIR] [--reduce]

  --programs N    compare N generated programs (default 1000)
  --first N       start with program number N (default 0)
  --seed S        the seed that names them (default 1)
  --ub            programs with undefined behaviour, compared with sanitizers
  --native-only   leave Quipu out: test the generator with optimisation levels and sanitizers
  --layouts N     compare the layouts of N records instead
  --workers N     threads (default 2)
  --save DIR      where differing programs are saved (default differences)
  --reduce        make differing programs smaller before saving them (slow)";

struct Args {
    first: u64,
    programs: u64,
    seed: u64,
    undefined: bool,
    native_only: bool,
    layouts: Option<u64>,
    workers: usize,
    save: PathBuf,
    reduce: bool,
}

fn main() -> ExitCode {
    let args = match parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(message) => {
            eprintln!("error: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let result = match args.layouts {
        Some(n) => run_layouts(n, args.seed),
        None => run_programs(&args),
    };
    match result {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse(mut rest: impl Iterator<Item = String>) -> Result<Args, String> {
    let mut args = Args {
        first: 0,
        programs: 1000,
        seed: 1,
        undefined: false,
        native_only: false,
        layouts: None,
        workers: 2,
        save: PathBuf::from("differences"),
        reduce: false,
    };
    while let Some(flag) = rest.next() {
        let mut value = || rest.next().ok_or(format!("`{flag}` needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
        match flag.as_str() {
            "--programs" => args.programs = number(value()?)?,
            "--first" => args.first = number(value()?)?,
            "--seed" => args.seed = number(value()?)?,
            "--ub" => args.undefined = true,
            "--native-only" => args.native_only = true,
            "--layouts" => args.layouts = Some(number(value()?)?),
            "--workers" => args.workers = number(value()?)?.try_into().map_err(|_| "too many workers")?,
            "--save" => args.save = PathBuf::from(value()?),
            "--reduce" => args.reduce = true,
            _ => return Err(format!("unknown option `{flag}`")),
        }
    }
    Ok(args)
}

fn run_layouts(n: u64, seed: u64) -> io::Result<usize> {
    let differences = layouts::run(n, seed)?;
    for difference in &differences {
        let model = difference.data_model;
        println!("{model:?} {}: {} here, {} there", difference.fact, difference.ours, difference.theirs);
    }
    println!("{n} layouts, {} differences", differences.len());
    Ok(differences.len())
}

fn run_programs(args: &Args) -> io::Result<usize> {
    let config = Config { undefined: args.undefined, ..Config::default() };
    let side = if args.native_only { Side::Sanitizers } else { Side::Interpreter };
    let Args { first, programs, seed, workers, .. } = *args;
    let plan = Plan { first, programs, seed, config, side, workers };
    let differences = differential::run(&plan, &|done| show_progress(done, args.programs))?;
    if io::stderr().is_terminal() {
        eprintln!();
    }
    for difference in &differences {
        report(difference, args)?;
    }
    println!("{} programs, {} differences", args.programs, differences.len());
    Ok(differences.len())
}

fn show_progress(done: u64, all: u64) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        // Progress that cannot be shown is no loss.
        let _ = write!(stderr, "\r{done} of {all} programs").and_then(|()| stderr.flush());
    }
}

fn report(difference: &Difference, args: &Args) -> io::Result<()> {
    let path = save(difference, &args.save, args)?;
    println!("{}", path.display());
    for (side, observation) in &difference.observations {
        println!("  {side}: {observation}");
    }
    Ok(())
}

fn save(difference: &Difference, dir: &Path, args: &Args) -> io::Result<PathBuf> {
    if !args.reduce || args.native_only {
        return difference.save(dir);
    }
    let program = &difference.program;
    let with_text = |text: &str| Program { text: text.to_string(), entry: program.entry.clone() };
    let differs = |text: &str| differential::still_differs(&with_text(text), difference).unwrap_or(false);
    let program = with_text(&differential::reduce(&program.text, &differs));
    Difference { program, ..difference.clone() }.save(dir)
}
