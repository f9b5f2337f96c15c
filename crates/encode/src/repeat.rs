//! Loops that go round in circles.
//!
//! What a run does next is determined by its state, as long as it asks nobody for anything. Where a loop comes back to
//! its head in a state that it had there before, as on the way along a circular list, it never ends, and whatever it
//! does has been seen already. Such a run need not be followed beyond the last turn allowed.

use std::rc::Rc;

use quipu_model::Term;
use quipu_num::IntCmp;

use crate::content::Content;
use crate::encoder::Engine;
use crate::memory::Memory;
use crate::pointer;
use crate::state::Arrival;
use crate::symbol::Symbol;
use crate::terms::Terms;

/// The state at the head of a loop.
pub(crate) struct Head {
    arrival: Arrival,
    /// What nobody could foresee until then: answers of the environment, values made up.
    surprises: (usize, u64, u64),
}

/// So many turns back a state is compared.
const MOST_TURNS: usize = 64;
/// States that differ in more objects are not compared.
const MOST_OBJECTS: usize = 16;

impl Engine<'_> {
    /// Takes note of the state at the head of a loop.
    pub fn head(&self, arrival: &Arrival) -> Head {
        Head { arrival: arrival.clone(), surprises: self.surprises() }
    }

    fn surprises(&self) -> (usize, u64, u64) {
        (self.out.requested.len(), self.terms.n_unknown, self.terms.n_doubts)
    }

    /// Whether a loop that is sure to go on may do so for ever. To look after every turn would cost too much.
    pub fn may_repeat(&mut self, turn: u64, heads: &[Head], now: &Arrival) -> bool {
        turn.is_power_of_two() && {
            let repeated = self.is_repeated(heads, now);
            !self.terms.is_false(repeated)
        }
    }

    /// Whether the state is one of those before, if nothing unforeseen has happened since.
    pub fn is_repeated(&mut self, heads: &[Head], now: &Arrival) -> Term {
        let surprises = self.surprises();
        let mut ways = Vec::new();
        for head in heads.iter().rev().take(MOST_TURNS).take_while(|head| head.surprises == surprises) {
            ways.extend(are_equal(&mut self.terms, &head.arrival, now));
        }
        self.terms.any(&ways)
    }
}

/// That two states are the same; none if that cannot be told.
fn are_equal(terms: &mut Terms<'_>, a: &Arrival, b: &Arrival) -> Option<Term> {
    let carried = a.carried.iter().zip(&b.carried).map(|((_, x), (_, y))| (x, y));
    let mut parts = Vec::new();
    for (x, y) in a.args.iter().zip(&b.args).chain(carried) {
        let same = same_value(terms, x, y)?;
        if terms.is_false(same) {
            return None;
        }
        parts.push(same);
    }
    let differences = Memory::differences(&a.state.memory, &b.state.memory);
    if differences.len() > MOST_OBJECTS {
        return None;
    }
    for (_, x, y) in differences {
        parts.push(same_content(terms, &x?, &y?)?);
    }
    Some(terms.all(&parts))
}

fn same_content(terms: &mut Terms<'_>, a: &Rc<Content>, b: &Rc<Content>) -> Option<Term> {
    let mut parts = vec![terms.equal(a.alive, b.alive)];
    for (_, x, y) in a.paired(terms, b)? {
        let written = terms.equal(x.written, y.written);
        let same = same_value(terms, &x.value, &y.value)?;
        let neither = terms.not(x.written);
        let same = terms.any(&[same, neither]);
        parts.extend([written, same]);
    }
    Some(terms.all(&parts))
}

fn same_value(terms: &mut Terms<'_>, a: &Symbol, b: &Symbol) -> Option<Term> {
    match (a, b) {
        (Symbol::Int(a), Symbol::Int(b)) => Some(terms.compare(IntCmp::Eq, *a, *b)),
        (Symbol::Pointer(a), Symbol::Pointer(b)) if !a.may_be_unknown() && !b.may_be_unknown() => {
            Some(pointer::equal(terms, a, b))
        }
        (Symbol::Float(a), Symbol::Float(b)) => Some(terms.equal(a.rank, b.rank)),
        _ => None,
    }
}
