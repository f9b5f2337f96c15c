//! Where paths meet.

use quipu_model::Term;

use crate::encoder::{Engine, Here};
use crate::guard::{Guard, join};
use crate::memory::{Memory, Objects};
use crate::state::{Arrival, State};
use crate::symbol::Symbol;
use crate::terms::Terms;

impl Engine<'_> {
    /// Goes on where several paths meet. Returns values for the parameters, and those that were carried.
    pub fn meet(
        &mut self,
        here: Here,
        arrivals: Vec<Arrival>,
    ) -> (Vec<Symbol>, Vec<(quipu_ir::Value, Symbol)>) {
        let before = self.terms.n_unknown;
        let Arrival { state, args, carried } = merge(&mut self.terms, &self.objects, arrivals);
        self.state = state;
        if self.terms.n_unknown != before {
            self.approximate(here, "pieces of addresses or floats where paths meet");
        }
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

/// A value that is not carried by all arrivals is not used behind: its definition would not dominate the use.
fn merge_carried(
    terms: &mut Terms<'_>,
    arrivals: &[Arrival],
    choices: &[Term],
) -> Vec<(quipu_ir::Value, Symbol)> {
    let mut merged = Vec::new();
    for (value, _) in &arrivals[0].carried {
        let found: Vec<&Symbol> = arrivals
            .iter()
            .filter_map(|arrival| arrival.carried.iter().find(|(other, _)| other == value))
            .map(|(_, symbol)| symbol)
            .collect();
        if found.len() == arrivals.len() {
            merged.push((*value, choose(terms, &found, choices)));
        }
    }
    merged
}

/// The value of the first choice that is true; the last one needs no choice.
fn choose(terms: &mut Terms<'_>, values: &[&Symbol], choices: &[Term]) -> Symbol {
    let (last, others) = values.split_last().expect("there are values to choose from");
    let mut chosen = (*last).clone();
    for (value, &choice) in others.iter().zip(choices).rev() {
        chosen = Symbol::select(terms, choice, value, &chosen);
    }
    chosen
}
