//! Constructors and destructors: functions that run before and after `main` without being called.
//!
//! `main` calls the constructors itself, in front of everything else, and before that it registers the destructors for
//! the end of the program: what is registered first runs last, so that they come behind all that the program registers.
//! The calls stand at the place of `main`'s name, by which [`quipu_ir::Function::is_startup`] tells them from others.
//!
//! Those with a number come in the order of their numbers, the others behind them; equal ones in the order in which
//! they are linked and defined, which is gcc's without optimisation and not promised by anyone.

use quipu_ir::{
    Body, Callee, Func, Function, Inst, InstKind, Module, Param, Symbol, Ty, TypeId, Unsupported, ValueDef,
};

/// Registers a function for the end of the program, by a name that no program has.
const AT_END: &str = "quipu_at_end";

/// What runs before and after `main`, with the numbers that order it.
#[derive(Default)]
pub(crate) struct Startup {
    constructors: Vec<(u32, Func)>,
    destructors: Vec<(u32, Func)>,
}

impl Startup {
    pub(crate) fn add_constructor(&mut self, func: Func, order: u32) {
        self.constructors.push((order, func));
    }

    pub(crate) fn add_destructor(&mut self, func: Func, order: u32) {
        self.destructors.push((order, func));
    }

    pub(crate) fn has_destructors(&self) -> bool {
        !self.destructors.is_empty()
    }

    /// Puts the calls into `main`, if there is one and there are any.
    pub(crate) fn surround_main(mut self, module: &mut Module, end_type: Option<TypeId>) {
        let is_main = |function: &Function| function.name == "main" && !function.local;
        let Some(main) = module.functions.ids().find(|&func| is_main(&module.functions[func])) else {
            return;
        };
        // Stable sorts: equal ones stay in order.
        self.constructors.sort_by_key(|(order, _)| *order);
        self.destructors.sort_by_key(|(order, _)| *order);
        let all = self.constructors.iter().chain(&self.destructors).map(|(_, func)| *func);
        let all: Vec<Func> = all.collect();
        if all.is_empty() {
            return;
        }
        let is_known = module.functions[main].code().is_some();
        match obstacle(module, main, &all) {
            Some(what) => {
                let span = module.functions[main].span;
                module.functions[main].body = Body::Unsupported(vec![Unsupported { what, span }]);
            }
            None if is_known => self.insert_calls(module, main, end_type),
            None => {}
        }
    }

    fn insert_calls(&self, module: &mut Module, main: Func, end_type: Option<TypeId>) {
        let span = module.functions[main].span;
        let at_end = end_type.map(|ty| declare_at_end(module, main, ty));
        let Body::Defined(body) = &mut module.functions[main].body else { return };
        let mut calls = Vec::new();
        for (_, destructor) in &self.destructors {
            let address = body.constant(Ty::Ptr, ValueDef::Func(*destructor));
            calls.extend(at_end.map(|at_end| (at_end, vec![address])));
        }
        calls.extend(self.constructors.iter().map(|(_, constructor)| (*constructor, Vec::new())));
        let insts = calls.into_iter().map(|(callee, args)| Inst {
            result: None,
            kind: InstKind::Call(Callee::Direct(callee), args),
            span,
        });
        let entry = body.entry();
        body.blocks[entry].insts.splice(0..0, insts);
    }
}

/// Why the program cannot be followed from its start.
fn obstacle(module: &Module, main: Func, all: &[Func]) -> Option<String> {
    for &func in all {
        let function = &module.functions[func];
        let name = &function.source_name;
        if let Body::Unsupported(why) = &function.body {
            let what = why.first().map_or("what is not supported", |why| why.what.as_str());
            return Some(format!("`{name}`, which runs before or after `main` and needs {what}"));
        }
        if !function.params.is_empty() {
            return Some(format!("`{name}`, which runs before or after `main` and has parameters"));
        }
    }
    let called = module.functions.iter().filter_map(Function::code).any(|body| {
        let mut insts = body.blocks.iter().flat_map(|block| &block.insts);
        insts.any(|inst| matches!(inst.kind, InstKind::Call(Callee::Direct(func), _) if func == main))
            || body.values.iter().any(|value| value.def == ValueDef::Func(main))
    });
    let stored = module.globals.iter().any(|data| match &data.init {
        quipu_ir::Init::Data { relocs, .. } => relocs.iter().any(|reloc| reloc.symbol == Symbol::Func(main)),
        quipu_ir::Init::External | quipu_ir::Init::Device { .. } => false,
    });
    // It would call the constructors again.
    (called || stored).then(|| "calls of `main` in a program with constructors or destructors".to_string())
}

fn declare_at_end(module: &mut Module, main: Func, ty: TypeId) -> Func {
    let handler = Param { name: None, ty: Ty::Ptr, source: None, elements: None };
    module.functions.push(Function {
        name: AT_END.to_string(),
        source_name: AT_END.to_string(),
        ty,
        params: vec![handler],
        ret: None,
        returns_struct: false,
        variadic: false,
        noreturn: false,
        local: false,
        weak: false,
        span: module.functions[main].span,
        body: Body::Declared,
    })
}
