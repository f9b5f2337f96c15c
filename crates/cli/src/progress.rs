//! A line on the terminal that says which function is at work.

use std::io::{IsTerminal, Write};

/// Shown on standard error, if that is a terminal.
pub struct Progress {
    terminal: bool,
    done: usize,
    total: usize,
}

impl Progress {
    pub fn new(total: usize) -> Progress {
        Progress { terminal: std::io::stderr().is_terminal(), done: 0, total }
    }

    pub fn start(&mut self, name: &str) {
        self.done += 1;
        self.show(&format!("[{}/{}] {name}", self.done, self.total));
    }

    pub fn replay(&self) {
        self.show("running the tests on the compiled program");
    }

    pub fn clear(&self) {
        if self.terminal {
            eprint!("\r{:78}\r", "");
        }
    }

    fn show(&self, text: &str) {
        if self.terminal {
            eprint!("\r{text:78.78}");
            let _ = std::io::stderr().flush();
        }
    }
}
