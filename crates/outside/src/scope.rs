//! Globals that other files can change.

use quipu_interp::is_library_object;
use quipu_ir::{Global, GlobalData, Init, Module};

/// The globals of a file of the program that other files can name and change.
pub(crate) fn shared_globals(module: &Module, file: &str) -> Vec<Global> {
    let is_shared = |data: &GlobalData| {
        let is_known = data.init != Init::External || data.size > 0;
        let is_here = module.files.get(data.span.file).is_some_and(|own| own == file);
        !data.local && !data.constant && !data.block_scope && is_known && is_here && !is_library_object(data)
    };
    let named = |data: &GlobalData| data.source_name.as_ref().is_some_and(|name| !name.starts_with("quipu_"));
    module
        .globals
        .entries()
        .filter(|(_, data)| is_shared(data) && named(data))
        .map(|(global, _)| global)
        .collect()
}
