//! `quipu show --cfg|--cdg|--callgraph`.

use quipu_analysis::{CallGraph, Control, ControlDependence, PostDominators, dot, text};
use quipu_cfront::Program;
use quipu_ir::{Cfg, Func, FuncBody};
use serde_json::{Value, json};

use super::Answer;
use crate::args::Show;

pub fn answer(program: &Program, funcs: &[Func], show: &Show) -> Answer {
    if show.callgraph {
        return call_graph(program, show.dot);
    }
    let drawn: fn(&str, &FuncBody) -> String = match (show.cfg, show.dot) {
        (true, false) => text::cfg,
        (true, true) => dot::cfg,
        (false, false) => text::control_dependence,
        (false, true) => dot::control_dependence,
    };
    let with_code: Vec<(&str, &FuncBody)> = funcs
        .iter()
        .map(|&func| &program.module.functions[func])
        .filter_map(|function| Some((function.name.as_str(), function.code()?)))
        .collect();
    let text = with_code.iter().map(|(name, body)| drawn(name, body)).collect::<Vec<_>>().join("\n");
    let functions: Vec<Value> =
        with_code.iter().map(|(name, body)| graph_json(name, body, show.cfg)).collect();
    Answer { text, json: json!({ "schema": 1, "functions": functions }) }
}

fn call_graph(program: &Program, as_dot: bool) -> Answer {
    let graph = CallGraph::compute(&program.module);
    let text = match as_dot {
        true => dot::call_graph(&program.module, &graph),
        false => text::call_graph(&program.module, &graph),
    };
    let name = |func: Func| program.module.functions[func].name.as_str();
    let functions: Vec<Value> = program
        .module
        .functions
        .ids()
        .filter(|&func| super::has_source(program, func))
        .map(|func| {
            let callees: Vec<&str> = graph.callees[func].iter().map(|&callee| name(callee)).collect();
            json!({ "name": name(func), "calls": callees })
        })
        .collect();
    Answer { text, json: json!({ "schema": 1, "functions": functions }) }
}

fn graph_json(name: &str, body: &FuncBody, is_cfg: bool) -> Value {
    let cfg = Cfg::compute(body);
    let blocks: Vec<Value> = match is_cfg {
        true => cfg
            .succs
            .entries()
            .map(|(block, succs)| {
                let succs: Vec<String> = succs.iter().map(ToString::to_string).collect();
                json!({ "block": block.to_string(), "successors": succs, "line": body.blocks[block].span.line })
            })
            .collect(),
        false => dependence_json(&cfg),
    };
    json!({ "name": name, "blocks": blocks })
}

fn dependence_json(cfg: &Cfg) -> Vec<Value> {
    let post = PostDominators::compute(cfg);
    let dependence = ControlDependence::compute(cfg, &post);
    cfg.succs
        .ids()
        .map(|block| {
            let on: Vec<Value> = dependence
                .controls(block)
                .iter()
                .map(|control| match control {
                    Control::Root => json!({ "block": null, "edge": null }),
                    Control::Edge(on, edge) => json!({ "block": on.to_string(), "edge": edge }),
                })
                .collect();
            json!({ "block": block.to_string(), "depends_on": on })
        })
        .collect()
}
