//! Functions that the source calls, or to which a pointer of a test points, and that nobody defines: the test file
//! defines them, and a test says what they return.

use quipu_ctext::{declare, prototype};
use quipu_inputs::{Answered, Request, answered, is_stub};
use quipu_interp::{resolve, scalar};
use quipu_ir::{Func, Module, SourceType, TypeId};

use super::comment::comment;
use super::{CTestsError, PREFIX};
use crate::members::members;
use crate::returned::result_type;
use crate::value::{constant, widened};

/// The queue from which a stub takes its results.
pub(crate) fn queue(name: &str) -> String {
    match answered(name) {
        Some(Answered { function, part: "" }) => queue(function),
        Some(Answered { function, part }) => queue(&format!("{function}_{part}")),
        None => format!("quipu_{}_queue", name.strip_prefix("quipu_").unwrap_or(name)),
    }
}

/// What a queue is for.
fn purpose(name: &str) -> String {
    match answered(name) {
        Some(Answered { function, part }) if !part.is_empty() => {
            format!("What `{function}` answers about `{part}` in a test, in order; zero behind the last.")
        }
        answered => {
            let name = answered.map_or(name, |answered| answered.function);
            format!("What `{name}` returns in a test, call by call; zero behind the last.")
        }
    }
}

/// Whether a stub has results to give.
pub(crate) fn has_results(module: &Module, func: Func) -> bool {
    let function = &module.functions[func];
    !function.noreturn && (function.ret.is_some() || function.returns_struct)
}

/// The definition of a stub, with its queue.
pub(crate) fn definition(module: &Module, func: Func) -> Result<String, CTestsError> {
    let function = &module.functions[func];
    let name = &function.source_name;
    let unnamed = || CTestsError::Unnamed(name.clone());
    let ret = result_type(module, func).ok_or_else(unnamed)?;
    if !has_results(module, func) {
        return Ok(format!(
            "\n{}{{\n{}}}\n",
            head(module, func).ok_or_else(unnamed)?,
            body_without_result(module, func)
        ));
    }
    let queue = queue(name);
    let next = declare(&module.types, ret, "*next").ok_or_else(unnamed)?;
    let zero = declare(&module.types, ret, "zero").ok_or_else(unnamed)?;
    let head = head(module, func).ok_or_else(unnamed)?;
    let about = comment(&purpose(name));
    let used = unused_parameters(module, func);
    Ok(format!(
        "\n{about}static struct {{ {next}; size_t left; }} {queue};\n\n{head}{{\n{used}    static {zero};\n\
         \x20   if ({queue}.left == 0)\n        return zero;\n    {queue}.left--;\n    return *{queue}.next++;\n}}\n"
    ))
}

/// A result of a stub as an initialiser, from the answers for one call.
pub(crate) fn result(module: &Module, func: Func, answers: &[&Request]) -> Option<String> {
    let ret = result_type(module, func)?;
    if scalar(module, ret).is_some() {
        return Some(constant(module, ret, answers.first()?.bits));
    }
    let parts = members(module, ret, "").into_iter().zip(answers);
    let parts = parts.filter(|(member, answer)| member.named && answer.bits != 0).map(|(member, answer)| {
        let bits = widened(module, member.ty, answer.bits, member.bits);
        format!("{} = {}", member.path, constant(module, member.ty, bits))
    });
    let parts: Vec<String> = parts.collect();
    Some(if parts.is_empty() { "{0}".to_string() } else { format!("{{{}}}", parts.join(", ")) })
}

/// How many answers make one result.
pub(crate) fn answers_per_result(module: &Module, func: Func) -> usize {
    result_type(module, func).map_or(1, |ret| members(module, ret, "").len()).max(1)
}

/// The declarator of the definition.
///
/// Types of the source are known without `const`. Where that could matter, which is behind pointers, a definition by
/// the same name might contradict the declaration, so the stub has a name of its own in C and the right one for the
/// linker.
fn head(module: &Module, func: Func) -> Option<String> {
    let function = &module.functions[func];
    if is_defined_by_prototype(module, func) {
        return Some(format!("{}\n", prototype(module, func)?));
    }
    let (name, ret) = (&function.source_name, result_type(module, func)?);
    let own = declare(&module.types, ret, &format!("quipu_stub_{name}(void)"))?;
    Some(format!("{own} __asm__(\"{PREFIX}{name}\");\n{own}\n"))
}

/// Whether the definition is like the declaration, for there is none or nothing could be wrong with it.
fn is_defined_by_prototype(module: &Module, func: Func) -> bool {
    is_stub(&module.functions[func]) || is_plain(module, func)
}

/// A function as a value. What a stub misses to be of the type of a pointer is at most `const`.
pub(crate) fn function_value(module: &Module, func: Func) -> String {
    let function = &module.functions[func];
    let cast = if is_stub(function) && !is_plain(module, func) { "(void *)" } else { "" };
    format!("{cast}{}", function.source_name)
}

/// Whether no pointers occur in the declaration.
fn is_plain(module: &Module, func: Func) -> bool {
    let function = &module.functions[func];
    let SourceType::Function { ret, params, variadic, .. } = &module.types[function.ty] else { return false };
    let has_pointer = |ty: &TypeId| matches!(module.types[resolve(module, *ty)], SourceType::Pointer { .. });
    let is_prototype =
        params.len() + usize::from(function.returns_struct) + usize::from(*variadic) == function.params.len();
    is_prototype && !has_pointer(ret) && !params.iter().any(has_pointer)
}

/// The statements that keep the compiler from warning about parameters.
fn unused_parameters(module: &Module, func: Func) -> String {
    if !is_defined_by_prototype(module, func) {
        return String::new();
    }
    parameter_names(module, func).iter().map(|name| format!("    (void){name};\n")).collect()
}

/// The names that the prototype gives to the parameters.
fn parameter_names(module: &Module, func: Func) -> Vec<String> {
    let function = &module.functions[func];
    let visible = function.params.iter().filter(|param| param.source.is_some());
    visible.enumerate().map(|(n, param)| param.name.clone().unwrap_or_else(|| format!("p{n}"))).collect()
}

/// What a function without a result does: nothing, or what its name promises.
fn body_without_result(module: &Module, func: Func) -> String {
    let function = &module.functions[func];
    let first = parameter_names(module, func).into_iter().next();
    match (function.source_name.as_str(), first) {
        ("__VERIFIER_assume" | "__VERIFIER_assert" | "assume", Some(holds)) => {
            format!("    if (!{holds})\n        abort();\n")
        }
        ("__VERIFIER_error" | "reach_error", _) => "    abort();\n".to_string(),
        _ if function.noreturn => format!("{}    abort();\n", unused_parameters(module, func)),
        _ => unused_parameters(module, func),
    }
}
