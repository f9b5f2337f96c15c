//! Whether what the user says about a function fits its declaration.

use quipu_base::nearest_name;
use quipu_ctext::{declare, visible_params};
use quipu_inputs::{Allowed, Number};
use quipu_interp::resolve;
use quipu_ir::{Func, Module, SourceType, Ty, TypeId};

use crate::result::can_point;
use crate::scope::is_changeable;
use crate::stub::{Stub, is_same};

/// What does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// The word of the user that is wrong, as it is written.
    pub word: String,
    pub message: String,
    pub hint: Option<String>,
}

/// All that does not fit a function.
pub fn misfits(module: &Module, func: Func, stub: &Stub) -> Vec<Misfit> {
    let function = &module.functions[func];
    let SourceType::Function { ret, .. } = module.types[function.ty] else { return Vec::new() };
    let names = stub.changes.iter().flatten();
    let mut found: Vec<Misfit> = names.filter_map(|name| unchangeable(module, func, name)).collect();
    found.extend(stub.returns.iter().filter_map(|allowed| impossible(module, func, ret, *allowed)));
    if stub.nonnull {
        found.extend(no_pointer(module, func, ret));
    }
    found
}

/// Why a function cannot change what has a name.
fn unchangeable(module: &Module, func: Func, name: &str) -> Option<Misfit> {
    let function = &module.functions[func];
    let SourceType::Function { constant, .. } = &module.types[function.ty] else { return None };
    let misfit = |message: String, hint: Option<String>| Misfit { word: name.to_string(), message, hint };
    let params = visible_params(function);
    let own = |n: &usize| {
        params[*n].name.as_ref().is_some_and(|known| is_same(known, name)) || *name == format!("p{n}")
    };
    let Some(n) = (0..params.len()).find(own) else {
        let globals = module.globals.iter().filter(|data| is_changeable(data));
        let globals: Vec<&str> = globals.filter_map(|data| data.source_name.as_deref()).collect();
        if globals.contains(&name) {
            return None;
        }
        let known: Vec<&str> = params.iter().filter_map(|param| param.name.as_deref()).collect();
        let meant = nearest_name(name, known.iter().chain(&globals).copied());
        let meant = meant.map(|meant| format!("did you mean `{meant}`? ")).unwrap_or_default();
        let listed = match known.is_empty() {
            true if params.is_empty() => "it has no parameters".to_string(),
            true => "its parameters have no names in the declaration: they are p0, p1, ...".to_string(),
            false => format!("its parameters are {}", known.join(", ")),
        };
        let message =
            format!("`{}` has no parameter `{name}`, and there is no such global", function.source_name);
        return Some(misfit(message, Some(format!("{meant}{listed}"))));
    };
    let ty = params[n].source.map(|ty| &module.types[resolve(module, ty)]);
    let Some(SourceType::Pointer { to }) = ty else {
        let hint = "only what a pointer points to can be changed".to_string();
        return Some(misfit(format!("the parameter `{name}` is no pointer"), Some(hint)));
    };
    let is_function = matches!(module.types[resolve(module, *to)], SourceType::Function { .. });
    let is_constant = constant.get(n).copied().unwrap_or(false) && !is_function;
    is_constant.then(|| misfit(format!("the parameter `{name}` points to something constant"), None))
}

/// Why a function cannot return a value.
fn impossible(module: &Module, func: Func, ret: TypeId, allowed: Allowed) -> Option<Misfit> {
    let name = &module.functions[func].source_name;
    let misfit = |message: String, hint: Option<&str>| {
        Some(Misfit { word: allowed.to_string(), message, hint: hint.map(str::to_string) })
    };
    let (low, high) = match allowed {
        Allowed::Only(number) => (number, number),
        Allowed::Between(low, high) => (low, high),
    };
    let (least, greatest) = match &module.types[resolve(module, ret)] {
        SourceType::Bool => (0, 1),
        SourceType::Int { bits, signed, .. } | SourceType::Enum { bits, signed, .. } => match signed {
            true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            false => (0, (1i128 << bits) - 1),
        },
        SourceType::Float { .. } => return None,
        SourceType::Pointer { .. } => {
            return misfit(
                format!("`{name}` returns a pointer"),
                Some("`nonnull` says that it is never null"),
            );
        }
        _ => return misfit(format!("`{name}` returns no number"), None),
    };
    let is_fine =
        |number: Number| matches!(number, Number::Int(value) if (least..=greatest).contains(&value));
    if is_fine(low) && is_fine(high) {
        return None;
    }
    let ty = declare(&module.types, ret, "").unwrap_or_default();
    misfit(format!("`{name}` returns `{ty}`, whose values are {least}..{greatest}"), None)
}

/// Why a function cannot return a pointer that is not null.
fn no_pointer(module: &Module, func: Func, ret: TypeId) -> Option<Misfit> {
    let function = &module.functions[func];
    let name = &function.source_name;
    let misfit = |message: String| Some(Misfit { word: "nonnull".to_string(), message, hint: None });
    match (function.ret, &module.types[resolve(module, ret)]) {
        (Some(Ty::Ptr), SourceType::Pointer { to }) if can_point(module, *to) => None,
        (Some(Ty::Ptr), _) => misfit(format!("nothing can be made to which the result of `{name}` points")),
        _ => misfit(format!("`{name}` returns no pointer")),
    }
}
