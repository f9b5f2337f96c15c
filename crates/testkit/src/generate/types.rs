//! The C types that generated programs use, with the conversions of C17 6.3.1 on LP64.

use super::range::Range;

/// A basic integer type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum IntKind {
    /// `_Bool`.
    Bool,
    /// Plain `char`, which is signed here.
    Char,
    /// `signed char`.
    SChar,
    /// `unsigned char`.
    UChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UShort,
    /// `int`.
    Int,
    /// `unsigned`.
    UInt,
    /// `long`.
    Long,
    /// `unsigned long`.
    ULong,
    /// `long long`.
    LLong,
    /// `unsigned long long`.
    ULLong,
}

impl IntKind {
    /// All of them, by rank.
    pub const ALL: [IntKind; 12] = [
        IntKind::Bool,
        IntKind::Char,
        IntKind::SChar,
        IntKind::UChar,
        IntKind::Short,
        IntKind::UShort,
        IntKind::Int,
        IntKind::UInt,
        IntKind::Long,
        IntKind::ULong,
        IntKind::LLong,
        IntKind::ULLong,
    ];

    /// The spellings that C allows; the first is the usual one.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            IntKind::Bool => &["_Bool"],
            IntKind::Char => &["char"],
            IntKind::SChar => &["signed char", "char signed"],
            IntKind::UChar => &["unsigned char"],
            IntKind::Short => &["short", "short int", "signed short"],
            IntKind::UShort => &["unsigned short", "short unsigned int"],
            IntKind::Int => &["int", "signed", "signed int"],
            IntKind::UInt => &["unsigned", "unsigned int"],
            IntKind::Long => &["long", "long int", "signed long"],
            IntKind::ULong => &["unsigned long", "long unsigned int"],
            IntKind::LLong => &["long long", "signed long long int"],
            IntKind::ULLong => &["unsigned long long", "long long unsigned"],
        }
    }

    /// The usual spelling.
    pub fn name(self) -> &'static str {
        self.spellings()[0]
    }

    /// The ending of the names of the helper functions for this (promoted) type.
    pub fn helper_suffix(self) -> &'static str {
        match self {
            IntKind::UInt => "u",
            IntKind::Long => "l",
            IntKind::ULong => "ul",
            IntKind::LLong => "ll",
            IntKind::ULLong => "ull",
            _ => "i",
        }
    }

    /// The number of value bits and the sign.
    pub fn bits(self) -> u32 {
        match self {
            IntKind::Bool => 1,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            _ => 64,
        }
    }

    /// The size in bytes.
    pub fn size(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }

    /// Whether it has negative values.
    pub fn signed(self) -> bool {
        use IntKind::{Char, Int, LLong, Long, SChar, Short};
        matches!(self, Char | SChar | Short | Int | Long | LLong)
    }

    /// Its values.
    pub fn range(self) -> Range {
        bits_range(self.bits(), self.signed())
    }

    /// The type after the integer promotions.
    pub fn promoted(self) -> IntKind {
        self.max(IntKind::Int)
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LLong => IntKind::ULLong,
            other => other,
        }
    }

    /// The type of an arithmetic operation on both, after the usual arithmetic conversions.
    pub fn common(self, other: IntKind) -> IntKind {
        let (low, high) = (self.promoted().min(other.promoted()), self.promoted().max(other.promoted()));
        let low_fits = high.range().contains(low.range()) || !high.signed();
        if low_fits { high } else { high.to_unsigned() }
    }
}

/// The values of an integer of so many bits.
pub fn bits_range(bits: u32, signed: bool) -> Range {
    if signed {
        Range::new(-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        Range::new(0, (1i128 << bits) - 1)
    }
}

/// `float` or `double`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    /// Single precision.
    Float,
    /// Double precision.
    Double,
}

impl FloatKind {
    /// How C spells it.
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
        }
    }
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// A basic integer.
    Int(IntKind),
    /// The enumeration with this number, and the integer type that it is compatible with.
    Enum(usize, IntKind),
    /// A float.
    Float(FloatKind),
    /// A pointer.
    Pointer(Box<Type>),
    /// An array.
    Array(Box<Type>, u64),
    /// The struct or union with this number.
    Record(usize),
    /// A pointer to a function with the signature of this number.
    Function(usize),
}

impl Type {
    /// `int`.
    pub const INT: Type = Type::Int(IntKind::Int);

    /// A pointer to this type.
    pub fn pointer(self) -> Type {
        Type::Pointer(Box::new(self))
    }

    /// An array of this type.
    pub fn array(self, len: u64) -> Type {
        Type::Array(Box::new(self), len)
    }

    /// The integer type behind an integer or an enumeration.
    pub fn int_kind(&self) -> Option<IntKind> {
        match self {
            Type::Int(kind) | Type::Enum(_, kind) => Some(*kind),
            _ => None,
        }
    }

    /// Whether arithmetic applies.
    pub fn is_arithmetic(&self) -> bool {
        matches!(self, Type::Int(_) | Type::Enum(..) | Type::Float(_))
    }

    /// The type of the innermost elements of an array, or the type itself.
    pub fn leaf(&self) -> &Type {
        match self {
            Type::Array(element, _) => element.leaf(),
            other => other,
        }
    }
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// The tag.
    pub tag: String,
    /// The names and values.
    pub constants: Vec<(String, i64)>,
    /// The type that gcc makes it compatible with.
    pub kind: IntKind,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name as a type: a tag behind its keyword, or a typedef name.
    pub spelling: String,
    /// Whether the members share their place.
    pub union: bool,
    /// Whether members may lie at addresses that their type does not allow.
    pub packed: bool,
    /// The named members.
    pub fields: Vec<Field>,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name, or a path of names through a nested record.
    pub name: String,
    /// The declared type.
    pub ty: Type,
    /// The width of a bit-field.
    pub bits: Option<u32>,
    /// Whether a pointer may be null. Pointers in records lead to global objects.
    pub nullable: bool,
}

/// The parameters and result of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    /// The result; none for `void`.
    pub ret: Option<Type>,
    /// The parameters.
    pub params: Vec<Param>,
}

impl Signature {
    /// Whether a parameter is a pointer to a function. Such functions are only called by name, which keeps
    /// the order in which functions may call each other.
    pub fn takes_functions(&self) -> bool {
        self.params.iter().any(|param| matches!(param.ty, Type::Function(_)))
    }
}

/// A parameter, with what the function relies on.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// The type.
    pub ty: Type,
    /// The values that an integer may have.
    pub range: Option<Range>,
    /// The number of elements behind a pointer.
    pub extent: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_arithmetic_conversions() {
        use IntKind::{Char, Int, LLong, Long, UInt, ULLong, ULong, UShort};
        for (a, b, common) in [
            (Char, UShort, Int),
            (Int, UInt, UInt),
            (UInt, Long, Long),
            (ULong, LLong, ULLong),
            (Long, LLong, LLong),
            (ULong, Long, ULong),
        ] {
            assert_eq!(a.common(b), common, "{a:?} {b:?}");
            assert_eq!(b.common(a), common, "{b:?} {a:?}");
        }
    }
}
