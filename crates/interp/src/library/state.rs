//! What library functions remember between calls.

use std::collections::BTreeMap;

/// A function to be called at the end of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExitHandler {
    /// Registered with `atexit`.
    Plain(u64),
    /// Registered with `on_exit`, which passes the status and this argument.
    WithStatus { handler: u64, argument: u64 },
}

/// The state of the library.
#[derive(Clone, Debug, Default)]
pub(crate) struct LibraryState {
    /// Functions registered for the end of the program, in order.
    pub exit_handlers: Vec<ExitHandler>,
    /// Functions registered with `at_quick_exit`, in order.
    pub quick_handlers: Vec<u64>,
    /// The handlers of signals, by number; those of others are as at the start.
    pub signals: BTreeMap<i32, u64>,
    /// The signals whose handlers run.
    pub raised: Vec<i32>,
    /// Whether a locale other than "C" was asked for.
    pub other_locale: bool,
    /// Where `strtok` goes on.
    pub strtok: u64,
    /// Objects that the library made for itself, by what they are for.
    pub objects: Vec<(&'static str, u64)>,
    /// Input bytes that were read but given back by `ungetc` or not used by `scanf`, last first.
    pub pushed_back: Vec<u8>,
    /// Whether the last byte asked for was behind the end of the input.
    pub at_end: bool,
    /// How many of the allocations to come may fail.
    pub may_fail: u32,
}

impl LibraryState {
    /// Returns to the start of the program.
    pub fn reset(&mut self) {
        self.exit_handlers.clear();
        self.quick_handlers.clear();
        self.signals.clear();
        self.raised.clear();
        self.other_locale = false;
        self.objects.clear();
        self.pushed_back.clear();
        self.strtok = 0;
        self.at_end = false;
        self.may_fail = 0;
    }
}
