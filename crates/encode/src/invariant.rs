//! What may hold at the head of a loop in every turn.
//!
//! A number that a loop changes is compared with something that it does not change, or it only grows or shrinks. Which of
//! these hold is for a solver to find out. What an abstract interpretation of the turn finds surely holds.

use quipu_abstract::{Analysis, Effort, Turn, analyse, equalities, facts};
use quipu_base::Id;
use quipu_model::{Model, Node, Substitution, Term, Var};
use quipu_num::{IntCmp, Width};
use rustc_hash::FxHashSet;

use crate::any_turn::{ANY_TURN, Changes, Looping};
use crate::content::CellPlace;
use crate::encoder::Engine;
use crate::encoding::{Check, Encoding, Invariant};
use crate::frame::Frame;
use crate::guard::Guard;
use crate::memory::ObjectId;
use crate::premise::ToldLoop;
use crate::state::Arrival;
use crate::symbol::Symbol;

/// No more are tried for one loop.
const MOST_CANDIDATES: usize = 64;
/// Numbers of which relations are looked for, at most.
const MOST_NUMBERS: usize = 8;

/// A number at the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Arg(usize),
    Carried(usize),
    Cell(ObjectId, CellPlace),
}

/// Truth values about numbers that change.
#[derive(Default)]
pub(crate) struct Candidates {
    /// The numbers, as they are called in the candidates.
    numbers: Vec<(Place, Term)>,
    terms: Vec<Term>,
    /// What surely holds in all turns of clean runs.
    facts: Vec<Term>,
}

/// Where a turn that stands for all turns begins and ends.
pub(crate) struct Ends<'e> {
    /// The state with which the loop starts.
    pub first: &'e Arrival,
    /// The state in which it was left. All runs that count get there.
    pub now: &'e Arrival,
    /// The state at the head, in whatever turn.
    pub start: &'e Arrival,
    /// The state after a turn.
    pub back: &'e Arrival,
}

impl Candidates {
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.facts.is_empty()
    }

    fn add(&mut self, term: Term) {
        if self.terms.len() < MOST_CANDIDATES && !self.terms.contains(&term) {
            self.terms.push(term);
        }
    }
}

impl<'a> Engine<'a> {
    /// What is worth trying after a turn. Variables from `n_vars` on were made in it, and answers of the environment
    /// that are not in `before` were asked for in it.
    pub fn candidates(
        &mut self,
        changes: &Changes,
        ends: &Ends<'_>,
        before: &Encoding,
        n_vars: usize,
    ) -> Candidates {
        let mut found = Candidates { numbers: self.numbers(changes, ends.start), ..Candidates::default() };
        let asked: FxHashSet<Var> = before.requested.iter().map(|request| request.var).collect();
        let new_answers = self.memo.answers().filter(|var| !asked.contains(var)).collect();
        let fixed = Fixed { n_vars, new_answers };
        for (place, head) in found.numbers.clone() {
            if let Some(first) = self.number_at(ends.first, place)
                && !matches!(place, Place::Cell(..))
            {
                self.add_both_ways(&mut found, head, first);
            }
        }
        for (side, other) in self.compared(before) {
            let inner = match *self.terms.model.node(side) {
                Node::Cast(_, inner) => inner,
                _ => side,
            };
            let is_number = |term: Term| found.numbers.iter().any(|(_, number)| *number == term);
            if !fixed.is_term(self.terms.model, other) {
                continue;
            }
            // What a sum with it is compared with may be a bound of a number, too.
            let parts = match self.terms.model.node(side) {
                _ if is_number(inner) => vec![side],
                Node::Sum(_, parts) => {
                    parts.iter().map(|part| part.1).filter(|&part| is_number(part)).collect()
                }
                _ => Vec::new(),
            };
            for part in parts {
                self.add_both_ways(&mut found, part, other);
            }
        }
        found.facts = self.summary(&found.numbers, ends, before, &fixed);
        found
    }

    /// At most, and at least, with and without a sign.
    fn add_both_ways(&mut self, found: &mut Candidates, number: Term, fixed: Term) {
        for relation in [IntCmp::Sle, IntCmp::Ule] {
            for (a, b) in [(number, fixed), (fixed, number)] {
                let term = self.terms.compare(relation, a, b);
                if self.terms.known(term).is_none() {
                    found.add(term);
                }
            }
        }
    }

    /// What an abstract interpretation of all turns comes to.
    fn summary(
        &mut self,
        numbers: &[(Place, Term)],
        ends: &Ends<'_>,
        before: &Encoding,
        fixed: &Fixed,
    ) -> Vec<Term> {
        let mut places = Vec::new();
        for &(place, head) in numbers.iter().take(MOST_NUMBERS) {
            let (first, next) = (self.number_at(ends.first, place), self.number_at(ends.back, place));
            if let (Some(first), Some(next)) = (first, next) {
                places.push(quipu_abstract::Place { head, first, next });
            }
        }
        let conditions = |arrival: &Arrival, checks: &[Check]| {
            let mut conditions = arrival.state.guard.conditions().to_vec();
            conditions.iter_mut().for_each(|condition| *condition = self.unselected(*condition));
            conditions.extend(checks.iter().map(|check| check.clean));
            conditions
        };
        let (checks, new_checks) = self.out.checks.split_at(before.checks.len());
        let mut at_first = conditions(ends.now, checks);
        at_first.extend(&self.out.assumptions);
        let during = conditions(ends.back, new_checks);
        let turn =
            Turn { places, before: at_first, during, known: Vec::new(), is_fixed: &|var| fixed.is(var) };
        let model = &mut *self.terms.model;
        let Analysis::Found(found) = analyse(model, &turn, Effort::default()) else { return Vec::new() };
        let mut terms = facts(model, &found, turn.places.len());
        terms.extend(equalities(model, &turn, &found));
        terms.into_iter().map(|term| self.terms.made(|_| term)).collect()
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
        let numbers = places.into_iter().filter_map(|place| Some((place, self.number_at(start, place)?)));
        let numbers: Vec<(Place, Term)> = numbers.collect();
        // Only what is a variable can be replaced wherever it occurs.
        let is_variable = |term: Term| matches!(self.terms.model.node(term), Node::Var(_));
        numbers.into_iter().filter(|(_, term)| is_variable(*term)).collect()
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

    /// Executes the turn that stands for all turns once more, behind those in the past, with invariants that can be
    /// chosen.
    pub fn turns_with_invariants(
        &mut self,
        frame: &mut Frame<'a>,
        looping: &Looping<'_>,
        start: Arrival,
        candidates: &Candidates,
    ) {
        let n_checks = self.out.checks.len();
        let told = self.told_loop(frame, looping.head, &start, candidates);
        let chosen: Vec<Term> = candidates.terms.iter().map(|_| self.terms.unknown(Width::W1)).collect();
        let mut here = start;
        for turns_ago in (0..=looping.n_past()).rev() {
            frame.context = looping.context.turn(ANY_TURN - turns_ago as u64);
            let replacements = self.replacements(candidates, &here);
            self.grant(&told, &mut here, candidates, &chosen, &replacements);
            let back = match turns_ago {
                0 => self.one_turn(frame, looping, here),
                _ => self.past_turn(frame, looping, here),
            };
            let Some(back) = back else { return };
            here = back;
        }
        // Facts need no proof: they were found by reasoning about all turns.
        let guard = &looping.now().state.guard;
        let mut ends: Vec<End> = Vec::new();
        for arrival in looping.heads {
            let replacements = self.replacements(candidates, arrival);
            ends.push(End { replacements, guard: guard.clone(), n_checks });
        }
        let replacements = self.replacements(candidates, &here);
        ends.push(End { replacements, guard: here.state.guard.clone(), n_checks: self.out.checks.len() });
        for (&candidate, chosen) in candidates.terms.iter().zip(chosen) {
            let violated = ends.iter().map(|end| (self.violated(candidate, end), end.n_checks)).collect();
            self.out.invariants.push(Invariant { chosen, violated });
        }
    }

    /// Takes facts for granted at the head of the loop, and those candidates that are chosen.
    fn grant(
        &mut self,
        told: &ToldLoop,
        arrival: &mut Arrival,
        candidates: &Candidates,
        chosen: &[Term],
        replacements: &[(Term, Term)],
    ) {
        let mut substitution = Substitution::new(replacements.iter().copied());
        let mut guard = arrival.state.guard.clone();
        for &fact in &candidates.facts {
            let fact = self.terms.made(|model| substitution.apply(model, fact));
            let fact = self.premise(told, fact, None);
            // A fact that cannot be true is one about a place that is not reached.
            guard = guard.with(&mut self.terms, fact).unwrap_or(guard);
        }
        for (&candidate, &choice) in candidates.terms.iter().zip(chosen) {
            let candidate = self.terms.made(|model| substitution.apply(model, candidate));
            let holds = self.premise(told, candidate, Some(choice));
            // A condition that cannot be true would need a choice that cannot be made.
            guard = guard.with(&mut self.terms, holds).unwrap_or(guard);
        }
        arrival.state.guard = guard;
    }

    /// What the numbers that change are somewhere. Where one is not to be found it may be anything.
    pub fn replacements(&mut self, candidates: &Candidates, arrival: &Arrival) -> Vec<(Term, Term)> {
        let mut pairs = Vec::new();
        for &(place, head) in &candidates.numbers {
            let number =
                self.number_at(arrival, place).filter(|&n| self.terms.width(n) == self.terms.width(head));
            pairs.push((
                head,
                number.unwrap_or_else(|| {
                    let width = self.terms.width(head);
                    self.terms.unknown(width)
                }),
            ));
        }
        pairs
    }

    /// That a place is reached where a candidate does not hold.
    pub fn violated(&mut self, candidate: Term, end: &End) -> Term {
        let mut substitution = Substitution::new(end.replacements.iter().copied());
        let holds = self.terms.made(|model| substitution.apply(model, candidate));
        let not = self.terms.not(holds);
        self.terms.both(end.guard.term(), not)
    }
}

/// Where candidates must hold.
pub(crate) struct End {
    /// What the numbers are there.
    pub replacements: Vec<(Term, Term)>,
    pub guard: Guard,
    pub n_checks: usize,
}

/// What is the same in all turns: nothing in it was made up or asked for in one of them.
struct Fixed {
    /// Variables with a larger number were made in a turn.
    n_vars: usize,
    /// Answers of the environment that were asked for in a turn.
    new_answers: FxHashSet<Var>,
}

impl Fixed {
    fn is(&self, var: Var) -> bool {
        var.index() < self.n_vars && !self.new_answers.contains(&var)
    }

    fn is_term(&self, model: &Model, term: Term) -> bool {
        let (mut open, mut seen) = (vec![term], FxHashSet::default());
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match model.node(term) {
                Node::Var(var) if !self.is(*var) => return false,
                node => node.for_each_operand(|operand| open.push(operand)),
            }
        }
        true
    }
}
