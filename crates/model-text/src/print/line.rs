//! A piece of text with what is needed to put it into a larger one.

use quipu_num::Width;

use crate::types::Type;

/// How tightly an expression binds, as in the parser.
pub(super) mod level {
    pub const LOOSEST: u8 = 0;
    pub const CHOICE: u8 = 3;
    pub const OR: u8 = 4;
    pub const AND: u8 = 5;
    pub const BIT_OR: u8 = 6;
    pub const BIT_XOR: u8 = 7;
    pub const BIT_AND: u8 = 8;
    pub const EQUALITY: u8 = 9;
    pub const ORDER: u8 = 10;
    pub const SHIFT: u8 = 11;
    pub const SUM: u8 = 12;
    pub const PRODUCT: u8 = 13;
    pub const CAST: u8 = 14;
    pub const PREFIX: u8 = 15;
    pub const PRIMARY: u8 = 16;
}

/// An expression as text.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub text: String,
    pub level: u8,
    pub ty: Type,
    /// How deep it nests.
    pub depth: usize,
}

impl Line {
    pub fn new(text: impl Into<String>, level: u8, ty: Type, depth: usize) -> Line {
        Line { text: text.into(), level, ty, depth }
    }

    /// A number. With its type, if nothing around gives it one.
    pub fn number(bits: u64, ty: Type, typed: bool) -> Line {
        let number = ty.number(bits);
        let text = match (ty, bits) {
            (Type::BOOL, 0) => "false".to_owned(),
            (Type::BOOL, _) => "true".to_owned(),
            _ if typed => format!("{number}{ty}"),
            _ => number.to_string(),
        };
        let level = if number < 0 { level::PREFIX } else { level::PRIMARY };
        Line::new(text, level, ty, 0)
    }

    /// The text where at least this precedence is needed.
    pub fn at(&self, least: u8) -> String {
        if self.level >= least { self.text.clone() } else { format!("({})", self.text) }
    }

    /// The expression converted to a type.
    pub fn converted(self, ty: Type) -> Line {
        if self.ty == ty {
            return self;
        }
        let name =
            if ty == Type::BOOL && self.ty.width != Width::W1 { "u1".to_owned() } else { ty.to_string() };
        Line::new(format!("{} as {name}", self.at(level::CAST)), level::CAST, ty, self.depth)
    }
}
