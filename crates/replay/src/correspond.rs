//! Which construct of the preprocessed text is which construct of the program.
//!
//! Both were lowered from the same tokens, so that blocks and instructions agree one by one. That is checked; a
//! function for which it does not hold gets no probes. Statements may differ: those of a statement expression that a
//! macro made are parts of the statement around it in the program, but stand on their own in the text. They are found
//! by the instruction in front of which they start.

use std::collections::BTreeMap;
use std::ops::Range;

use quipu_base::{Id, IdVec};
use quipu_ir::{Block, BlockData, Func, FuncBody, Function, Inst, InstKind, Module, Stmt};

use crate::text::Text;
use crate::unit::Unit;

/// A function of the program and its text.
pub(crate) struct Twin {
    pub(crate) func: Func,
    pub(crate) unit: usize,
    /// The function in the unit's own module.
    pub(crate) local: Func,
    /// For each statement of the program, the one in the text.
    pub(crate) stmts: IdVec<Stmt, Option<Stmt>>,
    /// The statement expressions in its text.
    pub(crate) inner: Vec<Range<usize>>,
}

/// The functions whose constructs correspond, and those for which that fails, with the reason.
pub(crate) fn twins(module: &Module, units: &[Unit]) -> (Vec<Twin>, Vec<(Func, String)>) {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for (func, function) in module.functions.entries() {
        let Some(code) = function.code() else { continue };
        match twin(module, func, code, units) {
            Ok(twin) => found.push(twin),
            Err(reason) => missing.push((func, reason)),
        }
    }
    (found, missing)
}

/// The unit that defines a function, and its number there.
pub(crate) fn definition(module: &Module, func: Func, units: &[Unit]) -> Option<(usize, Func)> {
    let function = &module.functions[func];
    let mut homes = units.iter().enumerate().filter_map(|(n, unit)| {
        let own = unit.module.as_ref().ok()?;
        let mut same = own.functions.entries().filter(|(_, other)| {
            other.code().is_some()
                && other.local == function.local
                && (if function.local {
                    other.source_name == function.source_name
                } else {
                    other.name == function.name
                })
        });
        same.next().map(|(local, _)| (n, local))
    });
    homes.nth(if function.local { namesakes_before(module, func) } else { 0 })
}

/// How many functions that are local to earlier files share the source name. A file has at most one of them, and
/// the files come in order.
fn namesakes_before(module: &Module, func: Func) -> usize {
    let function = &module.functions[func];
    let earlier = module.functions.entries().take_while(|(other, _)| *other != func);
    earlier
        .filter(|(_, other)| {
            other.local && other.code().is_some() && other.source_name == function.source_name
        })
        .count()
}

fn twin(module: &Module, func: Func, code: &FuncBody, units: &[Unit]) -> Result<Twin, String> {
    let Some((unit, local)) = definition(module, func, units) else {
        let refused = units.iter().find_map(|unit| {
            let reason = unit.module.as_ref().err()?;
            Some(format!("the preprocessed text of {} is not understood: {reason}", unit.file.display()))
        });
        return Err(refused.unwrap_or_else(|| "its preprocessed text was not found".to_string()));
    };
    let own = units[unit].module.as_ref().expect("only a module has definitions");
    let function = &own.functions[local];
    let text_code = function.code().expect("a definition has code");
    if !agree(&module.functions[func], code, text_code) {
        return Err("its preprocessed text is translated in another way".to_string());
    }
    let text = &units[unit].text;
    let inner = text.range(function.span).map_or(Vec::new(), |range| text.statement_expressions(range.start));
    let stmts = match_stmts(&module.functions[func], text_code, text, &inner);
    Ok(Twin { func, unit, local, stmts, inner })
}

/// Whether both bodies have the same blocks, decisions and conditions; the first one is that of a function.
fn agree(function: &Function, a: &FuncBody, b: &FuncBody) -> bool {
    let written = |block: &BlockData| {
        block.insts.iter().filter(|inst| !function.is_startup(inst) && is_effective(inst)).count()
    };
    let effective = |block: &BlockData| block.insts.iter().filter(|inst| is_effective(inst)).count();
    let same_blocks = a.blocks.len() == b.blocks.len()
        && a.blocks.iter().zip(b.blocks.iter()).all(|(a, b)| written(a) == effective(b));
    let same_decisions = a.decisions.len() == b.decisions.len()
        && a.decisions.iter().zip(b.decisions.iter()).all(|(a, b)| a.kind == b.kind);
    let same_conds = a.conds.len() == b.conds.len()
        && a.conds
            .iter()
            .zip(b.conds.iter())
            .all(|(a, b)| (a.decision, a.constant) == (b.decision, b.constant));
    same_blocks && same_decisions && same_conds
}

/// Whether an instruction does something.
fn is_effective(inst: &Inst) -> bool {
    !matches!(inst.kind, InstKind::Stmt(_))
}

fn match_stmts(
    function: &Function,
    text_code: &FuncBody,
    text: &Text,
    inner: &[Range<usize>],
) -> IdVec<Stmt, Option<Stmt>> {
    let Some(code) = function.code() else { return IdVec::new() };
    let wanted = starts(code, |inst| !function.is_startup(inst));
    let candidates = starts(text_code, |_| true);
    if code.stmts.len() == text_code.stmts.len() && wanted == candidates {
        return code.stmts.ids().map(Some).collect();
    }
    let mut matched = IdVec::filled(None, code.stmts.len());
    for (start, stmts) in wanted {
        let found = candidates.get(&start).map_or(&[] as &[Stmt], Vec::as_slice);
        let Some(outer) = outermost(found, stmts.len(), |stmt| depth(text_code, text, inner, stmt)) else {
            continue;
        };
        stmts.into_iter().zip(outer).for_each(|(stmt, twin)| matched[stmt] = Some(twin));
    }
    matched
}

/// The `count` statements that lie in the fewest statement expressions; none if that leaves a choice.
fn outermost(found: &[Stmt], count: usize, depth: impl Fn(Stmt) -> usize) -> Option<Vec<Stmt>> {
    let mut depths: Vec<usize> = found.iter().map(|&stmt| depth(stmt)).collect();
    depths.sort_unstable();
    let deepest = *depths.get(count.checked_sub(1)?)?;
    let clear = depths.get(count).is_none_or(|&next| next > deepest);
    clear.then(|| found.iter().copied().filter(|&stmt| depth(stmt) <= deepest).collect())
}

/// How many statement expressions a statement lies in.
fn depth(code: &FuncBody, text: &Text, inner: &[Range<usize>], stmt: Stmt) -> usize {
    let range = text.range(code.stmts[stmt].span);
    range.map_or(0, |range| inner.iter().filter(|inner| inner.contains(&range.start)).count())
}

/// The statements by the block, and the instruction in it, in front of which they start. Only some instructions count.
fn starts(code: &FuncBody, counts: impl Fn(&Inst) -> bool) -> BTreeMap<(usize, usize), Vec<Stmt>> {
    let mut starts: BTreeMap<_, Vec<Stmt>> = BTreeMap::new();
    for (block, data) in code.blocks.entries() {
        let block: Block = block;
        let mut position = 0;
        for inst in &data.insts {
            match inst.kind {
                InstKind::Stmt(stmt) => starts.entry((block.index(), position)).or_default().push(stmt),
                _ => position += usize::from(counts(inst)),
            }
        }
    }
    starts
}
