//! `quipu show --decisions`: the statements, decisions and conditions that testing goals are made of.

use std::fmt::Write;

use quipu_cfront::Program;
use quipu_ir::{Body, Decision, Func, FuncBody, Span, Terminator};
use quipu_num::Width;
use serde_json::{Value, json};

use super::Answer;
use crate::render::{merged, span_json};

pub fn answer(program: &Program, funcs: &[Func]) -> Answer {
    let text = funcs.iter().map(|&func| text_of(program, func)).collect::<Vec<_>>().join("\n");
    let functions: Vec<Value> = funcs.iter().map(|&func| json_of(program, func)).collect();
    Answer { text, json: json!({ "schema": 1, "functions": functions }) }
}

fn text_of(program: &Program, func: Func) -> String {
    let function = &program.module.functions[func];
    let mut out = format!("{}: function {}\n", program.place(function.span), function.name);
    let Some(body) = function.code() else {
        let _ = writeln!(out, "  no code");
        return out;
    };
    let mut lines: Vec<(Span, u8, String)> = Vec::new();
    for (stmt, data) in body.stmts.entries() {
        lines.push((data.span, 0, format!("statement {stmt}: {}", program.excerpt(data.span))));
    }
    for (decision, data) in body.decisions.entries() {
        lines.push((data.span, 1, format!("decision {decision} {}: {}", data.kind.name(), data.text)));
        for (value, span) in cases(body, decision) {
            lines.push((span, 2, format!("  case of {decision}: {value}")));
        }
    }
    for (cond, data) in body.conds.entries() {
        let constant = data.constant.map_or(String::new(), |outcome| format!(" (always {outcome})"));
        lines.push((
            data.span,
            2,
            format!("  condition {cond} of {}: {}{constant}", data.decision, data.text),
        ));
    }
    // What starts at one place is listed from the outside in.
    lines.sort_by_key(|(span, rank, _)| (span.file, span.line, span.column, *rank));
    for (span, _, line) in lines {
        let _ = writeln!(out, "  {:>4}:{:<3} {line}", span.line, span.column);
    }
    out
}

fn json_of(program: &Program, func: Func) -> Value {
    let function = &program.module.functions[func];
    let head = merged(
        json!({ "name": function.name, "supported": function.code().is_some() }),
        span_json(program, function.span),
    );
    let Some(body) = function.code() else {
        let Body::Unsupported(reasons) = &function.body else { return head };
        let reasons: Vec<Value> = reasons
            .iter()
            .map(|reason| merged(json!({ "what": reason.what }), span_json(program, reason.span)))
            .collect();
        return merged(head, json!({ "unsupported": reasons }));
    };
    let stmts: Vec<Value> = body
        .stmts
        .entries()
        .map(|(stmt, data)| merged(json!({ "id": stmt.to_string() }), span_json(program, data.span)))
        .collect();
    let decisions: Vec<Value> =
        body.decisions.ids().map(|decision| decision_json(program, body, decision)).collect();
    merged(head, json!({ "statements": stmts, "decisions": decisions }))
}

fn decision_json(program: &Program, body: &FuncBody, decision: Decision) -> Value {
    let data = &body.decisions[decision];
    let conditions: Vec<Value> = body
        .conds_of(decision)
        .map(|cond| {
            let data = &body.conds[cond];
            let fields = json!({ "id": cond.to_string(), "text": data.text, "constant": data.constant });
            merged(fields, span_json(program, data.span))
        })
        .collect();
    let cases: Vec<Value> = cases(body, decision)
        .map(|(value, span)| merged(json!({ "value": value }), span_json(program, span)))
        .collect();
    let fields = json!({
        "id": decision.to_string(),
        "kind": data.kind.name(),
        "text": data.text,
        "conditions": conditions,
        "cases": cases,
    });
    merged(fields, span_json(program, data.span))
}

/// The cases of a switch: the values, as signed numbers, and where they are written.
fn cases(body: &FuncBody, decision: Decision) -> impl Iterator<Item = (String, Span)> {
    let switch = body.blocks.iter().find_map(|block| match &block.term {
        Terminator::Switch { value, cases, decision: Some(own), .. } if *own == decision => {
            Some((body.ty(*value).width().unwrap_or(Width::W64), cases))
        }
        _ => None,
    });
    switch.into_iter().flat_map(|(width, cases)| {
        cases.iter().map(move |case| {
            let (low, high) = (width.signed(case.low), width.signed(case.high));
            let text = if low == high { low.to_string() } else { format!("{low} ... {high}") };
            (text, case.span)
        })
    })
}
