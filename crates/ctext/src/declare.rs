//! Declarators: a type and a name become the C that declares the one as the other.
//!
//! A C declaration reads like the use of what it declares (6.7.6), so the declarator grows around the name, from the
//! outermost part of the type inwards, until only a type with a name is left for the front.

use quipu_ir::{RecordKind, SourceType, SourceTypes, TypeId};

/// The struct behind `va_list`. The compiler knows it under this tag, but a program that writes the tag gets another.
const VARIADIC_STATE: &str = "__va_list_tag";

/// The declaration of `name` with a type: `int (*a)[4]`. Without a name it is the type alone, as in a cast. None where
/// the type, or a part of it, has no name that could be written.
pub fn declare(types: &SourceTypes, ty: TypeId, name: &str) -> Option<String> {
    match &types[ty] {
        SourceType::Void => Some(declared("void", name)),
        SourceType::Bool => Some(declared("_Bool", name)),
        SourceType::Int { name: spelling, .. } | SourceType::Typedef { name: spelling, .. } => {
            Some(declared(spelling, name))
        }
        SourceType::Float { bits: 32 } => Some(declared("float", name)),
        SourceType::Float { .. } => Some(declared("double", name)),
        SourceType::Enum { tag, .. } => Some(declared(&format!("enum {}", tag.as_ref()?), name)),
        SourceType::Record { kind, tag, .. } => {
            let tag = tag.as_ref().filter(|tag| *tag != VARIADIC_STATE)?;
            Some(declared(&format!("{} {tag}", keyword(*kind)), name))
        }
        SourceType::Pointer { to } => {
            let binds_tighter = matches!(types[*to], SourceType::Array { .. } | SourceType::Function { .. });
            let pointer = if binds_tighter { format!("(*{name})") } else { format!("*{name}") };
            declare(types, *to, &pointer)
        }
        SourceType::Array { element, len } => {
            let len = len.map_or_else(String::new, |len| len.to_string());
            declare(types, *element, &format!("{name}[{len}]"))
        }
        SourceType::Function { ret, params, constant, variadic } => {
            let is_constant = |n: usize| constant.get(n).copied().unwrap_or(false);
            let one = |(n, &param): (usize, &TypeId)| declare_parameter(types, param, is_constant(n), "");
            let params: Option<Vec<String>> = params.iter().enumerate().map(one).collect();
            declare(types, *ret, &format!("{name}({})", parameter_list(params?, *variadic)))
        }
        SourceType::Unsupported(_) => None,
    }
}

/// A parameter, of a type that may point to something constant.
pub(crate) fn declare_parameter(
    types: &SourceTypes,
    ty: TypeId,
    constant: bool,
    name: &str,
) -> Option<String> {
    let SourceType::Pointer { to } = types[ty] else { return declare(types, ty, name) };
    match &types[to] {
        SourceType::Array { .. } | SourceType::Function { .. } => declare(types, ty, name),
        _ if !constant => declare(types, ty, name),
        SourceType::Pointer { .. } => declare(types, to, &format!("const *{name}")),
        _ => Some(format!("const {}", declare(types, to, &format!("*{name}"))?)),
    }
}

/// What stands between the brackets of a function with these parameters.
pub(crate) fn parameter_list(mut params: Vec<String>, variadic: bool) -> String {
    if variadic {
        params.push("...".to_string());
    }
    if params.is_empty() { "void".to_string() } else { params.join(", ") }
}

fn keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

fn declared(front: &str, declarator: &str) -> String {
    match declarator.chars().next() {
        None => front.to_string(),
        Some('[') => format!("{front}{declarator}"),
        Some(_) => format!("{front} {declarator}"),
    }
}
