//! Where control leaves a function, and where it is assumed to leave a loop without an end.
//!
//! Post-dominance speaks of paths to an exit, so every block needs one. `for (;;)` has none; without help,
//! everything would post-dominate such a loop, vacuously. So each cycle that cannot be left is given one
//! assumed exit, behind its last block in reverse postorder: usually the latch, so that one turn of the loop
//! is seen as straight-line code, like the body of a `do ... while`.

use quipu_base::Id;
use quipu_ir::{Block, Cfg};

use crate::graph::Components;

/// The blocks at whose end the function is left, by a return or for good.
pub fn exit_blocks(cfg: &Cfg) -> impl Iterator<Item = Block> {
    cfg.reverse_postorder.iter().copied().filter(|&block| cfg.succs[block].is_empty())
}

/// One block of each strongly connected region, reached by the entry, that no path leaves.
pub fn assumed_exits(cfg: &Cfg) -> Vec<Block> {
    let components = Components::compute(&cfg.succs);
    let mut can_be_left: Vec<bool> =
        components.members.ids().map(|component| !components.is_cyclic(component, &cfg.succs)).collect();
    let component = |block: Block| components.of[block].index();
    for (block, succs) in cfg.succs.entries() {
        can_be_left[component(block)] |= succs.iter().any(|&succ| component(succ) != component(block));
    }
    let mut exits = Vec::new();
    for &block in cfg.reverse_postorder.iter().rev() {
        if !std::mem::replace(&mut can_be_left[component(block)], true) {
            exits.push(block);
        }
    }
    exits.reverse();
    exits
}
