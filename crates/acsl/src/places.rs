//! Places of clauses in a translated program.
//!
//! The front end tells the places of what was generated where that stands: behind each other in a line, or all where a
//! piece was put into a file. Here, calls by which claims are made get the places of their clauses, so that no two
//! claims of a function share one; and the functions that contracts have become consist of their clauses, for all that
//! is told about them.

use quipu_base::Id;
use quipu_cfront::{Program, SourceText};
use quipu_ir::{Body, FileId, Func, FuncBody, Module, Span, Terminator};

use crate::calls::{ClaimCall, claim_calls};
use crate::{Annotations, ClaimKind, ClausePlace};

/// Gives clauses their places in a program that was translated with them.
pub(crate) fn tell(program: &mut Program, annotations: &Annotations) {
    let generated = generated(&program.module, annotations);
    let mut files = Files { program, annotations };
    let functions: Vec<(Func, Vec<(Span, String)>)> = generated
        .into_iter()
        .map(|(func, clauses)| {
            let told = clauses.into_iter().map(|(place, text)| (files.span(&place), text));
            (func, told.collect())
        })
        .collect();
    let claims: Vec<Span> = annotations
        .claims
        .iter()
        .map(|claim| {
            let span = files.span(&claim.place);
            match claim.kind {
                // The first letter stands for the question whether there is an answer.
                ClaimKind::Evaluation => Span { end_line: span.line, end_column: span.column + 1, ..span },
                _ => span,
            }
        })
        .collect();
    let calls = claim_calls(&program.module);
    for (func, clauses) in functions {
        if let Some(code) = code_mut(&mut program.module, func) {
            tell_clauses(code, &clauses);
        }
    }
    for ClaimCall { claim, func, block, inst } in calls {
        if let (Some(code), Some(&span)) = (code_mut(&mut program.module, func), claims.get(claim)) {
            code.blocks[block].insts[inst].span = span;
        }
    }
}

/// The functions that contracts have become, with the clauses that they are made of.
fn generated(module: &Module, annotations: &Annotations) -> Vec<(Func, Vec<(ClausePlace, String)>)> {
    let mut all = Vec::new();
    for contract in &annotations.contracts {
        for gate in &contract.gates {
            let func = module.function(&gate.function);
            all.extend(func.map(|func| (func, vec![(gate.place.clone(), gate.text.clone())])));
        }
        let wrapper = contract.wrapper.as_ref().and_then(|wrapper| module.function(wrapper));
        let Some(func) = wrapper else { continue };
        let own = annotations.claims.iter().filter(|claim| {
            let is_inside = matches!(
                claim.kind,
                ClaimKind::Requires
                    | ClaimKind::Assert
                    | ClaimKind::LoopInvariant { .. }
                    | ClaimKind::Evaluation
            );
            claim.function == contract.function && claim.place.file == contract.place.file && !is_inside
        });
        let mut clauses: Vec<_> = own.map(|claim| (claim.place.clone(), claim.text.clone())).collect();
        clauses.push((contract.place.clone(), contract.text.clone()));
        clauses.sort();
        clauses.dedup_by(|a, b| a.0 == b.0);
        all.push((func, clauses));
    }
    all
}

/// Everything in a function is told to be the last clause that does not start behind it.
fn tell_clauses(code: &mut FuncBody, clauses: &[(Span, String)]) {
    let start = |span: &Span| (span.line, span.column);
    let clause = |span: &Span| {
        let behind = clauses.partition_point(|(clause, _)| start(clause) <= start(span));
        &clauses[behind.saturating_sub(1)]
    };
    let tell = |span: &mut Span| *span = clause(span).0;
    for block in code.blocks.iter_mut() {
        tell(&mut block.span);
        block.insts.iter_mut().for_each(|inst| tell(&mut inst.span));
        if let Terminator::Switch { cases, .. } = &mut block.term {
            cases.iter_mut().for_each(|case| tell(&mut case.span));
        }
    }
    code.stmts.iter_mut().for_each(|stmt| tell(&mut stmt.span));
    for decision in code.decisions.iter_mut() {
        (decision.span, decision.text) = clause(&decision.span).clone();
    }
    for cond in code.conds.iter_mut() {
        (cond.span, cond.text) = clause(&cond.span).clone();
    }
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
