//! Addresses as numbers: marks in the place of pointers (`MAP_FAILED`), and bits of pointers that say something else.
//!
//! Null, or an object of its own, stands for everything that a pointer may be, as long as nobody looks at the number
//! that it is. That number may be one that no object has.

use quipu_ir::{FuncBody, InstKind, Module, Ty, Value, ValueDef};

use crate::interface::Interface;
use crate::mentioned::Mentioned;

/// Whether the code under test makes numbers of pointers, or compares them with addresses other than null.
pub(crate) fn reads_addresses(module: &Module, interface: &Interface) -> bool {
    let entered = Mentioned::by_any(module, interface.functions()).functions;
    let codes = entered.iter().filter_map(|&func| module.functions[func].code());
    codes.into_iter().any(|code| {
        let mut insts = code.blocks.iter().flat_map(|block| &block.insts);
        insts.any(|inst| match &inst.kind {
            InstKind::PtrToInt(_) => true,
            InstKind::IntCmp(_, a, b) => is_mark(code, *a) || is_mark(code, *b),
            _ => false,
        })
    })
}

fn is_mark(code: &FuncBody, value: Value) -> bool {
    code.ty(value) == Ty::Ptr && matches!(code.values[value].def, ValueDef::Const(1..))
}
