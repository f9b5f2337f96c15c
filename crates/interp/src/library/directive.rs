//! The syntax that format strings of `printf` and `scanf` share.

use quipu_ir::{DataModel, Ty};

/// The length modifier of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    /// None: `int`, `double`.
    None,
    /// `hh`.
    Char,
    /// `h`.
    Short,
    /// `l`.
    Long,
    /// `ll`, `j`, `q`.
    LongLong,
    /// `z`, `t`: the size of a pointer.
    Size,
    /// `L`.
    LongDouble,
}

impl Length {
    /// The integer type of this length.
    pub fn integer(self, model: DataModel) -> Ty {
        match self {
            Length::None => Ty::I32,
            Length::Char => Ty::I8,
            Length::Short => Ty::I16,
            Length::Long | Length::Size => model.address_ty(),
            Length::LongLong | Length::LongDouble => Ty::I64,
        }
    }
}

/// A format string that is being read.
pub(super) struct Format<'f> {
    bytes: &'f [u8],
    at: usize,
}

impl<'f> Format<'f> {
    pub fn new(bytes: &'f [u8]) -> Format<'f> {
        Format { bytes, at: 0 }
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Skips a byte if it comes next.
    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// A decimal number, if one comes next.
    pub fn number(&mut self) -> Option<usize> {
        let mut value = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            value =
                Some(value.unwrap_or(0usize).saturating_mul(10).saturating_add(usize::from(digit - b'0')));
            self.at += 1;
        }
        value
    }

    pub fn length(&mut self) -> Length {
        match self.peek() {
            Some(b'h') => {
                self.at += 1;
                if self.eat(b'h') { Length::Char } else { Length::Short }
            }
            Some(b'l') => {
                self.at += 1;
                if self.eat(b'l') { Length::LongLong } else { Length::Long }
            }
            Some(b'j' | b'q') => {
                self.at += 1;
                Length::LongLong
            }
            Some(b'z' | b't') => {
                self.at += 1;
                Length::Size
            }
            Some(b'L') => {
                self.at += 1;
                Length::LongDouble
            }
            _ => Length::None,
        }
    }

    /// The set of a `%[`: for each byte whether it belongs.
    pub fn set(&mut self) -> [bool; 256] {
        let negated = self.eat(b'^');
        let mut set = [false; 256];
        let mut first = true;
        while let Some(byte) = self.next() {
            if byte == b']' && !first {
                break;
            }
            first = false;
            set[usize::from(byte)] = true;
            if self.peek() == Some(b'-') && self.bytes.get(self.at + 1).is_some_and(|&to| to != b']') {
                let to = self.bytes[self.at + 1];
                self.at += 2;
                (byte..=to).for_each(|byte| set[usize::from(byte)] = true);
            }
        }
        set.map(|belongs| belongs != negated)
    }
}
