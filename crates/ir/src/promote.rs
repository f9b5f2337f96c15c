//! Turns local objects into SSA values.
//!
//! The front end gives every local variable a slot. A slot that is only loaded and stored as a whole, in
//! one type, and that no path reads before writing, becomes a value per assignment, with block parameters
//! where assignments meet. All other slots stay in memory, so that the interpreter still sees (and reports)
//! every use of them that C leaves undefined.
//!
//! Block parameters are placed on the iterated dominance frontier of the assignments, where the variable is
//! live: pruned SSA after Cytron, Ferrante, Rosen, Wegman and Zadeck, "Efficiently computing static single
//! assignment form and the control dependence graph" (TOPLAS 1991). Parameters with one incoming value
//! vanish, after Braun et al., "Simple and efficient construction of static single assignment form" (CC 2013).
//!
//! What variables hold at the heads of loops is kept by their names, for people.
//!
//! On return the body has no unreachable block, no promoted slot, and no value that nothing mentions. The
//! result depends on the input only. The cost is that of the dominance frontiers plus, per slot, the blocks
//! in which it is live.

mod candidates;
mod cleanup;
mod definite;
mod phis;
mod rename;
#[cfg(test)]
mod tests;
mod trivial;

use quipu_base::IdVec;

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::function::{FuncBody, Slot, Value};
use crate::inst::InstKind;
use crate::module::DataModel;

/// Turns the local objects that allow it into values.
pub fn promote(body: &mut FuncBody, data_model: DataModel) {
    cleanup::remove_unreachable_blocks(body);
    let cfg = Cfg::compute(body);
    let address_of = slot_addresses(body);
    let candidates = candidates::candidates(body, &address_of, data_model);
    let promoted = definite::keep_safe(body, &cfg, &address_of, candidates);
    if promoted.iter().any(|&yes| yes) {
        let dominators = Dominators::compute(&cfg);
        let (phis, live_at_heads) = phis::place(body, &cfg, &dominators, &address_of, &promoted);
        rename::rename(body, &cfg, &dominators, &address_of, &promoted, &phis, &live_at_heads);
        cleanup::remove_slots(body, &promoted);
    }
    trivial::remove_trivial_params(body);
    cleanup::compact_values(body);
}

/// For each value the slot whose address it is, if it comes straight from a `SlotAddr`.
type SlotAddresses = IdVec<Value, Option<Slot>>;

fn slot_addresses(body: &FuncBody) -> SlotAddresses {
    let mut address_of = IdVec::filled(None, body.values.len());
    for inst in body.blocks.iter().flat_map(|data| &data.insts) {
        if let (Some(result), InstKind::SlotAddr(slot)) = (inst.result, &inst.kind) {
            address_of[result] = Some(*slot);
        }
    }
    address_of
}
