//! What kind of proof a proof is.
//!
//! That no run meets a goal is told of runs in which the assumptions hold and nothing undefined happens before. Whether
//! it is true of all others as well, and which assumptions it needs, is found out here.

use quipu_encode::{Cut, Encoding};
use quipu_goals::{Goal, GoalId};
use quipu_inputs::Assumption;
use quipu_model::{Evaluation, Model, Term};
use quipu_solve::{Answer, Session};

use crate::pool::Pool;
use crate::prover::{PASTS, Prover};
use crate::question::{Chance, chances};
use crate::report::{Exclusion, Proof, Undefined, Verdict};
use crate::scrutiny::{Needs, Scrutiny};

/// Whether a goal is met by runs that have done something undefined before.
enum Dirty {
    /// None is there, whatever happens.
    Never,
    /// Perhaps; something undefined that comes first, if one is known.
    Perhaps(Option<Undefined>),
}

impl<'m> Prover<'m> {
    /// Finds out what proofs need. What they may need is called so where the time is over.
    pub fn judge(&mut self, pool: &Pool<'_>) {
        let needs_nothing = |verdict: &Verdict| match verdict {
            Verdict::Unreachable(proof) => matches!(proof, Proof::ControlFlow | Proof::NoInputs),
            _ => true,
        };
        let proved: Vec<GoalId> = self
            .verdicts
            .iter()
            .filter(|(_, verdict)| !needs_nothing(verdict))
            .map(|(&goal, _)| goal)
            .collect();
        if proved.is_empty() {
            return;
        }
        let goals = pool.goals();
        let (part, subject, options, clock) = (self.part, self.subject, self.options, self.clock);
        let mut scrutiny = Scrutiny::new(part, subject, options, clock, goals, self.unwinding.clone());
        for id in proved {
            let goal = &goals.all()[id];
            let needs = self.needs(&mut scrutiny, goal);
            let verdict = self.judged(goal, needs);
            self.tell(id, &verdict);
            self.verdicts.insert(id, verdict);
        }
        self.questions += scrutiny.questions;
    }

    /// What the proof of a goal needs.
    fn needs(&self, scrutiny: &mut Scrutiny<'m, '_>, goal: &Goal) -> Needs {
        let ours: Vec<Assumption> = self.assumptions().filter(Assumption::is_ours).collect();
        if ours.is_empty() {
            return Needs::nothing();
        }
        let past = self.refuted.get(&goal.id).map(|&number| PASTS[number]);
        let matters = |cut: &Cut| self.beyond.may_lie_behind(goal, cut);
        let unknown = || Needs { assumptions: ours.into_iter().collect(), least: false };
        scrutiny.needs(goal, past, &matters).unwrap_or_else(unknown)
    }

    /// Everything that is taken for granted.
    fn assumptions(&self) -> impl Iterator<Item = Assumption> + '_ {
        let interface = &self.subject.interface;
        interface.assumptions.iter().cloned().chain(self.granted())
    }

    fn judged(&mut self, goal: &Goal, needs: Needs) -> Verdict {
        let Some(Verdict::Unreachable(proof)) = self.verdicts.remove(&goal.id) else {
            unreachable!("only proofs are judged")
        };
        if !needs.assumptions.is_empty() {
            let by = needs.assumptions.into_iter().collect();
            return Verdict::Excluded(proof, Exclusion { by, least: needs.least });
        }
        // The first thing that goes wrong in a run is what it is, whatever would come behind it.
        if goal.is_undefined() {
            return Verdict::Unreachable(proof);
        }
        match self.in_dirty_runs(goal) {
            Dirty::Never => Verdict::Unreachable(proof),
            Dirty::Perhaps(undefined) => Verdict::AfterUndefined(proof, undefined),
        }
    }

    /// Whether runs meet a goal that are not clean. A goal needs all its parts.
    fn in_dirty_runs(&mut self, goal: &Goal) -> Dirty {
        self.questions += 1;
        if self.is_always_defined(goal) {
            return Dirty::Never;
        }
        let module = self.part.module;
        let (encoding, session) = match self.refuted.get(&goal.id) {
            Some(&number) => {
                let refuter = &mut self.refuters[number];
                if refuter.is_never_met_at_all(goal) {
                    return Dirty::Never;
                }
                (&refuter.encoding, &mut refuter.session)
            }
            None => (&self.encoding, &mut self.session),
        };
        let mut found = Dirty::Perhaps(None);
        for part in &goal.parts {
            let mut whens: Vec<Term> = Vec::new();
            for way in &part.ways {
                let chances = chances(module, encoding, session.model_mut(), way);
                whens.extend(chances.iter().map(|chance| chance.when));
            }
            match met(encoding, session, whens) {
                Dirty::Never => return Dirty::Never,
                perhaps => found = perhaps,
            }
        }
        found
    }
}

impl Prover<'_> {
    /// Whether nothing undefined ever happens, as the encoding shows in which a goal was refuted.
    fn is_always_defined(&mut self, goal: &Goal) -> bool {
        if let Some(&number) = self.refuted.get(&goal.id) {
            return self.refuters[number].is_always_defined();
        }
        if self.always_defined.is_none() {
            let failures = first_failures(&self.encoding, self.session.model_mut());
            let question = self.clean_until(&failures);
            let nothing_unseen = self.encoding.unchecked.is_empty();
            self.always_defined = Some(nothing_unseen && matches!(self.ask(&[question]), Answer::Infeasible));
        }
        self.always_defined == Some(true)
    }
}

/// The ways in which runs stop being clean.
pub(crate) fn first_failures(encoding: &Encoding, model: &mut Model) -> Vec<Chance> {
    let checks = encoding.checks.iter().enumerate();
    checks.map(|(n_checks, check)| Chance { when: model.not(check.clean), n_checks }).collect()
}

/// Whether some run meets one of several terms; the first thing that goes wrong in it, if so.
fn met(encoding: &Encoding, session: &mut Session<'_>, whens: Vec<Term>) -> Dirty {
    let question = session.model_mut().any(whens);
    match session.solve_under(&[question]) {
        Answer::Infeasible => Dirty::Never,
        Answer::GaveUp(_) => Dirty::Perhaps(None),
        Answer::Solution(solution) => {
            let mut evaluation = Evaluation::new(session.model(), &solution);
            let failed = encoding.checks.iter().find(|check| evaluation.value(check.clean) == 0);
            let undefined =
                failed.map(|check| Undefined { event: check.event, func: check.func, span: check.span });
            Dirty::Perhaps(undefined)
        }
    }
}
