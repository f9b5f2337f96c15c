//! One file, seen from outside: does the system's compiler accept it, and what does Quipu make of it?

use std::process::Command;

use super::outcome::{Failure, Outcome};
use super::source::Source;
use super::vendor::Places;

/// The running program, also where a build has replaced its file meanwhile.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// What was found out about a file.
#[derive(Debug)]
pub enum Checked {
    /// The system's compiler rejects it, with this message.
    Invalid(String),
    /// It is C for this system.
    Valid(Outcome),
}

/// Checks a file with the system's compiler and with Quipu.
pub fn check(source: &Source, places: &Places) -> Checked {
    match rejected_by_cc(source) {
        Some(message) => Checked::Invalid(message),
        None => Checked::Valid(with_lost_functions(in_child(source, places), source)),
    }
}

/// Counts the functions of a file without a module as unsupported: they would be missing from the share otherwise.
fn with_lost_functions(outcome: Outcome, source: &Source) -> Outcome {
    if outcome.failure.is_none() {
        return outcome;
    }
    let functions = functions_by_cc(source);
    Outcome { functions, supported: 0, own_functions: functions, own_supported: 0, ..outcome }
}

/// The number of functions that the system's compiler sees, inline functions of headers included.
fn functions_by_cc(source: &Source) -> u64 {
    let mut command = Command::new("cc");
    command.args(["-w", "-O0", "-fkeep-static-functions", "-fkeep-inline-functions", "-S", "-o", "-"]);
    command.args(&source.flags).arg(&source.path).current_dir(&source.dir);
    let assembly = command.output().map(|output| output.stdout).unwrap_or_default();
    let lines = String::from_utf8_lossy(&assembly).lines().filter(|line| line.contains("@function")).count();
    lines as u64
}

/// The first error of the system's compiler.
fn rejected_by_cc(source: &Source) -> Option<String> {
    let mut command = Command::new("cc");
    command.args(["-fsyntax-only", "-w", "-fmax-errors=1"]).args(&source.flags).arg(&source.path);
    let output = match command.current_dir(&source.dir).env("LC_ALL", "C").output() {
        Ok(output) => output,
        Err(error) => return Some(format!("cannot start cc: {error}")),
    };
    if output.status.success() {
        return None;
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|line| line.contains("error:")).or(text.lines().next());
    Some(line.unwrap_or("no message").to_string())
}

/// What `corpus-one` prints in a process of its own.
fn in_child(source: &Source, places: &Places) -> Outcome {
    let crashed = |why: String| Outcome::failed(Failure::Crashed(why));
    let mut command = Command::new(THIS_PROGRAM);
    command.arg("corpus-one").arg(&places.root).arg(&source.path).args(&source.flags);
    let output = match command.current_dir(&source.dir).output() {
        Ok(output) => output,
        Err(error) => return crashed(format!("cannot start this program: {error}")),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let outcome = if output.status.success() { Outcome::decode(&text) } else { None };
    outcome.unwrap_or_else(|| {
        let errors = String::from_utf8_lossy(&output.stderr);
        crashed(format!(
            "{}; {}",
            output.status,
            errors.lines().find(|line| !line.is_empty()).unwrap_or_default()
        ))
    })
}
