//! Arrays of other files whose length nobody tells.

use quipu_interp::{layout, resolve};
use quipu_ir::{Global, Init, Module, SourceType, TypeId};

/// So many elements has an array that another file defines, if its declaration does not tell.
const ELEMENTS: u64 = 16;

/// Gives such arrays a size, so that they have a content. That they have it is an assumption.
pub(crate) fn give_sizes(module: &mut Module) {
    for global in module.globals.ids() {
        let Some(element) = element_of_unsized(module, global) else { continue };
        let Some(room) = layout(module, element).filter(|room| room.size > 0) else { continue };
        module.globals[global].size = ELEMENTS * room.size;
        if sized(module, element).is_none() {
            module.types.push(array_of(element));
        }
    }
}

/// The type that stands for that of such an array, with its length.
pub(crate) fn assumed_type(module: &Module, global: Global) -> Option<(TypeId, u64)> {
    let element = element_of_unsized(module, global)?;
    Some((sized(module, element)?, ELEMENTS))
}

fn element_of_unsized(module: &Module, global: Global) -> Option<TypeId> {
    let data = &module.globals[global];
    match module.types[resolve(module, data.ty)] {
        SourceType::Array { element, len: None } if data.init == Init::External => Some(element),
        _ => None,
    }
}

fn array_of(element: TypeId) -> SourceType {
    SourceType::Array { element, len: Some(ELEMENTS) }
}

fn sized(module: &Module, element: TypeId) -> Option<TypeId> {
    let wanted = array_of(element);
    module.types.entries().find(|(_, ty)| **ty == wanted).map(|(id, _)| id)
}
