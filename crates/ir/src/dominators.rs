//! Dominators, after Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001).
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
        let mut number = IdVec::<Block, Option<usize>>::filled(None, cfg.succs.len());
        for (n, &block) in cfg.reverse_postorder.iter().enumerate() {
            number[block] = Some(n);
        }
        let idom_numbers = immediate_dominators(cfg, &number);
        let mut idom = IdVec::filled(None, cfg.succs.len());
        for (n, &block) in cfg.reverse_postorder.iter().enumerate().skip(1) {
            idom[block] = Some(cfg.reverse_postorder[idom_numbers[n]]);
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

/// Immediate dominators by position in reverse postorder; the entry is its own.
fn immediate_dominators(cfg: &Cfg, number: &IdVec<Block, Option<usize>>) -> Vec<usize> {
    let order = &cfg.reverse_postorder;
    let mut idom: Vec<Option<usize>> = vec![None; order.len()];
    idom[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for n in 1..order.len() {
            let processed =
                cfg.preds[order[n]].iter().filter_map(|&p| number[p]).filter(|&p| idom[p].is_some());
            let new = processed.reduce(|a, b| intersect(&idom, a, b));
            if idom[n] != new {
                idom[n] = new;
                changed = true;
            }
        }
    }
    idom.into_iter().map(|n| n.expect("every reached block should have a dominator")).collect()
}

fn intersect(idom: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    let up = |n: usize| idom[n].expect("a processed block should have a dominator");
    while a != b {
        while a > b {
            a = up(a);
        }
        while b > a {
            b = up(b);
        }
    }
    a
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
