//! The interpreter as its users see it.

use quipu_ir::{Func, Global, Module, Span};

use crate::code::{Program, Target};
use crate::exec::{Engine, Frame, World};
use crate::input::InputSource;
use crate::library::{ExitHandler, Host, LibraryState};
use crate::memory::{Memory, Placement, StaticAddresses};
use crate::observer::Observer;
use crate::outcome::{Limits, Outcome, Stop};
use crate::unwritten::{Unwritten, UnwrittenRead, UnwrittenReads};

/// Runs the functions of a module.
///
/// Functions are prepared when first called and stay so. Between two runs that should not see each other's
/// effects, call [`reset`](Machine::reset); it costs as much as the run has changed.
pub struct Machine<'m> {
    program: Program<'m>,
    limits: Limits,
    memory: Memory,
    library: LibraryState,
    stack: Vec<u64>,
    frames: Vec<Frame>,
    allocas: Vec<u64>,
    steps: u64,
    /// How many allocations may fail at the start of a run.
    failing: u32,
    unwritten: UnwrittenReads,
    /// Why no run can start: the globals exceed the limits.
    broken: Option<Stop>,
}

impl<'m> Machine<'m> {
    /// A machine for a module, ready to run.
    pub fn new(module: &'m Module, limits: Limits) -> Machine<'m> {
        Machine::placed(module, limits, Placement::Usual)
    }

    /// As [`new`](Machine::new), with all objects at other addresses.
    pub fn placed(module: &'m Module, limits: Limits, placement: Placement) -> Machine<'m> {
        let (memory, addresses, broken) = match Memory::of_module(module, &limits, placement) {
            Ok((memory, addresses)) => (memory, addresses, None),
            Err(stop) => {
                let empty = Memory::empty(module.data_model, &limits, placement);
                (empty, StaticAddresses::default(), Some(*stop))
            }
        };
        Machine {
            library: LibraryState::default(),
            program: Program::new(module, addresses),
            limits,
            memory,
            stack: Vec::new(),
            frames: Vec::new(),
            allocas: Vec::new(),
            steps: 0,
            failing: 0,
            unwritten: UnwrittenReads::default(),
            broken,
        }
    }

    /// The module.
    pub fn module(&self) -> &'m Module {
        self.program.module
    }

    /// The memory, to look at results.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The memory, to prepare inputs.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// The address of a global object. Panics if the module's globals exceeded the limits.
    pub fn global_address(&self, global: Global) -> u64 {
        self.program.addresses.global(global)
    }

    /// The address of a function. Panics if the module's globals exceeded the limits.
    pub fn function_address(&self, func: Func) -> u64 {
        self.program.addresses.function(func)
    }

    /// The number of instructions in all blocks that the last run entered, plus one for every 16 bytes that
    /// copies and library functions processed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Changes the limits of the runs to come; those on memory stay.
    pub fn set_limits(&mut self, steps: u64, depth: usize) {
        self.limits.steps = steps;
        self.limits.depth = depth;
    }

    /// Returns memory and library state to the start of the program. Objects allocated since are gone.
    pub fn reset(&mut self) {
        self.memory.reset();
        self.library.reset();
        self.library.may_fail = self.failing;
    }

    /// Lets the first allocations of a run fail from the next reset on, if the inputs say so.
    pub fn let_allocations_fail(&mut self, first: u32) {
        self.failing = first;
    }

    /// Says what reads give of what was never written, in the runs to come.
    pub fn set_unwritten(&mut self, rule: Unwritten) {
        self.unwritten.rule = rule;
    }

    /// Where the last run went on although it read what was never written.
    pub fn unwritten_reads(&self) -> &[UnwrittenRead] {
        &self.unwritten.places
    }

    /// Calls a function with canonical argument bits, one for each parameter of the IR function.
    pub fn run<O: Observer + ?Sized>(
        &mut self,
        func: Func,
        args: &[u64],
        inputs: &mut dyn InputSource,
        observer: &mut O,
    ) -> Outcome {
        if let Some(stop) = &self.broken {
            return stop.clone().at(func, self.program.module.functions[func].span);
        }
        assert_eq!(
            args.len(),
            self.program.module.functions[func].params.len(),
            "a run should have one argument for each parameter"
        );
        self.stack.truncate(KEPT_REGISTERS);
        self.frames.clear();
        self.allocas.clear();
        self.memory.take_work();
        self.memory.take_overlooked();
        self.unwritten.places.clear();
        let mut world = World { memory: &mut self.memory, inputs, library: &mut self.library };
        let mut engine = Engine {
            program: &self.program,
            limits: &self.limits,
            stack: &mut self.stack,
            frames: &mut self.frames,
            allocas: &mut self.allocas,
            top: 0,
            fuel: self.limits.steps,
            nesting: 0,
            unwritten: &mut self.unwritten,
            observer,
        };
        let outcome = start(&mut engine, &mut world, func, args);
        self.steps = self.limits.steps - engine.fuel;
        outcome
    }
}

/// Registers kept between runs; a deep recursion should not hold its memory for ever.
const KEPT_REGISTERS: usize = 1 << 20;

fn start<O: Observer + ?Sized>(
    engine: &mut Engine<'_, O>,
    world: &mut World<'_>,
    func: Func,
    args: &[u64],
) -> Outcome {
    let function = &engine.program.module.functions[func];
    let (name, span) = (function.source_name.as_str(), function.span);
    let outcome = match engine.program.target(func) {
        Target::Code => engine.run(world, func, args).map_or_else(|outcome| *outcome, Outcome::Returned),
        _ => match engine.call_outside(world, func, args, span) {
            Ok(value) => Outcome::Returned(value),
            Err(stop) => stop.at(func, span),
        },
    };
    match outcome {
        Outcome::Exited(_) => at_exit(engine, world, func, span, outcome),
        Outcome::Returned(_) if name == "main" => at_exit(engine, world, func, span, outcome),
        _ => outcome,
    }
}

/// Calls the functions registered for the end, the last one first (C17 7.22.4.4p3). One that calls `exit` itself is
/// undefined (p2); as in glibc, the others follow, and the last status counts.
fn at_exit<O: Observer + ?Sized>(
    engine: &mut Engine<'_, O>,
    world: &mut World<'_>,
    func: Func,
    span: Span,
    mut outcome: Outcome,
) -> Outcome {
    engine.frames.clear();
    engine.top = 0;
    while let Some(handler) = world.library.exit_handlers.pop() {
        let status = match outcome {
            Outcome::Exited(status) => u64::from(status.cast_unsigned()),
            Outcome::Returned(value) => value.unwrap_or(0),
            _ => 0,
        };
        let called = match handler {
            ExitHandler::Plain(handler) => engine.call_back(world, handler, &[]),
            ExitHandler::WithStatus { handler, argument } => {
                engine.call_back(world, handler, &[status, argument])
            }
        };
        match called.map_err(|stop| stop.at(func, span)) {
            Ok(_) => {}
            Err(Outcome::Exited(status)) => outcome = Outcome::Exited(status),
            Err(other) => return other,
        }
    }
    outcome
}
