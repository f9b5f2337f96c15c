//! The undefined behaviours of C that the IR makes visible.

use serde::{Deserialize, Serialize};

/// A named undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// A signed sum, difference, product or negation is not representable.
    SignedOverflow,
    /// Integer division or remainder by zero.
    DivisionByZero,
    /// The smallest signed value divided by -1.
    DivisionOverflow,
    /// A shift amount that is negative or not less than the width.
    ShiftOutOfRange,
    /// A signed left shift of a negative value or with an unrepresentable result.
    ShiftOverflow,
    /// `__builtin_clz` or `__builtin_ctz` of zero.
    ZeroBitCount,
    /// A float converted to an integer type that cannot hold it.
    FloatToIntRange,
    /// An access or index outside an object or array.
    OutOfBounds,
    /// An access through a null pointer.
    NullAccess,
    /// An access through a pointer to no object, or one that is moved to where objects are.
    InvalidPointer,
    /// An access to an object after its lifetime: freed, or its block left.
    UseAfterFree,
    /// `free` of an object that was freed before.
    DoubleFree,
    /// `free` of something that `malloc` did not return.
    InvalidFree,
    /// A value is read that was never written.
    UninitializedRead,
    /// A write to a string literal or a constant object.
    WriteToConstant,
    /// An access to an address that is not aligned for its type.
    Misaligned,
    /// Two pointers into different objects are ordered or subtracted.
    UnrelatedPointers,
    /// A function ended without the value that its caller uses.
    MissingReturnValue,
    /// A call through a pointer to no function, or with the wrong number or kind of arguments.
    InvalidCall,
    /// Code that the program declared unreachable (`__builtin_unreachable`) was reached.
    UnreachableReached,
    /// Overlapping source and destination of `memcpy` or a string function.
    OverlappingCopy,
}

impl Event {
    /// All events with their names in text forms and reports.
    pub const ALL: [(Event, &'static str); 21] = [
        (Event::SignedOverflow, "signed-overflow"),
        (Event::DivisionByZero, "division-by-zero"),
        (Event::DivisionOverflow, "division-overflow"),
        (Event::ShiftOutOfRange, "shift-out-of-range"),
        (Event::ShiftOverflow, "shift-overflow"),
        (Event::ZeroBitCount, "zero-bit-count"),
        (Event::FloatToIntRange, "float-to-int-range"),
        (Event::OutOfBounds, "out-of-bounds"),
        (Event::NullAccess, "null-access"),
        (Event::InvalidPointer, "invalid-pointer"),
        (Event::UseAfterFree, "use-after-free"),
        (Event::DoubleFree, "double-free"),
        (Event::InvalidFree, "invalid-free"),
        (Event::UninitializedRead, "uninitialized-read"),
        (Event::WriteToConstant, "write-to-constant"),
        (Event::Misaligned, "misaligned"),
        (Event::UnrelatedPointers, "unrelated-pointers"),
        (Event::MissingReturnValue, "missing-return-value"),
        (Event::InvalidCall, "invalid-call"),
        (Event::UnreachableReached, "unreachable-reached"),
        (Event::OverlappingCopy, "overlapping-copy"),
    ];

    /// The event's name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(event, _)| *event == self).expect("every event should be in the table").1
    }
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
