//! Whether undefined behaviour that was predicted really happens in the compiled program.
//!
//! The program is built once more, with sanitizers, and run on the same inputs: the report must name the same kind of
//! event in the same statement. No sanitizer of GCC reports reads of memory that was never written. For them the
//! program is built with zeros in such memory, and with other bytes: if it then behaves differently, it has read it.

use std::path::Path;

use quipu_inputs::Inputs;
use quipu_interp::Outcome;
use quipu_ir::{Event, Func, FuncBody, Inst, Module, Span, ValueDef};
use quipu_num::Cast;

use crate::build::{self, unit_name};
use crate::compare::Difference;
use crate::ending::{Ending, Replayed};
use crate::sanitizer::{self, Report};
use crate::variant::Variant;
use crate::{ReplaySetup, Replayer};

/// What shows that something undefined happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sighting {
    /// A sanitizer reported the event: its words.
    Sanitizer(String),
    /// The program behaves differently when unwritten memory holds other bytes: what it did.
    Fillings(String),
    /// The program was stopped by a signal in this statement, as the sanitizer tells: its words.
    Signal(String),
    /// Nothing shows it, and nothing was expected to: why.
    Predicted(String),
    /// The event should have shown.
    Missing(Difference),
}

/// Builds the program in the ways that show undefined behaviour, when they are needed.
#[derive(Debug)]
pub struct Witness<'m> {
    setup: ReplaySetup<'m>,
    sanitized: Option<Result<Replayer<'m>, String>>,
    zeros: Option<Result<Replayer<'m>, String>>,
    pattern: Option<Result<Replayer<'m>, String>>,
}

impl<'m> Witness<'m> {
    /// Nothing is built yet.
    pub fn new(setup: ReplaySetup<'m>) -> Witness<'m> {
        Witness { setup, sanitized: None, zeros: None, pattern: None }
    }

    /// Why the program could not be built with sanitizers, if that was tried.
    pub fn problem(&self) -> Option<&str> {
        self.sanitized.as_ref().and_then(|built| built.as_ref().err()).map(String::as_str)
    }

    /// Looks for the event with which the interpreter says that a run ends. None if it ends otherwise.
    pub fn look(&mut self, interface: usize, inputs: &Inputs, predicted: &Outcome) -> Option<Sighting> {
        let &Outcome::Event { event, func, span, .. } = predicted else { return None };
        Some(match event {
            Event::UninitializedRead => self.compare_fillings(interface, inputs),
            Event::MissingReturnValue => unreported(),
            _ => {
                let evaluated = self.setup.line_of_piece(span);
                self.ask_sanitizers(interface, inputs, &Expected { event, func, span, evaluated })
            }
        })
    }

    /// The program with zeros in memory that nobody has written, in which tests are run that read such memory.
    ///
    /// # Errors
    ///
    /// Why it cannot be built, as with a compiler that does not fill memory.
    pub fn with_zeros(&mut self) -> Result<&mut Replayer<'m>, String> {
        let zeros = self.zeros.get_or_insert_with(|| built(&self.setup, Variant::Zeros));
        zeros.as_mut().map_err(|error| error.clone())
    }

    /// Whether the program does the same with other bytes in memory that nobody has written as it did with zeros.
    pub fn does_the_same(&mut self, interface: usize, inputs: &Inputs, with_zeros: &Replayed) -> bool {
        let pattern = self.pattern.get_or_insert_with(|| built(&self.setup, Variant::Pattern));
        pattern.as_mut().is_ok_and(|pattern| pattern.run(interface, inputs) == *with_zeros)
    }

    fn ask_sanitizers(&mut self, interface: usize, inputs: &Inputs, expected: &Expected) -> Sighting {
        let module = self.setup.module;
        let sanitized = self.sanitized.get_or_insert_with(|| built(&self.setup, Variant::Sanitized));
        let Ok(replayer) = sanitized else {
            return Sighting::Predicted("the program could not be built with sanitizers".to_string());
        };
        let replayed = replayer.run(interface, inputs);
        if let Ending::NotRun(why) = &replayed.ending {
            return Sighting::Predicted(format!("the program with sanitizers was not run: {why}"));
        }
        let reports = replayer.reports();
        let is_other = |report: &&Report| {
            expected.event == Event::Misaligned || !report.events.contains(&Event::Misaligned)
        };
        match reports.iter().find(is_other) {
            Some(report) if expected.is_it(replayer, report) => sighted(expected.event, report),
            Some(report) => missing(module, expected, &replayer.told(report)),
            None if expected.is_always_reported(module) => {
                missing(module, expected, &format!("no report of a sanitizer; the run {}", replayed.ending))
            }
            None => unreported(),
        }
    }

    fn compare_fillings(&mut self, interface: usize, inputs: &Inputs) -> Sighting {
        let zeros = self.zeros.get_or_insert_with(|| built(&self.setup, Variant::Zeros));
        let pattern = self.pattern.get_or_insert_with(|| built(&self.setup, Variant::Pattern));
        let (Ok(zeros), Ok(pattern)) = (zeros, pattern) else {
            return unreported();
        };
        let [first, again] = [(); 2].map(|()| zeros.run(interface, inputs));
        let other = pattern.run(interface, inputs);
        let told = |replayed: &Replayed| replayed.ending.to_string();
        match (first == again, first == other) {
            (false, _) => Sighting::Predicted("the program does not do the same every time".to_string()),
            (true, true) => Sighting::Predicted(
                "no sanitizer of this compiler reports it, and the program does the same whatever the memory holds"
                    .to_string(),
            ),
            (true, false) if told(&first) == told(&other) => Sighting::Fillings(
                "what the program does depends on what the memory held before".to_string(),
            ),
            (true, false) => Sighting::Fillings(format!(
                "with zeros in unwritten memory the program {}, with other bytes it {}",
                told(&first),
                told(&other)
            )),
        }
    }
}

fn built<'m>(setup: &ReplaySetup<'m>, variant: Variant) -> Result<Replayer<'m>, String> {
    build::build(setup, variant).map_err(|error| error.to_string())
}

fn unreported() -> Sighting {
    Sighting::Predicted("no sanitizer of this compiler reports it".to_string())
}

fn sighted(event: Event, report: &Report) -> Sighting {
    let words = words(report);
    match (event, report.message.contains("SEGV")) {
        (Event::WriteToConstant | Event::InvalidCall, true) => Sighting::Signal(words),
        _ => Sighting::Sanitizer(words),
    }
}

/// The message without the place, which is one of the preprocessed text, and without addresses.
pub(crate) fn words(report: &Report) -> String {
    let text = match report.message.split_once("runtime error: ") {
        Some((_, text)) => text,
        None => report.message.split_once("ERROR: ").map_or(report.message.as_str(), |(_, text)| text),
    };
    let addresses = [" on 0x", " on address 0x", " on unknown address 0x", ": memory ranges", ": 0x", " 0x"];
    let end = addresses.iter().filter_map(|address| text.find(address));
    text[..end.min().unwrap_or(text.len())].trim().to_string()
}

fn missing(module: &Module, expected: &Expected, measured: &str) -> Sighting {
    let Expected { event, span, .. } = expected;
    let file = &module.files[span.file];
    let predicted = format!("{event} at {file}:{}:{}", span.line, span.column);
    Sighting::Missing(Difference { predicted, measured: measured.to_string(), after: None })
}

/// The event that should show.
struct Expected {
    event: Event,
    func: Func,
    span: Span,
    /// The line in which it happens, if it is told to be elsewhere.
    evaluated: Option<u32>,
}

impl Expected {
    fn is_it(&self, replayer: &Replayer<'_>, report: &Report) -> bool {
        let (file, (first, last)) = (&replayer.module.files[self.span.file], self.lines(replayer.module));
        let is_here = replayer.origin(report).is_some_and(|(name, line)| {
            Path::new(&name).file_name() == Path::new(file).file_name() && (first..=last).contains(&line)
        });
        (is_here && self.is_said_by(report)) || self.is_jump_to_null(report)
    }

    /// Whether the program jumped to null. The sanitizer does not find the way back from there to the call.
    fn is_jump_to_null(&self, report: &Report) -> bool {
        self.event == Event::InvalidCall && report.message.contains("(pc 0x000000000000")
    }

    /// What is computed from null is reported as null, where it is a pointer to no object.
    fn is_said_by(&self, report: &Report) -> bool {
        let says = |event: Event| report.events.contains(&event);
        says(self.event) || (self.event == Event::InvalidPointer && says(Event::NullAccess))
    }

    /// The lines of the statement.
    fn lines(&self, module: &Module) -> (u32, u32) {
        let code: Option<&FuncBody> = module.functions[self.func].code();
        let start = |span: Span| (span.line, span.column);
        let around = code.iter().flat_map(|code| code.stmts.iter()).map(|stmt| stmt.span).filter(|stmt| {
            stmt.file == self.span.file
                && start(*stmt) <= start(self.span)
                && start(self.span) < (stmt.end_line, stmt.end_column)
        });
        let stmt = around.max_by_key(|stmt| start(*stmt)).unwrap_or(self.span);
        let (first, last) = (stmt.line.min(self.span.line), stmt.end_line.max(self.span.end_line));
        (
            self.evaluated.map_or(first, |line| line.min(first)),
            self.evaluated.map_or(last, |line| line.max(last)),
        )
    }

    /// Whether sanitizers see such an event wherever it happens. They see accesses, not pointers; of calls, only those
    /// that crash; of pointers, only those to objects that they know.
    fn is_always_reported(&self, module: &Module) -> bool {
        match self.event {
            Event::InvalidCall | Event::UnrelatedPointers => false,
            _ if self.is_needed_in_part(module) => false,
            Event::OutOfBounds | Event::InvalidPointer => self.is_access(module),
            _ => true,
        }
    }

    /// Whether the result at the place is only compared, cut off, or combined with a constant. Compilers then compute what
    /// is needed in another way, `x > 19` for `x + 1 > 20`, a narrow sum for the low bits of a wide one, nothing at all
    /// for `a[i] * 0`, and leave nothing to be seen.
    fn is_needed_in_part(&self, module: &Module) -> bool {
        use quipu_ir::InstKind;
        let Some(code) = module.functions[self.func].code() else { return false };
        let insts = || code.blocks.iter().flat_map(|block| &block.insts);
        let is_cut = |inst: &Inst| matches!(inst.kind, InstKind::Cast(Cast::Trunc(..), _));
        let here = || insts().filter(|inst| inst.span == self.span);
        let results: Vec<_> = here().filter(|inst| !is_cut(inst)).filter_map(|inst| inst.result).collect();
        let uses = |inst: &&Inst| inst.kind.operands().any(|operand| results.contains(&operand));
        let mut users = insts().filter(uses).filter(|inst| inst.span != self.span || is_cut(inst)).peekable();
        let passed = code.blocks.iter().flat_map(|block| block.term.edges()).flat_map(|edge| &edge.args);
        let is_kept = passed.into_iter().any(|value| results.contains(value));
        let is_returned = code
            .blocks
            .iter()
            .any(|block| block.term.operand().is_some_and(|value| results.contains(&value)));
        let is_constant = |value: quipu_ir::Value| matches!(code.values[value].def, ValueDef::Const(_));
        users.peek().is_some()
            && users.all(|inst| match inst.kind {
                InstKind::IntCmp(..) => true,
                InstKind::Cast(..) => is_cut(inst),
                InstKind::Int(_, a, b) => is_constant(a) || is_constant(b),
                // The check of the operation that uses it.
                InstKind::Check(_, a, b) => is_constant(a) || is_constant(b),
                _ => false,
            })
            && !is_kept
            && !is_returned
    }

    /// Whether something at the place does more than to compute a pointer.
    fn is_access(&self, module: &Module) -> bool {
        let insts = module.functions[self.func].code().into_iter().flat_map(|code| code.blocks.iter());
        let mut here = insts.flat_map(|block| &block.insts).filter(|inst| inst.span == self.span);
        here.any(|inst| {
            use quipu_ir::InstKind;
            matches!(
                inst.kind,
                InstKind::Load { .. }
                    | InstKind::LoadBits { .. }
                    | InstKind::Store { .. }
                    | InstKind::StoreBits { .. }
                    | InstKind::Copy { .. }
                    | InstKind::Zero { .. }
                    | InstKind::Unspecify { .. }
                    | InstKind::Check(..)
                    | InstKind::Call(..)
            )
        })
    }
}

impl Replayer<'_> {
    /// What sanitizers said about the last run.
    fn reports(&self) -> Vec<Report> {
        let text = std::fs::read(self.scratch.file(build::MESSAGES)).unwrap_or_default();
        let names: Vec<String> = (0..self.origins.len()).map(unit_name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        sanitizer::reports(&String::from_utf8_lossy(&text), &names)
    }

    /// The place of a report in the source. In front of each text stands a line of declarations.
    fn origin(&self, report: &Report) -> Option<(String, u32)> {
        let (unit, line) = report.place?;
        let origin = self.origins[unit].get((line as usize).checked_sub(2)?)?;
        Some((origin.file.to_string(), origin.line))
    }

    /// A report with its place.
    fn told(&self, report: &Report) -> String {
        match self.origin(report) {
            Some((file, line)) => format!("{} at {file}:{line}", words(report)),
            None => words(report),
        }
    }
}
