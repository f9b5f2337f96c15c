//! `setlocale`, and the functions that depend on it.

use quipu_interp::is_locale_dependent;
use quipu_ir::Ty;
use quipu_model::Term;
use quipu_num::{IntCmp, Width};

use super::view::Text;
use super::{Call, Called};
use crate::encoder::Engine;
use crate::symbol::Symbol;

/// All categories; the number is glibc's.
const LC_ALL: u64 = 6;

impl Engine<'_> {
    /// A program starts in the "C" locale. A function that is called later may find what the program has set.
    pub(crate) fn forget_locale(&mut self) {
        let unknown = !self.starts_program() && self.uses("setlocale");
        self.remember(self.library.locale, vec![u8::from(unknown)]);
    }

    /// `setlocale`. Whether the locale exists that is asked for, and its name, nobody knows.
    pub(super) fn set_locale(&mut self, call: &Call<'_>) -> Called {
        let (here, category, name) = (call.here, &call.args[0], &call.args[1]);
        let no_name = self.null_pointer(name.pointer());
        let (all, locale) = (self.terms.is(category.int(), LC_ALL), self.library.locale);
        self.fork(
            no_name,
            |_| Some(None),
            |engine| {
                let text = engine.string_argument(call, 1, None)?;
                let plain = [&b"C"[..], b"POSIX"].map(|name| engine.is_text(&text, name));
                let plain = engine.terms.any(&plain);
                let other = engine.terms.not(plain);
                let (yes, no) = (engine.terms.constant(Width::W8, 1), engine.terms.constant(Width::W8, 0));
                engine.note_down(locale, 0, Ty::I8, other, &Symbol::Int(yes));
                let back = engine.terms.both(plain, all);
                engine.note_down(locale, 0, Ty::I8, back, &Symbol::Int(no));
                Some(None)
            },
        )?;
        if !call.used {
            return self.nothing(call);
        }
        Some(Some(self.made_up(here, "the result of `setlocale`", Ty::Ptr)))
    }

    /// Nothing is followed where a function does what nobody knows in another locale; none if it always does.
    pub(super) fn in_known_locale(&mut self, call: &Call<'_>, source_name: &str) -> Option<()> {
        let Some(by_character) = is_locale_dependent(source_name) else { return Some(()) };
        let here = call.here;
        let locale = self.recall(here, self.library.locale, 0, Ty::I8).int();
        let plain = self.terms.is(locale, 0);
        if self.terms.is_true(plain) {
            return Some(());
        }
        let mut other = self.terms.not(plain);
        if let (true, Some(Symbol::Int(character))) = (by_character, call.args.first()) {
            // EOF is no character in any locale.
            let width = self.terms.width(*character);
            let (one, limit) = (self.terms.constant(width, 1), self.terms.constant(width, 129));
            let moved = self.terms.add(*character, one);
            let beyond = self.terms.compare(IntCmp::Ule, limit, moved);
            other = self.terms.both(other, beyond);
        }
        self.cut_where(here, other, format!("`{source_name}` in another locale than \"C\""))
    }

    fn is_text(&mut self, text: &Text, wanted: &[u8]) -> Term {
        let length = self.terms.is(text.length, wanted.len() as u64);
        let mut same = vec![length];
        for (n, &byte) in wanted.iter().enumerate() {
            match text.bytes.get(n) {
                Some(&(found, _)) => same.push(self.terms.is(found, u64::from(byte))),
                None => return self.terms.truth(false),
            }
        }
        self.terms.all(&same)
    }
}
