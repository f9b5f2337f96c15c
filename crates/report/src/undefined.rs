//! What is undefined in runs that go on, or in all of them: findings that no goal tells.

use quipu_cfront::Program;
use quipu_cover::{FunctionReport, Test, Undefined};
use quipu_interp::UnwrittenRead;
use serde_json::{Value, json};

use crate::names;

/// Where a test reads memory that nobody has written: "reads `s` uninitialised in line 3".
pub fn unwritten_reads(program: &Program, test: &Test) -> Option<String> {
    let reads = &test.observation.unwritten;
    let one = |read: &UnwrittenRead| {
        format!("`{}` uninitialised in line {}", program.excerpt(read.span), read.span.line)
    };
    let all: Vec<String> = reads.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("reads {}", all.join(", ")))
}

/// The same for programs.
pub fn unwritten_reads_json(program: &Program, test: &Test) -> Value {
    let one = |read: &UnwrittenRead| {
        json!({
            "file": names::file(program, read.span),
            "line": read.span.line,
            "column": read.span.column,
            "text": program.excerpt(read.span),
        })
    };
    json!(test.observation.unwritten.iter().map(one).collect::<Vec<_>>())
}

/// What is to be said of a function, each in a sentence: that every run does something undefined, and that tests read
/// memory that nobody has written.
pub(crate) fn findings(program: &Program, report: &FunctionReport) -> Vec<String> {
    let always = report.always_undefined.map(|undefined| {
        format!("every run does something undefined, such as {}", happens(program, &undefined))
    });
    let mut reads: Vec<UnwrittenRead> = Vec::new();
    for &read in report.tests.iter().flat_map(|test| &test.observation.unwritten) {
        if !reads.contains(&read) {
            reads.push(read);
        }
    }
    let one = |read: UnwrittenRead| {
        let place = program.place(read.span);
        format!(
            "undefined behaviour: `{}` at {place} reads what was never written; tests have zeros there",
            program.excerpt(read.span)
        )
    };
    always.into_iter().chain(reads.into_iter().map(one)).collect()
}

/// The first of them, for programs.
pub(crate) fn always_undefined_json(program: &Program, report: &FunctionReport) -> Value {
    report.always_undefined.map_or(Value::Null, |Undefined { event, span, .. }| {
        json!({
            "event": event.map(|event| event.name()),
            "file": names::file(program, span),
            "line": span.line,
            "column": span.column,
        })
    })
}

fn happens(program: &Program, undefined: &Undefined) -> String {
    let event = undefined.event.map_or("a failed assertion", |event| event.name());
    format!("{event} at {}", program.place(undefined.span))
}
