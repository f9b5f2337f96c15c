//! The tests: inputs, what the environment answers, the ending, the goals, and what the compiled program did.

use quipu_cfront::Program;
use quipu_cover::{FunctionReport, ReplayOutcome, Test};
use quipu_inputs::{Argument, Bearing, Leaf, Object, Output, Target};
use quipu_interp::{InputKind, Outcome, resolve};
use quipu_ir::{Module, TypeId};
use quipu_replay::{Difference, Sighting};

use super::flow::{Piece, paragraph, pieces};
use super::style::{Style, Tint};
use crate::address::{Addresses, Pointee};
use crate::initialiser::Contents;
use crate::members::place_in;
use crate::returned::{Found, Returned, returned, visible_outputs};
use crate::sighting::sighting_parts;
use crate::undefined::unwritten_reads;
use crate::value::{plain, pointed, quoted};
use crate::{ending, names, requests};

/// Pointers inside of what pointers point to are followed so far.
const DEPTH: usize = 3;
/// So many changed scalars are told.
const MOST_CHANGES: usize = 6;

/// The tests of a function.
pub(crate) fn list(program: &Program, report: &FunctionReport, style: Style) -> String {
    let shown = Shown::new(program, report);
    let width = names::test(report.tests.len().max(1) - 1).len();
    let mut out = String::new();
    for (n, test) in report.tests.iter().enumerate() {
        out.push_str(&shown.test(&format!("  {:<width$}  ", names::test(n)), test, style));
    }
    for (n, test) in report.disagreements.iter().enumerate() {
        out.push_str(&shown.test(&format!("  {:<width$}  ", format!("x{}", n + 1)), test, style));
        if let ReplayOutcome::Disagrees(difference) = &test.replay {
            let label = format!("{:indent$}= ", "", indent = width + 4);
            out.extend(told(difference).iter().map(|line| paragraph(&label, line, style.width)));
        }
    }
    out
}

/// The inputs of a test in one line.
pub(crate) fn inputs_text(program: &Program, report: &FunctionReport, test: &Test) -> String {
    let shown = Shown::new(program, report);
    let texts = shown.inputs(test).into_iter().chain(shown.environment(test));
    texts.map(|piece| piece.text).collect::<Vec<_>>().join(", ")
}

struct Shown<'a> {
    program: &'a Program,
    report: &'a FunctionReport,
    addresses: Addresses<'a>,
}

impl<'a> Shown<'a> {
    fn new(program: &'a Program, report: &'a FunctionReport) -> Shown<'a> {
        Shown { program, report, addresses: Addresses::new(&program.module, &report.interface) }
    }

    fn module(&self) -> &'a Module {
        &self.program.module
    }

    fn test(&self, label: &str, test: &Test, style: Style) -> String {
        let mut line = self.inputs(test);
        line.extend(self.environment(test));
        line.push(self.ending(test));
        line.extend(self.changes(test));
        if !test.covers.is_empty() {
            line.push(Piece::plain(format!("covers {}", names::ranges(&test.covers))));
        }
        line.extend(test.path.map(|path| Piece::plain(format!("takes {}", names::path(path)))));
        let reads = unwritten_reads(self.program, test);
        line.extend(reads.map(|text| Piece { text, tint: Tint::Bad }));
        line.push(replay(&test.replay));
        line.extend(test.sighting.as_ref().map(sighting));
        pieces(label, &line, style)
    }

    fn inputs(&self, test: &Test) -> Vec<Piece> {
        let interface = &self.report.interface;
        let arguments = interface.arguments.iter().filter_map(|argument| match *argument {
            Argument::Leaf(leaf) => Some((&interface.leaves[leaf].name, self.leaf(test, leaf, DEPTH))),
            Argument::Copy(object) => {
                Some((&interface.objects[object].name, self.object(test, object, DEPTH)))
            }
            Argument::ResultPlace { .. } | Argument::NoVariadic => None,
        });
        let globals = interface.globals();
        let globals =
            globals.map(|(object, _)| (&interface.objects[object].name, self.object(test, object, DEPTH)));
        arguments.chain(globals).map(|(name, value)| Piece::plain(format!("{name}={value}"))).collect()
    }

    fn leaf(&self, test: &Test, leaf: Leaf, depth: usize) -> String {
        let pointer = |leaf| self.pointer_input(test, leaf, depth);
        self.contents(test, &pointer).leaf(leaf).short()
    }

    fn object(&self, test: &Test, object: Object, depth: usize) -> String {
        let pointer = |leaf| self.pointer_input(test, leaf, depth);
        self.contents(test, &pointer).object(object).short()
    }

    fn contents<'c>(&'c self, test: &'c Test, pointer: &'c dyn Fn(Leaf) -> String) -> Contents<'c> {
        Contents {
            module: self.module(),
            interface: &self.report.interface,
            inputs: &test.inputs,
            number: plain,
            pointer,
        }
    }

    /// A pointer by what it points to.
    fn pointer_input(&self, test: &Test, leaf: Leaf, depth: usize) -> String {
        let interface = &self.report.interface;
        match interface.target_in(leaf, &test.inputs) {
            None => "NULL".to_string(),
            Some(Target::Function(func)) => self.module().functions[func].source_name.clone(),
            Some(Target::Device(address)) => format!("{address:#x}"),
            Some(Target::Object(object, offset)) if self.is_alias(leaf, object) => {
                self.object_address(object, offset, interface.leaves[leaf].source)
            }
            Some(Target::Object(..)) if depth == 0 => "&...".to_string(),
            Some(Target::Object(object, offset)) => {
                let shape = &interface.objects[object];
                let and = if shape.count == 1 { "&" } else { "" };
                let content = format!("{and}{}", self.object(test, object, depth - 1));
                moved(content, offset, shape.size / shape.count.max(1))
            }
        }
    }

    /// Whether a pointer points to what another input is known by.
    fn is_alias(&self, leaf: Leaf, object: Object) -> bool {
        let interface = &self.report.interface;
        interface.objects[object].name.strip_prefix('*') != Some(&interface.leaves[leaf].name)
    }

    /// The address of an input object, or of a place behind its start, as a pointer of a type.
    fn object_address(&self, object: Object, offset: u64, ty: TypeId) -> String {
        let shape = &self.report.interface.objects[object];
        let root = shape.name.strip_prefix('*').map_or(shape.name.clone(), |own| format!("(*{own})"));
        let part = pointed(self.module(), ty)
            .filter(|&to| resolve(self.module(), to) != resolve(self.module(), shape.element))
            .filter(|_| shape.count == 1)
            .and_then(|to| place_in(self.module(), shape, &root, offset, to));
        if let Some(part) = part {
            return match shape.name.strip_prefix('*') {
                Some(own) => part.replacen(&format!("{root}."), &format!("{own}->"), 1),
                None => part,
            };
        }
        let start = match shape.name.strip_prefix('*') {
            Some(pointer) => pointer.to_string(),
            None => format!("&{}", shape.name),
        };
        let step = if shape.name.starts_with('*') { shape.size / shape.count.max(1) } else { 0 };
        moved(start, offset, step)
    }

    /// What the environment answers, with the calls of a function one after the other in one piece, and likewise all
    /// reads of something volatile.
    fn environment(&self, test: &Test) -> Vec<Piece> {
        let mut answers: Vec<(String, Vec<String>)> = Vec::new();
        for request in requests::told(&test.observation.requests) {
            let is_read = request.kind == InputKind::Volatile;
            let verb = if is_read { "reads" } else { "->" };
            let name = format!("{} {verb}", requests::asker(self.program, request));
            let value = requests::text(self.module(), request);
            let known = match is_read {
                true => answers.iter_mut().find(|(other, _)| *other == name),
                false => answers.last_mut().filter(|(last, _)| *last == name),
            };
            match known {
                Some((_, values)) => values.push(value),
                None => answers.push((name, vec![value])),
            }
        }
        answers
            .into_iter()
            .map(|(name, values)| Piece::plain(format!("{name} {}", requests::listed(&values))))
            .collect()
    }

    fn ending(&self, test: &Test) -> Piece {
        let outcome = &test.observation.outcome;
        let mut text = format!("-> {}", ending::sentence(self.program, outcome));
        match returned(self.module(), self.report.func, &test.observation, "") {
            Returned::Nothing => {}
            Returned::Scalar(found) => text.push_str(&format!(" {}", self.value(test, &found))),
            Returned::Record(members) => {
                let member = |(member, found): (crate::members::Member, Option<Found>)| {
                    let value = found.map_or("?".to_string(), |found| self.value(test, &found));
                    format!("{} = {value}", member.path)
                };
                let members: Vec<String> = members.into_iter().map(member).collect();
                text.push_str(&format!(" {{{}}}", members.join(", ")));
            }
        }
        let tint = if ending::is_fine(outcome) { Tint::Plain } else { Tint::Bad };
        Piece { text, tint }
    }

    fn changes(&self, test: &Test) -> Vec<Piece> {
        if !matches!(test.observation.outcome, Outcome::Returned(_)) {
            return Vec::new();
        }
        let outputs: Vec<&Output> = visible_outputs(&self.report.interface, &test.observation).collect();
        let interface = &self.report.interface;
        let change = |output: &&Output| {
            let found = Found::output(interface, &test.observation, output);
            let name = interface.name_in(output.leaf, &test.inputs);
            Piece::plain(format!("sets {name}={}", self.value(test, &found)))
        };
        let mut pieces: Vec<Piece> = outputs.iter().take(MOST_CHANGES).map(change).collect();
        if outputs.len() > MOST_CHANGES {
            pieces.push(Piece::plain(format!("sets {} more", outputs.len() - MOST_CHANGES)));
        }
        pieces
    }

    /// A value at the end of a run. What addresses are as numbers differs from run to run and is not told.
    fn value(&self, test: &Test, found: &Found) -> String {
        match (found.is_pointer(self.module()), found.bearing) {
            (true, bearing) if bearing.is_address() => self.pointer(test, found.ty, found.bits),
            (true, Bearing::Number) if found.bits == 0 => "NULL".to_string(),
            (true, Bearing::Number) => "not NULL".to_string(),
            (false, bearing) if bearing.is_number() => {
                plain(self.module(), found.ty, found.widened(self.module()))
            }
            (_, Bearing::Address) => "(an address)".to_string(),
            _ => "(made of an address)".to_string(),
        }
    }

    fn pointer(&self, test: &Test, ty: TypeId, bits: u64) -> String {
        match self.addresses.find(&test.inputs, bits) {
            Pointee::Null => "NULL".to_string(),
            Pointee::Object(object, offset) => self.object_address(object, offset, ty),
            Pointee::Global(global, offset) => {
                let name = self.module().globals[global].source_name.as_deref().unwrap_or_default();
                moved(format!("&{name}"), offset, 0)
            }
            Pointee::Function(func) => self.module().functions[func].source_name.clone(),
            Pointee::Text(bytes) => quoted(&bytes),
            Pointee::Unknown => "not NULL".to_string(),
        }
    }
}

/// An address so many bytes behind another one, in elements of a size if that is possible.
fn moved(start: String, offset: u64, step: u64) -> String {
    match offset {
        0 => start,
        _ if step > 0 && offset.is_multiple_of(step) => format!("{start} + {}", offset / step),
        _ => format!("{start} + {offset} bytes"),
    }
}

/// What differs, line by line.
fn told(difference: &Difference) -> Vec<String> {
    let after = difference.after.as_ref().map(|after| format!("after {after}"));
    let lines =
        [format!("predicted: {}", difference.predicted), format!("measured: {}", difference.measured)];
    lines.into_iter().chain(after).collect()
}

/// What shows that something undefined happens.
fn sighting(sighting: &Sighting) -> Piece {
    let (by, detail) = sighting_parts(sighting);
    match by {
        Some(by) => Piece { text: format!("{by}: {detail}"), tint: Tint::Good },
        None => Piece { text: format!("predicted only: {detail}"), tint: Tint::Open },
    }
}

fn replay(replay: &ReplayOutcome) -> Piece {
    let (tint, text) = match replay {
        ReplayOutcome::Confirmed => (Tint::Good, "confirmed".to_string()),
        ReplayOutcome::Crash(detail) => (Tint::Bad, format!("crash: {detail}")),
        ReplayOutcome::Timeout => (Tint::Open, "timeout".to_string()),
        ReplayOutcome::NotRun(why) => (Tint::Open, format!("not run: {why}")),
        ReplayOutcome::Disagrees(_) => (Tint::Bad, "disagrees".to_string()),
    };
    Piece { text, tint }
}
