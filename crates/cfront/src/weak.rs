//! Weak names: what stands under one may be another thing in the finished program, or nothing.

use quipu_ir::{
    BlockData, Body, Callee, Func, FuncBody, Function, Init, Inst, InstKind, Module, Symbol, Terminator,
    Unsupported, ValueDef,
};

/// The definition of a weak alias: a function that passes everything on to the one that it stands for.
pub(crate) fn forwarding(interface: Function, target: Func) -> Function {
    if !matches!(interface.body, Body::Declared) {
        return interface;
    }
    let span = interface.span;
    let mut body = FuncBody::default();
    let params: Vec<_> = interface.params.iter().map(|param| body.fresh(param.ty)).collect();
    let result = interface.ret.map(|ty| body.fresh(ty));
    let call = Inst { result, kind: InstKind::Call(Callee::Direct(target), params.clone()), span };
    let term = Terminator::Return(result);
    body.blocks.push(BlockData { params, insts: vec![call], term, span });
    Function { body: Body::Defined(Box::new(body)), ..interface }
}

/// A weak name that nobody defines may stand for address zero. Functions that use it are not supported, and neither is
/// the use of an object that contains its address.
pub(crate) fn refuse_missing(module: &mut Module) {
    let refusal = |(func, function): (Func, &Function)| Some((func, refused(module, function)?));
    let found: Vec<(Func, Unsupported)> = module.functions.entries().filter_map(refusal).collect();
    for (func, why) in found {
        module.functions[func].body = Body::Unsupported(vec![why]);
    }
}

/// The first use of a name that may stand for nothing.
fn refused(module: &Module, function: &Function) -> Option<Unsupported> {
    let body = function.code()?;
    let called = body.blocks.iter().flat_map(|block| &block.insts).filter_map(|inst| match inst.kind {
        InstKind::Call(Callee::Direct(func), _) => Some((Symbol::Func(func), inst.span)),
        _ => None,
    });
    let named = body.values.iter().filter_map(|value| match value.def {
        ValueDef::Func(func) => Some((Symbol::Func(func), function.span)),
        ValueDef::Global(global, _) => Some((Symbol::Global(global), function.span)),
        _ => None,
    });
    let leads_nowhere = |symbol: Symbol| is_missing(module, symbol) || contains_missing(module, symbol);
    let (symbol, span) = called.chain(named).find(|(symbol, _)| leads_nowhere(*symbol))?;
    let what = format!("weak name `{}` without a definition", name_of(module, symbol));
    Some(Unsupported { what, span })
}

fn is_missing(module: &Module, symbol: Symbol) -> bool {
    match symbol {
        Symbol::Func(func) => {
            let function = &module.functions[func];
            function.weak && matches!(function.body, Body::Declared)
        }
        Symbol::Global(global) => {
            module.globals[global].weak && module.globals[global].init == Init::External
        }
    }
}

/// Whether the initial value of an object has the address of such a thing in it.
fn contains_missing(module: &Module, symbol: Symbol) -> bool {
    let Symbol::Global(global) = symbol else { return false };
    match &module.globals[global].init {
        Init::Data { relocs, .. } => relocs.iter().any(|reloc| is_missing(module, reloc.symbol)),
        Init::External | Init::Device { .. } => false,
    }
}

fn name_of(module: &Module, symbol: Symbol) -> &str {
    match symbol {
        Symbol::Func(func) => &module.functions[func].source_name,
        Symbol::Global(global) => module.globals[global].source_name.as_deref().unwrap_or_default(),
    }
}
