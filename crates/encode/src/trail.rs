//! One run, to be followed with terms.
//!
//! An encoding along a trail goes where a run went, and nowhere else: it costs what the run costs, however many paths the
//! function has. Of the edges that the run did not take it tells when they would have been taken, which is what is asked
//! to get to them. Nothing is proved by such an encoding.

use quipu_interp::Observer;
use quipu_ir::{Block, Func, FuncBody, Module};

use crate::encoder::Engine;

/// A step of a run that could have been another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Step {
    /// A function is entered.
    Enter(Func),
    /// A block with several edges is left by one of them.
    Edge(Func, Block, usize),
}

/// The way of a run through the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Trail {
    steps: Vec<Step>,
}

impl Trail {
    /// The edges that were taken where there were others.
    pub fn edges(&self) -> impl Iterator<Item = (Func, Block, usize)> + '_ {
        self.steps.iter().filter_map(|step| match *step {
            Step::Edge(func, block, edge) => Some((func, block, edge)),
            Step::Enter(_) => None,
        })
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// Writes down the way of a run, up to a number of steps.
pub struct Tracker<'m> {
    module: &'m Module,
    most: usize,
    pub trail: Trail,
}

impl<'m> Tracker<'m> {
    pub fn new(module: &'m Module, most: usize) -> Tracker<'m> {
        Tracker { module, most, trail: Trail::default() }
    }

    fn add(&mut self, step: Step) {
        if self.trail.steps.len() < self.most {
            self.trail.steps.push(step);
        }
    }
}

impl Observer for Tracker<'_> {
    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        let parts = |code: &FuncBody| code.blocks[block].term.edges().count() > 1;
        if self.module.functions[func].code().is_some_and(parts) {
            self.add(Step::Edge(func, block, edge));
        }
    }

    fn enter(&mut self, func: Func) {
        self.add(Step::Enter(func));
    }
}

impl Engine<'_> {
    /// The edge by which the run leaves a block, if a run is followed; `Some(None)` if it does not come here any more.
    pub fn taken(&mut self, func: Func, block: Block) -> Option<Option<usize>> {
        let trail = self.unwinding.trail.as_ref().filter(|_| !self.assuming)?;
        let step = trail.steps.get(self.followed);
        self.followed += 1;
        Some(match step {
            Some(&Step::Edge(own, at, edge)) if (own, at) == (func, block) => Some(edge),
            _ => None,
        })
    }

    /// A function is entered; whether the run does so.
    pub fn follow_into(&mut self, func: Func) -> bool {
        let Some(trail) = self.unwinding.trail.as_ref().filter(|_| !self.assuming) else { return true };
        let step = trail.steps.get(self.followed);
        self.followed += 1;
        step == Some(&Step::Enter(func))
    }

    /// Whether the run, if one is followed, may call a function now, among others that a pointer may point to.
    pub fn may_follow_into(&self, func: Func) -> bool {
        let Some(trail) = self.unwinding.trail.as_ref().filter(|_| !self.assuming) else { return true };
        match trail.steps.get(self.followed) {
            Some(Step::Enter(next)) => *next == func,
            _ => self.module.functions[func].code().is_none(),
        }
    }
}
