//! Sizes of source types, and the value types of scalars.

use quipu_ir::{Module, SourceType, Ty, TypeId};

/// How much room a type takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The size in bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
}

/// The layout of a complete object type.
pub fn layout(module: &Module, ty: TypeId) -> Option<Layout> {
    if let Some(scalar) = scalar(module, ty) {
        let size = module.data_model.size_of(scalar);
        return Some(Layout { size, align: size });
    }
    match &module.types[resolve(module, ty)] {
        SourceType::Array { element, len } => {
            let element = layout(module, *element)?;
            Some(Layout { size: element.size.checked_mul((*len)?)?, align: element.align })
        }
        SourceType::Record { size, align, .. } => Some(Layout { size: (*size)?, align: *align }),
        _ => None,
    }
}

/// The type behind all names.
pub fn resolve(module: &Module, mut ty: TypeId) -> TypeId {
    while let SourceType::Typedef { of, .. } = &module.types[ty] {
        ty = *of;
    }
    ty
}

/// The value type of a scalar source type.
pub fn scalar(module: &Module, ty: TypeId) -> Option<Ty> {
    match &module.types[resolve(module, ty)] {
        SourceType::Bool => Some(Ty::BOOL),
        SourceType::Int { bits, .. } | SourceType::Enum { bits, .. } if *bits <= 64 => Some(Ty::int(*bits)),
        SourceType::Float { bits: 32 } => Some(Ty::F32),
        SourceType::Float { bits: 64 } => Some(Ty::F64),
        SourceType::Pointer { .. } => Some(Ty::Ptr),
        _ => None,
    }
}
