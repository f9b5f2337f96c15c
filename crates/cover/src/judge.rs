//! What kind of proof a proof is.
//!
//! That no run meets a goal is told of runs in which the assumptions hold and nothing undefined happens before. Whether
//! it is true of all others as well, and which assumptions it needs, is found out here.

use quipu_encode::{Cut, Encoding, Unwinding};
use quipu_goals::{Goal, GoalId};
use quipu_inputs::Assumption;
use quipu_ir::Event;
use quipu_model::{Evaluation, Model, Term};
use quipu_solve::{Answer, Session, Solution};

use crate::pool::Pool;
use crate::prover::{PASTS, Prover};
use crate::question::{Chance, chances};
use crate::refuter::Refuter;
use crate::report::{Exclusion, Proof, Undefined, Verdict};
use crate::scrutiny::{Needs, Scrutiny};

/// So many turns of each loop are followed to find out whether anything is ever undefined.
const TURNS_FURTHER_ON: u64 = 24;
/// And so many blocks in all: what does not end soon is not worth the effort.
const BLOCKS_FURTHER_ON: usize = 1_000;

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

    /// What a proof says for certain, before anybody has found out what it needs: it may need every assumption there is.
    pub(crate) fn before_judgement(&self, goal: &Goal, proof: Proof) -> Verdict {
        let by = self.ours();
        if !by.is_empty() {
            return Verdict::Excluded(proof, Exclusion { by, least: false });
        }
        match goal.is_undefined() {
            true => Verdict::Unreachable(proof),
            false => Verdict::AfterUndefined(proof, None),
        }
    }

    /// What the proof of a goal needs.
    fn needs(&self, scrutiny: &mut Scrutiny<'m, '_>, goal: &Goal) -> Needs {
        let ours = self.ours();
        if ours.is_empty() {
            return Needs::nothing();
        }
        let past = self.refuted.get(&goal.id).map(|&number| PASTS[number]);
        let matters = |cut: &Cut| self.beyond.may_lie_behind(goal, cut);
        let unknown = || Needs { assumptions: ours.into_iter().collect(), least: false };
        scrutiny.needs(goal, past, &matters).unwrap_or_else(unknown)
    }

    /// What is taken for granted and was not stated by the user.
    fn ours(&self) -> Vec<Assumption> {
        self.assumptions().filter(Assumption::is_ours).collect()
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
        if let Some(read) = self.unwritten_read(goal) {
            return self.behind_unwritten_reads(goal, read);
        }
        let matters = |cut: &Cut| self.beyond.may_lie_behind(goal, cut);
        if let Some(&number) = self.refuted.get(&goal.id)
            && self.refuters[number].is_never_met_at_all(goal)
            && self.refuters[number].ends_nowhere_at_all(matters)
        {
            return Dirty::Never;
        }
        // A run that is not clean may go on behind a cut that clean ones never reach.
        let cuts: Vec<Term> = self
            .encoding
            .cuts
            .iter()
            .filter(|cut| self.beyond.may_lie_behind(goal, cut))
            .map(|cut| cut.when)
            .collect();
        let mut found = Dirty::Perhaps(None);
        for part in &goal.parts {
            let mut whens = cuts.clone();
            for way in &part.ways {
                let chances = chances(self.part.module, &self.encoding, self.session.model_mut(), way);
                whens.extend(chances.iter().map(|chance| chance.when));
            }
            match met(&self.encoding, &mut self.session, whens) {
                Dirty::Never => return Dirty::Never,
                perhaps => found = perhaps,
            }
        }
        found
    }
}

impl Prover<'_> {
    /// A read of something that may never have been written, in the encoding in which a goal was refuted.
    fn unwritten_read(&self, goal: &Goal) -> Option<Undefined> {
        let encoding = match self.refuted.get(&goal.id) {
            Some(&number) => &self.refuters[number].encoding,
            None => &self.encoding,
        };
        let event = Some(Event::UninitializedRead);
        let read = encoding.checks.iter().find(|check| check.event == event)?;
        Some(Undefined { event, func: read.func, span: read.span })
    }

    /// Whether runs meet a goal that go on behind reads of what was never written, with any value there. The encoding in
    /// which such a read is an event says nothing about values behind it.
    fn behind_unwritten_reads(&mut self, goal: &Goal, read: Undefined) -> Dirty {
        let way = self.refuted.get(&goal.id).copied();
        let known = self.indeterminate.iter().position(|(known, _)| *known == way);
        let number = known.unwrap_or_else(|| {
            let unwinding = match way {
                None => self.unwinding.clone(),
                Some(number) => Refuter::unwinding(self.clock, self.options, PASTS[number]),
            };
            let unwinding = Unwinding { indeterminate: true, ..unwinding };
            let refuter = Refuter::new(self.part, self.subject, self.options, self.clock, &unwinding);
            self.indeterminate.push((way, refuter));
            self.indeterminate.len() - 1
        });
        let matters = |cut: &Cut| self.beyond.may_lie_behind(goal, cut);
        let refuter = &mut self.indeterminate[number].1;
        match refuter.is_never_met_at_all(goal) && refuter.ends_nowhere_at_all(matters) {
            true => Dirty::Never,
            false => Dirty::Perhaps(Some(read)),
        }
    }

    /// Whether nothing undefined ever happens, as the encoding shows in which a goal was refuted, or the exact one.
    fn is_always_defined(&mut self, goal: &Goal) -> bool {
        if let Some(&number) = self.refuted.get(&goal.id)
            && self.refuters[number].is_always_defined()
        {
            return true;
        }
        if self.always_defined.is_none() {
            let mut failures = first_failures(&self.encoding, self.session.model_mut());
            // Something may be undefined behind a cut.
            let cuts = self.encoding.cuts.iter();
            failures.extend(cuts.map(|cut| Chance { when: cut.when, n_checks: cut.n_checks }));
            let question = self.clean_until(&failures);
            let nothing_unseen = self.encoding.unchecked.is_empty();
            self.always_defined = Some(nothing_unseen && matches!(self.ask(&[question]), Answer::Infeasible));
        }
        self.always_defined == Some(true) || self.is_always_defined_further_on()
    }

    /// The same with more turns of all loops than were asked about so far: a loop that ends soon need not have been
    /// followed to its end to find all goals.
    fn is_always_defined_further_on(&mut self) -> bool {
        if self.encoding.cuts.is_empty() || self.clock.stopped().is_some() {
            return false;
        }
        if self.further_on.is_none() {
            let unwinding = Unwinding {
                turns: TURNS_FURTHER_ON,
                size: BLOCKS_FURTHER_ON,
                ..self.clock.unwinding(self.options)
            };
            let mut further = Refuter::new(self.part, self.subject, self.options, self.clock, &unwinding);
            self.further_on = Some(further.is_always_defined() && further.ends_nowhere(|_| true, &[]));
        }
        self.further_on == Some(true)
    }
}

impl Prover<'_> {
    /// What goes wrong first in some run, if something undefined happens in every one. That is asked only where no test
    /// is without it, and of the whole program: in a slice, what keeps runs from getting there may be left out.
    pub fn always_undefined(&mut self, pool: &Pool<'_>) -> Option<Undefined> {
        let is_whole = std::ptr::eq(self.part.module, self.part.whole);
        if !is_whole || self.encodings == 0 || pool.found.iter().any(|test| test.clean) {
            return None;
        }
        let undefined = self.encoding.checks.iter().filter(|check| check.event.is_some());
        let defined: Vec<Term> = undefined.map(|check| check.clean).collect();
        if defined.is_empty() || !matches!(self.ask(&defined), Answer::Infeasible) {
            return None;
        }
        let always = self.session.model_mut().truth(true);
        match met(&self.encoding, &mut self.session, vec![always]) {
            Dirty::Perhaps(first) => first,
            Dirty::Never => None,
        }
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
        Answer::Solution(solution) => Dirty::Perhaps(first_failure(session.model(), encoding, &solution)),
    }
}

/// The first thing that goes wrong in a run.
pub(crate) fn first_failure(model: &Model, encoding: &Encoding, solution: &Solution) -> Option<Undefined> {
    let mut evaluation = Evaluation::new(model, solution);
    let failed = encoding.checks.iter().find(|check| evaluation.value(check.clean) == 0)?;
    Some(Undefined { event: failed.event, func: failed.func, span: failed.span })
}
