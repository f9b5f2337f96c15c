//! Checks of Quipu that are too large for `cargo test`: `cargo run --release -p quipu-xtask -- CHECK`.

mod corpus;

use std::process::ExitCode;

const USAGE: &str = "usage: quipu-xtask corpus [--only LIB] [--keep] [--jobs N] [--json]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((check, rest)) = args.split_first() else { return usage("no check is named") };
    match check.as_str() {
        "corpus" => corpus::run(rest).unwrap_or_else(|error| usage(&error)),
        "corpus-one" => corpus::run_one(rest).unwrap_or_else(|error| usage(&error)),
        _ => usage(&format!("unknown check `{check}`")),
    }
}

/// The exit code of a run that could not be made.
fn usage(error: &str) -> ExitCode {
    eprintln!("error: {error}\n{USAGE}");
    ExitCode::from(2)
}
