//! Globals that functions of other files can change.

use quipu_interp::is_library_object;
use quipu_ir::{Global, GlobalData, Init, Module};

/// The globals of a file of the program that other files can name and change.
pub(crate) fn shared_globals(module: &Module, file: &str) -> Vec<Global> {
    let is_shared = |data: &GlobalData| {
        let is_known = data.init != Init::External || data.size > 0;
        !data.local && is_known && stands_in(module, data, file)
    };
    let named = |data: &GlobalData| data.source_name.as_ref().is_some_and(|name| !name.starts_with("quipu_"));
    chosen(module, |data| is_shared(data) && is_changeable(data) && named(data))
}

/// The globals with some names that a function behind a file of the program can change.
pub(crate) fn named_globals(module: &Module, file: &str, names: &[String]) -> Vec<Global> {
    let is_named = |data: &GlobalData| data.source_name.as_ref().is_some_and(|name| names.contains(name));
    let is_seen = |data: &GlobalData| !data.local || stands_in(module, data, file);
    chosen(module, |data| is_named(data) && is_changeable(data) && is_seen(data))
}

/// Whether a global with a name of its own at file scope can be changed.
pub(crate) fn is_changeable(data: &GlobalData) -> bool {
    !data.constant && !data.block_scope && data.source_name.is_some() && !is_library_object(data)
}

fn stands_in(module: &Module, data: &GlobalData, file: &str) -> bool {
    module.files.get(data.span.file).is_some_and(|own| own == file)
}

fn chosen(module: &Module, is_meant: impl Fn(&GlobalData) -> bool) -> Vec<Global> {
    module.globals.entries().filter(|(_, data)| is_meant(data)).map(|(global, _)| global).collect()
}
