//! The formatter behind `printf` and its relatives.

use quipu_ir::Ty;
use quipu_num::Width;

use super::directive::{Format, Length};
use super::format_float::{self, Style};
use super::varargs::VarArgs;
use crate::memory::{Memory, value_width};
use crate::outcome::{Fallible, unsupported};

/// The text that a format and its arguments produce (C17 7.21.6.1), in the "C" locale.
pub(super) fn format(memory: &mut Memory, format: &[u8], args: &mut VarArgs) -> Fallible<Vec<u8>> {
    let mut text = Vec::new();
    let mut input = Format::new(format);
    while let Some(byte) = input.next() {
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        let spec = Spec::read(&mut input, memory, args)?;
        spec.convert(memory, args, &mut text)?;
    }
    Ok(text)
}

/// Wider fields than this serve no program.
const WIDEST: usize = 60_000;

/// A conversion specification.
#[derive(Clone, Copy, Debug)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
    conversion: u8,
}

impl Spec {
    fn read(input: &mut Format<'_>, memory: &Memory, args: &mut VarArgs) -> Fallible<Spec> {
        let mut spec = Spec {
            left: false,
            plus: false,
            space: false,
            alternative: false,
            zero: false,
            width: 0,
            precision: None,
            length: Length::None,
            conversion: 0,
        };
        while spec.flag(input.peek()) {
            input.next();
        }
        spec.read_width(input, memory, args)?;
        if input.eat(b'.') {
            spec.read_precision(input, memory, args)?;
        }
        if spec.width > WIDEST || spec.precision.is_some_and(|precision| precision > WIDEST) {
            return unsupported("a very wide field in a format");
        }
        spec.length = input.length();
        spec.conversion = input.next().unwrap_or(0);
        Ok(spec)
    }

    fn flag(&mut self, byte: Option<u8>) -> bool {
        match byte {
            Some(b'-') => self.left = true,
            Some(b'+') => self.plus = true,
            Some(b' ') => self.space = true,
            Some(b'#') => self.alternative = true,
            Some(b'0') => self.zero = true,
            _ => return false,
        }
        true
    }

    /// A negative width from an argument is a left flag and a width.
    fn read_width(&mut self, input: &mut Format<'_>, memory: &Memory, args: &mut VarArgs) -> Fallible<()> {
        if input.eat(b'*') {
            let width = Width::W32.signed(args.take(memory, Ty::I32)?);
            self.left |= width < 0;
            self.width = width.unsigned_abs() as usize;
        } else {
            self.width = input.number().unwrap_or(0);
        }
        Ok(())
    }

    /// A negative precision from an argument counts as none.
    fn read_precision(
        &mut self,
        input: &mut Format<'_>,
        memory: &Memory,
        args: &mut VarArgs,
    ) -> Fallible<()> {
        if input.eat(b'*') {
            let precision = Width::W32.signed(args.take(memory, Ty::I32)?);
            self.precision = usize::try_from(precision).ok();
        } else {
            self.precision = Some(input.number().unwrap_or(0));
        }
        Ok(())
    }

    fn convert(&self, memory: &mut Memory, args: &mut VarArgs, text: &mut Vec<u8>) -> Fallible<()> {
        match self.conversion {
            b'd' | b'i' => self.signed(memory, args, text),
            b'u' | b'x' | b'X' | b'o' => self.unsigned(memory, args, text),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => self.float(memory, args, text),
            b'c' if self.length == Length::None => {
                let byte = args.take(memory, Ty::I32)? as u8;
                self.pad("", &[byte], false, text);
                Ok(())
            }
            b's' if self.length == Length::None => self.string(memory, args, text),
            b'p' => self.pointer(memory, args, text),
            b'n' => self.count(memory, args, text.len()),
            b'%' => {
                text.push(b'%');
                Ok(())
            }
            other => {
                unsupported(format!("the conversion `%{}` in a format", char::from(other).escape_default()))
            }
        }
    }

    fn signed(&self, memory: &Memory, args: &mut VarArgs, text: &mut Vec<u8>) -> Fallible<()> {
        let value = self.integer_width(memory).signed(self.integer(memory, args)?);
        let sign = self.sign(value < 0);
        let digits = self.at_least(value.unsigned_abs().to_string());
        self.pad(sign, digits.as_bytes(), self.precision.is_none(), text);
        Ok(())
    }

    fn unsigned(&self, memory: &Memory, args: &mut VarArgs, text: &mut Vec<u8>) -> Fallible<()> {
        let value = self.integer(memory, args)?;
        let spelled = match self.conversion {
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            b'o' => format!("{value:o}"),
            _ => value.to_string(),
        };
        let mut digits = self.at_least(spelled);
        let prefix = match self.conversion {
            b'x' if self.alternative && value != 0 => "0x",
            b'X' if self.alternative && value != 0 => "0X",
            _ => "",
        };
        if self.conversion == b'o' && self.alternative && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        self.pad(prefix, digits.as_bytes(), self.precision.is_none(), text);
        Ok(())
    }

    /// Digits with leading zeros up to the precision; none at all for a zero with precision zero.
    fn at_least(&self, digits: String) -> String {
        match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(precision) => format!("{digits:0>precision$}"),
            None => digits,
        }
    }

    fn float(&self, memory: &Memory, args: &mut VarArgs, text: &mut Vec<u8>) -> Fallible<()> {
        let value = f64::from_bits(args.take(memory, Ty::F64)?);
        let style = Style {
            conversion: self.conversion.to_ascii_lowercase(),
            precision: self.precision,
            alternative: self.alternative,
        };
        let mut sign = self.sign(value.is_sign_negative()).to_string();
        let mut spelled = format_float::magnitude(value.abs(), style);
        if style.conversion == b'a' && value.is_finite() {
            // The zeros of a zero flag come behind the prefix.
            sign.push_str("0x");
            spelled = spelled.trim_start_matches("0x").to_string();
        }
        if self.conversion.is_ascii_uppercase() {
            sign = sign.to_uppercase();
            spelled = spelled.to_uppercase();
        }
        self.pad(&sign, spelled.as_bytes(), value.is_finite(), text);
        Ok(())
    }

    fn string(&self, memory: &Memory, args: &mut VarArgs, text: &mut Vec<u8>) -> Fallible<()> {
        let addr = args.take(memory, Ty::Ptr)?;
        let limit = self.precision.map_or(u64::MAX, |precision| precision as u64);
        let string = memory.read_string_up_to(addr, limit)?;
        self.pad("", &string, false, text);
        Ok(())
    }

    fn pointer(&self, memory: &Memory, args: &mut VarArgs, text: &mut Vec<u8>) -> Fallible<()> {
        let addr = args.take(memory, Ty::Ptr)?;
        let spelled = if addr == 0 { "(nil)".to_string() } else { format!("{addr:#x}") };
        self.pad("", spelled.as_bytes(), false, text);
        Ok(())
    }

    fn count(&self, memory: &mut Memory, args: &mut VarArgs, length: usize) -> Fallible<()> {
        let place = args.take(memory, Ty::Ptr)?;
        let ty = self.length.integer(memory.data_model());
        let align = memory.data_model().size_of(ty);
        memory.store(place, ty, length as u64, align)
    }

    fn integer_width(&self, memory: &Memory) -> Width {
        value_width(memory.data_model(), self.length.integer(memory.data_model()))
    }

    /// An integer argument, converted to the type that the length names (narrow ones were promoted).
    fn integer(&self, memory: &Memory, args: &mut VarArgs) -> Fallible<u64> {
        let ty = match self.length {
            Length::Char | Length::Short => Ty::I32,
            length => length.integer(memory.data_model()),
        };
        Ok(self.integer_width(memory).wrap(args.take(memory, ty)?))
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    /// Appends prefix and body, filled to the width with spaces or, where zeros may be used, with zeros
    /// behind the prefix.
    fn pad(&self, prefix: &str, body: &[u8], zeros: bool, text: &mut Vec<u8>) {
        let fill = self.width.saturating_sub(prefix.len() + body.len());
        let zeros = zeros && self.zero && !self.left;
        if !self.left && !zeros {
            text.resize(text.len() + fill, b' ');
        }
        text.extend_from_slice(prefix.as_bytes());
        if zeros {
            text.resize(text.len() + fill, b'0');
        }
        text.extend_from_slice(body);
        if self.left {
            text.resize(text.len() + fill, b' ');
        }
    }
}
