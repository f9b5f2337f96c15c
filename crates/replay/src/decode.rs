//! The log of a run as steps.

use quipu_interp::Step;
use quipu_ir::{Case, Cond, Decision, Func, Module, Terminator};
use quipu_ir::{FuncBody, Ty};
use rustc_hash::FxHashMap;

use crate::probes::{Probe, Probes};

/// What is needed to read a log.
#[derive(Debug)]
pub(crate) struct Decoder {
    /// The outcome of its decision that a condition settles when it is false, and when it is true.
    outcomes: FxHashMap<(Func, Cond), [Option<bool>; 2]>,
    /// The arms of a switch, and the type of its value.
    switches: FxHashMap<(Func, Decision), (Vec<Case>, Ty)>,
}

impl Decoder {
    pub(crate) fn new(module: &Module) -> Decoder {
        let mut decoder = Decoder { outcomes: FxHashMap::default(), switches: FxHashMap::default() };
        for (func, function) in module.functions.entries() {
            if let Some(code) = function.code() {
                decoder.read(func, code);
            }
        }
        decoder
    }

    fn read(&mut self, func: Func, code: &FuncBody) {
        for block in code.blocks.iter() {
            match &block.term {
                Terminator::Branch { cond: Some(cond), then, otherwise, .. } => {
                    self.outcomes.insert((func, *cond), [otherwise.outcome, then.outcome]);
                }
                Terminator::Switch { decision: Some(decision), cases, value, .. } => {
                    self.switches.insert((func, *decision), (cases.clone(), code.ty(*value)));
                }
                _ => {}
            }
        }
    }

    /// The steps that the entries of a log stand for. A log that was cut, or that the program wrote over, is read as
    /// far as it makes sense.
    pub(crate) fn steps(&self, probes: &Probes, log: &[u64]) -> Vec<Step> {
        let mut steps = Vec::with_capacity(log.len());
        let mut entries = log.iter().copied();
        while let Some(entry) = entries.next() {
            let probe = usize::try_from(entry >> 2).ok().and_then(|number| probes.get(number));
            let Some(probe) = probe else { break };
            let step = match probe {
                Probe::Switch(func, decision) => {
                    let Some(value) = entries.next() else { break };
                    self.arm(func, decision, value)
                }
                _ => self.step(probe, entry & 3),
            };
            steps.extend(step);
        }
        steps
    }

    /// The steps that happened at least once.
    pub(crate) fn met(&self, probes: &Probes, hits: &[u8]) -> Vec<Step> {
        let each = probes.iter().zip(hits).filter(|(probe, _)| !matches!(probe, Probe::Switch(..)));
        each.flat_map(|(probe, &hit)| {
            (0..2).filter(move |value| hit >> value & 1 == 1).map(move |v| (probe, v))
        })
        .filter_map(|(probe, value)| self.step(probe, value))
        .collect()
    }

    fn step(&self, probe: Probe, value: u64) -> Option<Step> {
        Some(match probe {
            Probe::Function(func) if value == 0 => Step::Enter(func),
            Probe::Function(func) => Step::Leave(func),
            Probe::Stmt(func, stmt) => Step::Stmt(func, stmt),
            Probe::Cond(func, cond) => {
                let outcome = self.outcomes.get(&(func, cond))?[usize::from(value != 0)];
                Step::Cond(func, cond, value != 0, outcome)
            }
            Probe::Switch(..) => return None,
        })
    }

    fn arm(&self, func: Func, decision: Decision, value: u64) -> Option<Step> {
        let (cases, ty) = self.switches.get(&(func, decision))?;
        let width = ty.width()?;
        let value = width.wrap(value);
        let arm = cases.iter().position(|case| case.matches(value, width)).unwrap_or(cases.len());
        Some(Step::Switch(func, decision, arm))
    }
}
