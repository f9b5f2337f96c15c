//! Goal by goal with the solver: inputs, or proofs, deeper and deeper into loops.

use std::collections::{BTreeMap, BTreeSet};

use quipu_encode::{Cut, CutKind, Encoder, Encoding, Unwinding};
use quipu_goals::{Goal, GoalId};
use quipu_inputs::Assumption;
use quipu_ir::Module;
use quipu_model::{Model, Term};
use quipu_solve::{Answer, Limit, Session};

use crate::attempt::Attempt;
use crate::beyond::Beyond;
use crate::clock::Clock;
use crate::conflict::{Budget, conflicts};
use crate::explain::Explainer;
use crate::options::Options;
use crate::pool::Pool;
use crate::question::{Chance, Clean};
use crate::record::News;
use crate::refuter::Refuter;
use crate::report::{Bound, Explanation, Proof, Reason, Verdict};
use crate::slices::Part;
use crate::subject::Subject;

/// No loop is unfolded further than this.
const MOST_TURNS: u64 = 1 << 14;
/// Loops that count are allowed so many times more turns.
const COUNTING_FACTOR: u64 = 4;
/// No function calls itself more often than this.
const MOST_CALLS: u64 = 1 << 9;
/// The most questions that explain why goals are unreachable.
const MOST_FINDING: u64 = 200;
const MOST_MINIMISING: u64 = 60;
/// All goals together may take this part of the effort of other questions, for each question about them.
const EXPLANATION_SHARE: u64 = 20;
/// What explanations cost in all should not be more than what there is to explain, nor than this if that was little.
const LEAST_EXPLAINING: u64 = 400_000;

/// So many turns in the past are tried, one after the other.
pub(crate) const PASTS: [usize; 5] = [0, 1, 2, 4, 8];
/// So many of them where all loops count, and were followed for at most so many turns.
const COUNTED_PASTS: usize = 2;
const SOON_COUNTED: u64 = 1024;

/// The part of the effort that a question may take before simpler encodings are tried.
const FIRST_SHARE: u64 = 50;

/// A goal that is not met in an encoding.
#[derive(Clone, Copy, Debug)]
struct Open {
    goal: GoalId,
    /// It is met on the way to a cut, by runs that may not count for what happens behind.
    before_cut: bool,
}

/// The preconditions contradict each other.
#[derive(Clone, Debug)]
pub struct Contradiction;

/// Proves what can be proved about the goals of a function.
pub(crate) struct Prover<'m> {
    pub(crate) part: Part<'m>,
    pub(crate) module: &'m Module,
    pub(crate) options: &'m Options,
    encoder: Encoder<'m>,
    pub(crate) session: Session<'m>,
    pub(crate) unwinding: Unwinding,
    pub(crate) encoding: Encoding,
    pub(crate) clean: Clean,
    /// That no cut is reached.
    pub(crate) uncut: Option<Term>,
    /// Whether nothing undefined ever happens in this encoding, if somebody asked.
    pub(crate) always_defined: Option<bool>,
    /// The same of an encoding with more turns.
    pub(crate) further_on: Option<bool>,
    pub(crate) beyond: Beyond,
    pub(crate) subject: &'m Subject,
    /// Loose encodings, each with more turns in the past, and the goals that they refute, by number.
    pub(crate) refuters: Vec<Refuter<'m>>,
    pub(crate) refuted: BTreeMap<GoalId, usize>,
    /// Encodings in which reads of what was never written give any value, for the exact one and for these.
    pub(crate) indeterminate: Vec<(Option<usize>, Refuter<'m>)>,
    /// Whether the first of them shows that no input satisfies the preconditions.
    is_vacuous: bool,
    /// The goals that they were asked about.
    doubted: BTreeSet<(usize, GoalId)>,
    pub(crate) clock: &'m Clock,
    pub questions: u64,
    pub encodings: u64,
    /// What can be said about goals that could not be met so far, if the search ends here.
    so_far: BTreeMap<GoalId, Verdict>,
    /// What was found out about goals for good.
    pub verdicts: BTreeMap<GoalId, Verdict>,
    /// The goals that it is asked about.
    wanted: Vec<GoalId>,
    /// What is left open by the last encoding, and the cuts because of which it is.
    open: Vec<Open>,
    reached: Vec<Cut>,
}

impl<'m> Prover<'m> {
    pub fn new(
        part: Part<'m>,
        subject: &'m Subject,
        options: &'m Options,
        clock: &'m Clock,
        wanted: Vec<GoalId>,
    ) -> Prover<'m> {
        let session = clock.session(Model::new(), options);
        let mut unwinding = clock.unwinding(options);
        // It costs more, and pays where everything is to be proved.
        unwinding.apart = options.checks();
        if let Some(turns) = options.turns {
            unwinding.turns = turns;
        }
        Prover {
            part,
            module: part.module,
            options,
            encoder: part.encoder(subject),
            session,
            unwinding,
            encoding: Encoding::default(),
            clean: Clean::default(),
            uncut: None,
            always_defined: None,
            further_on: None,
            beyond: Beyond::new(part.module, subject.interface.func),
            subject,
            refuters: Vec::new(),
            refuted: BTreeMap::new(),
            indeterminate: Vec::new(),
            is_vacuous: false,
            doubted: BTreeSet::new(),
            clock,
            questions: 0,
            encodings: 0,
            so_far: BTreeMap::new(),
            verdicts: BTreeMap::new(),
            wanted,
            open: Vec::new(),
            reached: Vec::new(),
        }
    }

    /// What the verdicts take for granted about the world outside.
    pub fn granted(&self) -> impl Iterator<Item = Assumption> + '_ {
        let loosely = self.refuters.iter().flat_map(|refuter| &refuter.encoding.granted);
        let all: BTreeSet<&Assumption> = self.encoding.granted.iter().chain(loosely).collect();
        all.into_iter().cloned()
    }

    /// The size of the model.
    pub fn terms(&self) -> usize {
        self.session.model().terms().len()
    }

    /// Looks for a test or a proof for every goal that it is asked about and that the pool does not cover yet, as far as
    /// one encoding goes. Whether something is left that another one, which goes deeper, may find.
    ///
    /// # Errors
    ///
    /// If no input satisfies the preconditions.
    pub fn round(&mut self, pool: &mut Pool<'_>) -> Result<bool, Contradiction> {
        let reached = std::mem::take(&mut self.reached);
        if self.encodings > 0 && !self.deepen(&reached) {
            std::mem::take(&mut self.open)
                .into_iter()
                .for_each(|open| self.give_up(open.goal, Reason::Effort));
            return Ok(false);
        }
        self.encode();
        if self.encodings == 1 && self.contradiction() {
            return Err(Contradiction);
        }
        let open = self.attempt_all(pool);
        let mut open = self.refute(pool, open);
        if self.is_vacuous {
            return Err(Contradiction);
        }
        if open.is_empty() && self.is_done(pool) {
            return Ok(false);
        }
        self.reached = self.reached_cuts(pool, &open);
        open.retain(|open| !pool.is_covered(open.goal));
        self.open = self.settle(pool, &open);
        if self.open.is_empty() && self.is_done(pool) {
            return Ok(false);
        }
        self.note(pool);
        Ok(true)
    }

    /// The goals without a test or a proof that holds for all inputs.
    pub fn undecided(&self, pool: &Pool<'_>) -> Vec<GoalId> {
        let is_proved = |goal: &GoalId| self.verdicts.get(goal).is_some_and(|one| one.proof().is_some());
        self.wanted.iter().copied().filter(|goal| !pool.is_settled(*goal) && !is_proved(goal)).collect()
    }

    /// These goals need not be looked at any more.
    pub fn forget(&mut self, goals: &BTreeSet<GoalId>) {
        self.wanted.retain(|goal| !goals.contains(goal));
        self.open.retain(|open| !goals.contains(&open.goal));
        self.verdicts.retain(|goal, _| !goals.contains(goal));
    }

    fn encode(&mut self) {
        self.encoding = self.encoder.encode(self.session.model_mut(), &self.unwinding);
        (self.clean, self.uncut, self.always_defined) = (Clean::default(), None, None);
        self.encodings += 1;
        for &term in self.encoding.assumptions.iter().chain(&self.encoding.lemmas) {
            self.session.assert(term);
        }
    }

    fn contradiction(&mut self) -> bool {
        !self.encoding.assumptions.is_empty() && matches!(self.ask(&[]), Answer::Infeasible)
    }

    pub(crate) fn ask(&mut self, assumptions: &[Term]) -> Answer {
        self.questions += 1;
        if self.stopped().is_some() {
            return Answer::GaveUp(Limit::Interrupted);
        }
        self.session.solve_under(assumptions)
    }

    pub(crate) fn stopped(&self) -> Option<Reason> {
        self.clock.stopped()
    }

    /// Tries every goal; returns those that are not met in this encoding. Goals that take much effort are refuted first
    /// if they can be, as an encoding that is not exact may be simpler.
    fn attempt_all(&mut self, pool: &mut Pool<'_>) -> Vec<Open> {
        let mut open = Vec::new();
        let mut hard = self.wanted.clone();
        if self.refuters.is_empty() {
            self.session.set_effort(Some(self.options.effort / FIRST_SHARE));
            let left = self.attempt_each(pool, &hard, &mut open, true);
            self.session.set_effort(Some(self.options.effort));
            let hard_ones = left.into_iter().map(|goal| Open { goal, before_cut: true }).collect();
            hard = self.refute(pool, hard_ones).into_iter().map(|open| open.goal).collect();
        }
        self.attempt_each(pool, &hard, &mut open, false);
        open.retain(|open| !pool.is_covered(open.goal));
        open
    }

    /// Tries some goals, and enters those that are not met. Those that take too much effort are given up, or returned
    /// if there is a `second` chance for them.
    fn attempt_each(
        &mut self,
        pool: &mut Pool<'_>,
        wanted: &[GoalId],
        open: &mut Vec<Open>,
        second: bool,
    ) -> Vec<GoalId> {
        let goals = pool.goals();
        let mut hard = Vec::new();
        for &id in wanted {
            let goal = &goals.all()[id];
            if pool.is_settled(goal.id) || self.verdicts.contains_key(&goal.id) {
                continue;
            }
            if goals.is_too_large(goal.id) {
                self.give_up(goal.id, Reason::TooManyEvaluations);
                continue;
            }
            if goal.is_unreachable() {
                self.decide(goal.id, Proof::ControlFlow);
                continue;
            }
            if let Some(reason) = self.stopped() {
                self.give_up(goal.id, reason);
                continue;
            }
            match self.attempt(pool, goal) {
                Attempt::Covered => {}
                Attempt::Infeasible => {
                    let found = Open { goal: goal.id, before_cut: false };
                    if !self.encoding.cuts.iter().any(|cut| self.matters(pool, &found, cut)) {
                        self.tell(goal.id, &self.before_judgement(goal, proof_of(goal)));
                    }
                    open.push(found);
                }
                Attempt::Cut => open.push(Open { goal: goal.id, before_cut: true }),
                Attempt::GaveUp(Reason::Effort) if second => hard.push(goal.id),
                Attempt::GaveUp(reason) => self.give_up(goal.id, reason),
            }
        }
        hard
    }

    /// The cuts that some run gets to, as far as they matter for an open goal. Each of these runs is a test worth trying.
    fn reached_cuts(&mut self, pool: &mut Pool<'_>, open: &[Open]) -> Vec<Cut> {
        let mut reached: Vec<Cut> = Vec::new();
        let cuts = self.encoding.cuts.clone();
        for cut in cuts {
            if !open.iter().any(|open| self.matters(pool, open, &cut)) {
                continue;
            }
            let chance = [Chance { when: cut.when, n_checks: cut.n_checks }];
            let question = self.clean_until(&chance);
            match self.ask(&[question]) {
                Answer::Infeasible => {}
                Answer::Solution(solution) => {
                    let inputs = self.encoding.inputs(self.session.model(), &solution);
                    pool.try_inputs(&inputs);
                    reached.push(cut);
                }
                Answer::GaveUp(_) => reached.push(cut),
            }
        }
        reached
    }

    /// Whether a run through a cut may meet a goal.
    fn matters(&self, pool: &Pool<'_>, open: &Open, cut: &Cut) -> bool {
        open.before_cut || self.beyond.may_lie_behind(&pool.goals().all()[open.goal], cut)
    }

    /// Goals for which no cut matters that is reached are unreachable. Returns the others.
    fn settle(&mut self, pool: &Pool<'_>, open: &[Open]) -> Vec<Open> {
        let mut left = Vec::new();
        for &open in open {
            match self.reached.iter().any(|cut| self.matters(pool, &open, cut)) {
                true => left.push(open),
                false => {
                    self.decide(open.goal, proof_of(&pool.goals().all()[open.goal]));
                }
            }
        }
        left
    }

    /// Goals behind loops that may go on can often be refuted for all turns at once, which takes less than to find out
    /// how far the loops really go. So can goals behind what has no exact model. Returns the others.
    fn refute(&mut self, pool: &Pool<'_>, mut open: Vec<Open>) -> Vec<Open> {
        for number in 0..self.refuters_asked() {
            open = self.refute_with(number, pool, open);
        }
        open
    }

    /// More turns in the past cost more, and pay where everything is to be proved. Then, one more is asked whenever the
    /// search goes deeper, or all of them if it never will. Loops that count to their end are soon followed as far as that.
    fn refuters_asked(&self) -> usize {
        let counts = |cut: &Cut| match cut.kind {
            CutKind::Loop { counts, turns, .. } => counts && turns <= SOON_COUNTED,
            _ => false,
        };
        match (self.options.checks(), self.options.turns) {
            (true, None) if self.encoding.cuts.iter().all(counts) => COUNTED_PASTS,
            (true, None) => PASTS.len().min(1 + usize::try_from(self.encodings).unwrap_or(usize::MAX)),
            (true, Some(_)) => PASTS.len(),
            (false, _) => 1,
        }
    }

    /// Asks one of the refuters; returns the goals that it does not refute.
    fn refute_with(&mut self, number: usize, pool: &Pool<'_>, open: Vec<Open>) -> Vec<Open> {
        let goals = pool.goals();
        let is_candidate = |open: &Open| {
            !self.doubted.contains(&(number, open.goal))
                && goals.any_pair(open.goal)
                && (open.before_cut || self.encoding.cuts.iter().any(|cut| self.matters(pool, open, cut)))
        };
        let candidates: Vec<bool> = open.iter().map(is_candidate).collect();
        if !candidates.contains(&true) || !self.has_refuter(number) {
            return open;
        }
        let mut left = Vec::new();
        for (open, is_candidate) in open.into_iter().zip(candidates) {
            let goal = &goals.all()[open.goal];
            let matters = |cut: &Cut| self.beyond.may_lie_behind(goal, cut);
            let doubts = is_candidate && self.stopped().is_none() && self.doubted.insert((number, open.goal));
            match doubts && self.refuters[number].refutes(goal, matters) {
                true => {
                    self.refuted.insert(open.goal, number);
                    self.decide(open.goal, proof_of(goal));
                }
                false => left.push(open),
            }
        }
        self.questions += std::mem::take(&mut self.refuters[number].questions);
        left
    }

    /// Makes a refuter, unless it would be the same as the one before.
    fn has_refuter(&mut self, number: usize) -> bool {
        while self.refuters.len() <= number {
            if self.refuters.last().is_some_and(|last| last.encoding.n_any_turns == 0) {
                return false;
            }
            let past = PASTS[self.refuters.len()];
            let unwinding = Refuter::unwinding(self.clock, self.options, past);
            let mut next = Refuter::new(self.part, self.subject, self.options, self.clock, &unwinding);
            // What is behind loops in preconditions may be seen only here.
            self.is_vacuous |= self.refuters.is_empty() && next.is_contradictory();
            self.refuters.push(next);
        }
        true
    }

    /// A goal is out of reach.
    fn decide(&mut self, goal: GoalId, proof: Proof) {
        self.verdicts.insert(goal, Verdict::Unreachable(proof));
    }

    /// Tells a verdict before anything else can happen to this process.
    pub(crate) fn tell(&self, goal: GoalId, verdict: &Verdict) {
        self.options.record.tell(|| {
            let granted = self.granted().collect();
            News::Decided { goal, verdict: verdict.clone(), granted }
        });
    }

    /// Whether every wanted goal is covered or has a verdict.
    fn is_done(&self, pool: &Pool<'_>) -> bool {
        self.wanted.iter().all(|goal| pool.is_covered(*goal) || self.verdicts.contains_key(goal))
    }

    /// Allows more where a cut was reached; false if nothing more is allowed.
    fn deepen(&mut self, reached: &[Cut]) -> bool {
        self.options.turns.is_none() && self.stopped().is_none() && deepen(&mut self.unwinding, reached)
    }

    /// What can be said about goals that are infeasible as far as the encoding goes.
    fn note(&mut self, pool: &Pool<'_>) {
        for open in &self.open {
            let cuts: Vec<&Cut> = self.reached.iter().filter(|cut| self.matters(pool, open, cut)).collect();
            self.so_far.insert(open.goal, bounded(&cuts));
        }
    }

    /// The last word on a goal: what was shown up to some bound holds even if the search for more was not finished.
    fn give_up(&mut self, goal: GoalId, reason: Reason) {
        let before = self.so_far.remove(&goal).filter(|_| !matches!(reason, Reason::Mismatch));
        self.verdicts.insert(goal, before.unwrap_or(Verdict::GaveUp(reason)));
    }

    /// Finds out why goals are unreachable, as far as the questions go.
    pub fn explain(&mut self, pool: &Pool<'_>) {
        let proving = self.session.effort_used();
        let mut fresh = self.unassuming();
        let session = fresh.as_mut().unwrap_or(&mut self.session);
        let is_unexplained = |verdict: &&Verdict| matches!(verdict.proof(), Some(Proof::Infeasible(_)));
        let n_goals = self.verdicts.values().filter(is_unexplained).count() as u64;
        let each = self.options.effort / EXPLANATION_SHARE / n_goals.max(1);
        // Who asks about one goal wants the least conflict.
        let minimising = if n_goals == 1 { u64::MAX } else { MOST_MINIMISING };
        let effort = proving.max(LEAST_EXPLAINING);
        let mut budget = Budget { finding: MOST_FINDING, minimising, effort, each };
        let mut explainer: Option<Option<Explainer<'_>>> = None;
        for (&goal, verdict) in &mut self.verdicts {
            let Some(Proof::Infeasible(found)) = verdict.proof_mut() else { continue };
            if self.clock.stopped().is_some() || budget.effort == 0 {
                return;
            }
            let goal = &pool.goals().all()[goal];
            let (encoding, session) = match self.refuted.get(&goal.id) {
                Some(&number) => {
                    let refuter = &mut self.refuters[number];
                    let new = || Explainer::new(self.part, self.subject, self.options, self.clock, refuter);
                    if number == 0
                        && let Some(explainer) = explainer.get_or_insert_with(new)
                    {
                        *found = explainer.explain(goal, &mut budget);
                    }
                    (&refuter.encoding, &mut refuter.session)
                }
                None => (&self.encoding, &mut *session),
            };
            if found.conflicts.is_empty() {
                let reasons = conflicts(self.module, encoding, session, goal, &[], &mut budget);
                // Of what holds in all turns, only the other encoding can tell what is needed.
                let least = reasons.least && reasons.premises.is_empty();
                *found = Explanation { conflicts: reasons.conflicts, invariants: Vec::new(), least };
            }
        }
    }

    /// Where preconditions may be a part of conflicts, a session that does not take them for granted.
    fn unassuming(&self) -> Option<Session<'m>> {
        let model = || self.session.model().clone();
        (!self.encoding.assumptions.is_empty()).then(|| self.clock.session(model(), self.options))
    }
}

/// The proof of a goal that no run meets, before conditions are known that contradict each other.
fn proof_of(goal: &Goal) -> Proof {
    match goal.is_undefined() {
        true => Proof::NeverHappens,
        false => Proof::Infeasible(Explanation::default()),
    }
}

/// Allows more where a cut was reached, much more for loops that count; false if nothing more is allowed.
pub(crate) fn deepen<'c>(unwinding: &mut Unwinding, reached: impl IntoIterator<Item = &'c Cut>) -> bool {
    let mut deeper = false;
    for cut in reached {
        match cut.kind {
            CutKind::Loop { context, turns, counts, .. } if turns < MOST_TURNS => {
                let factor = if counts { COUNTING_FACTOR } else { 2 };
                unwinding.loops.insert(context, (factor * turns.max(1)).min(MOST_TURNS));
                deeper = true;
            }
            CutKind::Recursion { callee, depth } if depth < MOST_CALLS => {
                unwinding.recursive.insert(callee, 2 * depth.max(1));
                deeper = true;
            }
            _ => {}
        }
    }
    deeper
}

/// What can be said about a goal that lies behind cuts which are reached.
pub(crate) fn bounded(reached: &[&Cut]) -> Verdict {
    for cut in reached {
        match &cut.kind {
            CutKind::Unsupported(what) => {
                let (what, func, span) = (what.clone(), cut.func, cut.span);
                return Verdict::GaveUp(Reason::Unsupported { what, func, span });
            }
            CutKind::Size => return Verdict::GaveUp(Reason::Size),
            CutKind::Loop { .. } | CutKind::Recursion { .. } => {}
        }
    }
    let mut bounds: Vec<Bound> = Vec::new();
    for cut in reached {
        let bound = Bound { kind: cut.kind.clone(), func: cut.func, span: cut.span };
        match bounds.iter_mut().find(|known| (known.func, known.span) == (cut.func, cut.span)) {
            // Of a loop that control comes to several times, the least bound holds every time.
            Some(known) if depth(&known.kind) > depth(&bound.kind) => *known = bound,
            Some(_) => {}
            None => bounds.push(bound),
        }
    }
    Verdict::UnreachableToBound(bounds)
}

/// How far a loop or recursion was followed.
fn depth(kind: &CutKind) -> u64 {
    match kind {
        CutKind::Loop { turns, .. } => *turns,
        CutKind::Recursion { depth, .. } => *depth,
        CutKind::Size | CutKind::Unsupported(_) => 0,
    }
}

/// Whether no input satisfies the preconditions of a function.
pub fn is_contradictory(program: &quipu_cfront::Program, subject: &Subject, options: &Options) -> bool {
    let clock = Clock::start(options);
    let mut prover = Prover::new(Part::all_of(&program.module), subject, options, &clock, Vec::new());
    prover.encode();
    prover.contradiction()
}
