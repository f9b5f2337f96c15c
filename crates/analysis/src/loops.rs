//! Natural loops, their nesting, and the cycles that are not natural loops.
//!
//! A back edge leads to a block that dominates its source; the back edges to one header form one loop. Two
//! loops are disjoint or one contains the other, also in irreducible graphs: if both headers dominate a
//! common block, one header dominates the other, and the inner loop's blocks reach the outer latch without
//! the outer header.
//!
//! Without its back edges a reducible graph has no cycle (Hecht and Ullman, 1972). The strongly connected
//! components that remain otherwise are the irreducible regions. Each has several entries: a single one would
//! dominate the region, and the edges to it would have been back edges.

use quipu_base::{Id, IdVec, define_id};
use quipu_ir::{Block, Cfg, Dominators};

use crate::graph::Components;

define_id!(
    /// A natural loop.
    Loop, "loop"
);

/// A natural loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopData {
    /// The block through which the loop is entered.
    pub header: Block,
    /// The sources of the back edges, in increasing order.
    pub latches: Vec<Block>,
    /// All blocks, inner loops' included, in reverse postorder.
    pub blocks: Vec<Block>,
    /// The innermost loop around this one.
    pub parent: Option<Loop>,
    /// The number of loops around this one, plus one.
    pub depth: usize,
    /// The edges that leave the loop: source block and edge index.
    pub exits: Vec<(Block, usize)>,
}

/// A cycle, or several that share blocks, with more than one entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IrreducibleRegion {
    /// The blocks, in increasing order.
    pub blocks: Vec<Block>,
    /// The blocks through which the region is entered, in increasing order.
    pub entries: Vec<Block>,
}

/// The loops of a control-flow graph.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The natural loops; a loop precedes the loops inside.
    pub loops: IdVec<Loop, LoopData>,
    /// The cycles that are not natural loops.
    pub irreducible: Vec<IrreducibleRegion>,
    innermost: IdVec<Block, Option<Loop>>,
}

impl Loops {
    /// The loops among the blocks that the entry reaches.
    pub fn compute(cfg: &Cfg, dominators: &Dominators) -> Loops {
        let mut loops = Loops {
            loops: headers(cfg, dominators),
            irreducible: irreducible_regions(cfg, dominators),
            innermost: IdVec::filled(None, cfg.succs.len()),
        };
        loops.loops.ids().rev().for_each(|id| loops.claim_blocks(cfg, dominators, id));
        loops.set_depths();
        loops.collect_blocks(cfg);
        loops
    }

    /// The innermost loop that contains a block.
    pub fn innermost(&self, block: Block) -> Option<Loop> {
        self.innermost[block]
    }

    /// Whether a loop contains a block.
    pub fn contains(&self, id: Loop, block: Block) -> bool {
        self.around(self.innermost[block]).any(|outer| outer == id)
    }

    /// The number of loops around a block.
    pub fn depth(&self, block: Block) -> usize {
        self.innermost[block].map_or(0, |id| self.loops[id].depth)
    }

    /// A loop and those around it, from the inside out.
    fn around(&self, start: Option<Loop>) -> impl Iterator<Item = Loop> {
        std::iter::successors(start, |&id| self.loops[id].parent)
    }

    /// Walks backwards from the latches. Inner loops have claimed their blocks already: they are adopted as
    /// a whole and left through their header.
    fn claim_blocks(&mut self, cfg: &Cfg, dominators: &Dominators, id: Loop) {
        let reached_preds = |block: Block| reached_preds(cfg, dominators, block);
        let header = self.loops[id].header;
        self.innermost[header] = Some(id);
        let mut work = self.loops[id].latches.clone();
        while let Some(block) = work.pop() {
            let outermost = self.around(self.innermost[block]).last();
            match outermost {
                Some(inner) if inner == id => {}
                Some(inner) => {
                    self.loops[inner].parent = Some(id);
                    work.extend(reached_preds(self.loops[inner].header));
                }
                None => {
                    self.innermost[block] = Some(id);
                    work.extend(reached_preds(block));
                }
            }
        }
    }

    fn set_depths(&mut self) {
        for id in self.loops.ids() {
            self.loops[id].depth = self.around(Some(id)).count();
        }
    }

    fn collect_blocks(&mut self, cfg: &Cfg) {
        for &block in &cfg.reverse_postorder {
            let around: Vec<Loop> = self.around(self.innermost[block]).collect();
            for &id in &around {
                self.loops[id].blocks.push(block);
            }
            for (index, &target) in cfg.succs[block].iter().enumerate() {
                let n_left = around.iter().take_while(|&&id| !self.contains(id, target)).count();
                for &id in &around[..n_left] {
                    self.loops[id].exits.push((block, index));
                }
            }
        }
    }
}

fn is_back_edge(dominators: &Dominators, from: Block, to: Block) -> bool {
    dominators.dominates(to, from)
}

fn reached_preds(cfg: &Cfg, dominators: &Dominators, block: Block) -> impl Iterator<Item = Block> {
    cfg.preds[block].iter().copied().filter(|&pred| dominators.is_reachable(pred))
}

/// One loop for each header, in reverse postorder and so the outer ones first, with its latches only.
fn headers(cfg: &Cfg, dominators: &Dominators) -> IdVec<Loop, LoopData> {
    let mut loops = IdVec::new();
    for &header in &cfg.reverse_postorder {
        let mut latches: Vec<Block> = reached_preds(cfg, dominators, header)
            .filter(|&pred| is_back_edge(dominators, pred, header))
            .collect();
        latches.sort_unstable();
        latches.dedup();
        if !latches.is_empty() {
            let (blocks, exits) = (Vec::new(), Vec::new());
            loops.push(LoopData { header, latches, blocks, parent: None, depth: 0, exits });
        }
    }
    loops
}

fn irreducible_regions(cfg: &Cfg, dominators: &Dominators) -> Vec<IrreducibleRegion> {
    let mut forward = IdVec::<Block, Vec<Block>>::filled(Vec::new(), cfg.succs.len());
    for &block in &cfg.reverse_postorder {
        let targets = cfg.succs[block].iter().copied();
        forward[block] = targets.filter(|&target| !is_back_edge(dominators, block, target)).collect();
    }
    let components = Components::compute(&forward);
    let mut is_entry = IdVec::<Block, bool>::filled(false, cfg.succs.len());
    for (block, targets) in forward.entries() {
        for &target in targets {
            is_entry[target] |= components.of[target] != components.of[block];
        }
    }
    let cyclic = components.members.iter().filter(|members| members.len() > 1);
    let mut regions: Vec<IrreducibleRegion> = cyclic
        .map(|blocks| IrreducibleRegion {
            blocks: blocks.clone(),
            entries: blocks.iter().copied().filter(|&block| is_entry[block]).collect(),
        })
        .collect();
    regions.sort_unstable_by_key(|region| region.blocks[0].index());
    regions
}
