//! Turns of a loop that are executed apart.
//!
//! Where paths meet at the head of a loop, a number that they bring along becomes a choice between them, and what is
//! found at a place computed from it a choice between all places. As long as every path brings a constant, it costs
//! less to execute the next turn once for each combination of constants: a binary search, for one, then looks at known
//! places only. Paths with the same constants still meet, and all of them do behind the loop.

use quipu_base::IdVec;
use quipu_ir::{Block, FuncBody, InstKind, Value};

use crate::carried::used;
use crate::encoder::Engine;
use crate::state::Arrival;
use crate::symbol::Symbol;

/// Turns are executed apart in so many cases at once, and as long as a loop has not cost so many block executions.
const MOST_CASES: usize = 256;
const MOST_BLOCKS: usize = 2_048;

/// For each block the numbers of those parameters from which places in memory are computed.
pub(crate) fn steering(code: &FuncBody) -> IdVec<Block, Vec<usize>> {
    let mut made_by: IdVec<Value, Vec<Value>> = IdVec::filled(Vec::new(), code.values.len());
    let mut open: Vec<Value> = Vec::new();
    for data in code.blocks.iter() {
        for inst in &data.insts {
            match (inst.result, &inst.kind) {
                (_, InstKind::PtrAdd(_, offset)) => open.push(*offset),
                (Some(result), InstKind::Int(_, a, b)) => made_by[result].extend([*a, *b]),
                (Some(result), InstKind::IntUnary(_, a) | InstKind::Cast(_, a)) => made_by[result].push(*a),
                _ => {}
            }
        }
        for edge in data.term.edges() {
            let params = &code.blocks[edge.target].params;
            params.iter().zip(&edge.args).for_each(|(&param, &arg)| made_by[param].push(arg));
        }
    }
    let mut steers = IdVec::filled(false, code.values.len());
    while let Some(value) = open.pop() {
        if !std::mem::replace(&mut steers[value], true) {
            open.extend(&made_by[value]);
        }
    }
    let steering = |params: &[Value]| (0..params.len()).filter(|&n| steers[params[n]]).collect();
    code.blocks.iter().map(|data| steering(&data.params)).collect()
}

/// For each block, whether nothing outside of it uses a value that it computes, nor one of its parameters.
pub(crate) fn self_contained(code: &FuncBody) -> IdVec<Block, bool> {
    let mut home: IdVec<Value, Option<Block>> = IdVec::filled(None, code.values.len());
    for (block, data) in code.blocks.entries() {
        data.params.iter().for_each(|&param| home[param] = Some(block));
        data.insts.iter().filter_map(|inst| inst.result).for_each(|result| home[result] = Some(block));
    }
    let mut contained = IdVec::filled(true, code.blocks.len());
    for (block, data) in code.blocks.entries() {
        for owner in used(data).filter_map(|value| home[value]).filter(|&owner| owner != block) {
            contained[owner] = false;
        }
    }
    contained
}

impl Engine<'_> {
    /// Sorts paths to the head of a loop that has cost so many block executions: those in one group meet.
    pub fn apart(
        &mut self,
        steering: &[usize],
        arrivals: Vec<Arrival>,
        n_blocks: usize,
    ) -> Vec<Vec<Arrival>> {
        if arrivals.len() < 2 || !self.unwinding.apart || n_blocks > MOST_BLOCKS {
            return vec![arrivals];
        }
        let keys: Option<Vec<Vec<u64>>> =
            arrivals.iter().map(|arrival| self.constants(steering, arrival)).collect();
        let Some(keys) = keys else { return vec![arrivals] };
        let mut groups: Vec<(Vec<u64>, Vec<Arrival>)> = Vec::new();
        for (key, arrival) in keys.into_iter().zip(&arrivals) {
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.push(arrival.clone()),
                None => groups.push((key, vec![arrival.clone()])),
            }
        }
        match groups.len() <= MOST_CASES {
            true => groups.into_iter().map(|(_, group)| group).collect(),
            false => vec![arrivals],
        }
    }

    /// What a path brings along, if these are constants.
    fn constants(&self, steering: &[usize], arrival: &Arrival) -> Option<Vec<u64>> {
        let numbers = steering.iter().filter_map(|&n| match arrival.args[n] {
            Symbol::Int(term) => Some(self.terms.known(term)),
            _ => None,
        });
        numbers.collect()
    }
}
