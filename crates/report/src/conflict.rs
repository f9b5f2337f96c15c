//! Conflicts as text.

use quipu_analysis::labels;
use quipu_cfront::Program;
use quipu_cover::Conflicting;
use quipu_goals::balanced;
use quipu_inputs::is_outside;
use quipu_ir::{Block, Func, FuncBody, InstKind, Span, Terminator};

/// What one part of a conflict says.
pub fn conflicting(program: &Program, part: &Conflicting) -> String {
    let (text, span) = told(program, part);
    match span {
        Some(span) => format!("{text} at {}", program.place(span)),
        None => text,
    }
}

/// What a function does that nobody defines has no place in the program.
fn done_outside(program: &Program, func: Func) -> Option<String> {
    let name = &program.module.functions[func].source_name;
    is_outside(&program.module, func).then(|| format!("what `{name}` does, which has no body,"))
}

/// What one part of a conflict says, and where it stands.
pub(crate) fn told(program: &Program, part: &Conflicting) -> (String, Option<Span>) {
    if let Conflicting::Edge { func, .. } = *part
        && let Some(outside) = done_outside(program, func)
    {
        return (outside, None);
    }
    let (text, span) = match *part {
        Conflicting::Precondition => return ("the assumptions about the inputs".to_string(), None),
        Conflicting::Goal => return ("what is assumed and asked for holds".to_string(), None),
        Conflicting::Fails { span, .. } => {
            (format!("`{}` is false", balanced(&claimed(program, span))), span)
        }
        Conflicting::Defined { event, span, .. } => {
            let text = balanced(&program.excerpt(span));
            let told = match event {
                Some(event) => format!("`{text}` is defined, without {},", event.name()),
                None => format!("`{text}` holds"),
            };
            (told, span)
        }
        Conflicting::Reached { func, block } => {
            let code = program.module.functions[func].code().expect("places are in code");
            let span = start(code, block);
            (format!("`{}` is reached", balanced(&program.excerpt(span))), span)
        }
        Conflicting::Edge { func, block, edge } => taken(program, func, block, edge),
    };
    (text, Some(span))
}

/// The first statement of a block, or how it ends.
pub(crate) fn start(code: &FuncBody, block: Block) -> Span {
    let data = &code.blocks[block];
    let stmt = data.insts.iter().find_map(|inst| match inst.kind {
        InstKind::Stmt(stmt) => Some(code.stmts[stmt].span),
        _ => None,
    });
    stmt.unwrap_or(data.span)
}

/// What a call claims: its argument.
fn claimed(program: &Program, span: Span) -> String {
    let call = program.excerpt(span);
    let argument = call.split_once('(').and_then(|(_, rest)| rest.trim_end().strip_suffix(')'));
    argument.unwrap_or(&call).trim().to_string()
}

/// That a block is left by one of its edges.
fn taken(program: &Program, func: Func, block: Block, edge: usize) -> (String, Span) {
    let code = program.module.functions[func].code().expect("edges are in code");
    let data = &code.blocks[block];
    let (span, text, says) = match &data.term {
        Terminator::Branch { cond: Some(cond), .. } => {
            let cond = &code.conds[*cond];
            (cond.span, balanced(&cond.text), (edge == 0).to_string())
        }
        Terminator::Switch { decision: Some(decision), .. } => {
            let decision = &code.decisions[*decision];
            (decision.span, balanced(&decision.text), labels::ways(code, block).swap_remove(edge))
        }
        _ => (data.span, balanced(&program.excerpt(data.span)), (edge == 0).to_string()),
    };
    (format!("`{text}` is {says}"), span)
}
