//! Where a function asserts something.
//!
//! An assertion is a call that ends the run as a failure: the one that `assert` makes where its condition is false, one
//! that checks its argument, or one that reports an error wherever it is called. Where the program itself defines a
//! function that reports errors, to enter it is the failure, whatever it does then.

use std::collections::BTreeMap;

use quipu_ir::{
    Block, Body, Callee, Decision, DecisionKind, Func, FuncBody, Inst, InstKind, Module, Span, Terminator,
};

use crate::goal::{AssertionKind, Way};

/// Functions without a body that end a run as a failure when they are called.
const FAILURES: [&str; 6] =
    ["__assert_fail", "__assert", "__assert_perror_fail", "__assert_rtn", "__VERIFIER_error", "reach_error"];
/// Functions without a body that do so if their last argument is zero.
const CHECKS: [&str; 2] = ["__VERIFIER_assert", "quipu_claim"];
/// Functions that are never to be called, also where the program defines them.
const ERRORS: [&str; 2] = ["__VERIFIER_error", "reach_error"];

/// Something that must not happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Assertion {
    /// What asserts: a condition, or a call.
    pub span: Span,
    /// The text of the condition, where it has one.
    pub text: Option<String>,
    pub kind: AssertionKind,
    pub way: Way,
}

/// The assertions of a function.
pub(crate) fn assertions(module: &Module, func: Func) -> Vec<Assertion> {
    let function = &module.functions[func];
    let Some(body) = function.code() else { return Vec::new() };
    if ERRORS.contains(&function.source_name.as_str()) {
        let kind = AssertionKind::ErrorCall;
        return vec![Assertion { span: function.span, text: None, kind, way: Way::Entry(func) }];
    }
    let decided = decided(body);
    let mut found: BTreeMap<Span, Assertion> = BTreeMap::new();
    for (block, data) in body.blocks.entries() {
        for inst in &data.insts {
            let Some(kind) = asserts(module, inst) else { continue };
            let new = match decided.get(&block) {
                Some(&decision) => {
                    let data = &body.decisions[decision];
                    let kind = AssertionKind::Condition;
                    Assertion { span: data.span, text: Some(data.text.clone()), kind, way: end(func) }
                }
                None => Assertion { span: inst.span, text: None, kind, way: end(func) },
            };
            let assertion = found.entry(new.span).or_insert(new);
            let Way::End { spans, blocks, .. } = &mut assertion.way else { continue };
            spans.push(inst.span);
            blocks.push(block);
        }
    }
    found.into_values().collect()
}

fn end(func: Func) -> Way {
    Way::End { func, event: None, spans: Vec::new(), blocks: Vec::new() }
}

/// The blocks that are entered where the condition of an `assert` is false.
fn decided(body: &FuncBody) -> BTreeMap<Block, Decision> {
    let mut blocks = BTreeMap::new();
    for data in body.blocks.iter() {
        let Terminator::Branch { cond: Some(cond), .. } = data.term else { continue };
        let decision = body.conds[cond].decision;
        if body.decisions[decision].kind == DecisionKind::Assert {
            let failing = data.term.edges().filter(|edge| edge.outcome == Some(false));
            blocks.extend(failing.map(|edge| (edge.target, decision)));
        }
    }
    blocks
}

/// Whether an instruction asserts.
fn asserts(module: &Module, inst: &Inst) -> Option<AssertionKind> {
    let InstKind::Call(Callee::Direct(callee), _) = inst.kind else { return None };
    let function = &module.functions[callee];
    let name = function.source_name.as_str();
    match function.body {
        Body::Declared if FAILURES.contains(&name) => Some(AssertionKind::ErrorCall),
        Body::Declared if CHECKS.contains(&name) => Some(AssertionKind::Condition),
        _ => None,
    }
}
