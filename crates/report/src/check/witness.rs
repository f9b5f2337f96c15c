//! Witnesses for other tools: format 2.0 of the verification community, in YAML.
//!
//! A violation is told by what the inputs are: the arguments of the function where runs start, as an assumption at its
//! first statement, and the result of each call that asks the environment; then the place where it goes wrong. Where all
//! properties are proved, the witness says so with an empty set of invariants: any validator has to find its own.

use std::fmt::Write;
use std::time::Duration;

use quipu_cfront::Program;
use quipu_cover::{Standing, Test};
use quipu_inputs::Argument;
use quipu_ir::{DataModel, Func, Span, Ty};
use sha2::{Digest, Sha256};

use super::{Checked, numbered};
use crate::value::{constant, widened};
use crate::{ending, names, requests};

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
                let content = violation(program, checked, test);
                return Some(entry(program, task, "violation_sequence", &content));
            }
            Standing::Proved(_) | Standing::Unreachable(_) => {}
            Standing::ProvedToBound(_) | Standing::GaveUp(_) => proved = false,
        }
    }
    proved.then(|| entry(program, task, "invariant_set", "  content: []\n"))
}

fn entry(program: &Program, task: WitnessTask<'_>, kind: &str, content: &str) -> String {
    let specification = "G ! call(reach_error())";
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
        quoted(&format!("CHECK( init(main()), LTL({specification}) )")),
    )
}

fn violation(program: &Program, checked: &Checked, test: &Test) -> String {
    let mut out = "  content:\n".to_string();
    if let (Some(value), Some(span)) = (arguments(program, checked, test), first_statement(program, checked))
    {
        out.push_str(&waypoint(program, "assumption", Some((&value, "c_expression")), span));
    }
    for request in requests::told(&test.observation.requests) {
        if let Ty::Int(_) = request.ty {
            let value = format!("\\result == {}", requests::text(&program.module, request));
            out.push_str(&waypoint(
                program,
                "function_return",
                Some((&value, "acsl_expression")),
                request.span,
            ));
        }
    }
    if let Some(span) = ending::span(&test.observation.outcome) {
        out.push_str(&waypoint(program, "target", None, span));
    }
    out
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

fn waypoint(program: &Program, kind: &str, constraint: Option<(&str, &str)>, at: Span) -> String {
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
    let file = quoted(names::file(program, at));
    let _ = write!(
        out,
        "            location:\n              file_name: {file}\n              line: {}\n              column: {}\n",
        at.line, at.column
    );
    out
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
