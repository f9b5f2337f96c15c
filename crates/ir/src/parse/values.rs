//! The value table of the function that is being read.
//!
//! Values are used before the text tells their types, and constants are used without saying their number.
//! A constant that no `const` line lists gets the first number behind all that the text mentions.

use quipu_base::Id;
use rustc_hash::FxHashMap;

use super::lexer::Token;
use super::parser::{Failure, Parsed, Parser, read_ty};
use super::symbols::Mentions;
use crate::function::{FuncBody, Value, ValueData, ValueDef};
use crate::module::Symbol;
use crate::ty::Ty;
use quipu_num::{FloatWidth, Width};

/// What is known of the values so far.
#[derive(Default)]
pub(super) struct Values {
    entries: Vec<Entry>,
    /// How many of them the text mentions by number.
    n_mentioned: usize,
    constants: FxHashMap<(Ty, ValueDef), Value>,
}

#[derive(Clone, Copy)]
enum Entry {
    /// The text has not come to it.
    Unseen,
    /// Used at a place, its type not yet told.
    Used(usize),
    /// Told.
    Known(ValueData),
}

impl Values {
    /// A table for a function that mentions values like this. As every number needs a mention, one beyond
    /// their count is an error; the table need not be longer, whatever numbers a text may contain.
    pub(super) fn new(mentions: Mentions) -> Self {
        let n_mentioned = mentions.end.min(mentions.count);
        Values { entries: vec![Entry::Unseen; n_mentioned], n_mentioned, constants: FxHashMap::default() }
    }

    /// Fills the body's table.
    pub(super) fn finish(&self, body: &mut FuncBody) -> Result<(), Missing> {
        for (n, entry) in self.entries.iter().enumerate() {
            let value = Value::new(n);
            match *entry {
                Entry::Known(ValueData { ty, def: ValueDef::Computed }) => body.fresh(ty),
                Entry::Known(ValueData { ty, def }) => body.constant(ty, def),
                Entry::Used(at) => return Err(Missing { value, at: Some(at) }),
                Entry::Unseen => return Err(Missing { value, at: None }),
            };
        }
        Ok(())
    }

    fn intern(&mut self, ty: Ty, def: ValueDef) -> Value {
        *self.constants.entry((ty, def)).or_insert_with(|| {
            self.entries.push(Entry::Known(ValueData { ty, def }));
            Value::new(self.entries.len() - 1)
        })
    }
}

/// A value whose type the text never tells.
pub(super) struct Missing {
    pub(super) value: Value,
    /// Where it is used first, if it is.
    pub(super) at: Option<usize>,
}

impl Parser<'_> {
    /// `%n`, in the range of the table.
    fn number_of_value(&mut self) -> Parsed<Value> {
        let Token::Value(number) = self.token else {
            return self.expected("a value");
        };
        match usize::try_from(number) {
            Ok(n) if n < self.values.n_mentioned => {
                self.bump();
                Ok(Value::new(n))
            }
            _ => self.fail("values are numbered without gaps: this number is too large"),
        }
    }

    /// `%n: type` where a value is defined. The verifier finds second definitions.
    pub(super) fn definition(&mut self) -> Parsed<Value> {
        let at = self.at;
        let value = self.number_of_value()?;
        self.punct(b':')?;
        let ty = self.ty()?;
        let entry = &mut self.values.entries[value.index()];
        match entry {
            Entry::Known(data) if data.ty != ty => {
                Err(Failure { at, message: format!("{value} has another type before") })
            }
            Entry::Known(_) => Ok(value),
            Entry::Unseen | Entry::Used(_) => {
                *entry = Entry::Known(ValueData { ty, def: ValueDef::Computed });
                Ok(value)
            }
        }
    }

    /// `%n = constant` in a `const` line.
    pub(super) fn constant_entry(&mut self) -> Parsed<()> {
        let at = self.at;
        let value = self.number_of_value()?;
        self.punct(b'=')?;
        let (ty, def) = self.constant()?;
        let entry = &mut self.values.entries[value.index()];
        let is_new = matches!(entry, Entry::Unseen) && !self.values.constants.contains_key(&(ty, def));
        if !is_new {
            return Err(Failure { at, message: "this value or constant is listed twice".to_owned() });
        }
        *entry = Entry::Known(ValueData { ty, def });
        self.values.constants.insert((ty, def), value);
        Ok(())
    }

    /// A value that is used: `%n` or a constant.
    pub(super) fn operand(&mut self) -> Parsed<Value> {
        if !matches!(self.token, Token::Value(_)) {
            let (ty, def) = self.constant()?;
            return Ok(self.values.intern(ty, def));
        }
        let at = self.at;
        let value = self.number_of_value()?;
        let entry = &mut self.values.entries[value.index()];
        if matches!(entry, Entry::Unseen) {
            *entry = Entry::Used(at);
        }
        Ok(value)
    }

    /// Whether an operand comes next.
    pub(super) fn at_operand(&self) -> bool {
        match self.token {
            Token::Value(_) | Token::Symbol(_) | Token::QuotedSymbol(_) => true,
            Token::Word(word) => matches!(word, "true" | "false") || read_ty(word).is_some(),
            _ => false,
        }
    }

    fn constant(&mut self) -> Parsed<(Ty, ValueDef)> {
        match self.token {
            Token::Symbol(_) | Token::QuotedSymbol(_) => Ok((Ty::Ptr, self.address()?)),
            Token::Word("true" | "false") => Ok((Ty::BOOL, ValueDef::Const(u64::from(self.bool()?)))),
            Token::Word(word) if read_ty(word).is_some() => {
                let ty = self.ty()?;
                let def = match self.token {
                    Token::Number(_) => ValueDef::Const(self.number_of(ty)?),
                    _ => self.address()?,
                };
                Ok((ty, def))
            }
            _ => self.expected("a value"),
        }
    }

    fn address(&mut self) -> Parsed<ValueDef> {
        match self.symbol()? {
            Symbol::Global(global) => Ok(ValueDef::Global(global, self.offset()?)),
            Symbol::Func(func) => Ok(ValueDef::Func(func)),
        }
    }

    /// The bits of a number of a type. Hexadecimal digits are the bits themselves, canonical or not.
    pub(super) fn number_of(&mut self, ty: Ty) -> Parsed<u64> {
        let Token::Number(digits) = self.token else {
            return self.expected("a number");
        };
        let bits = match digits.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => match ty {
                Ty::Int(width) => integer_bits(digits, width),
                Ty::Float(width) => float_bits(digits, width),
                Ty::Ptr => digits.parse().ok(),
            },
        };
        let Some(bits) = bits else {
            return self.fail(format!("this is no number of type {ty}"));
        };
        self.bump();
        Ok(bits)
    }
}

/// The bits of a decimal integer, taken as signed or as unsigned.
fn integer_bits(digits: &str, width: Width) -> Option<u64> {
    if digits.starts_with('-') {
        let value: i64 = digits.parse().ok()?;
        let bits = width.from_signed(value);
        (width.signed(bits) == value).then_some(bits)
    } else {
        let bits: u64 = digits.parse().ok()?;
        (width.wrap(bits) == bits).then_some(bits)
    }
}

/// The bits of a decimal number, rounded to nearest.
fn float_bits(digits: &str, width: FloatWidth) -> Option<u64> {
    match width {
        FloatWidth::F32 => {
            let value: f32 = digits.parse().ok()?;
            value.is_finite().then(|| u64::from(value.to_bits()))
        }
        FloatWidth::F64 => {
            let value: f64 = digits.parse().ok()?;
            value.is_finite().then(|| value.to_bits())
        }
    }
}
