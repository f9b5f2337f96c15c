//! Runs of a function on given inputs, in the interpreter.

use quipu_base::IdVec;
use quipu_interp::{
    Fallible, InputKind, InputRequest, InputSource, Limits, Machine, ObjectKind, Observer, Outcome, Stop,
};
use quipu_ir::{Module, Span, Ty};
use quipu_num::{number_ranks, simplest_between};
use serde::{Deserialize, Serialize};

use crate::interface::{Argument, Interface, Origin, Spot};
use crate::target::Target;
use crate::{Leaf, Object};

/// Values for the inputs of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Inputs {
    /// A value for each leaf.
    pub leaves: Vec<u64>,
    /// What the environment answers during the run, in order; nothing but zeros behind the end.
    pub sequence: Vec<u64>,
}

impl Inputs {
    /// The smallest allowed value everywhere, by distance from zero.
    pub fn zero(interface: &Interface) -> Inputs {
        let near_zero = |leaf: &crate::LeafInfo| {
            let (low, high) = leaf.limits();
            if let Some(w) = leaf.float_width() {
                let (least, greatest) = number_ranks(w);
                let (from, to) = (low.max(least), high.min(greatest));
                // Where no number is allowed, there is one NaN.
                leaf.value(if from <= to { simplest_between(w, from, to) } else { low })
            } else if leaf.allows(0) {
                0
            } else if leaf.signed && leaf.width().signed(high) < 0 {
                high
            } else {
                low
            }
        };
        Inputs { leaves: interface.leaves.iter().map(near_zero).collect(), sequence: Vec::new() }
    }

    /// The value of a leaf.
    pub fn get(&self, leaf: Leaf) -> u64 {
        use quipu_base::Id;
        self.leaves[leaf.index()]
    }

    /// Changes the value of a leaf.
    pub fn set(&mut self, leaf: Leaf, bits: u64) {
        use quipu_base::Id;
        self.leaves[leaf.index()] = bits;
    }
}

/// A value that the run asked its environment for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The function whose call needed it.
    pub function: String,
    pub ty: Ty,
    pub kind: InputKind,
    pub span: Span,
    /// The answer.
    pub bits: u64,
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct Observation {
    pub outcome: Outcome,
    /// What it asked its environment for.
    pub requests: Vec<Request>,
    /// The scalars of input objects that it changed, with their values at the end.
    pub outputs: Vec<Output>,
    /// The input objects that it freed.
    pub freed: Vec<Object>,
    /// For a struct result, its bytes where they were written.
    pub result: Option<Vec<Option<u8>>>,
    pub steps: u64,
}

/// A scalar that a run changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    pub leaf: Leaf,
    /// The value at the end; for a pointer its address in the run.
    pub bits: u64,
}

/// Answers what a sequence does not.
pub trait Fill {
    fn fill(&mut self, request: &InputRequest<'_>) -> u64;
}

/// Zeros.
pub struct ZeroFill;

impl Fill for ZeroFill {
    fn fill(&mut self, _request: &InputRequest<'_>) -> u64 {
        0
    }
}

impl<F: FnMut(&InputRequest<'_>) -> u64> Fill for F {
    fn fill(&mut self, request: &InputRequest<'_>) -> u64 {
        self(request)
    }
}

/// Runs a function again and again.
pub struct Runner<'m> {
    machine: Machine<'m>,
    interface: &'m Interface,
}

impl<'m> Runner<'m> {
    pub fn new(module: &'m Module, interface: &'m Interface, limits: Limits) -> Runner<'m> {
        let mut machine = Machine::new(module, limits);
        machine.let_allocations_fail(interface.failing);
        Runner { machine, interface }
    }

    pub fn interface(&self) -> &'m Interface {
        self.interface
    }

    pub fn module(&self) -> &'m Module {
        self.machine.module()
    }

    /// The machine as the last run left it.
    pub fn machine(&self) -> &Machine<'m> {
        &self.machine
    }

    /// Runs the function from the start of the program.
    pub fn run<O: Observer + ?Sized>(&mut self, inputs: &Inputs, observer: &mut O) -> Observation {
        self.run_filled(inputs, &mut ZeroFill, observer)
    }

    /// Runs the function; `fill` answers what the sequence of the inputs does not.
    pub fn run_filled<O: Observer + ?Sized>(
        &mut self,
        inputs: &Inputs,
        fill: &mut dyn Fill,
        observer: &mut O,
    ) -> Observation {
        self.machine.reset();
        let mut source = Source { sequence: &inputs.sequence, fill, requests: Vec::new() };
        match self.place(inputs) {
            Ok(prepared) => {
                let outcome =
                    self.machine.run(self.interface.func, &prepared.arguments, &mut source, observer);
                Observation {
                    outcome,
                    requests: source.requests,
                    outputs: self.outputs(&prepared, inputs),
                    freed: self.freed(&prepared),
                    result: self.result(&prepared),
                    steps: self.machine.steps(),
                }
            }
            Err(stop) => Observation {
                outcome: match *stop {
                    Stop::Limit(limit) => Outcome::LimitReached(limit),
                    _ => Outcome::LimitReached(quipu_interp::Limit::Memory),
                },
                requests: Vec::new(),
                outputs: Vec::new(),
                freed: Vec::new(),
                result: None,
                steps: 0,
            },
        }
    }

    /// Puts the inputs into memory.
    fn place(&mut self, inputs: &Inputs) -> Result<Prepared, Box<Stop>> {
        let bases = place_objects(&mut self.machine, self.interface, inputs)?;
        for (leaf, info) in self.interface.leaves.entries() {
            if let Some(Spot { object, offset, bits }) = self.interface.spot_in(leaf, inputs) {
                let value = self.value(&bases, leaf, inputs);
                let address = bases[object] + offset;
                let memory = self.machine.memory_mut();
                match bits {
                    None => memory.store(address, info.ty, value, 1)?,
                    Some((bit, _)) => memory.store_bits(address, bit, info.width(), value)?,
                }
            }
        }
        let mut result = None;
        let mut arguments = Vec::new();
        for argument in &self.interface.arguments {
            arguments.push(match *argument {
                Argument::Leaf(leaf) => self.value(&bases, leaf, inputs),
                Argument::Copy(object) => bases[object],
                Argument::ResultPlace { size, align } => {
                    let place = self.machine.memory_mut().allocate(ObjectKind::Heap, size, align)?;
                    result = Some((place, size));
                    place
                }
                Argument::NoVariadic => self.machine.memory_mut().allocate(ObjectKind::Heap, 0, 8)?,
            });
        }
        Ok(Prepared { arguments, bases, result })
    }

    /// The bits that a leaf's value stands for.
    fn value(&self, bases: &IdVec<Object, u64>, leaf: Leaf, inputs: &Inputs) -> u64 {
        if self.interface.leaves[leaf].targets.is_none() {
            return inputs.get(leaf);
        }
        match self.interface.target_in(leaf, inputs) {
            None => 0,
            Some(Target::Object(object, offset)) => bases[object] + offset,
            Some(Target::Function(func)) => self.machine.function_address(func),
        }
    }

    fn outputs(&self, prepared: &Prepared, inputs: &Inputs) -> Vec<Output> {
        let memory = self.machine.memory();
        let changed = self.interface.leaves.entries().filter_map(|(leaf, info)| {
            let Spot { object, offset, bits } = self.interface.spot_in(leaf, inputs)?;
            let address = prepared.bases[object] + offset;
            let now = match bits {
                None => memory.load(address, info.ty, 1),
                Some((bit, _)) => memory.load_bits(address, bit, info.width()),
            };
            let now = now.ok()?;
            (now != self.value(&prepared.bases, leaf, inputs)).then_some(Output { leaf, bits: now })
        });
        changed.collect()
    }

    fn freed(&self, prepared: &Prepared) -> Vec<Object> {
        let memory = self.machine.memory();
        let is_alive = |base: u64| memory.object_at(base).is_none_or(|info| info.alive);
        prepared.bases.entries().filter(|(_, base)| !is_alive(**base)).map(|(object, _)| object).collect()
    }

    fn result(&self, prepared: &Prepared) -> Option<Vec<Option<u8>>> {
        let (place, size) = prepared.result?;
        let memory = self.machine.memory();
        let byte = |n| memory.load(place + n, Ty::I8, 1).ok().map(|byte| byte as u8);
        Some((0..size).map(byte).collect())
    }
}

/// Makes room for the objects of an interface behind those that every run starts with: always at the same addresses
/// for the same inputs.
///
/// # Errors
///
/// If there is not enough memory.
pub fn place_objects(
    machine: &mut Machine<'_>,
    interface: &Interface,
    inputs: &Inputs,
) -> Fallible<IdVec<Object, u64>> {
    let mut bases = IdVec::new();
    for (object, shape) in interface.objects.entries() {
        bases.push(match shape.origin {
            Origin::Global(global) => machine.global_address(global),
            Origin::Provided => {
                let size = interface.size_in(object, inputs);
                // Nobody can free a copy.
                let copied = interface.arguments.contains(&Argument::Copy(object));
                let kind = if copied { ObjectKind::Slot } else { ObjectKind::Input };
                machine.memory_mut().allocate_zeroed(kind, size, shape.align)?
            }
        });
    }
    Ok(bases)
}

/// Inputs in memory.
struct Prepared {
    arguments: Vec<u64>,
    bases: IdVec<Object, u64>,
    result: Option<(u64, u64)>,
}

/// Answers from the sequence, then from what fills.
struct Source<'a> {
    sequence: &'a [u64],
    fill: &'a mut dyn Fill,
    requests: Vec<Request>,
}

impl InputSource for Source<'_> {
    fn next(&mut self, request: InputRequest<'_>) -> Option<u64> {
        let known = self.sequence.get(self.requests.len()).copied();
        let bits = known.unwrap_or_else(|| self.fill.fill(&request));
        let bits = match request.ty {
            Ty::Int(width) => width.wrap(bits),
            Ty::Float(_) => bits,
            Ty::Ptr => bits,
        };
        let InputRequest { function, ty, kind, span } = request;
        self.requests.push(Request { function: function.to_string(), ty, kind, span, bits });
        Some(bits)
    }
}
