//! The real-code check of the C front end: every C file of a set of public libraries is compiled to IR.
//!
//! The sources come from the registry crates that bundle them; they are unpacked under `target/corpus/` and
//! never become dependencies of Quipu. Each file is compiled in a process of its own, so that a crash counts
//! as a failure of that file only. Files that the system's compiler rejects are listed and not counted.
//!
//! One file per concern: [`args`] the command line, [`library`] what a library is, [`libraries`] the table of
//! them, [`vendor`] their sources, [`source`] the files with their flags, [`check`] one file from outside,
//! [`one`] the same from inside, [`outcome`] what passes between both,
//! [`summary`] counts, [`table`] and [`json`] how they are shown.

mod args;
mod check;
mod json;
mod libraries;
mod library;
mod one;
mod outcome;
mod source;
mod summary;
mod table;
mod vendor;

use std::process::ExitCode;

pub use one::run_one;

use crate::pool;
use args::Args;
use summary::Summary;

/// Runs the check; the exit code tells whether the thresholds are met.
///
/// # Errors
///
/// When the command line is wrong, or the sources cannot be brought here.
pub fn run(args: &[String]) -> Result<ExitCode, String> {
    let args = Args::parse(args)?;
    let libraries = libraries::selected(&args.only)?;
    let places = vendor::unpack(&libraries)?;
    let files = source::files(&libraries, &places)?;
    eprintln!("{} files of {} libraries", files.len(), libraries.len());
    let checked = pool::map(&files, args.jobs, |file| check::check(file, &places));
    let summary = Summary::new(&libraries, &files, &checked);
    print!("{}", if args.json { json::render(&summary) } else { table::render(&summary) });
    if !args.keep {
        vendor::remove(&places)?;
    }
    Ok(if summary.passes() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
