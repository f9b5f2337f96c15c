//! Which globals the program may write, and whose addresses it gives away.
//!
//! Nobody changes those that are never written, so they keep what they hold at the start. What is only read as `volatile`
//! matters to nobody. No pointer from outside leads to a static object whose address is only used on the spot.

use quipu_base::IdVec;
use quipu_ir::{FuncBody, Global, Init, InstKind, Module, Symbol, Terminator, Value, ValueDef};

/// What the functions of a program do to a global.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct GlobalUse {
    pub written: bool,
    /// What it holds may be read, and not only as something that the world outside changes.
    pub seen: bool,
    /// Its address is stored, passed on or returned.
    pub exposed: bool,
}

pub(crate) fn uses_of_globals(module: &Module) -> IdVec<Global, GlobalUse> {
    let mut uses = IdVec::filled(GlobalUse::default(), module.globals.len());
    for function in module.functions.iter() {
        // Most functions of a large program mention none, and this is asked for each of them.
        let mentions =
            |code: &&FuncBody| code.values.iter().any(|value| matches!(value.def, ValueDef::Global(..)));
        if let Some(code) = function.code().filter(mentions) {
            mark(code, &mut uses);
        }
    }
    // Through an address in another object anything can happen.
    for data in module.globals.iter() {
        let Init::Data { relocs, .. } = &data.init else { continue };
        for reloc in relocs {
            if let Symbol::Global(global) = reloc.symbol {
                uses[global] = GlobalUse { written: true, seen: true, exposed: true };
            }
        }
    }
    uses
}

fn mark(code: &FuncBody, uses: &mut IdVec<Global, GlobalUse>) {
    let origins = origins(code);
    for inst in code.blocks.iter().flat_map(|block| &block.insts) {
        if let InstKind::Load { ptr: read, .. }
        | InstKind::LoadBits { ptr: read, .. }
        | InstKind::Copy { src: read, .. } = inst.kind
            && !code.asks_outside(inst)
        {
            origins[read].iter().for_each(|&global| uses[global].seen = true);
        }
    }
    let mut note = |value: Value, exposed: bool| {
        for &global in &origins[value] {
            uses[global].written = true;
            uses[global].exposed |= exposed;
            uses[global].seen |= exposed;
        }
    };
    for block in code.blocks.iter() {
        for inst in &block.insts {
            match &inst.kind {
                // A pointer that is read as volatile may be any of those that the program could put there.
                InstKind::Load { ptr, volatile: true, .. } if !code.asks_outside(inst) => note(*ptr, false),
                InstKind::Load { .. }
                | InstKind::LoadBits { .. }
                | InstKind::IntCmp(..)
                | InstKind::PtrAdd(..)
                | InstKind::PtrDiff(..)
                | InstKind::Select(..)
                | InstKind::Check(..) => {}
                InstKind::Copy { dst, .. } | InstKind::Zero { dst, .. } | InstKind::Unspecify { dst, .. } => {
                    note(*dst, false);
                }
                InstKind::Store { ptr, value, .. } | InstKind::StoreBits { ptr, value, .. } => {
                    note(*ptr, false);
                    note(*value, true);
                }
                kind => kind.operands().for_each(|operand| note(operand, true)),
            }
        }
        if let Terminator::Return(Some(value)) = &block.term {
            note(*value, true);
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
