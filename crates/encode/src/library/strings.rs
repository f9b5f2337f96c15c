//! Strings that are measured and copied.

use std::rc::Rc;

use quipu_ir::Event;
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp};

use super::view::{Reach, Text, View, objects_only};
use super::{Call, Called};
use crate::encoder::{Engine, Here};
use crate::pointer::{self, Base, Pointer};
use crate::symbol::Symbol;

/// Some bytes of memory.
#[derive(Clone, Copy)]
pub(crate) struct Extent<'p> {
    pub start: &'p Pointer,
    pub length: Term,
}

impl Engine<'_> {
    /// `strlen`, `strnlen`.
    pub(super) fn string_length(&mut self, call: &Call<'_>, limit: Option<Term>) -> Called {
        let text = self.string_argument(call, 0, limit)?;
        self.number(call, text.length)
    }

    /// `strcpy`, and `stpcpy`, which returns the end.
    pub(super) fn copy_string(&mut self, call: &Call<'_>, to_end: bool) -> Called {
        let text = self.string_argument(call, 1, None)?;
        let dst = call.pointer(0).clone();
        self.write_string(call.here, &dst, call.pointer(1), &text, None)?;
        match to_end {
            true => Some(Some(self.moved(&dst, text.length))),
            false => Some(Some(Symbol::Pointer(dst))),
        }
    }

    /// `strncpy`: the string, or its first bytes, and zeros up to the size.
    pub(super) fn copy_string_up_to(&mut self, call: &Call<'_>) -> Called {
        let size = self.size_argument(call, 2);
        let (dst, src) = (call.pointer(0), call.pointer(1));
        let text = self.string_argument(call, 1, Some(size))?;
        let read = self.bytes_read(text.length, Some(size));
        self.check_apart(call.here, Extent { start: dst, length: size }, Extent { start: src, length: read });
        let view = self.view(call.here, dst)?;
        let always = self.terms.truth(true);
        self.check_range(call.here, &view, size, always, true);
        let zero = self.zero_byte();
        let mut bytes = Vec::new();
        for k in 0..self.most(&view, size) {
            let within = self.is_below(k, size);
            let value = match text.bytes.get(k as usize) {
                Some(&(value, inside)) => self.terms.select(inside, value, zero),
                None => zero,
            };
            bytes.push((k, value, within));
        }
        self.write_bytes(call.here, &view, &bytes)?;
        Some(Some(call.args[0].clone()))
    }

    /// `strcat`, `strncat`.
    pub(super) fn append_string(&mut self, call: &Call<'_>, limit: Option<Term>) -> Called {
        let before = self.string_argument(call, 0, None)?;
        let text = self.string_argument(call, 1, limit)?;
        let dst = objects_only(&mut self.terms, call.pointer(0));
        let end = dst.moved(&mut self.terms, before.length);
        self.write_string(call.here, &end, call.pointer(1), &text, limit)?;
        Some(Some(call.args[0].clone()))
    }

    /// The string that an argument points to.
    pub(super) fn string_argument(&mut self, call: &Call<'_>, n: usize, limit: Option<Term>) -> Option<Text> {
        let open = self.terms.truth(true);
        self.string_at(call.here, call.pointer(n), Reach { open, limit })
    }

    /// Writes a string that was read from somewhere, and its terminating zero.
    fn write_string(
        &mut self,
        here: Here,
        dst: &Pointer,
        src: &Pointer,
        text: &Text,
        limit: Option<Term>,
    ) -> Option<()> {
        let one = self.terms.constant(self.address, 1);
        let length = self.terms.add(text.length, one);
        let read = self.bytes_read(text.length, limit);
        self.check_apart(here, Extent { start: dst, length }, Extent { start: src, length: read });
        let view = self.view(here, dst)?;
        let always = self.terms.truth(true);
        self.check_range(here, &view, length, always, true);
        let bytes = self.terminated(text, limit.is_some());
        self.write_bytes(here, &view, &bytes)
    }

    /// The bytes of a string and its terminating zero, each with its number and whether it is there. A zero that was
    /// not read, because of a limit, must be made.
    pub(super) fn terminated(&mut self, text: &Text, limited: bool) -> Vec<(u64, Term, Term)> {
        let zero = self.zero_byte();
        let mut bytes = Vec::new();
        let mut there = self.terms.truth(true);
        for (k, &(value, inside)) in text.bytes.iter().enumerate() {
            let value = if limited { self.terms.select(inside, value, zero) } else { value };
            bytes.push((k as u64, value, there));
            there = inside;
        }
        if limited || text.bytes.is_empty() {
            bytes.push((text.bytes.len() as u64, zero, there));
        }
        bytes
    }

    /// The terminating zero is read too, unless the limit comes first.
    fn bytes_read(&mut self, length: Term, limit: Option<Term>) -> Term {
        let one = self.terms.constant(self.address, 1);
        let read = self.terms.add(length, one);
        let Some(limit) = limit else { return read };
        let shorter = self.terms.compare(IntCmp::Ult, length, limit);
        self.terms.select(shorter, read, limit)
    }

    /// Demands that nothing is written where something is read.
    fn check_apart(&mut self, here: Here, written: Extent<'_>, read: Extent<'_>) {
        let overlap =
            pointer::by_base(&mut self.terms, written.start, read.start, |terms, base, to, from| {
                if !matches!(base, Base::Object(_)) {
                    return terms.truth(false);
                }
                let (there, back) = (terms.op(IntOp::Sub, to, from), terms.op(IntOp::Sub, from, to));
                let reaches_read = terms.compare(IntCmp::Ult, back, written.length);
                let reaches_written = terms.compare(IntCmp::Ult, there, read.length);
                let before = terms.compare(IntCmp::Sle, to, from);
                terms.select(before, reaches_read, reaches_written)
            });
        let (none_written, none_read) = (self.terms.is(written.length, 0), self.terms.is(read.length, 0));
        let apart = self.terms.not(overlap);
        let fine = self.terms.any(&[apart, none_written, none_read]);
        self.check(here, fine, Event::OverlappingCopy);
    }

    /// An upper bound of a number of bytes at a pointer, if they exist.
    pub(super) fn most(&self, view: &View, size: Term) -> u64 {
        match self.terms.known(size) {
            Some(size) => size.min(view.end),
            None => view.end,
        }
    }

    pub(super) fn zero_byte(&mut self) -> Term {
        self.terms.constant(crate::access::BYTE, 0)
    }

    /// The pointer moved by a number of bytes within its object.
    pub(super) fn moved(&mut self, pointer: &Pointer, distance: Term) -> Symbol {
        let pointer = objects_only(&mut self.terms, pointer);
        Symbol::Pointer(Rc::new(pointer.moved(&mut self.terms, distance)))
    }
}
