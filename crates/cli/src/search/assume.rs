//! Assumptions in C: each becomes a function with the parameters of the function under test.

use quipu_cfront::{Addition, compile_with};
use quipu_ctext::prototype;

use super::{Loaded, testable};
use crate::exit::Exit;
use crate::load;

/// Translates the program once more, with the assumptions behind it.
pub fn with_assumptions(
    loaded: Loaded,
    assumptions: &[String],
    function: Option<&str>,
) -> Result<Loaded, Exit> {
    let Some(name) = function else {
        let message = "error: --assume is about the inputs of one function\n  = hint: name it with -f";
        return Err(load::complain(message));
    };
    let func = testable(&loaded, name)?;
    let module = &loaded.program.module;
    let Some(parameters) =
        prototype(module, func).and_then(|text| parameters(&text, &module.functions[func].source_name))
    else {
        return Err(load::complain(&format!("error: the parameters of `{name}` cannot be written in C")));
    };
    let file = &module.files[module.functions[func].span.file];
    let file = loaded.files.iter().position(|path| path.to_string_lossy() == *file).unwrap_or(0);
    let names: Vec<String> = (0..assumptions.len()).map(|n| format!("quipu_assumption_{n}")).collect();
    let additions: Vec<Addition> = assumptions
        .iter()
        .zip(&names)
        .map(|(text, name)| Addition {
            file,
            name: "--assume".to_string(),
            // The expression has a line of its own, so that a message shows just that.
            text: format!("int {name}{parameters} {{ return !!(\n{text}\n); }}\n"),
        })
        .collect();
    let program = compile_with(&loaded.files, &additions, &loaded.options).map_err(|failure| {
        eprintln!("{failure}");
        Exit::BadInput
    })?;
    let find = |name: &String| program.module.function(name).expect("an addition is part of the program");
    let preconditions = names.iter().map(find).collect();
    Ok(Loaded { program, preconditions, assumed: assumptions.to_vec(), ..loaded })
}

/// The parameter list in a prototype of a function.
fn parameters(prototype: &str, name: &str) -> Option<String> {
    let start = prototype.find(&format!("{name}("))? + name.len();
    let mut depth = 0;
    let end = prototype[start..].char_indices().find_map(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(start + at + 1)
    })?;
    Some(prototype[start..end].to_string())
}
