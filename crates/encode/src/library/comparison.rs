//! What the code of comparison functions tells about them.

use quipu_ir::{FuncBody, InstKind, Ty, Value, ValueDef};
use rustc_hash::FxHashMap;

use crate::encoder::Engine;
use crate::pointer::{Base, Pointer};

impl Engine<'_> {
    /// Whether no function that a pointer may point to changes anything: it neither writes nor calls.
    pub(super) fn has_no_effects(&self, function: &Pointer) -> bool {
        self.each_body(function, |code| {
            code.blocks.iter().flat_map(|block| &block.insts).all(|inst| is_quiet(&inst.kind))
        })
    }

    /// Whether, besides, what they return depends on nothing but the bytes of two elements, wherever these are.
    pub(super) fn compares_bytes_only(&self, function: &Pointer, size: u64) -> bool {
        self.has_no_effects(function)
            && self.each_body(function, |code| self.looks_at_elements_only(code, size))
    }

    fn each_body(&self, function: &Pointer, holds: impl Fn(&FuncBody) -> bool) -> bool {
        function.cases.iter().all(|case| match case.base {
            Base::Function(func) => self.module.functions[func].code().is_some_and(&holds),
            // These are events.
            Base::Null | Base::Object(_) => true,
            Base::Unknown => false,
        })
    }

    /// Whether all reads lie within elements of a size, and addresses are used for nothing else.
    fn looks_at_elements_only(&self, code: &FuncBody, size: u64) -> bool {
        let start = code.blocks[code.entry()].params.iter().map(|&param| (param, 0));
        let mut places: FxHashMap<Value, u64> =
            start.filter(|(param, _)| code.ty(*param) == Ty::Ptr).collect();
        for inst in code.blocks.iter().flat_map(|block| &block.insts) {
            let ty = inst.result.map(|result| code.ty(result));
            let is_inside = |ptr: &Value, bits: u32| {
                places
                    .get(ptr)
                    .is_some_and(|&place| place.saturating_add(u64::from(bits.div_ceil(8))) <= size)
            };
            let fine = match (&inst.kind, ty) {
                (InstKind::PtrAdd(ptr, by), _) => match (places.get(ptr), code.values[*by].def) {
                    (Some(place), ValueDef::Const(by)) => {
                        let moved = place.checked_add(by);
                        places.extend(inst.result.zip(moved));
                        moved.is_some()
                    }
                    _ => false,
                },
                (InstKind::Load { ptr, volatile: false, .. }, Some(ty)) if ty != Ty::Ptr => {
                    is_inside(ptr, self.stored_bits(ty))
                }
                (InstKind::LoadBits { ptr, bit, volatile: false }, Some(Ty::Int(width))) => {
                    is_inside(ptr, bit + width.bits())
                }
                (kind, _) => !kind.operands().any(|operand| code.ty(operand) == Ty::Ptr),
            };
            if !fine {
                return false;
            }
        }
        let passes_pointers = |block: &quipu_ir::BlockData| {
            block.term.edges().flat_map(|edge| &edge.args).any(|&arg| code.ty(arg) == Ty::Ptr)
        };
        !code.blocks.iter().any(passes_pointers)
    }
}

/// Whether an instruction changes nothing but its result.
fn is_quiet(kind: &InstKind) -> bool {
    match kind {
        InstKind::Store { .. }
        | InstKind::StoreBits { .. }
        | InstKind::Copy { .. }
        | InstKind::Zero { .. }
        | InstKind::Unspecify { .. }
        | InstKind::Call(..)
        | InstKind::Alloca { .. }
        | InstKind::SlotAddr(_)
        | InstKind::SlotEnd(_) => false,
        InstKind::Load { volatile, .. } | InstKind::LoadBits { volatile, .. } => !volatile,
        _ => true,
    }
}
