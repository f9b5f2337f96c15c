//! Dominators by the Semi-NCA algorithm (Georgiadis, "Linear-Time Algorithms for Dominators and Related
//! Problems", 2005): semidominators with path compression, then the nearest common ancestor. Near-linear also
//! on the long chains with one common exit that `a && b && c && ...` makes.
//!
//! Blocks that the entry does not reach have no immediate dominator and dominate nothing but themselves.

use quipu_base::IdVec;

use crate::cfg::Cfg;
use crate::function::Block;

/// The dominator tree of a control-flow graph.
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: IdVec<Block, Option<Block>>,
    /// Entry and exit times of a walk over the tree: `a` dominates `b` if its interval contains `b`'s.
    interval: IdVec<Block, Option<(u32, u32)>>,
}

impl Dominators {
    /// The dominators of the blocks that the entry reaches.
    pub fn compute(cfg: &Cfg) -> Dominators {
        let walk = Walk::from(cfg.reverse_postorder[0], cfg);
        let mut idom = IdVec::filled(None, cfg.succs.len());
        for (n, dominator) in immediate_dominators(cfg, &walk).into_iter().enumerate().skip(1) {
            idom[walk.order[n]] = Some(walk.order[dominator]);
        }
        let interval = tree_intervals(cfg, &idom);
        Dominators { idom, interval }
    }

    /// The immediate dominator; none for the entry and for unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block]
    }

    /// Whether every path from the entry to `b` passes `a`. A block dominates itself.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        match (self.interval[a], self.interval[b]) {
            (Some((a_in, a_out)), Some((b_in, b_out))) => a_in <= b_in && b_out <= a_out,
            _ => a == b,
        }
    }

    /// Whether the entry reaches the block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.interval[block].is_some()
    }
}

/// A depth-first walk from the entry.
struct Walk {
    /// The blocks in the order in which they were found.
    order: Vec<Block>,
    /// The place of each block in that order.
    number: IdVec<Block, Option<usize>>,
    /// From which block, by its place, each was found; the entry from itself.
    parent: Vec<usize>,
}

impl Walk {
    fn from(entry: Block, cfg: &Cfg) -> Walk {
        let mut walk =
            Walk { order: Vec::new(), number: IdVec::filled(None, cfg.succs.len()), parent: Vec::new() };
        let mut stack = vec![(entry, 0)];
        while let Some((block, parent)) = stack.pop() {
            if walk.number[block].is_some() {
                continue;
            }
            let n = walk.order.len();
            walk.number[block] = Some(n);
            walk.order.push(block);
            walk.parent.push(parent);
            stack.extend(cfg.succs[block].iter().rev().map(|&succ| (succ, n)));
        }
        walk
    }
}

/// Immediate dominators by place in the walk; the entry is its own.
fn immediate_dominators(cfg: &Cfg, walk: &Walk) -> Vec<usize> {
    let mut forest = Forest::new(&walk.parent);
    for n in (1..walk.order.len()).rev() {
        let preds = cfg.preds[walk.order[n]].iter().filter_map(|&pred| walk.number[pred]);
        let semi = preds.map(|pred| forest.lowest(pred, n)).min().unwrap_or(0);
        forest.semi[n] = forest.semi[n].min(semi);
    }
    let mut idom = walk.parent.clone();
    for n in 1..idom.len() {
        while idom[n] > forest.semi[n] {
            idom[n] = idom[idom[n]];
        }
    }
    idom
}

/// The part of the walk's tree that is numbered above the block in hand, with compressed paths.
struct Forest {
    semi: Vec<usize>,
    /// The block with the smallest semidominator on the compressed path above a block.
    best: Vec<usize>,
    ancestor: Vec<usize>,
}

impl Forest {
    fn new(parent: &[usize]) -> Forest {
        let numbers: Vec<usize> = (0..parent.len()).collect();
        Forest { semi: numbers.clone(), best: numbers, ancestor: parent.to_vec() }
    }

    /// The smallest semidominator on the tree path from `node` up to, but not including, the blocks numbered
    /// up to `limit`; the node's own number if it is not above the limit.
    fn lowest(&mut self, node: usize, limit: usize) -> usize {
        if node <= limit {
            return node;
        }
        let mut path = vec![node];
        let mut top = node;
        while self.ancestor[top] > limit {
            top = self.ancestor[top];
            path.push(top);
        }
        let root = self.ancestor[top];
        let mut best = self.best[top];
        for &below in path.iter().rev() {
            if self.semi[self.best[below]] < self.semi[best] {
                best = self.best[below];
            }
            self.best[below] = best;
            self.ancestor[below] = root;
        }
        self.semi[best]
    }
}

fn tree_intervals(cfg: &Cfg, idom: &IdVec<Block, Option<Block>>) -> IdVec<Block, Option<(u32, u32)>> {
    let mut children = IdVec::<Block, Vec<Block>>::filled(Vec::new(), idom.len());
    for &block in &cfg.reverse_postorder {
        if let Some(parent) = idom[block] {
            children[parent].push(block);
        }
    }
    let mut interval = IdVec::filled(None, idom.len());
    let mut clock = 0;
    let mut stack = vec![(cfg.reverse_postorder[0], false)];
    while let Some((block, leaving)) = stack.pop() {
        if leaving {
            interval[block] = interval[block].map(|(entered, _)| (entered, clock));
        } else {
            interval[block] = Some((clock, clock));
            stack.push((block, true));
            stack.extend(children[block].iter().rev().map(|&child| (child, false)));
        }
        clock += 1;
    }
    interval
}
