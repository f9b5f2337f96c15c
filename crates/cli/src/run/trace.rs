//! The trace of a run in terms of the source.

use std::fmt::Write;

use quipu_cfront::Program;
use quipu_interp::{Trace, TraceItem};
use quipu_ir::{Block, Func, FuncBody, Span, Terminator};
use serde_json::{Value, json};

use crate::render::{merged, span_json};

/// Something of the source that happened.
enum Step {
    Enter(String),
    Leave(String),
    Statement(Span),
    Condition { span: Span, text: String, outcome: bool },
    Decision { span: Span, text: String, outcome: String },
}

/// The steps of the source behind the blocks and edges of a trace.
fn steps(program: &Program, trace: &Trace) -> Vec<Step> {
    let name = |func: Func| program.module.functions[func].name.clone();
    let mut steps = Vec::new();
    for item in &trace.items {
        match *item {
            TraceItem::Enter(func) => steps.push(Step::Enter(name(func))),
            TraceItem::Leave(func) => steps.push(Step::Leave(name(func))),
            TraceItem::Block(..) => {}
            TraceItem::Stmt(func, stmt) => {
                if let Some(body) = program.module.functions[func].code() {
                    steps.push(Step::Statement(body.stmts[stmt].span));
                }
            }
            TraceItem::Edge(func, block, edge) => {
                if let Some(body) = program.module.functions[func].code() {
                    edge_steps(body, block, edge, &mut steps);
                }
            }
        }
    }
    steps
}

fn edge_steps(body: &FuncBody, block: Block, edge: usize, steps: &mut Vec<Step>) {
    match &body.blocks[block].term {
        Terminator::Branch { cond: Some(cond), then, otherwise, .. } => {
            let data = &body.conds[*cond];
            steps.push(Step::Condition { span: data.span, text: data.text.clone(), outcome: edge == 0 });
            let taken = if edge == 0 { then } else { otherwise };
            if let Some(outcome) = taken.outcome {
                let decision = &body.decisions[data.decision];
                let text = decision.text.clone();
                steps.push(Step::Decision { span: decision.span, text, outcome: outcome.to_string() });
            }
        }
        Terminator::Switch { cases, decision: Some(decision), .. } => {
            let data = &body.decisions[*decision];
            let outcome = match cases.get(edge) {
                Some(case) => format!("case at line {}", case.span.line),
                None => "default".to_string(),
            };
            steps.push(Step::Decision { span: data.span, text: data.text.clone(), outcome });
        }
        _ => {}
    }
}

/// One line for each step, indented by the depth of calls.
pub fn text(program: &Program, trace: &Trace) -> String {
    let mut out = String::new();
    let mut depth = 0usize;
    for step in steps(program, trace) {
        if let Step::Leave(_) = step {
            depth = depth.saturating_sub(1);
        }
        let pad = "  ".repeat(depth);
        let _ = match &step {
            Step::Enter(name) => writeln!(out, "{pad}enter {name}"),
            Step::Leave(name) => writeln!(out, "{pad}leave {name}"),
            Step::Statement(span) => {
                writeln!(out, "{pad}{}: {}", program.place(*span), program.excerpt(*span))
            }
            Step::Condition { text, outcome, .. } => writeln!(out, "{pad}  condition {text}: {outcome}"),
            Step::Decision { text, outcome, .. } => writeln!(out, "{pad}  decision {text}: {outcome}"),
        };
        if let Step::Enter(_) = step {
            depth += 1;
        }
    }
    out
}

/// One object for each step.
pub fn json(program: &Program, trace: &Trace) -> Vec<Value> {
    let object = |step| match step {
        Step::Enter(name) => json!({ "step": "enter", "function": name }),
        Step::Leave(name) => json!({ "step": "leave", "function": name }),
        Step::Statement(span) => merged(json!({ "step": "statement" }), span_json(program, span)),
        Step::Condition { span, text, outcome } => {
            merged(json!({ "step": "condition", "text": text, "outcome": outcome }), span_json(program, span))
        }
        Step::Decision { span, text, outcome } => {
            merged(json!({ "step": "decision", "text": text, "outcome": outcome }), span_json(program, span))
        }
    };
    steps(program, trace).into_iter().map(object).collect()
}
