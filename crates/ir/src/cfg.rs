//! The control-flow graph of a body: predecessors, and an order for forward analyses.

use quipu_base::IdVec;

use crate::function::{Block, FuncBody};

/// Predecessors and reverse postorder.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// The successors of each block, one entry per edge.
    pub succs: IdVec<Block, Vec<Block>>,
    /// The predecessors of each block, one entry per edge.
    pub preds: IdVec<Block, Vec<Block>>,
    /// The blocks that the entry reaches, each before its successors unless a back edge leads there.
    pub reverse_postorder: Vec<Block>,
}

impl Cfg {
    /// The control-flow graph of a body.
    pub fn compute(body: &FuncBody) -> Cfg {
        let succs: IdVec<Block, Vec<Block>> =
            body.blocks.iter().map(|data| data.term.edges().map(|edge| edge.target).collect()).collect();
        let mut preds = IdVec::filled(Vec::new(), body.blocks.len());
        for (block, targets) in succs.entries() {
            for &target in targets {
                preds[target].push(block);
            }
        }
        let reverse_postorder = reverse_postorder(body.entry(), &succs);
        Cfg { succs, preds, reverse_postorder }
    }
}

/// Depth-first search with an explicit stack: generated code may nest deeper than ours may.
fn reverse_postorder(entry: Block, succs: &IdVec<Block, Vec<Block>>) -> Vec<Block> {
    let mut seen = IdVec::<Block, bool>::filled(false, succs.len());
    let mut order = Vec::with_capacity(succs.len());
    let mut stack = vec![(entry, 0)];
    seen[entry] = true;
    while let Some((block, next)) = stack.last_mut() {
        if let Some(&succ) = succs[*block].get(*next) {
            *next += 1;
            if !std::mem::replace(&mut seen[succ], true) {
                stack.push((succ, 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}
