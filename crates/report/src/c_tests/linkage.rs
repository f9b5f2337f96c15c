//! What the source defines, and what it uses and does not define.

use std::collections::{BTreeMap, BTreeSet};

use quipu_cover::FunctionReport;
use quipu_inputs::{Mentioned, Outside, Target, is_stub, is_system};
use quipu_interp::{is_modelled, layout, resolve};
use quipu_ir::{Body, Func, Function, Global, GlobalData, Init, Module, SourceType, Span};

/// Functions that mean something to a verifier. The interpreter knows them, a linker does not.
const VERIFICATION: [&str; 5] =
    ["__VERIFIER_assume", "__VERIFIER_assert", "__VERIFIER_error", "assume", "reach_error"];

/// The names that matter to a linker.
pub(crate) struct Linkage {
    /// What the source defines for other files to use, or under a name that a header has, too.
    pub(crate) defined: BTreeSet<String>,
    /// The functions that the test file defines for the source.
    pub(crate) missing_functions: Vec<Func>,
    /// The functions that only tests use: pointers point to them.
    pub(crate) stubs: BTreeSet<Func>,
    /// The objects that the test file defines for the source.
    pub(crate) missing_objects: Vec<Global>,
    /// The library functions that the source uses.
    pub(crate) library: BTreeSet<String>,
    /// Whether the source has a `main`.
    pub(crate) has_main: bool,
}

impl Linkage {
    pub(crate) fn of(module: &Module, reports: &[FunctionReport]) -> Linkage {
        let functions = module.functions.iter().filter(|function| {
            let clashes = !function.local || is_modelled(&function.source_name);
            function.body != Body::Declared && clashes && !is_system(module, function.span)
        });
        let objects = module
            .globals
            .iter()
            .filter(|data| data.init != Init::External && is_linked(data) && !is_system(module, data.span));
        let objects = objects.filter_map(|data| data.source_name.clone());
        let mentioned = mentioned(module);
        let undefined =
            || mentioned.iter().copied().filter(|&func| module.functions[func].body == Body::Declared);
        let missing = |func: &Func| is_missing(&module.functions[*func]);
        Linkage {
            defined: functions.map(|function| function.source_name.clone()).chain(objects).collect(),
            missing_functions: undefined().filter(missing).collect(),
            stubs: stubs(module, reports),
            missing_objects: missing_objects(module),
            library: undefined()
                .filter(|func| !missing(func))
                .map(|func| module.functions[func].source_name.clone())
                .collect(),
            has_main: module
                .functions
                .iter()
                .any(|one| one.source_name == "main" && one.body != Body::Declared),
        }
    }

    /// All functions that the test file defines.
    pub(crate) fn provided(&self) -> impl Iterator<Item = Func> + '_ {
        self.missing_functions.iter().chain(&self.stubs).copied()
    }

    /// The functions of libraries that the test file defines. Headers that it includes itself may declare them.
    pub(crate) fn of_libraries(&self, module: &Module) -> BTreeSet<String> {
        let is_declared = |func: &Func| is_system(module, module.functions[*func].span);
        let is_made = |func: &Func| Outside::of(module, *func).is_some_and(|known| known.library);
        let declared = self.missing_functions.iter().copied().filter(is_declared);
        let made = module.functions.ids().filter(is_made);
        declared.chain(made).map(|func| module.functions[func].source_name.clone()).collect()
    }

    /// The names for which the linker should know others.
    pub(crate) fn renamed(&self, module: &Module) -> BTreeSet<String> {
        let functions = self.missing_functions.iter().map(|&func| module.functions[func].source_name.clone());
        let objects =
            self.missing_objects.iter().filter_map(|&global| module.globals[global].source_name.clone());
        self.defined.iter().cloned().chain(functions).chain(objects).collect()
    }
}

/// A name that two files use for different things, each for itself. One file that includes both would not compile, or
/// have one thing for both. What a header defines is one and the same text; that does, unless it keeps state.
pub(crate) fn shared_name(module: &Module) -> Option<&str> {
    let functions = module.functions.iter().filter(|function| function.body != Body::Declared);
    let functions = functions.map(|function| (function.source_name.as_str(), function.span, true));
    let objects = module.globals.iter().filter(|data| data.init != Init::External);
    let objects = objects
        .filter_map(|data| Some((data.source_name.as_deref()?, data.span, data.constant, data.block_scope)));
    // The static objects of a function are in the way only if the function is there twice.
    let inner = objects.clone().filter(|(.., inner)| *inner).map(|(name, span, same, _)| (name, span, same));
    let outer = objects.filter(|(.., inner)| !inner).map(|(name, span, same, _)| (name, span, same));
    let mut places = BTreeSet::new();
    let twice = inner.filter(|(name, span, _)| !places.insert((*name, *span))).find(|(.., same)| !same);
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    let mut clash = functions.chain(outer).filter(|(name, span, same)| match seen.insert(name, *span) {
        Some(before) => before != *span || !same,
        None => false,
    });
    clash.next().or(twice).map(|(name, ..)| name)
}

fn is_linked(data: &GlobalData) -> bool {
    data.source_name.is_some() && !data.local && !data.block_scope
}

fn is_missing(function: &Function) -> bool {
    let name = function.source_name.as_str();
    VERIFICATION.contains(&name) || !is_modelled(name) && !name.starts_with("__builtin_") && name != "main"
}

/// The stubs to which pointers point in tests.
fn stubs(module: &Module, reports: &[FunctionReport]) -> BTreeSet<Func> {
    let tests = reports.iter().flat_map(|report| report.tests.iter().map(|test| (&report.interface, test)));
    let targets = tests.flat_map(|(interface, test)| {
        interface.leaves.ids().filter_map(|leaf| interface.target_in(leaf, &test.inputs))
    });
    let functions = targets.filter_map(|target| match target {
        Target::Function(func) => Some(func),
        Target::Object(..) | Target::Device(_) => None,
    });
    let is_declared = |function: &Function| is_stub(function) && function.body == Body::Declared;
    functions.filter(|&func| is_declared(&module.functions[func])).collect()
}

/// The functions that some code comes across.
fn mentioned(module: &Module) -> BTreeSet<Func> {
    let with_code = module.functions.entries().filter(|(_, function)| function.code().is_some());
    with_code.flat_map(|(func, _)| Mentioned::by(module, func).functions).collect()
}

/// The elements that an array has in tests whose length another file tells.
pub(crate) fn open_array(module: &Module, data: &GlobalData) -> Option<u64> {
    match module.types[resolve(module, data.ty)] {
        SourceType::Array { len: None | Some(0), element } => {
            let size = layout(module, element).map_or(1, |room| room.size.max(1));
            Some((data.size / size).max(1))
        }
        _ => None,
    }
}

/// The objects that are only declared.
fn missing_objects(module: &Module) -> Vec<Global> {
    let missing = module.globals.entries().filter(|(_, data)| {
        data.init == Init::External
            && is_linked(data)
            && !is_system(module, data.span)
            && (layout(module, data.ty).is_some_and(|layout| layout.size > 0)
                || open_array(module, data).is_some())
    });
    missing.map(|(global, _)| global).collect()
}
