//! Values that paths carry with them.
//!
//! A frame keeps one symbol for each value, the one computed last. That is right as long as all paths to a use have
//! computed it in the same turn of each loop around it. Where a path leaves a loop, its value is that of the turn in
//! which it left, and paths that left in different turns may meet anywhere behind. There, each path brings its own.

use quipu_base::IdVec;
use quipu_ir::{Block, BlockData, FuncBody, Value};
use rustc_hash::FxHashSet;

/// For each block the values that every path to it brings along: those that are used at it or behind it, and that
/// were computed in a loop that it is not a part of. With `goto` into a loop, also those that a turn may take over from
/// the turn before. `around` has for each block the loops around it, by their heads.
pub(crate) fn carried_to(code: &FuncBody, around: &IdVec<Block, Vec<Block>>) -> IdVec<Block, Vec<Value>> {
    let mut carried = IdVec::filled(Vec::new(), code.blocks.len());
    let users = users(code);
    let predecessors = predecessors(code);
    for (home, data) in code.blocks.entries() {
        let loops = &around[home];
        if loops.is_empty() {
            continue;
        }
        for value in defined(data) {
            let live = live_in(&users[value], home, &predecessors);
            let taken_over = loops.iter().any(|head| live.contains(head));
            for &block in &live {
                if taken_over || loops.iter().any(|head| !around[block].contains(head)) {
                    carried[block].push(value);
                }
            }
        }
    }
    carried
}

/// What the instructions, the terminator and the edges of a block use.
pub(crate) fn used(data: &BlockData) -> impl Iterator<Item = Value> + '_ {
    let operands = data.insts.iter().flat_map(|inst| inst.kind.operands());
    let edges = data.term.edges().flat_map(|edge| edge.args.iter().copied());
    operands.chain(edges).chain(data.term.operand())
}

fn defined(data: &BlockData) -> impl Iterator<Item = Value> + '_ {
    data.params.iter().copied().chain(data.insts.iter().filter_map(|inst| inst.result))
}

/// For each value the blocks that use it.
fn users(code: &FuncBody) -> IdVec<Value, Vec<Block>> {
    let mut users: IdVec<Value, Vec<Block>> = IdVec::filled(Vec::new(), code.values.len());
    for (block, data) in code.blocks.entries() {
        for value in used(data) {
            if users[value].last() != Some(&block) {
                users[value].push(block);
            }
        }
    }
    users
}

fn predecessors(code: &FuncBody) -> IdVec<Block, Vec<Block>> {
    let mut predecessors = IdVec::filled(Vec::new(), code.blocks.len());
    for (block, data) in code.blocks.entries() {
        data.term.edges().for_each(|edge| predecessors[edge.target].push(block));
    }
    predecessors
}

/// The blocks at whose start a value is still needed, in an order that is always the same.
fn live_in(users: &[Block], home: Block, predecessors: &IdVec<Block, Vec<Block>>) -> Vec<Block> {
    let mut seen: FxHashSet<Block> = FxHashSet::default();
    let mut live: Vec<Block> = Vec::new();
    let mut open: Vec<Block> = users.to_vec();
    while let Some(block) = open.pop() {
        if block != home && seen.insert(block) {
            live.push(block);
            open.extend(&predecessors[block]);
        }
    }
    live
}
