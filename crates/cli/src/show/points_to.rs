//! `quipu show --points-to`: what pointers may point to in front of each statement.

use std::fmt::Write;

use quipu_analysis::PointsTo;
use quipu_analysis::points_to::{Relation, StatementRelations};
use quipu_cfront::Program;
use quipu_ir::{Func, Span};
use serde_json::{Value, json};

use super::Answer;
use crate::render::{merged, span_json};

/// The relations in functions. Each function starts a program of its own; `with_callees` if those that it calls are
/// shown as well.
pub fn answer(program: &Program, funcs: &[Func], with_callees: bool) -> Answer {
    let mut texts = Vec::new();
    let mut functions = Vec::new();
    for &entry in funcs.iter().filter(|&&func| program.module.functions[func].code().is_some()) {
        let points_to = PointsTo::of(&program.module, entry);
        let callees = points_to.functions().into_iter().filter(|&func| with_callees && func != entry);
        for func in std::iter::once(entry).chain(callees) {
            let places: Vec<(Span, StatementRelations)> = points_to
                .relations(func)
                .into_iter()
                .map(|relations| (span(program, func, &relations), relations))
                .collect();
            texts.push(text_of(program, func, &places));
            functions.push(json_of(program, func, &places));
        }
    }
    Answer { text: texts.join("\n"), json: json!({ "schema": 1, "functions": functions }) }
}

/// The place of a statement, or of the function for its end.
fn span(program: &Program, func: Func, relations: &StatementRelations) -> Span {
    let function = &program.module.functions[func];
    let stmt = relations.stmt.zip(function.code()).map(|(stmt, body)| body.stmts[stmt].span);
    stmt.unwrap_or(function.span)
}

fn text_of(program: &Program, func: Func, places: &[(Span, StatementRelations)]) -> String {
    let function = &program.module.functions[func];
    let mut out = format!("{}: function {}\n", program.place(function.span), function.name);
    for (span, StatementRelations { stmt, relations }) in places {
        let place = format!("{}:{}", span.line, span.column);
        let _ = match stmt {
            Some(_) => writeln!(out, "  {place:>8}  {}", program.excerpt(*span)),
            None => writeln!(out, "  {:>8}", "end"),
        };
        match relations {
            None => out.push_str("              not reached\n"),
            Some(relations) => relations.iter().for_each(|relation| {
                let _ = writeln!(out, "              {relation}");
            }),
        }
    }
    out
}

fn json_of(program: &Program, func: Func, places: &[(Span, StatementRelations)]) -> Value {
    let function = &program.module.functions[func];
    let statements: Vec<Value> = places
        .iter()
        .map(|(span, StatementRelations { stmt, relations })| {
            let place = stmt.map_or(json!({}), |_| span_json(program, *span));
            let relations: Option<Vec<Value>> =
                relations.as_ref().map(|relations| relations.iter().map(relation_json).collect());
            let fields = json!({
                "statement": stmt.map(|stmt| stmt.to_string()),
                "reached": relations.is_some(),
                "relations": relations.unwrap_or_default(),
            });
            merged(fields, place)
        })
        .collect();
    let head = json!({ "name": function.name, "statements": statements });
    merged(head, span_json(program, function.span))
}

fn relation_json(relation: &Relation) -> Value {
    json!({ "pointer": relation.pointer, "targets": relation.targets, "definite": relation.definite })
}
