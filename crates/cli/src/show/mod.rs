//! `quipu show`.

mod decisions;
mod graphs;
mod points_to;
mod slice;

use quipu_cfront::Program;
use quipu_ir::{Body, Func};
use serde_json::{Value, json};

use crate::args::Show;
use crate::exit::Exit;
use crate::load;
use crate::render;

/// Shows what the flags ask for.
pub fn show(show: &Show) -> Exit {
    let loaded = match show.points_to || show.slice.is_some() {
        true => load::load_with_variables(&show.source),
        false => load::load(&show.source),
    };
    let program = match loaded {
        Ok(program) => program,
        Err(exit) => return exit,
    };
    let funcs = match &show.function {
        None => program.module.functions.ids().filter(|&func| has_source(&program, func)).collect(),
        Some(name) => match load::find_function(&program, name) {
            Ok(func) => vec![func],
            Err(exit) => return exit,
        },
    };
    load::report_unsupported(&program, &funcs);
    let answer = if show.decisions {
        decisions::answer(&program, &funcs)
    } else if show.points_to {
        points_to::answer(&program, &funcs, show.function.is_some())
    } else if let Some(place) = &show.slice {
        match slice::answer(&program, place, show.function.is_some().then(|| funcs[0])) {
            Ok(answer) => answer,
            Err(exit) => return exit,
        }
    } else if show.ir {
        ir(&program, show.function.is_some().then_some(&funcs))
    } else {
        graphs::answer(&program, &funcs, show)
    };
    match show.json {
        true => render::print(&serde_json::to_string_pretty(&answer.json).expect("JSON values should print")),
        false => render::print(&answer.text),
    }
    Exit::Fine
}

/// What a command has to say, in both forms.
struct Answer {
    text: String,
    json: Value,
}

/// Whether the program has the function's source, supported or not.
fn has_source(program: &Program, func: Func) -> bool {
    !matches!(program.module.functions[func].body, Body::Declared)
}

fn ir(program: &Program, only: Option<&Vec<Func>>) -> Answer {
    let text = match only {
        None => quipu_ir::print(&program.module),
        Some(funcs) => funcs.iter().map(|&func| quipu_ir::print_function(&program.module, func)).collect(),
    };
    let json = json!({ "schema": 1, "ir": text });
    Answer { text, json }
}
