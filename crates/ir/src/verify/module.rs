//! Rules 1 to 5: the tables of the module.

use quipu_base::IdVec;
use rustc_hash::FxHashSet;

use super::{Report, VerifyError};
use crate::module::{GlobalData, Init, Module, Reloc, Symbol};
use crate::source_type::{Field, SourceType, TypeId};

pub(super) fn verify_tables(module: &Module) -> Vec<VerifyError> {
    let mut report = Report { module, function: None, block: None, errors: Vec::new() };
    names(&mut report);
    if source_types(&mut report) {
        containment(&mut report);
    }
    for global in module.globals.iter() {
        verify_global(&mut report, global);
    }
    report.errors
}

fn names(report: &mut Report<'_>) {
    let module = report.module;
    let mut seen = FxHashSet::default();
    let globals = module.globals.iter().map(|global| &global.name);
    for name in globals.chain(module.functions.iter().map(|function| &function.name)) {
        report.require(seen.insert(name), || format!("the name @{name} is used twice"));
    }
}

/// Checks each source type by itself; whether all types that they refer to exist.
fn source_types(report: &mut Report<'_>) -> bool {
    let types = &report.module.types;
    types.entries().for_each(|(id, ty)| source_type(report, id, ty));
    let before = report.errors.len();
    types.entries().for_each(|(id, ty)| references(report, id, ty));
    report.errors.len() == before
}

fn source_type(report: &mut Report<'_>, id: TypeId, ty: &SourceType) {
    match ty {
        SourceType::Int { bits, .. } | SourceType::Enum { bits, .. } => {
            report.require((1..=64).contains(bits), || format!("{id} has {bits} bits"));
        }
        SourceType::Float { bits } => {
            report.require(matches!(bits, 32 | 64), || format!("{id} is a float of {bits} bits"));
        }
        SourceType::Record { size, align, fields, .. } => {
            report.require(align.is_power_of_two(), || format!("{id} has alignment {align}"));
            fields.iter().for_each(|field| member(report, id, *size, field));
        }
        _ => {}
    }
}

fn references(report: &mut Report<'_>, id: TypeId, ty: &SourceType) {
    let mut require = |to: TypeId| {
        let exists = report.module.types.get(to).is_some();
        report.require(exists, || format!("{id} refers to {to}, which does not exist"));
    };
    match ty {
        SourceType::Pointer { to: only }
        | SourceType::Array { element: only, .. }
        | SourceType::Typedef { of: only, .. } => require(*only),
        SourceType::Record { fields, .. } => fields.iter().for_each(|field| require(field.ty)),
        SourceType::Function { ret, params, .. } => {
            require(*ret);
            params.iter().for_each(|param| require(*param));
        }
        _ => {}
    }
}

fn member(report: &mut Report<'_>, record: TypeId, size: Option<u64>, field: &Field) {
    let inside = size.is_some_and(|size| field.offset <= size);
    report.require(inside, || format!("{record} has a member at byte {}, outside", field.offset));
    if let Some((first, width)) = field.bits {
        let possible = first <= 7 && width <= 64;
        report.require(possible, || format!("{record} has a bit-field at bit {first} of width {width}"));
    }
}

/// Walks from every type to the types that it contains, not crossing pointers; a cycle has no finite size,
/// and a walk over it no end. The stack is explicit as types may nest deeply.
fn containment(report: &mut Report<'_>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let types = &report.module.types;
    let mut state = IdVec::<TypeId, State>::filled(State::New, types.len());
    for root in types.ids() {
        let mut stack = vec![(root, 0)];
        while let Some((ty, next)) = stack.last_mut() {
            let (ty, nth) = (*ty, *next);
            *next += 1;
            if nth == 0 {
                if state[ty] != State::New {
                    report.require(state[ty] == State::Done, || format!("{ty} contains itself"));
                    stack.pop();
                    continue;
                }
                state[ty] = State::Open;
            }
            match nth_part(&types[ty], nth) {
                Some(part) => stack.push((part, 0)),
                None => {
                    state[ty] = State::Done;
                    stack.pop();
                }
            }
        }
    }
}

fn nth_part(ty: &SourceType, n: usize) -> Option<TypeId> {
    match ty {
        SourceType::Array { element: only, .. } | SourceType::Typedef { of: only, .. } => {
            (n == 0).then_some(*only)
        }
        SourceType::Record { fields, .. } => fields.get(n).map(|field| field.ty),
        _ => None,
    }
}

fn verify_global(report: &mut Report<'_>, global: &GlobalData) {
    let name = &global.name;
    let known = report.module.types.get(global.ty).is_some();
    report.require(known, || format!("@{name} has type {}, which does not exist", global.ty));
    report.require(global.align.is_power_of_two(), || format!("@{name} has alignment {}", global.align));
    report.span(global.span);
    if let Init::Data { bytes, relocs } = &global.init {
        let fits = u64::try_from(bytes.len()).is_ok_and(|len| len <= global.size);
        report.require(fits, || format!("@{name} has more bytes than its size"));
        relocs.iter().for_each(|reloc| verify_reloc(report, global, reloc));
    }
}

fn verify_reloc(report: &mut Report<'_>, global: &GlobalData, reloc: &Reloc) {
    let (name, offset) = (&global.name, reloc.offset);
    let end = offset.checked_add(report.module.data_model.pointer_size());
    let inside = end.is_some_and(|end| end <= global.size);
    report.require(inside, || format!("@{name} has an address at byte {offset}, outside"));
    let exists = match reloc.symbol {
        Symbol::Global(target) => report.module.globals.get(target).is_some(),
        Symbol::Func(target) => report.module.functions.get(target).is_some(),
    };
    report.require(exists, || format!("@{name} has an address of {:?}, which does not exist", reloc.symbol));
}
