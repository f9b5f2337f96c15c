//! Input by the line and by the block: `fgets`, `fread`, `feof`.
//!
//! Each byte is one value that the environment supplies, as in the interpreter. What is longer than a test should have to
//! spell out is not followed.

use quipu_inputs::Assumption;
use quipu_ir::{Event, Ty};
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp, Width};

use super::{Call, Called};
use crate::encoder::Engine;
use crate::open::Reach;
use crate::symbol::Symbol;

/// So many bytes of a line or a block are followed.
const MOST_READ: u64 = 64;

/// What is taken for granted where a program asks why there is no more input.
const INPUT_WORKS: &str = "reading does not fail, it only comes to the end of the input";

/// Functions that may read further than to the last byte that they take, so that the input has ended already or not.
const FAR_READERS: [&str; 5] = ["ungetc", "scanf", "fscanf", "vscanf", "vfscanf"];

/// Bytes that were read one after the other.
struct Taken {
    /// Each with its number, and where it was read.
    bytes: Vec<(u64, Term, Term)>,
    /// How many they are.
    count: Term,
}

impl Engine<'_> {
    /// `fgets`: a line with its end, or as much of it as there is room for.
    pub(super) fn read_line(&mut self, call: &Call<'_>) -> Called {
        let Some(size) = self.terms.known(call.args[1].int()) else {
            self.unsupported(call.here, "`fgets` with a size that depends on inputs");
            return None;
        };
        let size = Width::W32.signed(size);
        if size < 1 {
            return self.nothing(call);
        }
        let limit = size.cast_unsigned() - 1;
        let mut taken = self.take_bytes(call, limit, Some(b'\n'))?;
        let nothing = self.terms.is(taken.count, 0);
        let failed = if limit > 0 { nothing } else { self.terms.truth(false) };
        let done = self.terms.not(failed);
        let (one, none) = (self.terms.constant(self.address, 1), self.terms.constant(self.address, 0));
        let all = self.terms.add(taken.count, one);
        let needed = self.terms.select(done, all, none);
        let zero = self.zero_byte();
        for k in 0..=limit.min(MOST_READ) {
            let is_end = self.terms.is(taken.count, k);
            let when = self.terms.both(done, is_end);
            taken.bytes.push((k, zero, when));
        }
        let view = self.view(call.here, call.pointer(0))?;
        let always = self.terms.truth(true);
        self.check_range(call.here, &view, needed, always, true);
        self.write_bytes(call.here, &view, &taken.bytes)?;
        let null = Symbol::nothing(&mut self.terms, Ty::Ptr, self.address);
        Some(Some(Symbol::select(&mut self.terms, failed, &null, &call.args[0])))
    }

    /// `fread`: as many bytes as there are, up to the size of all elements.
    pub(super) fn read_elements(&mut self, call: &Call<'_>) -> Called {
        let (size, count) = (self.terms.known(call.args[1].int()), self.terms.known(call.args[2].int()));
        let Some((size, count)) = size.zip(count) else {
            self.unsupported(call.here, "`fread` of a size that depends on inputs");
            return None;
        };
        let Some(total) = size.checked_mul(count).filter(|&total| total <= self.address.mask()) else {
            self.fail(call.here, Event::OutOfBounds);
            return None;
        };
        let view = self.view(call.here, call.pointer(0))?;
        let (length, always) = (self.terms.constant(self.address, total), self.terms.truth(true));
        self.check_range(call.here, &view, length, always, true);
        let taken = self.take_bytes(call, total, None)?;
        self.write_bytes(call.here, &view, &taken.bytes)?;
        let elements = match size {
            0 => self.terms.constant(self.address, 0),
            1 => taken.count,
            size => {
                let size = self.terms.constant(self.address, size);
                self.terms.op(IntOp::UDiv, taken.count, size)
            }
        };
        self.number(call, elements)
    }

    /// `feof`, where that is known: there is one stream, and all of it was read byte by byte.
    pub(super) fn is_at_end(&mut self, call: &Call<'_>) -> Called {
        if !self.is_standard(call.args.first()) {
            self.unsupported(call.here, "`feof` of an unknown stream");
            return None;
        }
        let mut names = self.module.functions.iter().map(|one| super::plain_name(&one.source_name));
        if let Some(other) = names.find(|name| FAR_READERS.contains(name)) {
            let what = format!("`feof` in a program with `{other}`");
            self.unsupported(call.here, what);
            return None;
        }
        let trusted = self.take_for_granted(Assumption::World(INPUT_WORKS.to_string()));
        self.escape_unless(trusted, Reach::Result);
        let ended = self.has_ended();
        self.number(call, ended)
    }

    /// The next bytes of the input up to its end: at most so many, and none behind one that stops.
    fn take_bytes(&mut self, call: &Call<'_>, limit: u64, stops: Option<u8>) -> Option<Taken> {
        let is_standard = self.is_standard(call.args.last());
        let before = if is_standard { self.has_ended() } else { self.terms.truth(false) };
        let mut open = self.terms.not(before);
        let (mut bytes, mut ends, mut last) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..limit.min(MOST_READ) {
            let byte = self.byte_if(call.here, &call.function.source_name, k as usize, open);
            let zero = self.terms.constant(Width::W32, 0);
            let ended = self.terms.compare(IntCmp::Slt, byte, zero);
            let there = self.terms.not(ended);
            let is_read = self.link(open, there);
            bytes.push((k, self.low_byte(byte), is_read));
            ends.push(self.link(open, ended));
            let stopped = match stops {
                Some(stop) => self.terms.is(byte, u64::from(stop)),
                None => self.terms.truth(false),
            };
            last.push(self.link(is_read, stopped));
            let more = self.terms.not(stopped);
            open = self.link(is_read, more);
        }
        if limit > MOST_READ {
            self.cut_where(call.here, open, format!("`{}` of more than {MOST_READ} bytes", call.name))?;
        }
        let mut count = self.terms.constant(self.address, limit.min(MOST_READ));
        for (k, (&end, &last)) in ends.iter().zip(&last).enumerate().rev() {
            let (before, with) = (
                self.terms.constant(self.address, k as u64),
                self.terms.constant(self.address, k as u64 + 1),
            );
            count = self.terms.select(last, with, count);
            count = self.terms.select(end, before, count);
        }
        let none = self.terms.constant(self.address, 0);
        count = self.terms.select(before, none, count);
        if is_standard {
            ends.push(before);
            let ended = self.terms.any(&ends);
            self.set_ended(ended);
        }
        Some(Taken { bytes, count })
    }
}
