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
    let is_missing_function = |module: &Module, func: Func| {
        let function = &module.functions[func];
        function.weak && matches!(function.body, Body::Declared)
    };
    let is_missing = |module: &Module, symbol: Symbol| match symbol {
        Symbol::Func(func) => is_missing_function(module, func),
        Symbol::Global(global) => {
            module.globals[global].weak && module.globals[global].init == Init::External
        }
    };
    let contains = |init: &Init| match init {
        Init::Data { relocs, .. } => relocs.iter().any(|reloc| is_missing(module, reloc.symbol)),
        Init::External | Init::Device { .. } => false,
    };
    let tainted: Vec<bool> = module.globals.iter().map(|data| contains(&data.init)).collect();
    let refused = |function: &Function| -> Option<Unsupported> {
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
        let is_refused = |symbol: Symbol| match symbol {
            Symbol::Global(global) if tainted[quipu_base::Id::index(global)] => true,
            symbol => is_missing(module, symbol),
        };
        let (symbol, span) = called.chain(named).find(|(symbol, _)| is_refused(*symbol))?;
        Some(Unsupported {
            what: format!("weak name `{}` without a definition", name_of(module, symbol)),
            span,
        })
    };
    let found: Vec<(Func, Unsupported)> =
        module.functions.entries().filter_map(|(func, function)| Some((func, refused(function)?))).collect();
    for (func, why) in found {
        module.functions[func].body = Body::Unsupported(vec![why]);
    }
}

fn name_of(module: &Module, symbol: Symbol) -> &str {
    match symbol {
        Symbol::Func(func) => &module.functions[func].source_name,
        Symbol::Global(global) => module.globals[global].source_name.as_deref().unwrap_or_default(),
    }
}
