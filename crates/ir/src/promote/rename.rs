//! Replaces the loads of promoted slots by the values that reach them.
//!
//! A walk down the dominator tree carries the current value of every slot. A definition is visited before
//! all its uses, so one walk renames everything, edge arguments included.

use quipu_base::IdVec;

use super::SlotAddresses;
use super::phis::{LiveAtHeads, Phis, accessed_slot};
use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::function::{Block, FuncBody, NamedValue, Slot, Value};
use crate::inst::{Inst, InstKind};

/// Removes all accesses to promoted slots and supplies the parameters that were placed for them.
pub fn rename(
    body: &mut FuncBody,
    cfg: &Cfg,
    dominators: &Dominators,
    address_of: &SlotAddresses,
    promoted: &IdVec<Slot, bool>,
    phis: &Phis,
    live_at_heads: &LiveAtHeads,
) {
    let mut renamer = Renamer {
        address_of,
        promoted,
        phis,
        live_at_heads,
        current: IdVec::filled(None, body.slots.len()),
        undo: Vec::new(),
        replacement: body.values.ids().collect(),
    };
    let children = dominator_children(cfg, dominators);
    let mut stack = vec![Visit::Enter(body.entry())];
    while let Some(visit) = stack.pop() {
        match visit {
            Visit::Enter(block) => {
                stack.push(Visit::Leave(renamer.undo.len()));
                renamer.block(body, block);
                stack.extend(children[block].iter().map(|&child| Visit::Enter(child)));
            }
            Visit::Leave(depth) => renamer.undo_to(depth),
        }
    }
}

enum Visit {
    Enter(Block),
    /// Restores the state in which so many assignments were in force.
    Leave(usize),
}

fn dominator_children(cfg: &Cfg, dominators: &Dominators) -> IdVec<Block, Vec<Block>> {
    let mut children = IdVec::<Block, Vec<Block>>::filled(Vec::new(), cfg.succs.len());
    for &block in &cfg.reverse_postorder {
        if let Some(parent) = dominators.idom(block) {
            children[parent].push(block);
        }
    }
    children
}

struct Renamer<'a> {
    address_of: &'a SlotAddresses,
    promoted: &'a IdVec<Slot, bool>,
    phis: &'a Phis,
    live_at_heads: &'a LiveAtHeads,
    /// What each slot holds at this point of the walk.
    current: IdVec<Slot, Option<Value>>,
    /// The assignments in force, each with what it replaced.
    undo: Vec<(Slot, Option<Value>)>,
    /// What each value is called from now on.
    replacement: IdVec<Value, Value>,
}

impl Renamer<'_> {
    fn block(&mut self, body: &mut FuncBody, block: Block) {
        for &(slot, param) in &self.phis[block] {
            self.assign(slot, param);
        }
        for &slot in &self.live_at_heads[block] {
            let data = &body.slots[slot];
            let name = data.name.clone().expect("only variables should be told");
            body.names.push(NamedValue { block, name, ty: data.ty, value: self.value_of(slot) });
        }
        let data = &mut body.blocks[block];
        data.insts.retain_mut(|inst| self.inst(inst));
        if let Some(value) = data.term.operand_mut() {
            *value = self.replacement[*value];
        }
        for edge in data.term.edges_mut() {
            edge.args.iter_mut().for_each(|arg| *arg = self.replacement[*arg]);
            edge.args.extend(self.phis[edge.target].iter().map(|&(slot, _)| self.value_of(slot)));
        }
    }

    /// Renames in an instruction; whether it stays.
    fn inst(&mut self, inst: &mut Inst) -> bool {
        if let Some(slot) = accessed_slot(inst, self.address_of, self.promoted) {
            match inst.kind {
                InstKind::Store { value, .. } => self.assign(slot, self.replacement[value]),
                _ => {
                    let result = inst.result.expect("a load should have a result");
                    self.replacement[result] = self.value_of(slot);
                }
            }
            return false;
        }
        inst.kind.operands_mut().for_each(|value| *value = self.replacement[*value]);
        !matches!(inst.kind, InstKind::SlotAddr(slot) | InstKind::SlotEnd(slot) if self.promoted[slot])
    }

    fn assign(&mut self, slot: Slot, value: Value) {
        let before = self.current[slot].replace(value);
        self.undo.push((slot, before));
    }

    fn value_of(&self, slot: Slot) -> Value {
        self.current[slot].expect("a promoted slot should be written before it is read")
    }

    fn undo_to(&mut self, depth: usize) {
        while self.undo.len() > depth {
            let (slot, before) = self.undo.pop().expect("the undo list should be long enough");
            self.current[slot] = before;
        }
    }
}
