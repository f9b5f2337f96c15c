//! Functions that nobody defines get a body: the program is translated once more with these.

use std::collections::BTreeSet;
use std::path::PathBuf;

use quipu_cfront::{Addition, Program};
use quipu_inputs::{add_provisions, functions_by_address, is_stub};
use quipu_ir::{Callee, Func, InstKind, Module};

use super::Loaded;

/// Gives functions that nobody defines a body, as far as C has words for it.
pub fn with_outside(mut loaded: Loaded) -> Loaded {
    let mut module = loaded.program.module.clone();
    add_provisions(&mut module);
    let bodies = quipu_outside::bodies(&module, &calls(&module, &loaded.files));
    if bodies.is_empty() {
        return loaded;
    }
    if let Some(program) = translated(&loaded, &bodies) {
        loaded.program = program;
        loaded.annotations.additions.extend(bodies);
        return loaded;
    }
    // What is wrong with some of them must not be in the way of the others.
    let fine: Vec<Addition> =
        bodies.into_iter().filter(|body| translated(&loaded, std::slice::from_ref(body)).is_some()).collect();
    if let Some(program) = translated(&loaded, &fine) {
        loaded.program = program;
        loaded.annotations.additions.extend(fine);
    }
    loaded
}

fn translated(loaded: &Loaded, bodies: &[Addition]) -> Option<Program> {
    loaded.annotations.compile(&loaded.files, bodies, &loaded.options).ok()
}

/// The functions that the code of each file calls or names, and the stubs for what stands there.
fn calls(module: &Module, files: &[PathBuf]) -> Vec<(String, BTreeSet<Func>)> {
    let named = functions_by_address(module);
    let stubs = module.functions.entries().filter(|(_, function)| is_stub(function)).map(|(func, _)| func);
    let elsewhere: BTreeSet<Func> = named.into_iter().chain(stubs).collect();
    let mut found: Vec<(String, BTreeSet<Func>)> = Vec::new();
    for file in files {
        let name = file.to_string_lossy().into_owned();
        let here =
            module.functions.iter().filter(|function| module.files.get(function.span.file) == Some(&name));
        let insts = here
            .filter_map(|one| one.code())
            .flat_map(|code| code.blocks.iter())
            .flat_map(|block| &block.insts);
        let called = insts.filter_map(|inst| match inst.kind {
            InstKind::Call(Callee::Direct(func), _) => Some(func),
            _ => None,
        });
        let called = called.collect();
        found.push((name, called));
    }
    // Whatever no code of a file calls belongs to the file in which it is named.
    for func in elsewhere {
        let own = module.files.get(module.functions[func].span.file);
        let home = found.iter().position(|(name, _)| Some(name) == own).unwrap_or(0);
        if let Some((_, called)) = found.get_mut(home) {
            called.insert(func);
        }
    }
    found
}
