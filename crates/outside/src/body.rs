//! The body of a function that nobody defines.

use quipu_ctext::{declare, prototype};
use quipu_inputs::{CALLS, CHANGES, GIVES};
use quipu_interp::{layout, resolve, scalar};
use quipu_ir::{Func, Function, Global, Module, Param, SourceType, Ty, TypeId};

use crate::PREFIX;
use crate::part::{MOST_ELEMENTS, Parts};

/// What is behind a pointer that such a function returns, or writes, is one of so many objects in turn.
const OBJECTS: u64 = 4;
/// The largest object that is made for it, in bytes.
const LARGEST: u64 = 1 << 12;
/// An object of a type without a known size has so many bytes.
const BLOB: u64 = 64;

/// The definition of a function, with what it needs. None where its result alone says all that it does, or where C has
/// no words for its type.
pub(crate) fn definition(module: &Module, func: Func, globals: &[Global]) -> Option<String> {
    let function = &module.functions[func];
    let SourceType::Function { ret, constant, .. } = &module.types[function.ty] else { return None };
    let mut parts = Parts::new(module, &function.source_name);
    let params = visible(function);
    for (n, param) in params.iter().enumerate() {
        let is_constant = constant.get(n).copied().unwrap_or(false);
        parameter(&mut parts, params, n, param, is_constant);
    }
    change_globals(&mut parts, globals);
    let is_pointer = function.ret == Some(Ty::Ptr);
    if parts.statements.is_empty() && !is_pointer {
        return None;
    }
    let result = result(&mut parts, *ret, function)?;
    let name = format!("{PREFIX}{}", function.source_name);
    let head = renamed(module, func, &name)?;
    let label = format!("__asm__(\"{}{}\")", underscore(), function.name);
    let Parts { declarations, statements, .. } = parts;
    let unused: String = (0..params.len()).map(|n| format!("(void){};\n", name_of(params, n))).collect();
    let body = indented(&format!("{{\n{unused}{statements}{result}}}\n"));
    Some(format!("{declarations}{head} {label};\n{head}\n{body}"))
}

/// Lines with four blanks for each brace that is open.
fn indented(text: &str) -> String {
    let mut depth = 0usize;
    let line = |line: &str| {
        let own = depth.saturating_sub(usize::from(line.starts_with('}')));
        depth = (depth + line.matches('{').count()).saturating_sub(line.matches('}').count());
        format!("{:width$}{line}\n", "", width = 4 * own)
    };
    text.lines().map(line).collect()
}

/// What the linker puts in front of C names.
fn underscore() -> &'static str {
    if cfg!(target_os = "macos") { "_" } else { "" }
}

/// The prototype of a function under another name.
fn renamed(module: &Module, func: Func, name: &str) -> Option<String> {
    let text = prototype(module, func)?;
    let old = format!("{}(", module.functions[func].source_name);
    let at = text.rfind(&old).filter(|_| text.matches(&old).count() == 1)?;
    Some(format!("{}{name}{}", &text[..at], &text[at + old.len() - 1..]))
}

/// The parameters that the source has.
fn visible(function: &Function) -> &[Param] {
    let from = usize::from(function.returns_struct).min(function.params.len());
    let to = function.params.len() - usize::from(function.variadic).min(function.params.len());
    function.params.get(from..to).unwrap_or_default()
}

/// The name that the prototype gives to a parameter.
fn name_of(params: &[Param], n: usize) -> String {
    params[n].name.clone().unwrap_or_else(|| format!("p{n}"))
}

/// What a function may do with an argument.
fn parameter(parts: &mut Parts<'_>, params: &[Param], n: usize, param: &Param, is_constant: bool) {
    let Some(source) = param.source else { return };
    let module = parts.module;
    let SourceType::Pointer { to } = module.types[resolve(module, source)] else { return };
    let name = name_of(params, n);
    let mut inner = Parts::new(module, parts.function);
    match &module.types[resolve(module, to)] {
        SourceType::Function { .. } => return call_back(parts, params, n, to),
        _ if is_constant => return,
        SourceType::Void => {
            let Some(length) = length_of(module, params, n) else { return };
            inner.line(&format!("unsigned char *quipu_bytes = {name};"));
            bytes(&mut inner, &length, &name);
        }
        SourceType::Pointer { to: object } => hand_out(&mut inner, *object, &format!("*{name}"), &name),
        _ => match (param.elements, length_of(module, params, n)) {
            (Some(count), _) => inner.elements(to, &count.to_string(), count, &name, &name),
            (None, Some(length)) => inner.elements(to, &length, MOST_ELEMENTS, &name, &name),
            (None, None) => inner.fill(to, &format!("(*{name})"), &name),
        },
    }
    if inner.statements.is_empty() {
        return;
    }
    let changes = parts.ask_whether(&format!("{CHANGES}{name}"));
    parts.declarations.push_str(&inner.declarations);
    parts.line(&format!("if ({name} && {changes}) {{\n{}}}", inner.statements));
}

/// Bytes of a buffer.
fn bytes(parts: &mut Parts<'_>, length: &str, name: &str) {
    let byte = parts.module.types.entries().find(|(_, ty)| matches!(ty, SourceType::Int { bits: 8, .. }));
    if let Some((byte, _)) = byte {
        parts.elements(byte, length, MOST_ELEMENTS, "quipu_bytes", name);
    }
}

/// The parameter behind a pointer that tells how many elements are there, as an expression.
fn length_of(module: &Module, params: &[Param], n: usize) -> Option<String> {
    let next = params.get(n + 1)?;
    let source = next.source?;
    let SourceType::Int { signed, bits, .. } = module.types[resolve(module, source)] else { return None };
    let name = name_of(params, n + 1);
    let tells = bits >= 8 && next.name.as_ref().is_none_or(|name| is_length(name));
    let positive = if signed { format!("({name} < 0 ? 0 : (unsigned long){name})") } else { name.clone() };
    (tells && (next.name.is_some() || !signed)).then_some(positive)
}

/// Whether a name is that of a length.
fn is_length(name: &str) -> bool {
    const WORDS: [&str; 12] =
        ["len", "length", "size", "count", "cnt", "num", "n", "nbytes", "bytes", "max", "cap", "capacity"];
    let lower = name.to_lowercase();
    let last = lower.rsplit('_').next().unwrap_or(&lower);
    WORDS.contains(&last)
        || WORDS.iter().any(|word| word.len() > 2 && (lower.starts_with(word) || lower.ends_with(word)))
}

/// A function that was handed over may be called. What else it is given fits the type, and a pointer that was handed over
/// together with it comes back.
fn call_back(parts: &mut Parts<'_>, params: &[Param], n: usize, function: TypeId) {
    let module = parts.module;
    let SourceType::Function { params: wanted, variadic: false, .. } =
        &module.types[resolve(module, function)]
    else {
        return;
    };
    let name = name_of(params, n);
    let mut arguments = Vec::new();
    for (k, &ty) in wanted.iter().enumerate() {
        let part = format!("{name}_{k}");
        let same = |other: &usize| {
            *other != n
                && params[*other].source.is_some_and(|own| resolve(module, own) == resolve(module, ty))
        };
        let argument = match scalar(module, ty) {
            Some(Ty::Ptr) => {
                (0..params.len()).find(same).map_or("0".to_string(), |other| name_of(params, other))
            }
            Some(_) => match parts.ask(ty, &part) {
                Some(value) => value,
                None => return,
            },
            None => return,
        };
        arguments.push(argument);
    }
    let calls = parts.ask_whether(&format!("{CALLS}{name}"));
    parts.line(&format!("if ({name} && {calls}) {{\n{name}({});\n}}", arguments.join(", ")));
}

/// Globals that other files can name may be changed, all at once.
fn change_globals(parts: &mut Parts<'_>, globals: &[Global]) {
    let module = parts.module;
    let mut inner = Parts::new(module, parts.function);
    for &global in globals {
        let data = &module.globals[global];
        if let Some(name) = &data.source_name {
            inner.fill(data.ty, name, name);
        }
    }
    if !inner.statements.is_empty() {
        let changes = parts.ask_whether(&format!("{CHANGES}globals"));
        parts.declarations.push_str(&inner.declarations);
        parts.line(&format!("if ({changes}) {{\n{}}}", inner.statements));
    }
}

/// The statements that make the result.
fn result(parts: &mut Parts<'_>, ret: TypeId, function: &Function) -> Option<String> {
    let module = parts.module;
    if function.returns_struct {
        let declared = declare(&module.types, ret, "quipu_result")?;
        let mut inner = Parts::new(module, parts.function);
        inner.fill(ret, "quipu_result", "result");
        parts.declarations.push_str(&inner.declarations);
        return Some(format!(
            "{declared};\n__builtin_memset(&quipu_result, 0, sizeof quipu_result);\n{}return quipu_result;\n",
            inner.statements
        ));
    }
    match (function.ret, &module.types[resolve(module, ret)]) {
        (None, _) => Some(String::new()),
        (Some(Ty::Ptr), SourceType::Pointer { to }) => {
            let declared = declare(&module.types, ret, "quipu_result")?;
            let mut inner = Parts::new(module, parts.function);
            hand_out(&mut inner, *to, "quipu_result", "result");
            parts.declarations.push_str(&inner.declarations);
            Some(format!("{declared} = 0;\n{}return quipu_result;\n", inner.statements))
        }
        _ => {
            let value = parts.ask(ret, "")?;
            Some(format!("return {value};\n"))
        }
    }
}

/// Lets a pointer point to an object of the world outside, or leaves it as it is.
fn hand_out(parts: &mut Parts<'_>, object: TypeId, place: &str, part: &str) {
    let module = parts.module;
    let resolved = &module.types[resolve(module, object)];
    if matches!(resolved, SourceType::Function { .. }) {
        return;
    }
    let room = layout(module, object).filter(|room| room.size > 0);
    let is_text = matches!(resolved, SourceType::Int { bits: 8, .. });
    let mut inner = Parts::new(module, parts.function);
    let store = format!("quipu_{part}_store");
    let turn = format!("quipu_{part}_turn");
    let (declared, one) = match room {
        Some(room) if room.size > LARGEST => return,
        Some(_) if is_text => {
            let row = format!("{store}[{OBJECTS}][{}]", MOST_ELEMENTS + 1);
            inner.elements(
                object,
                &MOST_ELEMENTS.to_string(),
                MOST_ELEMENTS,
                &format!("{store}[{turn}]"),
                part,
            );
            (declare(&module.types, object, &row), format!("{store}[{turn}]"))
        }
        Some(_) => {
            inner.fill(object, &format!("{store}[{turn}]"), part);
            (declare(&module.types, object, &format!("{store}[{OBJECTS}]")), format!("&{store}[{turn}]"))
        }
        None => (Some(format!("long {store}[{OBJECTS}][{}]", BLOB / 8)), format!("(void *){store}[{turn}]")),
    };
    let Some(declared) = declared else { return };
    let gives = parts.ask_whether(&format!("{GIVES}{part}"));
    parts.declarations.push_str(&inner.declarations);
    parts.line(&format!("static {declared};\nstatic unsigned {turn};"));
    parts.line(&format!(
        "if ({gives}) {{\n{turn} = ({turn} + 1) % {OBJECTS};\n{}{place} = {one};\n}}",
        inner.statements
    ));
}
