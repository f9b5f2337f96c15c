//! `signal` and `raise`.
//!
//! Handlers run where the program raises their signals, and nowhere else: that is taken for granted, and said.

use quipu_inputs::Assumption;
use quipu_interp::{DefaultAction, default_action};
use quipu_ir::Ty;
use quipu_model::Term;
use quipu_num::Width;

use super::{Call, Called};
use crate::call::Wanted;
use crate::encoder::{Engine, Here};
use crate::pointer::{Base, Pointer};
use crate::symbol::Symbol;

/// Signals have the numbers from 1 to 64.
pub(crate) const TABLE_SIZE: u64 = 65 * 8;

/// What stands for a handler: the default action, nothing at all, or what somebody has installed before the call.
const DEFAULT: u64 = 0;
const IGNORED: u64 = 1;
const INSTALLED_BEFORE: u64 = 2;

const SIGABRT: u64 = 6;

/// What is taken for granted where a handler is installed.
const NO_OTHER_SIGNALS: &str = "signals come from `raise` and `abort` only";

impl Engine<'_> {
    /// When the program starts, every signal has its default action. A function that is called later may find what the
    /// program has installed.
    pub(crate) fn forget_signals(&mut self) {
        let unknown = !self.starts_program() && (self.uses("signal") || self.uses("sigaction"));
        let entry = if unknown { INSTALLED_BEFORE } else { DEFAULT };
        let bytes = (0..TABLE_SIZE / 8).flat_map(|_| entry.to_le_bytes());
        self.remember(self.library.signals, bytes.collect());
    }

    /// `signal`: installs a handler and returns the one before.
    pub(super) fn install_handler(&mut self, call: &Call<'_>) -> Called {
        let here = call.here;
        let number = self.terms.known(call.args[0].int()).filter(|number| is_catchable(*number));
        let Some(number) = number.filter(|_| call.function.name == call.function.source_name) else {
            self.unsupported(
                here,
                "`signal` with a number that is computed or cannot be caught, or of another kind",
            );
            return None;
        };
        let trusted = self.take_for_granted(Assumption::World(NO_OTHER_SIGNALS.to_string()));
        // A handler that runs at any time may change anything at any time.
        let doubted = self.terms.not(trusted);
        self.cut_where(here, doubted, "a signal that nobody raises")?;
        let before = self.recall(here, self.library.signals, number * 8, Ty::Ptr);
        let always = self.terms.truth(true);
        self.note_down(self.library.signals, number * 8, Ty::Ptr, always, &call.args[1]);
        let unknown = self.stands_for(before.pointer(), INSTALLED_BEFORE);
        if self.terms.is_false(unknown) || !call.used {
            return Some(Some(before));
        }
        Some(Some(self.made_up(here, "the handler of a signal before the call", Ty::Ptr)))
    }

    /// `raise`: the handler runs, and the call comes back.
    pub(super) fn raise(&mut self, call: &Call<'_>) -> Called {
        let here = call.here;
        let known = self.terms.known(call.args[0].int());
        let action = known.and_then(|number| default_action(number.cast_signed()));
        let (Some(number), Some(action)) = (known, action) else {
            self.unsupported(here, "`raise` of a signal whose number is computed or wrong");
            return None;
        };
        self.deliver_signal(here, number, action)?;
        self.nothing(call)
    }

    /// Runs the handler of SIGABRT, if there is one. None if no path comes back.
    pub(super) fn handle_abort(&mut self, here: Here) -> Option<()> {
        if !self.uses("signal") || self.raised.contains(&SIGABRT) {
            return Some(());
        }
        self.deliver_signal(here, SIGABRT, DefaultAction::Nothing)
    }

    fn deliver_signal(&mut self, here: Here, number: u64, action: DefaultAction) -> Option<()> {
        let handler = self.recall(here, self.library.signals, number * 8, Ty::Ptr);
        let handler = handler.pointer().clone();
        let unknown = self.stands_for(&handler, INSTALLED_BEFORE);
        self.cut_where(
            here,
            unknown,
            format!("signal {number}, whose handler was installed before the call"),
        )?;
        let (default, ignored) = (self.stands_for(&handler, DEFAULT), self.stands_for(&handler, IGNORED));
        self.fork(
            default,
            |engine| engine.act_by_default(here, number, action),
            |engine| {
                engine.fork(ignored, |_| Some(None), |engine| engine.call_handler(here, number, &handler))
            },
        )?;
        Some(())
    }

    fn act_by_default(&mut self, here: Here, number: u64, action: DefaultAction) -> Called {
        match action {
            DefaultAction::Nothing => return Some(None),
            DefaultAction::Stops => {
                self.unsupported(here, format!("signal {number}, which stops the program"))
            }
            DefaultAction::Ends => {
                let never = self.terms.truth(false);
                self.demand(here, never, None);
            }
        }
        None
    }

    fn call_handler(&mut self, here: Here, number: u64, handler: &Pointer) -> Called {
        if self.raised.contains(&number) {
            self.unsupported(here, format!("signal {number}, raised while its handler runs"));
            return None;
        }
        self.raised.push(number);
        let argument = Symbol::Int(self.terms.constant(Width::W32, number));
        let called = self.call_pointer(here, handler, &[argument], Wanted { ty: None, used: false });
        self.raised.pop();
        called
    }

    /// Whether a pointer is a number that stands for a handler.
    fn stands_for(&mut self, pointer: &Pointer, number: u64) -> Term {
        let mut ways = vec![self.terms.truth(false)];
        for case in pointer.cases.iter().filter(|case| matches!(case.base, Base::Null | Base::Unknown)) {
            let equal = self.terms.is(case.offset, number);
            ways.push(self.terms.both(case.when, equal));
        }
        self.terms.any(&ways)
    }
}

/// SIGKILL and SIGSTOP cannot be caught, and those that the threads of glibc use are not for programs.
fn is_catchable(number: u64) -> bool {
    default_action(number.cast_signed()).is_some() && ![9, 19, 32, 33].contains(&number)
}
