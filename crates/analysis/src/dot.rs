//! The graphs of a program in the DOT language of Graphviz.

use std::fmt::{Display, Write};

use quipu_ir::{Cfg, FuncBody, Module};

use crate::call_graph::CallGraph;
use crate::control_dependence::{Control, ControlDependence};
use crate::labels;
use crate::post_dominators::PostDominators;

/// The control-flow graph.
pub fn cfg(name: &str, body: &FuncBody) -> String {
    let mut drawing = Drawing::new(name);
    draw_blocks(&mut drawing, body);
    for (block, data) in body.blocks.entries() {
        for (edge, way) in data.term.edges().zip(labels::ways(body, block)) {
            drawing.edge(block, edge.target, &way, "");
        }
    }
    drawing.finish()
}

/// The control dependence graph; edges lead from a decision to what depends on it.
pub fn control_dependence(name: &str, body: &FuncBody) -> String {
    let cfg = Cfg::compute(body);
    let dependence = ControlDependence::compute(&cfg, &PostDominators::compute(&cfg));
    let mut drawing = Drawing::new(name);
    drawing.node("root", "root", "");
    draw_blocks(&mut drawing, body);
    for block in body.blocks.ids() {
        for &control in dependence.controls(block) {
            match control {
                Control::Root => drawing.edge("root", block, "", ""),
                Control::Edge(from, edge) => {
                    drawing.edge(from, block, &labels::ways(body, from)[edge], "");
                }
            }
        }
    }
    drawing.finish()
}

/// The call graph. Functions without code are dashed, and so are calls that are only made through pointers.
pub fn call_graph(module: &Module, call_graph: &CallGraph) -> String {
    let mut drawing = Drawing::new("calls");
    for (func, function) in module.functions.entries() {
        let style = if function.code().is_some() { "" } else { DASHED };
        drawing.node(func, &labels::function(function), style);
    }
    for (caller, callees) in call_graph.callees.entries() {
        for &callee in callees {
            let mut sites = call_graph.sites_in(caller).iter().filter(|site| !site.indirect);
            let direct = sites.any(|site| site.callees.contains(&callee));
            drawing.edge(caller, callee, "", if direct { "" } else { DASHED });
        }
    }
    drawing.finish()
}

const DASHED: &str = ", style=dashed";

fn draw_blocks(drawing: &mut Drawing, body: &FuncBody) {
    for block in body.blocks.ids() {
        drawing.node(block, &labels::block(body, block), "");
    }
}

/// A drawing under construction.
struct Drawing {
    out: String,
}

impl Drawing {
    fn new(name: &str) -> Drawing {
        Drawing { out: format!("digraph {} {{\n  node [shape=box];\n", quoted(name)) }
    }

    fn node(&mut self, id: impl Display, label: &str, style: &str) {
        writeln!(self.out, "  {id} [label={}{style}];", quoted(label))
            .expect("a string should take any text");
    }

    fn edge(&mut self, from: impl Display, to: impl Display, label: &str, style: &str) {
        writeln!(self.out, "  {from} -> {to} [label={}{style}];", quoted(label))
            .expect("a string should take any text");
    }

    fn finish(mut self) -> String {
        self.out.push_str("}\n");
        self.out
    }
}

/// A DOT string. A backslash would start an escape sequence of labels, a line end is written as one.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
