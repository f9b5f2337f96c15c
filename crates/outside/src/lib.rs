//! What functions do that nobody defines.
//!
//! A function without a body is code of another file: it returns anything, and may change what it was given. Here it gets
//! a body in C that does so by asking: whether it changes something, and to which value, is the result of a function of
//! its own that takes no arguments, and so an input of the test. Interpreter, encoding, compiled program and exported
//! tests all run this one text. Nothing changes as long as all answers are zero. What the user says about the function
//! ([`Stub`]) is a part of the text: it asks for less.
//!
//! Such a body does not do everything: memory that was handed over earlier stays as it is, and so do elements of buffers
//! beyond the first ones and pointers inside of structs. That is an assumption of every proof that needs it.

mod argument;
mod body;
mod fitting;
mod given;
mod part;
mod result;
mod scope;
mod stub;

use std::collections::{BTreeMap, BTreeSet};

use quipu_cfront::Addition;
use quipu_inputs::only_returns;
use quipu_interp::is_modelled;
use quipu_ir::{Body, Func, Function, Module};

pub use fitting::{Misfit, misfits};
pub use stub::{Stub, is_same};

/// What the name of a body starts with.
const PREFIX: &str = "quipu_outside_";

/// The bodies of all functions that nobody defines and that could change something, each as an addition to the file of the
/// program that calls it. `calls` has for each file its name, and the functions that it calls or points to; `stubs` what
/// the user says about functions, by their names.
pub fn bodies(
    module: &Module,
    calls: &[(String, BTreeSet<Func>)],
    stubs: &BTreeMap<String, Stub>,
) -> Vec<(Func, Addition)> {
    let missing = module.functions.entries().filter(|(_, function)| is_missing(function));
    let text = |(func, function): (Func, &Function)| {
        let file = calls.iter().position(|(_, called)| called.contains(&func))?;
        let stub = stubs.get(&function.source_name);
        let globals = match stub.and_then(|stub| stub.changes.as_ref()) {
            Some(names) => scope::named_globals(module, &calls[file].0, names),
            None => scope::shared_globals(module, &calls[file].0),
        };
        let made = body::definition(module, func, &globals, stub)?;
        Some((func, Addition { file, name: made.known.file_name(), text: made.text }))
    };
    missing.filter_map(text).collect()
}

/// Whether a function of the program is one of which only the declaration is known, and which may come back.
pub fn is_missing(function: &Function) -> bool {
    let is_known = is_modelled(&function.source_name)
        || function.source_name.starts_with("__builtin_")
        || only_returns(&function.source_name);
    function.body == Body::Declared && !function.noreturn && !is_known
}

/// Calls the functions of a program that have got a body here by the names that the source has for them.
pub fn adopt(module: &mut Module) {
    for function in module.functions.iter_mut() {
        if let Some(name) = function.source_name.strip_prefix(PREFIX) {
            function.source_name = name.to_string();
        }
    }
}
