//! Large functions run by run.
//!
//! An encoding of a function with hundreds of decisions takes the whole time before the first question. One run of it
//! does not: it is followed with terms ([`quipu_encode::Trail`]), and inputs are asked for that leave it by an edge which
//! no run has taken yet (Godefroid, Klarlund and Sen's directed testing, 2005). Each of these is the next run. What is
//! found is tests; nothing is proved here.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use quipu_encode::{Encoder, Encoding, Tracker, Trail, Unwinding};
use quipu_inputs::{Inputs, Mentioned};
use quipu_ir::{Block, Func, Module};
use quipu_model::{Model, Term};
use quipu_solve::{Answer, Session};

use crate::clock::Clock;
use crate::options::Options;
use crate::pool::Pool;
use crate::question::{Chance, Clean};
use crate::slices::Part;
use crate::subject::Subject;

/// Functions with fewer blocks, together with those that they call, are encoded as a whole.
const LEAST_BLOCKS: usize = 600;
/// Exploration takes one of so many parts of the time.
const TIME_SHARES: usize = 2;
/// A run is followed for so many steps.
const MOST_STEPS: usize = 4_000;
/// And as long as no function calls itself more often.
const MOST_CALLS: u64 = 1 << 8;
/// A question may take this part of the effort of other questions.
const EFFORT_SHARE: u64 = 20;
/// An edge is asked for along so many runs.
const MOST_QUESTIONS: u32 = 12;
/// The model is made anew when it has so many terms.
const MOST_TERMS: usize = 400_000;

/// An edge of a block with several.
type Edge = (Func, Block, usize);

/// Looks for tests for the goals that the pool does not cover yet.
pub(crate) fn explore(
    pool: &mut Pool<'_>,
    module: &Module,
    subject: &Subject,
    options: &Options,
    clock: &Clock,
) {
    let entered = Mentioned::by_any(module, subject.interface.functions()).functions;
    let codes = entered.iter().filter_map(|&func| module.functions[func].code());
    if pool.is_complete() || codes.map(|code| code.blocks.len()).sum::<usize>() < LEAST_BLOCKS {
        return;
    }
    let clock = clock.share(TIME_SHARES, options);
    let mut explorer = Explorer::new(module, subject, options, &clock);
    for found in pool.found.clone() {
        explorer.run(pool, &found.inputs);
    }
    while let Some(trail) = explorer.waiting.pop_front() {
        if clock.stopped().is_some() || pool.is_complete() {
            return;
        }
        explorer.leave(pool, trail);
    }
}

struct Explorer<'m> {
    module: &'m Module,
    subject: &'m Subject,
    options: &'m Options,
    clock: &'m Clock,
    encoder: Encoder<'m>,
    session: Session<'m>,
    /// The edges that runs have taken.
    taken: BTreeSet<Edge>,
    /// How often others were asked for.
    asked: BTreeMap<Edge, u32>,
    /// Runs that took an edge first, and were not left yet.
    waiting: VecDeque<Arc<Trail>>,
}

impl<'m> Explorer<'m> {
    fn new(module: &'m Module, subject: &'m Subject, options: &'m Options, clock: &'m Clock) -> Explorer<'m> {
        let mut session = clock.session(Model::new(), options);
        session.set_effort(Some(options.effort / EFFORT_SHARE));
        let encoder = Part::all_of(module).encoder(subject);
        let (taken, asked, waiting) = Default::default();
        Explorer { module, subject, options, clock, encoder, session, taken, asked, waiting }
    }

    /// Runs inputs, and keeps the way that they went if it is new.
    fn run(&mut self, pool: &mut Pool<'_>, inputs: &Inputs) {
        pool.try_inputs(inputs);
        let mut tracker = Tracker::new(self.module, MOST_STEPS);
        if !pool.follow(inputs, &mut tracker) {
            return;
        }
        let before = self.taken.len();
        self.taken.extend(tracker.trail.edges());
        if self.taken.len() > before {
            self.waiting.push_back(Arc::new(tracker.trail));
        }
    }

    /// Asks for inputs that leave a run by edges that were never taken.
    fn leave(&mut self, pool: &mut Pool<'_>, trail: Arc<Trail>) {
        if self.session.model().terms().len() > MOST_TERMS {
            let Explorer { module, subject, options, clock, .. } = *self;
            let fresh = Explorer::new(module, subject, options, clock);
            (self.encoder, self.session) = (fresh.encoder, fresh.session);
        }
        let unwinding = Unwinding {
            turns: u64::MAX,
            recursion: MOST_CALLS,
            trail: Some(trail),
            ..self.clock.unwinding(self.options)
        };
        let encoding = self.encoder.encode(self.session.model_mut(), &unwinding);
        for &term in encoding.assumptions.iter().chain(&encoding.lemmas) {
            self.session.assert(term);
        }
        let mut clean = Clean::default();
        let mut edges: Vec<Edge> = encoding.edges.keys().copied().collect();
        edges.sort_unstable();
        for edge in edges {
            let asked = self.asked.entry(edge).or_default();
            if self.taken.contains(&edge) || *asked >= MOST_QUESTIONS || self.clock.stopped().is_some() {
                continue;
            }
            *asked += 1;
            let question = question(self.session.model_mut(), &encoding, &mut clean, edge);
            if let Answer::Solution(solution) = self.session.solve_under(&[question]) {
                let inputs = encoding.inputs(self.session.model(), &solution);
                self.run(pool, &inputs);
            }
        }
    }
}

/// That a run takes an edge, and is clean until then.
fn question(model: &mut Model, encoding: &Encoding, clean: &mut Clean, edge: Edge) -> Term {
    let visits = encoding.edges[&edge].iter();
    let chances: Vec<Chance> =
        visits.map(|visit| Chance { when: visit.when, n_checks: visit.n_checks }).collect();
    clean.until(model, encoding, &chances)
}
