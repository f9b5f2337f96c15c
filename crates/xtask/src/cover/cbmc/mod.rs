//! CBMC on the same functions: its tests are run in the interpreter and count for Quipu's goals.

mod harness;
mod output;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use quipu_inputs::{Inputs, Interface, Leaf, NothingMore};
use quipu_ir::Module;

use super::credited::Credited;
use super::program::{Target, Wanted};
use crate::usage;
use harness::{ANSWER, Harness, input_name};
use output::{Assigned, Suite, goals_in, parse};

pub use harness::{ENTRY, harness};

/// How CBMC is asked, one way after the other as long as it ends and leaves goals to Quipu. Its checks for undefined behaviour
/// keep tests away from there, but they also add goals.
const WAYS: [&[&str]; 4] = [
    &["--unwind", "5", "--no-standard-checks"],
    &["--unwind", "12", "--no-standard-checks"],
    &["--unwind", "12"],
    &["--unwind", "100", "--no-standard-checks"],
];
/// For one run of CBMC.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Where CBMC is, and where its files may go.
pub struct Cbmc<'a> {
    pub program: &'a Path,
    pub scratch: &'a Path,
}

/// What CBMC found for a function.
pub struct Tried {
    /// For each of Quipu's goals whether a test of CBMC's meets it.
    pub covered: Vec<bool>,
    pub seconds: f64,
    /// CBMC's own goals, and how many of them it covered.
    pub own: (usize, usize),
    pub trouble: Option<Trouble>,
}

/// Why what CBMC found does not count in full.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// It did not end in time.
    Timeout,
    /// It refuses the program.
    Refused,
    /// The run asks for answers that CBMC does not tell.
    Untold,
}

/// A function for CBMC.
struct Question<'a> {
    file: PathBuf,
    harness: Harness,
    target: &'a Target,
    wanted: Wanted,
}

/// A run of CBMC.
struct Ran {
    /// What it printed; none if it did not end in time.
    text: Option<String>,
    succeeded: bool,
    /// CPU seconds.
    seconds: f64,
}

impl Cbmc<'_> {
    /// Its version.
    pub fn version(&self) -> String {
        let output = Command::new(self.program).arg("--version").output();
        let text =
            output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        text.split_whitespace().next().unwrap_or("unknown").to_owned()
    }

    /// Covers a function. Of several ways the one that covers most counts, as if it had been known.
    pub fn cover(
        &self,
        module: &Module,
        target: &Target,
        source: &Path,
        wanted: Wanted,
        rival: &[bool],
    ) -> Result<Tried, String> {
        let Some(question) = self.question(module, target, source, wanted)? else {
            return Ok(nothing(target, 0.0, Trouble::Refused));
        };
        let mut best: Option<Tried> = None;
        for way in WAYS {
            let tried = self.ask(module, &question, way)?;
            let is_too_much = tried.trouble == Some(Trouble::Timeout);
            if best.as_ref().is_none_or(|best| count(&tried.covered) > count(&best.covered)) {
                best = Some(tried);
            }
            let best = best.as_ref().expect("one was tried");
            if is_too_much || rival.iter().zip(&best.covered).all(|(&rival, &covered)| covered || !rival) {
                break;
            }
        }
        Ok(best.expect("there is a way"))
    }

    /// Writes the harness.
    fn question<'a>(
        &self,
        module: &Module,
        target: &'a Target,
        source: &Path,
        wanted: Wanted,
    ) -> Result<Option<Question<'a>>, String> {
        let wrong = |error: std::io::Error| format!("{}: {error}", source.display());
        let full = source.canonicalize().map_err(wrong)?;
        let Some(harness) = harness(module, target.interface(), &full) else { return Ok(None) };
        let file = self.scratch.join("harness.c");
        fs::write(&file, &harness.text).map_err(wrong)?;
        Ok(Some(Question { file, harness, target, wanted }))
    }

    /// Asks CBMC for its goals in the function, a run that is not counted, and then for tests that cover them.
    fn ask(&self, module: &Module, question: &Question<'_>, way: &[&str]) -> Result<Tried, String> {
        let listed = self.run(question, &[way, &["--show-properties"]].concat())?;
        let Some(text) = listed.text.filter(|_| listed.succeeded) else {
            return Ok(nothing(question.target, 0.0, Trouble::Refused));
        };
        let goals = goals_in(&text, &module.functions[question.target.interface().func].source_name);
        if goals.is_empty() {
            return Ok(called(module, question));
        }
        let mut flags = [way, &["--show-test-suite"]].concat();
        flags.extend(goals.iter().flat_map(|goal| ["--property", goal.as_str()]));
        let Ran { text, seconds, .. } = self.run(question, &flags)?;
        let Some(text) = text else { return Ok(nothing(question.target, seconds, Trouble::Timeout)) };
        Ok(match parse(&text) {
            None => nothing(question.target, seconds, Trouble::Refused),
            Some(suite) => credited(module, question, &suite, seconds),
        })
    }

    fn run(&self, question: &Question<'_>, flags: &[&str]) -> Result<Ran, String> {
        let wrong = |error: std::io::Error| format!("{}: {error}", self.program.display());
        let printed = self.scratch.join("cbmc.txt");
        let before = usage::cpu_of_children_ms();
        let mut child = Command::new(self.program)
            .arg(&question.file)
            .args(["--function", ENTRY, "--cover", question.wanted.name(), "--verbosity", "4"])
            .args(flags)
            .stdin(Stdio::null())
            .stdout(File::create(&printed).map_err(wrong)?)
            .stderr(Stdio::null())
            .spawn()
            .map_err(wrong)?;
        let end = Instant::now() + TIMEOUT;
        let mut in_time = true;
        while in_time && child.try_wait().map_err(wrong)?.is_none() {
            thread::sleep(Duration::from_millis(2));
            in_time = Instant::now() < end;
        }
        if !in_time {
            child.kill().map_err(wrong)?;
        }
        let succeeded = child.wait().map_err(wrong)?.success();
        let seconds = (usage::cpu_of_children_ms() - before) as f64 / 1e3;
        let text = String::from_utf8_lossy(&fs::read(&printed).map_err(wrong)?).into_owned();
        Ok(Ran { text: in_time.then_some(text), succeeded, seconds })
    }
}

/// Runs the tests of a suite.
fn credited(module: &Module, question: &Question<'_>, suite: &Suite, seconds: f64) -> Tried {
    let mut credited = Credited::new(module, question.target);
    let mut trouble = None;
    for test in &suite.tests {
        let requests = credited.run(&inputs(question.target.interface(), test), &mut NothingMore);
        if requests.iter().any(|request| !question.harness.answering.contains(&request.function)) {
            trouble = Some(Trouble::Untold);
        }
    }
    Tried { covered: credited.covered(), seconds, own: (suite.goals, suite.satisfied), trouble }
}

/// A function without goals for CBMC: a call is enough.
fn called(module: &Module, question: &Question<'_>) -> Tried {
    let suite = Suite { tests: vec![Assigned::new()], ..Suite::default() };
    credited(module, question, &suite, 0.0)
}

/// The inputs of a test. One that CBMC does not name does not matter to it.
fn inputs(interface: &Interface, test: &Assigned) -> Inputs {
    let mut inputs = Inputs::zero(interface);
    for (leaf, info) in interface.leaves.entries() {
        if let Some(&bits) = value(test, leaf) {
            inputs.set(leaf, info.width().wrap(bits));
        }
    }
    inputs.sequence = test.get(ANSWER).cloned().unwrap_or_default();
    inputs
}

fn value(test: &Assigned, leaf: Leaf) -> Option<&u64> {
    test.get(&input_name(leaf))?.last()
}

fn nothing(target: &Target, seconds: f64, trouble: Trouble) -> Tried {
    Tried { covered: vec![false; target.goals.all().len()], seconds, own: (0, 0), trouble: Some(trouble) }
}

pub fn count(covered: &[bool]) -> usize {
    covered.iter().filter(|&&covered| covered).count()
}
