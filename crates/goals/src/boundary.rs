//! The comparisons of integers in the source, and the points at their boundaries.
//!
//! `a < b` changes between `a == b - 1` and `a == b`, `a <= b` between `a == b` and `a == b + 1`; `a == b` changes on
//! both sides. These are the on and off points of boundary value analysis (White and Cohen, "A domain strategy for
//! computer program testing", TSE 1980).
//!
//! A comparison is one of the source when the text of its expression says so. What a macro hides is found where it is
//! a condition, unless it compares with zero by `!=`: there nothing tells it from the test of a value.

use quipu_ir::{
    Block, CondData, FuncBody, Function, InstKind, Module, Span, Terminator, Ty, Value, ValueDef,
};
use quipu_num::IntCmp;

use crate::goal::Off;
use crate::relational::Relational;
use crate::signedness::Signs;
use crate::source_text::{SourceFiles, balanced};

/// A comparison of integers that the source makes.
pub(crate) struct Comparison {
    pub block: Block,
    pub inst: usize,
    pub span: Span,
    pub text: String,
    pub signed: bool,
    /// The points to test: the relation of the instruction's operands, and in the source's words.
    pub points: Vec<(Off, String)>,
}

/// The comparisons of a function.
pub(crate) fn comparisons(
    module: &Module,
    function: &Function,
    body: &FuncBody,
    sources: &SourceFiles<'_>,
) -> Vec<Comparison> {
    let signs = Signs::new(module, function, body);
    let mut found = Vec::new();
    for (block, data) in body.blocks.entries() {
        for (inst, data) in data.insts.iter().enumerate() {
            let (InstKind::IntCmp(cmp, a, b), Some(result)) = (&data.kind, data.result) else { continue };
            if !matches!(body.ty(*a), Ty::Int(_)) || body.ty(*a) == Ty::BOOL {
                continue;
            }
            let source = sources.text(data.span);
            let Some(Written { span, text, operands }) =
                written(body, block, data.span, &source, *cmp, *b, result)
            else {
                continue;
            };
            let signed = match cmp {
                IntCmp::Slt | IntCmp::Sle => true,
                IntCmp::Ult | IntCmp::Ule => false,
                IntCmp::Eq | IntCmp::Ne => signs.of_both(*a, *b),
            };
            found.push(Comparison { block, inst, span, text, signed, points: points(*cmp, &operands) });
        }
    }
    found
}

/// How the source writes a comparison.
struct Written {
    span: Span,
    text: String,
    operands: Operands,
}

/// The operands in the source's order.
struct Operands {
    left: String,
    right: String,
    /// Whether the instruction has them in the other order.
    swapped: bool,
}

fn written(
    body: &FuncBody,
    block: Block,
    span: Span,
    source: &str,
    cmp: IntCmp,
    b: Value,
    result: Value,
) -> Option<Written> {
    if let Some(found) = Relational::parse(source).filter(|found| found.fits(cmp)) {
        let swapped = found.is_swapped();
        let operands = Operands { left: found.left, right: grouped(found.right), swapped };
        return Some(Written { span, text: balanced(source), operands });
    }
    let tests_truth = cmp == IntCmp::Ne && body.values[b].def == ValueDef::Const(0);
    let cond = condition(body, block, result).filter(|_| !tests_truth && !source.contains("__"))?;
    let operands = Operands { left: "left".into(), right: "right".into(), swapped: false };
    Some(Written { span: cond.span, text: balanced(&cond.text), operands })
}

/// The condition that a block branches on by this value.
fn condition(body: &FuncBody, block: Block, result: Value) -> Option<&CondData> {
    match body.blocks[block].term {
        Terminator::Branch { value, cond: Some(cond), .. } if value == result => Some(&body.conds[cond]),
        _ => None,
    }
}

/// The points of a comparison, by ascending first operand.
fn points(cmp: IntCmp, operands: &Operands) -> Vec<(Off, String)> {
    let relations: &[Off] = match cmp {
        IntCmp::Slt | IntCmp::Ult => &[Off::OneLess, Off::Equal],
        IntCmp::Sle | IntCmp::Ule => &[Off::Equal, Off::OneMore],
        IntCmp::Eq | IntCmp::Ne => &[Off::OneLess, Off::Equal, Off::OneMore],
    };
    relations.iter().map(|&relation| (relation, point_text(relation, operands))).collect()
}

fn point_text(relation: Off, Operands { left, right, swapped }: &Operands) -> String {
    match (relation, swapped) {
        (Off::Equal, _) => format!("{left} == {right}"),
        (Off::OneLess, false) | (Off::OneMore, true) => format!("{left} == {right} - 1"),
        (Off::OneMore, false) | (Off::OneLess, true) => format!("{left} == {right} + 1"),
    }
}

/// The text of an operand, in brackets unless it holds together anyway.
fn grouped(text: String) -> String {
    let is_word = |c: char| c.is_alphanumeric() || "_.'[]".contains(c);
    if text.replace("->", ".").chars().all(is_word) || text.starts_with('(') && text.ends_with(')') {
        text
    } else {
        format!("({text})")
    }
}
