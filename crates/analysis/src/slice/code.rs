//! The graphs of the functions that may run.
//!
//! A block is *doomed* if every path from it ends the program: it leads to a call that does not come back. Whether a
//! program goes on behind `if (!c) abort();` depends on `c`, so in the graph as it is everything behind depends on all
//! such conditions. A slice may leave them out, so there is a second graph, the calm one, without edges to doomed blocks.

use quipu_base::IdVec;
use quipu_ir::{Block, Callee, Cfg, Func, FuncBody, Function, InstKind, Module, Terminator, Value};

use crate::control_dependence::{Control, ControlDependence};
use crate::graph::reverse_postorder;
use crate::post_dominators::PostDominators;

/// A function that may run.
pub(super) struct Code<'m> {
    pub body: &'m FuncBody,
    pub cfg: Cfg,
    pub definitions: IdVec<Value, Option<Definition>>,
    pub doomed: IdVec<Block, bool>,
    plain: Graph,
    calm: Graph,
}

/// What defines a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Definition {
    /// The instruction with this number.
    Inst(Block, usize),
    /// The parameter of a block with this number.
    Param(Block, usize),
}

struct Graph {
    post_dominators: PostDominators,
    dependence: ControlDependence,
}

impl Graph {
    fn of(cfg: &Cfg) -> Graph {
        let post_dominators = PostDominators::compute(cfg);
        let dependence = ControlDependence::compute(cfg, &post_dominators);
        Graph { post_dominators, dependence }
    }
}

impl Code<'_> {
    /// The blocks that decide whether control comes to a block.
    pub fn controls(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.graph(block).dependence.controls(block).iter().filter_map(|control| match control {
            Control::Root => None,
            Control::Edge(from, _) => Some(*from),
        })
    }

    /// Where all ways out of a block meet; none if that is the end of the function.
    pub fn meeting(&self, block: Block) -> Option<Block> {
        self.graph(block).post_dominators.ipdom(block)
    }

    /// The blocks that return.
    pub fn returns(&self) -> impl Iterator<Item = Block> + '_ {
        let is_return = |block: &Block| {
            matches!(self.body.blocks[*block].term, Terminator::Return(_) | Terminator::ReturnMissing)
        };
        self.cfg.reverse_postorder.iter().copied().filter(is_return)
    }

    fn graph(&self, block: Block) -> &Graph {
        if self.doomed[block] { &self.plain } else { &self.calm }
    }
}

/// The graphs of some functions with code.
pub(super) fn codes<'m>(module: &'m Module, funcs: &[Func]) -> IdVec<Func, Option<Code<'m>>> {
    let mut ends: IdVec<Func, bool> = module.functions.iter().map(never_returns).collect();
    let bodies: Vec<(Func, &FuncBody)> =
        funcs.iter().filter_map(|&func| Some((func, module.functions[func].code()?))).collect();
    loop {
        let is_new = |(func, body): &&(Func, &FuncBody)| !ends[*func] && doomed(body, &ends)[body.entry()];
        let new: Vec<Func> = bodies.iter().filter(is_new).map(|(func, _)| *func).collect();
        if new.is_empty() {
            break;
        }
        new.into_iter().for_each(|func| ends[func] = true);
    }
    let mut codes: IdVec<Func, Option<Code<'m>>> = module.functions.iter().map(|_| None).collect();
    for (func, body) in bodies {
        codes[func] = Some(code(body, doomed(body, &ends)));
    }
    codes
}

/// Whether a function is known to end the program, by its declaration or by its name.
fn never_returns(function: &Function) -> bool {
    const ENDS: [&str; 9] = [
        "abort",
        "exit",
        "_exit",
        "_Exit",
        "quick_exit",
        "__assert_fail",
        "__assert",
        "reach_error",
        "__VERIFIER_error",
    ];
    function.noreturn || function.code().is_none() && ENDS.contains(&function.source_name.as_str())
}

fn code(body: &FuncBody, doomed: IdVec<Block, bool>) -> Code<'_> {
    let cfg = Cfg::compute(body);
    let plain = Graph::of(&cfg);
    let calm = Graph::of(&calm(&cfg, &doomed));
    Code { body, definitions: definitions(body), cfg, doomed, plain, calm }
}

/// The blocks from which no path goes on, given the functions that do not come back.
fn doomed(body: &FuncBody, ends: &IdVec<Func, bool>) -> IdVec<Block, bool> {
    let calls_an_end = |inst: &quipu_ir::Inst| match inst.kind {
        InstKind::Call(Callee::Direct(func), _) => ends[func],
        _ => false,
    };
    let is_end = |data: &quipu_ir::BlockData| {
        matches!(data.term, Terminator::Unreachable(_)) || data.insts.iter().any(calls_an_end)
    };
    let mut doomed: IdVec<Block, bool> = body.blocks.iter().map(is_end).collect();
    loop {
        let mut changed = false;
        for (block, data) in body.blocks.entries() {
            let leads_to_ends = {
                let mut targets = data.term.edges().map(|edge| edge.target).peekable();
                targets.peek().is_some() && targets.all(|target| doomed[target])
            };
            changed |= leads_to_ends && !std::mem::replace(&mut doomed[block], true);
        }
        if !changed {
            return doomed;
        }
    }
}

/// The graph without the edges to doomed blocks.
fn calm(cfg: &Cfg, doomed: &IdVec<Block, bool>) -> Cfg {
    let entry = cfg.reverse_postorder[0];
    if doomed[entry] {
        return cfg.clone();
    }
    let calm = |targets: &Vec<Block>| targets.iter().copied().filter(|&target| !doomed[target]).collect();
    let succs: IdVec<Block, Vec<Block>> = cfg.succs.iter().map(calm).collect();
    let mut preds = IdVec::<Block, Vec<Block>>::filled(Vec::new(), succs.len());
    for (block, targets) in succs.entries() {
        targets.iter().for_each(|&target| preds[target].push(block));
    }
    let reverse_postorder = reverse_postorder(entry, &succs);
    Cfg { succs, preds, reverse_postorder }
}

fn definitions(body: &FuncBody) -> IdVec<Value, Option<Definition>> {
    let mut definitions = IdVec::filled(None, body.values.len());
    for (block, data) in body.blocks.entries() {
        for (n, &param) in data.params.iter().enumerate() {
            definitions[param] = Some(Definition::Param(block, n));
        }
        for (n, inst) in data.insts.iter().enumerate() {
            if let Some(result) = inst.result {
                definitions[result] = Some(Definition::Inst(block, n));
            }
        }
    }
    definitions
}
