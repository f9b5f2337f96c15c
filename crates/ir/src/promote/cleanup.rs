//! Removes what promotion leaves behind: unreachable blocks, promoted slots, values that nothing
//! mentions. Every removal renumbers and keeps the order.

use quipu_base::{Id, IdVec};

use crate::cfg::Cfg;
use crate::function::{Block, FuncBody, Slot, Value, ValueDef};
use crate::inst::InstKind;

/// Removes the blocks that the entry does not reach.
pub fn remove_unreachable_blocks(body: &mut FuncBody) {
    let mut reached = IdVec::filled(false, body.blocks.len());
    Cfg::compute(body).reverse_postorder.iter().for_each(|&block| reached[block] = true);
    if reached.iter().all(|&yes| yes) {
        return;
    }
    let new_id: IdVec<Block, Block> = renumbering(&reached);
    body.blocks = retain(&body.blocks, &reached);
    for edge in body.blocks.iter_mut().flat_map(|data| data.term.edges_mut()) {
        edge.target = new_id[edge.target];
    }
}

/// Removes slots that no instruction mentions any more.
pub fn remove_slots(body: &mut FuncBody, removed: &IdVec<Slot, bool>) {
    let kept: IdVec<Slot, bool> = removed.iter().map(|&yes| !yes).collect();
    let new_id: IdVec<Slot, Slot> = renumbering(&kept);
    body.slots = retain(&body.slots, &kept);
    for inst in body.blocks.iter_mut().flat_map(|data| &mut data.insts) {
        if let InstKind::SlotAddr(slot) | InstKind::SlotEnd(slot) = &mut inst.kind {
            *slot = new_id[*slot];
        }
    }
}

/// Removes the values that nothing defines or reads.
pub fn compact_values(body: &mut FuncBody) {
    let mut mentioned = IdVec::<Value, bool>::filled(false, body.values.len());
    for data in body.blocks.iter() {
        let in_insts = data.insts.iter().flat_map(|inst| inst.result.into_iter().chain(inst.kind.operands()));
        let in_edges = data.term.edges().flat_map(|edge| edge.args.iter().copied());
        let rest = data.params.iter().copied().chain(data.term.operand());
        in_insts.chain(in_edges).chain(rest).for_each(|value| mentioned[value] = true);
    }
    let is_value = |value: Value| mentioned[value] && body.values[value].def == ValueDef::Computed;
    body.names.retain(|named| is_value(named.value));
    let new_id: IdVec<Value, Value> = renumbering(&mentioned);
    body.set_values(retain(&body.values, &mentioned));
    replace_values(body, &new_id);
}

/// Replaces every mention of a value.
pub fn replace_values(body: &mut FuncBody, replacement: &IdVec<Value, Value>) {
    body.names.iter_mut().for_each(|named| named.value = replacement[named.value]);
    for data in body.blocks.iter_mut() {
        let in_insts =
            data.insts.iter_mut().flat_map(|inst| inst.result.iter_mut().chain(inst.kind.operands_mut()));
        let in_params = data.params.iter_mut();
        in_insts.chain(in_params).for_each(|value| *value = replacement[*value]);
        data.term.operand_mut().into_iter().for_each(|value| *value = replacement[*value]);
        for arg in data.term.edges_mut().flat_map(|edge| &mut edge.args) {
            *arg = replacement[*arg];
        }
    }
}

/// The new index of each kept entry. The others keep a meaningless one.
fn renumbering<I: Id>(kept: &IdVec<I, bool>) -> IdVec<I, I> {
    let mut next = 0;
    let number = |&keep: &bool| {
        let id = I::new(next);
        next += usize::from(keep);
        id
    };
    kept.iter().map(number).collect()
}

fn retain<I: Id, T: Clone>(table: &IdVec<I, T>, kept: &IdVec<I, bool>) -> IdVec<I, T> {
    table.iter().zip(kept.iter()).filter(|&(_, &keep)| keep).map(|(item, _)| item.clone()).collect()
}
