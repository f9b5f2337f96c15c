//! Annotated programs, run in the interpreter and as compiled code.

#![allow(dead_code)]

use std::path::PathBuf;
use std::time::Duration;

use quipu_acsl::{Annotations, Contract, annotate};
use quipu_cfront::{Failure, Options, Program, compile};
use quipu_inputs::{Inputs, Interface, Runner, Shapes};
use quipu_interp::{Limits, NoObserver, Outcome, SourceSteps};
use quipu_replay::{ReplayLimits, ReplaySetup, Replayer, Verdict};
use quipu_testkit::native::TempDir;

pub struct Subject {
    _dir: TempDir,
    pub files: Vec<PathBuf>,
    flags: Vec<String>,
    options: Options,
    pub annotations: Annotations,
    pub program: Program,
}

/// How a run on an input ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Run {
    /// A precondition does not hold.
    Excluded,
    /// The clause of the claim that does not hold.
    Failed(String),
    Fine,
    Other(Outcome),
}

/// The annotations of a program in one file, or what is wrong with them; the file is told as `a.c`.
pub fn annotated(source: &str) -> Result<Annotations, String> {
    let dir = TempDir::new().unwrap();
    let file = dir.file("a.c");
    std::fs::write(&file, source).unwrap();
    let options = Options::default();
    let files = [file.clone()];
    let program = compile(&files, &options).unwrap_or_else(|failure| panic!("{failure}"));
    let annotations = annotate(&program, &files, &options).map_err(|failure| shown(&failure, &file))?;
    // What is accepted can be translated.
    let edited = annotations.compile(&files, &[], &options);
    edited.unwrap_or_else(|failure| panic!("{source}\n{failure}"));
    Ok(annotations)
}

pub fn shown(failure: &Failure, file: &std::path::Path) -> String {
    failure.to_string().replace(&file.display().to_string(), "a.c")
}

impl Subject {
    pub fn new(source: &str) -> Subject {
        Subject::with(&[source], &[])
    }

    pub fn with(sources: &[&str], flags: &[&str]) -> Subject {
        let dir = TempDir::new().unwrap();
        let mut files = Vec::new();
        for (n, source) in sources.iter().enumerate() {
            let file = dir.file(&format!("file{n}.c"));
            std::fs::write(&file, source).unwrap();
            files.push(file);
        }
        Subject::in_directory(dir, files, flags)
    }

    /// A program in one file that includes `part.h`.
    pub fn in_header(source: &str, header: &str) -> Subject {
        let dir = TempDir::new().unwrap();
        std::fs::write(dir.file("part.h"), header).unwrap();
        let file = dir.file("file.c");
        std::fs::write(&file, source).unwrap();
        Subject::in_directory(dir, vec![file], &[])
    }

    fn in_directory(dir: TempDir, files: Vec<PathBuf>, flags: &[&str]) -> Subject {
        let options = Options::from_flags(flags).unwrap();
        let flags = flags.iter().map(|flag| (*flag).to_string()).collect();
        let plain = compile(&files, &options).unwrap_or_else(|failure| panic!("{failure}"));
        let annotations = annotate(&plain, &files, &options).unwrap_or_else(|failure| panic!("{failure}"));
        let program = annotations.compile(&files, &[], &options);
        let program = program.unwrap_or_else(|failure| panic!("{failure}\n{annotations:#?}"));
        Subject { _dir: dir, files, flags, options, annotations, program }
    }

    pub fn contract(&self, function: &str) -> Option<&Contract> {
        self.annotations.contracts.iter().find(|contract| contract.function == function)
    }

    /// The interface of what is checked for a function.
    pub fn interface(&self, function: &str) -> Interface {
        let wrapper = self.contract(function).and_then(|contract| contract.wrapper.as_deref());
        let func = self.program.module.function(wrapper.unwrap_or(function)).expect("the function exists");
        Interface::of(&self.program.module, func, &Shapes::default())
    }

    fn limits() -> Limits {
        Limits { steps: 2_000_000, depth: 2000, memory: 1 << 26, ..Limits::default() }
    }

    /// Runs a function with its contract on inputs. The compiled program must do the same.
    pub fn runs(&self, function: &str, all: &[&[(&str, i64)]]) -> Vec<Run> {
        let module = &self.program.module;
        let interfaces = [self.interface(function)];
        let setup = ReplaySetup {
            files: &self.files,
            edits: &self.annotations.edits,
            additions: &self.annotations.additions,
            flags: &self.flags,
            options: &self.options,
            module,
            interfaces: &interfaces,
            limits: ReplayLimits { time: Duration::from_secs(2), ..ReplayLimits::default() },
            alarm: quipu_limits::Alarm::never(),
        };
        let mut replayer = Replayer::build(&setup).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(replayer.unmeasured(), [], "everything should be measured");
        all.iter()
            .map(|values| {
                let inputs = inputs(&interfaces[0], values);
                self.run(function, &interfaces[0], &inputs, |predicted, steps| {
                    let replayed = replayer.run(0, &inputs);
                    let verdict = replayer.compare(0, predicted, steps, &replayed);
                    assert_eq!(verdict, Verdict::Confirmed, "{:?} {:?}", predicted.outcome, replayed.ending);
                })
            })
            .collect()
    }

    /// Runs a function with its contract in the interpreter only.
    pub fn interpreted(&self, function: &str, values: &[(&str, i64)]) -> Run {
        let interface = self.interface(function);
        let inputs = inputs(&interface, values);
        self.run(function, &interface, &inputs, |_, _| {})
    }

    fn run(
        &self,
        function: &str,
        interface: &Interface,
        inputs: &Inputs,
        confirm: impl FnOnce(&quipu_inputs::Observation, &[quipu_interp::Step]),
    ) -> Run {
        let module = &self.program.module;
        for gate in self.contract(function).iter().flat_map(|contract| &contract.gates) {
            let func = module.function(&gate.function).expect("the gate exists");
            let own = Interface { func, ..interface.clone() };
            let mut runner = Runner::new(module, &own, Subject::limits());
            match runner.run(inputs, &mut NoObserver).outcome {
                Outcome::Returned(Some(value)) if value != 0 => {}
                _ => return Run::Excluded,
            }
        }
        let mut runner = Runner::new(module, interface, Subject::limits());
        let mut steps = SourceSteps::new(module, Vec::new());
        let observation = runner.run(inputs, &mut steps);
        confirm(&observation, &steps.into_sink());
        match (observation.outcome.failed_claim(), observation.outcome) {
            (Some(number), _) => {
                let claim = &self.annotations.claims[number];
                let is_evaluation = claim.kind == quipu_acsl::ClaimKind::Evaluation;
                Run::Failed(format!("{}{}", if is_evaluation { "evaluate: " } else { "" }, claim.text))
            }
            (None, Outcome::Returned(_)) => Run::Fine,
            (None, other) => Run::Other(other),
        }
    }
}

pub fn inputs(interface: &Interface, values: &[(&str, i64)]) -> Inputs {
    let mut inputs = Inputs::zero(interface);
    for (name, value) in values {
        let leaf = interface.leaf(name).unwrap_or_else(|| {
            let names: Vec<_> = interface.leaves.iter().map(|leaf| &leaf.name).collect();
            panic!("no leaf `{name}` in {names:?}")
        });
        inputs.set(leaf, interface.leaves[leaf].width().wrap(*value as u64));
    }
    inputs
}

pub fn failed(text: &str) -> Run {
    Run::Failed(text.to_string())
}
