//! Instructions and terminators.

use quipu_num::{Cast, FloatCmp, FloatOp, FloatUnary, Guard, IntCmp, IntOp, IntUnary};

use crate::event::Event;
use crate::function::{Block, Cond, Decision, Slot, Stmt, Value};
use crate::module::Func;
use crate::source::Span;

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    /// The value it defines, if any; its type stands in the function's value table.
    pub result: Option<Value>,
    /// What it does.
    pub kind: InstKind,
    /// Where it comes from.
    pub span: Span,
}

/// What an instruction does. Operations without an effect are total functions defined in `quipu_num`.
#[derive(Clone, PartialEq, Debug)]
pub enum InstKind {
    /// Integer arithmetic.
    Int(IntOp, Value, Value),
    /// Integer arithmetic on one operand.
    IntUnary(IntUnary, Value),
    /// A comparison of integers or of pointers (by address); the result is an `i1`.
    IntCmp(IntCmp, Value, Value),
    /// Float arithmetic.
    Float(FloatOp, Value, Value),
    /// Float arithmetic on one operand.
    FloatUnary(FloatUnary, Value),
    /// `a * b + c` rounded once.
    Fma(Value, Value, Value),
    /// A comparison of floats; the result is an `i1`.
    FloatCmp(FloatCmp, Value, Value),
    /// A numeric conversion.
    Cast(Cast, Value),
    /// A pointer's address as an integer of the pointer's size.
    PtrToInt(Value),
    /// The pointer with an address, an integer of the pointer's size.
    IntToPtr(Value),
    /// The second operand if the first, an `i1`, is true, else the third.
    Select(Value, Value, Value),
    /// A pointer moved by a signed number of bytes, an integer of the pointer's size.
    PtrAdd(Value, Value),
    /// The bytes from the second pointer to the first, an integer of the pointer's size.
    PtrDiff(Value, Value),
    /// The address of a local object; its lifetime starts here unless it has started.
    SlotAddr(Slot),
    /// The end of a local object's lifetime. Its next address is that of a new object.
    SlotEnd(Slot),
    /// The address of a new local object with a computed size in bytes; it lives until the function returns.
    Alloca {
        /// The size, an integer of the pointer's size.
        size: Value,
        /// The alignment in bytes.
        align: u64,
    },
    /// Reads a value of the result's type.
    Load {
        /// Where from.
        ptr: Value,
        /// The alignment in bytes that the source type promises.
        align: u32,
        /// Whether the source says `volatile`.
        volatile: bool,
    },
    /// Writes a value.
    Store {
        /// Where to.
        ptr: Value,
        /// What.
        value: Value,
        /// The alignment in bytes that the source type promises.
        align: u32,
        /// Whether the source says `volatile`.
        volatile: bool,
    },
    /// Reads the bits of a bit-field; the result is an integer of exactly its width.
    LoadBits {
        /// The byte in which the field starts.
        ptr: Value,
        /// The first bit within that byte, from the least significant.
        bit: u32,
        /// Whether the source says `volatile`.
        volatile: bool,
    },
    /// Writes the bits of a bit-field and leaves its neighbours alone.
    StoreBits {
        /// The byte in which the field starts.
        ptr: Value,
        /// The first bit within that byte, from the least significant.
        bit: u32,
        /// An integer of exactly the field's width.
        value: Value,
    },
    /// Copies bytes, written or not, between objects that are disjoint or identical.
    Copy {
        /// Where to.
        dst: Value,
        /// Where from.
        src: Value,
        /// How many bytes.
        size: u64,
    },
    /// Sets bytes to zero.
    Zero {
        /// Where.
        dst: Value,
        /// How many bytes.
        size: u64,
    },
    /// Gives bytes values that C does not specify: some values, of which nobody knows more.
    Unspecify {
        /// Where.
        dst: Value,
        /// How many bytes.
        size: u64,
    },
    /// A call. Arguments match the callee's parameters; variadic arguments are packed by the caller.
    Call(Callee, Vec<Value>),
    /// Raises an event unless the guard holds for the operands.
    Check(Check, Value, Value),
    /// A statement of the source starts.
    Stmt(Stmt),
    /// Nothing: in the place of an instruction that does not matter, so that the others keep their numbers.
    Nothing,
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A known function.
    Direct(Func),
    /// The function that a pointer points to.
    Indirect(Value),
}

/// What a check demands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Check {
    /// A condition on numbers.
    Guard(Guard),
    /// Both pointers point into the same object or just past it, or both are null.
    SameObject,
}

impl Check {
    /// The event raised when the check fails.
    pub fn event(self) -> Event {
        match self {
            Check::Guard(Guard::AddFits(_) | Guard::SubFits(_) | Guard::MulFits(_)) => Event::SignedOverflow,
            Check::Guard(Guard::NonZero(_)) => Event::DivisionByZero,
            Check::Guard(Guard::AnyBit(_)) => Event::ZeroBitCount,
            Check::Guard(Guard::QuotientFits(_)) => Event::DivisionOverflow,
            Check::Guard(Guard::ShiftInRange { .. }) => Event::ShiftOutOfRange,
            Check::Guard(Guard::ShlFits(_)) => Event::ShiftOverflow,
            Check::Guard(Guard::FloatFits { .. }) => Event::FloatToIntRange,
            Check::Guard(Guard::IndexBelow(_) | Guard::IndexAtMost(_)) => Event::OutOfBounds,
            Check::SameObject => Event::UnrelatedPointers,
        }
    }
}

/// A control-flow edge with the arguments for its target's parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The block it leads to.
    pub target: Block,
    /// One value for each of the target's parameters.
    pub args: Vec<Value>,
    /// The outcome of the decision that is settled by taking this edge.
    pub outcome: Option<bool>,
}

impl Edge {
    /// An edge without arguments.
    pub fn to(target: Block) -> Edge {
        Edge { target, args: Vec::new(), outcome: None }
    }
}

/// One arm of a switch: values from `low` to `high`, both canonical and inclusive, going upwards and wrapping.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The first value.
    pub low: u64,
    /// The last value.
    pub high: u64,
    /// Where the source says `case`.
    pub span: Span,
    /// Where it leads.
    pub edge: Edge,
}

impl Case {
    /// Whether a canonical value of the switch's type falls into this arm.
    pub fn matches(&self, value: u64, width: quipu_num::Width) -> bool {
        width.wrap(value.wrapping_sub(self.low)) <= width.wrap(self.high.wrapping_sub(self.low))
    }
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    /// Goes on elsewhere.
    Jump(Edge),
    /// Chooses by an `i1`.
    Branch {
        /// The condition's value.
        value: Value,
        /// Taken when true.
        then: Edge,
        /// Taken when false.
        otherwise: Edge,
        /// The source condition whose outcome this is.
        cond: Option<Cond>,
    },
    /// Chooses by an integer's value; the first matching case wins.
    Switch {
        /// The integer.
        value: Value,
        /// The arms.
        cases: Vec<Case>,
        /// Taken when no arm matches.
        default: Edge,
        /// The source decision.
        decision: Option<Decision>,
    },
    /// Leaves the function.
    Return(Option<Value>),
    /// Leaves a function that should return a value at its closing brace, without one.
    ReturnMissing,
    /// Control cannot come here.
    Unreachable(Unreachable),
}

/// Why control cannot come to a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreachable {
    /// The call in front of it does not return.
    NoReturn,
    /// The program says so; coming here is an event.
    Declared,
}

impl Terminator {
    /// The edges, in order: then before otherwise, cases before the default.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (first, cases, last): (Option<&Edge>, &[Case], Option<&Edge>) = match self {
            Terminator::Jump(edge) => (Some(edge), &[], None),
            Terminator::Branch { then, otherwise, .. } => (Some(then), &[], Some(otherwise)),
            Terminator::Switch { cases, default, .. } => (None, cases, Some(default)),
            Terminator::Return(_) | Terminator::ReturnMissing | Terminator::Unreachable(_) => {
                (None, &[], None)
            }
        };
        first.into_iter().chain(cases.iter().map(|case| &case.edge)).chain(last)
    }

    /// The edges, mutable, in the same order.
    pub fn edges_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        let (first, cases, last): (Option<&mut Edge>, &mut [Case], Option<&mut Edge>) = match self {
            Terminator::Jump(edge) => (Some(edge), &mut [], None),
            Terminator::Branch { then, otherwise, .. } => (Some(then), &mut [], Some(otherwise)),
            Terminator::Switch { cases, default, .. } => (None, cases, Some(default)),
            Terminator::Return(_) | Terminator::ReturnMissing | Terminator::Unreachable(_) => {
                (None, &mut [], None)
            }
        };
        first.into_iter().chain(cases.iter_mut().map(|case| &mut case.edge)).chain(last)
    }
}
