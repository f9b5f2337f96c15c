//! The form in which functions are executed: flat code over numbered registers.
//!
//! A frame's registers are the function's constants and the addresses of its live slots (copied from a
//! template when it is entered), then its other values. Blocks are places in the code; the arguments of an
//! edge are moves in front of the jump.

mod moves;
mod prepare;
mod switch;

use std::ops::Range;
use std::sync::OnceLock;

use quipu_base::IdVec;
use quipu_ir::{Block, Body, Check, Event, Func, Module, Span, Stmt, Ty};
use quipu_num::{Cast, FloatCmp, FloatOp, FloatUnary, FloatWidth, Guard, IntUnary, Width};

use crate::library::{self, LibraryFunction};
use crate::memory::StaticAddresses;
pub(crate) use switch::SwitchTable;

/// A register of a frame.
pub(crate) type Reg = u32;
/// A place in the code.
pub(crate) type Pc = u32;

/// Result and two operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct R3 {
    pub dst: Reg,
    pub a: Reg,
    pub b: Reg,
}

/// An operation. Sixteen bytes; rare operands are in side tables of the [`Code`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// A block starts: `cost` instructions, its terminator included.
    Enter {
        block: Block,
        cost: u32,
    },
    /// A source statement starts.
    Stmt(Stmt),
    Move {
        dst: Reg,
        src: Reg,
    },
    /// `dst = src` if the condition holds.
    MoveIf {
        cond: Reg,
        dst: Reg,
        src: Reg,
    },

    Add(Width, R3),
    Sub(Width, R3),
    Mul(Width, R3),
    UDiv(Width, R3),
    SDiv(Width, R3),
    URem(Width, R3),
    SRem(Width, R3),
    And(Width, R3),
    Or(Width, R3),
    Xor(Width, R3),
    Shl(Width, R3),
    LShr(Width, R3),
    AShr(Width, R3),
    IntUnary(IntUnary, Width, Reg, Reg),
    Eq(R3),
    Ne(R3),
    Ult(R3),
    Ule(R3),
    Slt(Width, R3),
    Sle(Width, R3),

    Float(FloatOp, FloatWidth, R3),
    FloatUnary(FloatUnary, FloatWidth, Reg, Reg),
    /// The registers stand in the side table.
    Fma(FloatWidth, u32),
    FloatCmp(FloatCmp, FloatWidth, R3),
    Cast(Cast, Reg, Reg),

    PtrAdd(R3),
    PtrDiff(Width, R3),
    SlotAddr {
        dst: Reg,
        slot: u32,
    },
    SlotEnd {
        slot: u32,
    },
    Alloca {
        dst: Reg,
        size: Reg,
        align_log2: u8,
    },
    Load1 {
        width: Width,
        dst: Reg,
        ptr: Reg,
    },
    Load2 {
        width: Width,
        align_mask: u8,
        dst: Reg,
        ptr: Reg,
    },
    Load4 {
        width: Width,
        align_mask: u8,
        dst: Reg,
        ptr: Reg,
    },
    Load8 {
        width: Width,
        align_mask: u8,
        dst: Reg,
        ptr: Reg,
    },
    /// A read of a volatile object; what and how stands in the side table.
    Ask {
        dst: Reg,
        ptr: Reg,
        table: u32,
    },
    Store1 {
        ptr: Reg,
        value: Reg,
    },
    Store2 {
        align_mask: u8,
        ptr: Reg,
        value: Reg,
    },
    Store4 {
        align_mask: u8,
        ptr: Reg,
        value: Reg,
    },
    Store8 {
        align_mask: u8,
        ptr: Reg,
        value: Reg,
    },
    LoadBits {
        bit: u8,
        width: Width,
        dst: Reg,
        ptr: Reg,
    },
    StoreBits {
        bit: u8,
        width: Width,
        ptr: Reg,
        value: Reg,
    },
    Copy {
        dst: Reg,
        src: Reg,
        size: u32,
    },
    Zero {
        dst: Reg,
        size: u32,
    },

    /// The commonest guards have operations of their own.
    CheckAdd32 {
        a: Reg,
        b: Reg,
    },
    CheckSub32 {
        a: Reg,
        b: Reg,
    },
    CheckMul32 {
        a: Reg,
        b: Reg,
    },
    CheckIndex {
        width: Width,
        a: Reg,
        b: Reg,
    },
    Check(Guard, Reg, Reg),
    CheckSameObject {
        a: Reg,
        b: Reg,
    },

    /// The callee and the arguments stand in the side table.
    Call {
        site: u32,
    },
    Jump {
        target: Pc,
    },
    Branch {
        cond: Reg,
        then: Pc,
        otherwise: Pc,
    },
    Switch {
        value: Reg,
        table: u32,
    },
    /// Goes on without being an edge of its own: the end of an edge's moves.
    Goto {
        target: Pc,
    },
    Return {
        value: Reg,
    },
    ReturnNothing,
    ReturnMissing,
    UnreachableDeclared,
    UnreachableNoReturn,
}

/// A function ready to run.
#[derive(Debug)]
pub(crate) struct Code {
    pub func: Func,
    pub entry: Block,
    pub ops: Vec<Op>,
    /// Where each operation comes from.
    pub spans: Vec<Span>,
    /// Which instruction of its block each operation belongs to.
    pub insts: Vec<u32>,
    /// The first registers of a new frame: constants, and zeros for the slots. The parameters follow.
    pub template: Vec<u64>,
    /// The registers that hold the addresses of live slots.
    pub slot_regs: Range<Reg>,
    /// Size and alignment of the slots.
    pub slots: Vec<(u64, u64)>,
    /// The number of registers.
    pub n_regs: u32,
    pub calls: Vec<CallSite>,
    pub switches: Vec<SwitchTable>,
    /// Result and operands of the fused operations.
    pub fused: Vec<[Reg; 4]>,
    /// The reads of volatile objects.
    pub asked: Vec<Asked>,
}

/// A read of a volatile object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// The type of the value; of a bit-field exactly its width.
    pub ty: Ty,
    pub align_mask: u8,
    /// The first bit of a bit-field.
    pub bit: Option<u32>,
}

/// A call instruction.
#[derive(Debug)]
pub(crate) struct CallSite {
    pub callee: CalleeReg,
    pub args: Vec<Reg>,
    /// The types of the arguments, to compare with those of an indirect callee.
    pub arg_types: Vec<Ty>,
    pub result: Option<(Reg, Ty)>,
    /// Whether anything uses the result.
    pub result_used: bool,
}

/// What a call instruction calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CalleeReg {
    Known(Func),
    InRegister(Reg),
}

/// What calling a function does.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// Runs its code.
    Code,
    /// Runs a model. The argument with this number must not be null.
    Library(LibraryFunction, Option<usize>),
    /// Asks for an input.
    Input,
    /// Stops the run: the body has no representation.
    Unsupported,
}

/// A module and the code of its functions, each prepared when first called.
pub(crate) struct Program<'m> {
    pub module: &'m Module,
    pub addresses: StaticAddresses,
    targets: IdVec<Func, Target>,
    codes: IdVec<Func, OnceLock<Code>>,
}

impl<'m> Program<'m> {
    pub fn new(module: &'m Module, addresses: StaticAddresses) -> Program<'m> {
        let targets = module.functions.iter().map(|function| match &function.body {
            Body::Defined(_) => Target::Code,
            Body::Unsupported(_) => Target::Unsupported,
            Body::Declared => match library::find(&function.source_name) {
                Some(model) => Target::Library(model, library::stream_argument(&function.source_name)),
                None => Target::Input,
            },
        });
        let codes = module.functions.iter().map(|_| OnceLock::new()).collect();
        Program { module, addresses, targets: targets.collect(), codes }
    }

    #[inline]
    pub fn target(&self, func: Func) -> Target {
        self.targets[func]
    }

    /// The code of a function that has a body.
    #[inline]
    pub fn code(&self, func: Func) -> &Code {
        self.codes[func].get_or_init(|| prepare::prepare(self, func))
    }
}

impl Code {
    /// The span of the operation at `pc`.
    pub fn span(&self, pc: usize) -> Span {
        self.spans[pc]
    }

    /// The number of the instruction, in its block, of the operation at `pc`.
    pub fn inst(&self, pc: usize) -> usize {
        self.insts[pc] as usize
    }

    /// The register of a slot's address.
    #[inline]
    pub fn slot_reg(&self, slot: u32) -> Reg {
        self.slot_regs.start + slot
    }
}

impl Op {
    /// The event that a check raises.
    pub fn event(self) -> Event {
        let check = match self {
            Op::CheckAdd32 { .. } => Check::Guard(Guard::AddFits(Width::W32)),
            Op::CheckSub32 { .. } => Check::Guard(Guard::SubFits(Width::W32)),
            Op::CheckMul32 { .. } => Check::Guard(Guard::MulFits(Width::W32)),
            Op::CheckIndex { width, .. } => Check::Guard(Guard::IndexBelow(width)),
            Op::Check(guard, ..) => Check::Guard(guard),
            _ => Check::SameObject,
        };
        check.event()
    }

    /// The operands of a failed check, for people.
    pub fn operands_text(self, a: u64, b: u64) -> String {
        let signed = |w: Width| format!("operands {} and {}", w.signed(a), w.signed(b));
        match self {
            Op::CheckAdd32 { .. } | Op::CheckSub32 { .. } | Op::CheckMul32 { .. } => signed(Width::W32),
            Op::Check(guard, ..) => match guard {
                Guard::AddFits(w) | Guard::SubFits(w) | Guard::MulFits(w) | Guard::ShlFits(w) => signed(w),
                Guard::ShiftInRange { amount, shifted } => {
                    format!("shift of {} bits by {}", shifted.bits(), amount.signed(b))
                }
                Guard::QuotientFits(w) => format!("dividend {}", w.signed(a)),
                Guard::IndexBelow(w) | Guard::IndexAtMost(w) => format!("index {} of {b}", w.signed(a)),
                Guard::NonZero(_) | Guard::AnyBit(_) | Guard::FloatFits { .. } => String::new(),
            },
            Op::CheckIndex { width, .. } => format!("index {} of {b}", width.signed(a)),
            _ => format!("addresses {a:#x} and {b:#x}"),
        }
    }
}

/// The width of an address.
pub(crate) fn address_width(module: &Module) -> Width {
    module.data_model.address_ty().width().expect("an address should be an integer")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_compact() {
        assert_eq!(size_of::<Op>(), 16);
    }
}
