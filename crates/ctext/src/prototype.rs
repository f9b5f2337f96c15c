//! The prototype that declares a function of the program.

use quipu_ir::{DataModel, Func, Function, Module, Param, SourceType, SourceTypes, Ty, TypeId};

use crate::declare::{declare, declare_parameter, parameter_list};

/// The prototype of a function, without a storage class and without a semicolon: `int max(int a, int b)`. None where a
/// type has no name that could be written.
pub fn prototype(module: &Module, func: Func) -> Option<String> {
    let function = &module.functions[func];
    let names = visible_params(function).iter().enumerate();
    let names = names.map(|(n, param)| param.name.clone().unwrap_or_else(|| made_up_name(n, function)));
    prototype_as(module, func, &function.source_name, &names.collect::<Vec<_>>())
}

/// The prototype of a function under another name, with these names of its parameters.
pub fn prototype_as(module: &Module, func: Func, name: &str, parameters: &[String]) -> Option<String> {
    let function = &module.functions[func];
    let SourceType::Function { ret, constant, .. } = &module.types[function.ty] else { return None };
    let declared = visible_params(function).iter().zip(parameters).enumerate().map(|(n, (param, name))| {
        let is_constant = constant.get(n).copied().unwrap_or(false);
        declare_param(module, param, is_constant, name)
    });
    let declared: Option<Vec<String>> = declared.collect();
    let list = parameter_list(declared?, function.variadic);
    declare(&module.types, *ret, &format!("{name}({list})"))
}

/// The parameters in the prototype of a function, in their parentheses: `(int a, int b)`.
pub fn parameters(module: &Module, func: Func) -> Option<String> {
    let text = prototype(module, func)?;
    let name = &module.functions[func].source_name;
    let start = text.find(&format!("{name}("))? + name.len();
    let mut depth = 0;
    let end = text[start..].char_indices().find_map(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(start + at + 1)
    })?;
    Some(text[start..end].to_string())
}

/// The parameters that the source has.
pub fn visible_params(function: &Function) -> &[Param] {
    let from = usize::from(function.returns_struct).min(function.params.len());
    let to = function.params.len() - usize::from(function.variadic).min(function.params.len());
    function.params.get(from..to).unwrap_or_default()
}

/// A name for a parameter without one, different from all others.
fn made_up_name(n: usize, function: &Function) -> String {
    let mut name = format!("p{n}");
    while function.source_name == name
        || function.params.iter().any(|param| param.name.as_ref() == Some(&name))
    {
        name.push('_');
    }
    name
}

fn declare_param(module: &Module, param: &Param, constant: bool, name: &str) -> Option<String> {
    let types = &module.types;
    let Some(source) = param.source else { return Some(declare_value(module.data_model, param.ty, name)) };
    if let Some(promoted) = promoted(types, source, param.ty) {
        return Some(format!("{promoted} {name}"));
    }
    match (&types[source], param.elements) {
        (SourceType::Pointer { to }, Some(elements @ 1..)) => {
            let front = if constant { "const " } else { "" };
            Some(format!("{front}{}", declare(types, *to, &format!("{name}[{elements}]"))?))
        }
        _ => declare_parameter(types, source, constant, name),
    }
}

/// What a parameter travels as in a function defined without a prototype, where that is not its own type: a prototype
/// that fits must say that (6.7.6.3p15).
fn promoted(types: &SourceTypes, mut source: TypeId, passed: Ty) -> Option<&'static str> {
    while let SourceType::Typedef { of, .. } = types[source] {
        source = of;
    }
    match (&types[source], passed) {
        (SourceType::Bool, Ty::I32) => Some("int"),
        (SourceType::Int { bits, .. } | SourceType::Enum { bits, .. }, Ty::I32) if *bits < 32 => Some("int"),
        (SourceType::Float { bits: 32 }, Ty::F64) => Some("double"),
        _ => None,
    }
}

/// A parameter of which only the value is known: that of a function declared without parameters, taken from a call.
fn declare_value(data_model: DataModel, ty: Ty, name: &str) -> String {
    match (ty, data_model) {
        (Ty::Ptr, _) => format!("void *{name}"),
        (Ty::F32, _) => format!("float {name}"),
        (Ty::F64, _) => format!("double {name}"),
        (Ty::I64, DataModel::Lp64) => format!("long {name}"),
        (Ty::I64, DataModel::Ilp32) => format!("long long {name}"),
        (Ty::Int(_), _) => format!("int {name}"),
    }
}
