//! What is behind pointers to incomplete types.

use quipu_interp::resolve;
use quipu_ir::{Module, RecordKind, SourceType, TypeId};

/// The type of what a pointer leads to: for an incomplete struct or union the one that another file completes it to, or
/// that the code sees when it converts such pointers. The type itself if nobody tells.
pub(crate) fn shown_type(module: &Module, to: TypeId) -> TypeId {
    let Some(hidden) = hidden_name(module, to) else { return to };
    let completed = module.types.ids().find(|&ty| name(module, ty, false) == Some(hidden));
    let viewed = || {
        let mut views = module.views.iter();
        views.find(|view| hidden_name(module, view.hidden) == Some(hidden)).map(|view| view.shown)
    };
    completed.or_else(viewed).unwrap_or(to)
}

/// The tag of an incomplete struct or union.
fn hidden_name(module: &Module, ty: TypeId) -> Option<(RecordKind, &str)> {
    name(module, resolve(module, ty), true)
}

fn name(module: &Module, ty: TypeId, hidden: bool) -> Option<(RecordKind, &str)> {
    match &module.types[ty] {
        SourceType::Record { kind, tag: Some(tag), size, .. } if size.is_none() == hidden => {
            Some((*kind, tag.as_str()))
        }
        _ => None,
    }
}
