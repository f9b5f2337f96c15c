//! The types of the source program, as far as inputs, reports and generated tests need them.
//!
//! The instructions know only [`Ty`](crate::Ty); this table says what a parameter, a global or a slot was
//! declared as, with the layout that the front end computed.

use quipu_base::{IdVec, define_id};

define_id!(
    /// A type of the source program.
    TypeId, "t"
);

/// The source types of a module. A record refers to others by id, so that types may be recursive.
pub type SourceTypes = IdVec<TypeId, SourceType>;

/// A type of the source program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SourceType {
    /// No value.
    Void,
    /// `_Bool`, stored as one byte.
    Bool,
    /// An integer.
    Int {
        /// How C spells it, e.g. `unsigned long`.
        name: String,
        /// The width in bits.
        bits: u32,
        /// Whether it is signed.
        signed: bool,
    },
    /// An enumeration.
    Enum {
        /// The tag, if it has one.
        tag: Option<String>,
        /// The width of the underlying type.
        bits: u32,
        /// Whether the underlying type is signed.
        signed: bool,
        /// The enumerators with their values. One that only `unsigned long` holds is told by its bits.
        enumerators: Vec<(String, i64)>,
    },
    /// `float` or `double`.
    Float {
        /// 32 or 64.
        bits: u32,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        to: TypeId,
    },
    /// An array; without a length it is a flexible or incomplete one.
    Array {
        /// The element type.
        element: TypeId,
        /// The number of elements.
        len: Option<u64>,
    },
    /// A struct or union.
    Record {
        /// Which of the two.
        kind: RecordKind,
        /// The tag, if it has one.
        tag: Option<String>,
        /// The size in bytes; none for an incomplete type.
        size: Option<u64>,
        /// The alignment in bytes.
        align: u64,
        /// The members, in declaration order.
        fields: Vec<Field>,
    },
    /// A function.
    Function {
        /// The result.
        ret: TypeId,
        /// The parameters.
        params: Vec<TypeId>,
        /// For each of them whether it points to what must not be changed through it.
        constant: Vec<bool>,
        /// Whether more arguments may follow.
        variadic: bool,
    },
    /// A name for another type.
    Typedef {
        /// The name.
        name: String,
        /// The type named.
        of: TypeId,
    },
    /// A type that Quipu cannot represent, by its spelling.
    Unsupported(String),
}

/// Struct or union.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    /// Members one after the other.
    Struct,
    /// Members at one place.
    Union,
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// The name; none for an anonymous record or an unnamed bit-field.
    pub name: Option<String>,
    /// The declared type.
    pub ty: TypeId,
    /// The byte at which it starts.
    pub offset: u64,
    /// For a bit-field: the first bit within that byte, and the width.
    pub bits: Option<(u32, u32)>,
}
