//! What proofs need: assumptions that nobody stated, and that nothing undefined happens.
//!
//! A goal that no run meets under all assumptions is asked about again in encodings in which each assumption can be left
//! out. If no run meets it there either, it is unreachable. Else assumptions are left out one by one, as long as the
//! goal stays out of reach: what remains is needed.

use std::collections::BTreeSet;

use quipu_encode::{Cut, Unwinding};
use quipu_goals::{Goal, Goals};
use quipu_inputs::Assumption;
use quipu_model::Term;

use crate::clock::Clock;
use crate::options::Options;
use crate::refuter::Refuter;
use crate::slices::Part;
use crate::subject::Subject;

/// So many questions find out which assumptions one goal needs.
const MOST_QUESTIONS: u64 = 40;

/// What a proof rests on.
pub(crate) struct Needs {
    pub assumptions: BTreeSet<Assumption>,
    /// Whether the proof was not found without any one of them.
    pub least: bool,
}

impl Needs {
    pub fn nothing() -> Needs {
        Needs { assumptions: BTreeSet::new(), least: true }
    }
}

/// Encodings in which assumptions can be left out, made when they are asked for.
pub(crate) struct Scrutiny<'m, 'g> {
    part: Part<'m>,
    subject: &'m Subject,
    options: &'m Options,
    clock: &'m Clock,
    goals: &'g Goals,
    /// How the exact encoding goes that has all proofs which were not found by others.
    exact: Unwinding,
    /// The exact one, and loose ones by the turns in their past.
    asked: Vec<(Option<usize>, Refuter<'m>)>,
    pub questions: u64,
}

impl<'m, 'g> Scrutiny<'m, 'g> {
    pub fn new(
        part: Part<'m>,
        subject: &'m Subject,
        options: &'m Options,
        clock: &'m Clock,
        goals: &'g Goals,
        exact: Unwinding,
    ) -> Scrutiny<'m, 'g> {
        Scrutiny { part, subject, options, clock, goals, exact, asked: Vec::new(), questions: 0 }
    }

    /// What the proof of a goal needs, which was found in a loose encoding with so many turns in the `past`, or in the
    /// exact one. None if that cannot be told.
    pub fn needs(
        &mut self,
        goal: &Goal,
        past: Option<usize>,
        matters: &dyn Fn(&Cut) -> bool,
    ) -> Option<Needs> {
        let mut ways = vec![past];
        if past.is_none() {
            ways.push(Some(0));
        }
        for &way in &ways {
            if self.refutes(way, goal, matters, &[]) {
                return Some(Needs::nothing());
            }
        }
        ways.into_iter().find_map(|way| self.least(way, goal, matters))
    }

    /// A set of assumptions in one of the encodings of which none can be left out.
    fn least(&mut self, way: Option<usize>, goal: &Goal, matters: &dyn Fn(&Cut) -> bool) -> Option<Needs> {
        let all: Vec<(Assumption, Term)> =
            self.refuter(way).encoding.trusted.iter().map(|(one, &term)| (one.clone(), term)).collect();
        let terms =
            |chosen: &[(Assumption, Term)]| chosen.iter().map(|(_, term)| *term).collect::<Vec<Term>>();
        if all.is_empty() || !self.refutes(way, goal, matters, &terms(&all)) {
            return None;
        }
        let limit = self.questions + MOST_QUESTIONS;
        let mut needed = all;
        let mut least = true;
        let mut size = needed.len() / 2;
        // Large parts first: most assumptions have nothing to do with a goal.
        while size > 0 {
            let mut from = 0;
            while from < needed.len() {
                least = self.questions < limit && self.clock.stopped().is_none();
                if !least {
                    break;
                }
                let to = (from + size).min(needed.len());
                let fewer: Vec<_> = needed[..from].iter().chain(&needed[to..]).cloned().collect();
                match self.refutes(way, goal, matters, &terms(&fewer)) {
                    true => needed = fewer,
                    false => from = to,
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        if needed.len() == 1 && self.questions < limit {
            least = true;
        }
        Some(Needs { assumptions: needed.into_iter().map(|(one, _)| one).collect(), least })
    }

    fn refutes(
        &mut self,
        way: Option<usize>,
        goal: &Goal,
        matters: &dyn Fn(&Cut) -> bool,
        assumptions: &[Term],
    ) -> bool {
        if self.clock.stopped().is_some() {
            return false;
        }
        let goals = self.goals;
        let refutes = self.refuter(way).refutes_under(goals, goal, matters, assumptions);
        self.questions += std::mem::take(&mut self.refuter(way).questions);
        refutes
    }

    fn refuter(&mut self, way: Option<usize>) -> &mut Refuter<'m> {
        let known = self.asked.iter().position(|(known, _)| *known == way);
        let number = known.unwrap_or_else(|| {
            let unwinding = match way {
                None => self.exact.clone(),
                Some(past) => Refuter::unwinding(self.clock, self.options, past),
            };
            let unwinding = Unwinding { open: true, ..unwinding };
            let refuter = Refuter::new(self.part, self.subject, self.options, self.clock, &unwinding);
            self.asked.push((way, refuter));
            self.asked.len() - 1
        });
        &mut self.asked[number].1
    }
}
