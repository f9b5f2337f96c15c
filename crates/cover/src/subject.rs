//! What is tested: a function, its inputs, and what must hold for them.

use quipu_inputs::{
    Allowed, Assumption, Deeper, Inputs, Interface, Leaf, Mentioned, Observation, Runner, Shapes,
};
use quipu_interp::{Limits, NoObserver, Observer, Outcome};
use quipu_ir::{Func, FuncBody, Module};

use crate::options::{Options, Range};
use crate::report::{Proof, Reason, Verdict};

/// A function under test.
#[derive(Clone, Debug)]
pub struct Subject {
    pub interface: Interface,
    /// Functions with the same parameters whose results must not be zero.
    pub preconditions: Vec<Func>,
    /// Compiler flags under which floats that it uses may have other values in the compiled program.
    pub float_departures: Vec<String>,
    /// What contracts allow of inputs.
    contracted: Vec<(String, Allowed)>,
}

/// A range that fits no input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RangeError {
    /// There is no input of this name; these there are.
    Unknown { name: String, known: Vec<String> },
    /// No value of its type lies in the range.
    Empty { name: String },
}

impl Subject {
    /// The function with its inputs, restricted to ranges.
    ///
    /// # Errors
    ///
    /// For a range that fits no input.
    pub fn new(
        module: &Module,
        func: Func,
        preconditions: Vec<Func>,
        options: &Options,
    ) -> Result<Subject, RangeError> {
        let mut interface = Interface::of(module, func, &options.shapes);
        if options.finite_floats {
            interface.only_finite_floats();
        }
        for range in &options.ranges {
            restrict(&mut interface, range)?;
            let Range { name, values } = range;
            interface.assume(Assumption::Stated(match values {
                Allowed::Only(_) => format!("`{name}` is {values}"),
                Allowed::Between(..) => format!("`{name}` is in {values}"),
            }));
        }
        let mut float_departures = Vec::new();
        if uses_floats(module, interface.functions().chain(preconditions.iter().copied())) {
            float_departures.clone_from(&options.float_departures);
            for flag in &float_departures {
                let text = format!("floats are those of IEEE 754 despite `{flag}`");
                interface.assume(Assumption::Stated(text));
            }
        }
        Ok(Subject { interface, preconditions, float_departures, contracted: Vec::new() })
    }

    /// Leaves out values of an input that a contract excludes.
    pub fn restrict_by_contract(&mut self, name: &str, allowed: Allowed) {
        self.contracted.push((name.to_string(), allowed));
        let Some(leaf) = self.interface.leaf(name) else { return };
        self.interface.forget_reliance(leaf);
        // Where no value is left, the preconditions contradict the type, which they show themselves.
        let _ = self.interface.leaves[leaf].restrict(allowed);
    }

    /// The same with more room in the inputs.
    pub(crate) fn deepened(&self, module: &Module, deeper: &Deeper, options: &Options) -> Subject {
        let shapes = Shapes { deeper: deeper.clone(), ..options.shapes.clone() };
        let options = Options { shapes, ..options.clone() };
        let made = Subject::new(module, self.interface.func, self.preconditions.clone(), &options);
        // Ranges that fit inputs fit larger ones, which have the same parts and more.
        let Ok(mut subject) = made else { return self.clone() };
        for stated in self.interface.assumptions.iter() {
            if let Assumption::Stated(_) = stated {
                subject.interface.assume(stated.clone());
            }
        }
        for (name, allowed) in &self.contracted {
            subject.restrict_by_contract(name, *allowed);
        }
        subject
    }

    /// What is left of a verdict where floats may be computed otherwise: a proof about them is none.
    pub(crate) fn doubted(&self, verdict: Verdict) -> Verdict {
        match (&verdict, self.float_departures.first()) {
            (Verdict::Unreachable(Proof::ControlFlow), _) => verdict,
            (Verdict::Covered { .. }, _) | (Verdict::GaveUp(_), _) | (_, None) => verdict,
            (_, Some(flag)) => Verdict::GaveUp(Reason::FloatDeparture(flag.clone())),
        }
    }
}

/// Whether functions, or others that they use, do anything with floats.
fn uses_floats(module: &Module, funcs: impl Iterator<Item = Func>) -> bool {
    let functions = Mentioned::by_any(module, funcs).functions;
    functions.iter().any(|&func| module.functions[func].code().is_some_and(FuncBody::has_floats))
}

/// Restricts the leaf with a name, or all parts of the array or struct with that name.
fn restrict(interface: &mut Interface, range: &Range) -> Result<(), RangeError> {
    let meant: Vec<Leaf> =
        interface.leaves.entries().filter(|(_, leaf)| range.is_about(leaf)).map(|(leaf, _)| leaf).collect();
    for &leaf in &meant {
        interface.forget_reliance(leaf);
        let info = &mut interface.leaves[leaf];
        if !info.restrict(range.values) {
            return Err(RangeError::Empty { name: info.name.clone() });
        }
    }
    if !meant.is_empty() {
        return Ok(());
    }
    let known = interface.leaves.iter().map(|leaf| leaf.name.clone()).take(12).collect();
    Err(RangeError::Unknown { name: range.name.clone(), known })
}

/// Runs a subject: inputs that do not satisfy the preconditions do not count.
pub(crate) struct Bench<'m> {
    runner: Runner<'m>,
    preconditions: Vec<Runner<'m>>,
    pub runs: u64,
    /// The instructions executed in all runs.
    pub steps: u64,
}

impl<'m> Bench<'m> {
    /// `gates` are the interfaces of the preconditions.
    pub fn new(
        module: &'m Module,
        subject: &'m Subject,
        gates: &'m [Interface],
        options: &Options,
    ) -> Bench<'m> {
        let limits = Limits { steps: options.steps, depth: 10_000, memory: 1 << 28, ..Limits::default() };
        let preconditions = gates.iter().map(|gate| Runner::new(module, gate, limits.clone())).collect();
        let runner = Runner::new(module, &subject.interface, limits);
        Bench { runner, preconditions, runs: 0, steps: 0 }
    }

    /// Runs the function; none if the inputs do not count.
    pub fn run<O: Observer + ?Sized>(
        &mut self,
        inputs: &Inputs,
        fill: &mut dyn quipu_inputs::Fill,
        observer: &mut O,
    ) -> Option<Observation> {
        for gate in &mut self.preconditions {
            match gate.run(inputs, &mut NoObserver).outcome {
                Outcome::Returned(Some(value)) if value != 0 => {}
                _ => return None,
            }
        }
        self.runs += 1;
        let observation = self.runner.run_filled(inputs, fill, observer);
        self.steps += observation.steps;
        Some(observation)
    }

    /// Tells the numbers at the end of a run from addresses.
    pub fn look_elsewhere(&mut self, inputs: &Inputs, observation: &mut Observation) {
        self.runner.look_elsewhere(inputs, observation);
    }
}

/// The interfaces of the preconditions of a subject: the same inputs for another function.
pub(crate) fn gates(subject: &Subject) -> Vec<Interface> {
    let gate = |&func: &Func| Interface { func, failing: 0, ..subject.interface.clone() };
    subject.preconditions.iter().map(gate).collect()
}

/// Whether a run ends as a test should: no undefined behaviour, no failed assertion, and it ends at all.
pub fn is_clean(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Returned(_) | Outcome::Exited(_))
}
