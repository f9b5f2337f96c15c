//! Where a function asserts something.
//!
//! An assertion is a call that ends the run as a failure: the one that `assert` makes where its condition is false, one
//! that checks its argument, or one that reports an error wherever it is called. Where the program itself defines a
//! function that reports errors, to enter it is the failure, whatever it does then. Where it defines the function that
//! checks its argument, in terms of one that reports errors, each statement that calls it is an assertion of its own.

use std::collections::BTreeMap;

use quipu_ir::{
    Block, Body, Callee, Cfg, Decision, DecisionKind, Dominators, Func, FuncBody, Init, Inst, InstKind,
    Module, Span, Stmt, Symbol, Terminator, ValueDef,
};

use crate::goal::{AssertionKind, Way};
use crate::latest::{LatestStatements, always_started};

/// Functions without a body that end a run as a failure when they are called.
const FAILURES: [&str; 6] =
    ["__assert_fail", "__assert", "__assert_perror_fail", "__assert_rtn", "__VERIFIER_error", "reach_error"];
/// Functions without a body that do so if their last argument is zero.
const CHECKS: [&str; 2] = ["__VERIFIER_assert", CLAIM];
/// The one by which annotations claim something.
const CLAIM: &str = "quipu_claim";
/// Functions that are never to be called, also where the program defines them.
const ERRORS: [&str; 2] = ["__VERIFIER_error", "reach_error"];
/// The function that checks its argument, if the program defines it by one that is never to be called.
const CHECKER: &str = "__VERIFIER_assert";

/// Something that must not happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Assertion {
    /// What asserts: a condition, or a call.
    pub span: Span,
    /// The text of the condition, where it has one.
    pub text: Option<String>,
    /// Whether the text is that of the call's argument.
    pub is_argument: bool,
    pub kind: AssertionKind,
    pub ways: Vec<Way>,
}

/// The assertions of a function.
pub(crate) fn assertions(module: &Module, func: Func) -> Vec<Assertion> {
    let function = &module.functions[func];
    let Some(body) = function.code() else { return Vec::new() };
    let is_error = ERRORS.contains(&function.source_name.as_str());
    if (is_error || is_checker(module, func)) && callers_assert(module, func) {
        return Vec::new();
    }
    if is_error {
        let (kind, ways) = (AssertionKind::ErrorCall, vec![Way::Entry(func)]);
        return vec![Assertion { span: function.span, text: None, is_argument: false, kind, ways }];
    }
    let decided = decided(body);
    let dominators = Dominators::compute(&Cfg::compute(body));
    let mut found: BTreeMap<Span, Assertion> = BTreeMap::new();
    for (block, data) in body.blocks.entries() {
        for (number, inst) in data.insts.iter().enumerate() {
            let Some(kind) = asserts(module, inst) else { continue };
            let (span, text, kind) = match decided.get(&block) {
                Some(&decision) => {
                    let data = &body.decisions[decision];
                    (data.span, Some(data.text.clone()), AssertionKind::Condition)
                }
                None if is_claim(module, inst) => {
                    let stmt = always_started(body, &dominators, block, number);
                    (inst.span, None, stmt.map_or(kind, AssertionKind::Claim))
                }
                None => (inst.span, None, kind),
            };
            let new = || Assertion { span, text, is_argument: false, kind, ways: vec![end(func)] };
            let assertion = found.entry(span).or_insert_with(new);
            let Some(Way::End { spans, blocks, .. }) = assertion.ways.first_mut() else { continue };
            spans.push(inst.span);
            blocks.push(block);
        }
    }
    found.extend(unreachable(body));
    let calls = Calls::of(module, func, body);
    let by_calls =
        calls.statements.iter().filter_map(|(&stmt, calls)| by_statement(module, func, body, stmt, calls));
    found.into_values().chain(by_calls).collect()
}

/// That a statement calls what must not be called, or what checks its argument.
fn by_statement(
    module: &Module,
    func: Func,
    body: &FuncBody,
    stmt: Stmt,
    calls: &[(Block, usize, Func)],
) -> Option<Assertion> {
    let &(block, inst, callee) = calls.first()?;
    let mut ways = Vec::new();
    for &(block, inst, callee) in calls {
        let calls = vec![(block, inst)];
        let during = |via, happens| {
            let (calls, happens) = (calls.clone(), Box::new(happens));
            Way::During { func, stmt, calls, via, happens }
        };
        match is_checker(module, callee) {
            true => ways.extend(failures(module, callee).into_iter().map(|way| during(Some(callee), way))),
            false => ways.push(during(None, Way::Entry(callee))),
        }
    }
    let is_argument = is_checker(module, callee);
    let kind = if is_argument { AssertionKind::Condition } else { AssertionKind::ErrorCall };
    let span = body.blocks[block].insts[inst].span;
    Some(Assertion { span, text: None, is_argument, kind, ways })
}

/// How a function that checks its argument fails: it enters a function that reports errors, or calls one without a body.
fn failures(module: &Module, checker: Func) -> Vec<Way> {
    let Some(body) = module.functions[checker].code() else { return Vec::new() };
    let mut entered = Vec::new();
    let (mut spans, mut blocks) = (Vec::new(), Vec::new());
    for (block, data) in body.blocks.entries() {
        for inst in &data.insts {
            let InstKind::Call(Callee::Direct(callee), _) = inst.kind else { continue };
            if is_error_with_code(module, callee) {
                entered.push(Way::Entry(callee));
            } else if asserts(module, inst).is_some() {
                spans.push(inst.span);
                blocks.push(block);
            }
        }
    }
    entered.dedup();
    if !spans.is_empty() {
        entered.push(Way::End { func: checker, event: None, spans, blocks });
    }
    entered
}

/// Whether a function checks its argument by calling one that reports errors.
fn is_checker(module: &Module, func: Func) -> bool {
    module.functions[func].source_name == CHECKER && !failures(module, func).is_empty()
}

fn is_error_with_code(module: &Module, func: Func) -> bool {
    let function = &module.functions[func];
    function.code().is_some() && ERRORS.contains(&function.source_name.as_str())
}

/// The calls in a function that must not be made, or must have arguments that are not zero.
struct Calls {
    /// By the statement that makes them.
    statements: BTreeMap<Stmt, Vec<(Block, usize, Func)>>,
    /// The callees of those whose statement depends on the path.
    elsewhere: Vec<Func>,
}

impl Calls {
    fn of(module: &Module, func: Func, body: &FuncBody) -> Calls {
        let mut calls = Calls { statements: BTreeMap::new(), elsewhere: Vec::new() };
        let mut latest = None;
        for (block, data) in body.blocks.entries() {
            for (number, inst) in data.insts.iter().enumerate() {
                let InstKind::Call(Callee::Direct(callee), _) = inst.kind else { continue };
                let is_failure = is_error_with_code(module, callee) && !is_checker(module, func);
                if !is_failure && !is_checker(module, callee) {
                    continue;
                }
                let latest = latest.get_or_insert_with(|| LatestStatements::of(body));
                match latest.before(body, block, number) {
                    Some(stmt) => calls.statements.entry(stmt).or_default().push((block, number, callee)),
                    None => calls.elsewhere.push(callee),
                }
            }
        }
        calls
    }
}

/// Whether all calls of a function are assertions of the functions that call it, so that it has nothing to assert.
fn callers_assert(module: &Module, func: Func) -> bool {
    let mut any = false;
    for (caller, function) in module.functions.entries() {
        let Some(body) = function.code() else { continue };
        if body.values.iter().any(|value| value.def == ValueDef::Func(func)) {
            return false;
        }
        let calls = body.blocks.iter().flat_map(|data| &data.insts);
        let calls_it = calls
            .into_iter()
            .any(|inst| matches!(inst.kind, InstKind::Call(Callee::Direct(callee), _) if callee == func));
        if !calls_it {
            continue;
        }
        any = true;
        let covered = match is_checker(module, caller) {
            true => caller != func && callers_assert(module, caller),
            false => !Calls::of(module, caller, body).elsewhere.contains(&func),
        };
        if !covered {
            return false;
        }
    }
    any && !is_in_data(module, func)
}

/// Whether the address of a function stands in an object.
fn is_in_data(module: &Module, func: Func) -> bool {
    module.globals.iter().any(|global| match &global.init {
        Init::Data { relocs, .. } => relocs.iter().any(|reloc| reloc.symbol == Symbol::Func(func)),
        Init::External | Init::Device { .. } => false,
    })
}

fn end(func: Func) -> Way {
    Way::End { func, event: None, spans: Vec::new(), blocks: Vec::new() }
}

/// The `assert`s to which no control flow leads, so that there is no code for them.
fn unreachable(body: &FuncBody) -> impl Iterator<Item = (Span, Assertion)> + '_ {
    let decides = |term: &Terminator, decision: Decision| match term {
        Terminator::Branch { cond: Some(cond), .. } => body.conds[*cond].decision == decision,
        _ => false,
    };
    let asserts = body.decisions.entries().filter(|(_, data)| data.kind == DecisionKind::Assert);
    let gone =
        asserts.filter(move |(decision, _)| !body.blocks.iter().any(|data| decides(&data.term, *decision)));
    gone.map(|(_, data)| {
        let (span, text, kind) = (data.span, Some(data.text.clone()), AssertionKind::Condition);
        (span, Assertion { span, text, is_argument: false, kind, ways: Vec::new() })
    })
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

fn is_claim(module: &Module, inst: &Inst) -> bool {
    matches!(inst.kind, InstKind::Call(Callee::Direct(callee), _) if module.functions[callee].source_name == CLAIM)
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
