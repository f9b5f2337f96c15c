//! The functions that allocate memory: the user's code gets those of the runtime, which return null where the inputs
//! say so. The compiler is told other names for the linker, as a `malloc` of our own would serve the C library, too.

use quipu_inputs::Interface;
use quipu_ir::Module;

use crate::build::unit_name;

const ALLOCATORS: [&str; 11] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "strdup",
    "__strdup",
    "strndup",
    "__strndup",
];

/// The allocators that have other names.
#[derive(Clone, Default, Debug)]
pub(crate) struct Renamed {
    names: Vec<&'static str>,
}

impl Renamed {
    /// None if nothing may fail, nor those that the program defines itself.
    pub(crate) fn of(module: &Module, interfaces: &[Interface]) -> Renamed {
        let may_fail = interfaces.iter().any(|interface| interface.failing > 0);
        let is_defined =
            |name: &str| module.functions.iter().any(|one| one.source_name == name && one.code().is_some());
        let names = ALLOCATORS.into_iter().filter(|name| may_fail && !is_defined(name));
        Renamed { names: names.collect() }
    }

    /// What the linker calls a function.
    pub(crate) fn linker_name(&self, name: &str) -> String {
        match self.names.contains(&name) {
            true => format!("__quipu_{}", name.trim_start_matches('_')),
            false => name.to_string(),
        }
    }

    /// The text of a unit with the other names. For the compiler, its first line stays the first.
    pub(crate) fn told_to(&self, unit: usize, text: Vec<u8>) -> Vec<u8> {
        if self.names.is_empty() {
            return text;
        }
        let mut all = String::new();
        for name in &self.names {
            all.push_str(&format!("#pragma redefine_extname {name} {}\n", self.linker_name(name)));
        }
        all.push_str(&format!("# 1 \"{}\"\n", unit_name(unit)));
        [all.into_bytes(), text].concat()
    }
}
