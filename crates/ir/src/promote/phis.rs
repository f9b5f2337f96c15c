//! Where assignments to a slot meet: the block parameters of pruned SSA form.

use quipu_base::IdVec;

use super::SlotAddresses;
use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::function::{Block, FuncBody, Slot, Value};
use crate::inst::{Inst, InstKind};
use crate::ty::Ty;

/// For each block the slots that got a parameter, which stand behind the parameters it had before.
pub type Phis = IdVec<Block, Vec<(Slot, Value)>>;

/// For each block that is the head of a loop the promoted slots of variables that are live there.
pub type LiveAtHeads = IdVec<Block, Vec<Slot>>;

/// Adds the block parameters that the promoted slots need. The edges do not supply them yet.
pub fn place(
    body: &mut FuncBody,
    cfg: &Cfg,
    dominators: &Dominators,
    address_of: &SlotAddresses,
    promoted: &IdVec<Slot, bool>,
) -> (Phis, LiveAtHeads) {
    let flows = flows(body, address_of, promoted);
    let frontiers = dominance_frontiers(cfg, dominators);
    let mut live = Marks::new(body.blocks.len());
    let mut placed = Marks::new(body.blocks.len());
    let mut phis = Phis::filled(Vec::new(), body.blocks.len());
    let heads = loop_heads(cfg, dominators);
    let mut live_at_heads = LiveAtHeads::filled(Vec::new(), body.blocks.len());
    for (slot, flow) in flows.entries() {
        let Some(ty) = flow.ty else { continue };
        live.clear();
        placed.clear();
        mark_live_blocks(cfg, flow, &mut live);
        if body.slots[slot].name.is_some() {
            let live_heads = heads.iter().filter(|&&head| live.contains(head));
            live_heads.for_each(|&head| live_at_heads[head].push(slot));
        }
        for block in meeting_points(flow, &frontiers, &live, &mut placed) {
            let param = body.fresh(ty);
            body.blocks[block].params.push(param);
            phis[block].push((slot, param));
        }
    }
    (phis, live_at_heads)
}

/// The blocks that an edge from behind them leads back to.
fn loop_heads(cfg: &Cfg, dominators: &Dominators) -> Vec<Block> {
    let is_head = |&&block: &&Block| cfg.preds[block].iter().any(|&pred| dominators.dominates(block, pred));
    cfg.reverse_postorder.iter().filter(is_head).copied().collect()
}

/// How a slot is used across blocks.
#[derive(Clone, Default)]
struct Flow {
    /// The type stored; none if the slot is never stored to.
    ty: Option<Ty>,
    /// The blocks with a store.
    stores: Vec<Block>,
    /// The blocks with a load that no store of the same block precedes.
    exposed: Vec<Block>,
}

fn flows(body: &FuncBody, address_of: &SlotAddresses, promoted: &IdVec<Slot, bool>) -> IdVec<Slot, Flow> {
    let mut flows = IdVec::<Slot, Flow>::filled(Flow::default(), body.slots.len());
    for (block, data) in body.blocks.entries() {
        for inst in &data.insts {
            let Some(slot) = accessed_slot(inst, address_of, promoted) else { continue };
            let flow = &mut flows[slot];
            let stored_here = flow.stores.last() == Some(&block);
            match inst.kind {
                InstKind::Store { value, .. } if !stored_here => {
                    flow.ty = Some(body.ty(value));
                    flow.stores.push(block);
                }
                InstKind::Load { .. } if !stored_here && flow.exposed.last() != Some(&block) => {
                    flow.exposed.push(block);
                }
                _ => {}
            }
        }
    }
    flows
}

/// The promoted slot that an instruction loads from or stores to.
pub fn accessed_slot(inst: &Inst, address_of: &SlotAddresses, promoted: &IdVec<Slot, bool>) -> Option<Slot> {
    match inst.kind {
        InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => {
            address_of[ptr].filter(|&slot| promoted[slot])
        }
        _ => None,
    }
}

/// For each block the blocks where its dominance ends. The cost is the size of the result: a walk up the
/// tree stops where an earlier one for the same block has been.
fn dominance_frontiers(cfg: &Cfg, dominators: &Dominators) -> IdVec<Block, Vec<Block>> {
    let mut frontiers = IdVec::<Block, Vec<Block>>::filled(Vec::new(), cfg.succs.len());
    for &join in &cfg.reverse_postorder {
        let stop = dominators.idom(join);
        for &pred in &cfg.preds[join] {
            let mut runner = Some(pred);
            while runner != stop {
                let block = runner.expect("the walk should meet the join's dominator");
                if frontiers[block].last() == Some(&join) {
                    break;
                }
                frontiers[block].push(join);
                runner = dominators.idom(block);
            }
        }
    }
    frontiers
}

/// Marks the blocks at whose start the slot is live.
fn mark_live_blocks(cfg: &Cfg, flow: &Flow, live: &mut Marks) {
    let mut work = flow.exposed.clone();
    work.iter().for_each(|&block| _ = live.mark(block));
    while let Some(block) = work.pop() {
        for &pred in &cfg.preds[block] {
            let stores = flow.stores.binary_search(&pred).is_ok();
            if !stores && live.mark(pred) {
                work.push(pred);
            }
        }
    }
}

/// The live blocks of the iterated dominance frontier of the stores. A block where the slot is dead need not
/// be iterated over: every path from there to a live block passes a store, whose own frontier counts.
fn meeting_points(
    flow: &Flow,
    frontiers: &IdVec<Block, Vec<Block>>,
    live: &Marks,
    placed: &mut Marks,
) -> Vec<Block> {
    let mut points = Vec::new();
    let mut work = flow.stores.clone();
    while let Some(block) = work.pop() {
        for &join in &frontiers[block] {
            if live.contains(join) && placed.mark(join) {
                points.push(join);
                work.push(join);
            }
        }
    }
    points
}

/// A set of blocks that is emptied in constant time.
struct Marks {
    epoch: u32,
    marked: IdVec<Block, u32>,
}

impl Marks {
    fn new(n_blocks: usize) -> Marks {
        Marks { epoch: 1, marked: IdVec::filled(0, n_blocks) }
    }

    fn clear(&mut self) {
        self.epoch += 1;
    }

    fn contains(&self, block: Block) -> bool {
        self.marked[block] == self.epoch
    }

    /// Adds a block; whether it is new.
    fn mark(&mut self, block: Block) -> bool {
        std::mem::replace(&mut self.marked[block], self.epoch) != self.epoch
    }
}
