//! `quipu show --slice`: the lines on which it depends what happens on a line.

use std::collections::BTreeSet;
use std::fmt::Write;

use quipu_analysis::points_to::Site;
use quipu_analysis::{Slicer, Target};
use quipu_cfront::Program;
use quipu_cover::{file_named, function_at};
use quipu_interp::has_hidden_effects;
use quipu_ir::{FileId, Func, FuncBody, Function, InstKind, Module, Span, Terminator};
use serde_json::json;

use super::Answer;
use crate::exit::Exit;
use crate::load;
use crate::render;

/// The slice for a line, written as `LINE` or `FILE:LINE`, of the program that starts with a function, or with the one
/// around the line.
pub fn answer(program: &Program, place: &str, entry: Option<Func>) -> Result<Answer, Exit> {
    let (file, line) = parse(program, place)?;
    let nothing = || load::complain(&format!("error: nothing happens at {place}\n  = hint: {HINT}"));
    let entry = entry.or_else(|| function_at(program, file, line)).ok_or_else(nothing)?;
    let targets = targets(&program.module, file, line);
    if targets.is_empty() || program.module.functions[entry].code().is_none() {
        return Err(nothing());
    }
    let is_opaque = |function: &Function| function.weak || has_hidden_effects(&function.source_name);
    let Some(slicer) = Slicer::new(&program.module, entry, &[], is_opaque, || false) else {
        let reasons = "it registers functions for its end, or reads the bytes of pointers as numbers";
        return Err(load::complain(&format!("error: there are no slices of this program: {reasons}")));
    };
    let slice = slicer.slice(&targets);
    let mut lines: BTreeSet<(FileId, u32)> = BTreeSet::from([(file, line)]);
    for (func, function) in slice.functions.entries() {
        if let Some(body) = function.code().filter(|_| slicer.may_run(func)) {
            let kept = lines_of(body);
            if !kept.is_empty() {
                lines.insert((function.span.file, function.span.line));
            }
            lines.extend(kept);
        }
    }
    Ok(told(program, entry, &lines))
}

const HINT: &str = "quipu show --decisions lists statements and decisions with their lines";

fn parse(program: &Program, place: &str) -> Result<(FileId, u32), Exit> {
    let (file, line) = match place.rsplit_once(':') {
        Some((file, line)) => (file_named(program, file), line),
        None => (program.module.files.ids().next(), place),
    };
    match (file, line.parse()) {
        (Some(file), Ok(line)) => Ok((file, line)),
        (None, Ok(_)) => Err(load::complain(&format!("error: there is no such file: `{place}`"))),
        _ => {
            let hint = "LINE of the first file, or FILE:LINE";
            Err(load::complain(&format!("error: `{place}` is no place\n  = hint: {hint}")))
        }
    }
}

/// Everything that happens on a line.
fn targets(module: &Module, file: FileId, line: u32) -> Vec<Target> {
    let is_there = |span: Span| span.file == file && span.line == line;
    let mut targets = Vec::new();
    for (func, function) in module.functions.entries() {
        for (block, data) in function.code().into_iter().flat_map(|body| body.blocks.entries()) {
            let insts = data.insts.iter().enumerate().filter(|(_, inst)| is_there(inst.span));
            targets.extend(insts.map(|(inst, _)| Target::Inst(Site { func, block, inst })));
            if is_there(data.span) {
                targets.push(Target::Way(func, block));
            }
        }
    }
    targets
}

/// The lines on which something happens in the code.
fn lines_of(body: &FuncBody) -> BTreeSet<(FileId, u32)> {
    let mut lines = BTreeSet::new();
    for data in body.blocks.iter() {
        let is_mark = |kind: &InstKind| {
            matches!(
                kind,
                InstKind::Nothing | InstKind::Stmt(_) | InstKind::SlotEnd(_) | InstKind::SlotAddr(_)
            )
        };
        let insts = data.insts.iter().filter(|inst| !is_mark(&inst.kind)).map(|inst| inst.span);
        let decides = matches!(data.term, Terminator::Branch { .. } | Terminator::Switch { .. });
        lines.extend(insts.chain(decides.then_some(data.span)).map(|span| (span.file, span.line)));
    }
    lines
}

fn told(program: &Program, entry: Func, lines: &BTreeSet<(FileId, u32)>) -> Answer {
    use quipu_base::Id;
    let mut text = String::new();
    let mut items = Vec::new();
    let mut last = None;
    for &(file, line) in lines {
        let name = render::file_name(program, file);
        if last != Some(file) {
            let _ = writeln!(text, "{name}:");
            last = Some(file);
        }
        let source = program.sources.get(file.index()).map_or(String::new(), |source| source.line(line));
        let _ = writeln!(text, "{line:>6}  {source}");
        items.push(json!({ "file": name, "line": line, "text": source }));
    }
    let entry = &program.module.functions[entry].name;
    Answer { text, json: json!({ "schema": 1, "function": entry, "lines": items }) }
}
