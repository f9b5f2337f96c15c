//! Witnesses for other tools: format 2.0 of the verification community, in YAML.
//!
//! A violation is told by what the inputs are: the arguments of the function where runs start, as an assumption at its
//! first statement, and the result of each call that asks the environment; then the place where it goes wrong. These
//! determine the run, so that nothing need be said about branches. Where all properties are proved, the witness has the
//! invariants of loops that the proofs rest on, as far as C can say them.
//!
//! Places are those that the format wants: of a call its closing parenthesis, of a violation the first letter of the
//! statement or of the controlling expression, of an invariant the keyword of the loop.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use quipu_cfront::Program;
use quipu_cover::{Standing, Test};
use quipu_encode::Context;
use quipu_goals::{Goal, GoalKind, Way};
use quipu_inputs::Argument;
use quipu_interp::Step;
use quipu_ir::{Block, DataModel, DecisionKind, Event, FileId, Func, Span, Ty};
use sha2::{Digest, Sha256};

use super::explain::explanation;
use super::{Checked, CheckedProperty, loop_place, numbered};
use crate::value::{constant, widened};
use crate::{ending, requests};

/// What a witness is about.
#[derive(Clone, Copy, Debug)]
pub struct WitnessTask<'a> {
    /// The files of the program with their texts.
    pub files: &'a [(String, Vec<u8>)],
    /// When it was made, since 1970.
    pub time: Duration,
}

/// A witness for the first violation, or for the proof of everything. None if something is open.
pub fn witness(program: &Program, all: &[Checked], task: WitnessTask<'_>) -> Option<String> {
    let mut proved = true;
    for (_, checked, one) in numbered(all) {
        match checked.report.standing(one.property) {
            Standing::Violated(test) => {
                let content = violation(program, checked, one, test);
                let specification = specification(program, checked, one);
                return Some(entry(program, task, "violation_sequence", &specification, &content));
            }
            Standing::Proved(_) | Standing::Unreachable(_) => {}
            Standing::Relied(..)
            | Standing::Excluded(..)
            | Standing::AfterUndefined(..)
            | Standing::ProvedToBound(_)
            | Standing::GaveUp(_) => proved = false,
        }
    }
    let (_, checked, one) = numbered(all).next().filter(|_| proved)?;
    let content = invariants(program, all);
    Some(entry(program, task, "invariant_set", &specification(program, checked, one), &content))
}

/// What a property is called by the verification community.
fn specification(program: &Program, checked: &Checked, one: &CheckedProperty) -> String {
    let goal = &checked.report.goals.all()[one.property.goal];
    let name = |func: Func| program.module.functions[func].source_name.as_str();
    let formula = match goal.kind {
        GoalKind::Undefined(Event::SignedOverflow | Event::DivisionOverflow | Event::ShiftOverflow) => {
            "G ! overflow"
        }
        GoalKind::Undefined(Event::NullAccess | Event::OutOfBounds | Event::UseAfterFree) => "G valid-deref",
        GoalKind::Undefined(Event::DoubleFree | Event::InvalidFree) => "G valid-free",
        GoalKind::Undefined(_) => "G def-behavior",
        _ if is_assert(program, goal) => "G ! call(__assert_fail())",
        _ => "G ! call(reach_error())",
    };
    format!("CHECK( init({}()), LTL({formula}) )", name(checked.told))
}

/// Whether a goal is that the condition of an `assert` is false.
fn is_assert(program: &Program, goal: &Goal) -> bool {
    let Some(code) = program.module.functions[goal.func].code() else { return false };
    code.decisions.iter().any(|decision| decision.kind == DecisionKind::Assert && decision.span == goal.span)
}

fn entry(program: &Program, task: WitnessTask<'_>, kind: &str, specification: &str, content: &str) -> String {
    let mut files = String::new();
    let mut hashes = String::new();
    let mut whole = Sha256::new();
    for (name, text) in task.files {
        let hash = hex(&Sha256::digest(text));
        let _ = writeln!(files, "      - {}", quoted(name));
        let _ = writeln!(hashes, "        {}: {}", quoted(name), quoted(&hash));
        whole.update(hash);
    }
    whole.update(content);
    let model = match program.module.data_model {
        DataModel::Lp64 => "LP64",
        DataModel::Ilp32 => "ILP32",
    };
    format!(
        "- entry_type: {kind}
  metadata:
    format_version: \"2.0\"
    uuid: {}
    creation_time: {}
    producer:
      name: Quipu
      version: {}
    task:
      input_files:
{files}      input_file_hashes:
{hashes}      specification: {}
      data_model: {model}
      language: C
{content}",
        quoted(&uuid(&whole.finalize())),
        quoted(&timestamp(task.time)),
        quoted(env!("CARGO_PKG_VERSION")),
        quoted(specification),
    )
}

fn violation(program: &Program, checked: &Checked, one: &CheckedProperty, test: &Test) -> String {
    let mut out = "  content:\n".to_string();
    if let (Some(value), Some(span)) = (arguments(program, checked, test), first_statement(program, checked))
    {
        let constraint = Some((value.as_str(), "c_expression"));
        out.push_str(&waypoint(program, "assumption", constraint, span.file, (span.line, span.column)));
    }
    for request in requests::told(&test.observation.requests) {
        if let Ty::Int(_) = request.ty {
            let value = format!("\\result == {}", requests::text(&program.module, request));
            let constraint = Some((value.as_str(), "acsl_expression"));
            let end = (request.span.end_line, request.span.end_column.saturating_sub(1).max(1));
            out.push_str(&waypoint(program, "function_return", constraint, request.span.file, end));
        }
    }
    if let Some(span) = target(program, checked, one, test) {
        out.push_str(&waypoint(program, "target", None, span.file, (span.line, span.column)));
    }
    out
}

/// The statement, or the controlling expression, in which it goes wrong.
fn target(program: &Program, checked: &Checked, one: &CheckedProperty, test: &Test) -> Option<Span> {
    let goal = &checked.report.goals.all()[one.property.goal];
    let error = goal.parts.iter().flat_map(|part| &part.ways).find_map(entered_error);
    let before = match error {
        Some(error) => {
            let entered = test.steps.iter().position(|step| *step == Step::Enter(error))?;
            &test.steps[..entered]
        }
        None => &test.steps[..],
    };
    let (func, stmt) = before.iter().rev().find_map(|step| match *step {
        Step::Stmt(func, stmt) => Some((func, stmt)),
        _ => None,
    })?;
    let code = program.module.functions[func].code()?;
    let statement = code.stmts[stmt].span;
    let Some(end) = ending::span(&test.observation.outcome).filter(|_| error.is_none()) else {
        return Some(statement);
    };
    let holds = |outer: Span| {
        let (from, to) = ((outer.line, outer.column), (outer.end_line, outer.end_column));
        outer.file == end.file && from <= (end.line, end.column) && (end.end_line, end.end_column) <= to
    };
    let is_controlling = |kind: DecisionKind| {
        !matches!(kind, DecisionKind::Assert | DecisionKind::Logical | DecisionKind::Conditional)
    };
    let decisions = code.decisions.iter().filter(|decision| is_controlling(decision.kind));
    Some(decisions.map(|decision| decision.span).find(|&span| holds(span)).unwrap_or(statement))
}

/// The function that must not be entered, if that is what a way does.
fn entered_error(way: &Way) -> Option<Func> {
    match way {
        Way::Entry(func) => Some(*func),
        Way::During { happens, .. } => entered_error(happens),
        _ => None,
    }
}

/// What holds whenever control comes to loops, in C. Where control comes to a loop several times, one of the
/// descriptions applies each time.
fn invariants(program: &Program, all: &[Checked]) -> String {
    // Invariants are about runs from one start.
    let [checked] = all else { return "  content: []\n".to_string() };
    let mut loops: BTreeMap<(Func, Block), BTreeMap<Context, Vec<&str>>> = BTreeMap::new();
    let mut n_contexts = BTreeMap::new();
    for used in checked.properties.iter().filter_map(|one| explanation(checked, one)) {
        for invariant in &used.invariants {
            let text = invariant.text.as_deref().filter(|text| invariant.from_start && !text.contains('\\'));
            let Some(text) = text else { continue };
            let place = (invariant.func, invariant.head);
            n_contexts.insert(place, invariant.n_contexts);
            let texts = loops.entry(place).or_default().entry(invariant.context).or_default();
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    let mut content = String::new();
    for (place, contexts) in loops {
        let Some((file, at)) = loop_place::keyword(program, place.0, place.1) else { continue };
        if contexts.len() != n_contexts[&place] {
            continue;
        }
        let mut ways: Vec<String> = contexts.values().map(|texts| conjunction(texts)).collect();
        ways.sort_unstable();
        ways.dedup();
        let value = match &ways[..] {
            [single] => single.clone(),
            _ => ways.iter().map(|way| format!("({way})")).collect::<Vec<_>>().join(" || "),
        };
        content.push_str("    - invariant:\n        type: loop_invariant\n");
        content.push_str(&location(program, "        ", file, at));
        let _ = write!(content, "        value: {}\n        format: c_expression\n", quoted(&value));
    }
    if content.is_empty() { "  content: []\n".to_string() } else { format!("  content:\n{content}") }
}

fn conjunction(texts: &[&str]) -> String {
    match texts {
        [single] => (*single).to_string(),
        _ => texts.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(" && "),
    }
}

/// What the scalar arguments are.
fn arguments(program: &Program, checked: &Checked, test: &Test) -> Option<String> {
    let module = &program.module;
    let interface = &checked.report.interface;
    let scalars = interface.arguments.iter().filter_map(|argument| match *argument {
        Argument::Leaf(leaf) if interface.leaves[leaf].targets.is_none() => {
            let info = &interface.leaves[leaf];
            let bits = widened(module, info.source, test.inputs.get(leaf), info.bits());
            Some(format!("{} == {}", info.name, constant(module, info.source, bits)))
        }
        _ => None,
    });
    let all: Vec<String> = scalars.collect();
    (!all.is_empty()).then(|| all.join(" && "))
}

fn first_statement(program: &Program, checked: &Checked) -> Option<Span> {
    let told: Func = checked.told;
    program.module.functions[told].code()?.stmts.iter().map(|stmt| stmt.span).next()
}

fn waypoint(
    program: &Program,
    kind: &str,
    constraint: Option<(&str, &str)>,
    file: FileId,
    at: (u32, u32),
) -> String {
    let mut out = format!(
        "    - segment:\n        - waypoint:\n            type: {kind}\n            action: follow\n"
    );
    if let Some((value, format)) = constraint {
        let value = quoted(value);
        let _ = write!(
            out,
            "            constraint:\n              value: {value}\n              format: {format}\n"
        );
    }
    out.push_str(&location(program, "            ", file, at));
    out
}

fn location(program: &Program, indent: &str, file: FileId, (line, column): (u32, u32)) -> String {
    let name = quoted(program.module.files.get(file).map_or("", String::as_str));
    format!(
        "{indent}location:\n{indent}  file_name: {name}\n{indent}  line: {line}\n{indent}  column: {column}\n"
    )
}

/// A YAML string: double-quoted ones are those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// An identifier made of a hash (RFC 9562, version 8).
fn uuid(hash: &[u8]) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex(&bytes);
    format!("{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..])
}

/// A time as ISO 8601 writes it, in UTC. Years from March on, so that leap days come last (Hinnant).
fn timestamp(since: Duration) -> String {
    let seconds = since.as_secs();
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        let at = |seconds| timestamp(Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
