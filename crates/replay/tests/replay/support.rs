//! Runs a C function in the interpreter and as compiled code, on the same inputs.

use std::path::PathBuf;
use std::time::Duration;

use quipu_cfront::{Options, Program};
use quipu_inputs::{Inputs, Interface, Observation, Runner, Shapes};
use quipu_interp::{Limits, SourceSteps, Step};
use quipu_replay::{ReplayLimits, ReplaySetup, Replayed, Replayer, Verdict};
use quipu_testkit::native::TempDir;

/// Both sides of a run.
pub struct Seen {
    pub predicted: Observation,
    pub predicted_steps: Vec<Step>,
    pub replayed: Replayed,
    pub verdict: Verdict,
}

/// Values for the leaves with these names, and for the sequence.
#[derive(Clone, Default)]
pub struct Values<'a> {
    pub leaves: &'a [(&'a str, i64)],
    pub sequence: &'a [u64],
}

pub fn leaves<'a>(leaves: &'a [(&'a str, i64)]) -> Values<'a> {
    Values { leaves, sequence: &[] }
}

pub fn limits() -> ReplayLimits {
    ReplayLimits { time: Duration::from_millis(700), ..ReplayLimits::default() }
}

/// A program on disk, translated.
pub struct Subject {
    _dir: TempDir,
    pub files: Vec<PathBuf>,
    pub flags: Vec<String>,
    pub options: Options,
    pub program: Program,
}

impl Subject {
    pub fn new(sources: &[&str], flags: &[&str]) -> Subject {
        let dir = TempDir::new().unwrap();
        let mut files = Vec::new();
        for (n, source) in sources.iter().enumerate() {
            let file = dir.file(&format!("file{n}.c"));
            std::fs::write(&file, source).unwrap();
            files.push(file);
        }
        let options = Options::from_flags(flags).unwrap();
        let program = quipu_cfront::compile(&files, &options).unwrap_or_else(|failure| panic!("{failure}"));
        let flags = flags.iter().map(|flag| (*flag).to_string()).collect();
        Subject { _dir: dir, files, flags, options, program }
    }

    pub fn interface(&self, function: &str) -> Interface {
        let func = self.program.module.function(function).expect("the function exists");
        Interface::of(&self.program.module, func, &Shapes::default())
    }

    pub fn setup<'a>(&'a self, interfaces: &'a [Interface]) -> ReplaySetup<'a> {
        ReplaySetup {
            files: &self.files,
            edits: &[],
            additions: &[],
            flags: &self.flags,
            options: &self.options,
            module: &self.program.module,
            interfaces,
            limits: limits(),
            alarm: quipu_limits::Alarm::never(),
        }
    }
}

pub fn inputs(interface: &Interface, values: &Values<'_>) -> Inputs {
    let mut inputs = Inputs::zero(interface);
    for (name, value) in values.leaves {
        let leaf = interface.leaf(name).unwrap_or_else(|| {
            let names: Vec<_> = interface.leaves.iter().map(|leaf| &leaf.name).collect();
            panic!("no leaf `{name}` in {names:?}")
        });
        inputs.set(leaf, interface.leaves[leaf].width().wrap(*value as u64));
    }
    inputs.sequence = values.sequence.to_vec();
    inputs
}

/// Runs both sides; the steps that have probes must agree in their order too, unless the program leaves it open.
pub fn both(subject: &Subject, function: &str, values: &[Values<'_>]) -> Vec<Seen> {
    let module = &subject.program.module;
    let interfaces = [subject.interface(function)];
    let mut replayer = Replayer::build(&subject.setup(&interfaces)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(replayer.unmeasured(), [], "everything should be measured");
    let limits = Limits { steps: 2_000_000, depth: 2000, memory: 1 << 26, ..Limits::default() };
    let mut runner = Runner::new(module, &interfaces[0], limits);
    let mut seen = Vec::new();
    for values in values {
        let inputs = inputs(&interfaces[0], values);
        let mut steps = SourceSteps::new(module, Vec::new());
        let mut predicted = runner.run(&inputs, &mut steps);
        runner.look_elsewhere(&inputs, &mut predicted);
        let predicted_steps = steps.into_sink();
        let replayed = replayer.run(0, &inputs);
        let verdict = replayer.compare(0, &predicted, &predicted_steps, &replayed);
        seen.push(Seen { predicted, predicted_steps, replayed, verdict });
    }
    seen
}

/// The steps of a prediction but those of constant conditions, which have no probes.
pub fn without_constants(subject: &Subject, steps: &[Step]) -> Vec<Step> {
    let module = &subject.program.module;
    let counts = |step: &&Step| match **step {
        Step::Cond(func, cond, ..) => module.functions[func].code().unwrap().conds[cond].constant.is_none(),
        _ => true,
    };
    steps.iter().filter(counts).copied().collect()
}

/// Every run is confirmed, step by step in the same order.
pub fn confirmed(source: &str, function: &str, values: &[Values<'_>]) -> Vec<Seen> {
    confirmed_with(&Subject::new(&[source], &[]), function, values)
}

pub fn confirmed_with(subject: &Subject, function: &str, values: &[Values<'_>]) -> Vec<Seen> {
    let seen = both(subject, function, values);
    for one in &seen {
        assert_eq!(one.verdict, Verdict::Confirmed, "{:?} {:?}", one.predicted.outcome, one.replayed.ending);
        assert!(one.replayed.complete);
        assert!(!one.replayed.steps.is_empty());
        assert_eq!(one.replayed.requests, one.predicted.requests.len() as u64);
        assert_eq!(without_constants(subject, &one.predicted_steps), one.replayed.steps);
    }
    seen
}
