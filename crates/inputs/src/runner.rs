//! Runs of a function on given inputs, in the interpreter.

use quipu_base::IdVec;
use quipu_interp::{
    Fallible, Held, InputKind, InputRequest, InputSource, Limits, Machine, NoObserver, ObjectKind, Observer,
    Outcome, Placement, Stop, Unwritten, UnwrittenRead,
};
use quipu_ir::{Module, Span, Ty};
use quipu_num::{number_ranks, simplest_between};
use serde::{Deserialize, Serialize};

use crate::bearing::{Elsewhere, is_misaligned};
use crate::interface::{Argument, Interface, Origin, Spot};
use crate::target::Target;
use crate::{Leaf, Object};

/// Values for the inputs of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Inputs {
    /// A value for each leaf.
    pub leaves: Vec<u64>,
    /// What the environment answers during the run, in order; behind that, input has ended and all else is zero.
    pub sequence: Vec<u64>,
    /// What memory holds that nobody has written.
    #[serde(default)]
    pub unwritten: Unwritten,
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
            } else if leaf.signed && leaf.width().signed(high) < 0 && !leaf.allows(1) {
                high
            } else {
                low
            }
        };
        Inputs { leaves: interface.leaves.iter().map(near_zero).collect(), ..Inputs::default() }
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
    /// For a read of a volatile object: what memory held there.
    pub held: Option<Held>,
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
    /// Where it went on although it read what was never written.
    pub unwritten: Vec<UnwrittenRead>,
    /// How the run ends with all objects elsewhere, if that was tried.
    pub elsewhere: Option<Elsewhere>,
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

/// The end of the input, and zeros.
pub struct NothingMore;

impl Fill for NothingMore {
    fn fill(&mut self, request: &InputRequest<'_>) -> u64 {
        request.kind.nothing_more()
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
    limits: Limits,
    /// One with all objects elsewhere, when it is first needed.
    other: Option<(Placement, Box<Runner<'m>>)>,
}

impl<'m> Runner<'m> {
    pub fn new(module: &'m Module, interface: &'m Interface, limits: Limits) -> Runner<'m> {
        Runner::placed(module, interface, limits, Placement::Usual)
    }

    fn placed(module: &'m Module, interface: &'m Interface, limits: Limits, placement: Placement) -> Self {
        let mut machine = Machine::placed(module, limits.clone(), placement);
        machine.let_allocations_fail(interface.failing);
        Runner { machine, interface, limits, other: None }
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
        self.run_filled(inputs, &mut NothingMore, observer)
    }

    /// Looks at a run that came back once more with all objects elsewhere, to tell its numbers from addresses.
    pub fn look_elsewhere(&mut self, inputs: &Inputs, observation: &mut Observation) {
        if !matches!(observation.outcome, Outcome::Returned(_)) {
            return;
        }
        let model = self.module().data_model;
        let known = self.other.as_ref().map(|(placement, _)| *placement);
        for placement in [known.unwrap_or(Placement::Elsewhere), Placement::ElsewhereOnPages] {
            let other = self.elsewhere(placement).run(inputs, &mut NoObserver);
            if !is_misaligned(&other.outcome) {
                observation.elsewhere = Some(Elsewhere::of(placement, model, other));
                return;
            }
        }
    }

    fn elsewhere(&mut self, placement: Placement) -> &mut Runner<'m> {
        let (module, interface, limits) = (self.module(), self.interface, self.limits.clone());
        if self.other.as_ref().is_none_or(|(known, _)| *known != placement) {
            let runner = Runner::placed(module, interface, limits, placement);
            self.other = Some((placement, Box::new(runner)));
        }
        &mut self.other.as_mut().expect("it was made just now").1
    }

    /// Runs the function; `fill` answers what the sequence of the inputs does not.
    pub fn run_filled<O: Observer + ?Sized>(
        &mut self,
        inputs: &Inputs,
        fill: &mut dyn Fill,
        observer: &mut O,
    ) -> Observation {
        self.machine.reset();
        let mut source = Source { sequence: &inputs.sequence, fill, as_memory: false, requests: Vec::new() };
        match self.place(inputs) {
            Ok(prepared) => self.run_prepared(inputs, &prepared, &mut source, observer),
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
                unwritten: Vec::new(),
                elsewhere: None,
            },
        }
    }

    /// Runs the function in a world in which nobody else changes volatile objects: they hold what some of them are set
    /// to before the call, and what the program writes. None if one of them does not exist then.
    pub fn run_as_memory(&mut self, inputs: &Inputs, settings: &[Request]) -> Option<Observation> {
        self.machine.reset();
        let (sequence, fill) = (&inputs.sequence[..], &mut NothingMore);
        let mut source = Source { sequence, fill, as_memory: true, requests: Vec::new() };
        let prepared = self.place(inputs).ok()?;
        for Request { ty, held, bits, .. } in settings {
            let Held { address, bit, .. } = (*held)?;
            let memory = self.machine.memory_mut();
            match (bit, ty.width()) {
                (Some(bit), Some(width)) => memory.store_bits(address, bit, width, *bits).ok()?,
                _ => memory.store(address, *ty, *bits, 1).ok()?,
            }
        }
        Some(self.run_prepared(inputs, &prepared, &mut source, &mut NoObserver))
    }

    /// The scalar input in which a volatile object was read.
    pub fn leaf_of(&mut self, inputs: &Inputs, request: &Request) -> Option<Leaf> {
        self.machine.reset();
        let bases = place_objects(&mut self.machine, self.interface, inputs).ok()?;
        let Held { address, bit, .. } = request.held?;
        let mut leaves = self.interface.leaves.entries();
        let is_there = |&(leaf, info): &(Leaf, &crate::LeafInfo)| {
            let spot = self.interface.spot_in(leaf, inputs);
            info.ty == request.ty
                && spot.is_some_and(|Spot { object, offset, bits }| {
                    bases[object] + offset == address && bits.map(|(bit, _)| bit) == bit
                })
        };
        leaves.find(is_there).map(|(leaf, _)| leaf)
    }

    fn run_prepared<O: Observer + ?Sized>(
        &mut self,
        inputs: &Inputs,
        prepared: &Prepared,
        source: &mut Source<'_>,
        observer: &mut O,
    ) -> Observation {
        self.machine.set_unwritten(inputs.unwritten);
        let outcome = self.machine.run(self.interface.func, &prepared.arguments, source, observer);
        Observation {
            outcome,
            requests: std::mem::take(&mut source.requests),
            outputs: self.outputs(prepared, inputs),
            freed: self.freed(prepared),
            result: self.result(prepared),
            steps: self.machine.steps(),
            unwritten: self.machine.unwritten_reads().to_vec(),
            elsewhere: None,
        }
    }

    /// Puts the inputs into memory.
    fn place(&mut self, inputs: &Inputs) -> Result<Prepared, Box<Stop>> {
        let bases = place_objects(&mut self.machine, self.interface, inputs)?;
        self.machine.memory_mut().open_constants(true);
        let stored = self.store_leaves(&bases, inputs);
        self.machine.memory_mut().open_constants(false);
        stored?;
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

    /// Gives objects the content that the inputs are.
    fn store_leaves(&mut self, bases: &IdVec<Object, u64>, inputs: &Inputs) -> Result<(), Box<Stop>> {
        for (leaf, info) in self.interface.leaves.entries() {
            if let Some(Spot { object, offset, bits }) = self.interface.spot_in(leaf, inputs) {
                let value = self.value(bases, leaf, inputs);
                let address = bases[object] + offset;
                let memory = self.machine.memory_mut();
                match bits {
                    None => memory.store(address, info.ty, value, 1)?,
                    Some((bit, _)) => memory.store_bits(address, bit, info.width(), value)?,
                }
            }
        }
        Ok(())
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
            Some(Target::Device(address)) => address,
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
    /// Whether volatile objects are ordinary memory.
    as_memory: bool,
    requests: Vec<Request>,
}

impl InputSource for Source<'_> {
    fn next(&mut self, request: InputRequest<'_>) -> Option<u64> {
        let held = request.held.filter(|_| self.as_memory).map(|held| held.bits.unwrap_or(0));
        let known = held.or(self.sequence.get(self.requests.len()).copied());
        let bits = known.unwrap_or_else(|| self.fill.fill(&request));
        let bits = match request.ty {
            Ty::Int(width) => width.wrap(bits),
            Ty::Float(_) => bits,
            Ty::Ptr => bits,
        };
        let InputRequest { function, ty, kind, span, held } = request;
        self.requests.push(Request { function: function.to_string(), ty, kind, span, held, bits });
        Some(bits)
    }
}
