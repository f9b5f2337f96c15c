//! Output: what is printed matters to nobody, but what is read for it must exist, and its length is the result.

use std::rc::Rc;

use quipu_interp::resolve;
use quipu_ir::{Event, SourceType, Ty};
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp, Width};

use super::format::{Amount, Conversion, Kind, Part, parts};
use super::view::{MOST_WRITES, Reach, Text};
use super::{Call, Called};
use crate::encoder::{Engine, Here};
use crate::memory::ObjectKind;
use crate::pointer::{Base, Pointer};
use crate::symbol::Symbol;

/// The text that a format and its arguments make.
struct Formatted {
    /// One text for each part. None if nobody knows all of them.
    texts: Option<Vec<Text>>,
    /// None if nobody knows it.
    length: Option<Term>,
}

/// The arguments that were not taken yet.
struct Arguments<'p> {
    here: Here,
    start: &'p Pointer,
    taken: u64,
}

impl Engine<'_> {
    /// `puts` returns the length with the end of the line, `fputs` 1, as glibc does.
    pub(super) fn put_string(&mut self, call: &Call<'_>, with_length: bool) -> Called {
        let text = self.string_argument(call, 0, None)?;
        let one = self.terms.constant(self.address, 1);
        let result = if with_length { self.terms.add(text.length, one) } else { one };
        self.number(call, result)
    }

    /// `putchar` and its relatives return the byte.
    pub(super) fn put_character(&mut self, call: &Call<'_>) -> Called {
        let byte = self.byte_argument(call, 0);
        let byte = self.terms.resize(byte, Width::W32, false);
        self.number(call, byte)
    }

    /// `fwrite`: the bytes must exist.
    pub(super) fn put_blocks(&mut self, call: &Call<'_>) -> Called {
        let (size, count) = (self.size_argument(call, 1), self.size_argument(call, 2));
        let total = self.total_size(size, count);
        let view = self.view(call.here, call.pointer(0))?;
        let always = self.terms.truth(true);
        self.check_range(call.here, &view, total, always, false);
        let zero = self.terms.constant(self.address, 0);
        let nothing = self.terms.is(size, 0);
        let result = self.terms.select(nothing, zero, count);
        self.number(call, result)
    }

    /// `write`.
    pub(super) fn put_block(&mut self, call: &Call<'_>) -> Called {
        let size = self.size_argument(call, 2);
        let view = self.view(call.here, call.pointer(1))?;
        let always = self.terms.truth(true);
        self.check_range(call.here, &view, size, always, false);
        self.number(call, size)
    }

    /// `printf` and its relatives, with the format at argument `n`.
    pub(super) fn print(&mut self, call: &Call<'_>, n: usize) -> Called {
        let Some(formatted) = self.formatted(call, n)? else {
            self.leave_unchecked(call.here, "what an output function does with its arguments");
            return self.made_up_length(call);
        };
        match formatted.length {
            Some(length) => self.number(call, length),
            None => self.made_up_length(call),
        }
    }

    fn made_up_length(&mut self, call: &Call<'_>) -> Called {
        let Some(ty) = call.ret else { return Some(None) };
        if !call.used {
            return Some(Some(Symbol::nothing(&mut self.terms, ty, self.address)));
        }
        Some(Some(self.made_up(call.here, "the result of an output function", ty)))
    }

    /// `sprintf`; `snprintf` with the size at argument 1.
    pub(super) fn print_to_buffer(&mut self, call: &Call<'_>, n: usize, bounded: bool) -> Called {
        let formatted = self.formatted(call, n)?;
        let known = formatted.and_then(|found| Some((found.texts?, found.length?)));
        let Some((texts, length)) = known else {
            self.unsupported(call.here, format!("`{}` with this format", call.name));
            return None;
        };
        let bytes = self.concatenated(call.here, &texts)?;
        let size = bounded.then(|| self.size_argument(call, 1));
        self.write_text(call, &bytes, length, size)?;
        self.number(call, length)
    }

    /// Writes a text and its terminating zero, cut off where the buffer ends.
    fn write_text(
        &mut self,
        call: &Call<'_>,
        bytes: &[Term],
        length: Term,
        size: Option<Term>,
    ) -> Option<()> {
        let one = self.terms.constant(self.address, 1);
        let whole = self.terms.add(length, one);
        let written = match size {
            None => whole,
            Some(size) => {
                let shorter = self.terms.compare(IntCmp::Ult, whole, size);
                self.terms.select(shorter, whole, size)
            }
        };
        let view = self.view(call.here, call.pointer(0))?;
        let always = self.terms.truth(true);
        self.check_range(call.here, &view, written, always, true);
        let zero = self.zero_byte();
        let mut items = Vec::new();
        for k in 0..=bytes.len() as u64 {
            let there = self.is_below(k, written);
            let behind = self.is_below(k + 1, written);
            let value = bytes.get(k as usize).copied().unwrap_or(zero);
            items.push((k, self.terms.select(behind, value, zero), there));
        }
        self.write_bytes(call.here, &view, &items)
    }

    /// One row of bytes for texts whose lengths may depend on inputs.
    fn concatenated(&mut self, here: Here, texts: &[Text]) -> Option<Vec<Term>> {
        let zero = self.zero_byte();
        let mut row: Vec<Term> = Vec::new();
        let mut position = self.terms.constant(self.address, 0);
        let (mut least, mut effort) = (0, 0);
        for text in texts {
            let most = row.len();
            effort += (most + 1 - least) as u64 * text.bytes.len() as u64;
            if effort > MOST_WRITES {
                self.unsupported(here, "a formatted text of very many possible lengths");
                return None;
            }
            row.resize(most + text.bytes.len(), zero);
            for start in least..=most {
                let here = self.terms.is(position, start as u64);
                for (j, &(value, inside)) in text.bytes.iter().enumerate() {
                    let when = self.terms.both(here, inside);
                    row[start + j] = self.terms.select(when, value, row[start + j]);
                }
            }
            position = self.terms.add(position, text.length);
            least += text.bytes.iter().take_while(|(_, inside)| self.terms.is_true(*inside)).count();
        }
        Some(row)
    }

    /// What a format makes of its arguments; none inside if the format has no model.
    fn formatted(&mut self, call: &Call<'_>, n: usize) -> Option<Option<Formatted>> {
        let [Symbol::Pointer(format), Symbol::Pointer(arguments)] = &call.args[n..] else {
            return Some(None);
        };
        let list = call.name.trim_start_matches('_').starts_with('v');
        if !list && !call.function.variadic {
            return Some(None);
        }
        let arguments = if list { self.listed(call, n + 1) } else { arguments.clone() };
        let text = self.text(format);
        let Some(parts) = text.and_then(|text| parts(&text, self.module.data_model)) else {
            return Some(None);
        };
        let mut arguments = Arguments { here: call.here, start: &arguments, taken: 0 };
        let mut texts = Some(Vec::new());
        let mut length = Some(self.terms.constant(self.address, 0));
        for part in parts {
            let (text, part_length) = match part {
                Part::Literal(byte) => {
                    let text = self.one_byte(byte);
                    let length = text.length;
                    (Some(text), Some(length))
                }
                Part::Conversion(conversion) => self.converted(&mut arguments, &conversion)?,
            };
            length = length.zip(part_length).map(|(a, b)| self.terms.add(a, b));
            texts = texts.zip(text).map(|(mut texts, text)| {
                texts.push(text);
                texts
            });
        }
        Some(Some(Formatted { texts, length }))
    }

    /// Where the arguments of a `va_list` are. Where that is an array type, a function gets the address of the object
    /// that starts with the address of the next argument; else it gets the content.
    fn listed(&mut self, call: &Call<'_>, n: usize) -> Rc<Pointer> {
        let types = &self.module.types;
        let source = call.function.params.get(n).and_then(|param| param.source);
        let to_record = source.is_some_and(|ty| match types[resolve(self.module, ty)] {
            SourceType::Pointer { to } => {
                matches!(types[resolve(self.module, to)], SourceType::Record { .. })
            }
            _ => false,
        });
        match to_record {
            true => self.load_pointer(call.here, call.pointer(n)).pointer().clone(),
            false => call.pointer(n).clone(),
        }
    }

    fn one_byte(&mut self, byte: u8) -> Text {
        let (value, always) = (self.terms.constant(Width::W8, u64::from(byte)), self.terms.truth(true));
        Text { bytes: vec![(value, always)], length: self.terms.constant(self.address, 1) }
    }

    /// The text of a conversion and its length, as far as they are known.
    fn converted(
        &mut self,
        arguments: &mut Arguments<'_>,
        conversion: &Conversion,
    ) -> Option<(Option<Text>, Option<Term>)> {
        // A width that is an argument stands before the precision.
        self.amount(arguments, conversion.width);
        let precision = self.amount(arguments, conversion.precision);
        let text = self.conversion_text(arguments, conversion, precision)?;
        let length = text.as_ref().map(|text| text.length);
        match conversion.width {
            Amount::None => Some((text, length)),
            // A field is at least as wide as its width says.
            Amount::Number(width) => {
                let width = self.terms.constant(self.address, width);
                let length = length.map(|length| {
                    let wider = self.terms.compare(IntCmp::Ult, length, width);
                    self.terms.select(wider, width, length)
                });
                Some((None, length))
            }
            Amount::Argument => Some((None, None)),
        }
    }

    /// The text of a conversion, without regard to its width; none inside if nobody knows it.
    fn conversion_text(
        &mut self,
        arguments: &mut Arguments<'_>,
        conversion: &Conversion,
        precision: Option<Term>,
    ) -> Option<Option<Text>> {
        Some(match conversion.kind {
            Kind::String => {
                let limit = precision.map(|precision| self.as_limit(precision));
                let pointer = self.take(arguments, Ty::Ptr).pointer().clone();
                let open = self.terms.truth(true);
                Some(self.string_at(arguments.here, &pointer, Reach { open, limit })?)
            }
            Kind::Character => {
                let value = self.take(arguments, Ty::I32).int();
                let (byte, always) = (self.low_byte(value), self.terms.truth(true));
                Some(Text { bytes: vec![(byte, always)], length: self.terms.constant(self.address, 1) })
            }
            Kind::Number { passed, ty, .. } => {
                let value = self.take(arguments, passed).int();
                let value = self.terms.resize(value, ty.width().expect("an integer is converted"), false);
                let plain = precision.is_none() && !conversion.flags;
                plain.then(|| self.number_text(value, conversion.kind))
            }
            Kind::Other(ty) => {
                self.take(arguments, ty);
                None
            }
        })
    }

    /// A width or precision, as an `int`.
    fn amount(&mut self, arguments: &mut Arguments<'_>, amount: Amount) -> Option<Term> {
        match amount {
            Amount::None => None,
            Amount::Number(number) => Some(self.terms.constant(Width::W32, number)),
            Amount::Argument => Some(self.take(arguments, Ty::I32).int()),
        }
    }

    /// A precision as a limit: a negative one counts as none.
    fn as_limit(&mut self, precision: Term) -> Term {
        let zero = self.terms.constant(Width::W32, 0);
        let negative = self.terms.compare(IntCmp::Slt, precision, zero);
        let none = self.terms.constant(self.address, self.address.mask());
        let limit = self.terms.resize(precision, self.address, false);
        self.terms.select(negative, none, limit)
    }

    fn take(&mut self, arguments: &mut Arguments<'_>, ty: Ty) -> Symbol {
        let skipped = self.terms.constant(self.address, 8 * arguments.taken);
        arguments.taken += 1;
        let place = arguments.start.moved(&mut self.terms, skipped);
        let align = self.module.data_model.size_of(ty) as u32;
        self.load(arguments.here, &place, ty, self.stored_bits(ty), 0, align)
    }

    /// A number in digits.
    fn number_text(&mut self, value: Term, kind: Kind) -> Text {
        let Kind::Number { signed, base, upper, .. } = kind else {
            unreachable!("only numbers come here");
        };
        let width = self.terms.width(value);
        let zero = self.terms.constant(width, 0);
        let negative = match signed {
            true => self.terms.compare(IntCmp::Slt, value, zero),
            false => self.terms.truth(false),
        };
        let negated = self.terms.op(IntOp::Sub, zero, value);
        let magnitude = self.terms.select(negative, negated, value);
        let (digits, n_digits) = self.digits_of(magnitude, base, upper);
        let sign = self.terms.resize(negative, self.address, false);
        let length = self.terms.add(n_digits, sign);
        let minus = self.terms.constant(Width::W8, u64::from(b'-'));
        let most = digits.len() + usize::from(!self.terms.is_false(negative));
        let mut bytes = Vec::new();
        for j in 0..most as u64 {
            let behind = self.terms.constant(self.address, j + 1);
            let index = self.terms.op(IntOp::Sub, length, behind);
            let digit = match self.terms.known(index) {
                Some(n) => digits[(n as usize).min(digits.len() - 1)],
                None => self.terms.element(index, &digits),
            };
            let value = if j == 0 { self.terms.select(negative, minus, digit) } else { digit };
            bytes.push((value, self.is_below(j, length)));
        }
        Text { bytes, length }
    }

    /// The digits of a number as characters, the last one first, and how many count.
    fn digits_of(&mut self, magnitude: Term, base: u64, upper: bool) -> (Vec<Term>, Term) {
        let width = self.terms.width(magnitude);
        let divisor = self.terms.constant(width, base);
        let letters = u64::from(if upper { b'A' } else { b'a' });
        let mut digits = Vec::new();
        let mut count = self.terms.constant(self.address, 1);
        let mut power = 1u128;
        while power <= u128::from(width.mask()) {
            let unit = self.terms.constant(width, power as u64);
            let rest = self.terms.op(IntOp::UDiv, magnitude, unit);
            let digit = self.terms.op(IntOp::URem, rest, divisor);
            let digit = self.low_byte(digit);
            let ten = self.terms.constant(Width::W8, 10);
            let decimal = self.terms.compare(IntCmp::Ult, digit, ten);
            let zero = self.terms.constant(Width::W8, u64::from(b'0'));
            let letter = self.terms.constant(Width::W8, letters - 10);
            let first = if base > 10 { self.terms.select(decimal, zero, letter) } else { zero };
            digits.push(self.terms.add(digit, first));
            if power > 1 {
                let reached = self.terms.compare(IntCmp::Ule, unit, magnitude);
                let one = self.terms.resize(reached, self.address, false);
                count = self.terms.add(count, one);
            }
            power *= u128::from(base);
        }
        (digits, count)
    }

    /// Demands that a stream or another pointer is not null.
    /// A clean run uses nothing as a stream but what the library has opened.
    pub(super) fn check_stream(&mut self, here: Here, pointer: &Pointer) {
        for case in &pointer.cases {
            let is_stream = match case.base {
                Base::Object(object) => self.objects[object].kind == ObjectKind::Stream,
                // Null was dealt with.
                Base::Null => true,
                Base::Unknown => {
                    self.leave_unchecked(here, "an unknown pointer as a stream");
                    continue;
                }
                Base::Function(_) => false,
            };
            let elsewhere = self.terms.not(case.when);
            let at_start = self.terms.is(case.offset, 0);
            let fine = if is_stream { self.terms.any(&[elsewhere, at_start]) } else { elsewhere };
            self.check(here, fine, Event::InvalidPointer);
        }
    }

    pub(super) fn check_not_null(&mut self, here: Here, pointer: &Pointer) {
        let null = self.null_pointer(pointer);
        let fine = self.terms.not(null);
        self.check(here, fine, Event::NullAccess);
    }
}
