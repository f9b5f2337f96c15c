//! What is taken for granted about inputs and the world around the program, and who does so.
//!
//! A verdict is a proof only if it needs nothing but what the user stated. Everything else that is taken for granted is
//! a value of its own, so that a proof can say which of them it needs, and how they can be changed.

use std::fmt;

use quipu_base::define_id;
use serde::{Deserialize, Serialize};

define_id!(
    /// One of the assumptions about the inputs of a function.
    AssumptionId, "assumption"
);

/// Who takes something for granted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Maker {
    /// The user says so: an option, `quipu.toml`, a contract, or the source.
    User,
    /// The shape that Quipu gives to inputs.
    Shape,
    /// The C standard promises it.
    Standard,
    /// The code, which relies on it without testing it.
    Code,
    /// How Quipu models the world outside of the program.
    Environment,
}

impl Maker {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Maker::User => "user",
            Maker::Shape => "shape",
            Maker::Standard => "standard",
            Maker::Code => "code",
            Maker::Environment => "environment",
        }
    }
}

/// Something that is taken for granted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Assumption {
    /// What the user says, in words.
    Stated(String),
    /// What C promises, in words.
    Promised(String),
    /// What a pointer points to, in words; `wider` is a demand that allows more, on this pointer or another one.
    Points { pointer: String, words: String, wider: Option<String>, maker: Maker },
    /// What the code relies on without testing it.
    Relied(Reliance),
    /// A length is no larger than the arrays that are made for it.
    AtMost { input: String, most: u64 },
    /// So many elements of a large array are inputs; `global` if it has an initial content.
    Patches { array: String, most: u64, count: u64, global: bool },
    /// A part of an input is zero, or what a global holds at the start of the program.
    Fixed { part: String, why: Fixed },
    /// Unions among the inputs hold their first members.
    FirstMembers,
    /// Two objects have no byte in common, unless the pointers to them say so.
    Apart { first: String, second: String },
    /// Only so many allocations at the start of a run may fail.
    FailingAllocations { most: u32, maker: Maker },
    /// What a function of another file does not do.
    Outside { function: String, what: String },
    /// Something about the library or the machine, in words.
    World(String),
}

/// Something about an input on which the code relies without testing it: a precondition that nobody stated.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Reliance {
    /// What is taken for granted, in words.
    pub words: String,
    /// In short, as C.
    pub condition: String,
    /// As a predicate for the contract of the function.
    pub clause: String,
    /// Whether it is about a pointer, and not about a number.
    pub is_pointer: bool,
}

/// Why a part of the inputs has one content only.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Fixed {
    /// No function here changes it, but other files could.
    NeverWritten,
    /// Only earlier calls could have changed it.
    Local,
    /// It is deep inside of something large.
    Deep,
    /// Only the elements before this one, counted from 1, are inputs.
    From(u64),
    /// Another definition may take the place of a weak one.
    Weak,
    /// It belongs to no member.
    Padding,
    /// Its type has no representation; `global` if it has an initial content.
    Unsupported { spelling: String, global: bool },
    /// It belongs to the C library.
    Library,
}

impl Assumption {
    pub fn maker(&self) -> Maker {
        match self {
            Assumption::Stated(_) => Maker::User,
            Assumption::Promised(_) => Maker::Standard,
            Assumption::Relied(_) => Maker::Code,
            Assumption::Points { maker, .. } | Assumption::FailingAllocations { maker, .. } => *maker,
            Assumption::AtMost { .. }
            | Assumption::Patches { .. }
            | Assumption::Fixed { .. }
            | Assumption::FirstMembers
            | Assumption::Apart { .. } => Maker::Shape,
            Assumption::Outside { .. } | Assumption::World(_) => Maker::Environment,
        }
    }

    /// Whether neither the user states it nor C promises it.
    pub fn is_ours(&self) -> bool {
        !matches!(self.maker(), Maker::User | Maker::Standard)
    }

    /// What the code relies on, if that is what it is.
    pub fn reliance(&self) -> Option<&Reliance> {
        match self {
            Assumption::Relied(reliance) => Some(reliance),
            _ => None,
        }
    }

    /// Its kind in reports.
    pub fn kind(&self) -> &'static str {
        match self {
            Assumption::Stated(_) => "stated",
            Assumption::Promised(_) => "promised",
            Assumption::Points { .. } => "shape",
            Assumption::Relied(_) => "relied-on",
            Assumption::AtMost { .. } => "length",
            Assumption::Patches { .. } => "large-array",
            Assumption::Fixed { .. } => "content",
            Assumption::FirstMembers => "union",
            Assumption::Apart { .. } => "no-overlap",
            Assumption::FailingAllocations { .. } => "allocation",
            Assumption::Outside { .. } => "function",
            Assumption::World(_) => "world",
        }
    }

    /// The option that changes it.
    pub fn change(&self) -> Option<String> {
        match self {
            Assumption::Points { wider, maker: Maker::Shape, .. } => {
                wider.as_ref().map(|wider| format!("--shape '{wider}'"))
            }
            Assumption::Relied(reliance) => Some(format!("`//@ requires {};`", reliance.clause)),
            Assumption::AtMost { input, most } => Some(format!("--range '{input}=0..{most}' to state it")),
            Assumption::FailingAllocations { most, .. } => {
                Some(format!("--failing-allocations {}", (most + 1).next_power_of_two().max(16)))
            }
            Assumption::Stated(_)
            | Assumption::Promised(_)
            | Assumption::Points { .. }
            | Assumption::Patches { .. }
            | Assumption::Fixed { .. }
            | Assumption::FirstMembers
            | Assumption::Apart { .. }
            | Assumption::Outside { .. }
            | Assumption::World(_) => None,
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Stated(text) | Assumption::Promised(text) | Assumption::World(text) => {
                f.write_str(text)
            }
            Assumption::Points { pointer, words, .. } => write!(f, "`{pointer}` {words}"),
            Assumption::Relied(reliance) => f.write_str(&reliance.words),
            Assumption::AtMost { input, most } => write!(f, "`{input}` is at most {most}"),
            Assumption::Patches { array, most, count, global } => {
                let otherwise = match global {
                    true => "have other values than at the start of the program",
                    false => "are not zero",
                };
                write!(f, "at most {most} of the {count} elements of `{array}` {otherwise}")
            }
            Assumption::Fixed { part, why } => why.about(part, f),
            Assumption::FirstMembers => f.write_str("unions hold their first members, and zeros behind them"),
            Assumption::Apart { first, second } => write!(f, "`{first}` and `{second}` do not overlap"),
            Assumption::FailingAllocations { most: 0, .. } => f.write_str("allocations do not fail"),
            Assumption::FailingAllocations { most: 1, .. } => {
                f.write_str("only the first allocation of a run may fail")
            }
            Assumption::FailingAllocations { most, .. } => {
                write!(f, "only the first {most} allocations of a run may fail")
            }
            Assumption::Outside { function, what } => write!(f, "`{function}`, which has no body, {what}"),
        }
    }
}

impl Fixed {
    fn about(&self, part: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fixed::NeverWritten | Fixed::Local => {
                write!(f, "`{part}` has its initial content at the start")
            }
            Fixed::Deep => write!(f, "`{part}` is zero"),
            Fixed::From(first) => write!(f, "`{part}` is zero from element {first} on"),
            Fixed::Weak => write!(f, "`{part}`, which is weak, has no other definition"),
            Fixed::Padding => write!(f, "bytes of {part} that belong to no member are zero"),
            Fixed::Unsupported { spelling, global } => {
                let content = if *global { "has its initial content at the start" } else { "is zero" };
                write!(f, "`{part}`, whose type `{spelling}` is not supported, {content}")
            }
            Fixed::Library => write!(f, "`{part}` of the C library is zero"),
        }
    }
}
