//! Rules 7, 10 and 11, and the last part of 9: the entry, and definitions before uses.

use quipu_base::IdVec;

use super::Report;
use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::function::{Block, FuncBody, Function, Value, ValueDef};

/// Where a value is defined: the block, and the number of the first instruction that may use it.
type Place = (Block, usize);

pub(super) fn verify(report: &mut Report<'_>, function: &Function, body: &FuncBody) {
    if body.blocks.is_empty() {
        return report.error("the body has no entry block".to_owned());
    }
    let cfg = Cfg::compute(body);
    entry(report, function, body, &cfg);
    let places = definitions(report, body);
    uses(report, body, &cfg, &places);
}

fn entry(report: &mut Report<'_>, function: &Function, body: &FuncBody, cfg: &Cfg) {
    let entry = body.entry();
    report.block = Some(entry);
    report.require(cfg.preds[entry].is_empty(), || "an edge leads to the entry block".to_owned());
    let found = body.blocks[entry].params.iter().map(|&param| body.ty(param));
    let same = found.eq(function.params.iter().map(|param| param.ty));
    report.require(same, || "the entry block's parameters are not the function's".to_owned());
    report.block = None;
}

fn definitions(report: &mut Report<'_>, body: &FuncBody) -> IdVec<Value, Option<Place>> {
    let mut places = IdVec::<Value, Option<Place>>::filled(None, body.values.len());
    let mut define = |value: Value, place: Place| {
        report.block = Some(place.0);
        let is_constant = body.values[value].def != ValueDef::Computed;
        report.require(!is_constant, || format!("{value} is a constant and cannot be defined"));
        report.require(places[value].is_none(), || format!("{value} is defined twice"));
        places[value] = Some(place);
    };
    for (block, data) in body.blocks.entries() {
        data.params.iter().for_each(|&param| define(param, (block, 0)));
        for (n, inst) in data.insts.iter().enumerate() {
            inst.result.into_iter().for_each(|result| define(result, (block, n + 1)));
        }
    }
    report.block = None;
    places
}

fn uses(report: &mut Report<'_>, body: &FuncBody, cfg: &Cfg, places: &IdVec<Value, Option<Place>>) {
    let dominators = Dominators::compute(cfg);
    for &block in &cfg.reverse_postorder {
        report.block = Some(block);
        for (n, value) in body.blocks[block].uses() {
            match places[value] {
                Some((home, first)) => {
                    let before = if home == block { first <= n } else { dominators.dominates(home, block) };
                    report.require(before, || format!("{value} is used where it may be undefined"));
                }
                None => {
                    let is_constant = body.values[value].def != ValueDef::Computed;
                    report.require(is_constant, || format!("{value} is used but never defined"));
                }
            }
        }
    }
    report.block = None;
}
