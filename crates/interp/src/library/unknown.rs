//! Functions that nobody knows: their results are inputs.

use quipu_ir::{Field, RecordKind, SourceType, Ty, TypeId};
use quipu_num::Width;

use super::Call;
use crate::input::InputKind;
use crate::layout;
use crate::outcome::{Fallible, unsupported};

/// A call of a function without a body and without a model.
pub(super) fn call(call: &mut Call<'_, '_>) -> Fallible<u64> {
    if call.function.returns_struct {
        let SourceType::Function { ret, .. } = call.module.types[call.function.ty] else {
            return unsupported(format!("the struct result of `{}`", call.function.name));
        };
        let place = call.arg(0);
        fill(call, ret, place)?;
        return Ok(0);
    }
    match call.function.ret {
        Some(ty) => call.input(ty, InputKind::Result),
        None => Ok(0),
    }
}

/// Fills an object with one input for each scalar, in declaration order; a union by its first member.
fn fill(call: &mut Call<'_, '_>, ty: TypeId, place: u64) -> Fallible<()> {
    let module = call.module;
    if let Some(ty) = layout::scalar(module, ty) {
        return scalar(call, ty, place);
    }
    match &module.types[layout::resolve(module, ty)] {
        SourceType::Array { element, len } => {
            let size = layout::layout(module, *element).map_or(0, |layout| layout.size);
            (0..len.unwrap_or(0)).try_for_each(|n| fill(call, *element, place + n * size))
        }
        SourceType::Record { kind, fields, .. } => {
            let count = if *kind == RecordKind::Union { 1 } else { fields.len() };
            fields.iter().take(count).try_for_each(|field| member(call, field, place))
        }
        _ => unsupported(format!("a result of `{}` of unknown type", call.function.name)),
    }
}

fn member(call: &mut Call<'_, '_>, field: &Field, record: u64) -> Fallible<()> {
    match field.bits {
        Some((bit, width)) => bit_field(call, record + field.offset, bit, width),
        None => fill(call, field.ty, record + field.offset),
    }
}

fn scalar(call: &mut Call<'_, '_>, ty: Ty, place: u64) -> Fallible<()> {
    let value = call.input(ty, InputKind::ResultMember)?;
    call.memory().store(place, ty, value, 1)
}

fn bit_field(call: &mut Call<'_, '_>, place: u64, bit: u32, width: u32) -> Fallible<()> {
    let Some(width) = Width::new(width) else { return Ok(()) };
    let value = call.input(Ty::Int(width), InputKind::ResultMember)?;
    call.memory().store_bits(place, bit, width, value)
}
