//! The end of the program: `exit` and its relatives, and the functions to be called then.
//!
//! A list has room for so many functions as C promises (7.22.4.2p3). Where paths meet on which it has different lengths,
//! its length is a term, and each place may be taken or not.

use quipu_ir::Ty;
use quipu_model::Term;
use quipu_num::Width;

use super::{Call, Called};
use crate::call::Wanted;
use crate::encoder::{Engine, Here};
use crate::memory::ObjectId;
use crate::symbol::Symbol;

/// So many functions can be registered.
const MOST: u64 = 32;
/// The length of a list stands at its start, its places behind that: what kind of handler, which one, what it is passed.
const FIRST: u64 = 8;
const PLACE: u64 = 24;
/// The size of a list.
pub(crate) const LIST_SIZE: u64 = FIRST + MOST * PLACE;

/// What is in a place of a list.
const PLAIN: u64 = 1;
const WITH_STATUS: u64 = 2;

impl Engine<'_> {
    /// Before the call nothing was registered, for all that is known.
    pub(crate) fn forget_exits(&mut self) {
        for list in [self.library.exits, self.library.quick_exits] {
            self.remember(list, Vec::new());
        }
    }

    /// `atexit`, `on_exit` and `at_quick_exit`.
    pub(super) fn register_ending(&mut self, call: &Call<'_>, list: ObjectId) -> Called {
        let here = call.here;
        let handler = Symbol::Pointer(call.pointer(0).clone());
        let kind = if call.args.len() > 1 { WITH_STATUS } else { PLAIN };
        let kind = Symbol::Int(self.terms.constant(Width::W8, kind));
        let length = self.recall(here, list, 0, Ty::I8).int();
        let full = self.terms.is(length, MOST);
        self.cut_where(here, full, format!("more than {MOST} functions for the end of the program"))?;
        for n in 0..MOST {
            let here_it_is = self.terms.is(length, n);
            if self.terms.is_false(here_it_is) {
                continue;
            }
            let at = FIRST + n * PLACE;
            self.note_down(list, at, Ty::I8, here_it_is, &kind);
            self.note_down(list, at + 8, Ty::Ptr, here_it_is, &handler);
            if let Some(argument) = call.args.get(1) {
                self.note_down(list, at + 16, Ty::Ptr, here_it_is, argument);
            }
        }
        let one = self.terms.constant(Width::W8, 1);
        let longer = Symbol::Int(self.terms.add(length, one));
        let always = self.terms.truth(true);
        self.note_down(list, 0, Ty::I8, always, &longer);
        self.nothing(call)
    }

    /// Calls what was registered, the last first. No path goes on behind that.
    pub(crate) fn end_program(&mut self, here: Here, list: ObjectId, status: Term) {
        for n in (0..MOST).rev() {
            // Each of the calls is one of its own, also of functions that were registered twice.
            let here = Here { context: here.context.turn(n), ..here };
            let at = FIRST + n * PLACE;
            let kind = self.recall(here, list, at, Ty::I8).int();
            let length = self.recall(here, list, 0, Ty::I8).int();
            let index = self.terms.constant(Width::W8, n);
            let taken = self.terms.compare(quipu_num::IntCmp::Ult, index, length);
            if self.terms.is_false(taken) {
                continue;
            }
            let called = self.fork(
                taken,
                |engine| engine.call_registered(here, list, n, (kind, status)),
                |_| Some(None),
            );
            if called.is_none() {
                return;
            }
        }
    }

    /// Calls the function in a place of a list, which then ends there.
    fn call_registered(
        &mut self,
        here: Here,
        list: ObjectId,
        n: u64,
        (kind, status): (Term, Term),
    ) -> Called {
        let at = FIRST + n * PLACE;
        let always = self.terms.truth(true);
        let rest = Symbol::Int(self.terms.constant(Width::W8, n));
        self.note_down(list, 0, Ty::I8, always, &rest);
        let handler = self.recall(here, list, at + 8, Ty::Ptr);
        let argument = self.recall(here, list, at + 16, Ty::Ptr);
        let wanted = Wanted { ty: None, used: false };
        let is_plain = self.terms.is(kind, PLAIN);
        let (status, pointer) = (Symbol::Int(status), handler.pointer().clone());
        self.fork(
            is_plain,
            |engine| engine.call_pointer(here, &pointer, &[], wanted),
            |engine| engine.call_pointer(here, &pointer, &[status, argument], wanted),
        )?;
        let length = self.recall(here, list, 0, Ty::I8).int();
        let same = self.terms.is(length, n);
        let changed = self.terms.not(same);
        self.cut_where(here, changed, "functions that are registered while the program ends")?;
        Some(None)
    }
}
