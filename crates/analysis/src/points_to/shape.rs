//! Where the pointers of a source type are, and how C names them.

use quipu_ir::{Module, RecordKind, SourceType, TypeId};

/// A pointer inside an object.
#[derive(Clone, Debug)]
pub struct PointerPart {
    /// Where it stands, from the start of the object.
    pub offset: i64,
    /// What is written behind the name of the object: `.next`, `[2]`; nothing if the object is the pointer.
    pub path: String,
    /// The type that it points to.
    pub to: TypeId,
}

/// More pointers than this are not listed one by one.
const MOST_PARTS: usize = 16;

/// The pointers inside an object of a type, as far as they are few; of a union those of all members.
pub fn pointer_parts(module: &Module, ty: TypeId) -> Vec<PointerPart> {
    let mut parts = Vec::new();
    collect(module, ty, 0, String::new(), &mut parts);
    parts
}

/// The type behind typedefs.
pub fn resolved(module: &Module, mut ty: TypeId) -> &SourceType {
    while let SourceType::Typedef { of, .. } = &module.types[ty] {
        ty = *of;
    }
    &module.types[ty]
}

/// The type that a pointer type points to.
pub fn pointee(module: &Module, ty: TypeId) -> Option<TypeId> {
    match resolved(module, ty) {
        SourceType::Pointer { to } => Some(*to),
        _ => None,
    }
}

fn collect(module: &Module, ty: TypeId, offset: i64, path: String, parts: &mut Vec<PointerPart>) {
    if parts.len() >= MOST_PARTS {
        return;
    }
    match resolved(module, ty) {
        SourceType::Pointer { to } => parts.push(PointerPart { offset, path, to: *to }),
        SourceType::Array { element, len } => {
            let (Some(len), Some(size)) = (len, size_of(module, *element)) else { return };
            for n in 0..(*len).min(MOST_PARTS as u64) {
                let at = offset + (n as i64).saturating_mul(size);
                collect(module, *element, at, format!("{path}[{n}]"), parts);
            }
        }
        SourceType::Record { fields, .. } => {
            for field in fields.iter().filter(|field| field.bits.is_none()) {
                let name = field.name.as_ref().map_or(String::new(), |name| format!(".{name}"));
                collect(module, field.ty, offset + field.offset as i64, format!("{path}{name}"), parts);
            }
        }
        _ => {}
    }
}

/// How C names the part of an object that starts at an offset: `.next`, `[2]`; nothing for the object itself.
pub fn path_at(module: &Module, ty: TypeId, offset: i64) -> Option<String> {
    match resolved(module, ty) {
        SourceType::Array { element, len } => {
            let size = size_of(module, *element).filter(|&size| size > 0)?;
            let n = offset.div_euclid(size);
            let is_element = n >= 0 && len.is_none_or(|len| n.cast_unsigned() < len);
            let inner = path_at(module, *element, offset.rem_euclid(size)).filter(|_| is_element)?;
            Some(format!("[{n}]{inner}"))
        }
        _ if offset == 0 => Some(String::new()),
        SourceType::Record { fields, .. } => {
            let before = fields.iter().filter(|field| field.bits.is_none() && field.offset as i64 <= offset);
            let field = before.max_by_key(|field| field.offset)?;
            let inner = path_at(module, field.ty, offset - field.offset as i64)?;
            Some(format!("{}{inner}", field.name.as_ref().map_or(String::new(), |name| format!(".{name}"))))
        }
        _ => None,
    }
}

/// The size in bytes, where it is known.
fn size_of(module: &Module, ty: TypeId) -> Option<i64> {
    let bytes = |bits: u32| i64::from(bits.div_ceil(8));
    match resolved(module, ty) {
        SourceType::Bool => Some(1),
        SourceType::Int { bits, .. } | SourceType::Enum { bits, .. } | SourceType::Float { bits } => {
            Some(bytes(*bits))
        }
        SourceType::Pointer { .. } => Some(module.data_model.pointer_size() as i64),
        SourceType::Array { element, len } => {
            size_of(module, *element)?.checked_mul(i64::try_from((*len)?).ok()?)
        }
        SourceType::Record { size, .. } => i64::try_from((*size)?).ok(),
        _ => None,
    }
}

/// Whether a type is passed to a function by the address of a copy.
pub fn is_record(module: &Module, ty: TypeId) -> bool {
    matches!(resolved(module, ty), SourceType::Record { kind: RecordKind::Struct | RecordKind::Union, .. })
}
