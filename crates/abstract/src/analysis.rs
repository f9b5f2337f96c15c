//! The fixpoint: what holds at the head of a loop in every turn.

use quipu_domain::Domain;
use quipu_model::{Model, Node, Term};

use crate::cone::Cone;
use crate::image::{Step, Way};
use crate::paths::Decisions;
use crate::state::State;
use crate::turn::{Dimension, Turn, dimensions};

/// How much work an analysis may be.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Terms that a turn depends on.
    pub terms: usize,
    /// Ways through a turn that are told apart.
    pub paths: usize,
    /// Turns that are followed one by one, in the hope that all runs end.
    pub turns: usize,
    /// Turns that are followed before bounds are given up.
    pub delay: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { terms: 600, paths: 16, turns: 0, delay: 3 }
    }
}

/// Rounds in which bounds move from threshold to threshold, at most.
const MOST_ROUNDS: usize = 60;
/// Rounds in which bounds that were given up are found again.
const NARROWINGS: usize = 3;
/// Thresholds, at most.
const MOST_THRESHOLDS: usize = 24;
/// Relations between more numbers that change would take too long.
const MOST_PLACES: usize = 20;

/// What was found out about a loop.
pub struct Found {
    pub dimensions: Vec<Dimension>,
    /// What is known of fixed numbers before the loop.
    start: State,
    entering: Step,
    /// Where the loop starts.
    pub entry: State,
    /// Every state at the head of the loop belongs to it.
    pub head: State,
    pub turn: Step,
}

impl Found {
    /// The ways through a turn that can be taken.
    pub(crate) fn ways(&self, model: &Model) -> Vec<Way<'_>> {
        let Found { dimensions, head, turn, .. } = self;
        turn.paths.iter().filter_map(|path| turn.way(model, dimensions, head, path)).collect()
    }

    /// The way into the loop, with all its choices open, as `decisions` are to say.
    pub(crate) fn way_in<'a>(&'a self, model: &Model, decisions: &'a Decisions) -> Option<Way<'a>> {
        self.entering.way(model, &self.dimensions, &self.start, decisions)
    }

    /// The domains of some terms where the loop is left, if a condition is true there and others lie in domains; none
    /// if it is never left so. Terms that are no dimensions may have any value.
    pub fn left(
        &self,
        model: &Model,
        condition: Term,
        known: Vec<(Term, Domain)>,
        wanted: &[Term],
    ) -> Option<Vec<Domain>> {
        let terms: Vec<Term> = self.dimensions.iter().map(|dimension| dimension.term).collect();
        let (cone, conditions) = Cone::of(model, terms.iter().copied(), &[condition], usize::MAX)
            .expect("there is always room enough");
        let leaving = Step::new(model, cone, conditions, known, terms.clone(), 1);
        let end = leaving.image(model, &self.dimensions, &self.head)?;
        let domain = |&term: &Term| match terms.iter().position(|&own| own == term) {
            Some(n) => end.domains[n],
            None => Domain::full(model.width(term)),
        };
        Some(wanted.iter().map(domain).collect())
    }
}

/// What an analysis comes to.
pub enum Analysis {
    /// The loop is never entered.
    NeverEntered,
    Found(Box<Found>),
    /// It is too much work.
    GaveUp,
}

/// Looks for a set of states that holds all states at the head of a loop.
pub fn analyse(model: &Model, turn: &Turn<'_>, effort: Effort) -> Analysis {
    let places = &turn.places;
    if places.len() > MOST_PLACES {
        return Analysis::GaveUp;
    }
    let firsts: Vec<Term> = places.iter().map(|place| place.first).collect();
    let nexts: Vec<Term> = places.iter().map(|place| place.next).collect();
    let heads: Vec<Term> = places.iter().map(|place| place.head).collect();
    let cone = |conditions: &[Term], values: &[Term]| {
        let roots = values.iter().chain(&heads).copied();
        Cone::of(model, roots, conditions, effort.terms)
    };
    let (Some((entry, before)), Some((around, during))) =
        (cone(&turn.before, &firsts), cone(&turn.during, &nexts))
    else {
        return Analysis::GaveUp;
    };
    let dimensions = dimensions(model, turn, &around, &entry);
    let thresholds = thresholds(model, &around);
    let entry = Step::new(model, entry, before, turn.known.clone(), firsts, effort.paths);
    let around = Step::new(model, around, during, turn.known.clone(), nexts, effort.paths);
    let start = State::within(&dimensions, &turn.known);
    let Some(start) = start else { return Analysis::NeverEntered };
    let Some(first) = entry.image(model, &dimensions, &start) else { return Analysis::NeverEntered };
    let iteration = Iteration { model, dimensions: &dimensions, first: &first, turn: &around };
    let head = iteration.turn_by_turn(effort.turns).or_else(|| iteration.widened(effort.delay, &thresholds));
    match head {
        Some(head) => {
            let found = Found { dimensions, start, entering: entry, entry: first, head, turn: around };
            Analysis::Found(Box::new(found))
        }
        None => Analysis::GaveUp,
    }
}

/// The states at the head of a loop, turn after turn.
struct Iteration<'a> {
    model: &'a Model,
    dimensions: &'a [Dimension],
    first: &'a State,
    turn: &'a Step,
}

impl Iteration<'_> {
    fn next(&self, from: &State) -> Option<State> {
        self.turn.image(self.model, self.dimensions, from)
    }

    /// All states, if every run ends after so many turns. The states of different turns are joined only in the end, so
    /// that what is left to do in each of them is not forgotten.
    fn turn_by_turn(&self, most: usize) -> Option<State> {
        let mut all = self.first.clone();
        let mut now = self.first.clone();
        for _ in 0..most {
            let Some(next) = self.next(&now) else { return Some(all) };
            if next == now {
                return Some(all);
            }
            all = all.join(&next, self.dimensions);
            now = next;
        }
        None
    }

    /// A set of states that no turn leads out of; none if that is not found soon.
    fn widened(&self, delay: usize, thresholds: &[i128]) -> Option<State> {
        let dimensions = self.dimensions;
        let mut now = self.first.clone();
        let mut rounds = 0;
        loop {
            let start = now.reduced(dimensions)?;
            let Some(next) = self.next(&start) else { break };
            if next.is_within(&now, dimensions) {
                break;
            }
            let joined = start.join(&next, dimensions);
            now = match rounds < delay {
                true => joined,
                false => now.widened(&joined, dimensions, thresholds),
            };
            rounds += 1;
            if rounds > MOST_ROUNDS + delay {
                return None;
            }
        }
        Some(self.narrowed(now.reduced(dimensions)?))
    }

    /// A smaller set of states that holds all states at the head, as this one does.
    fn narrowed(&self, mut head: State) -> State {
        for _ in 0..NARROWINGS {
            let next = self.next(&head);
            let tighter =
                next.map_or_else(|| self.first.clone(), |next| self.first.join(&next, self.dimensions));
            // All states are in both.
            let Some(met) = head.meet(&tighter, self.dimensions) else { break };
            if met == head {
                break;
            }
            head = met;
        }
        head
    }
}

/// Numbers at which bounds may stop: constants that occur in comparisons, and their neighbours.
fn thresholds(model: &Model, cone: &Cone) -> Vec<i128> {
    let mut found = vec![0, 1, -1];
    for &term in cone.terms() {
        let Node::Compare(_, a, b) = model.node(term) else { continue };
        for side in [*a, *b] {
            let Some(bits) = model.constant(side) else { continue };
            let width = model.width(side);
            for number in [i128::from(width.signed(bits)), i128::from(bits)] {
                found.extend([number - 1, number, number + 1]);
                found.extend([-number - 1, -number, 1 - number]);
            }
        }
    }
    found.truncate(MOST_THRESHOLDS);
    found.sort_unstable();
    found.dedup();
    found
}
