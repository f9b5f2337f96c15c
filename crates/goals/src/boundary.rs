//! The comparisons of numbers in the source, and the points at their boundaries.
//!
//! `a < b` changes between `a == b - 1` and `a == b`, `a <= b` between `a == b` and `a == b + 1`; `a == b` changes on
//! both sides. Of floats, it is the neighbour that is one less or one more. These are the on and off points of boundary value analysis (White and Cohen, "A domain strategy for
//! computer program testing", TSE 1980).
//!
//! A comparison is one of the source when the text of its expression says so. What a macro hides is found where it is
//! a condition, unless it compares with zero by `!=`: there nothing tells it from the test of a value.

use quipu_ir::{
    Block, CondData, FuncBody, Function, Inst, InstKind, Module, Span, Terminator, Ty, Value, ValueDef,
};
use quipu_num::{Cast, FloatCmp, FloatWidth, IntCmp, cast};

use crate::goal::Off;
use crate::order::Order;
use crate::relational::Relational;
use crate::signedness::Signs;
use crate::source_text::{SourceFiles, balanced};

/// A comparison of numbers that the source makes.
pub(crate) struct Comparison {
    pub block: Block,
    pub inst: usize,
    pub span: Span,
    pub text: String,
    pub order: Order,
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
            let Some(compared) = compared(body, data) else { continue };
            let source = sources.text(data.span);
            let Some(written) = written(body, block, data.span, &source, compared) else { continue };
            let order = match (body.ty(compared.a), compared.cmp) {
                (Ty::Float(FloatWidth::F64), _) if is_widened(body, compared) => Order::Widened,
                (Ty::Float(w), _) => Order::Float(w),
                (_, IntCmp::Slt | IntCmp::Sle) => Order::Signed,
                (_, IntCmp::Ult | IntCmp::Ule) => Order::Unsigned,
                (_, IntCmp::Eq | IntCmp::Ne) if signs.of_both(compared.a, compared.b) => Order::Signed,
                (_, IntCmp::Eq | IntCmp::Ne) => Order::Unsigned,
            };
            let points = points(body, compared, order, &written.operands);
            found.push(Comparison { block, inst, span: written.span, text: written.text, order, points });
        }
    }
    found
}

/// An instruction that compares numbers.
#[derive(Clone, Copy)]
struct Compared {
    /// For floats the comparison of integers that asks the same.
    cmp: IntCmp,
    a: Value,
    b: Value,
    result: Value,
}

/// Truth values are compared by no operator of C: its operands are promoted to `int` at least.
fn compared(body: &FuncBody, inst: &Inst) -> Option<Compared> {
    let result = inst.result?;
    let (cmp, a, b) = match inst.kind {
        InstKind::IntCmp(cmp, a, b) => (cmp, a, b),
        InstKind::FloatCmp(FloatCmp::Eq, a, b) => (IntCmp::Eq, a, b),
        InstKind::FloatCmp(FloatCmp::Ne, a, b) => (IntCmp::Ne, a, b),
        InstKind::FloatCmp(FloatCmp::Lt, a, b) => (IntCmp::Slt, a, b),
        InstKind::FloatCmp(FloatCmp::Le, a, b) => (IntCmp::Sle, a, b),
        _ => return None,
    };
    let is_number = matches!(body.ty(a), Ty::Int(_) | Ty::Float(_)) && body.ty(a) != Ty::BOOL;
    is_number.then_some(Compared { cmp, a, b, result })
}

/// Whether both operands are exact as `float`, and one of them was one.
fn is_widened(body: &FuncBody, Compared { a, b, .. }: Compared) -> bool {
    let insts = || body.blocks.iter().flat_map(|block| &block.insts);
    let was_float = |value: Value| {
        let is_it =
            |inst: &Inst| inst.result == Some(value) && matches!(inst.kind, InstKind::Cast(Cast::Widen, _));
        insts().any(is_it)
    };
    let is_exact = |value: Value| match body.values[value].def {
        ValueDef::Const(bits) => cast(Cast::Widen, cast(Cast::Narrow, bits)) == bits,
        _ => was_float(value),
    };
    (was_float(a) || was_float(b)) && is_exact(a) && is_exact(b)
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
    Compared { cmp, b, result, .. }: Compared,
) -> Option<Written> {
    if let Some(found) = Relational::parse(source).filter(|found| found.fits(cmp)) {
        let swapped = found.is_swapped();
        let operands = Operands { left: found.left, right: found.right, swapped };
        return Some(Written { span, text: balanced(source), operands });
    }
    // The bits of 0.0 are those of 0.
    let tests_truth = cmp == IntCmp::Ne && body.values[b].def == ValueDef::Const(0);
    // What the compiler's own functions compare is not written in the source.
    let is_builtin = source.contains("__");
    let cond = condition(body, block, result).filter(|_| !tests_truth && !is_builtin)?;
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

/// The points of a comparison that can exist, by ascending left operand.
fn points(body: &FuncBody, comparison: Compared, order: Order, operands: &Operands) -> Vec<(Off, String)> {
    let mut relations = match comparison.cmp {
        IntCmp::Slt | IntCmp::Ult => vec![Off::OneLess, Off::Equal],
        IntCmp::Sle | IntCmp::Ule => vec![Off::Equal, Off::OneMore],
        IntCmp::Eq | IntCmp::Ne => vec![Off::OneLess, Off::Equal, Off::OneMore],
    };
    relations.retain(|&relation| exists(body, comparison, order, relation));
    if operands.swapped {
        relations.reverse();
    }
    let text = match order {
        Order::Unsigned | Order::Signed => point_text,
        Order::Float(_) | Order::Widened => float_point_text,
    };
    relations.into_iter().map(|relation| (relation, text(relation, operands))).collect()
}

/// Whether there is a number next to a constant operand: `u == 0 - 1` is no point of an unsigned number. Next to a NaN
/// there is nothing, and nothing equals it.
fn exists(body: &FuncBody, Compared { a, b, .. }: Compared, order: Order, relation: Off) -> bool {
    let width = match body.ty(a) {
        Ty::Int(width) => width,
        Ty::Float(w) => w.width(),
        Ty::Ptr => return false,
    };
    let (least, greatest) = order.ends(width);
    let can_be = |value: Value, excluded: Option<i128>| match body.values[value].def {
        ValueDef::Const(bits) => {
            let place = order.place(width, bits);
            place.is_some() && place != excluded
        }
        _ => true,
    };
    match relation {
        Off::Equal => can_be(a, None) && can_be(b, None),
        Off::OneLess => can_be(a, Some(greatest)) && can_be(b, Some(least)),
        Off::OneMore => can_be(a, Some(least)) && can_be(b, Some(greatest)),
    }
}

fn point_text(relation: Off, Operands { left, right, swapped }: &Operands) -> String {
    match (relation, swapped) {
        (Off::Equal, _) => format!("{left} == {right}"),
        (Off::OneLess, false) | (Off::OneMore, true) => format!("{left} == {} - 1", grouped(right)),
        (Off::OneMore, false) | (Off::OneLess, true) => format!("{left} == {} + 1", grouped(right)),
    }
}

fn float_point_text(relation: Off, Operands { left, right, swapped }: &Operands) -> String {
    match (relation, swapped) {
        (Off::Equal, _) => format!("{left} == {right}"),
        (Off::OneLess, false) | (Off::OneMore, true) => format!("{left} just below {right}"),
        (Off::OneMore, false) | (Off::OneLess, true) => format!("{left} just above {right}"),
    }
}

/// The text of an operand, in brackets unless it holds together anyway.
fn grouped(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
    let is_enclosed = |by: (char, char)| text.starts_with(by.0) && text.ends_with(by.1);
    if text.replace("->", ".").chars().all(is_word) || is_enclosed(('(', ')')) || is_enclosed(('\'', '\'')) {
        text.into()
    } else {
        format!("({text})")
    }
}
