//! Rule 8, and rule 2 for code: everything that the blocks refer to exists. The later checks index tables
//! freely because this one comes first.

use super::Report;
use crate::function::{BlockData, FuncBody, Value};
use crate::inst::{Callee, InstKind, Terminator};

/// Reports ids that refer to nothing; whether there are none.
pub(super) fn ids_exist(report: &mut Report<'_>, body: &FuncBody) -> bool {
    let before = report.errors.len();
    for (block, data) in body.blocks.entries() {
        report.block = Some(block);
        block_ids(report, body, data);
    }
    report.block = None;
    report.errors.len() == before
}

/// Checks the spans of the code.
pub(super) fn spans(report: &mut Report<'_>, body: &FuncBody) {
    for (block, data) in body.blocks.entries() {
        report.block = Some(block);
        data.insts.iter().for_each(|inst| report.span(inst.span));
        report.span(data.span);
        if let Terminator::Switch { cases, .. } = &data.term {
            cases.iter().for_each(|case| report.span(case.span));
        }
    }
    report.block = None;
}

fn block_ids(report: &mut Report<'_>, body: &FuncBody, data: &BlockData) {
    let mut value = |value: Value| {
        report.require(body.values.get(value).is_some(), || format!("{value} does not exist"));
    };
    data.params.iter().copied().for_each(&mut value);
    data.insts.iter().filter_map(|inst| inst.result).for_each(&mut value);
    data.uses().for_each(|(_, used)| value(used));
    data.insts.iter().for_each(|inst| inst_ids(report, body, &inst.kind));
    terminator_ids(report, body, &data.term);
}

fn inst_ids(report: &mut Report<'_>, body: &FuncBody, kind: &InstKind) {
    match kind {
        InstKind::SlotAddr(slot) | InstKind::SlotEnd(slot) => {
            report.require(body.slots.get(*slot).is_some(), || format!("{slot} does not exist"));
        }
        InstKind::Stmt(stmt) => {
            report.require(body.stmts.get(*stmt).is_some(), || format!("{stmt} does not exist"));
        }
        InstKind::Call(Callee::Direct(func), _) => {
            let exists = report.module.functions.get(*func).is_some();
            report.require(exists, || format!("{func} does not exist"));
        }
        _ => {}
    }
}

fn terminator_ids(report: &mut Report<'_>, body: &FuncBody, term: &Terminator) {
    for edge in term.edges() {
        let target = edge.target;
        report.require(body.blocks.get(target).is_some(), || format!("{target} does not exist"));
    }
    match term {
        Terminator::Branch { cond: Some(cond), .. } => {
            report.require(body.conds.get(*cond).is_some(), || format!("{cond} does not exist"));
        }
        Terminator::Switch { decision: Some(decision), .. } => {
            report.require(body.decisions.get(*decision).is_some(), || format!("{decision} does not exist"));
        }
        _ => {}
    }
}
