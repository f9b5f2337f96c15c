//! All tests found so far, and what they cover.

use std::borrow::Cow;

use quipu_goals::{BitSet, Credit, GoalId, Goals, Ledger};
use quipu_inputs::{Fill, Inputs, NothingMore, Request};
use quipu_interp::{Observer, Outcome, Unwritten};
use quipu_ir::Event;
use serde::{Deserialize, Serialize};

use crate::record::{News, Record};
use crate::subject::{Bench, is_clean};

/// A test that was worth keeping.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    pub inputs: Inputs,
    pub items: BitSet,
    pub clean: bool,
}

/// Tests, and the bench on which they are run.
pub(crate) struct Pool<'m> {
    bench: Bench<'m>,
    goals: &'m Goals,
    /// The goals that are wanted.
    wanted: Vec<GoalId>,
    credit: Credit<'m>,
    pub found: Vec<Found>,
    /// What clean tests cover.
    pub clean: Ledger<'m>,
    /// What all tests cover.
    pub all: Ledger<'m>,
    /// Who is told of tests.
    record: Record,
    /// What memory holds that nobody has written.
    rule: Unwritten,
    /// Whether a run has ended because it read such memory.
    pub trapped: bool,
}

/// What a run shows.
pub(crate) struct Shown {
    pub items: BitSet,
    pub clean: bool,
    /// What the environment was asked for, and answered.
    pub requests: Vec<Request>,
    /// Whether it read memory that nobody has written.
    reads_unwritten: bool,
}

impl<'m> Pool<'m> {
    pub fn new(bench: Bench<'m>, goals: &'m Goals, wanted: Vec<GoalId>) -> Pool<'m> {
        Pool {
            bench,
            goals,
            wanted,
            credit: Credit::new(goals),
            found: Vec::new(),
            clean: Ledger::new(goals),
            all: Ledger::new(goals),
            record: Record::default(),
            rule: Unwritten::Trap,
            trapped: false,
        }
    }

    /// The same, with other runs where memory is read that nobody has written.
    pub fn under(mut self, rule: Unwritten) -> Pool<'m> {
        self.rule = rule;
        self
    }

    /// The same, and every test that it keeps is told.
    pub fn recorded(mut self, record: Record) -> Pool<'m> {
        self.record = record;
        self
    }

    /// Keeps a test that was found before.
    pub fn keep(&mut self, found: Found) {
        if found.clean {
            self.clean.add_test(&found.items);
        }
        self.all.add_test(&found.items);
        self.found.push(found);
    }

    pub fn goals(&self) -> &'m Goals {
        self.goals
    }

    pub fn runs(&self) -> u64 {
        self.bench.runs
    }

    /// The instructions executed in all runs.
    pub fn steps(&self) -> u64 {
        self.bench.steps
    }

    /// Runs inputs, and keeps them if that brings some goal nearer. Says whether it did.
    pub fn try_inputs(&mut self, inputs: &Inputs) -> bool {
        self.try_filled(inputs, &mut NothingMore)
    }

    /// As [`Pool::try_inputs`]; what the inputs do not answer is filled.
    pub fn try_filled(&mut self, inputs: &Inputs, fill: &mut dyn Fill) -> bool {
        let Some(Shown { items, clean, requests, reads_unwritten }) = self.show(&self.ruled(inputs), fill)
        else {
            return false;
        };
        let gains = if clean { self.clean.gains(&items) } else { self.all.gains(&items) };
        if gains {
            let sequence = requests.iter().map(|request| request.bits).collect();
            // A run that reads no such memory is the same under every rule.
            let unwritten = if reads_unwritten { self.rule } else { Unwritten::Trap };
            let inputs = Inputs { leaves: inputs.leaves.clone(), sequence, unwritten };
            let found = Found { inputs, items, clean };
            self.record.tell(|| News::Found(found.clone()));
            self.keep(found);
        }
        gains
    }

    /// Inputs under the rule of this pool, wherever they come from.
    fn ruled<'i>(&self, inputs: &'i Inputs) -> Cow<'i, Inputs> {
        match inputs.unwritten == self.rule {
            true => Cow::Borrowed(inputs),
            false => Cow::Owned(Inputs { unwritten: self.rule, ..inputs.clone() }),
        }
    }

    /// What inputs show; none if they do not count.
    pub fn show(&mut self, inputs: &Inputs, fill: &mut dyn Fill) -> Option<Shown> {
        self.credit.clear();
        let observation = self.bench.run(inputs, fill, &mut self.credit)?;
        self.credit.ended(&observation.outcome);
        let is_trap = |event: &Event| *event == Event::UninitializedRead;
        self.trapped |= matches!(&observation.outcome, Outcome::Event { event, .. } if is_trap(event));
        Some(Shown {
            items: self.credit.items().clone(),
            clean: is_clean(&observation.outcome),
            requests: observation.requests,
            reads_unwritten: !observation.unwritten.is_empty(),
        })
    }

    /// Runs inputs for somebody who wants to know what they do. Whether they count.
    pub fn follow(&mut self, inputs: &Inputs, observer: &mut impl Observer) -> bool {
        let inputs = self.ruled(inputs);
        self.bench.run(&inputs, &mut NothingMore, observer).is_some()
    }

    /// Whether a goal is met, if need be by a test that is not clean.
    pub fn is_covered(&self, goal: GoalId) -> bool {
        self.all.is_covered(goal)
    }

    /// Whether a goal is met as well as it can be: by a clean test, unless no clean one can.
    pub fn is_settled(&self, goal: GoalId) -> bool {
        let violation = self.goals.all()[goal].is_violation();
        if violation { self.all.is_covered(goal) } else { self.clean.is_covered(goal) }
    }

    /// The goals that are wanted.
    pub fn wanted(&self) -> &[GoalId] {
        &self.wanted
    }

    pub fn is_complete(&self) -> bool {
        self.wanted.iter().all(|&goal| self.is_settled(goal))
    }
}
