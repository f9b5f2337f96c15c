//! What the names in an annotation mean.

use quipu_base::Id;
use quipu_ir::{FileId, Func, Module, SourceType};
use rustc_hash::FxHashMap;

use crate::source::{Place, Source};
use crate::tree::Definition;
use crate::types::CType;

/// A variable of a body.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) ty: CType,
    /// Where it is declared.
    pub(crate) at: usize,
    /// Where it is known.
    pub(crate) scope: Place,
}

/// What annotations of one file can speak of.
pub(crate) struct Names<'p> {
    pub(crate) module: &'p Module,
    pub(crate) source: &'p Source,
    /// The predicates and logic functions of all files.
    pub(crate) definitions: FxHashMap<String, Definition>,
    /// The types with names of their own.
    pub(crate) types: FxHashMap<String, CType>,
    /// The macros that are integers.
    pub(crate) macros: FxHashMap<String, i128>,
    /// The variables of bodies.
    pub(crate) locals: FxHashMap<Func, Vec<Local>>,
}

/// What a name of C means.
pub(crate) enum Meaning {
    Parameter(CType),
    Variable(CType),
    Constant(i128),
}

impl Names<'_> {
    /// The meaning of a name in a function; inside its body at a place.
    pub(crate) fn meaning(&self, function: Func, place: Option<usize>, name: &str) -> Option<Meaning> {
        if let Some(place) = place
            && let Some(local) = self.local(function, place, name)
        {
            return Some(Meaning::Variable(local.ty.clone()));
        }
        let param =
            self.module.functions[function].params.iter().find(|own| own.name.as_deref() == Some(name));
        if let Some(ty) = param.and_then(|param| param.source) {
            return Some(Meaning::Parameter(CType::of(self.module, ty)));
        }
        self.global(name).or_else(|| self.macros.get(name).map(|value| Meaning::Constant(*value)))
    }

    /// The variable that is declared last among those that are known.
    fn local(&self, function: Func, place: usize, name: &str) -> Option<&Local> {
        let known = self
            .locals
            .get(&function)?
            .iter()
            .filter(|local| local.name == name && local.at < place && local.scope.contains(&place));
        known.max_by_key(|local| local.at)
    }

    pub(crate) fn global(&self, name: &str) -> Option<Meaning> {
        let module = self.module;
        let is_here = |file: FileId| module.files[file] == self.source.name;
        let mut globals = module.globals.iter().filter(|data| {
            data.source_name.as_deref() == Some(name)
                && !data.block_scope
                && (!data.local || is_here(data.span.file))
        });
        if let Some(data) = globals.next() {
            return Some(Meaning::Variable(CType::of(module, data.ty)));
        }
        module.types.iter().find_map(|ty| match ty {
            SourceType::Enum { enumerators, bits, signed, .. } => {
                let (_, value) = enumerators.iter().find(|(own, _)| own == name)?;
                let value = i128::from(*value);
                let is_large = !signed && *bits == 64 && value < 0;
                Some(Meaning::Constant(if is_large { value + (1 << 64) } else { value }))
            }
            _ => None,
        })
    }
}

/// The variables of all bodies of a file. `module` has all of them in memory, where they have names.
pub(crate) fn locals(
    module: &Module,
    source: &Source,
    bodies: &[(Func, Place)],
) -> FxHashMap<Func, Vec<Local>> {
    let is_here = |file: FileId| module.files[file] == source.name;
    let mut found: FxHashMap<Func, Vec<Local>> = FxHashMap::default();
    for (func, body) in bodies {
        let Some(code) = module.functions.get(*func).and_then(|function| function.code()) else { continue };
        let slots = code.slots.iter().filter_map(|slot| Some((slot.name.clone()?, slot.ty?, slot.span)));
        let statics = module.globals.iter().filter(|data| data.block_scope);
        let statics = statics.filter_map(|data| Some((data.source_name.clone()?, data.ty, data.span)));
        for (name, ty, span) in slots.chain(statics) {
            let Some(at) = source.offset(span.line, span.column).filter(|_| is_here(span.file)) else {
                continue;
            };
            if body.contains(&at) {
                let scope = scope(source, body, at);
                let ty = CType::of(module, ty);
                found.entry(*func).or_default().push(Local { name, ty, at, scope });
            }
        }
    }
    found
}

/// Where a variable declared at a place is known: in its block, or in the loop whose head declares it.
fn scope(source: &Source, body: &Place, at: usize) -> Place {
    let block = source.block_around(body, at);
    let head = source.parenthesis_around(&block, at).filter(|open| {
        let before = source.previous(*open).map_or(0, |last| last + 1);
        source.word_before(before) == "for"
    });
    let end = head
        .and_then(|open| source.closing(open))
        .and_then(|close| source.statement_end(close + 1))
        .unwrap_or(block.end);
    at..end
}

/// The functions with bodies in a file, with their places.
pub(crate) fn bodies(module: &Module, source: &Source) -> Vec<(Func, Place)> {
    let mut found: Vec<(Func, Place)> = module
        .functions
        .entries()
        .filter(|(_, function)| function.code().is_some() && module.files[function.span.file] == source.name)
        .filter_map(|(func, function)| {
            let name = source.offset(function.span.line, function.span.column)?;
            Some((func, source.body(name)?))
        })
        .collect();
    found.sort_by_key(|(func, body)| (body.start, func.index()));
    found
}
