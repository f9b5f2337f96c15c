//! The input of the program: bytes and numbers, until it ends.

use std::rc::Rc;

use quipu_interp::{END_AHEAD, InputKind, OTHER_AHEAD};
use quipu_ir::Ty;
use quipu_model::Term;
use quipu_num::{IntCmp, Width};

use crate::block::Flow;
use crate::content::{Background, Content, Stretch};
use crate::encoder::{Engine, Here};
use crate::library::Called;
use crate::memory::{ObjectId, ObjectKind};
use crate::merge::merge;
use crate::pointer::{Base, Case, Pointer};
use crate::state::{Arrival, State};
use crate::symbol::Symbol;

/// Where the stream keeps whether it has ended.
const ENDED: Stretch = Stretch { at: 0, bits: 8, ty: Ty::BOOL, address: Width::W64 };

impl Engine<'_> {
    /// The state of the stream before the call: it has not ended.
    pub(crate) fn open_stream(&mut self, stream: ObjectId) {
        let content = Content::new(&mut self.terms, Background::Bytes(Rc::default()));
        self.state.memory.set(stream, Rc::new(content));
    }

    pub(crate) fn has_ended(&mut self) -> Term {
        let content = self.state.memory.get(self.library.stream).expect("the stream is open").clone();
        content.read(&mut self.terms, ENDED).value.int()
    }

    pub(crate) fn set_ended(&mut self, ended: Term) {
        let always = self.terms.truth(true);
        let terms = &mut self.terms;
        let content = self.state.memory.change(self.library.stream).expect("the stream is open");
        content.write(terms, ENDED, always, &Symbol::Int(ended), always);
    }

    /// `getchar` and its relatives: a byte, or -1 at the end, where the input stays.
    pub(crate) fn read_byte(&mut self, here: Here, name: &str, stream: Option<&Symbol>) -> Symbol {
        if !self.is_standard(stream) {
            return self.request(here, 0, name, Ty::I32, InputKind::Byte);
        }
        let before = self.has_ended();
        let open = self.terms.not(before);
        let asked = self.byte_if(here, name, 0, open);
        let end = self.terms.constant(Width::W32, Width::W32.mask());
        let byte = self.terms.select(before, end, asked);
        let zero = self.terms.constant(Width::W32, 0);
        let ended = self.terms.compare(IntCmp::Slt, byte, zero);
        self.set_ended(ended);
        Symbol::Int(byte)
    }

    /// Whether a stream is surely the one that was open when the program started. What is known of its end says
    /// nothing about others.
    pub(crate) fn is_standard(&self, stream: Option<&Symbol>) -> bool {
        let Some(stream) = stream else { return true };
        let is_open = |case: &Case| match case.base {
            Base::Object(object) => self.objects[object].kind == ObjectKind::Stream,
            Base::Null | Base::Function(_) | Base::Unknown => false,
        };
        matches!(&stream.pointer().cases[..], [only] if is_open(only))
    }

    /// Byte number `k` of a call, or -1; it is asked for where a condition is true.
    pub(crate) fn byte_if(&mut self, here: Here, name: &str, k: usize, condition: Term) -> Term {
        let byte = self.request(here, k, name, Ty::I32, InputKind::Byte).int();
        if let Some(asked) = self.out.requested.last_mut() {
            asked.when = self.terms.both(asked.when, condition);
        }
        byte
    }

    /// `scanf` of numbers: before each, the input may end, or something else may come.
    pub(crate) fn scan_numbers(
        &mut self,
        here: Here,
        name: &str,
        format: &Symbol,
        values: &Symbol,
    ) -> Called {
        let conversions = self.text(format.pointer()).and_then(|text| self.conversions(&text));
        let Some(conversions) = conversions else {
            self.unsupported(here, "`scanf` of anything but numbers");
            return None;
        };
        let mut returns = Vec::new();
        let mut flow = Flow::On;
        for (n, &ty) in conversions.iter().enumerate() {
            flow = self.scan_number(here, name, (n, ty), values, &mut returns);
            if flow == Flow::Stopped {
                break;
            }
        }
        if flow == Flow::On {
            let state = self.state.clone();
            returns.push(self.scanned(state, conversions.len() as i64));
        }
        if returns.is_empty() {
            return None;
        }
        let Arrival { state, mut args, .. } = merge(&mut self.terms, &self.objects, returns);
        self.state = state;
        Some(args.pop())
    }

    /// Takes number `n`; the states in which there is none return.
    fn scan_number(
        &mut self,
        here: Here,
        name: &str,
        (n, ty): (usize, Ty),
        values: &Symbol,
        returns: &mut Vec<Arrival>,
    ) -> Flow {
        let stored = if n == 0 { -1 } else { n as i64 };
        let before = self.has_ended();
        if let Some(state) = self.state_if(before) {
            returns.push(self.scanned(state, stored));
        }
        let open = self.terms.not(before);
        let Some(state) = self.state_if(open) else { return Flow::Stopped };
        self.state = state;
        let ahead = self.request(here, 2 * n, name, Ty::I8, InputKind::End).int();
        let ends = self.terms.is(ahead, END_AHEAD);
        self.set_ended(ends);
        if let Some(state) = self.state_if(ends) {
            returns.push(self.scanned(state, stored));
        }
        let differs = self.terms.is(ahead, OTHER_AHEAD);
        if let Some(state) = self.state_if(differs) {
            returns.push(self.scanned(state, n as i64));
        }
        let goes_on = self.terms.is(ahead, 0);
        let Some(state) = self.state_if(goes_on) else { return Flow::Stopped };
        self.state = state;
        let never = self.terms.truth(false);
        self.set_ended(never);
        self.store_number(here, name, (n, ty), values)
    }

    fn store_number(&mut self, here: Here, name: &str, (n, ty): (usize, Ty), values: &Symbol) -> Flow {
        let skipped = self.terms.constant(self.address, 8 * n as u64);
        let place = values.pointer().moved(&mut self.terms, skipped);
        let place = self.load(here, &place, Ty::Ptr, self.stored_bits(Ty::Ptr), 0, 1);
        let value = self.request(here, 2 * n + 1, name, ty, InputKind::Scanned);
        let align = self.module.data_model.size_of(ty) as u32;
        let place = place.pointer().clone();
        self.store(here, &place, ty, self.stored_bits(ty), 0, &value, align)
    }

    /// `scanf` returns the number of values stored, or -1 if the input ended before the first.
    fn scanned(&mut self, state: State, stored: i64) -> Arrival {
        let count = self.terms.constant(Width::W32, stored.cast_unsigned());
        Arrival { state, args: vec![Symbol::Int(count)], carried: Vec::new() }
    }

    /// The bytes of a constant string.
    pub(crate) fn text(&mut self, pointer: &Pointer) -> Option<Vec<u8>> {
        let [only] = &pointer.cases[..] else { return None };
        let (Base::Object(object), Some(start)) = (only.base, self.terms.known(only.offset)) else {
            return None;
        };
        self.state.memory.get(object)?;
        let content = self.content(object);
        let mut text = Vec::new();
        for offset in start..self.objects[object].size {
            let stretch = Stretch { at: offset * 8, bits: 8, ty: Ty::I8, address: self.address };
            let byte = content.read(&mut self.terms, stretch).value.int();
            match self.terms.known(byte)? {
                0 => return Some(text),
                byte => text.push(byte as u8),
            }
        }
        None
    }

    /// The types that a format of numbers asks for.
    fn conversions(&self, format: &[u8]) -> Option<Vec<Ty>> {
        let mut types = Vec::new();
        let mut rest = format;
        while let Some((&byte, tail)) = rest.split_first() {
            rest = tail;
            if byte.is_ascii_whitespace() {
                continue;
            }
            if byte != b'%' {
                return None;
            }
            let length = rest.iter().take_while(|byte| b"hlzjt".contains(byte)).count();
            let (modifier, tail) = rest.split_at(length);
            let (&conversion, tail) = tail.split_first()?;
            rest = tail;
            types.push(match (conversion, modifier) {
                (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', b"") => Ty::I32,
                (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', b"h") => Ty::I16,
                (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', b"hh") => Ty::I8,
                (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', b"ll" | b"j") => Ty::I64,
                (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', b"l" | b"z" | b"t") => Ty::Int(self.address),
                (b'f' | b'e' | b'g', b"") => Ty::F32,
                (b'f' | b'e' | b'g', b"l") => Ty::F64,
                _ => return None,
            });
        }
        Some(types)
    }
}
