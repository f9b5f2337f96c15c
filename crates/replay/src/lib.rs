//! Runs of the user's own source, compiled by the user's own compiler, to check what the interpreter predicts.
//!
//! The text of each file is preprocessed by the compiler and gets probes: calls that log which statement starts, how
//! a condition came out, which value a switch has ([`instrument`]). Together with a small runtime in C it becomes one
//! program ([`build`]) that reads the inputs of a run from a file, calls the function under test under limits, and
//! leaves its log there ([`shared`]). Nothing of this uses the interpreter. [`compare`] puts both side by side.
//!
//! What a user gets in the end is a file of tests; [`test_file`] compiles and runs that.
//!
//! Undefined behaviour is looked for by the same program built in other ways: with sanitizers, or with memory that
//! holds something else at the start ([`witness`]).

mod allocators;
mod build;
mod compare;
mod compiler;
mod correspond;
mod decode;
mod dependencies;
mod edits;
mod ending;
mod entries;
mod flags;
mod instrument;
mod linkage;
mod order;
mod overlay;
mod probes;
mod process;
pub mod sanitizer;
mod scratch;
mod shared;
mod step_text;
mod stubs;
mod symbols;
mod test_file;
mod text;
mod unit;
mod variant;
mod volatile;
mod witness;

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use quipu_cfront::{Addition, Edit};
use quipu_inputs::{Inputs, Interface};
use quipu_interp::Step;
use quipu_ir::{Func, Module, Span, Symbol, Ty};
use quipu_limits::Alarm;
use rustc_hash::{FxHashMap, FxHashSet};

pub use compare::{Difference, Verdict};
pub use dependencies::dependencies;
pub use ending::{Ending, Replayed};
pub use test_file::{TestEnd, TestFile, TestProgram};
pub use witness::{Sighting, Witness};

use decode::Decoder;
use probes::{Probe, Probes};
use scratch::Scratch;
use shared::{Layout, Left, Message};
use unit::Origin;
use variant::Variant;

/// What is to be replayed.
#[derive(Clone, Copy, Debug)]
pub struct ReplaySetup<'a> {
    /// The files of the program.
    pub files: &'a [PathBuf],
    /// Other texts for some of them.
    pub edits: &'a [Edit],
    /// What is added to them.
    pub additions: &'a [Addition],
    /// The user's compiler flags.
    pub flags: &'a [String],
    /// What the front end made of these flags.
    pub options: &'a quipu_cfront::Options,
    /// The program.
    pub module: &'a Module,
    /// The functions under test with their inputs.
    pub interfaces: &'a [Interface],
    pub limits: ReplayLimits,
    /// Ends compilers and runs when it is raised.
    pub alarm: &'a Alarm,
}

impl ReplaySetup<'_> {
    /// The line into which a piece was put that is told to be at a place.
    fn line_of_piece(&self, told: Span) -> Option<u32> {
        let name = Path::new(&self.module.files[told.file]);
        let edit = self.edits.iter().find(|edit| self.files[edit.file] == name)?;
        let bytes = std::fs::read(name).ok()?;
        let position = |at: usize| {
            let before = bytes.get(..at)?;
            let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            Some((u32::try_from(line).ok()?, u32::try_from(at - start + 1).ok()?))
        };
        let piece =
            edit.pieces.iter().find(|piece| position(piece.told) == Some((told.line, told.column)))?;
        position(piece.place.start).map(|(line, _)| line)
    }
}

/// What a run may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayLimits {
    /// The time of one run.
    pub time: Duration,
    /// The bytes of address space.
    pub memory: u64,
    /// The entries of the log. What happens behind its end is only noted as met.
    pub log: u64,
}

impl Default for ReplayLimits {
    fn default() -> ReplayLimits {
        ReplayLimits { time: Duration::from_secs(2), memory: 1 << 30, log: 4 << 20 }
    }
}

/// Why the program could not be built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// What the compiler or the system says.
    pub message: String,
    /// The command line, if a command failed.
    pub command: String,
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)?;
        if self.command.is_empty() { Ok(()) } else { write!(f, "\nwhile running: {}", self.command) }
    }
}

impl std::error::Error for ReplayError {}

impl From<std::io::Error> for ReplayError {
    fn from(error: std::io::Error) -> ReplayError {
        ReplayError { message: error.to_string(), command: String::new() }
    }
}

/// A program with probes, ready to run. Its files disappear with it.
#[derive(Debug)]
pub struct Replayer<'m> {
    pub(crate) module: &'m Module,
    interfaces: &'m [Interface],
    alarm: Alarm,
    scratch: Scratch,
    memory: File,
    layout: Layout,
    probes: Probes,
    decoder: Decoder,
    symbols: FxHashMap<SymbolKey, u64>,
    /// Why an interface cannot be called.
    refused: Vec<Option<String>>,
    unmeasured: Vec<(Func, String)>,
    measured: FxHashSet<Step>,
    variant: Variant,
    /// For each unit and line of its text: where it comes from.
    origins: Vec<Vec<Origin>>,
}

/// A symbol as a key of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum SymbolKey {
    Func(Func),
    Global(quipu_ir::Global),
}

impl From<Symbol> for SymbolKey {
    fn from(symbol: Symbol) -> SymbolKey {
        match symbol {
            Symbol::Func(func) => SymbolKey::Func(func),
            Symbol::Global(global) => SymbolKey::Global(global),
        }
    }
}

impl<'m> Replayer<'m> {
    /// Puts probes into the program and compiles it.
    ///
    /// # Errors
    ///
    /// When the compiler cannot be started or refuses the program, or when files cannot be written.
    pub fn build(setup: &ReplaySetup<'m>) -> Result<Replayer<'m>, ReplayError> {
        build::build(setup, Variant::Plain)
    }

    /// Runs a function under test.
    pub fn run(&mut self, interface: usize, inputs: &Inputs) -> Replayed {
        match self.try_run(interface, inputs) {
            Ok(replayed) => replayed,
            Err(error) => not_run(error.to_string()),
        }
    }

    /// What could not be measured: functions without probes, or parts of them, each with the reason.
    pub fn unmeasured(&self) -> &[(Func, String)] {
        &self.unmeasured
    }

    /// Whether a step has a probe, so that a run tells about it.
    pub fn measures(&self, step: &Step) -> bool {
        self.measured.contains(&unvalued(*step))
    }

    fn try_run(&mut self, interface: usize, inputs: &Inputs) -> std::io::Result<Replayed> {
        if let Some(reason) = &self.refused[interface] {
            return Ok(not_run(reason.clone()));
        }
        if let Some(cause) = self.alarm.cause() {
            return Ok(not_run(cause.to_string()));
        }
        let number = |symbol: Symbol| self.symbols[&SymbolKey::from(symbol)];
        let shape = &self.interfaces[interface];
        let message = Message::new(self.module, &self.layout, interface, shape, inputs, number);
        message.write(&mut self.memory)?;
        let messages = self.scratch.file(build::MESSAGES);
        let around = process::Surroundings {
            directory: &self.scratch.file(build::DIRECTORY),
            variables: self.variant.variables(),
            messages: self.variant.is_sanitized().then(|| File::create(messages)).transpose()?,
            time: Duration::from_micros(self.layout.time),
            alarm: &self.alarm,
        };
        let status = process::run(&self.scratch.file(build::PROGRAM), &self.memory, around)?;
        let left = message.read(&mut self.memory)?;
        Ok(self.replayed(shape, &left, status))
    }

    fn replayed(&self, interface: &Interface, left: &Left, status: ExitStatus) -> Replayed {
        let function = &self.module.functions[interface.func];
        let ending = ending(left, status, function.ret);
        let returned = matches!(ending, Ending::Returned(_));
        let changed = left.leaves.iter().filter(|(_, before, after)| returned && before != after);
        let size = interface.arguments.iter().find_map(|argument| match *argument {
            quipu_inputs::Argument::ResultPlace { size, .. } => Some(size as usize),
            _ => None,
        });
        Replayed {
            steps: self.decoder.steps(&self.probes, &left.log),
            met: self.decoder.met(&self.probes, &left.hits),
            complete: left.complete,
            outputs: changed.map(|(leaf, _, after)| (*leaf, *after)).collect(),
            result: size.filter(|_| returned).map(|size| left.result[..size].to_vec()),
            requests: left.requests,
            ending,
        }
    }
}

/// The step without what a run decides.
fn unvalued(step: Step) -> Step {
    match step {
        Step::Cond(func, cond, ..) => Step::Cond(func, cond, false, None),
        Step::Switch(func, decision, _) => Step::Switch(func, decision, 0),
        Step::Leave(func) => Step::Enter(func),
        step => step,
    }
}

/// The steps that probes tell about.
pub(crate) fn measured(probes: &Probes) -> FxHashSet<Step> {
    let step = |probe| match probe {
        Probe::Function(func) => Step::Enter(func),
        Probe::Stmt(func, stmt) => Step::Stmt(func, stmt),
        Probe::Cond(func, cond) => Step::Cond(func, cond, false, None),
        Probe::Switch(func, decision) => Step::Switch(func, decision, 0),
    };
    probes.iter().map(step).collect()
}

fn not_run(reason: String) -> Replayed {
    Replayed {
        ending: Ending::NotRun(reason),
        steps: Vec::new(),
        complete: false,
        met: Vec::new(),
        outputs: Vec::new(),
        result: None,
        requests: 0,
    }
}

/// What the runtime tells of a signal that the program raised itself.
const RAISED: u64 = 256;

/// How a run ended, by what it wrote and by what the system says. The states are those of `core.c`.
fn ending(left: &Left, status: ExitStatus, result: Option<Ty>) -> Ending {
    match left.state {
        0 => Ending::NotRun(format!("the program did not start: {status}")),
        2 => Ending::Returned(result.map(|ty| result_bits(&left.result, ty))),
        3 if left.detail > 0 => Ending::ClaimFailed(left.detail as usize - 1),
        3 => Ending::AssertionFailed,
        4 => Ending::AssumptionFailed,
        5 if left.detail == 6 || left.detail == RAISED => Ending::Aborted,
        5 => Ending::Crashed(left.detail as i32),
        6 => Ending::Blocked(ending::blocked(left.detail)),
        7 => Ending::Timeout,
        8 => Ending::OutOfMemory,
        9 => Ending::StackOverflow,
        11 => Ending::NotRun(format!("there is no room for a device at {:#x} in the process", left.detail)),
        _ => match (status.code(), status.signal()) {
            (Some(code), _) => Ending::Exited(code),
            (None, Some(9 | 24)) => Ending::Timeout,
            // The filter's signal, blocked: the library blocks signals while it starts a process.
            (None, Some(31)) => Ending::Blocked(ending::blocked(3)),
            (None, signal) => Ending::Crashed(signal.unwrap_or(0)),
        },
    }
}

/// The bits of a scalar result.
fn result_bits(bytes: &[u8], ty: Ty) -> u64 {
    let word = u64::from_le_bytes(bytes[..8].try_into().expect("a result has room for a word"));
    match ty {
        Ty::Int(width) => width.wrap(word),
        Ty::F32 => word & u64::from(u32::MAX),
        Ty::Float(_) | Ty::Ptr => word,
    }
}
