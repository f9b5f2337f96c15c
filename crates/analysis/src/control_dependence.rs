//! Control dependence within a function.
//!
//! A block depends on an edge of another block if taking that edge makes it inevitable, and another way out
//! avoids it; after Ferrante, Ottenstein and Warren, "The program dependence graph and its use in
//! optimization" (TOPLAS 1987). As there, the entry counts as a decision of its own: the blocks that every
//! run meets depend on the root. Every block that the entry reaches depends on something.
//!
//! Calls are taken to return; see [`interprocedural`](crate::interprocedural) for those that do not.

use quipu_base::IdVec;
use quipu_ir::{Block, Cfg};

use crate::post_dominators::PostDominators;

/// What a block depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Control {
    /// The function being entered.
    Root,
    /// The edge with this index being taken at the end of a block.
    Edge(Block, usize),
}

/// The control dependences of a function.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    controls: IdVec<Block, Vec<Control>>,
}

impl ControlDependence {
    /// The control dependences of the blocks that the entry reaches.
    pub fn compute(cfg: &Cfg, post_dominators: &PostDominators) -> ControlDependence {
        let mut controls = IdVec::<Block, Vec<Control>>::filled(Vec::new(), cfg.succs.len());
        let mut mark_up_to = |start: Block, stop: Option<Block>, control: Control| {
            let mut runner = Some(start);
            while runner != stop {
                let block = runner.expect("the walk should meet the immediate post-dominator");
                controls[block].push(control);
                runner = post_dominators.ipdom(block);
            }
        };
        let entry = cfg.reverse_postorder[0];
        mark_up_to(entry, None, Control::Root);
        for &block in &cfg.reverse_postorder {
            for (index, &target) in cfg.succs[block].iter().enumerate() {
                mark_up_to(target, post_dominators.ipdom(block), Control::Edge(block, index));
            }
        }
        controls.iter_mut().for_each(|controls| controls.sort_unstable());
        ControlDependence { controls }
    }

    /// What a block depends on, the root first; nothing for an unreachable block.
    pub fn controls(&self, block: Block) -> &[Control] {
        &self.controls[block]
    }
}
