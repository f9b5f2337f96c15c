//! Bodies that are too big or too random for a text file; the others are in `tests/promote.rs`.

mod builder;
mod random;

use quipu_base::Id;

use self::builder::{Builder, span};
use super::promote;
use crate::*;

/// The shape of a bytecode interpreter: many cases in a loop, many variables live all around it.
#[test]
fn big_functions_take_no_time() {
    let (n_blocks, n_slots) = (10_000, 500);
    let mut b = Builder::new(n_blocks + 2, n_slots);
    let x = b.param();
    (0..n_slots).for_each(|slot| b.store(slot, x));
    b.jump(1);
    for n in 2..n_blocks + 2 {
        let v = b.at(n).load(n % n_slots);
        let v = b.add(v, x);
        b.store((n * 7) % n_slots, v);
        if n % 3 == 0 && n + 1 < n_blocks + 2 { b.branch(v, n + 1, 1) } else { b.jump(1) }
    }
    let value = b.at(1).load(0);
    let case = |n: usize| {
        let bits = n as u64;
        Case { low: bits, high: bits, span: span(), edge: Edge::to(Block::new(n)) }
    };
    let cases = (3..n_blocks + 2).map(case).collect();
    let default = Edge::to(Block::new(2));
    b.body.blocks[Block::new(1)].term = Terminator::Switch { value, cases, default, decision: None };
    let mut body = b.body;
    promote(&mut body, DataModel::Lp64);
    assert!(!touches_memory(&body));
    let total: usize = body.blocks.iter().map(|data| data.params.len()).sum();
    assert!(total >= n_slots, "every variable changes in the loop");
}

fn touches_memory(body: &FuncBody) -> bool {
    body.blocks.iter().flat_map(|data| &data.insts).any(|inst| {
        matches!(inst.kind, InstKind::SlotAddr(_) | InstKind::Load { .. } | InstKind::Store { .. })
    })
}
