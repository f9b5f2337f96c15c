//! Which functions are judged through their callers.
//!
//! A static function whose address nobody takes is called by the functions of its file and by no other. What it does
//! with arguments that none of them passes does not matter.

use std::collections::BTreeSet;

use quipu_analysis::CallGraph;
use quipu_ir::{Body, Func};

use crate::search::Loaded;

/// The functions among `own` of which all callers are known and can be followed. Each of them can be reached from one
/// of the others.
pub fn helpers(loaded: &Loaded, own: &[Func], calls: &CallGraph) -> BTreeSet<Func> {
    let functions = &loaded.program.module.functions;
    // Who calls what in there is not known.
    if functions.iter().any(|function| matches!(function.body, Body::Unsupported(_))) {
        return BTreeSet::new();
    }
    let is_hidden = |func: &Func| {
        let function = &functions[*func];
        function.local
            && function.code().is_some()
            && !calls.address_taken[*func]
            && loaded.wrapper(*func).is_none()
    };
    let mut helpers: BTreeSet<Func> = own.iter().copied().filter(is_hidden).collect();
    while let Some(lonely) = lonely(own, &helpers, calls) {
        helpers.remove(&lonely);
    }
    helpers
}

/// One of the helpers to which no run comes that starts elsewhere: if possible, one that no other such helper calls.
fn lonely(own: &[Func], helpers: &BTreeSet<Func>, calls: &CallGraph) -> Option<Func> {
    let starts = own.iter().filter(|func| !helpers.contains(func));
    let reached: BTreeSet<Func> = starts.flat_map(|&func| calls.reachable_from(func)).collect();
    let missed: Vec<Func> = helpers.difference(&reached).copied().collect();
    let is_called =
        |func: &Func| missed.iter().any(|other| other != func && calls.callees[*other].contains(func));
    missed.iter().find(|func| !is_called(func)).or(missed.first()).copied()
}
