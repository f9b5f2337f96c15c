//! What a function that nobody defines may do with an argument.

use quipu_ctext::declare;
use quipu_inputs::{CALLS, CHANGES};
use quipu_interp::{resolve, scalar};
use quipu_ir::{Module, SourceType, Ty, TypeId};

use crate::body::Named;
use crate::given::{elements_given, type_given};
use crate::part::{MOST_ELEMENTS, Parts};
use crate::result::hand_out;

/// Changes what an argument points to, or calls it.
pub(crate) fn parameter(parts: &mut Parts<'_>, named: &Named<'_>, n: usize, is_constant: bool) {
    let Some(source) = named.params[n].source else { return };
    let module = parts.module;
    let SourceType::Pointer { to } = module.types[resolve(module, source)] else { return };
    let (name, part) = (&named.identifiers[n], named.told(n));
    let mut inner = Parts::new(module, parts.function);
    match &module.types[resolve(module, to)] {
        SourceType::Function { .. } => return call_back(parts, named, n, to),
        _ if is_constant => return,
        SourceType::Void => match length_of(module, named, n, 1) {
            Some(length) => {
                inner.line(&format!("unsigned char *quipu_bytes = {name};"));
                bytes(&mut inner, &length, &part);
            }
            None => object_given(&mut inner, named, n),
        },
        SourceType::Pointer { to: object } => {
            hand_out(&mut inner, *object, &format!("*{name}"), &part, false)
        }
        _ => {
            let size = quipu_interp::layout(module, to).map_or(1, |room| room.size);
            match (named.params[n].elements, length_of(module, named, n, size)) {
                (Some(count), _) => inner.elements(to, &count.to_string(), count, name, &part),
                (None, Some(length)) => inner.elements(to, &length, MOST_ELEMENTS, name, &part),
                (None, None) => match elements_given(module, named.func, n, to) {
                    1 => inner.fill(to, &format!("(*{name})"), &part),
                    count => inner.elements(to, &count.to_string(), count, name, &part),
                },
            }
        }
    }
    if inner.statements.is_empty() {
        return;
    }
    let changes = parts.ask_whether(&format!("{CHANGES}{part}"));
    parts.declarations.push_str(&inner.declarations);
    parts.line(&format!("if ({name} && {changes}) {{\n{}}}", inner.statements));
}

/// The object behind a pointer to anything, if calls show what it is.
fn object_given(parts: &mut Parts<'_>, named: &Named<'_>, n: usize) {
    let module = parts.module;
    let Some(ty) = type_given(module, named.func, n) else { return };
    let Some(pointer) = declare(&module.types, ty, "(*quipu_object)") else { return };
    parts.line(&format!("{pointer} = {};", named.identifiers[n]));
    parts.fill(ty, "(*quipu_object)", &named.told(n));
}

/// Bytes of a buffer.
fn bytes(parts: &mut Parts<'_>, length: &str, name: &str) {
    let byte = parts.module.types.entries().find(|(_, ty)| matches!(ty, SourceType::Int { bits: 8, .. }));
    if let Some((byte, _)) = byte {
        parts.elements(byte, length, MOST_ELEMENTS, "quipu_bytes", name);
    }
}

/// How many elements of a size are behind a pointer, as an expression over the parameter behind it that tells.
fn length_of(module: &Module, named: &Named<'_>, n: usize, size: u64) -> Option<String> {
    let next = named.params.get(n + 1)?;
    let SourceType::Int { signed, bits, .. } = module.types[resolve(module, next.source?)] else {
        return None;
    };
    let name = &named.identifiers[n + 1];
    let tells = bits >= 8 && next.name.as_ref().is_none_or(|name| is_length(name));
    let positive = if signed { format!("({name} < 0 ? 0 : (unsigned long){name})") } else { name.clone() };
    let in_bytes = next.name.as_ref().is_some_and(|name| name.to_lowercase().contains("bytes"));
    let count = if in_bytes && size > 1 { format!("{positive} / {size}") } else { positive };
    (tells && (next.name.is_some() || !signed)).then_some(count)
}

/// Whether a name is that of a length.
fn is_length(name: &str) -> bool {
    const WORDS: [&str; 12] =
        ["len", "length", "size", "count", "cnt", "num", "n", "nbytes", "bytes", "max", "cap", "capacity"];
    let lower = name.trim_start_matches('_').to_lowercase();
    let last = lower.rsplit('_').next().unwrap_or(&lower);
    WORDS.contains(&last)
        || WORDS.iter().any(|word| word.len() > 2 && (lower.starts_with(word) || lower.ends_with(word)))
}

/// A function that was handed over may be called. What else it is given fits the type, and a pointer that was handed over
/// together with it comes back.
fn call_back(parts: &mut Parts<'_>, named: &Named<'_>, n: usize, function: TypeId) {
    let module = parts.module;
    let SourceType::Function { params: wanted, variadic: false, .. } =
        &module.types[resolve(module, function)]
    else {
        return;
    };
    let (name, part) = (&named.identifiers[n], named.told(n));
    let mut arguments = Vec::new();
    for (k, &ty) in wanted.iter().enumerate() {
        let same = |other: &usize| {
            let own = named.params[*other].source;
            *other != n && own.is_some_and(|own| resolve(module, own) == resolve(module, ty))
        };
        let argument = match scalar(module, ty) {
            Some(Ty::Ptr) => {
                // What is constant for this function may be none for the other one.
                let cast = declare(&module.types, ty, "").unwrap_or_else(|| "void *".to_string());
                let given = (0..named.params.len()).find(same);
                Some(given.map_or("0".to_string(), |other| format!("({cast}){}", named.identifiers[other])))
            }
            Some(_) => parts.ask(ty, &format!("{part}_{k}")),
            None => None,
        };
        let Some(argument) = argument else { return };
        arguments.push(argument);
    }
    let calls = parts.ask_whether(&format!("{CALLS}{part}"));
    parts.line(&format!("if ({name} && {calls}) {{\n{name}({});\n}}", arguments.join(", ")));
}
