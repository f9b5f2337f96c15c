//! The tools, and how they are called.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use quipu_cover::Subject;
use quipu_inputs::Shapes;

use super::list::Task;
use super::verdict::{self, Counts};
use super::watch::{self, Ran};
use crate::cover::{ENTRY, harness};

/// In arrays of at most so many elements each of them is an input for CBMC.
const LARGEST_ARRAY: usize = 1 << 14;

/// What each run needs.
pub struct Bench<'a> {
    pub scratch: &'a Path,
    /// CPU seconds of a run.
    pub limit: f64,
}

/// What a tool said, and what it took.
#[derive(Clone, Debug)]
pub struct Measured {
    pub said: Said,
    /// CPU seconds. Those of the C compiler, and of the program that it compiled, are left out.
    pub seconds: f64,
    /// CPU seconds of these.
    pub aside: f64,
    pub peak_kib: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    Verdicts(Counts),
    /// Nothing within the time.
    Timeout,
    /// It ended without verdicts.
    Nothing,
}

/// Quipu as a user calls it.
pub fn quipu(bench: &Bench<'_>, quipu: &Path, task: &Task) -> Result<Measured, String> {
    let mut command = Command::new(quipu);
    command.arg("check").arg(&task.file).args(["-f", &task.function, "--json", "--strict", "--time"]);
    // Its own limit is one of elapsed time.
    command.arg(format!("{:.0}", watch::PATIENCE * bench.limit)).arg("--").args(&task.flags);
    let ran = run(bench, command)?;
    let (seconds, aside) = (ran.own_seconds, ran.children_seconds);
    Ok(Measured::new(bench, &ran, seconds, aside, verdict::of_quipu))
}

/// A way to run CBMC.
pub struct Cbmc<'a> {
    pub program: &'a Path,
    /// A SAT solver in the place of its own.
    pub solver: Option<&'a Path>,
}

impl Cbmc<'_> {
    /// CBMC on a file that the C preprocessor has read already.
    pub fn check(&self, bench: &Bench<'_>, task: &Task, preprocessed: &Path) -> Result<Measured, String> {
        let mut command = Command::new(self.program);
        command.arg(preprocessed).args(["--function", ENTRY, "--verbosity", "4"]);
        command.args(["--no-standard-checks", "--unwinding-assertions"]).args(&task.cbmc_flags);
        if let Some(solver) = self.solver {
            command.arg("--external-sat-solver").arg(solver);
        }
        let ran = run(bench, command)?;
        let seconds = ran.own_seconds + ran.children_seconds;
        Ok(Measured::new(bench, &ran, seconds, 0.0, verdict::of_cbmc))
    }
}

impl Measured {
    /// Without an answer a run took the whole time, whatever it took to end it.
    fn new(
        bench: &Bench<'_>,
        ran: &Ran,
        seconds: f64,
        aside: f64,
        understand: impl Fn(&str) -> Option<Counts>,
    ) -> Measured {
        let said = match understand(&ran.text) {
            Some(counts) => Said::Verdicts(counts),
            None if ran.in_time => Said::Nothing,
            None => Said::Timeout,
        };
        let seconds = if said == Said::Timeout { bench.limit } else { seconds };
        Measured { said, seconds, aside, peak_kib: ran.peak_kib }
    }
}

fn run(bench: &Bench<'_>, command: Command) -> Result<Ran, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let printed = bench.scratch.join("printed.txt");
    watch::run(command, &printed, bench.limit).map_err(|error| format!("{name}: {error}"))
}

/// The program with its inputs for CBMC, read by the C preprocessor: neither is CBMC's work here.
pub fn prepare(bench: &Bench<'_>, task: &Task) -> Result<PathBuf, String> {
    let name = task.file.display();
    let wrong = |error: std::io::Error| format!("{name}: {error}");
    let flags = quipu_cfront::Options::from_flags(&task.flags).map_err(|error| format!("{name}: {error}"))?;
    let compiled = quipu_cfront::compile(std::slice::from_ref(&task.file), &flags);
    let mut program = compiled.map_err(|failure| failure.to_string())?;
    quipu_inputs::add_provisions(&mut program.module);
    let func =
        program.module.function(&task.function).ok_or_else(|| format!("{name}: no `{}`", task.function))?;
    let shapes = Shapes { largest_array: LARGEST_ARRAY, ..Shapes::default() };
    let options = quipu_cover::Options { shapes, ..quipu_cover::Options::default() };
    let subject = Subject::new(&program.module, func, Vec::new(), &options)
        .map_err(|error| format!("{name}: {error:?}"))?;
    let full = task.file.canonicalize().map_err(wrong)?;
    let harness = harness(&program.module, &subject.interface, &full)
        .ok_or_else(|| format!("{name}: a type has no name"))?;
    let (source, preprocessed) = (bench.scratch.join("harness.c"), bench.scratch.join("harness.i"));
    fs::write(&source, harness.text).map_err(wrong)?;
    let mut command = Command::new("cc");
    command.arg("-E").args(&task.flags).arg("-o").args([&preprocessed, &source]);
    let status = command.status().map_err(wrong)?;
    if status.success() { Ok(preprocessed) } else { Err(format!("{name}: cc -E: {status}")) }
}
