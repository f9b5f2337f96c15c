//! Random programs: the compiled program takes the steps that the interpreter takes.
//!
//! `QUIPU_REPLAY_BATCHES` asks for more than the usual batches of twenty programs.

use crate::support::Subject;
use quipu_inputs::{Inputs, Interface, Runner};
use quipu_interp::{Limits, SourceSteps};
use quipu_replay::{Ending, Replayer, Verdict};
use quipu_testkit::generate::{Config, Program, program, source};

const PROGRAMS: u64 = 20;

/// The function without inputs: globals keep their initial content, on which the generator relies.
fn closed(subject: &Subject, entry: &str) -> Interface {
    let func = subject.program.module.function(entry).expect("the entry exists");
    Interface::closed(func)
}

/// The text with `[last]` in the place of `[first ... last]`. GNU C evaluates the initialiser of a range once, the
/// front end once for each element, with as many conditions.
fn without_ranges(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(" ... ") {
        let start = rest[..at].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |n| n + 1);
        let in_brackets = rest[..start].ends_with('[');
        out.push_str(if in_brackets { &rest[..start] } else { &rest[..at + 5] });
        rest = &rest[at + 5..];
    }
    out + rest
}

/// Compares a batch; the number of runs that took a step.
fn compare_batch(batch: u64, config: &Config, flags: &[&str]) -> usize {
    let number = |n| batch * PROGRAMS + n;
    let programs: Vec<Program> =
        (0..PROGRAMS).map(|n| program(number(n), &format!("p{n}_"), config)).collect();
    let text = without_ranges(&source(&programs));
    let subject = Subject::new(&[&text], flags);
    let module = &subject.program.module;
    let interfaces: Vec<Interface> =
        programs.iter().map(|program| closed(&subject, &program.entry)).collect();
    let mut replayer = Replayer::build(&subject.setup(&interfaces)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(replayer.unmeasured(), [], "batch {batch}");
    let mut compared = 0;
    for (n, interface) in interfaces.iter().enumerate() {
        let limits = Limits { steps: 3_000_000, ..Limits::default() };
        let mut runner = Runner::new(module, interface, limits);
        let mut steps = SourceSteps::new(module, Vec::new());
        let predicted = runner.run(&Inputs::default(), &mut steps);
        let steps = steps.into_sink();
        let replayed = replayer.run(n, &Inputs::default());
        let verdict = replayer.compare(n, &predicted, &steps, &replayed);
        let agrees = match verdict {
            Verdict::Confirmed | Verdict::Crash(_) => true,
            Verdict::Timeout | Verdict::Stopped(Ending::StackOverflow) => config.undefined,
            Verdict::Disagrees(_) | Verdict::Stopped(_) => false,
        };
        assert!(
            agrees,
            "program {} of batch {batch} {flags:?}: {verdict:?}, {:?}, {:?}",
            number(n as u64),
            predicted.outcome,
            replayed.ending
        );
        compared += usize::from(replayed.steps.len() > 10);
    }
    compared
}

fn batches(usual: u64) -> u64 {
    std::env::var("QUIPU_REPLAY_BATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn programs_without_undefined_behaviour() {
    let count = batches(6);
    let compared: usize = (0..count).map(|batch| compare_batch(batch, &Config::default(), &[])).sum();
    assert!(compared as u64 > count * PROGRAMS / 2, "{compared}");
}

#[test]
fn programs_without_undefined_behaviour_optimised() {
    for batch in 0..batches(1) {
        compare_batch(1000 + batch, &Config::default(), &["-O2", "-ffp-contract=off", "-frounding-math"]);
    }
}

#[test]
fn programs_with_undefined_behaviour() {
    for batch in 0..batches(2) {
        compare_batch(2000 + batch, &Config { undefined: true, ..Config::default() }, &[]);
    }
}
