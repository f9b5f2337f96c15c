//! Which goals may lie behind a place where an encoding was cut.

use quipu_analysis::CallGraph;
use quipu_base::IdVec;
use quipu_encode::Cut;
use quipu_goals::{Goal, Way};
use quipu_ir::{Block, Func, Module};

/// What control flow may still lead to from each block of the function under test.
pub(crate) struct Beyond {
    func: Func,
    /// Whether the function may be called again, so that everything may still come.
    recursive: bool,
    /// For each block the blocks that may be executed after its start.
    after: IdVec<Block, Vec<bool>>,
}

impl Beyond {
    pub fn new(module: &Module, func: Func) -> Beyond {
        let code = module.functions[func].code().expect("a function under test has code");
        let after = code
            .blocks
            .ids()
            .map(|start| {
                let mut seen = vec![false; code.blocks.len()];
                let mut open = vec![start];
                while let Some(block) = open.pop() {
                    use quipu_base::Id;
                    if !std::mem::replace(&mut seen[block.index()], true) {
                        open.extend(code.blocks[block].term.edges().map(|edge| edge.target));
                    }
                }
                seen
            })
            .collect();
        Beyond { func, recursive: CallGraph::compute(module).is_recursive(func), after }
    }

    /// Whether an execution that goes on at a cut may still meet a goal. Goals of callees may always come.
    pub fn may_lie_behind(&self, goal: &Goal, cut: &Cut) -> bool {
        use quipu_base::Id;
        let after = &self.after[cut.root_block];
        let reaches = |block: &Block| after[block.index()];
        let mut ways = goal.parts.iter().flat_map(|part| &part.ways);
        goal.func != self.func
            || self.recursive
            || ways.any(|way| match way {
                Way::Entry(_) => false,
                Way::Block(_, block, _) | Way::Edge(_, block, _) | Way::Compare { block, .. } => {
                    reaches(block)
                }
                Way::During { calls, .. } => calls.iter().any(|(block, _)| reaches(block)),
                Way::End { blocks, .. } => blocks.iter().any(reaches),
                Way::Evaluation(_, edges) => edges.iter().any(|(block, _)| reaches(block)),
            })
    }
}
