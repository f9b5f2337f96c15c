//! Explanations of every definition alone: random decisions at small widths, each change and conflict explained, and
//! the explanation checked against the table of the node.

use quipu_modelkit::Random;
use quipu_num::Width;

use super::random_facts::{is_true_of, open_atom};
use super::subject::{Subject, Tuple, subjects};
use crate::atom::{Atom, describe};
use crate::engine::{Engine, Fixpoint};
use crate::explain::Conflict;
use crate::store::{Reason, Time};

/// What an entry of the trail made true: its description, every new bit, and some random atoms.
pub fn made_true(engine: &Engine<'_>, time: Time, random: &mut Random) -> Vec<Atom> {
    let store = &engine.store;
    let term = store.changed_since(time).next().expect("there is such an entry");
    let w = store.width(term);
    let (before, after) = (store.domain_before(term, time), store.domain_before(term, time + 1));
    let mut atoms = Vec::new();
    describe(w, term, after, &mut atoms);
    let new_bits = after.bits().known() & !before.bits().known();
    for position in (0..w.bits()).filter(|&position| new_bits >> position & 1 == 1) {
        atoms.push(Atom::bit(term, position, after.bits().ones >> position & 1 == 1));
    }
    if before.is_singleton().is_none() {
        atoms.extend((0..4).map(|_| open_atom(random, term, w, before)));
    }
    atoms.retain(|atom| atom.fact.is_true(w, after) && !atom.fact.is_true(w, before));
    atoms
}

/// Whether every atom was true before a time.
pub fn were_true(engine: &Engine<'_>, time: Time, atoms: &[Atom]) -> bool {
    let store = &engine.store;
    atoms.iter().all(|atom| atom.fact.is_true(store.width(atom.term), store.domain_before(atom.term, time)))
}

struct Bench<'s> {
    subject: &'s Subject,
    tuples: Vec<Tuple>,
    engine: Engine<'static>,
    explained: u64,
}

impl Bench<'_> {
    /// Whether the atoms imply a goal, or contradict each other, in the table.
    fn implies(&self, atoms: &[Atom], goal: Option<Atom>) -> bool {
        let holds = |tuple: &Tuple, atom: &Atom| {
            let n = self.subject.terms.iter().position(|&term| term == atom.term).expect("a related term");
            is_true_of(atom.fact, self.subject.width(n), tuple[n])
        };
        self.tuples
            .iter()
            .filter(|tuple| atoms.iter().all(|atom| holds(tuple, atom)))
            .all(|tuple| goal.is_some_and(|goal| holds(tuple, &goal)))
    }

    fn check_changes(&mut self, from: Time, random: &mut Random) {
        for time in from..self.engine.store.now() {
            if self.engine.store.reason(time) == Reason::Decision {
                continue;
            }
            for goal in made_true(&self.engine, time, random) {
                let mut atoms = Vec::new();
                self.engine.explainer().change(goal, time, &mut atoms);
                let name = &self.subject.name;
                assert!(were_true(&self.engine, time, &atoms), "{name}: {goal:?} from later {atoms:?}");
                assert!(self.implies(&atoms, Some(goal)), "{name}: {goal:?} does not follow from {atoms:?}");
                self.explained += 1;
            }
        }
    }

    fn check_conflict(&mut self, conflict: Conflict) {
        let mut atoms = Vec::new();
        self.engine.explainer().conflict(conflict, &mut atoms);
        let name = &self.subject.name;
        assert!(were_true(&self.engine, self.engine.store.now(), &atoms), "{name}: {atoms:?} are not true");
        assert!(self.implies(&atoms, None), "{name}: {atoms:?} can be true together");
        self.explained += 1;
    }

    /// Decides until everything is fixed or there is a conflict, then goes back.
    fn descend(&mut self, random: &mut Random) {
        loop {
            let start = self.engine.store.now();
            let store = &self.engine.store;
            let mut open: Vec<usize> = (0..self.subject.terms.len()).collect();
            open.retain(|&n| store.domain(self.subject.terms[n]).is_singleton().is_none());
            if open.is_empty() {
                break;
            }
            let n = random.pick(&open);
            let term = self.subject.terms[n];
            let atom = open_atom(random, term, self.subject.width(n), store.domain(term));
            self.engine.decide(atom);
            match self.engine.propagate(false) {
                Fixpoint::Reached => self.check_changes(start, random),
                Fixpoint::Conflict(conflict) => {
                    self.check_changes(start, random);
                    self.check_conflict(conflict);
                    break;
                }
                other => panic!("{}: {other:?}", self.subject.name),
            }
        }
        self.engine.backtrack(0);
    }
}

#[test]
fn changes_and_conflicts_of_every_definition_are_explained() {
    let mut random = Random::new(11);
    let mut explained = 0;
    for (bits, rounds) in [(1, 40), (2, 100), (3, 150), (4, 60), (5, 30)] {
        let w = Width::new(bits).expect("a width of 1 to 64");
        for subject in &subjects(w, 12) {
            let mut bench =
                Bench { subject, tuples: subject.tuples(), engine: subject.engine(), explained: 0 };
            // Half of the descents start from a root that says something already.
            for _ in 0..4 {
                (0..rounds / 4).for_each(|_| bench.descend(&mut random));
                bench.strengthen_root(&mut random);
            }
            explained += bench.explained;
        }
    }
    println!("{explained} explanations");
    assert!(explained > 10_000, "explanations should be needed: {explained}");
}

impl Bench<'_> {
    /// Narrows one term at level 0, if a solution is left.
    fn strengthen_root(&mut self, random: &mut Random) {
        let n = random.below(self.subject.terms.len());
        let (term, w) = (self.subject.terms[n], self.subject.width(n));
        let domain = self.engine.store.domain(term);
        if domain.is_singleton().is_some() {
            return;
        }
        let atom = open_atom(random, term, w, domain);
        let possible = |tuple: &&Tuple| {
            tuple.iter().enumerate().all(|(m, &value)| {
                self.engine.store.root(self.subject.terms[m]).contains(self.subject.width(m), value)
            })
        };
        let kept: Vec<Tuple> = self.tuples.iter().filter(possible).cloned().collect();
        let kept: Vec<Tuple> = kept.into_iter().filter(|tuple| is_true_of(atom.fact, w, tuple[n])).collect();
        if !kept.is_empty() {
            self.engine.apply(atom, Reason::Decision);
            let reached = matches!(self.engine.propagate(false), Fixpoint::Reached);
            assert!(reached, "{}: a solution is denied", self.subject.name);
            // What lies in the root domains needs no premise; the atom itself may be no more than a hole there.
            self.tuples.retain(|tuple| {
                tuple.iter().enumerate().all(|(m, &value)| {
                    self.engine.store.root(self.subject.terms[m]).contains(self.subject.width(m), value)
                })
            });
        }
    }
}
