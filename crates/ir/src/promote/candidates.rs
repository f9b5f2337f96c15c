//! Which slots are used like plain variables: whole loads and stores of one type, and nothing else.
//!
//! Definite assignment is not looked at here, see [`definite`](super::definite).

use quipu_base::IdVec;

use super::SlotAddresses;
use crate::function::{FuncBody, Slot, Value};
use crate::inst::{Inst, InstKind};
use crate::module::DataModel;
use crate::ty::Ty;

/// What the body does with a slot, as far as seen.
#[derive(Clone, Copy, PartialEq)]
enum Usage {
    Unused,
    Accessed(Ty),
    Escapes,
}

/// For each slot whether all its uses are plain accesses.
pub fn candidates(body: &FuncBody, address_of: &SlotAddresses, data_model: DataModel) -> IdVec<Slot, bool> {
    let mut scan =
        Scan { body, address_of, data_model, usage: IdVec::filled(Usage::Unused, body.slots.len()) };
    for data in body.blocks.iter() {
        data.insts.iter().for_each(|inst| scan.inst(inst));
        data.term.operand().into_iter().for_each(|value| scan.escape(value));
        data.term.edges().flat_map(|edge| &edge.args).for_each(|&arg| scan.escape(arg));
    }
    scan.usage.iter().map(|&usage| usage != Usage::Escapes).collect()
}

struct Scan<'a> {
    body: &'a FuncBody,
    address_of: &'a SlotAddresses,
    data_model: DataModel,
    usage: IdVec<Slot, Usage>,
}

impl Scan<'_> {
    fn inst(&mut self, inst: &Inst) {
        match inst.kind {
            InstKind::Load { ptr, align, volatile } => {
                let result = inst.result.expect("a load should have a result");
                self.access(ptr, self.body.ty(result), align, volatile);
            }
            InstKind::Store { ptr, value, align, volatile } => {
                self.access(ptr, self.body.ty(value), align, volatile);
                self.escape(value);
            }
            ref other => other.operands().for_each(|value| self.escape(value)),
        }
    }

    /// An access that could fail or that covers a part of the slot only keeps the slot in memory.
    fn access(&mut self, ptr: Value, ty: Ty, align: u32, volatile: bool) {
        let Some(slot) = self.address_of[ptr] else { return };
        let data = &self.body.slots[slot];
        let plain = !volatile && u64::from(align) <= data.align && self.data_model.size_of(ty) == data.size;
        let same_type = [Usage::Unused, Usage::Accessed(ty)].contains(&self.usage[slot]);
        self.usage[slot] = if plain && same_type { Usage::Accessed(ty) } else { Usage::Escapes };
    }

    fn escape(&mut self, value: Value) {
        if let Some(slot) = self.address_of[value] {
            self.usage[slot] = Usage::Escapes;
        }
    }
}
