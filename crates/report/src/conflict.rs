//! Conflicts as text.

use quipu_analysis::labels;
use quipu_cfront::Program;
use quipu_cover::Conflicting;
use quipu_goals::balanced;
use quipu_ir::{Block, Func, Terminator};

/// What one part of a conflict says.
pub fn conflicting(program: &Program, part: &Conflicting) -> String {
    match *part {
        Conflicting::Precondition => "the assumptions about the inputs".to_string(),
        Conflicting::Goal => "what the goal demands".to_string(),
        Conflicting::Defined { event, span, .. } => {
            let (text, place) = (balanced(&program.excerpt(span)), program.place(span));
            match event {
                Some(event) => format!("`{text}` is defined at {place}, without {}", event.name()),
                None => format!("`{text}` holds at {place}"),
            }
        }
        Conflicting::Reached { func, block } => {
            let code = program.module.functions[func].code().expect("places are in code");
            let span = code.blocks[block].span;
            format!("`{}` is reached at {}", balanced(&program.excerpt(span)), program.place(span))
        }
        Conflicting::Edge { func, block, edge } => taken(program, func, block, edge),
    }
}

/// That a block is left by one of its edges.
fn taken(program: &Program, func: Func, block: Block, edge: usize) -> String {
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
    format!("`{text}` is {says} at {}", program.place(span))
}
