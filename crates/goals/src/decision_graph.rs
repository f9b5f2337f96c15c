//! How a decision is evaluated: which condition comes after which.
//!
//! A decision of `&&`, `||` and `!` evaluates its conditions from left to right, each at most once, and what comes
//! after a condition depends only on that condition's outcome. So the evaluations are the paths of a small acyclic
//! graph whose nodes are the conditions.
//!
//! Between two conditions there may be any code: calls, other decisions (`a && (b ? c : d)`), and with GNU's
//! statement expressions even loops and jumps out of the decision. The graph is found by looking for the conditions of
//! this decision only. Control that leaves the decision half-way can come back to it by a loop around it, but then at
//! the first condition: only a later condition continues the evaluation.

use quipu_base::IdVec;
use quipu_ir::{Block, Cond, Decision, FuncBody, Terminator};

use crate::places::Places;

/// The conditions of a decision and their order.
#[derive(Clone, Debug)]
pub(crate) struct DecisionGraph {
    pub conds: Vec<Cond>,
    /// The block of each condition that the code contains.
    pub blocks: Vec<Option<Block>>,
    /// What comes after each condition, when it is true and when it is false.
    next: Vec<[Next; 2]>,
}

/// What comes after a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// The evaluation of this condition of the decision.
    Cond(usize),
    /// The end, with this outcome of the decision.
    Settled(bool),
    /// The condition never has this outcome, or the evaluation never goes on.
    Never,
}

impl DecisionGraph {
    pub(crate) fn of(body: &FuncBody, places: &Places, decision: Decision) -> DecisionGraph {
        let conds: Vec<Cond> = body.conds_of(decision).collect();
        let blocks: Vec<Option<Block>> = conds.iter().map(|&cond| places.conds[cond]).collect();
        let next = (0..conds.len()).map(|n| {
            [true, false].map(|value| match blocks[n] {
                Some(block) if body.conds[conds[n]].constant != Some(!value) => {
                    successor(body, &conds, n, block, value)
                }
                _ => Next::Never,
            })
        });
        DecisionGraph { next: next.collect(), conds, blocks }
    }

    /// What comes after a condition with this outcome.
    pub(crate) fn next(&self, cond: usize, value: bool) -> Next {
        self.next[cond][usize::from(!value)]
    }

    /// The start of every evaluation.
    pub(crate) fn start(&self) -> Next {
        match self.blocks.first() {
            Some(Some(_)) => Next::Cond(0),
            _ => Next::Never,
        }
    }

    /// Whether some evaluation has this outcome, as far as constant conditions tell.
    pub(crate) fn possible(&self, outcome: bool) -> bool {
        self.reaches(self.start(), |_| None, outcome)
    }

    /// Whether the evaluation can go on to this outcome when some conditions have known values.
    pub(crate) fn reaches(&self, from: Next, known: impl Fn(usize) -> Option<bool>, outcome: bool) -> bool {
        let mut seen = vec![false; self.conds.len()];
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            match next {
                Next::Settled(settled) if settled == outcome => return true,
                Next::Cond(cond) if !seen[cond] => {
                    seen[cond] = true;
                    let values = [true, false].into_iter().filter(|&v| known(cond).is_none_or(|k| k == v));
                    open.extend(values.map(|value| self.next(cond, value)));
                }
                _ => {}
            }
        }
        false
    }
}

/// The next condition of the decision behind an edge, or its outcome.
fn successor(body: &FuncBody, conds: &[Cond], from: usize, block: Block, value: bool) -> Next {
    let edge = body.blocks[block].term.edges().nth(usize::from(!value)).expect("a branch has two edges");
    if let Some(outcome) = edge.outcome {
        return Next::Settled(outcome);
    }
    let mut seen = IdVec::filled(false, body.blocks.len());
    let mut open = vec![edge.target];
    let mut later = None;
    while let Some(block) = open.pop() {
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        match own_cond(body, conds, block) {
            Some(cond) if cond > from => later = Some(later.map_or(cond, |known: usize| known.min(cond))),
            Some(_) => {}
            None => open.extend(body.blocks[block].term.edges().map(|edge| edge.target)),
        }
    }
    later.map_or(Next::Never, Next::Cond)
}

/// The number of the condition, among these, that a block branches on.
fn own_cond(body: &FuncBody, conds: &[Cond], block: Block) -> Option<usize> {
    match body.blocks[block].term {
        Terminator::Branch { cond: Some(cond), .. } => conds.iter().position(|&own| own == cond),
        _ => None,
    }
}
