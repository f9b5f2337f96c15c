//! What a run has to say.

use std::fmt::Write;

use quipu_cfront::Program;
use quipu_interp::value_text::{print_object, print_value};
use quipu_interp::{Limit, Machine, Outcome, Trace};
use quipu_ir::{Func, Function, Span};
use serde_json::{Value, json};

use super::{result_type, trace};
use crate::render::{merged, snippet, span_json};

/// How far pointers are followed when values are shown.
const DEPTH: usize = 3;

pub struct Answer<'a> {
    pub program: &'a Program,
    pub machine: &'a Machine<'a>,
    pub func: Func,
    pub args: &'a [u64],
    pub outcome: &'a Outcome,
}

impl Answer<'_> {
    pub fn text(&self, trace: Option<&Trace>) -> String {
        let mut out = trace.map_or(String::new(), |trace| trace::text(self.program, trace));
        match self.place() {
            Some(span) => {
                let _ = writeln!(out, "{}: {}", self.program.place(span), self.sentence());
                if let Some(snippet) = snippet(self.program, span) {
                    let _ = writeln!(out, "{snippet}");
                }
            }
            None => {
                let _ = writeln!(out, "{}", self.sentence());
            }
        }
        for (name, value) in self.pointees() {
            let _ = writeln!(out, "{name} -> {value}");
        }
        out
    }

    pub fn json(&self, trace: Option<&Trace>) -> String {
        let mut answer = json!({
            "schema": 1,
            "function": self.function().name,
            "outcome": self.name(),
            "result": self.result(),
            "message": self.sentence(),
            "steps": self.machine.steps(),
            "objects": self.pointees().into_iter().map(|(name, value)| json!({ "name": name, "value": value })).collect::<Vec<_>>(),
        });
        if let Outcome::Event { event, detail, .. } = self.outcome {
            answer = merged(answer, json!({ "event": event.name(), "detail": detail }));
        }
        if let Outcome::Exited(status) = self.outcome {
            answer = merged(answer, json!({ "status": status }));
        }
        if let Some(span) = self.place() {
            answer = merged(answer, json!({ "place": span_json(self.program, span) }));
        }
        if let Some(trace) = trace {
            let items: Vec<Value> = trace::json(self.program, trace);
            answer = merged(answer, json!({ "trace": items }));
        }
        serde_json::to_string_pretty(&answer).expect("JSON values should print")
    }

    fn function(&self) -> &Function {
        &self.program.module.functions[self.func]
    }

    fn name(&self) -> &'static str {
        match self.outcome {
            Outcome::Returned(_) => "returned",
            Outcome::Exited(_) => "exited",
            Outcome::Aborted => "aborted",
            Outcome::AssertionFailed { .. } => "assertion-failed",
            Outcome::Event { .. } => "undefined-behaviour",
            Outcome::LimitReached(_) => "limit-reached",
            Outcome::InputsExhausted { .. } => "inputs-exhausted",
            Outcome::Unsupported { .. } => "unsupported",
            Outcome::AssumptionFailed => "assumption-failed",
        }
    }

    fn sentence(&self) -> String {
        match self.outcome {
            Outcome::Returned(_) => match self.result() {
                Some(value) => format!("returned {value}"),
                None => "returned".to_string(),
            },
            Outcome::Exited(status) => format!("exited with status {status}"),
            Outcome::Aborted => "aborted".to_string(),
            Outcome::AssertionFailed { detail, .. } if detail.is_empty() => "assertion failed".to_string(),
            Outcome::AssertionFailed { detail, .. } => format!("assertion failed: {detail}"),
            Outcome::Event { event, detail, .. } if detail.is_empty() => {
                format!("undefined behaviour: {event}")
            }
            Outcome::Event { event, detail, .. } => format!("undefined behaviour: {event}: {detail}"),
            Outcome::LimitReached(Limit::Steps) => "gave up: too many steps (raise --steps)".to_string(),
            Outcome::LimitReached(Limit::Depth) => "gave up: calls nest too deeply".to_string(),
            Outcome::LimitReached(Limit::Memory) => "gave up: too much memory".to_string(),
            Outcome::InputsExhausted { function, .. } => {
                format!("gave up: `{function}` needs a further value in --inputs")
            }
            Outcome::Unsupported { what, .. } => format!("gave up: not supported: {what}"),
            Outcome::AssumptionFailed => {
                "an assumption of the program does not hold for these inputs".to_string()
            }
        }
    }

    fn place(&self) -> Option<Span> {
        match self.outcome {
            Outcome::AssertionFailed { span, .. }
            | Outcome::Event { span, .. }
            | Outcome::InputsExhausted { span, .. }
            | Outcome::Unsupported { span, .. } => Some(*span),
            _ => None,
        }
    }

    /// The value returned, as C text.
    fn result(&self) -> Option<String> {
        let Outcome::Returned(bits) = self.outcome else { return None };
        let ty = result_type(self.machine, self.function())?;
        match (bits, self.function().returns_struct) {
            (Some(bits), _) => Some(print_value(self.machine, ty, *bits, DEPTH)),
            (None, true) => Some(print_object(self.machine, ty, *self.args.first()?, DEPTH)),
            (None, false) => None,
        }
    }

    /// The pointer arguments with what they point to after the run.
    fn pointees(&self) -> Vec<(String, String)> {
        let params = self.function().params.iter().zip(self.args);
        params
            .filter_map(|(param, &bits)| {
                let text = print_value(self.machine, param.source?, bits, DEPTH);
                // A string is shown as what it is, other objects behind an arrow; null and addresses point to nothing new.
                let is_string = text.starts_with('"');
                let pointee = text.strip_prefix("-> ").or(is_string.then_some(&text))?.to_string();
                Some((param.name.clone().unwrap_or_else(|| "argument".to_string()), pointee))
            })
            .collect()
    }
}
