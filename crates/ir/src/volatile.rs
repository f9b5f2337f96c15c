//! Which reads ask the world outside.
//!
//! A volatile object may be changed by a device, an interrupt handler or another thread at any time (C17 6.7.3p7), so
//! that a read of it gives a value that nothing in the program tells. Nobody can do that to a local object whose address
//! never leaves its function: there `volatile` only keeps compilers from holding it in a register, as around `setjmp`.

use quipu_base::IdVec;

use crate::function::{FuncBody, Slot, Value};
use crate::inst::{Inst, InstKind};
use crate::ty::Ty;

impl FuncBody {
    /// Whether an instruction reads a value that only the world outside knows. Pointers are not read so: no address
    /// from outside means anything in the program.
    pub fn asks_outside(&self, inst: &Inst) -> bool {
        match (&inst.kind, inst.result) {
            (InstKind::Load { volatile, .. }, Some(result)) => *volatile && self.ty(result) != Ty::Ptr,
            (InstKind::LoadBits { volatile, .. }, _) => *volatile,
            _ => false,
        }
    }
}

/// Makes the volatile accesses to local objects ordinary ones, where nobody else can find these objects.
pub fn keep_private(body: &mut FuncBody) {
    let homes = homes(body);
    let shared = shared(body, &homes);
    for inst in body.blocks.iter_mut().flat_map(|block| &mut block.insts) {
        if let InstKind::Load { ptr, volatile, .. }
        | InstKind::Store { ptr, volatile, .. }
        | InstKind::LoadBits { ptr, volatile, .. } = &mut inst.kind
            && homes[*ptr].is_some_and(|slot| !shared[slot])
        {
            *volatile = false;
        }
    }
}

/// For each value the local object into which it points by its address and arithmetic alone.
fn homes(body: &FuncBody) -> IdVec<Value, Option<Slot>> {
    let mut homes = IdVec::filled(None, body.values.len());
    // A pointer is moved behind its definition; code as the front end emits it needs one pass only.
    loop {
        let mut changed = false;
        for inst in body.blocks.iter().flat_map(|block| &block.insts) {
            let Some(result) = inst.result else { continue };
            let home = match inst.kind {
                InstKind::SlotAddr(slot) => Some(slot),
                InstKind::PtrAdd(pointer, _) => homes[pointer],
                _ => None,
            };
            changed |= homes[result] != home;
            homes[result] = home;
        }
        if !changed {
            return homes;
        }
    }
}

/// For each local object whether its address may be known elsewhere.
fn shared(body: &FuncBody, homes: &IdVec<Value, Option<Slot>>) -> IdVec<Slot, bool> {
    let mut shared = IdVec::filled(false, body.slots.len());
    let mut give_away = |value: Value| {
        if let Some(slot) = homes[value] {
            shared[slot] = true;
        }
    };
    for block in body.blocks.iter() {
        for inst in &block.insts {
            match &inst.kind {
                InstKind::Load { .. }
                | InstKind::LoadBits { .. }
                | InstKind::Copy { .. }
                | InstKind::Zero { .. }
                | InstKind::PtrAdd(..)
                | InstKind::PtrDiff(..)
                | InstKind::IntCmp(..)
                | InstKind::Check(..) => {}
                InstKind::Store { value, .. } | InstKind::StoreBits { value, .. } => give_away(*value),
                other => other.operands().for_each(&mut give_away),
            }
        }
        block.term.operand().into_iter().for_each(&mut give_away);
        block.term.edges().flat_map(|edge| &edge.args).for_each(|&argument| give_away(argument));
    }
    shared
}
