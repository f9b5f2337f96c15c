//! Paths as users name them.

use quipu_cfront::Program;
use quipu_encode::{Paths, Stray, Wanted, WantedOutcome, named_path};
use quipu_ir::{Decision, FileId, Func, Span};

/// What a decision chooses on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathStepName {
    pub line: u32,
    pub column: Option<u32>,
    pub outcome: WantedOutcome,
}

/// Why a name is no path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathNameError {
    /// No decision of the function stands there.
    NoDecision { step: usize },
    /// Behind so many steps this decides, or the function ends.
    Stray { fitting: usize, next: Option<Span> },
}

/// The path of a function with these steps, in the order of execution.
///
/// # Errors
///
/// If there is none.
pub fn path_named(program: &Program, func: Func, steps: &[PathStepName]) -> Result<Paths, PathNameError> {
    let function = &program.module.functions[func];
    let code = function.code().expect("a function under test has code");
    let mut wanted = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let is_meant = |span: Span| is_at(span, function.span.file, step);
        let decisions: Vec<Decision> =
            code.decisions.entries().filter(|(_, data)| is_meant(data.span)).map(|(id, _)| id).collect();
        if decisions.is_empty() {
            return Err(PathNameError::NoDecision { step: number });
        }
        wanted.push(Wanted { decisions, outcome: step.outcome });
    }
    named_path(func, code, &wanted).map_err(|Stray { fitting, next }| PathNameError::Stray {
        fitting,
        next: next.map(|decision| code.decisions[decision].span),
    })
}

fn is_at(span: Span, file: FileId, step: &PathStepName) -> bool {
    span.file == file && span.line == step.line && step.column.is_none_or(|column| span.column == column)
}
