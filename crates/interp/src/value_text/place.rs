//! From value texts to arguments: scalars are converted, everything else becomes an object in memory.

use quipu_ir::{Field, RecordKind, SourceType, Ty, TypeId};
use quipu_num::Width;

use super::constant::evaluate;
use super::{Designator, Element, ExprKind, TextError, ValueKind, ValueText, error};
use crate::layout::{Layout, layout, resolve, scalar};
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::outcome::Fallible;

/// The bits of an argument for a parameter of this source type. Objects that it needs are allocated: a
/// pointer given `{...}` points to a new array of exactly that many elements, a string to one with its
/// terminating zero; a struct is passed by the address of a new object.
pub fn place_argument(machine: &mut Machine<'_>, value: &ValueText, ty: TypeId) -> Result<u64, TextError> {
    let ty = resolve(machine.module(), ty);
    match machine.module().types[ty] {
        // A parameter declared as an array is a pointer (C17 6.7.6.3p7).
        SourceType::Array { element, .. } => pointer(machine, value, element),
        SourceType::Record { .. } => new_object(machine, value, ty),
        _ => scalar_bits(machine, value, ty),
    }
}

/// Writes a value into the object of this source type at an address; parts without a value stay as they
/// are.
pub fn place_object(
    machine: &mut Machine<'_>,
    value: &ValueText,
    ty: TypeId,
    addr: u64,
) -> Result<(), TextError> {
    let module = machine.module();
    let ty = resolve(module, ty);
    if let Some(scalar) = scalar(module, ty) {
        let bits = scalar_bits(machine, value, ty)?;
        return done(value, machine.memory_mut().store(addr, scalar, bits, 1));
    }
    match &module.types[ty] {
        SourceType::Array { element, len } => array(machine, value, *element, *len, addr),
        SourceType::Record { kind, fields, .. } => record(machine, value, *kind, fields, addr),
        _ => error(value.at, "a value of this type cannot be written"),
    }
}

/// The bits of a scalar of a resolved type.
fn scalar_bits(machine: &mut Machine<'_>, value: &ValueText, ty: TypeId) -> Result<u64, TextError> {
    let module = machine.module();
    let Some(scalar) = scalar(module, ty) else {
        return error(value.at, "a value of this type cannot be written");
    };
    if let SourceType::Pointer { to } = module.types[ty] {
        return pointer(machine, value, to);
    }
    match &value.kind {
        ValueKind::Constant(expr) => {
            Ok(evaluate(module, expr)?.convert(scalar, is_signed(&module.types[ty])))
        }
        ValueKind::Braces(elements) => match elements.as_slice() {
            [Element { designators, value }] if designators.is_empty() => scalar_bits(machine, value, ty),
            _ => error(value.at, "expected one number"),
        },
        _ => error(value.at, "expected a number"),
    }
}

fn is_signed(ty: &SourceType) -> bool {
    matches!(ty, SourceType::Int { signed: true, .. } | SourceType::Enum { signed: true, .. })
}

/// The address for a pointer to type `to`.
fn pointer(machine: &mut Machine<'_>, value: &ValueText, to: TypeId) -> Result<u64, TextError> {
    let to = resolve(machine.module(), to);
    match &value.kind {
        ValueKind::Constant(expr) => match &expr.kind {
            ExprKind::Name(name) if find_name(machine, name).is_some() => {
                name_address(machine, value, name, 0)
            }
            _ if evaluate(machine.module(), expr)?.is_null() => Ok(0),
            _ => error(value.at, "expected NULL, `&name`, a string or `{...}` for a pointer"),
        },
        ValueKind::AddressOfName(name, offset) => name_address(machine, value, name, *offset),
        ValueKind::String(bytes) => string(machine, value, to, bytes),
        ValueKind::AddressOf(inner) => new_object(machine, inner, to),
        ValueKind::Braces(elements) => {
            let one = matches!(machine.module().types[to], SourceType::Record { .. })
                && !is_array_of_records(elements);
            if one { new_object(machine, value, to) } else { new_array(machine, value, to, elements) }
        }
    }
}

/// Braces for a pointer to a record hold the records of an array if all of them are braces themselves.
fn is_array_of_records(elements: &[Element]) -> bool {
    let braces = |element: &Element| {
        matches!(element.value.kind, ValueKind::Braces(_))
            && !matches!(element.designators.first(), Some(Designator::Field(_)))
    };
    !elements.is_empty() && elements.iter().all(braces)
}

fn find_name(machine: &Machine<'_>, name: &str) -> Option<u64> {
    let module = machine.module();
    let global = module
        .globals
        .entries()
        .find(|(_, data)| data.name == name || data.source_name.as_deref() == Some(name))
        .map(|(global, _)| machine.global_address(global));
    global.or_else(|| module.function(name).map(|func| machine.function_address(func)))
}

fn name_address(machine: &Machine<'_>, value: &ValueText, name: &str, offset: i64) -> Result<u64, TextError> {
    match find_name(machine, name) {
        Some(addr) => Ok(addr.wrapping_add_signed(offset)),
        None => error(value.at, format!("`{name}` is no global object and no function")),
    }
}

/// A new array of characters with a terminating zero.
fn string(machine: &mut Machine<'_>, value: &ValueText, to: TypeId, bytes: &[u8]) -> Result<u64, TextError> {
    if !is_byte(machine, to) {
        return error(value.at, "a string needs a pointer to characters");
    }
    let mut text = bytes.to_vec();
    text.push(0);
    let memory = machine.memory_mut();
    let addr = done(value, memory.allocate(ObjectKind::Input, text.len() as u64, 1))?;
    done(value, memory.write_bytes(addr, &text))?;
    Ok(addr)
}

fn is_byte(machine: &Machine<'_>, ty: TypeId) -> bool {
    let module = machine.module();
    let ty = resolve(module, ty);
    matches!(module.types[ty], SourceType::Int { bits: 8, .. } | SourceType::Void)
}

/// A new object of a type, zero where the value says nothing.
fn new_object(machine: &mut Machine<'_>, value: &ValueText, ty: TypeId) -> Result<u64, TextError> {
    let Some(Layout { size, align }) = layout(machine.module(), ty) else {
        return error(value.at, "an object of an incomplete type cannot be made");
    };
    let addr = done(value, machine.memory_mut().allocate_zeroed(ObjectKind::Input, size, align))?;
    place_object(machine, value, ty, addr)?;
    Ok(addr)
}

/// A new array of as many elements as the braces hold; bytes behind a `void` pointer.
fn new_array(
    machine: &mut Machine<'_>,
    value: &ValueText,
    element: TypeId,
    elements: &[Element],
) -> Result<u64, TextError> {
    let is_void = machine.module().types[element] == SourceType::Void;
    let room = if is_void { Some(Layout { size: 1, align: 1 }) } else { layout(machine.module(), element) };
    let Some(Layout { size, align }) = room else {
        return error(value.at, "an array of an incomplete type cannot be made");
    };
    let count = count(elements)?;
    let Some(total) = size.checked_mul(count) else {
        return error(value.at, "the array is too large");
    };
    let addr = done(value, machine.memory_mut().allocate_zeroed(ObjectKind::Input, total, align))?;
    if is_void {
        bytes(machine, elements, addr)?
    } else {
        array(machine, value, element, Some(count), addr)?
    }
    Ok(addr)
}

fn bytes(machine: &mut Machine<'_>, elements: &[Element], addr: u64) -> Result<(), TextError> {
    for (element, at) in elements.iter().zip(positions(elements)?) {
        let ValueKind::Constant(expr) = &element.value.kind else {
            return error(element.value.at, "expected a number");
        };
        let byte = evaluate(machine.module(), expr)?.convert(Ty::I8, false);
        done(&element.value, machine.memory_mut().store(addr + at, Ty::I8, byte, 1))?;
    }
    Ok(())
}

/// The index of each element of an array.
fn positions(elements: &[Element]) -> Result<Vec<u64>, TextError> {
    let mut next = 0u64;
    let mut positions = Vec::with_capacity(elements.len());
    for element in elements {
        match element.designators.first() {
            Some(Designator::Index(index)) => next = *index,
            Some(Designator::Field(name)) => {
                return error(element.value.at, format!("`.{name}` names no element of an array"));
            }
            None => {}
        }
        positions.push(next);
        next = next.saturating_add(1);
    }
    Ok(positions)
}

fn count(elements: &[Element]) -> Result<u64, TextError> {
    Ok(positions(elements)?.into_iter().map(|index| index.saturating_add(1)).max().unwrap_or(0))
}

fn array(
    machine: &mut Machine<'_>,
    value: &ValueText,
    element: TypeId,
    len: Option<u64>,
    addr: u64,
) -> Result<(), TextError> {
    let Some(Layout { size, .. }) = layout(machine.module(), element) else {
        return error(value.at, "an array of an incomplete type cannot be written");
    };
    let len = len.unwrap_or(0);
    match &value.kind {
        ValueKind::String(text) if is_byte(machine, element) => {
            // The terminating zero is dropped where the array has no room for it (C17 6.7.9p14).
            if text.len() as u64 > len {
                return error(value.at, format!("the string is longer than the array of {len}"));
            }
            let mut text = text.clone();
            text.resize(text.len() + usize::from((text.len() as u64) < len), 0);
            done(value, machine.memory_mut().write_bytes(addr, &text))
        }
        ValueKind::Braces(elements) => {
            for (item, index) in elements.iter().zip(positions(elements)?) {
                if index >= len {
                    return error(item.value.at, format!("too many elements: the array has {len}"));
                }
                let rest = item.designators.get(1..).unwrap_or(&[]);
                part(machine, &item.value, rest, element, addr + index * size)?;
            }
            Ok(())
        }
        _ => error(value.at, "expected `{...}` for an array"),
    }
}

fn record(
    machine: &mut Machine<'_>,
    value: &ValueText,
    kind: RecordKind,
    fields: &[Field],
    addr: u64,
) -> Result<(), TextError> {
    let ValueKind::Braces(elements) = &value.kind else {
        return error(value.at, "expected `{...}` for a struct or union");
    };
    let mut next = 0;
    for item in elements {
        let index = match item.designators.first() {
            None => next,
            Some(Designator::Field(name)) => match field_index(machine, fields, name) {
                Some(index) => index,
                None => return error(item.value.at, format!("there is no member `{name}`")),
            },
            Some(Designator::Index(_)) => return error(item.value.at, "an index names no member"),
        };
        // Unnamed bit-fields take no value.
        let index = index + fields[index.min(fields.len())..].iter().take_while(|f| is_filler(f)).count();
        let limit = if kind == RecordKind::Union && item.designators.is_empty() { 1 } else { fields.len() };
        let Some(field) = fields.get(index).filter(|_| index < limit) else {
            return error(item.value.at, "too many members");
        };
        // Designators that name a member of an anonymous record stay for that record.
        let named_here = match item.designators.first() {
            Some(Designator::Field(name)) => field.name.as_ref() == Some(name),
            _ => true,
        };
        let rest = if named_here { item.designators.get(1..).unwrap_or(&[]) } else { &item.designators };
        member(machine, &item.value, rest, field, addr)?;
        next = index + 1;
    }
    Ok(())
}

fn is_filler(field: &Field) -> bool {
    field.name.is_none() && field.bits.is_some()
}

/// The field with a name, or the anonymous record that contains it.
fn field_index(machine: &Machine<'_>, fields: &[Field], name: &str) -> Option<usize> {
    let direct = fields.iter().position(|field| field.name.as_deref() == Some(name));
    direct.or_else(|| {
        fields.iter().position(|field| {
            let ty = resolve(machine.module(), field.ty);
            match &machine.module().types[ty] {
                SourceType::Record { fields, .. } if field.name.is_none() => {
                    field_index(machine, fields, name).is_some()
                }
                _ => false,
            }
        })
    })
}

fn member(
    machine: &mut Machine<'_>,
    value: &ValueText,
    designators: &[Designator],
    field: &Field,
    record: u64,
) -> Result<(), TextError> {
    let addr = record + field.offset;
    let Some((bit, width)) = field.bits else {
        return part(machine, value, designators, field.ty, addr);
    };
    let ty = resolve(machine.module(), field.ty);
    let bits = scalar_bits(machine, value, ty)?;
    match Width::new(width) {
        Some(width) => done(value, machine.memory_mut().store_bits(addr, bit, width, bits)),
        None => error(value.at, "a bit-field without bits takes no value"),
    }
}

/// Writes to the part of an object that further designators name.
fn part(
    machine: &mut Machine<'_>,
    value: &ValueText,
    designators: &[Designator],
    ty: TypeId,
    addr: u64,
) -> Result<(), TextError> {
    if designators.is_empty() {
        return place_object(machine, value, ty, addr);
    }
    let element = Element { designators: designators.to_vec(), value: value.clone() };
    let wrapped = ValueText { at: value.at, kind: ValueKind::Braces(vec![element]) };
    place_object(machine, &wrapped, ty, addr)
}

/// The result of an access that can only fail for want of memory.
fn done<T>(value: &ValueText, result: Fallible<T>) -> Result<T, TextError> {
    result.map_err(|stop| TextError { at: value.at, message: format!("the value has no room: {stop:?}") })
}
