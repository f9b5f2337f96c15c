//! The probes of a program by number.

use quipu_ir::{Cond, Decision, Func, Stmt};

/// What a probe tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Probe {
    /// A function is entered (0) or left (1).
    Function(Func),
    /// A statement starts.
    Stmt(Func, Stmt),
    /// A condition is false (0) or true (1).
    Cond(Func, Cond),
    /// A switch is entered; the value follows.
    Switch(Func, Decision),
}

/// All probes of a program.
#[derive(Debug, Default)]
pub(crate) struct Probes {
    items: Vec<Probe>,
}

impl Probes {
    /// The number of a new probe.
    pub(crate) fn add(&mut self, probe: Probe) -> usize {
        self.items.push(probe);
        self.items.len() - 1
    }

    pub(crate) fn get(&self, number: usize) -> Option<Probe> {
        self.items.get(number).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Probe> + '_ {
        self.items.iter().copied()
    }
}
