//! Which globals the program may write. Nobody changes the others, so they keep what they hold at the start.

use quipu_base::IdVec;
use quipu_ir::{FuncBody, Global, Init, InstKind, Module, Symbol, Terminator, Value, ValueDef};

/// For each global whether some function may write to it.
pub(crate) fn written_globals(module: &Module) -> IdVec<Global, bool> {
    let mut written = IdVec::filled(false, module.globals.len());
    for function in module.functions.iter() {
        if let Some(code) = function.code() {
            mark(code, &mut written);
        }
    }
    // Through an address in another object anything can happen.
    for data in module.globals.iter() {
        let Init::Data { relocs, .. } = &data.init else { continue };
        for reloc in relocs {
            if let Symbol::Global(global) = reloc.symbol {
                written[global] = true;
            }
        }
    }
    written
}

fn mark(code: &FuncBody, written: &mut IdVec<Global, bool>) {
    let origins = origins(code);
    let mut note = |value: Value| {
        for &global in &origins[value] {
            written[global] = true;
        }
    };
    for block in code.blocks.iter() {
        for inst in &block.insts {
            match &inst.kind {
                InstKind::Load { .. }
                | InstKind::LoadBits { .. }
                | InstKind::IntCmp(..)
                | InstKind::PtrAdd(..)
                | InstKind::PtrDiff(..)
                | InstKind::Select(..)
                | InstKind::Check(..) => {}
                InstKind::Copy { dst, .. } => note(*dst),
                kind => kind.operands().for_each(&mut note),
            }
        }
        if let Terminator::Return(Some(value)) = &block.term {
            note(*value);
        }
    }
}

/// For each value the globals into which it may point by arithmetic alone.
fn origins(code: &FuncBody) -> IdVec<Value, Vec<Global>> {
    let mut origins: IdVec<Value, Vec<Global>> = code
        .values
        .iter()
        .map(|value| match value.def {
            ValueDef::Global(global, _) => vec![global],
            _ => Vec::new(),
        })
        .collect();
    loop {
        let mut changed = false;
        let mut flow = |from: Value, to: Value| {
            for global in origins[from].clone() {
                if !origins[to].contains(&global) {
                    origins[to].push(global);
                    changed = true;
                }
            }
        };
        for block in code.blocks.iter() {
            for inst in &block.insts {
                let Some(result) = inst.result else { continue };
                match inst.kind {
                    InstKind::PtrAdd(pointer, _) => flow(pointer, result),
                    InstKind::Select(_, a, b) => {
                        flow(a, result);
                        flow(b, result);
                    }
                    _ => {}
                }
            }
            for edge in block.term.edges() {
                for (&argument, &param) in edge.args.iter().zip(&code.blocks[edge.target].params) {
                    flow(argument, param);
                }
            }
        }
        if !changed {
            return origins;
        }
    }
}
