//! Places of clauses in a translated program.
//!
//! The front end tells what was generated where that stands: in the lines of an addition, or where a piece was put into
//! a file, which for claims is the start of their clause. Here all of it gets the places and texts of clauses. So no two
//! claims of a function share a place, and nothing that is told about a program shows text that nobody wrote.

use std::collections::{BTreeMap, BTreeSet};

use quipu_base::Id;
use quipu_cfront::{Program, SourceText};
use quipu_ir::{Body, FileId, Func, FuncBody, Module, Span, Terminator};

use crate::calls::{ClaimCall, claim_calls};
use crate::{Annotations, ClaimKind, ClausePlace};

/// Gives clauses their places in a program that was translated with them.
pub(crate) fn tell(program: &mut Program, annotations: &Annotations) {
    let mut files = Files { program, annotations };
    let claims: Vec<Clause> = annotations
        .claims
        .iter()
        .map(|claim| Clause { span: files.span(&claim.place), text: claim.text.clone() })
        .collect();
    let mut generated: Vec<(Func, BTreeMap<u32, Clause>)> = Vec::new();
    for one in &annotations.generated {
        let lines = one.lines.iter().map(|told| {
            let span = files.span(&told.place);
            let span = if told.keeps { first_letter(span) } else { span };
            (told.line, Clause { span, text: told.text.clone() })
        });
        let lines = lines.collect();
        generated.extend(files.program.module.function(&one.function).map(|func| (func, lines)));
    }
    let module = &mut program.module;
    let calls = claim_calls(module);
    for (func, lines) in generated {
        let clause = |span: &Span| lines.get(&span.line);
        code_mut(module, func).into_iter().for_each(|code| tell_clauses(code, &clause));
    }
    let own = annotations.claims.iter().filter_map(|claim| module.function(&claim.function));
    let own: BTreeSet<Func> = own.collect();
    tell_inserted(module, &claims, own);
    for ClaimCall { claim, func, block, inst } in calls {
        let Some(Clause { span, .. }) = claims.get(claim) else { continue };
        let span = match annotations.claims[claim].kind {
            ClaimKind::Evaluation => first_letter(*span),
            _ => *span,
        };
        if let Some(code) = code_mut(module, func) {
            code.blocks[block].insts[inst].span = span;
        }
    }
}

/// The first letter of a clause stands for what is only needed to evaluate it.
fn first_letter(span: Span) -> Span {
    Span { end_line: span.line, end_column: span.column + 1, ..span }
}

/// A clause in the source.
struct Clause {
    span: Span,
    text: String,
}

/// What was put into functions of the user has no extent, and stands where a clause starts.
fn tell_inserted(module: &mut Module, claims: &[Clause], functions: BTreeSet<Func>) {
    let start = |span: &Span| (span.file, span.line, span.column);
    let starts: BTreeMap<(FileId, u32, u32), &Clause> =
        claims.iter().map(|clause| (start(&clause.span), clause)).collect();
    let clause = |span: &Span| {
        let is_made = (span.line, span.column) == (span.end_line, span.end_column);
        starts.get(&start(span)).copied().filter(|_| is_made)
    };
    for func in functions {
        code_mut(module, func).into_iter().for_each(|code| tell_clauses(code, &clause));
    }
}

/// Tells what belongs to clauses to be these.
fn tell_clauses<'c>(code: &mut FuncBody, clause: &dyn Fn(&Span) -> Option<&'c Clause>) {
    let tell = |span: &mut Span| {
        if let Some(clause) = clause(span) {
            *span = clause.span;
        }
    };
    for block in code.blocks.iter_mut() {
        tell(&mut block.span);
        block.insts.iter_mut().for_each(|inst| tell(&mut inst.span));
        if let Terminator::Switch { cases, .. } = &mut block.term {
            cases.iter_mut().for_each(|case| tell(&mut case.span));
        }
    }
    code.stmts.iter_mut().for_each(|stmt| tell(&mut stmt.span));
    let tell_text = |span: &mut Span, text: &mut String| {
        if let Some(clause) = clause(span) {
            (*span, *text) = (clause.span, clause.text.clone());
        }
    };
    code.decisions.iter_mut().for_each(|decision| tell_text(&mut decision.span, &mut decision.text));
    code.conds.iter_mut().for_each(|cond| tell_text(&mut cond.span, &mut cond.text));
}

fn code_mut(module: &mut Module, func: Func) -> Option<&mut FuncBody> {
    match &mut module.functions[func].body {
        Body::Defined(code) => Some(code),
        Body::Declared | Body::Unsupported(_) => None,
    }
}

/// The files of a program, by the texts that the user wrote.
struct Files<'a> {
    program: &'a mut Program,
    annotations: &'a Annotations,
}

impl Files<'_> {
    fn span(&mut self, place: &ClausePlace) -> Span {
        let ClausePlace { line, column, end_line, end_column, .. } = *place;
        Span { file: self.number(&place.file), line, column, end_line, end_column }
    }

    /// The file of a name. Additions are called like the file that they belong to, and have other texts.
    fn number(&mut self, name: &str) -> FileId {
        let is_addition = |source: &SourceText| {
            self.annotations.additions.iter().any(|addition| source.bytes() == addition.text.as_bytes())
        };
        let known =
            self.program.sources.iter().position(|source| source.name == name && !is_addition(source));
        if let Some(known) = known {
            return FileId::new(known);
        }
        let header = self.program.headers.iter().find(|header| header.name == name);
        let text = header.expect("an annotation stands in a file of the program").clone();
        self.program.sources.push(text);
        self.program.module.files.push(name.to_string())
    }
}
