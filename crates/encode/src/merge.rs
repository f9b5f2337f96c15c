//! Where paths meet.

use std::rc::Rc;

use quipu_model::Term;

use crate::encoder::{Engine, Here};
use crate::encoding::Origin;
use crate::guard::{Guard, join};
use crate::memory::{Memory, Objects};
use crate::pointer::{self, Pointer};
use crate::state::{Arrival, State};
use crate::symbol::Symbol;
use crate::terms::Terms;

/// More pointers than these are chosen from at once.
pub(crate) const FEW: usize = 8;

impl Engine<'_> {
    /// Goes on where several paths meet. Returns values for the parameters, and those that were carried.
    pub fn meet(
        &mut self,
        here: Here,
        arrivals: Vec<Arrival>,
    ) -> (Vec<Symbol>, Vec<(quipu_ir::Value, Symbol)>) {
        let before = self.terms.n_unknown;
        let several = arrivals.len() > 1;
        let Arrival { state, args, carried } = merge(&mut self.terms, &self.objects, arrivals);
        self.state = state;
        if let Some(condition) = self.state.guard.last_condition().filter(|_| several) {
            let origin = Origin::Meeting { func: here.func, block: here.block };
            self.out.origins.entry(condition).or_insert(origin);
        }
        if self.terms.n_unknown != before {
            self.approximate(here, "pieces of addresses where paths meet");
        }
        self.note_doubts(here);
        (args, carried)
    }
}

/// One state for several, and values for the parameters and what was carried.
pub(crate) fn merge(terms: &mut Terms<'_>, objects: &Objects, mut arrivals: Vec<Arrival>) -> Arrival {
    if arrivals.len() == 1 {
        return arrivals.pop().expect("there is one");
    }
    let guards: Vec<&Guard> = arrivals.iter().map(|arrival| &arrival.state.guard).collect();
    let (guard, choices) = join(terms, &guards);
    let memories: Vec<&Memory> = arrivals.iter().map(|arrival| &arrival.state.memory).collect();
    let memory = Memory::join(terms, objects, &memories, &choices);
    let args = (0..arrivals[0].args.len())
        .map(|n| {
            let values: Vec<&Symbol> = arrivals.iter().map(|arrival| &arrival.args[n]).collect();
            choose(terms, &values, &choices)
        })
        .collect();
    let carried = merge_carried(terms, &arrivals, &choices);
    Arrival { state: State { guard, memory }, args, carried }
}

/// All arrivals carry the same values.
fn merge_carried(
    terms: &mut Terms<'_>,
    arrivals: &[Arrival],
    choices: &[Term],
) -> Vec<(quipu_ir::Value, Symbol)> {
    let values = arrivals[0].carried.iter().map(|(value, _)| *value);
    values
        .enumerate()
        .map(|(n, value)| {
            let symbols: Vec<&Symbol> = arrivals.iter().map(|arrival| &arrival.carried[n].1).collect();
            (value, choose(terms, &symbols, choices))
        })
        .collect()
}

/// The value of the first choice that is true; the last one needs no choice.
fn choose(terms: &mut Terms<'_>, values: &[&Symbol], choices: &[Term]) -> Symbol {
    if values.len() > FEW {
        let pointers: Option<Vec<&Pointer>> = values.iter().map(|value| value.as_pointer()).collect();
        if let Some(pointers) = pointers {
            return Symbol::Pointer(Rc::new(pointer::choose(terms, &pointers, choices)));
        }
    }
    let (last, others) = values.split_last().expect("there are values to choose from");
    let mut chosen = (*last).clone();
    for (value, &choice) in others.iter().zip(choices).rev() {
        chosen = Symbol::select(terms, choice, value, &chosen);
    }
    chosen
}
