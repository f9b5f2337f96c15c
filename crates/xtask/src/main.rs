//! Checks of Quipu that are too large for `cargo test`: `cargo run --release -p quipu-xtask -- CHECK`.

mod bench;
mod check;
mod corpus;
mod cover;
mod libraries;
mod machine;
mod pool;
mod propagation;
mod solver;
mod usage;

use std::process::ExitCode;

const USAGE: &str = "usage: quipu-xtask corpus [--only LIB] [--keep] [--jobs N] [--json]
       quipu-xtask bench
       quipu-xtask check [--sources DIR] [--cbmc CBMC] [--cadical CADICAL] [--timeout SECONDS] [--jobs N] [--only NAME]
                         [--quipu QUIPU]
       quipu-xtask cover [--only NAME] [--cbmc CBMC] [--programs DIR]... [--random RUNS] [--refute]
       quipu-xtask libraries --list FILE --sources DIR [--only NAME] [--time SECONDS] [--jobs N] [--resume] [--quipu QUIPU]
                             [--attack RUNS] [--export] [--title TEXT]
       quipu-xtask solver [--only NAME] [--peers PYTHON] [--timeout SECONDS]
       quipu-xtask propagation";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((check, rest)) = args.split_first() else { return wrong("no check is named") };
    match check.as_str() {
        "bench" => bench::run(),
        "bench-front" => {
            rest.first().map_or_else(|| wrong("bench-front needs FILE"), |file| bench::run_front(file))
        }
        "check" => check::run(rest).unwrap_or_else(|error| wrong(&error)),
        "corpus" => corpus::run(rest).unwrap_or_else(|error| wrong(&error)),
        "corpus-one" => corpus::run_one(rest).unwrap_or_else(|error| wrong(&error)),
        "cover" => cover::run(rest).unwrap_or_else(|error| wrong(&error)),
        "cover-one" => cover::run_one(rest).unwrap_or_else(|error| wrong(&error)),
        "libraries" => libraries::run(rest).unwrap_or_else(|error| wrong(&error)),
        "libraries-one" => libraries::run_one(rest).unwrap_or_else(|error| wrong(&error)),
        "propagation" => propagation::run(),
        "solver" => solver::run(rest).unwrap_or_else(|error| wrong(&error)),
        "solver-one" => solver::run_one(rest).unwrap_or_else(|error| wrong(&error)),
        _ => wrong(&format!("unknown check `{check}`")),
    }
}

/// The exit code of a run that could not be made.
fn wrong(error: &str) -> ExitCode {
    eprintln!("error: {error}\n{USAGE}");
    ExitCode::from(2)
}
