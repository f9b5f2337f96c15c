//! The probes of a program by number.

use quipu_ir::{Cond, Decision, Func, Stmt};
use rustc_hash::FxHashSet;

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
    /// The statements inside statement expressions.
    inner: FxHashSet<(Func, Stmt)>,
}

impl Probes {
    /// The number of a new probe.
    pub(crate) fn add(&mut self, probe: Probe) -> usize {
        self.items.push(probe);
        self.items.len() - 1
    }

    /// Notes that a statement is a part of an expression.
    pub(crate) fn set_inner(&mut self, func: Func, stmt: Stmt) {
        self.inner.insert((func, stmt));
    }

    /// The statements that are parts of expressions.
    pub(crate) fn inner(&self) -> &FxHashSet<(Func, Stmt)> {
        &self.inner
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
