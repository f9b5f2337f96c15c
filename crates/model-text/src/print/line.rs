//! A piece of text with what is needed to put it into a larger one.

use crate::types::{Integer, Type};

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
        let number = ty.show(bits);
        let has_digits = number.ends_with(|c: char| c.is_ascii_digit());
        let level = if number.starts_with('-') { level::PREFIX } else { level::PRIMARY };
        match (ty, bits) {
            (Type::BOOL, 0) => Line::new("false", level, ty, 0),
            (Type::BOOL, _) => Line::new("true", level, ty, 0),
            _ if typed && has_digits => Line::new(format!("{number}{ty}"), level, ty, 0),
            // An infinity or a NaN: in a conversion, it takes the type behind it.
            _ if typed => Line::new(format!("{number} as {ty}"), level::CAST, ty, 0),
            _ => Line::new(number, level, ty, 0),
        }
    }

    /// The text where at least this precedence is needed.
    pub fn at(&self, least: u8) -> String {
        if self.level >= least { self.text.clone() } else { format!("({})", self.text) }
    }

    /// The expression in a type: between integers a conversion, between integers and floats of one size the same term,
    /// a float being its rank.
    pub fn converted(self, ty: Type) -> Line {
        match (self.ty, ty) {
            (from, to) if from == to => self,
            (Type::Float(w), Type::Integer(_)) => {
                self.called("rank", Type::unsigned(w.width())).converted(ty)
            }
            (Type::Integer(_), Type::Float(_)) => self.called("from_rank", ty),
            _ => {
                let cut_to_a_bit = ty == Type::BOOL && self.ty.width() != ty.width();
                let name = if cut_to_a_bit { "u1".to_owned() } else { ty.to_string() };
                self.cast(&name, ty)
            }
        }
    }

    /// The expression converted by `as`.
    pub fn cast(self, name: &str, ty: Type) -> Line {
        Line::new(format!("{} as {name}", self.at(level::CAST)), level::CAST, ty, self.depth)
    }

    /// A function of the expression.
    pub fn called(self, name: &str, ty: Type) -> Line {
        Line::new(format!("{name}({})", self.text), level::PRIMARY, ty, self.depth + 1)
    }

    /// The expression as an integer: itself, or the rank of a float.
    pub fn integer(self) -> Line {
        let ty = Type::Integer(self.ty.as_integer());
        self.converted(ty)
    }

    /// The same, read as signed or as unsigned.
    pub fn signed(self, signed: bool) -> Line {
        let width = self.ty.width();
        self.converted(Type::Integer(Integer { signed, width }))
    }
}
