//! Functions that nobody defines get a body: the program is translated once more with these.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use quipu_cfront::{Addition, Program};
use quipu_inputs::{add_provisions, functions_by_address, is_stub};
use quipu_ir::{Callee, Func, InstKind, Module};
use quipu_outside::Stub;

use super::Loaded;
use super::stub_spec::{Said, StubDemand};
use crate::exit::Exit;
use crate::load;

/// Gives functions that nobody defines a body, as far as C has words for it. What the user says about a function needs
/// one.
pub fn with_outside(mut loaded: Loaded) -> Result<Loaded, Exit> {
    let mut module = loaded.program.module.clone();
    add_provisions(&mut module);
    let stubs: BTreeMap<String, Stub> = loaded.stubs.iter().filter_map(narrowed).collect();
    let calls = calls(&module, &loaded.files);
    let mut bodies = quipu_outside::bodies(&module, &calls, &stubs);
    let mut program = translated(&loaded, &bodies);
    if program.is_none() {
        // What is wrong with some of them must not be in the way of the others.
        bodies.retain(|body| translated(&loaded, std::slice::from_ref(body)).is_some());
        program = translated(&loaded, &bodies);
    }
    if program.is_none() {
        bodies.clear();
    }
    let called = calls.iter().flat_map(|(_, called)| called);
    let is_left_out = |func: &&Func| {
        let is_named = stubs.contains_key(&module.functions[**func].source_name);
        is_named && bodies.iter().all(|(own, _)| own != *func)
    };
    let left_out: BTreeSet<Func> = called.filter(is_left_out).copied().collect();
    if !left_out.is_empty() {
        let complaints: Vec<String> = left_out.iter().map(|&func| loaded.wordless(func)).collect();
        return Err(load::complain(&complaints.join("\n")));
    }
    if let Some(program) = program.filter(|_| !bodies.is_empty()) {
        loaded.program = program;
        loaded.annotations.additions.extend(bodies.into_iter().map(|(_, addition)| addition));
    }
    Ok(loaded)
}

/// What is said about a function, unless it has a model.
fn narrowed(stub: &StubDemand) -> Option<(String, Stub)> {
    match &stub.what {
        Said::Does(what) => Some((stub.function.clone(), what.clone())),
        Said::Model(_) => None,
    }
}

fn translated(loaded: &Loaded, bodies: &[(Func, Addition)]) -> Option<Program> {
    let additions: Vec<Addition> = bodies.iter().map(|(_, addition)| addition.clone()).collect();
    loaded.annotations.compile(&loaded.files, &additions, &loaded.options).ok()
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
