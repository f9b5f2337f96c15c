//! Assumptions in C: each becomes a function with the parameters of the function that it is about.

use quipu_cfront::{Addition, Program};
use quipu_ctext::parameters;
use quipu_ir::{Func, Module};

use super::demand::{Assumption, Origin};
use super::{Loaded, testable};
use crate::exit::Exit;
use crate::load;

/// An assumption as a part of the program.
pub struct Precondition {
    /// The name of the function that it is about.
    pub function: String,
    /// The function that evaluates it.
    pub gate: Func,
    pub assumption: Assumption,
}

/// Translates the program once more, with the assumptions behind it. Those of options are about the one function named;
/// those of a file are about functions that this program may have or not.
pub fn with_assumptions(loaded: Loaded, named: &[String]) -> Result<Loaded, Exit> {
    let module = &loaded.program.module;
    let mut wanted: Vec<(Func, Assumption)> = Vec::new();
    for assumption in &loaded.demands.options.assumptions {
        let [name] = named else {
            let message = "error: --assume is about the inputs of one function\n  = hint: name it with -f";
            return Err(load::complain(message));
        };
        let func = testable(&loaded, name)?;
        wanted.push((loaded.wrapper(func).unwrap_or(func), assumption.clone()));
    }
    for (func, function) in module.functions.entries().filter(|(_, function)| function.code().is_some()) {
        let is_tested = named.is_empty() || named.contains(&module.functions[loaded.told(func)].name);
        let own = loaded.demands.file.assumptions.iter();
        let own = own.filter(|assumption| is_tested && assumption.function.as_ref() == Some(&function.name));
        wanted.extend(own.map(|assumption| (func, assumption.clone())));
    }
    if wanted.is_empty() {
        return Ok(loaded);
    }
    let additions = wanted.iter().enumerate().map(|(n, (func, assumption))| {
        let parameters = parameters_of(module, *func)?;
        Ok(Addition { file: file_of(&loaded, *func), ..addition(n, &parameters, assumption) })
    });
    let additions = additions.collect::<Result<Vec<Addition>, Exit>>()?;
    let compiled = loaded.annotations.compile(&loaded.files, &additions, &loaded.options);
    let program = compiled.map_err(|failure| {
        crate::talk::tell(&failure.to_string());
        Exit::BadInput
    })?;
    let preconditions = wanted.into_iter().enumerate().map(|(n, (func, assumption))| Precondition {
        function: module.functions[func].name.clone(),
        gate: gate(&program, n),
        assumption,
    });
    let preconditions = preconditions.collect();
    Ok(Loaded { program, preconditions, ..loaded })
}

/// The function for an assumption. Its result has a type of its own: no function pointer of the program may point to it.
fn addition(n: usize, parameters: &str, assumption: &Assumption) -> Addition {
    let ty = format!("enum quipu_truth_{n} {{ quipu_false_{n}, quipu_true_{n} }}");
    let head = format!("{ty} quipu_assumption_{n}{parameters} {{ return !!(");
    let text = &assumption.text;
    // The expression has a line of its own, so that a message shows just that. For a file it is the line in the file.
    match &assumption.origin {
        Origin::Option(_) => {
            Addition { file: 0, name: "--assume".to_string(), text: format!("{head}\n{text}\n); }}\n") }
        }
        Origin::File(at) => {
            let above = "\n".repeat((at.line as usize).saturating_sub(2));
            // The quote is one column in front of the text. In the first line there is no room for a line above.
            let between = match at.line {
                0 | 1 => " ".to_string(),
                _ => format!("\n{}", " ".repeat(at.column as usize)),
            };
            Addition {
                file: 0,
                name: at.file.clone(),
                text: format!("{above}{head}{between}{text}\n); }}\n"),
            }
        }
    }
}

fn gate(program: &Program, n: usize) -> Func {
    let name = format!("quipu_assumption_{n}");
    program.module.function(&name).expect("an addition is part of the program")
}

/// The file of the program in which a function stands.
fn file_of(loaded: &Loaded, func: Func) -> usize {
    let module = &loaded.program.module;
    let file = &module.files[module.functions[func].span.file];
    loaded.files.iter().position(|path| path.to_string_lossy() == *file).unwrap_or(0)
}

fn parameters_of(module: &Module, func: Func) -> Result<String, Exit> {
    let name = &module.functions[func].source_name;
    parameters(module, func)
        .ok_or_else(|| load::complain(&format!("error: the parameters of `{name}` cannot be written in C")))
}
