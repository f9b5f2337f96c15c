//! Where the source constructs of a function stand in its code.

use quipu_base::IdVec;
use quipu_ir::{Block, Cond, Decision, FuncBody, InstKind, Stmt, Terminator};

/// The places of a function's constructs. Code that no control flow reaches is not in the IR: its constructs have none.
pub(crate) struct Places {
    /// The instruction that marks a statement.
    pub stmts: IdVec<Stmt, Option<(Block, usize)>>,
    /// The block that branches on a condition.
    pub conds: IdVec<Cond, Option<Block>>,
    /// The block of a `switch`.
    pub switches: IdVec<Decision, Option<Block>>,
}

impl Places {
    pub(crate) fn of(body: &FuncBody) -> Places {
        let mut places = Places {
            stmts: IdVec::filled(None, body.stmts.len()),
            conds: IdVec::filled(None, body.conds.len()),
            switches: IdVec::filled(None, body.decisions.len()),
        };
        for (block, data) in body.blocks.entries() {
            for (number, inst) in data.insts.iter().enumerate() {
                if let InstKind::Stmt(stmt) = inst.kind {
                    set(&mut places.stmts[stmt], (block, number));
                }
            }
            match data.term {
                Terminator::Branch { cond: Some(cond), .. } => set(&mut places.conds[cond], block),
                Terminator::Switch { decision: Some(decision), .. } => {
                    set(&mut places.switches[decision], block);
                }
                _ => {}
            }
        }
        places
    }
}

fn set<T: PartialEq + std::fmt::Debug>(place: &mut Option<T>, found: T) {
    assert_eq!(*place, None, "a source construct should stand at one place of the code");
    *place = Some(found);
}
