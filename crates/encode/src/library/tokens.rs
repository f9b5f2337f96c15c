//! Strings that are taken apart: `strtok`, `strtok_r`, `strsep`.

use std::rc::Rc;

use quipu_ir::Ty;
use quipu_model::Term;

use super::view::{Reach, Text};
use super::{Call, Called};
use crate::block::Flow;
use crate::content::{Background, Content, Stretch};
use crate::encoder::{Engine, Here};
use crate::memory::ObjectId;
use crate::pointer::{self, Base, Case, Pointer};
use crate::symbol::Symbol;

/// What was found in a string.
struct Token {
    /// Whether there is a token, and how far behind the start it begins.
    found: Term,
    start: Term,
    /// How far behind the start the next search begins.
    next: Term,
    /// Whether a separator ends it.
    separated: Term,
}

impl Engine<'_> {
    /// The place where `strtok` keeps where it goes on: nowhere, at first.
    pub(crate) fn forget_tokens(&mut self, place: ObjectId) {
        let content = Content::new(&mut self.terms, Background::Bytes(Rc::default()));
        self.state.memory.set(place, Rc::new(content));
    }

    /// `strtok`.
    pub(super) fn next_token(&mut self, call: &Call<'_>) -> Called {
        let stretch = Stretch { at: 0, bits: self.address.bits(), ty: Ty::Ptr, address: self.address };
        let content = self.content(self.library.token);
        let saved =
            self.noting(call.here, "a saved pointer", |engine| content.read(&mut engine.terms, stretch));
        let no_string = self.null_pointer(call.pointer(0));
        let start = pointer::select(&mut self.terms, no_string, saved.value.pointer(), call.pointer(0));
        self.unless_null(&start, |engine, start| {
            let (token, next) = engine.token(call, start)?;
            let always = engine.terms.truth(true);
            let mut content = (*engine.content(engine.library.token)).clone();
            content.write(&mut engine.terms, stretch, always, &next, always);
            engine.state.memory.set(engine.library.token, Rc::new(content));
            Some(Some(token))
        })
    }

    /// `strtok_r`.
    pub(super) fn next_token_from(&mut self, call: &Call<'_>) -> Called {
        let place = call.pointer(2).clone();
        let no_string = self.null_pointer(call.pointer(0));
        let start = self.fork(
            no_string,
            |engine| Some(Some(engine.load_pointer(call.here, &place))),
            |_| Some(Some(call.args[0].clone())),
        )??;
        self.unless_null(start.pointer(), |engine, start| {
            let (token, next) = engine.token(call, start)?;
            engine.store_pointer(call.here, &place, &next)?;
            Some(Some(token))
        })
    }

    /// `strsep`: a token may be empty.
    pub(super) fn separate(&mut self, call: &Call<'_>) -> Called {
        let place = call.pointer(0).clone();
        let start = self.load_pointer(call.here, &place);
        self.unless_null(start.pointer(), |engine, start| {
            let separators = engine.string_argument(call, 1, None)?;
            let never = engine.terms.truth(false);
            let token = engine.find_token(call.here, start, &separators, never)?;
            let next = engine.moved(start, token.next);
            let null = Pointer::null(&mut engine.terms, engine.address);
            let next = pointer::select(&mut engine.terms, token.separated, next.pointer(), &null);
            engine.store_pointer(call.here, &place, &Symbol::Pointer(Rc::new(next)))?;
            Some(Some(Symbol::Pointer(Rc::new(start.clone()))))
        })
    }

    /// The token at a pointer, and where the next search begins.
    fn token(&mut self, call: &Call<'_>, start: &Pointer) -> Option<(Symbol, Symbol)> {
        let separators = self.string_argument(call, 1, None)?;
        let always = self.terms.truth(true);
        let token = self.find_token(call.here, start, &separators, always)?;
        let next = self.moved(start, token.next);
        let there = self.moved(start, token.start);
        let null = Pointer::null(&mut self.terms, self.address);
        let there = pointer::select(&mut self.terms, token.found, there.pointer(), &null);
        Some((Symbol::Pointer(Rc::new(there)), next))
    }

    /// Skips separators if that is wanted, and cuts off what follows behind its end.
    fn find_token(&mut self, here: Here, start: &Pointer, separators: &Text, skip: Term) -> Option<Token> {
        let mut view = self.view(here, start)?;
        let reach = Reach { open: self.terms.truth(true), limit: None };
        let mut skipping = skip;
        let (mut starts, mut cuts, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        self.scan(here, &mut view, reach, |engine, _, byte, open| {
            let end = engine.terms.is(byte, 0);
            let separator = engine.belongs(byte, separators);
            let not_skipping = engine.terms.not(skipping);
            let skipped = engine.link(skipping, separator);
            let not_separator = engine.terms.not(separator);
            starts.push(engine.terms.any(&[end, not_separator]));
            let cut = engine.terms.both(not_skipping, separator);
            let cut_here = engine.link(open, cut);
            cuts.push(cut_here);
            ends.push(end);
            skipping = skipped;
            let stop = engine.terms.any(&[end, cut]);
            engine.terms.not(stop)
        })?;
        let separated = self.terms.any(&cuts);
        let mut stop = Vec::new();
        for (&cut, &end) in cuts.iter().zip(&ends) {
            stop.push(self.terms.any(&[cut, end]));
        }
        let end = self.first(&stop, stop.len() as u64);
        let start_at = self.first(&starts, starts.len() as u64);
        let empty = self.terms.equal(start_at, end);
        let found = self.terms.not(empty);
        self.cut_off(here, start, end, separated, &cuts)?;
        let one = self.terms.constant(self.address, 1);
        let behind = self.terms.add(end, one);
        let next = self.terms.select(separated, behind, end);
        Some(Token { found, start: start_at, next, separated })
    }

    /// Writes a zero over the separator behind a token.
    fn cut_off(
        &mut self,
        here: Here,
        start: &Pointer,
        end: Term,
        separated: Term,
        cuts: &[Term],
    ) -> Option<()> {
        let place = start.moved(&mut self.terms, end);
        let place = self.view(here, &place)?;
        let one = self.terms.constant(self.address, 1);
        self.check_range(here, &place, one, separated, true);
        let zero = self.zero_byte();
        let view = self.view(here, start)?;
        let bytes: Vec<(u64, Term, Term)> =
            cuts.iter().enumerate().map(|(k, &cut)| (k as u64, zero, cut)).collect();
        self.write_bytes(here, &view, &bytes)
    }

    /// Does something with a pointer that is not null; null otherwise.
    fn unless_null(&mut self, pointer: &Pointer, work: impl FnOnce(&mut Self, &Pointer) -> Called) -> Called {
        let null = self.null_pointer(pointer);
        let address = self.address;
        let rest = self.not_null(pointer);
        self.fork(
            null,
            |engine| Some(Some(Symbol::nothing(&mut engine.terms, Ty::Ptr, address))),
            |engine| work(engine, &rest),
        )
    }

    /// Whether a pointer is null.
    pub(crate) fn null_pointer(&mut self, pointer: &Pointer) -> Term {
        let mut ways = Vec::new();
        for case in pointer.cases.iter().filter(|case| matches!(case.base, Base::Null | Base::Unknown)) {
            let at_start = self.terms.is(case.offset, 0);
            ways.push(self.terms.both(case.when, at_start));
        }
        self.terms.any(&ways)
    }

    /// A pointer that is known not to be null.
    pub(super) fn not_null(&mut self, pointer: &Pointer) -> Pointer {
        let is_null = |case: &Case| case.base == Base::Null && self.terms.known(case.offset) == Some(0);
        let mut cases: Vec<Case> = pointer.cases.iter().filter(|case| !is_null(case)).cloned().collect();
        match &mut cases[..] {
            [] => return pointer.clone(),
            [only] => only.when = self.terms.truth(true),
            _ => {}
        }
        Pointer { cases }
    }

    pub(super) fn load_pointer(&mut self, here: Here, place: &Pointer) -> Symbol {
        let size = self.module.data_model.pointer_size() as u32;
        self.load(here, place, Ty::Ptr, self.stored_bits(Ty::Ptr), 0, size)
    }

    pub(super) fn store_pointer(&mut self, here: Here, place: &Pointer, value: &Symbol) -> Option<()> {
        let size = self.module.data_model.pointer_size() as u32;
        match self.store(here, place, Ty::Ptr, self.stored_bits(Ty::Ptr), 0, value, size) {
            Flow::On => Some(()),
            Flow::Stopped => None,
        }
    }
}
