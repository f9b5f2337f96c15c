//! What is tested: a function, its inputs, and what must hold for them.

use quipu_inputs::{Inputs, Interface, Observation, Runner};
use quipu_interp::{Limits, NoObserver, Observer, Outcome};
use quipu_ir::{Func, Module};

use crate::options::{Options, Range};

/// A function under test.
#[derive(Clone, Debug)]
pub struct Subject {
    pub interface: Interface,
    /// Functions with the same parameters whose results must not be zero.
    pub preconditions: Vec<Func>,
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
        for range in &options.ranges {
            restrict(&mut interface, range)?;
            let Range { name, low, high } = range;
            interface.assumptions.push(match low == high {
                true => format!("`{name}` is {low}"),
                false => format!("`{name}` is in {low}..{high}"),
            });
        }
        Ok(Subject { interface, preconditions })
    }
}

/// Restricts the leaf with a name, or all parts of the array or struct with that name.
fn restrict(interface: &mut Interface, range: &Range) -> Result<(), RangeError> {
    let mut found = false;
    for leaf in interface.leaves.iter_mut().filter(|leaf| range.is_about(leaf)) {
        found = true;
        let w = leaf.width();
        let number = |bits: u64| if leaf.signed { i128::from(w.signed(bits)) } else { i128::from(bits) };
        let (least, most) = leaf.limits();
        let (low, high) = (number(least).max(range.low), number(most).min(range.high));
        if low > high {
            return Err(RangeError::Empty { name: leaf.name.clone() });
        }
        leaf.range = Some((w.wrap(low as u64), w.wrap(high as u64)));
    }
    if found {
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
    pub fn new(module: &'m Module, subject: &'m Subject, gates: &'m [Interface], steps: u64) -> Bench<'m> {
        let limits = Limits { steps, depth: 10_000, memory: 1 << 28, ..Limits::default() };
        let preconditions = gates.iter().map(|gate| Runner::new(module, gate, limits.clone())).collect();
        Bench { runner: Runner::new(module, &subject.interface, limits), preconditions, runs: 0, steps: 0 }
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
        let counts = observation.outcome != Outcome::AssumptionFailed;
        counts.then_some(observation)
    }
}

/// The interfaces of the preconditions of a subject: the same inputs for another function.
pub(crate) fn gates(subject: &Subject) -> Vec<Interface> {
    let gate = |&func: &Func| Interface { func, ..subject.interface.clone() };
    subject.preconditions.iter().map(gate).collect()
}

/// Whether a run ends as a test should: no undefined behaviour, no failed assertion, and it ends at all.
pub fn is_clean(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Returned(_) | Outcome::Exited(_))
}
