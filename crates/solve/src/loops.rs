//! What loops say about arguments that lie in the present domains.

use std::sync::Arc;

use quipu_cp::Solver;
use quipu_domain::Domain;
use quipu_model::{Node, Term};
use rustc_hash::FxHashMap;

use crate::summary::Summaries;

/// So many calls of loops are looked at, and each so often: the first ones are those that the question is about.
const MOST_CALLS: usize = 4;
const MOST_TIMES: u32 = 3;

/// The loops of a model, and what was said about them.
pub(crate) struct Loops {
    summaries: Arc<Summaries>,
    /// The domains with which a call was looked at last, and how often that was.
    seen: FxHashMap<Term, (Vec<Domain>, u32)>,
}

impl Loops {
    pub fn new(summaries: Arc<Summaries>) -> Loops {
        Loops { summaries, seen: FxHashMap::default() }
    }

    /// What holds in all solutions, now that the arguments of calls that are true lie in the domains of the solver.
    pub fn facts(&mut self, solver: &mut Solver<'_>) -> Vec<Term> {
        if self.summaries.is_empty() {
            return Vec::new();
        }
        let mut facts = Vec::new();
        for call in solver.true_calls() {
            let Node::Call(relation, arguments) = solver.model().node(call).clone() else { continue };
            let Some(summary) = self.summaries.get(relation) else { continue };
            if self.seen.len() >= MOST_CALLS && !self.seen.contains_key(&call) {
                break;
            }
            let domains: Vec<Domain> = arguments.iter().map(|&argument| solver.domain(argument)).collect();
            let (before, times) = self.seen.entry(call).or_default();
            if *times < MOST_TIMES && *before != domains {
                *times += 1;
                facts.extend(summary.instance_within(solver.model_mut(), &arguments, &domains));
                *before = domains;
            }
        }
        facts
    }
}
