//! What is known of properties from functions that were checked before: each behind those that it calls.

use std::collections::HashSet;

use quipu_base::Id;
use quipu_cover::{FunctionReport, Proof, Property, Verdict};
use quipu_goals::{Goal, GoalKind};
use quipu_ir::{Func, Span};

/// By what a property is the same one in runs of different functions.
type Key = (Func, GoalKind, Span);

fn key(goal: &Goal) -> Key {
    (goal.func, goal.kind, goal.span)
}

/// What is known already.
#[derive(Default)]
pub struct Known {
    /// Properties of functions that are judged through their callers which hold for all arguments.
    proved: HashSet<Key>,
    /// Properties that hold if callers provide what the function relies on.
    relied: HashSet<Key>,
}

impl Known {
    /// Adds what was found out about a function.
    pub fn add(&mut self, report: &FunctionReport, properties: &[Property], is_helper: bool) {
        let goals = || properties.iter().map(|property| &report.goals.all()[property.goal]);
        let verdict = |goal: &Goal| &report.verdicts[goal.id.index()];
        match is_helper {
            true => {
                // Demands on the inputs of a helper that contradict each other say nothing about its callers.
                let is_proved = |goal: &&Goal| match verdict(goal) {
                    Verdict::Unreachable(proof) => !matches!(proof, Proof::NoInputs),
                    _ => false,
                };
                let open: HashSet<Key> = goals().filter(|goal| !is_proved(goal)).map(key).collect();
                self.proved.extend(goals().filter(is_proved).map(key).filter(|key| !open.contains(key)));
            }
            false => {
                let is_relied = |goal: &&Goal| matches!(verdict(goal), Verdict::Excluded(_, exclusion) if exclusion.is_relied_on());
                self.relied.extend(goals().filter(is_relied).map(key));
            }
        }
    }

    /// Whether a property of a function that is judged through its callers holds whatever they do.
    pub fn is_proved(&self, goal: &Goal) -> bool {
        self.proved.contains(&key(goal))
    }

    /// Whether a property holds only if callers provide what its function relies on.
    pub fn is_relied_on(&self, goal: &Goal) -> bool {
        self.relied.contains(&key(goal))
    }
}
