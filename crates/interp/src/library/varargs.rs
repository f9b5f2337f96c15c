//! Variadic arguments: the caller packs them into an object, each at a multiple of eight bytes.
//!
//! A `va_list` object starts with the address of the next one. Where `va_list` is an array type, a function
//! gets the address of that object; else it gets the content.

use quipu_ir::{SourceType, Ty};

use super::Call;
use crate::layout::resolve;
use crate::memory::Memory;
use crate::outcome::{Fallible, unsupported};

/// The arguments that were not taken yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct VarArgs {
    next: u64,
}

impl VarArgs {
    /// The arguments that parameter `n` stands for: packed by the caller, or a `va_list`.
    pub fn of_call(call: &Call<'_, '_>, n: usize, list: bool) -> Fallible<VarArgs> {
        if list {
            return VarArgs::of_list(call, n);
        }
        if !call.function.variadic {
            return unsupported(format!("`{}` declared without `...`", call.function.source_name));
        }
        Ok(VarArgs { next: call.arg(n) })
    }

    fn of_list(call: &Call<'_, '_>, n: usize) -> Fallible<VarArgs> {
        let types = &call.module.types;
        let source = call.function.params.get(n).and_then(|param| param.source);
        let to_record = source.is_some_and(|ty| match types[resolve(call.module, ty)] {
            SourceType::Pointer { to } => {
                matches!(types[resolve(call.module, to)], SourceType::Record { .. })
            }
            _ => false,
        });
        let next = if to_record { call.load_pointer(call.arg(n))? } else { call.arg(n) };
        Ok(VarArgs { next })
    }

    /// Takes an argument of a type.
    pub fn take(&mut self, memory: &Memory, ty: Ty) -> Fallible<u64> {
        let value = memory.load(self.next, ty, memory.data_model().size_of(ty))?;
        self.next += 8;
        Ok(value)
    }
}
