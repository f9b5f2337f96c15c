//! One goal in one encoding.

use std::collections::BTreeMap;

use quipu_base::Id;
use quipu_encode::{Approximation, Encoding};
use quipu_goals::{Goal, Item, Way};
use quipu_model::{Evaluation, Model, Term};
use quipu_solve::{Answer, Limit, Solution};

use crate::pool::Pool;
use crate::prover::Prover;
use crate::question::{Chance, chances, unchecked};
use crate::report::Reason;

/// What became of a goal, or a part of it, in an encoding.
#[derive(Clone, Debug)]
pub(crate) enum Attempt {
    Covered,
    /// It cannot happen in this encoding.
    Infeasible,
    /// It can only happen in runs that are not followed to their end, and those that were tried do not count.
    Cut,
    GaveUp(Reason),
}

impl Prover<'_> {
    /// All parts of a goal.
    pub fn attempt(&mut self, pool: &mut Pool<'_>, goal: &Goal) -> Attempt {
        if !pool.goals().any_pair(goal.id) {
            return self.attempt_pairs(pool, goal);
        }
        if goal.is_violation() {
            return self.attempt_violation(pool, goal);
        }
        let mut worst = Attempt::Covered;
        for (n, part) in goal.parts.iter().enumerate() {
            if pool.clean.is_part_covered(goal.id, n) {
                continue;
            }
            let covered = |pool: &Pool<'_>| pool.all.is_part_covered(goal.id, n);
            match self.attempt_ways(pool, &part.ways, &covered) {
                Attempt::Covered => {}
                Attempt::Infeasible => return Attempt::Infeasible,
                Attempt::Cut => worst = Attempt::Cut,
                Attempt::GaveUp(_) if matches!(worst, Attempt::Cut) => {}
                gave_up @ Attempt::GaveUp(_) => worst = gave_up,
            }
        }
        worst
    }

    /// Something that should not happen: a check fails, in a run that is clean until then.
    fn attempt_violation(&mut self, pool: &mut Pool<'_>, goal: &Goal) -> Attempt {
        let ways = &goal.parts[0].ways;
        let covered = |pool: &Pool<'_>| pool.all.is_part_covered(goal.id, 0);
        let mut found: Vec<Chance> = Vec::new();
        for way in ways {
            found.extend(chances(self.module, &self.encoding, self.session.model_mut(), way));
        }
        let attempt = match found.is_empty() {
            true => Attempt::Infeasible,
            false => {
                let question = self.clean_until(&found);
                self.attempt_term(pool, question, &covered)
            }
        };
        match attempt {
            Attempt::Infeasible => self.attempt_unchecked(pool, ways, &covered),
            other => other,
        }
    }

    /// What no check stands for may happen wherever control comes to its place.
    fn attempt_unchecked(
        &mut self,
        pool: &mut Pool<'_>,
        ways: &[Way],
        covered: &dyn Fn(&Pool<'_>) -> bool,
    ) -> Attempt {
        let places = unchecked(&self.encoding, ways);
        for Approximation { when, n_checks, what, func, span } in places {
            let question = self.clean_until(&[Chance { when, n_checks }]);
            match self.solution(&[question]) {
                Err(Attempt::Infeasible) => continue,
                Err(attempt) => return attempt,
                Ok(solution) => pool.try_inputs(&self.encoding.inputs(self.session.model(), &solution)),
            };
            return match covered(pool) {
                true => Attempt::Covered,
                false => Attempt::GaveUp(Reason::Unsupported { what, func, span }),
            };
        }
        Attempt::Infeasible
    }

    /// A goal that needs two evaluations which fit together.
    fn attempt_pairs(&mut self, pool: &mut Pool<'_>, goal: &Goal) -> Attempt {
        let goals = pool.goals();
        let mut known: BTreeMap<Item, Attempt> = BTreeMap::new();
        let mut best = Attempt::Infeasible;
        for (&when_true, true_way) in goal.parts[0].items.iter().zip(&goal.parts[0].ways) {
            for (&when_false, false_way) in goal.parts[1].items.iter().zip(&goal.parts[1].ways) {
                if !goals.pair(goal.id, when_true, when_false) {
                    continue;
                }
                let mut both = Attempt::Covered;
                for (item, way) in [(when_true, true_way), (when_false, false_way)] {
                    let shown =
                        |pool: &Pool<'_>| pool.found.iter().any(|test| test.items.contains(item.index()));
                    let attempt = match known.get(&item) {
                        _ if shown(pool) => Attempt::Covered,
                        Some(attempt) => attempt.clone(),
                        None => self.attempt_ways(pool, std::slice::from_ref(way), &shown),
                    };
                    known.insert(item, attempt.clone());
                    if !matches!(attempt, Attempt::Covered) {
                        both = attempt;
                        break;
                    }
                }
                match both {
                    Attempt::Covered => return Attempt::Covered,
                    Attempt::Infeasible => {}
                    Attempt::Cut => best = Attempt::Cut,
                    Attempt::GaveUp(_) if matches!(best, Attempt::Cut) => {}
                    gave_up @ Attempt::GaveUp(_) => best = gave_up,
                }
            }
        }
        best
    }

    /// Any of some ways: in a clean run if possible, else in one that is clean up to there.
    fn attempt_ways(
        &mut self,
        pool: &mut Pool<'_>,
        ways: &[Way],
        covered: &dyn Fn(&Pool<'_>) -> bool,
    ) -> Attempt {
        let mut found: Vec<Chance> = Vec::new();
        for way in ways {
            found.extend(chances(self.module, &self.encoding, self.session.model_mut(), way));
        }
        if found.is_empty() {
            return Attempt::Infeasible;
        }
        let clean = self.clean(&found);
        let first = self.attempt_term(pool, clean, covered);
        if covered(pool) {
            return Attempt::Covered;
        }
        if matches!(first, Attempt::GaveUp(_)) || self.encoding.checks.is_empty() {
            return first;
        }
        let until = self.clean_until(&found);
        match self.attempt_term(pool, until, covered) {
            Attempt::Infeasible => first,
            second => second,
        }
    }

    /// Tries a solution, and if that relies on values that were made up, one that does not.
    fn attempt_term(
        &mut self,
        pool: &mut Pool<'_>,
        question: Term,
        covered: &dyn Fn(&Pool<'_>) -> bool,
    ) -> Attempt {
        let first = self.attempt_counting(pool, question, covered);
        if !matches!(first, Attempt::GaveUp(Reason::Unsupported { .. })) {
            return first;
        }
        let (uncut, exact) = (self.uncut(), self.exact());
        if let Ok(solution) = self.solution(&[question, uncut, exact]) {
            pool.try_inputs(&self.encoding.inputs(self.session.model(), &solution));
        }
        if covered(pool) { Attempt::Covered } else { first }
    }

    /// Tries a solution. Where it gets to a cut, the run may turn out not to count; one that gets to none does.
    fn attempt_counting(
        &mut self,
        pool: &mut Pool<'_>,
        question: Term,
        covered: &dyn Fn(&Pool<'_>) -> bool,
    ) -> Attempt {
        let solution = match self.solution(&[question]) {
            Ok(solution) => solution,
            Err(attempt) => return attempt,
        };
        pool.try_inputs(&self.encoding.inputs(self.session.model(), &solution));
        if covered(pool) {
            return Attempt::Covered;
        }
        if !self.gets_to_a_cut(&solution) {
            return Attempt::GaveUp(why_not(self.session.model(), &self.encoding, &solution));
        }
        let uncut = self.uncut();
        let solution = match self.solution(&[question, uncut]) {
            Ok(solution) => solution,
            Err(Attempt::Infeasible) => return Attempt::Cut,
            Err(attempt) => return attempt,
        };
        pool.try_inputs(&self.encoding.inputs(self.session.model(), &solution));
        match covered(pool) {
            true => Attempt::Covered,
            false => Attempt::GaveUp(why_not(self.session.model(), &self.encoding, &solution)),
        }
    }

    /// A solution, if there is one with zeros in memory that was never written: so tests are run.
    fn solution(&mut self, assumptions: &[Term]) -> Result<Solution, Attempt> {
        if !self.encoding.zeros.is_empty() {
            let with_zeros = [assumptions, &self.encoding.zeros[..]].concat();
            if let Answer::Solution(solution) = self.ask(&with_zeros) {
                return Ok(solution);
            }
        }
        match self.ask(assumptions) {
            Answer::Solution(solution) => Ok(solution),
            Answer::Infeasible => Err(Attempt::Infeasible),
            Answer::GaveUp(limit) => Err(Attempt::GaveUp(self.reason(limit))),
        }
    }

    fn gets_to_a_cut(&self, solution: &Solution) -> bool {
        let mut evaluation = Evaluation::new(self.session.model(), solution);
        self.encoding.cuts.iter().any(|cut| evaluation.value(cut.when) == 1)
    }

    /// That no cut is reached.
    fn uncut(&mut self) -> Term {
        let (model, cuts) = (self.session.model_mut(), &self.encoding.cuts);
        *self.uncut.get_or_insert_with(|| {
            let any = model.any(cuts.iter().map(|cut| cut.when).collect::<Vec<_>>());
            model.not(any)
        })
    }

    /// That no value matters that was made up.
    fn exact(&mut self) -> Term {
        let (model, made_up) = (self.session.model_mut(), &self.encoding.approximations);
        let any = model.any(made_up.iter().map(|item| item.when).collect::<Vec<_>>());
        model.not(any)
    }

    fn reason(&self, limit: Limit) -> Reason {
        match limit {
            Limit::Interrupted => self.stopped().unwrap_or(Reason::Time),
            _ => Reason::Effort,
        }
    }

    /// Some chance, in a clean run.
    fn clean(&mut self, chances: &[Chance]) -> Term {
        let model = self.session.model_mut();
        let any = model.any(chances.iter().map(|chance| chance.when).collect::<Vec<_>>());
        let clean = self.clean.before(model, &self.encoding, self.encoding.checks.len());
        model.all([any, clean])
    }

    /// Some chance, in a run that is clean until then.
    pub fn clean_until(&mut self, chances: &[Chance]) -> Term {
        self.clean.until(self.session.model_mut(), &self.encoding, chances)
    }
}

/// Why a solution does not do what it should: it was made up where there is no model.
pub(crate) fn why_not(model: &Model, encoding: &Encoding, solution: &Solution) -> Reason {
    let mut evaluation = Evaluation::new(model, solution);
    if let Some(read) = encoding.unwritten.iter().find(|read| evaluation.value(read.when) == 1) {
        return Reason::Unwritten { func: read.func, span: read.span };
    }
    let mut made_up = encoding.approximations.iter().chain(&encoding.unspecified);
    match made_up.find(|item| evaluation.value(item.when) == 1) {
        Some(item) => Reason::Unsupported { what: item.what.clone(), func: item.func, span: item.span },
        None => Reason::Mismatch,
    }
}
