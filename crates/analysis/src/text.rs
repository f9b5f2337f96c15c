//! The graphs of a program as plain text, one line per node.

use std::fmt::{Display, Write};

use quipu_ir::{Cfg, FuncBody, Module};

use crate::call_graph::CallGraph;
use crate::control_dependence::{Control, ControlDependence};
use crate::labels;
use crate::post_dominators::PostDominators;

/// The control-flow graph: for each block where it leads.
pub fn cfg(name: &str, body: &FuncBody) -> String {
    let mut out = format!("{name}\n");
    for (block, data) in body.blocks.entries() {
        let targets = data.term.edges().zip(labels::ways(body, block));
        let targets = targets.map(|(edge, way)| with_label(edge.target, &way));
        line(&mut out, format!("  {}", labels::block(body, block)), "->", targets);
    }
    out
}

/// The control dependence graph: for each block what it depends on.
pub fn control_dependence(name: &str, body: &FuncBody) -> String {
    let cfg = Cfg::compute(body);
    let dependence = ControlDependence::compute(&cfg, &PostDominators::compute(&cfg));
    let mut out = format!("{name}\n");
    for block in body.blocks.ids() {
        let controls = dependence.controls(block).iter().map(|&control| match control {
            Control::Root => "root".to_string(),
            Control::Edge(from, edge) => with_label(from, &labels::ways(body, from)[edge]),
        });
        line(&mut out, format!("  {}", labels::block(body, block)), "<-", controls);
    }
    out
}

/// The call graph: for each function with code whom it calls.
pub fn call_graph(module: &Module, call_graph: &CallGraph) -> String {
    let mut out = String::new();
    for (func, function) in module.functions.entries().filter(|(_, function)| function.code().is_some()) {
        let mark = if call_graph.is_recursive(func) { " (recursive)" } else { "" };
        let callees =
            call_graph.callees[func].iter().map(|&callee| labels::function(&module.functions[callee]));
        line(&mut out, format!("{}{mark}", labels::function(function)), "->", callees);
    }
    out
}

fn with_label(target: impl Display, label: &str) -> String {
    if label.is_empty() { target.to_string() } else { format!("{target} [{label}]") }
}

fn line(out: &mut String, node: String, arrow: &str, others: impl Iterator<Item = String>) {
    let others: Vec<String> = others.collect();
    let written = if others.is_empty() {
        writeln!(out, "{node}")
    } else {
        writeln!(out, "{node} {arrow} {}", others.join(", "))
    };
    written.expect("a string should take any text");
}
