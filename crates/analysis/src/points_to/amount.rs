//! By how many bytes an integer may move a pointer: what its computation alone tells, without any run.

use quipu_base::IdVec;
use quipu_ir::{FuncBody, Inst, InstKind, Value, ValueDef};
use quipu_num::{Cast, IntOp, Width};

use super::offset::Offset;

/// What is known of an integer, taken with its sign.
#[derive(Clone, Copy)]
struct Amount {
    offset: Offset,
    /// Its absolute value is below 2^bits.
    bits: u32,
}

/// Computations deeper than this are taken for unknown.
const MOST_STEPS: u32 = 16;

/// The instructions that define the values of a function.
pub type Definitions<'m> = IdVec<Value, Option<&'m Inst>>;

/// Finds the instruction that defines each value.
pub fn definitions(body: &FuncBody) -> Definitions<'_> {
    let mut definitions = IdVec::filled(None, body.values.len());
    for inst in body.blocks.iter().flat_map(|block| &block.insts) {
        if let Some(result) = inst.result {
            definitions[result] = Some(inst);
        }
    }
    definitions
}

/// The offsets by which an integer of the pointer's size may move a pointer.
pub fn offsets_of(body: &FuncBody, definitions: &Definitions<'_>, value: Value) -> Offset {
    amount(body, definitions, value, MOST_STEPS).offset
}

fn amount(body: &FuncBody, definitions: &Definitions<'_>, value: Value, steps: u32) -> Amount {
    let Some(width) = body.ty(value).width() else { return Amount { offset: Offset::ANY, bits: 64 } };
    if let ValueDef::Const(bits) = body.values[value].def {
        return exact(width.signed(bits));
    }
    let unknown = Amount { offset: Offset::ANY, bits: width.bits() };
    let (Some(inst), Some(steps)) = (definitions[value], steps.checked_sub(1)) else { return unknown };
    let of = |operand: Value| amount(body, definitions, operand, steps);
    match inst.kind {
        InstKind::Int(op, a, b) => match op {
            IntOp::Add => wrapping(width, sum(of(a), of(b), Offset::plus)),
            IntOp::Sub => wrapping(width, sum(of(a), of(b), Offset::minus)),
            IntOp::Mul => wrapping(width, product(of(a), of(b))),
            IntOp::Shl => match of(b).offset.as_exact() {
                Some(by @ 0..32) => wrapping(width, product(of(a), exact(1 << by))),
                _ => unknown,
            },
            _ => unknown,
        },
        InstKind::Cast(Cast::SExt(..), a) => of(a),
        InstKind::Cast(Cast::ZExt(from, _), a) => {
            Amount { offset: of(a).offset.wrapped(from.bits()), bits: from.bits() }
        }
        InstKind::Cast(Cast::Trunc(..), a) => {
            Amount { offset: of(a).offset.wrapped(width.bits()), bits: width.bits() }
        }
        _ => unknown,
    }
}

fn exact(value: i64) -> Amount {
    Amount { offset: Offset::exact(value), bits: 64 - value.unsigned_abs().leading_zeros() }
}

fn sum(a: Amount, b: Amount, op: fn(Offset, Offset) -> Offset) -> Amount {
    Amount { offset: op(a.offset, b.offset), bits: a.bits.max(b.bits) + 1 }
}

fn product(a: Amount, b: Amount) -> Amount {
    Amount { offset: a.offset.times(b.offset), bits: a.bits + b.bits }
}

/// The operations wrap around: what exceeds the width is lost.
fn wrapping(width: Width, exact: Amount) -> Amount {
    if exact.bits < width.bits() {
        return exact;
    }
    Amount { offset: exact.offset.wrapped(width.bits()), bits: width.bits() }
}
