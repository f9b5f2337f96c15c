//! The fixpoint: what holds at the head of a loop in every turn.

use quipu_model::{Model, Node, Term};

use crate::cone::Cone;
use crate::image::Step;
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
    /// Turns that are followed before bounds are given up.
    pub delay: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { terms: 600, paths: 16, delay: 3 }
    }
}

/// Rounds in which bounds move from threshold to threshold, at most.
const MOST_ROUNDS: usize = 60;
/// Rounds in which bounds that were given up are found again.
const NARROWINGS: usize = 3;
/// Thresholds, at most.
const MOST_THRESHOLDS: usize = 24;

/// What was found out about a loop.
pub struct Found {
    pub dimensions: Vec<Dimension>,
    /// Where the loop starts.
    pub entry: State,
    /// Every state at the head of the loop belongs to it.
    pub head: State,
    pub turn: Step,
}

impl Found {
    /// The ways through a turn that can be taken.
    pub fn possible_paths(&self, model: &Model) -> Vec<&Decisions> {
        self.turn.possible(model, &self.dimensions, &self.head)
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
    let entry = Step::new(model, entry, before, firsts, effort.paths);
    let around = Step::new(model, around, during, nexts, effort.paths);
    let Some(first) = entry.image(model, &dimensions, &State::full(&dimensions)) else {
        return Analysis::NeverEntered;
    };
    let mut now = first.clone();
    let mut rounds = 0;
    loop {
        let Some(start) = now.reduced(&dimensions) else { return Analysis::GaveUp };
        let Some(next) = around.image(model, &dimensions, &start) else { break };
        if next.is_within(&now, &dimensions) {
            break;
        }
        let joined = start.join(&next, &dimensions);
        now = match rounds < effort.delay {
            true => joined,
            false => now.widened(&joined, &dimensions, &thresholds),
        };
        rounds += 1;
        if rounds > MOST_ROUNDS + effort.delay {
            return Analysis::GaveUp;
        }
    }
    let Some(mut head) = now.reduced(&dimensions) else { return Analysis::GaveUp };
    for _ in 0..NARROWINGS {
        let next = around.image(model, &dimensions, &head);
        let tighter = next.map_or_else(|| first.clone(), |next| first.join(&next, &dimensions));
        // All states are in both.
        let Some(met) = head.meet(&tighter, &dimensions) else { break };
        if met == head {
            break;
        }
        head = met;
    }
    Analysis::Found(Box::new(Found { dimensions, entry: first, head, turn: around }))
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
