//! What a function can come across: functions and globals that it, or something it mentions, mentions.

use std::collections::BTreeSet;

use quipu_ir::{Func, Global, Init, Module, Symbol, ValueDef};

use quipu_ir::{Callee, InstKind};

/// The functions and globals that a function mentions, directly or not.
#[derive(Debug, Default)]
pub struct Mentioned {
    pub functions: BTreeSet<Func>,
    pub globals: BTreeSet<Global>,
}

impl Mentioned {
    pub fn by(module: &Module, func: Func) -> Mentioned {
        Mentioned::by_any(module, [func])
    }

    /// What some functions mention.
    pub fn by_any(module: &Module, funcs: impl IntoIterator<Item = Func>) -> Mentioned {
        let mut found = Mentioned::default();
        let mut open: Vec<Symbol> = funcs.into_iter().map(Symbol::Func).collect();
        while let Some(symbol) = open.pop() {
            let new = match symbol {
                Symbol::Func(func) => found.functions.insert(func),
                Symbol::Global(global) => found.globals.insert(global),
            };
            if new {
                symbols(module, symbol, &mut open);
            }
        }
        // Numbers lead to devices, and anybody can compute numbers.
        found.globals.extend(module.devices().map(|(global, ..)| global));
        found
    }
}

/// The functions whose addresses the program uses, in code or in data.
pub fn functions_by_address(module: &Module) -> BTreeSet<Func> {
    let codes = module.functions.iter().filter_map(|function| function.code());
    let in_code = codes.flat_map(|code| code.values.iter()).filter_map(|value| match value.def {
        ValueDef::Func(func) => Some(func),
        _ => None,
    });
    let in_data = module.globals.iter().flat_map(|data| match &data.init {
        Init::Data { relocs, .. } => &relocs[..],
        _ => &[],
    });
    let in_data = in_data.filter_map(|reloc| match reloc.symbol {
        Symbol::Func(func) => Some(func),
        Symbol::Global(_) => None,
    });
    in_code.chain(in_data).collect()
}

fn symbols(module: &Module, symbol: Symbol, found: &mut Vec<Symbol>) {
    match symbol {
        Symbol::Global(global) => {
            if let Init::Data { relocs, .. } = &module.globals[global].init {
                found.extend(relocs.iter().map(|reloc| reloc.symbol));
            }
        }
        Symbol::Func(func) => {
            let Some(code) = module.functions[func].code() else { return };
            found.extend(code.values.iter().filter_map(|value| match value.def {
                ValueDef::Global(global, _) => Some(Symbol::Global(global)),
                ValueDef::Func(func) => Some(Symbol::Func(func)),
                ValueDef::Computed | ValueDef::Const(_) => None,
            }));
            let calls = code.blocks.iter().flat_map(|block| &block.insts);
            found.extend(calls.filter_map(|inst| match inst.kind {
                InstKind::Call(Callee::Direct(callee), _) => Some(Symbol::Func(callee)),
                _ => None,
            }));
        }
    }
}
