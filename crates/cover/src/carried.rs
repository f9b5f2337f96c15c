//! Values that are carried along but never matter.
//!
//! A value that was never written may be computed with and stored in local variables without changing anything that can
//! be seen: where control goes, what memory is accessed, what functions are told, what comes back. Whether that is so is
//! read off the code of the function, whatever the order of its instructions.

use std::collections::BTreeSet;

use quipu_interp::UnwrittenRead;
use quipu_ir::{Func, FuncBody, Inst, InstKind, Module, Slot, Value};

/// Whether nothing but local variables depends on what some reads give.
pub(crate) fn are_only_carried(module: &Module, reads: &[UnwrittenRead]) -> bool {
    let funcs: BTreeSet<Func> = reads.iter().map(|read| read.func).collect();
    funcs.into_iter().all(|func| {
        let Some(code) = module.functions[func].code() else { return false };
        let own: Vec<&UnwrittenRead> = reads.iter().filter(|read| read.func == func).collect();
        let mut carried = Carried { code, reads: own, values: BTreeSet::new(), slots: BTreeSet::new() };
        carried.is_closed()
    })
}

/// What depends on some reads in a function.
struct Carried<'a> {
    code: &'a FuncBody,
    reads: Vec<&'a UnwrittenRead>,
    values: BTreeSet<Value>,
    /// The local variables that hold such a value at some time.
    slots: BTreeSet<Slot>,
}

/// Something else depends on them.
struct Matters;

impl<'a> Carried<'a> {
    /// Whether that is all, found by following instructions until nothing is added.
    fn is_closed(&mut self) -> bool {
        loop {
            let before = (self.values.len(), self.slots.len());
            if self.follow().is_err() {
                return false;
            }
            if before == (self.values.len(), self.slots.len()) {
                return !self.slots.iter().any(|&slot| self.escapes(slot));
            }
        }
    }

    fn follow(&mut self) -> Result<(), Matters> {
        let code = self.code;
        for block in code.blocks.iter() {
            block.insts.iter().try_for_each(|inst| self.execute(inst))?;
            if block.term.operand().is_some_and(|value| self.values.contains(&value)) {
                return Err(Matters);
            }
            for edge in block.term.edges() {
                let passed = edge.args.iter().zip(&code.blocks[edge.target].params);
                let held = passed.filter(|(arg, _)| self.values.contains(arg)).map(|(_, &param)| param);
                let held: Vec<Value> = held.collect();
                self.values.extend(held);
            }
        }
        Ok(())
    }

    fn execute(&mut self, inst: &Inst) -> Result<(), Matters> {
        let is_read = self.reads.iter().any(|read| read.span == inst.span);
        let holds = |value: &Value| self.values.contains(value);
        match &inst.kind {
            InstKind::Load { ptr, .. } | InstKind::LoadBits { ptr, .. } => {
                let from_slot = self.slot(*ptr).is_some_and(|slot| self.slots.contains(&slot));
                match holds(ptr) {
                    true => return Err(Matters),
                    false if is_read || from_slot => self.values.extend(inst.result),
                    false => {}
                }
            }
            InstKind::Store { ptr, value, .. } | InstKind::StoreBits { ptr, value, .. } => {
                if holds(ptr) {
                    return Err(Matters);
                }
                if holds(value) {
                    let slot = self.slot(*ptr).ok_or(Matters)?;
                    self.slots.insert(slot);
                }
            }
            InstKind::Copy { .. }
            | InstKind::Zero { .. }
            | InstKind::Unspecify { .. }
            | InstKind::Alloca { .. }
                if inst.kind.operands().any(|value| holds(&value)) =>
            {
                return Err(Matters);
            }
            InstKind::Copy { dst, src, .. }
                if self.slot(*src).is_some_and(|slot| self.slots.contains(&slot)) =>
            {
                let slot = self.slot(*dst).ok_or(Matters)?;
                self.slots.insert(slot);
            }
            InstKind::Call(..) if is_read || inst.kind.operands().any(|value| holds(&value)) => {
                return Err(Matters);
            }
            // What a check demands is not looked at by the compiled program.
            InstKind::Check(..) => {}
            kind if kind.operands().any(|value| holds(&value)) => self.values.extend(inst.result),
            _ => {}
        }
        Ok(())
    }

    /// The local variable to which, or into which, a value points for certain.
    fn slot(&self, pointer: Value) -> Option<Slot> {
        match self.code.maker(pointer)? {
            InstKind::SlotAddr(slot) => Some(*slot),
            InstKind::PtrAdd(base, _) => self.slot(*base),
            _ => None,
        }
    }

    /// Whether the address of a variable is used for more than to access it.
    fn escapes(&self, slot: Slot) -> bool {
        let is_address = |value: Value| self.slot(value) == Some(slot);
        let escapes = |inst: &Inst| match &inst.kind {
            InstKind::Store { value, .. } => is_address(*value),
            InstKind::Load { .. }
            | InstKind::LoadBits { .. }
            | InstKind::StoreBits { .. }
            | InstKind::PtrAdd(..)
            | InstKind::Copy { .. }
            | InstKind::Zero { .. }
            | InstKind::Unspecify { .. }
            | InstKind::Check(..) => false,
            kind => kind.operands().any(is_address),
        };
        let blocks = || self.code.blocks.iter();
        let passed = blocks().flat_map(|block| block.term.edges()).flat_map(|edge| &edge.args);
        blocks().flat_map(|block| &block.insts).any(escapes)
            || passed.into_iter().any(|&value| is_address(value))
            || blocks().any(|block| block.term.operand().is_some_and(is_address))
    }
}
