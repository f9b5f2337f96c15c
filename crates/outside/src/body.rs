//! The body of a function that nobody defines.

use std::collections::BTreeSet;

use quipu_ctext::{prototype_as, visible_params};
use quipu_inputs::{CHANGES, Effects, Outside, argument_bit, file_scope_names, is_system};
use quipu_ir::{Func, Function, Global, Module, Param, SourceType, Ty};

use crate::PREFIX;
use crate::argument::parameter;
use crate::part::Parts;
use crate::result::result;
use crate::stub::Stub;

/// A definition in C, and what is known about it.
pub(crate) struct Definition {
    pub text: String,
    pub known: Outside,
}

/// The parameters of a function, and what they are called in its body.
pub(crate) struct Named<'m> {
    pub func: Func,
    pub params: &'m [Param],
    /// The names in C.
    pub identifiers: Vec<String>,
}

impl<'m> Named<'m> {
    /// No name is one that the file has for something else.
    fn of(module: &'m Module, func: Func) -> Named<'m> {
        let taken: BTreeSet<String> = file_scope_names(module);
        let params = visible_params(&module.functions[func]);
        let identifier = |n: usize| {
            let name = told(params, n);
            if taken.contains(&name) { format!("quipu_{name}") } else { name }
        };
        Named { func, params, identifiers: (0..params.len()).map(identifier).collect() }
    }

    /// What a parameter is called in answers.
    pub fn told(&self, n: usize) -> String {
        told(self.params, n)
    }
}

fn told(params: &[Param], n: usize) -> String {
    params[n].name.clone().unwrap_or_else(|| format!("p{n}"))
}

/// The definition of a function, with what it needs. None where its result alone says all that it does, or where C has
/// no words for its type.
pub(crate) fn definition(
    module: &Module,
    func: Func,
    globals: &[Global],
    stub: Option<&Stub>,
) -> Option<Definition> {
    let function = &module.functions[func];
    let SourceType::Function { ret, constant, .. } = &module.types[function.ty] else { return None };
    let free = Stub::default();
    let said = stub.unwrap_or(&free);
    let named = Named::of(module, func);
    let mut parts = Parts::new(module, &function.source_name);
    let first = usize::from(function.returns_struct);
    let mut changed = 0;
    for n in (0..named.params.len()).filter(|&n| said.may_change(&named.told(n))) {
        let is_constant = constant.get(n).copied().unwrap_or(false);
        parameter(&mut parts, &named, n, is_constant);
        changed |= argument_bit(first + n);
    }
    let is_whole = change_globals(&mut parts, globals, &named, said);
    let is_simple = !function.returns_struct && function.ret != Some(Ty::Ptr);
    if parts.statements.is_empty() && is_simple && stub.is_none() {
        return None;
    }
    let (result, is_any) = result(&mut parts, *ret, function, said)?;
    let effects = match &said.changes {
        Some(_) if is_whole && is_any && changed == 0 => Effects::Stated,
        // A struct is returned through a first parameter.
        Some(_) if is_whole => Effects::Named(changed | if is_any { 0 } else { argument_bit(0) }),
        _ => Effects::Assumed,
    };
    let library = is_system(module, function.span);
    let text = written(parts, func, &named, &result)?;
    Some(Definition { text, known: Outside { effects, nonnull: said.nonnull, library } })
}

/// The text of the definition. The linker brings it together with the declaration, the qualifiers of which are not known.
fn written(parts: Parts<'_>, func: Func, named: &Named<'_>, result: &str) -> Option<String> {
    let Parts { module, declarations, statements, .. } = parts;
    let Function { name, source_name, .. } = &module.functions[func];
    let head = prototype_as(module, func, &format!("{PREFIX}{source_name}"), &named.identifiers)?;
    let label = format!("__asm__(\"{}{name}\")", underscore());
    let unused: String = named.identifiers.iter().map(|name| format!("(void){name};\n")).collect();
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

/// Globals that other files can name may be changed, all at once. Whether these may get any value.
fn change_globals(parts: &mut Parts<'_>, globals: &[Global], named: &Named<'_>, said: &Stub) -> bool {
    let module = parts.module;
    let is_parameter = |name: &str| (0..named.params.len()).any(|n| named.told(n) == name);
    let mut inner = Parts::new(module, parts.function);
    for &global in globals {
        let data = &module.globals[global];
        let Some(name) = &data.source_name else { continue };
        if said.changes.is_none() || said.may_change(name) && !is_parameter(name) {
            let part = if is_parameter(name) { format!("global_{name}") } else { name.clone() };
            inner.fill(data.ty, name, &part);
        }
    }
    if !inner.statements.is_empty() {
        let changes = parts.ask_whether(&format!("{CHANGES}globals"));
        parts.declarations.push_str(&inner.declarations);
        parts.line(&format!("if ({changes}) {{\n{}}}", inner.statements));
    }
    inner.is_whole
}
