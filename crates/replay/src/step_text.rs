//! Steps as text for people, with lines of the user's files.

use quipu_interp::Step;
use quipu_ir::{Func, Module, Span};

/// What a step says.
pub(crate) fn step_text(module: &Module, step: Step) -> String {
    let code = |func: Func| module.functions[func].code().expect("steps happen in code");
    let name = |func: Func| &module.functions[func].source_name;
    let place = |span: Span| format!("{}:{}", module.files[span.file], span.line);
    match step {
        Step::Enter(func) => format!("enters `{}`", name(func)),
        Step::Leave(func) => format!("leaves `{}`", name(func)),
        Step::Stmt(func, stmt) => format!("{}: a statement starts", place(code(func).stmts[stmt].span)),
        Step::Cond(func, cond, value, _) => {
            let data = &code(func).conds[cond];
            format!("{}: `{}` is {value}", place(data.span), data.text)
        }
        Step::Switch(func, decision, arm) => {
            let data = &code(func).decisions[decision];
            format!("{}: switch on `{}` takes arm {}", place(data.span), data.text, arm + 1)
        }
    }
}
