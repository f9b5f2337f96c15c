//! Rules 6, 9, 17, 19 and 20: a function's interface and tables; and the order of all checks of a function.

use quipu_base::{Id, IdVec};
use rustc_hash::FxHashSet;

use super::{Report, code, flow, types};
use crate::function::{Body, Decision, FuncBody, Function, ValueData, ValueDef};
use crate::source_type::{SourceType, TypeId};
use crate::ty::Ty;

/// Checks a function. Each step needs the ids that the steps before have found to exist.
pub(super) fn verify(report: &mut Report<'_>, function: &Function) {
    interface(report, function);
    match &function.body {
        Body::Declared => {}
        Body::Unsupported(reasons) => reasons.iter().for_each(|reason| report.span(reason.span)),
        Body::Defined(body) => {
            tables(report, body);
            code::spans(report, body);
            if code::ids_exist(report, body) {
                flow::verify(report, function, body);
                types::verify(report, function, body);
            }
        }
    }
}

fn interface(report: &mut Report<'_>, function: &Function) {
    report.span(function.span);
    let is_function = matches!(report.module.types.get(function.ty), Some(SourceType::Function { .. }));
    report.require(is_function, || format!("its source type {} is not a function type", function.ty));
    for source in function.params.iter().filter_map(|param| param.source) {
        source_type(report, source);
    }
    let lengths_fit = function.params.iter().all(|param| param.elements.is_none() || param.ty == Ty::Ptr);
    report.require(lengths_fit, || "a parameter with a number of elements is not a pointer".to_owned());
    let hidden = usize::from(function.returns_struct) + usize::from(function.variadic);
    report.require(hidden <= function.params.len(), || "a hidden parameter is missing".to_owned());
    let is_pointer = |declared: bool, param: Option<&crate::Param>| {
        !declared || param.is_none_or(|param| param.ty == Ty::Ptr)
    };
    let first = is_pointer(function.returns_struct, function.params.first());
    report.require(first, || "the parameter for a struct result is not a pointer".to_owned());
    let last = is_pointer(function.variadic, function.params.last());
    report.require(last, || "the parameter for variadic arguments is not a pointer".to_owned());
}

fn source_type(report: &mut Report<'_>, ty: TypeId) {
    let exists = report.module.types.get(ty).is_some();
    report.require(exists, || format!("it refers to {ty}, which does not exist"));
}

fn tables(report: &mut Report<'_>, body: &FuncBody) {
    for (slot, data) in body.slots.entries() {
        report.require(data.align.is_power_of_two(), || format!("{slot} has alignment {}", data.align));
        report.span(data.span);
        data.ty.into_iter().for_each(|ty| source_type(report, ty));
    }
    body.stmts.iter().for_each(|stmt| report.span(stmt.span));
    body.decisions.iter().for_each(|decision| report.span(decision.span));
    names(report, body);
    conditions(report, body);
    constants(report, body);
}

fn names(report: &mut Report<'_>, body: &FuncBody) {
    for named in &body.names {
        let (name, block, value) = (&named.name, named.block, named.value);
        let fits = body.values.get(value).is_some_and(|data| data.def == ValueDef::Computed);
        report.require(fits, || format!("`{name}` stands for {value}, which nothing computes"));
        let exists = body.blocks.get(block).is_some();
        report.require(exists, || format!("`{name}` has a value at {block}, which does not exist"));
        named.ty.into_iter().for_each(|ty| source_type(report, ty));
    }
}

fn conditions(report: &mut Report<'_>, body: &FuncBody) {
    let mut seen = IdVec::<Decision, bool>::filled(false, body.decisions.len());
    let mut previous = None;
    for (cond, data) in body.conds.entries() {
        report.span(data.span);
        let decision = data.decision;
        if body.decisions.get(decision).is_none() {
            report.error(format!("{cond} belongs to {decision}, which does not exist"));
            continue;
        }
        let apart = previous != Some(decision) && seen[decision];
        report.require(!apart, || format!("{cond} stands apart from the other conditions of {decision}"));
        seen[decision] = true;
        previous = Some(decision);
    }
}

fn constants(report: &mut Report<'_>, body: &FuncBody) {
    let mut seen = FxHashSet::default();
    for (value, data) in body.values.entries() {
        if data.def == ValueDef::Computed {
            continue;
        }
        report.require(seen.insert((data.ty, data.def)), || format!("{value} repeats a constant"));
        report.require(is_constant_of_type(report, data), || {
            format!("{value} is no constant of type {}", data.ty)
        });
    }
}

/// Whether the bits are canonical, or the address is a pointer to something that exists.
fn is_constant_of_type(report: &Report<'_>, data: &ValueData) -> bool {
    let module = report.module;
    match (data.ty, data.def) {
        (Ty::Int(width), ValueDef::Const(bits)) => width.wrap(bits) == bits,
        (Ty::Float(width), ValueDef::Const(bits)) => bits.checked_shr(width.bits()).unwrap_or(0) == 0,
        (Ty::Ptr, ValueDef::Const(bits)) => {
            module.data_model.address_ty().width().is_some_and(|width| width.wrap(bits) == bits)
        }
        (Ty::Ptr, ValueDef::Global(global, _)) => module.globals.get(global).is_some(),
        (Ty::Ptr, ValueDef::Func(func)) => func.index() < module.functions.len(),
        _ => false,
    }
}
