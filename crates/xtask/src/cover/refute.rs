//! `cover --refute`: random and boundary inputs against everything that Quipu calls unreachable.

use std::process::ExitCode;

use super::program::{Source, Wanted, functions, load};
use super::quipu::{self, Found};

/// Inputs for each function that has a goal called unreachable.
const RUNS: u64 = 1_000_000;

/// Attacks the proofs of all programs; fails if one falls.
pub fn run(sources: &[Source]) -> Result<ExitCode, String> {
    println!(
        "## Attacks\n\n`... cover --refute`: {RUNS} random and boundary inputs for each function with a goal that is called"
    );
    println!("unreachable; *hits* are such goals that one of them meets.\n");
    println!("| program | criterion | proved unreachable | functions attacked | runs | hits |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut totals = (0, 0, 0);
    for source in sources {
        let supported =
            load(&source.file).is_ok_and(|program| !functions(&program, &source.file).0.is_empty());
        if !supported {
            eprintln!("{}: not supported", source.name);
            continue;
        }
        for wanted in Wanted::ALL {
            let measured = quipu::measure(&source.file, wanted, RUNS)?;
            let proved = measured.count(Found::Unreachable);
            let functions = &measured.answer.functions;
            let attacked =
                functions.iter().filter(|function| function.goals.contains(&Found::Unreachable)).count();
            let hits: usize = functions.iter().map(|function| function.hits).sum();
            let runs = attacked as u64 * RUNS;
            println!("| {} | {} | {proved} | {attacked} | {runs} | {hits} |", source.name, wanted.name());
            totals = (totals.0 + proved, totals.1 + runs, totals.2 + hits);
        }
    }
    let (proved, runs, hits) = totals;
    println!("| all | | {proved} | | {runs} | {hits} |");
    Ok(if hits == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
