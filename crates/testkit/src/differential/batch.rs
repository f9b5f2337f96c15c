//! Some programs in one file: generated, compiled, run and compared together.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Output;

use quipu_replay::sanitizer;

use super::difference::Difference;
use super::observation::{Observation, agree};
use super::{Plan, Side};
use crate::generate::{self, Program};
use crate::native::{self, RunLimits, TempDir};
use crate::rng::Rng;

/// The name of the source file; reports are searched for it.
const FILE: &str = "programs.c";

const LIMITS: RunLimits = RunLimits { seconds: 60, megabytes: Some(1024) };
const SANITIZED_LIMITS: RunLimits = RunLimits { seconds: 60, megabytes: None };

/// Programs that share a file.
pub struct Batch {
    /// The number of the first program in its run.
    first: u64,
    programs: Vec<Program>,
    side: Side,
    undefined: bool,
}

/// What each side saw of each program.
type Sides = Vec<(&'static str, Vec<Observation>)>;

impl Batch {
    /// The programs of a plan from number `first` on.
    pub fn generate(plan: &Plan, first: u64, size: u64) -> Batch {
        let programs = (first..first + size)
            .map(|number| {
                let seed = Rng::derive(plan.seed, number);
                generate::program(seed, &format!("p{number}_"), &plan.config)
            })
            .collect();
        Batch { first, programs, side: plan.side, undefined: plan.config.undefined }
    }

    /// Runs both sides.
    ///
    /// # Errors
    ///
    /// When the compiler or a program cannot be started, or a file cannot be written.
    pub fn compare(&self) -> io::Result<Vec<Difference>> {
        let dir = TempDir::new()?;
        let source = dir.file(FILE);
        let text = generate::source(&self.programs);
        fs::write(&source, &text)?;
        let entries: Vec<&str> = self.programs.iter().map(|program| program.entry.as_str()).collect();
        let sides = observe(&dir, &source, &entries, self.side, self.undefined)?;
        let refused = |(_, seen): &(&str, Vec<Observation>)| seen.iter().all(Observation::is_failure);
        if sides.iter().any(refused) && self.programs.len() > 1 {
            return self.compare_halves();
        }
        let differing = (0..self.programs.len()).filter(|&n| !all_agree(&sides, n));
        Ok(differing.map(|n| self.difference(n, &sides, &text)).collect())
    }

    /// A file that one side refuses: finds out which program is to blame.
    fn compare_halves(&self) -> io::Result<Vec<Difference>> {
        let (left, right) = self.programs.split_at(self.programs.len() / 2);
        let half = |first: u64, programs: &[Program]| Batch { first, programs: programs.to_vec(), ..*self };
        let mut differences = half(self.first, left).compare()?;
        differences.extend(half(self.first + left.len() as u64, right).compare()?);
        Ok(differences)
    }

    fn difference(&self, n: usize, sides: &Sides, text: &str) -> Difference {
        let program = &self.programs[n];
        let alone = generate::source(std::slice::from_ref(program));
        let shift = line_of(text, program).saturating_sub(line_of(&alone, program));
        let observations = sides.iter().map(|(side, seen)| (*side, moved_up(&seen[n], shift)));
        Difference {
            number: self.first + n as u64,
            program: program.clone(),
            observations: observations.collect(),
        }
    }
}

/// What the sides see of the functions of a file whose `main` runs them by number.
///
/// # Errors
///
/// When the compiler or a program cannot be started.
pub fn observe(
    dir: &TempDir,
    source: &Path,
    entries: &[&str],
    side: Side,
    undefined: bool,
) -> io::Result<Sides> {
    let mut sides: Sides = Vec::new();
    if side == Side::Interpreter {
        sides.push(("interpreter", crate::subject::observe(source, entries)));
    }
    if !undefined {
        sides.push(("-O0", observe_plain(dir, source, entries.len(), "-O0")?));
        sides.push(("-O2", observe_plain(dir, source, entries.len(), "-O2")?));
    }
    if undefined || side == Side::Sanitizers {
        sides.push(("sanitizers", observe_sanitized(dir, source, entries.len())?));
    }
    Ok(sides)
}

/// Whether all sides saw the same of program number `n`.
pub fn all_agree(sides: &Sides, n: usize) -> bool {
    let first = &sides[0].1[n];
    sides[1..].iter().all(|(_, seen)| agree(first, &seen[n])) && !first.is_failure()
}

fn observe_plain(dir: &TempDir, source: &Path, n: usize, level: &str) -> io::Result<Vec<Observation>> {
    let program = dir.file("plain");
    if let Err(messages) = native::compile(source, &program, &[level])? {
        return Ok(vec![Observation::Failed(messages); n]);
    }
    let output = native::run::<&str>(&program, &[], LIMITS)?;
    Ok((0..n).map(|number| checksum(&output, number)).collect())
}

fn observe_sanitized(dir: &TempDir, source: &Path, n: usize) -> io::Result<Vec<Observation>> {
    let program = dir.file("sanitized");
    let mut flags = sanitizer::FLAGS.to_vec();
    flags.push("-fsanitize=bounds-strict");
    if let Err(messages) = native::compile(source, &program, &flags)? {
        return Ok(vec![Observation::Failed(messages); n]);
    }
    let observe = |number: usize| {
        let output = native::run(&program, &[number.to_string()], SANITIZED_LIMITS)?;
        let report = sanitizer::first_report(&String::from_utf8_lossy(&output.stderr), FILE);
        Ok(report.map_or_else(|| checksum(&output, number), Observation::from))
    };
    (0..n).map(observe).collect()
}

/// The checksum that a program printed behind its number.
fn checksum(output: &Output, number: usize) -> Observation {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    let printed = lines.find(|(n, _)| *n == number.to_string()).map(|(_, sum)| sum);
    match printed.and_then(|sum| u64::from_str_radix(sum, 16).ok()) {
        Some(sum) => Observation::Checksum(sum),
        None => Observation::Failed(format!("no checksum ({})", output.status)),
    }
}

/// The line of a file on which a program starts.
fn line_of(text: &str, program: &Program) -> u32 {
    let at = text.find(&program.text).expect("the file should contain its programs");
    u32::try_from(text[..at].lines().count()).expect("files are short")
}

/// The observation with its line counted in a file in which the program starts further up.
fn moved_up(observation: &Observation, lines: u32) -> Observation {
    match observation.clone() {
        Observation::Undefined { events, line, message } => {
            Observation::Undefined { events, line: line.map(|line| line.saturating_sub(lines)), message }
        }
        other => other,
    }
}
