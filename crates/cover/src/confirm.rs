//! Tests on the compiled program: only what it does itself counts.

use std::time::Instant;

use quipu_cfront::Program;
use quipu_goals::{BitSet, Credit, Goals, Ledger};
use quipu_inputs::Mentioned;
use quipu_interp::{Outcome, StepSink, Unwritten};
use quipu_ir::{Func, Module};
use quipu_replay::{Ending, Replayed, Replayer, Sighting, Verdict as Compared, Witness};

use crate::carried::are_only_carried;
use crate::cover::{observe, verdicts_of};
use crate::options::Options;
use crate::report::{FunctionReport, Proof, Reason, ReplayOutcome, Test, Verdict};
use crate::subject::{Bench, Subject, gates};

/// Replays the tests of a function, which has this number in the replayer. Tests that disagree leave the suite; others
/// that were found take their place where they can. Undefined behaviour that is a goal needs a witness.
pub fn confirm<'m>(
    program: &Program,
    replayer: &mut Replayer<'m>,
    witness: &mut Witness<'m>,
    number: usize,
    subject: &Subject,
    report: &mut FunctionReport,
    options: &Options,
) {
    let start = Instant::now();
    let gates = gates(subject);
    let mut bench = Bench::new(&program.module, subject, &gates, options);
    let mut replay = |test: &mut Test, goals: &Goals| {
        replay_test(&mut Compiled { module: &program.module, replayer, witness, number }, goals, test)
    };
    let mut reason = Reason::Disagreement;
    for mut test in std::mem::take(&mut report.tests) {
        replay(&mut test, &report.goals);
        sort_in(report, test, &mut reason);
    }
    if !report.disagreements.is_empty() {
        for spare in std::mem::take(&mut report.spare) {
            let failed = report.disagreements.iter().any(|test| test.inputs == spare.inputs);
            if failed || !helps(report, &spare.items) {
                continue;
            }
            let mut test = observe(program, &mut bench, &spare.inputs, &spare.items);
            replay(&mut test, &report.goals);
            sort_in(report, test, &mut reason);
        }
    }
    report.verdicts = verdicts_of(&report.goals, &mut report.tests, &report.proved, &reason);
    confirm_paths(report, &reason);
    report.statistics.replay_seconds += start.elapsed().as_secs_f64();
}

/// Where the compiled program does something else than predicted, takes back everything that was proved and rests on the
/// same function: it is not what the proofs are about.
pub fn withdraw_proofs(module: &Module, reports: &mut [FunctionReport]) {
    let doubtful: Vec<Func> =
        reports.iter().filter(|report| !report.disagreements.is_empty()).map(|report| report.func).collect();
    if doubtful.is_empty() {
        return;
    }
    for report in reports {
        let used = Mentioned::by_any(module, report.interface.functions()).functions;
        if doubtful.iter().any(|func| *func == report.func || used.contains(func)) {
            withdraw(report);
        }
    }
}

/// What has no way to it in the text of the program has none in the compiled one.
fn withdraw(report: &mut FunctionReport) {
    let paths = report.paths.iter_mut().map(|path| &mut path.verdict);
    for verdict in report.proved.values_mut().chain(&mut report.verdicts).chain(paths) {
        if verdict.proof().is_some_and(|proof| !matches!(proof, Proof::ControlFlow)) {
            *verdict = Verdict::GaveUp(Reason::Withdrawn);
        }
    }
}

/// A path counts if a test takes all of it on the compiled program.
fn confirm_paths(report: &mut FunctionReport, reason: &Reason) {
    for (number, path) in report.paths.iter_mut().enumerate() {
        if !matches!(path.verdict, Verdict::Covered { .. }) {
            continue;
        }
        let takes_it =
            |test: &Test| test.path == Some(number) && matches!(test.replay, ReplayOutcome::Confirmed);
        path.verdict = match report.tests.iter().position(takes_it) {
            Some(test) => Verdict::Covered { tests: vec![test], independence: None },
            None => Verdict::GaveUp(reason.clone()),
        };
    }
}

/// Whether a test would cover something that the others do not.
fn helps(report: &FunctionReport, items: &BitSet) -> bool {
    let mut ledger = Ledger::new(&report.goals);
    report.tests.iter().for_each(|test| drop(ledger.add_test(&test.items)));
    ledger.gains(items)
}

fn sort_in(report: &mut FunctionReport, test: Test, reason: &mut Reason) {
    match &test.replay {
        ReplayOutcome::Disagrees(_) => report.disagreements.push(test),
        ReplayOutcome::NotRun(why) => *reason = Reason::NotReplayed(why.clone()),
        ReplayOutcome::Confirmed | ReplayOutcome::Timeout | ReplayOutcome::Crash(_) => {
            report.tests.push(test)
        }
    }
}

/// A function in the compiled program.
struct Compiled<'a, 'm> {
    module: &'a Module,
    replayer: &'a mut Replayer<'m>,
    witness: &'a mut Witness<'m>,
    number: usize,
}

fn replay_test(compiled: &mut Compiled<'_, '_>, goals: &Goals, test: &mut Test) {
    if test.inputs.unwritten == Unwritten::Zero {
        return replay_with_zeros(compiled, goals, test);
    }
    let Compiled { replayer, number, .. } = compiled;
    let number = *number;
    let replayed = replayer.run(number, &test.inputs);
    if let Ending::NotRun(why) = &replayed.ending {
        test.replay = ReplayOutcome::NotRun(why.clone());
        return;
    }
    let compared = replayer.compare(number, &test.observation, &test.steps, &replayed);
    test.replay = match compared {
        Compared::Confirmed => ReplayOutcome::Confirmed,
        Compared::Disagrees(difference) => ReplayOutcome::Disagrees(difference),
        Compared::Timeout => ReplayOutcome::Timeout,
        Compared::Crash(_) | Compared::Stopped(_) => ReplayOutcome::Crash(replayed.ending.to_string()),
    };
    if !matches!(test.replay, ReplayOutcome::Confirmed) {
        test.items = shown(replayer, goals, test, &replayed);
    }
    if !matches!(test.replay, ReplayOutcome::Disagrees(_)) {
        look(compiled, goals, test);
    }
}

/// The same for a test that reads memory which nobody has written: there are zeros in it. What does not do as predicted
/// shows nothing, as not all such memory can be filled.
fn replay_with_zeros(compiled: &mut Compiled<'_, '_>, goals: &Goals, test: &mut Test) {
    let Compiled { witness, number, module, .. } = compiled;
    let (number, module) = (*number, *module);
    let zeros = match witness.with_zeros() {
        Ok(zeros) => zeros,
        Err(_) => {
            test.replay = ReplayOutcome::NotRun(NOT_FILLED.to_string());
            return;
        }
    };
    let replayed = zeros.run(number, &test.inputs);
    test.replay = match (&replayed.ending, zeros.compare(number, &test.observation, &test.steps, &replayed)) {
        (Ending::NotRun(why), _) => ReplayOutcome::NotRun(why.clone()),
        (_, Compared::Confirmed) => ReplayOutcome::Confirmed,
        (_, Compared::Disagrees(_)) => ReplayOutcome::NotRun(NOT_AS_FILLED.to_string()),
        (_, Compared::Timeout) => ReplayOutcome::Timeout,
        (_, Compared::Crash(_) | Compared::Stopped(_)) => ReplayOutcome::Crash(replayed.ending.to_string()),
    };
    match test.replay {
        ReplayOutcome::NotRun(_) => return,
        ReplayOutcome::Confirmed => {}
        _ => test.items = shown(zeros, goals, test, &replayed),
    }
    test.steady = are_only_carried(module, &test.observation.unwritten)
        && witness.does_the_same(number, &test.inputs, &replayed);
    look(compiled, goals, test);
}

const NOT_FILLED: &str = "the compiler cannot fill memory that was never written";
const NOT_AS_FILLED: &str =
    "with zeros in memory that was never written, the compiled program does something else than predicted";

const NOT_WITH_ZEROS: &str = "sanitizers do not see it with what they have in memory that was never written";

/// Asks for a witness of undefined behaviour, if it is a goal.
fn look(compiled: &mut Compiled<'_, '_>, goals: &Goals, test: &mut Test) {
    if !matches!(test.observation.outcome, Outcome::Event { .. }) {
        return;
    }
    let mut credit = Credit::new(goals);
    credit.ended(&test.observation.outcome);
    if credit.items().is_empty() {
        return;
    }
    let sighting = compiled.witness.look(compiled.number, &test.inputs, &test.observation.outcome);
    match sighting {
        // With sanitizers, other values stand where nothing was written.
        Some(Sighting::Missing(_)) if test.inputs.unwritten == Unwritten::Zero => {
            test.items.union_with(credit.items());
            test.sighting = Some(Sighting::Predicted(NOT_WITH_ZEROS.to_string()));
        }
        Some(Sighting::Missing(difference)) => test.replay = ReplayOutcome::Disagrees(difference),
        sighting => {
            test.items.union_with(credit.items());
            test.sighting = sighting;
        }
    }
}

/// What a run showed that did not end as predicted: what it did itself until then.
fn shown(replayer: &Replayer<'_>, goals: &Goals, test: &Test, replayed: &Replayed) -> BitSet {
    let mut credit = Credit::new(goals);
    let mut left = replayed.steps.len();
    for &step in &test.steps {
        if left == 0 {
            break;
        }
        credit.step(step);
        left -= usize::from(replayer.measures(&step));
    }
    credit.items().clone()
}
