//! What inputs are worth that somebody else found: they run in the interpreter, and count for Quipu's goals.

use quipu_goals::{Credit, Ledger};
use quipu_inputs::{Fill, Inputs, Request, Runner};
use quipu_interp::{Limits, Outcome};
use quipu_ir::Module;

use super::program::Target;

/// The limits of a run, those of Quipu's own.
const STEPS: u64 = 200_000;
const DEPTH: usize = 10_000;
const MEMORY: u64 = 1 << 28;

/// Runs inputs, and adds up what they show.
pub struct Credited<'m> {
    runner: Runner<'m>,
    credit: Credit<'m>,
    ledger: Ledger<'m>,
    target: &'m Target,
}

impl<'m> Credited<'m> {
    pub fn new(module: &'m Module, target: &'m Target) -> Credited<'m> {
        let limits = Limits { steps: STEPS, depth: DEPTH, memory: MEMORY, ..Limits::default() };
        Credited {
            runner: Runner::new(module, target.interface(), limits),
            credit: Credit::new(&target.goals),
            ledger: Ledger::new(&target.goals),
            target,
        }
    }

    /// Runs inputs, and tells what the run asked its environment for.
    pub fn run(&mut self, inputs: &Inputs, fill: &mut dyn Fill) -> Vec<Request> {
        self.credit.clear();
        let observation = self.runner.run_filled(inputs, fill, &mut self.credit);
        let items = self.credit.items();
        if observation.outcome != Outcome::AssumptionFailed && self.ledger.gains(items) {
            self.ledger.add_test(items);
        }
        observation.requests
    }

    /// For each goal whether it is met.
    pub fn covered(&self) -> Vec<bool> {
        self.target.goals.all().ids().map(|goal| self.ledger.is_covered(goal)).collect()
    }

    pub fn is_complete(&self) -> bool {
        self.covered().iter().all(|&covered| covered)
    }
}
