//! A line on the terminal that says how far a count has come.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shown on standard error, if that is a terminal, after the first second.
pub struct Progress {
    next: Instant,
    terminal: bool,
    shown: bool,
}

impl Progress {
    pub fn new() -> Progress {
        let terminal = std::io::stderr().is_terminal();
        Progress { next: Instant::now() + Duration::from_secs(1), terminal, shown: false }
    }

    pub fn solutions(&mut self, count: u64) {
        if self.terminal && Instant::now() >= self.next {
            self.next = Instant::now() + Duration::from_millis(200);
            self.shown = true;
            eprint!("\r{count} solutions so far");
            let _ = std::io::stderr().flush();
        }
    }

    pub fn clear(&mut self) {
        if self.shown {
            eprint!("\r{:40}\r", "");
        }
    }
}
