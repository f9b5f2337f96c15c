//! Post-dominators: the dominators of the reversed control-flow graph.
//!
//! All blocks without successors (`return`, a missing return, the end behind a call that does not return)
//! lead to one virtual exit. So do the assumed exits of endless loops, see [`exits`](crate::exits); hence
//! every block that the entry reaches has a path to the exit. Other blocks post-dominate only themselves.

use quipu_base::{Id, IdVec};
use quipu_ir::{Block, Cfg, Dominators};

use crate::exits::{assumed_exits, exit_blocks};
use crate::graph::reverse_postorder;

/// The post-dominator tree of a control-flow graph.
#[derive(Clone, Debug)]
pub struct PostDominators {
    /// Dominators of the reversed graph, in which the virtual exit is the last block.
    reversed: Dominators,
    exit: Block,
    assumed_exits: Vec<Block>,
}

impl PostDominators {
    /// The post-dominators of the blocks that the entry reaches.
    pub fn compute(cfg: &Cfg) -> PostDominators {
        let assumed_exits = assumed_exits(cfg);
        let exit = Block::new(cfg.succs.len());
        let reversed = Dominators::compute(&reverse(cfg, exit, &assumed_exits));
        PostDominators { reversed, exit, assumed_exits }
    }

    /// The immediate post-dominator; none if that is the exit, and for unreachable blocks.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        self.reversed.idom(block).filter(|&parent| parent != self.exit)
    }

    /// Whether every path from `b` to the exit passes `a`. A block post-dominates itself.
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        self.reversed.dominates(a, b)
    }

    /// The blocks behind which an endless loop is assumed to be left, although no edge says so.
    pub fn assumed_exits(&self) -> &[Block] {
        &self.assumed_exits
    }
}

/// The reversed graph of the blocks that the entry reaches, rooted at the new block `exit`.
fn reverse(cfg: &Cfg, exit: Block, assumed_exits: &[Block]) -> Cfg {
    let mut preds = IdVec::<Block, Vec<Block>>::filled(Vec::new(), cfg.succs.len() + 1);
    for &block in &cfg.reverse_postorder {
        preds[block].clone_from(&cfg.succs[block]);
    }
    exit_blocks(cfg).chain(assumed_exits.iter().copied()).for_each(|block| preds[block].push(exit));
    let mut succs = IdVec::<Block, Vec<Block>>::filled(Vec::new(), preds.len());
    for (block, targets) in preds.entries() {
        targets.iter().for_each(|&target| succs[target].push(block));
    }
    let reverse_postorder = reverse_postorder(exit, &succs);
    Cfg { succs, preds, reverse_postorder }
}
