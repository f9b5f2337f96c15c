//! The scanner behind `scanf` and `sscanf` (C17 7.21.6.2).
//!
//! `sscanf` reads its string. On a stream, a number is one typed input value, not a sequence of bytes: that
//! is what a test generator can choose well; white space and literal text between values is taken for read.

use quipu_ir::Ty;

use super::Call;
use super::convert::{signed_value, unsigned_value};
use super::ctype::is_space;
use super::directive::{Format, Length};
use super::number_text::{float, integer};
use super::stdin::{give_back, next_byte};
use super::string::byte_at;
use super::varargs::VarArgs;
use crate::input::{END_AHEAD, InputKind};
use crate::memory::value_width;
use crate::outcome::{Fallible, unsupported};

/// Where the scanned text comes from.
pub(super) trait Text {
    /// Skips white space.
    fn skip_space(&mut self, call: &mut Call<'_, '_>) -> Fallible<()>;
    /// Skips this byte; false if another one comes.
    fn literal(&mut self, call: &mut Call<'_, '_>, byte: u8) -> Fallible<bool>;
    /// Takes the next byte if it belongs to the set.
    fn take(&mut self, call: &mut Call<'_, '_>, belongs: &dyn Fn(u8) -> bool) -> Fallible<Taken>;
    /// Takes an integer; none if there is none. `unsigned` decides how large values are clamped.
    fn integer(&mut self, call: &mut Call<'_, '_>, number: Number) -> Fallible<Option<u64>>;
    /// Takes a float as the bits of its type.
    fn float(&mut self, call: &mut Call<'_, '_>, ty: Ty, width: u64) -> Fallible<Option<u64>>;
    /// Whether the text is at its end, as far as that is known without reading on.
    fn at_end(&mut self, call: &mut Call<'_, '_>) -> Fallible<bool>;
    /// What comes where a number is wanted.
    fn ahead(&mut self, call: &mut Call<'_, '_>) -> Fallible<Ahead>;
    /// The number of bytes read.
    fn position(&self) -> Option<u64>;
}

/// What came of an attempt to take a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    Byte(u8),
    Other,
    End,
}

/// What comes where a number is wanted, as far as that is known before it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ahead {
    /// Perhaps a number.
    Number,
    Other,
    End,
}

/// How an integer is written, and its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    base: u32,
    unsigned: bool,
    ty: Ty,
    width: u64,
}

/// Scans; the number of values stored, or EOF if the text ends before the first.
pub(super) fn scan(
    call: &mut Call<'_, '_>,
    format: &[u8],
    args: VarArgs,
    text: &mut dyn Text,
) -> Fallible<u64> {
    let mut scanner = Scanner { call, args, text, stored: 0 };
    let mut input = Format::new(format);
    let mut converted = false;
    while let Some(byte) = input.next() {
        let step = if is_space(byte) {
            scanner.text.skip_space(scanner.call)?;
            Step::Done
        } else if byte == b'%' && !input.eat(b'%') {
            scanner.conversion(&mut input)?
        } else {
            scanner.literal(byte)?
        };
        match step {
            Step::Done => converted |= byte == b'%',
            Step::Mismatch => return Ok(scanner.stored),
            Step::End if scanner.stored == 0 && !converted => return Ok(u64::MAX),
            Step::End => return Ok(scanner.stored),
        }
    }
    Ok(scanner.stored)
}

struct Scanner<'s, 'c, 'w> {
    call: &'s mut Call<'c, 'w>,
    args: VarArgs,
    text: &'s mut dyn Text,
    stored: u64,
}

enum Step {
    Done,
    Mismatch,
    End,
}

/// A conversion specification.
#[derive(Clone, Copy)]
struct Spec {
    suppressed: bool,
    width: Option<u64>,
    length: Length,
}

impl Scanner<'_, '_, '_> {
    fn literal(&mut self, byte: u8) -> Fallible<Step> {
        if byte == b'%' {
            self.text.skip_space(self.call)?;
        }
        if self.text.literal(self.call, byte)? {
            return Ok(Step::Done);
        }
        Ok(if self.text.at_end(self.call)? { Step::End } else { Step::Mismatch })
    }

    fn conversion(&mut self, input: &mut Format<'_>) -> Fallible<Step> {
        let suppressed = input.eat(b'*');
        let width = input.number().map(|width| width as u64);
        let spec = Spec { suppressed, width, length: input.length() };
        match input.next().unwrap_or(0) {
            b'd' => self.integer(spec, 10, false),
            b'i' => self.integer(spec, 0, false),
            b'u' => self.integer(spec, 10, true),
            b'o' => self.integer(spec, 8, true),
            b'x' | b'X' => self.integer(spec, 16, true),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => self.float(spec),
            b's' if spec.length == Length::None => {
                self.text.skip_space(self.call)?;
                self.string(spec, &|byte| !is_space(byte))
            }
            b'[' if spec.length == Length::None => {
                let set = input.set();
                self.string(spec, &move |byte| set[usize::from(byte)])
            }
            b'c' if spec.length == Length::None => self.characters(spec),
            b'n' => self.count(spec),
            other => {
                unsupported(format!("the conversion `%{}` in `scanf`", char::from(other).escape_default()))
            }
        }
    }

    fn integer(&mut self, spec: Spec, base: u32, unsigned: bool) -> Fallible<Step> {
        self.text.skip_space(self.call)?;
        if let Some(step) = self.without_number()? {
            return Ok(step);
        }
        let ty = spec.length.integer(self.call.module.data_model);
        let number = Number { base, unsigned, ty, width: spec.width.unwrap_or(u64::MAX) };
        match self.text.integer(self.call, number)? {
            Some(value) => self.store(spec, ty, value),
            None => Ok(Step::Mismatch),
        }
    }

    fn float(&mut self, spec: Spec) -> Fallible<Step> {
        self.text.skip_space(self.call)?;
        if let Some(step) = self.without_number()? {
            return Ok(step);
        }
        let ty = if spec.length == Length::None { Ty::F32 } else { Ty::F64 };
        match self.text.float(self.call, ty, spec.width.unwrap_or(u64::MAX))? {
            Some(value) => self.store(spec, ty, value),
            None => Ok(Step::Mismatch),
        }
    }

    /// How it goes on if no number comes.
    fn without_number(&mut self) -> Fallible<Option<Step>> {
        Ok(match self.text.ahead(self.call)? {
            Ahead::Number => None,
            Ahead::Other => Some(Step::Mismatch),
            Ahead::End => Some(Step::End),
        })
    }

    fn store(&mut self, spec: Spec, ty: Ty, value: u64) -> Fallible<Step> {
        if !spec.suppressed {
            let place = self.args.take(self.call.world.memory, Ty::Ptr)?;
            let align = self.call.module.data_model.size_of(ty);
            self.call.memory().store(place, ty, value, align)?;
            self.stored += 1;
        }
        Ok(Step::Done)
    }

    /// A non-empty run of bytes of a set, with a terminating zero. It is stored byte by byte, so that a
    /// buffer that is too small is noticed before an endless input is read.
    fn string(&mut self, spec: Spec, belongs: &dyn Fn(u8) -> bool) -> Fallible<Step> {
        let place = self.destination(spec)?;
        let mut length = 0;
        while length < spec.width.unwrap_or(u64::MAX) {
            match self.text.take(self.call, belongs)? {
                Taken::Byte(byte) => self.put(place, length, byte)?,
                Taken::Other if length == 0 => return Ok(Step::Mismatch),
                Taken::End if length == 0 => return Ok(Step::End),
                Taken::Other | Taken::End => break,
            }
            length += 1;
        }
        self.put(place, length, 0)?;
        self.stored += u64::from(place.is_some());
        Ok(Step::Done)
    }

    fn characters(&mut self, spec: Spec) -> Fallible<Step> {
        let place = self.destination(spec)?;
        for n in 0..spec.width.unwrap_or(1) {
            match self.text.take(self.call, &|_| true)? {
                Taken::Byte(byte) => self.put(place, n, byte)?,
                Taken::Other | Taken::End => return Ok(Step::End),
            }
        }
        self.stored += u64::from(place.is_some());
        Ok(Step::Done)
    }

    fn destination(&mut self, spec: Spec) -> Fallible<Option<u64>> {
        if spec.suppressed {
            return Ok(None);
        }
        self.args.take(self.call.world.memory, Ty::Ptr).map(Some)
    }

    fn put(&mut self, place: Option<u64>, n: u64, byte: u8) -> Fallible<()> {
        match place {
            Some(place) => self.call.memory().write_bytes(place + n, &[byte]),
            None => Ok(()),
        }
    }

    fn count(&mut self, spec: Spec) -> Fallible<Step> {
        let Some(position) = self.text.position() else {
            return unsupported("`%n` when scanning a stream");
        };
        let ty = spec.length.integer(self.call.module.data_model);
        self.store(spec, ty, position)?;
        self.stored -= u64::from(!spec.suppressed);
        Ok(Step::Done)
    }
}

/// A string in memory.
pub(super) struct MemoryText {
    start: u64,
    at: u64,
}

impl MemoryText {
    pub fn at(start: u64) -> MemoryText {
        MemoryText { start, at: start }
    }
}

impl Text for MemoryText {
    fn skip_space(&mut self, call: &mut Call<'_, '_>) -> Fallible<()> {
        while is_space(byte_at(call.memory(), self.at)?) {
            self.at += 1;
        }
        Ok(())
    }

    fn literal(&mut self, call: &mut Call<'_, '_>, byte: u8) -> Fallible<bool> {
        let found = byte_at(call.memory(), self.at)? == byte;
        self.at += u64::from(found);
        Ok(found)
    }

    fn take(&mut self, call: &mut Call<'_, '_>, belongs: &dyn Fn(u8) -> bool) -> Fallible<Taken> {
        Ok(match byte_at(call.memory(), self.at)? {
            0 => Taken::End,
            byte if belongs(byte) => {
                self.at += 1;
                Taken::Byte(byte)
            }
            _ => Taken::Other,
        })
    }

    fn integer(&mut self, call: &mut Call<'_, '_>, number: Number) -> Fallible<Option<u64>> {
        let (at, memory) = (self.at, &*call.world.memory);
        let found = integer(&mut |n| byte_at(memory, at + n), number.base, number.width)?;
        if found.length == 0 {
            return Ok(None);
        }
        self.at += found.length;
        // glibc converts with `strtol` or `strtoul` and then stores the low bits.
        let model = memory.data_model();
        let width = value_width(model, number.ty).max(value_width(model, model.address_ty()));
        let value = if number.unsigned { unsigned_value(found, width) } else { signed_value(found, width) };
        Ok(Some(value.0))
    }

    fn float(&mut self, call: &mut Call<'_, '_>, ty: Ty, width: u64) -> Fallible<Option<u64>> {
        let (at, memory) = (self.at, &*call.world.memory);
        let found = float(&mut |n| byte_at(memory, at + n), width)?;
        if found.length == 0 {
            return Ok(None);
        }
        self.at += found.length;
        let single = u64::from(found.single.to_bits());
        Ok(Some(if ty == Ty::F32 { single } else { found.double.to_bits() }))
    }

    fn at_end(&mut self, call: &mut Call<'_, '_>) -> Fallible<bool> {
        Ok(byte_at(call.memory(), self.at)? == 0)
    }

    fn ahead(&mut self, call: &mut Call<'_, '_>) -> Fallible<Ahead> {
        Ok(if self.at_end(call)? { Ahead::End } else { Ahead::Number })
    }

    fn position(&self) -> Option<u64> {
        Some(self.at - self.start)
    }
}

/// The input of the program.
pub(super) struct StreamText;

impl Text for StreamText {
    /// Only bytes that the program gave back can be white space here.
    fn skip_space(&mut self, call: &mut Call<'_, '_>) -> Fallible<()> {
        let pushed_back = &mut call.world.library.pushed_back;
        while pushed_back.last().is_some_and(|&byte| is_space(byte)) {
            pushed_back.pop();
        }
        Ok(())
    }

    fn literal(&mut self, _call: &mut Call<'_, '_>, _byte: u8) -> Fallible<bool> {
        Ok(true)
    }

    /// A zero byte ends the input too: no text contains it.
    fn take(&mut self, call: &mut Call<'_, '_>, belongs: &dyn Fn(u8) -> bool) -> Fallible<Taken> {
        Ok(match next_byte(call)? {
            None | Some(0) => Taken::End,
            Some(byte) if belongs(byte) => Taken::Byte(byte),
            Some(byte) => {
                give_back(call, byte);
                Taken::Other
            }
        })
    }

    fn integer(&mut self, call: &mut Call<'_, '_>, number: Number) -> Fallible<Option<u64>> {
        call.input(number.ty, InputKind::Scanned).map(Some)
    }

    fn float(&mut self, call: &mut Call<'_, '_>, ty: Ty, _width: u64) -> Fallible<Option<u64>> {
        call.input(ty, InputKind::Scanned).map(Some)
    }

    fn at_end(&mut self, call: &mut Call<'_, '_>) -> Fallible<bool> {
        Ok(call.world.library.at_end)
    }

    /// Once it has ended, the input stays so for numbers.
    fn ahead(&mut self, call: &mut Call<'_, '_>) -> Fallible<Ahead> {
        if call.world.library.at_end {
            return Ok(Ahead::End);
        }
        let ahead = call.input(Ty::I8, InputKind::End)?;
        call.world.library.at_end = ahead == END_AHEAD;
        Ok(match ahead {
            0 => Ahead::Number,
            END_AHEAD => Ahead::End,
            _ => Ahead::Other,
        })
    }

    fn position(&self) -> Option<u64> {
        None
    }
}
