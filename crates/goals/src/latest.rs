//! Which statement was started last where control comes to a block.

use quipu_base::IdVec;
use quipu_ir::{Block, Dominators, FuncBody, InstKind, Stmt};

/// The statement that was started last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Latest {
    /// No path was looked at.
    Unseen,
    One(Option<Stmt>),
    /// That depends on the path.
    Several,
}

/// For each block the statement that was started last when it is entered; none if there is none, or it depends on the
/// path.
pub(crate) struct LatestStatements(IdVec<Block, Latest>);

impl LatestStatements {
    pub fn of(body: &FuncBody) -> LatestStatements {
        let mut at_start = IdVec::filled(Latest::Unseen, body.blocks.len());
        at_start[body.entry()] = Latest::One(None);
        let mut open = vec![body.entry()];
        while let Some(block) = open.pop() {
            let data = &body.blocks[block];
            let started = last_started(body, block, data.insts.len());
            let at_end = started.map_or(at_start[block], |stmt| Latest::One(Some(stmt)));
            for edge in data.term.edges() {
                let joined = match at_start[edge.target] {
                    Latest::Unseen => at_end,
                    known if known == at_end => known,
                    _ => Latest::Several,
                };
                if joined != at_start[edge.target] {
                    at_start[edge.target] = joined;
                    open.push(edge.target);
                }
            }
        }
        LatestStatements(at_start)
    }

    /// The statement that was started last when an instruction is executed, if that is always the same.
    pub fn before(&self, body: &FuncBody, block: Block, inst: usize) -> Option<Stmt> {
        last_started(body, block, inst).or(match self.0[block] {
            Latest::One(stmt) => stmt,
            Latest::Unseen | Latest::Several => None,
        })
    }
}

/// The statement that was started last among those which every path to an instruction starts.
pub(crate) fn always_started(
    body: &FuncBody,
    dominators: &Dominators,
    block: Block,
    inst: usize,
) -> Option<Stmt> {
    let above = std::iter::successors(dominators.idom(block), |&block| dominators.idom(block));
    let whole = |block: Block| last_started(body, block, body.blocks[block].insts.len());
    last_started(body, block, inst).or_else(|| above.into_iter().find_map(whole))
}

/// The last statement that the first instructions of a block start.
fn last_started(body: &FuncBody, block: Block, n_insts: usize) -> Option<Stmt> {
    body.blocks[block].insts[..n_insts].iter().rev().find_map(|inst| match inst.kind {
        InstKind::Stmt(stmt) => Some(stmt),
        _ => None,
    })
}
