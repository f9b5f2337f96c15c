//! Where a program ends early, and whether that has to do with what a slice needs.
//!
//! A run ends behind a condition that leads to a doomed block, or at an assumption. A slice keeps those whose conditions
//! are computed from something that it needs anyway, and behind which there is something to preserve: they restrict it.
//! Others it forgets.

use quipu_base::IdVec;
use quipu_ir::{Block, Callee, Func, InstKind, Module, Terminator, Value, ValueDef};
use rustc_hash::FxHashSet;

use super::code::{Code, Definition};
use super::effects::conflict;
use super::needs::Needs;
use super::{Slicer, Target, sites};
use crate::points_to::Site;

/// A place where the program may end early.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halt {
    pub at: Place,
    func: Func,
    /// What decides.
    condition: Value,
}

impl Halt {
    pub fn block(&self) -> (Func, Block) {
        match self.at {
            Place::Way(func, block) => (func, block),
            Place::Inst(site) => (site.func, site.block),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// The way out of a block.
    Way(Func, Block),
    /// A call.
    Inst(Site),
}

/// A condition that is computed from more than this has to do with everything.
const MOST_VALUES: usize = 2000;

/// All places where a program may end early.
pub(super) fn halts(module: &Module, codes: &IdVec<Func, Option<Code<'_>>>) -> Vec<Halt> {
    let mut halts = Vec::new();
    for (func, code) in codes.entries() {
        let Some(code) = code else { continue };
        for &block in &code.cfg.reverse_postorder {
            let data = &code.body.blocks[block];
            for (inst, data) in data.insts.iter().enumerate() {
                let InstKind::Call(Callee::Direct(callee), args) = &data.kind else { continue };
                let site = Site { func, block, inst };
                if let Some(&condition) = args.last().filter(|_| is_assumption(module, *callee)) {
                    halts.push(Halt { at: Place::Inst(site), func, condition });
                }
            }
            let condition = match data.term {
                Terminator::Branch { value, .. } | Terminator::Switch { value, .. } => value,
                _ => continue,
            };
            if !code.doomed[block] && code.cfg.succs[block].iter().any(|&target| code.doomed[target]) {
                halts.push(Halt { at: Place::Way(func, block), func, condition });
            }
        }
    }
    halts
}

/// Whether a run goes on behind a call only if the last argument is not zero.
fn is_assumption(module: &Module, callee: Func) -> bool {
    let function = &module.functions[callee];
    let names = ["assume", "__VERIFIER_assume", "__VERIFIER_assert", "quipu_claim", "__builtin_assume"];
    function.code().is_none() && names.contains(&function.source_name.as_str())
}

/// Whether a condition is computed from something that is needed.
pub(super) fn is_connected(slicer: &Slicer<'_>, halt: &Halt, needs: &Needs<'_, '_>) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![(halt.func, halt.condition)];
    while let Some((func, value)) = open.pop() {
        let code = slicer.code(func);
        if code.body.values[value].def != ValueDef::Computed || !seen.insert((func, value)) {
            continue;
        }
        if needs.values.contains(&(func, value)) || seen.len() > MOST_VALUES {
            return true;
        }
        match code.definitions[value] {
            None => {}
            Some(Definition::Inst(block, inst)) => {
                let site = Site { func, block, inst };
                if reads_needed(slicer, site, needs) {
                    return true;
                }
                open.extend(stored_for(slicer, site));
                open.extend(slicer.inst(site).kind.operands().map(|operand| (func, operand)));
                for &callee in slicer.callees.get(&site).into_iter().flatten() {
                    let returned =
                        slicer.code(callee).body.blocks.iter().filter_map(|data| match data.term {
                            Terminator::Return(value) => value,
                            _ => None,
                        });
                    open.extend(returned.map(|value| (callee, value)));
                }
            }
            Some(Definition::Param(block, n)) if block == code.body.entry() => {
                for &site in &slicer.callers[func] {
                    if let InstKind::Call(_, args) = &slicer.inst(site).kind {
                        open.extend(args.get(n).map(|&arg| (site.func, arg)));
                    }
                }
            }
            Some(Definition::Param(block, n)) => {
                for &from in &code.cfg.preds[block] {
                    let edges = code.body.blocks[from].term.edges().filter(|edge| edge.target == block);
                    open.extend(edges.map(|edge| (func, edge.args[n])));
                    // Which of them is passed, as for the value of `a && b`.
                    let deciding = code.controls(from).chain([from]);
                    let conditions = deciding.filter_map(|block| code.body.blocks[block].term.operand());
                    open.extend(conditions.map(|condition| (func, condition)));
                }
            }
        }
    }
    false
}

/// The values of which memory may have been made that an instruction reads.
fn stored_for(slicer: &Slicer<'_>, site: Site) -> Vec<(Func, Value)> {
    let reads = slicer.effects.get(&site).map_or(&[][..], |effects| &effects.reads);
    let mut values = Vec::new();
    for writer in slicer.writers.iter().filter(|_| !reads.is_empty()) {
        let mut changes = slicer.effects[writer].changes.iter();
        if changes.any(|change| reads.iter().any(|read| conflict(&slicer.points_to, change, read))) {
            values.extend(slicer.inst(*writer).kind.operands().map(|value| (writer.func, value)));
        }
    }
    values
}

/// The blocks from which control may come to a target. Calls and returns are not matched.
pub(super) fn leading_to(slicer: &Slicer<'_>, targets: &[Target]) -> FxHashSet<(Func, Block)> {
    let mut leading = FxHashSet::default();
    let mut open: Vec<(Func, Block)> = Vec::new();
    for target in targets {
        match *target {
            Target::Entry(func) => {
                open.extend(slicer.callers[func].iter().map(|site| (site.func, site.block)))
            }
            Target::Block(func, block) | Target::Way(func, block) => open.push((func, block)),
            Target::Inst(site) => open.push((site.func, site.block)),
        }
    }
    while let Some((func, block)) = open.pop() {
        let Some(code) = slicer.codes[func].as_ref().filter(|_| leading.insert((func, block))) else {
            continue;
        };
        open.extend(code.cfg.preds[block].iter().map(|&from| (func, from)));
        if block == code.body.entry() {
            open.extend(slicer.callers[func].iter().map(|site| (site.func, site.block)));
        }
        for site in sites(func, block, code.body.blocks[block].insts.len()) {
            for &callee in slicer.callees.get(&site).into_iter().flatten() {
                open.extend(slicer.code(callee).returns().map(|end| (callee, end)));
            }
        }
    }
    leading
}

/// Whether an instruction reads what is needed.
fn reads_needed(slicer: &Slicer<'_>, site: Site, needs: &Needs<'_, '_>) -> bool {
    let reads = slicer.effects.get(&site).into_iter().flat_map(|effects| &effects.reads);
    let mut pairs = reads.flat_map(|read| needs.reads.iter().map(move |needed| (read, needed)));
    pairs.any(|(read, needed)| conflict(&slicer.points_to, read, needed))
}
