//! The evaluations of a decision, and which of them show that a condition matters.
//!
//! MC/DC is about pairs of evaluations. With short circuit an evaluation is a path: some conditions have values, the
//! others were not evaluated and count as free. A condition is *masked* in an evaluation when flipping it, with all
//! other evaluated conditions kept, cannot change the outcome (Chilenski, "An investigation of three forms of the
//! modified condition decision coverage criterion", DOT/FAA/AR-01/18, 2001). Two evaluations are an independence pair
//! by *unique cause* when the condition and the outcome differ, and all other conditions that both evaluate agree.
//!
//! Paths are numbered as they are met when every condition is tried true first. The number of a path is the sum of
//! offsets of its edges (Ball and Larus, "Efficient path profiling", MICRO 1996), so that a run adds up the number
//! without storing the path.

use quipu_base::Id;
use quipu_ir::{Block, Cond, Decision, Func};

use crate::decision_graph::{DecisionGraph, Next};
use crate::goal::{Item, Way};

/// Decisions with more evaluations are not analysed.
const MOST_PATHS: u64 = 4096;

/// The conditions that fit a path's masks.
const MOST_CONDS: usize = 128;

/// All evaluations of a decision.
#[derive(Clone, Debug)]
pub struct Evaluations {
    pub func: Func,
    pub decision: Decision,
    graph: DecisionGraph,
    /// The number of paths from each condition to the end.
    counts: Vec<u64>,
    /// The paths, by number.
    pub paths: Vec<Path>,
    /// The item of the first path; the others follow.
    first_item: usize,
}

/// One evaluation: the conditions from the first to the one that settles the outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The edges by which the conditions' blocks are left.
    pub edges: Vec<(Block, usize)>,
    /// The outcome of the decision.
    pub outcome: bool,
    evaluated: u128,
    values: u128,
}

impl Path {
    /// The value of a condition, counted within the decision, where it was evaluated.
    pub fn value(&self, cond: usize) -> Option<bool> {
        (self.evaluated >> cond & 1 != 0).then_some(self.values >> cond & 1 != 0)
    }

    /// Whether two evaluations show by unique cause that a condition matters.
    pub fn pairs_with(&self, other: &Path, cond: usize) -> bool {
        let differ = self.evaluated & other.evaluated & (self.values ^ other.values);
        differ == 1 << cond && self.outcome != other.outcome
    }

    fn step(&self, cond: usize, block: Block, value: bool) -> Path {
        let mut path = self.clone();
        path.edges.push((block, usize::from(!value)));
        path.evaluated |= 1 << cond;
        path.values |= u128::from(value) << cond;
        path
    }
}

impl Evaluations {
    /// The evaluations of a decision, numbered from an item on; or why there are none to work with.
    pub(crate) fn of(
        func: Func,
        decision: Decision,
        graph: DecisionGraph,
        first_item: usize,
    ) -> Result<Evaluations, String> {
        if graph.conds.len() > MOST_CONDS {
            return Err(format!("{} conditions, more than {MOST_CONDS}", graph.conds.len()));
        }
        let counts = counts(&graph);
        let mut evaluations = Evaluations { func, decision, graph, counts, paths: Vec::new(), first_item };
        let total = evaluations.count(evaluations.graph.start());
        if total > MOST_PATHS {
            return Err(format!("more than {MOST_PATHS} ways to evaluate the decision"));
        }
        let empty = Path { edges: Vec::new(), outcome: false, evaluated: 0, values: 0 };
        evaluations.enumerate(evaluations.graph.start(), empty);
        Ok(evaluations)
    }

    /// The conditions, in evaluation order.
    pub fn conds(&self) -> &[Cond] {
        &self.graph.conds
    }

    /// The item that a run shows by a path.
    pub fn item(&self, path: usize) -> Item {
        Item::new(self.first_item + path)
    }

    /// The path that an item stands for.
    pub fn path(&self, item: Item) -> Option<&Path> {
        self.paths.get(item.index().checked_sub(self.first_item)?)
    }

    /// A path as a way.
    pub(crate) fn way(&self, path: usize) -> Way {
        Way::Evaluation(self.func, self.paths[path].edges.clone())
    }

    /// The paths in which a condition has a value and is not masked.
    pub(crate) fn unmasked(&self, cond: usize, value: bool) -> Vec<usize> {
        let shows = |path: &Path| path.value(cond) == Some(value) && self.is_unmasked(path, cond, value);
        (0..self.paths.len()).filter(|&number| shows(&self.paths[number])).collect()
    }

    /// A path as text, such as `T F -`.
    pub fn vector(&self, path: &Path) -> String {
        let letter = |cond| match path.value(cond) {
            Some(true) => "T",
            Some(false) => "F",
            None => "-",
        };
        (0..self.graph.conds.len()).map(letter).collect::<Vec<_>>().join(" ")
    }

    /// What a condition's outcome adds to the number of the path.
    pub(crate) fn offset(&self, cond: usize, value: bool) -> usize {
        if value { 0 } else { self.count(self.graph.next(cond, true)) as usize }
    }

    /// Whether a condition's outcome settles the decision.
    pub(crate) fn settles(&self, cond: usize, value: bool) -> bool {
        matches!(self.graph.next(cond, value), Next::Settled(_))
    }

    fn is_unmasked(&self, path: &Path, cond: usize, value: bool) -> bool {
        self.graph.reaches(self.graph.next(cond, !value), |other| path.value(other), !path.outcome)
    }

    fn count(&self, next: Next) -> u64 {
        count(&self.counts, next)
    }

    fn enumerate(&mut self, next: Next, path: Path) {
        match next {
            Next::Never => {}
            Next::Settled(outcome) => self.paths.push(Path { outcome, ..path }),
            Next::Cond(cond) => {
                let block = self.graph.blocks[cond].expect("an evaluation only meets conditions in the code");
                for value in [true, false] {
                    self.enumerate(self.graph.next(cond, value), path.step(cond, block, value));
                }
            }
        }
    }
}

/// The number of paths from each condition. Later conditions first: the graph only goes forward.
fn counts(graph: &DecisionGraph) -> Vec<u64> {
    let mut counts = vec![0; graph.conds.len()];
    for cond in (0..graph.conds.len()).rev() {
        let [yes, no] = [true, false].map(|value| count(&counts, graph.next(cond, value)));
        counts[cond] = yes.saturating_add(no);
    }
    counts
}

fn count(counts: &[u64], next: Next) -> u64 {
    match next {
        Next::Cond(cond) => counts[cond],
        Next::Settled(_) => 1,
        Next::Never => 0,
    }
}
