//! Variadic arguments: the caller packs them into an object, each at a multiple of eight bytes.
//!
//! A `va_list` is the address of the next one.

use quipu_ir::Ty;

use crate::memory::Memory;
use crate::outcome::Fallible;

/// The arguments that were not taken yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct VarArgs {
    next: u64,
}

impl VarArgs {
    /// The arguments from an address on.
    pub fn at(next: u64) -> VarArgs {
        VarArgs { next }
    }

    /// Takes an argument of a type.
    pub fn take(&mut self, memory: &Memory, ty: Ty) -> Fallible<u64> {
        let value = memory.load(self.next, ty, memory.data_model().size_of(ty))?;
        self.next += 8;
        Ok(value)
    }
}
