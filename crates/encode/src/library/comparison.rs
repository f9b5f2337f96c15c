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
            let is_inside = |ptr: &Value, bits: u64| {
                places.get(ptr).is_some_and(|&place| place + bits.div_ceil(8) <= size)
            };
            let result = inst.result.map(|result| (result, code.ty(result)));
            match (&inst.kind, result) {
                (InstKind::PtrAdd(ptr, by), Some((result, _))) => {
                    let ValueDef::Const(by) = code.values[*by].def else { return false };
                    let Some(place) = places.get(ptr).and_then(|place| place.checked_add(by)) else {
                        return false;
                    };
                    places.insert(result, place);
                }
                (InstKind::Load { ptr, volatile: false, .. }, Some((_, ty))) if ty != Ty::Ptr => {
                    if !is_inside(ptr, u64::from(self.stored_bits(ty))) {
                        return false;
                    }
                }
                (InstKind::LoadBits { ptr, bit }, Some((_, Ty::Int(width)))) => {
                    if !is_inside(ptr, u64::from(bit + width.bits())) {
                        return false;
                    }
                }
                (kind, _) if kind.operands().any(|operand| code.ty(operand) == Ty::Ptr) => return false,
                _ => {}
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
        | InstKind::Call(..)
        | InstKind::Alloca { .. }
        | InstKind::SlotAddr(_)
        | InstKind::SlotEnd(_) => false,
        InstKind::Load { volatile, .. } => !volatile,
        _ => true,
    }
}
