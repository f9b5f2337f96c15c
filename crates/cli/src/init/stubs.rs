//! What is proposed about functions that nobody defines: from their declarations, their names, and what the code does
//! with their results. Every line would narrow what they may do, so all of them are comments.

use std::collections::BTreeSet;

use quipu_cfront::Program;
use quipu_ctext::visible_params;
use quipu_interp::resolve;
use quipu_ir::{Callee, Func, FuncBody, InstKind, Module, SourceType, Span, Ty, Value, ValueDef};
use quipu_num::IntCmp;
use quipu_outside::is_missing;

use super::{key, line_of};

const PURE: &str = "pure";

/// Words in a name that make it a question.
const QUESTIONS: [&str; 8] = ["is", "has", "can", "should", "was", "are", "needs", "may"];

/// The lines about all functions that the code of some functions calls and nobody defines.
pub fn table(program: &Program, own: &[Func]) -> Option<String> {
    let module = &program.module;
    let called: BTreeSet<Func> =
        own.iter().flat_map(|&func| calls(module, func)).map(|call| call.callee).collect();
    let missing = called.into_iter().filter(|&func| is_missing(&module.functions[func]));
    let lines: Vec<String> = missing.filter_map(|func| line(program, own, func)).collect();
    let about = "\n# Functions that nobody defines may return anything, and change what they are given. Say less if you know\n\
                 # more (docs/stubs.md).\n[stubs]\n";
    (!lines.is_empty()).then(|| format!("{about}{}", lines.concat()))
}

fn line(program: &Program, own: &[Func], func: Func) -> Option<String> {
    let found = Found::about(program, own, func);
    let changes = changes(&program.module, func);
    let is_pure = changes.as_ref().is_some_and(|(said, _)| said == PURE);
    let proposals = [changes, found.returns().filter(|_| is_pure), found.nonnull(program, own)];
    let (said, why): (Vec<String>, Vec<String>) = proposals.into_iter().flatten().unzip();
    let name = key(&program.module.functions[func].source_name);
    (!said.is_empty()).then(|| format!("# {name} = \"{}\"  # {}\n", said.join(", "), why.join("; ")))
}

/// What a function changes, by its declaration, and why.
fn changes(module: &Module, func: Func) -> Option<(String, String)> {
    let function = &module.functions[func];
    let SourceType::Function { constant, .. } = &module.types[function.ty] else { return None };
    let params = visible_params(function).iter().enumerate();
    let pointers = params.filter(|(_, param)| {
        param.source.is_some_and(|ty| matches!(module.types[resolve(module, ty)], SourceType::Pointer { .. }))
    });
    let (fixed, free): (Vec<_>, Vec<_>) =
        pointers.partition(|(n, _)| constant.get(*n).copied().unwrap_or(false));
    let names: Vec<String> =
        free.iter().map(|(n, param)| param.name.clone().unwrap_or_else(|| format!("p{n}"))).collect();
    let names: Vec<&str> = names.iter().map(|name| name.trim_start_matches('_')).collect();
    // What stands behind a format is only read, as a rule; anything else in such a place may be changed.
    let last = visible_params(function).len().checked_sub(1);
    let has_format = last.is_some_and(|last| fixed.iter().any(|(n, _)| *n == last));
    if function.variadic && !has_format {
        return None;
    }
    Some(match (names.is_empty(), fixed.is_empty()) {
        (true, true) => (PURE.to_string(), "it is given no pointers".to_string()),
        (true, false) => (PURE.to_string(), "it is given pointers to constants only".to_string()),
        (false, _) => {
            (format!("writes({})", names.join(", ")), "it is given nothing else to change".to_string())
        }
    })
}

/// A call of a known function.
struct Call {
    callee: Func,
    result: Option<Value>,
}

fn calls(module: &Module, func: Func) -> Vec<Call> {
    let insts = module.functions[func].code().into_iter().flat_map(|code| code.blocks.iter());
    let calls = insts.flat_map(|block| &block.insts).filter_map(|inst| match inst.kind {
        InstKind::Call(Callee::Direct(callee), _) => Some(Call { callee, result: inst.result }),
        _ => None,
    });
    calls.collect()
}

/// What the code does with the results of a function.
struct Found {
    name: String,
    ty: Option<Ty>,
    /// The numbers with which they are compared.
    compared: BTreeSet<i64>,
    /// Whether some comparison asks which one is greater.
    ordered: bool,
    /// Whether something else is done with them.
    otherwise: bool,
    /// Where they are followed first, and in which function.
    followed: Option<(Func, Span)>,
}

impl Found {
    fn about(program: &Program, own: &[Func], func: Func) -> Found {
        let module = &program.module;
        let function = &module.functions[func];
        let mut found = Found {
            name: function.source_name.clone(),
            ty: function.ret,
            compared: BTreeSet::new(),
            ordered: false,
            otherwise: false,
            followed: None,
        };
        for &caller in own {
            let Some(code) = module.functions[caller].code() else { continue };
            let results = calls(module, caller).into_iter().filter(|call| call.callee == func);
            for result in results.filter_map(|call| call.result) {
                found.add(caller, code, result);
            }
        }
        found
    }

    /// Looks at all that a function does with a result.
    fn add(&mut self, caller: Func, code: &FuncBody, result: Value) {
        for block in code.blocks.iter() {
            for inst in block.insts.iter().filter(|inst| inst.kind.operands().any(|value| value == result)) {
                match inst.kind {
                    InstKind::IntCmp(cmp, a, b) => {
                        let other = if a == result { b } else { a };
                        self.compare(code, cmp, other);
                    }
                    InstKind::Load { .. } | InstKind::LoadBits { .. } | InstKind::PtrAdd(..) => {
                        self.followed.get_or_insert((caller, inst.span));
                    }
                    InstKind::Store { ptr, value, .. } if ptr == result && value != result => {
                        self.followed.get_or_insert((caller, inst.span));
                    }
                    _ => self.otherwise = true,
                }
            }
            let mut behind = block.uses().filter(|(n, _)| *n == block.insts.len());
            self.otherwise |= behind.any(|(_, value)| value == result);
        }
    }

    fn compare(&mut self, code: &FuncBody, cmp: IntCmp, other: Value) {
        match (code.values[other].def, code.ty(other)) {
            (ValueDef::Const(bits), Ty::Int(width)) => _ = self.compared.insert(width.signed(bits)),
            (ValueDef::Const(bits), _) => _ = self.compared.insert(bits.cast_signed()),
            _ => self.otherwise = true,
        }
        self.ordered |= !matches!(cmp, IntCmp::Eq | IntCmp::Ne);
    }

    /// Which values a number may have, and why.
    fn returns(&self) -> Option<(String, String)> {
        let Some(Ty::Int(width)) = self.ty else { return None };
        let mut words = self.name.split('_');
        if width.bits() > 1 && words.any(|word| QUESTIONS.contains(&word.to_lowercase().as_str())) {
            return Some(("returns 0..1".to_string(), "its name is a question".to_string()));
        }
        let is_small = self.compared.iter().all(|value| (-1..=1).contains(value));
        let is_told = self.compared.contains(&0) || self.compared.contains(&-1);
        if width.bits() == 1 || self.otherwise || !is_told || !is_small {
            return None;
        }
        let low = if self.ordered || self.compared.contains(&-1) { -1 } else { 0 };
        let high = if self.ordered || self.compared.contains(&1) || low == 0 { 1 } else { 0 };
        let values: Vec<String> = self.compared.iter().map(i64::to_string).collect();
        let why = format!("its result is only compared with {}", values.join(" and "));
        Some((format!("returns {low}..{high}"), why))
    }

    /// That a pointer is never null, and why.
    fn nonnull(&self, program: &Program, own: &[Func]) -> Option<(String, String)> {
        let (caller, at) = self
            .followed
            .filter(|_| self.ty == Some(Ty::Ptr) && !self.otherwise && self.compared.is_empty())?;
        let here = own.first().copied().unwrap_or(caller);
        let place = line_of(program, here, at);
        Some(("nonnull".to_string(), format!("its result is followed {place}, and never compared with null")))
    }
}
