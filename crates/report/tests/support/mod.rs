//! Helpers of the tests: reports made of real runs, with verdicts by hand where nothing covers a goal.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quipu_cfront::{Options, Program};
use quipu_cover::{FunctionReport, Proof, Reason, ReplayOutcome, Statistics, Test, Verdict};
use quipu_goals::{Credit, Criterion, GoalId, Goals, Ledger, SourceFiles};
use quipu_inputs::{Inputs, Interface, Runner, Shapes};
use quipu_interp::{Limits, Outcome, SourceSteps};

/// Tests by their inputs, which have names, and the answers of the environment.
pub type Tests<'a> = &'a [(&'a [(&'a str, i64)], &'a [u64])];

/// The directory of the C files.
pub fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

/// A program from one of the files, under its bare name.
pub fn program(name: &str) -> Program {
    let text = std::fs::read(files().join(name)).expect("the file should be there");
    let options =
        Options::from_flags(&["-I".to_string(), files().display().to_string()]).expect("the flags are known");
    quipu_cfront::compile_source(name, text, &options).unwrap_or_else(|failure| panic!("{failure}"))
}

/// A report on a function with these tests: inputs by name, then answers of the environment. Inputs that are not named
/// are as near to zero as allowed.
pub fn report(program: &Program, function: &str, criteria: &[Criterion], tests: Tests<'_>) -> FunctionReport {
    report_with(program, function, criteria, tests, |_| ())
}

/// As [`report`], with a change to the inputs of the function.
pub fn report_with(
    program: &Program,
    function: &str,
    criteria: &[Criterion],
    tests: Tests<'_>,
    change: impl FnOnce(&mut Interface),
) -> FunctionReport {
    let module = &program.module;
    let func = module.function(function).unwrap_or_else(|| panic!("there should be a function {function}"));
    let mut interface = Interface::of(module, func, &Shapes::default());
    change(&mut interface);
    let sources = SourceFiles::new(program.sources.iter().map(|source| source.bytes.as_slice()));
    let goals = Goals::of(module, &sources, &[func], criteria);
    let inputs = tests.iter().map(|(values, sequence)| inputs(&interface, values, sequence));
    let limits = Limits { steps: 100_000, ..Limits::default() };
    let tests: Vec<Test> = {
        let mut runner = Runner::new(module, &interface, limits);
        inputs.map(|inputs| test(&mut runner, &goals, inputs)).collect()
    };
    let (tests, verdicts) = judged(&goals, tests);
    FunctionReport {
        func,
        interface,
        goals,
        verdicts,
        paths: Vec::new(),
        tests,
        disagreements: Vec::new(),
        spare: Vec::new(),
        proved: BTreeMap::new(),
        always_undefined: None,
        minimal: true,
        notes: Vec::new(),
        statistics: Statistics::default(),
    }
}

fn inputs(interface: &Interface, values: &[(&str, i64)], sequence: &[u64]) -> Inputs {
    let mut inputs = Inputs::zero(interface);
    for &(name, value) in values {
        let leaf = interface.leaf(name).unwrap_or_else(|| {
            let names: Vec<&str> = interface.leaves.iter().map(|leaf| leaf.name.as_str()).collect();
            panic!("there should be an input {name} among {names:?}")
        });
        let width = interface.leaves[leaf].width();
        inputs.set(leaf, width.wrap(value.cast_unsigned()));
    }
    inputs.sequence = sequence.to_vec();
    inputs
}

fn test(runner: &mut Runner<'_>, goals: &Goals, inputs: Inputs) -> Test {
    let mut steps = SourceSteps::new(runner.module(), Vec::new());
    let mut observation = runner.run(&inputs, &mut steps);
    runner.look_elsewhere(&inputs, &mut observation);
    let mut credit = Credit::new(goals);
    let outcome = runner.run(&inputs, &mut credit).outcome;
    credit.ended(&outcome);
    let replay = match observation.outcome {
        Outcome::Returned(_) | Outcome::Exited(_) => ReplayOutcome::Confirmed,
        _ => ReplayOutcome::Crash("SIGFPE".to_string()),
    };
    let items = credit.items().clone();
    let (steps, covers) = (steps.into_sink(), Vec::new());
    Test { inputs, observation, steps, items, covers, path: None, replay, sighting: None, steady: true }
}

/// The tests with what they cover, and the verdicts that follow from them.
fn judged(goals: &Goals, mut tests: Vec<Test>) -> (Vec<Test>, Vec<Verdict>) {
    let mut ledger = Ledger::new(goals);
    tests.iter().for_each(|test| drop(ledger.add_test(&test.items)));
    let verdict = |goal: GoalId| match ledger.is_covered(goal) {
        true => {
            let independence = ledger.independence(goal);
            let tests = match &independence {
                Some(pair) => vec![pair.when_true, pair.when_false],
                None => ledger.covered_by(goal, 0),
            };
            Verdict::Covered { tests, independence }
        }
        false if goals.all()[goal].is_unreachable() => Verdict::Unreachable(Proof::ControlFlow),
        false => Verdict::GaveUp(Reason::Effort),
    };
    let verdicts: Vec<Verdict> = goals.all().ids().map(verdict).collect();
    for (goal, verdict) in goals.all().ids().zip(&verdicts) {
        if let Verdict::Covered { tests: by, .. } = verdict {
            by.iter().for_each(|&n| tests[n].covers.push(goal));
        }
    }
    (tests, verdicts)
}

/// Compares text with a golden file. `UPDATE_EXPECT=1` writes it anew.
pub fn expect(name: &str, got: &str) {
    let path = files().join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, got).expect("the golden file should be writable");
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(wanted == got, "{name} differs; UPDATE_EXPECT=1 writes it anew. Got:\n{got}");
}
