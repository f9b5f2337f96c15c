//! The scalars that an object of a type consists of, with the C path that leads to each.
//!
//! The order is that of the declaration, and a union counts by its first member: the same choice as for inputs and for
//! the results of unknown functions, so that values can be matched by order and by place.

use quipu_inputs::ObjectShape;
use quipu_interp::{layout, resolve, scalar};
use quipu_ir::{Field, Module, RecordKind, SourceType, TypeId};

/// A scalar inside an object.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// A C expression for it.
    pub(crate) path: String,
    /// False for an unnamed bit-field, which has a value but no expression.
    pub(crate) named: bool,
    /// In bytes, from the start of the object.
    pub(crate) offset: u64,
    /// For a bit-field the first bit and the width.
    pub(crate) bits: Option<(u32, u32)>,
    pub(crate) ty: TypeId,
}

/// The scalars of an object of a type that C calls `root`.
pub(crate) fn members(module: &Module, ty: TypeId, root: &str) -> Vec<Member> {
    let mut found = Vec::new();
    Walk { module, found: &mut found }.part(ty, 0, root);
    found
}

/// The C expression for a scalar of an input object that C calls `root`, if it has one.
pub(crate) fn object_member(
    module: &Module,
    shape: &ObjectShape,
    root: &str,
    offset: u64,
    bits: Option<(u32, u32)>,
) -> Option<String> {
    let (element, offset) = match size(module, shape.element) {
        step if shape.count > 1 && step > 0 => (format!("{root}[{}]", offset / step), offset % step),
        _ => (root.to_string(), offset),
    };
    member_at(module, shape.element, &element, offset, bits)
}

/// A pointer of a type to a place in an object, as C writes it: to what stands there, or behind what ends there.
pub(crate) fn place_in(
    module: &Module,
    shape: &ObjectShape,
    root: &str,
    offset: u64,
    to: TypeId,
) -> Option<String> {
    let step = size(module, to);
    let part = |offset: u64| match size(module, shape.element) {
        own if shape.count > 1 && own > 0 => {
            let element = format!("{root}[{}]", offset / own);
            part_at(module, shape.element, &element, offset % own, to)
        }
        _ => part_at(module, shape.element, root, offset, to),
    };
    // What stands behind an array may have its type, too: it is all the same.
    let here = part(offset).filter(|_| offset < shape.size).map(|part| format!("&{part}"));
    here.or_else(|| Some(format!("&{} + 1", part(offset.checked_sub(step)?)?)))
}

/// The way down to a part with a type.
fn part_at(module: &Module, ty: TypeId, path: &str, offset: u64, to: TypeId) -> Option<String> {
    if offset == 0 && resolve(module, ty) == resolve(module, to) {
        return Some(path.to_string());
    }
    match &module.types[resolve(module, ty)] {
        SourceType::Array { element, len } => {
            let step = size(module, *element).max(1);
            let number = offset / step;
            let inside = len.is_some_and(|len| number < len);
            inside
                .then(|| part_at(module, *element, &format!("{path}[{number}]"), offset % step, to))
                .flatten()
        }
        SourceType::Record { kind, fields, .. } => {
            let most = if *kind == RecordKind::Union { 1 } else { fields.len() };
            fields.iter().take(most).filter(|field| field.bits.is_none()).find_map(|field| {
                let inner = offset.checked_sub(field.offset).filter(|at| *at < size(module, field.ty))?;
                let path = field.name.as_ref().map_or(path.to_string(), |name| format!("{path}.{name}"));
                part_at(module, field.ty, &path, inner, to)
            })
        }
        _ => None,
    }
}

/// The way down to a scalar.
fn member_at(
    module: &Module,
    ty: TypeId,
    path: &str,
    offset: u64,
    bits: Option<(u32, u32)>,
) -> Option<String> {
    if scalar(module, ty).is_some() {
        return (offset == 0 && bits.is_none()).then(|| path.to_string());
    }
    match &module.types[resolve(module, ty)] {
        SourceType::Array { element, .. } => {
            let step = size(module, *element).max(1);
            member_at(module, *element, &format!("{path}[{}]", offset / step), offset % step, bits)
        }
        SourceType::Record { kind, fields, .. } => {
            let most = if *kind == RecordKind::Union { 1 } else { fields.len() };
            fields.iter().take(most).find_map(|field| {
                let inner = offset.checked_sub(field.offset)?;
                let path = field.name.as_ref().map_or(path.to_string(), |name| format!("{path}.{name}"));
                match field.bits {
                    Some(_) => (inner == 0 && field.bits == bits && field.name.is_some()).then_some(path),
                    None if inner < size(module, field.ty) => member_at(module, field.ty, &path, inner, bits),
                    None => None,
                }
            })
        }
        _ => None,
    }
}

/// The number of bytes that an object of a type takes.
pub(crate) fn size(module: &Module, ty: TypeId) -> u64 {
    layout(module, ty).map_or(0, |layout| layout.size)
}

struct Walk<'a> {
    module: &'a Module,
    found: &'a mut Vec<Member>,
}

impl Walk<'_> {
    fn part(&mut self, ty: TypeId, offset: u64, path: &str) {
        if scalar(self.module, ty).is_some() {
            return self.found.push(Member { path: path.to_string(), named: true, offset, bits: None, ty });
        }
        let module = self.module;
        match &module.types[resolve(module, ty)] {
            SourceType::Array { element, len } => self.elements(*element, len.unwrap_or(0), offset, path),
            SourceType::Record { kind, fields, .. } => {
                let most = if *kind == RecordKind::Union { 1 } else { fields.len() };
                fields.iter().take(most).for_each(|field| self.field(field, offset, path));
            }
            _ => {}
        }
    }

    fn elements(&mut self, element: TypeId, count: u64, offset: u64, path: &str) {
        let step = size(self.module, element);
        (0..count).for_each(|n| self.part(element, offset + n * step, &format!("{path}[{n}]")));
    }

    fn field(&mut self, field: &Field, record: u64, path: &str) {
        let offset = record + field.offset;
        // What stands in an anonymous record is named as if it stood in the record around it (6.7.2.1p13).
        let path = field.name.as_ref().map_or(path.to_string(), |name| format!("{path}.{name}"));
        match field.bits {
            Some((_, 0)) => {}
            Some(bits) => {
                let named = field.name.is_some();
                self.found.push(Member { path, named, offset, bits: Some(bits), ty: field.ty });
            }
            None => self.part(field.ty, offset, &path),
        }
    }
}
