//! What a function that nobody defines returns.

use quipu_ctext::{declare, literal};
use quipu_inputs::{Allowed, GIVES, Number, file_scope_names};
use quipu_interp::{layout, resolve};
use quipu_ir::{Function, Module, SourceType, Ty, TypeId};

use crate::PREFIX;
use crate::part::{MOST_ELEMENTS, Parts};
use crate::stub::Stub;

/// What is behind a pointer that such a function returns, or writes, is one of so many objects in turn.
const OBJECTS: u64 = 4;
/// The largest object that is made for it, in bytes.
const LARGEST: u64 = 1 << 16;
/// An object of a type without a known size has so many bytes, or those of the largest struct that the code takes such
/// objects for.
const BLOB: u64 = 1 << 13;
/// It consists of words of so many bytes, so that everything is aligned in it.
const WORD: u64 = 8;
/// A pointer to a function points to one of so many functions.
const FUNCTIONS: usize = 8;
/// What ends a run whose answers the user excludes.
const ASSUME: &str = "__VERIFIER_assume";

/// The statements that make the result, and whether it may have any value that the user does not exclude. Pointers are
/// another matter.
pub(crate) fn result(
    parts: &mut Parts<'_>,
    ret: TypeId,
    function: &Function,
    said: &Stub,
) -> Option<(String, bool)> {
    let module = parts.module;
    if function.returns_struct {
        let declared = declare(&module.types, ret, "quipu_result")?;
        let mut inner = Parts::new(module, parts.function);
        inner.fill(ret, "quipu_result", "result");
        parts.declarations.push_str(&inner.declarations);
        let zero = "__builtin_memset(&quipu_result, 0, sizeof quipu_result);";
        let text = format!("{declared};\n{zero}\n{}return quipu_result;\n", inner.statements);
        return Some((text, inner.is_whole));
    }
    match (function.ret, &module.types[resolve(module, ret)]) {
        (None, _) => Some((String::new(), true)),
        (Some(Ty::Ptr), SourceType::Pointer { to }) => {
            let declared = declare(&module.types, ret, "quipu_result")?;
            let mut inner = Parts::new(module, parts.function);
            hand_out(&mut inner, *to, "quipu_result", "result", said.nonnull);
            parts.declarations.push_str(&inner.declarations);
            Some((format!("{declared} = 0;\n{}return quipu_result;\n", inner.statements), true))
        }
        _ => {
            let value = parts.ask(ret, "")?;
            let Some(holds) = condition(module, ret, &said.returns, "quipu_result") else {
                return Some((format!("return {value};\n"), true));
            };
            parts.declare(&format!("void {ASSUME}(int)"));
            let declared = declare(&module.types, ret, "quipu_result")?;
            let text = format!("{declared} = {value};\n{ASSUME}({holds});\nreturn quipu_result;\n");
            Some((text, true))
        }
    }
}

/// That a variable has one of the values that are allowed; none if all are.
fn condition(module: &Module, ty: TypeId, allowed: &[Allowed], name: &str) -> Option<String> {
    let is_nan = |number: Number| number.is_nan();
    let one = |allowed: &Allowed| match *allowed {
        Allowed::Only(number) if is_nan(number) => Some(format!("{name} != {name}")),
        Allowed::Only(number) => Some(format!("{name} == {}", constant(module, ty, number)?)),
        Allowed::Between(low, high) => Some(format!(
            "({name} >= {} && {name} <= {})",
            constant(module, ty, low)?,
            constant(module, ty, high)?
        )),
    };
    let all: Option<Vec<String>> = allowed.iter().map(one).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.join(" || "))
}

/// A number as a constant that is compared with values of a type.
fn constant(module: &Module, ty: TypeId, number: Number) -> Option<String> {
    match (&module.types[resolve(module, ty)], number) {
        (SourceType::Float { .. }, number) => {
            let double = module.types.entries().find(|(_, ty)| matches!(ty, SourceType::Float { bits: 64 }));
            let bits = number.as_double().to_bits();
            match double {
                Some((double, _)) => literal(&module.types, double, bits),
                None => Some(format!("{:?}", number.as_double())),
            }
        }
        (_, Number::Int(value)) => literal(&module.types, ty, value as u64),
        (_, Number::Float(_)) => None,
    }
}

/// Lets a pointer point to something of the world outside, or leaves it as it is unless it `must` point there.
pub(crate) fn hand_out(parts: &mut Parts<'_>, object: TypeId, place: &str, part: &str, must: bool) {
    parts.is_whole = false;
    let module = parts.module;
    let resolved = &module.types[resolve(module, object)];
    if matches!(resolved, SourceType::Function { .. }) {
        return hand_out_function(parts, object, place, part, must);
    }
    let Some((store, text, one)) = store(parts, object, part) else { return };
    let turn = format!("quipu_{part}_turn");
    let next = format!("{turn} = ({turn} + 1) % {OBJECTS};\n{text}{place} = {one};");
    if must {
        parts.line(&format!("static {store};\nstatic unsigned {turn};\n{next}"));
        return;
    }
    let gives = parts.ask_whether(&format!("{GIVES}{part}"));
    parts.line(&format!("static {store};\nstatic unsigned {turn};\nif ({gives}) {{\n{next}\n}}"));
}

/// The objects to which a pointer may point: their declaration, statements that give the next one its content, and the
/// expression for that one. None if there are no such objects.
fn store(parts: &mut Parts<'_>, object: TypeId, part: &str) -> Option<(String, String, String)> {
    let module = parts.module;
    let room = layout(module, object).filter(|room| room.size > 0);
    let is_text = matches!(module.types[resolve(module, object)], SourceType::Int { bits: 8, .. });
    let store = format!("quipu_{part}_store");
    let place = format!("{store}[quipu_{part}_turn]");
    let mut inner = Parts::new(module, parts.function);
    let (declared, one) = match room {
        Some(room) if room.size > LARGEST => return None,
        Some(_) if is_text => {
            let row = format!("{store}[{OBJECTS}][{}]", MOST_ELEMENTS + 1);
            inner.elements(object, &MOST_ELEMENTS.to_string(), MOST_ELEMENTS, &place, part);
            (declare(&module.types, object, &row)?, place)
        }
        Some(_) => {
            inner.fill(object, &place, part);
            (declare(&module.types, object, &format!("{store}[{OBJECTS}]"))?, format!("&{place}"))
        }
        None => {
            let words = blob(module, object).div_ceil(WORD);
            (format!("long long {store}[{OBJECTS}][{words}]"), format!("(void *){place}"))
        }
    };
    parts.declarations.push_str(&inner.declarations);
    Some((declared, inner.statements, one))
}

/// How many bytes an object has whose type does not tell it.
fn blob(module: &Module, object: TypeId) -> u64 {
    let hidden = resolve(module, object);
    let views = module.views.iter().filter(|view| resolve(module, view.hidden) == hidden);
    let sizes = views.filter_map(|view| layout(module, view.shown)).map(|room| room.size);
    sizes.filter(|&size| size <= LARGEST).max().unwrap_or(0).max(BLOB)
}

/// Lets a pointer point to a function of the program, or leaves it as it is. Only functions of its type are meant.
fn hand_out_function(parts: &mut Parts<'_>, ty: TypeId, place: &str, part: &str, must: bool) {
    let module = parts.module;
    let known = file_scope_names(module);
    let fits = |function: &&Function| {
        let is_own = function.code().is_some() && !function.source_name.starts_with("quipu_");
        is_own && resolve(module, function.ty) == resolve(module, ty) && known.contains(&function.source_name)
    };
    let found: Vec<&Function> = module.functions.iter().filter(fits).take(FUNCTIONS).collect();
    for (n, function) in found.iter().enumerate() {
        let name = &function.source_name;
        if must && n == 0 {
            parts.line(&format!("{place} = {name};"));
            continue;
        }
        let gives = parts.ask_whether(&format!("{GIVES}{part}_{name}"));
        parts.line(&format!("if ({gives}) {{\n{place} = {name};\n}}"));
    }
}

/// Whether there is something to which a pointer to such a type may point.
pub(crate) fn can_point(module: &Module, object: TypeId) -> bool {
    let mut parts = Parts::new(module, PREFIX);
    hand_out(&mut parts, object, "quipu_result", "result", true);
    !parts.statements.is_empty()
}
