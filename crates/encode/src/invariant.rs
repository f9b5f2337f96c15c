//! What may hold at the head of a loop in every turn.
//!
//! A number that a loop changes is compared with something that it does not change, or it only grows or shrinks. Which
//! of these hold is for a solver to find out.

use quipu_base::Id;
use quipu_ir::Block;
use quipu_model::{Node, Term, Var};
use quipu_num::{Cast, IntCmp, Width};
use rustc_hash::FxHashSet;

use crate::any_turn::Changes;
use crate::content::CellPlace;
use crate::encoder::Engine;
use crate::encoding::{Encoding, Invariant};
use crate::frame::Frame;
use crate::memory::ObjectId;
use crate::order::Item;
use crate::state::{Arrival, State};
use crate::symbol::Symbol;

/// No more are tried for one loop.
const MOST_CANDIDATES: usize = 64;

/// A number at the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Arg(usize),
    Carried(usize),
    Cell(ObjectId, CellPlace),
}

/// A relation between a number that changes and one that does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Candidate {
    place: Place,
    /// How the number is converted before it is compared.
    cast: Option<(Cast, Width)>,
    relation: IntCmp,
    /// Whether the number that changes is the right one.
    swapped: bool,
    fixed: Term,
}

impl<'a> Engine<'a> {
    /// What is worth trying after a turn that has started with `start`. Variables from `n_vars` on were made in it, and
    /// answers of the environment that are not in `before` were asked for in it.
    pub fn candidates(
        &mut self,
        changes: &Changes,
        now: &Arrival,
        start: &Arrival,
        before: &Encoding,
        n_vars: usize,
    ) -> Vec<Candidate> {
        let places = self.numbers(changes, start);
        let answers: FxHashSet<Var> = before.requested.iter().map(|request| request.var).collect();
        let mut found: Vec<Candidate> = Vec::new();
        for &(place, _) in places.iter().filter(|(place, _)| !matches!(place, Place::Cell(..))) {
            if let Some(first) = self.number_at(now, place) {
                found.extend(both_ways(place, None, first));
            }
        }
        for (side, fixed) in self.compared(before) {
            let (inner, cast) = match *self.terms.model.node(side) {
                Node::Cast(cast, inner) => (inner, Some((cast, self.terms.width(side)))),
                _ => (side, None),
            };
            let place = places.iter().find(|(_, term)| *term == inner);
            let Some(&(place, _)) = place else { continue };
            if self.is_fixed(fixed, n_vars, &answers) {
                found.extend(both_ways(place, cast, fixed));
            }
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for candidate in found {
            if candidates.len() < MOST_CANDIDATES && !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        }
        candidates
    }

    /// The numbers that change.
    fn numbers(&mut self, changes: &Changes, start: &Arrival) -> Vec<(Place, Term)> {
        let args = changes.args.keys().map(|&n| Place::Arg(n));
        let carried = changes.carried.keys().map(|&n| Place::Carried(n));
        let cells = changes
            .objects
            .iter()
            .flat_map(|(&object, own)| own.cells.keys().map(move |&place| Place::Cell(object, place)));
        let places: Vec<Place> = args.chain(carried).chain(cells).collect();
        places.into_iter().filter_map(|place| Some((place, self.number_at(start, place)?))).collect()
    }

    fn number_at(&mut self, arrival: &Arrival, place: Place) -> Option<Term> {
        let symbol = match place {
            Place::Arg(n) => arrival.args[n].clone(),
            Place::Carried(n) => arrival.carried[n].1.clone(),
            Place::Cell(object, cell) => {
                let content = arrival.state.memory.get(object)?.clone();
                content.read(&mut self.terms, cell.stretch(self.address)).value
            }
        };
        match symbol {
            Symbol::Int(term) if self.terms.width(term) != Width::W1 => Some(term),
            _ => None,
        }
    }

    /// The sides of comparisons made since, each with the other side.
    fn compared(&self, before: &Encoding) -> Vec<(Term, Term)> {
        let mut pairs = Vec::new();
        for (place, comparisons) in &self.out.comparisons {
            let known = before.comparisons.get(place).map_or(0, Vec::len);
            for comparison in &comparisons[known..] {
                pairs.extend([(comparison.a, comparison.b), (comparison.b, comparison.a)]);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Whether a term is the same in all turns: nothing in it was made up or asked for in one of them.
    fn is_fixed(&self, term: Term, n_vars: usize, answers: &FxHashSet<Var>) -> bool {
        let (mut open, mut seen) = (vec![term], FxHashSet::default());
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.terms.model.node(term) {
                Node::Var(var) if var.index() >= n_vars => return false,
                Node::Var(var) if self.memo.is_answer(*var) && !answers.contains(var) => return false,
                node => node.for_each_operand(|operand| open.push(operand)),
            }
        }
        true
    }

    /// Executes the turn that stands for all turns once more, with invariants that can be chosen.
    pub fn turn_with_invariants(
        &mut self,
        frame: &mut Frame<'a>,
        head: Block,
        inner: &[Item],
        now: &Arrival,
        mut start: Arrival,
        candidates: &[Candidate],
    ) -> bool {
        let n_checks = self.out.checks.len();
        let mut guard = start.state.guard.clone();
        let mut chosen = Vec::new();
        for candidate in candidates {
            let choice = self.terms.unknown(Width::W1);
            chosen.push(choice);
            let Some(holds) = self.holds(candidate, &start) else { continue };
            let holds = self.terms.implies(choice, holds);
            // A condition that cannot be true would need a choice that cannot be made.
            guard = guard.with(&mut self.terms, holds).unwrap_or(guard);
        }
        start.state = State { guard, memory: start.state.memory };
        let back = self.one_turn(frame, head, inner, start);
        let Some(back) = back else { return true };
        for (candidate, chosen) in candidates.iter().zip(chosen) {
            let at_start = (self.violated(candidate, now), n_checks);
            let at_end = (self.violated(candidate, &back), self.out.checks.len());
            self.out.invariants.push(Invariant { chosen, at_start, at_end });
        }
        true
    }

    /// Whether a candidate holds; none if its number is not to be found.
    fn holds(&mut self, candidate: &Candidate, arrival: &Arrival) -> Option<Term> {
        let number = self.number_at(arrival, candidate.place)?;
        let number = match candidate.cast {
            Some((cast, width)) => self.terms.cast(cast, number, width),
            None => number,
        };
        let (a, b) = if candidate.swapped { (candidate.fixed, number) } else { (number, candidate.fixed) };
        Some(self.terms.compare(candidate.relation, a, b))
    }

    /// That a place is reached where a candidate does not hold.
    fn violated(&mut self, candidate: &Candidate, arrival: &Arrival) -> Term {
        let reached = arrival.state.guard.term();
        match self.holds(candidate, arrival) {
            Some(holds) => {
                let not = self.terms.not(holds);
                self.terms.both(reached, not)
            }
            None => reached,
        }
    }
}

/// At most, and at least, with and without a sign.
fn both_ways(place: Place, cast: Option<(Cast, Width)>, fixed: Term) -> impl Iterator<Item = Candidate> {
    let ways = [(IntCmp::Sle, false), (IntCmp::Sle, true), (IntCmp::Ule, false), (IntCmp::Ule, true)];
    ways.into_iter().map(move |(relation, swapped)| Candidate { place, cast, relation, swapped, fixed })
}
