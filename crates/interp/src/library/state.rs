//! What library functions remember between calls.

/// The state of the library.
#[derive(Clone, Debug, Default)]
pub(crate) struct LibraryState {
    /// Functions registered with `atexit`, in order.
    pub exit_handlers: Vec<u64>,
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
        self.objects.clear();
        self.pushed_back.clear();
        self.strtok = 0;
        self.at_end = false;
        self.may_fail = 0;
    }
}
