//! Goal by goal with the solver: inputs, or proofs, deeper and deeper into loops.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

use quipu_base::Id;
use quipu_encode::{Cut, CutKind, Encoder, Encoding, Unwinding};
use quipu_goals::{Goal, GoalId, Item, Way};
use quipu_ir::Module;
use quipu_model::{Evaluation, Model, Term, WrittenBodies};
use quipu_solve::{Answer, Limit, Session};

use crate::beyond::Beyond;
use crate::conflict::conflicts;
use crate::options::Options;
use crate::pool::Pool;
use crate::question::{Chance, Clean, chances};
use crate::report::{Bound, Proof, Reason, Verdict};
use crate::subject::Subject;

/// No loop is unfolded further than this.
const MOST_TURNS: u64 = 1 << 14;
/// No function calls itself more often than this.
const MOST_CALLS: u64 = 1 << 9;
/// The most questions that explain why goals are unreachable.
const MOST_EXPLAINING: u64 = 500;
/// Such a question may take this part of the effort of others.
const EXPLANATION_SHARE: u64 = 20;

/// What became of the part of a goal in an encoding.
#[derive(Clone, Debug)]
enum Attempt {
    Covered,
    /// It cannot happen in this encoding.
    Infeasible,
    GaveUp(Reason),
}

/// The preconditions contradict each other.
#[derive(Clone, Debug)]
pub struct Contradiction;

/// Proves what can be proved about the goals of a function.
pub(crate) struct Prover<'m> {
    module: &'m Module,
    options: &'m Options,
    encoder: Encoder<'m>,
    session: Session<'m>,
    unwinding: Unwinding,
    encoding: Encoding,
    clean: Clean,
    beyond: Beyond,
    deadline: Instant,
    pub questions: u64,
    pub encodings: u64,
    /// What can be said about goals that could not be met so far, if the search ends here.
    so_far: BTreeMap<GoalId, Verdict>,
    /// What was found out about goals for good.
    pub verdicts: BTreeMap<GoalId, Verdict>,
}

impl<'m> Prover<'m> {
    pub fn new(
        module: &'m Module,
        subject: &'m Subject,
        options: &'m Options,
        deadline: Instant,
    ) -> Prover<'m> {
        let session = new_session(Model::new(), options);
        let mut unwinding = Unwinding::default();
        if let Some(turns) = options.turns {
            unwinding.turns = turns;
        }
        Prover {
            module,
            options,
            encoder: Encoder::new(module, &subject.interface, subject.preconditions.clone()),
            session,
            unwinding,
            encoding: Encoding::default(),
            clean: Clean::default(),
            beyond: Beyond::new(module, subject.interface.func),
            deadline,
            questions: 0,
            encodings: 0,
            so_far: BTreeMap::new(),
            verdicts: BTreeMap::new(),
        }
    }

    /// The size of the model.
    pub fn terms(&self) -> usize {
        self.session.model().terms().len()
    }

    /// Looks for a test or a proof for every goal that the pool does not cover yet.
    ///
    /// # Errors
    ///
    /// If no input satisfies the preconditions.
    pub fn run(&mut self, pool: &mut Pool<'_>) -> Result<(), Contradiction> {
        loop {
            self.encode();
            if self.encodings == 1 && self.contradiction() {
                return Err(Contradiction);
            }
            let open = self.attempt_all(pool);
            if open.is_empty() {
                return Ok(());
            }
            let reached = self.reached_cuts(pool, &open);
            let open: Vec<GoalId> = open.into_iter().filter(|goal| !pool.is_covered(*goal)).collect();
            let open = self.settle(pool, &open, &reached);
            if open.is_empty() && self.is_done(pool) {
                return Ok(());
            }
            self.note(pool, &open, &reached);
            if !self.deepen(&reached) {
                open.into_iter().for_each(|goal| self.give_up(goal, Reason::Effort));
                return Ok(());
            }
        }
    }

    fn encode(&mut self) {
        self.encoding = self.encoder.encode(self.session.model_mut(), &self.unwinding);
        self.clean = Clean::default();
        self.encodings += 1;
        for term in self.encoding.assumptions.clone() {
            self.session.assert(term);
        }
    }

    fn contradiction(&mut self) -> bool {
        !self.encoding.assumptions.is_empty() && matches!(self.ask(&[]), Answer::Infeasible)
    }

    fn ask(&mut self, assumptions: &[Term]) -> Answer {
        self.questions += 1;
        if Instant::now() > self.deadline {
            return Answer::GaveUp(Limit::Effort);
        }
        self.session.solve_under(assumptions)
    }

    fn stopped(&self) -> Option<Reason> {
        if self.options.interrupt.load(Ordering::Relaxed) {
            return Some(Reason::Interrupted);
        }
        (Instant::now() > self.deadline).then_some(Reason::Time)
    }

    /// Tries every goal; returns those that cannot be met in this encoding.
    fn attempt_all(&mut self, pool: &mut Pool<'_>) -> Vec<GoalId> {
        let mut open = Vec::new();
        let goals = pool.goals();
        for id in pool.wanted().to_vec() {
            let goal = &goals.all()[id];
            if pool.clean.is_covered(goal.id) || self.verdicts.contains_key(&goal.id) {
                continue;
            }
            if goal.is_unreachable() {
                self.verdicts.insert(goal.id, Verdict::Unreachable(Proof::ControlFlow));
                continue;
            }
            if let Some(reason) = self.stopped() {
                self.give_up(goal.id, reason);
                continue;
            }
            match self.attempt(pool, goal) {
                Attempt::Covered => {}
                Attempt::Infeasible => open.push(goal.id),
                Attempt::GaveUp(reason) => self.give_up(goal.id, reason),
            }
        }
        open.retain(|goal| !pool.is_covered(*goal));
        open
    }

    /// All parts of a goal.
    fn attempt(&mut self, pool: &mut Pool<'_>, goal: &Goal) -> Attempt {
        if !pool.goals().any_pair(goal.id) {
            return self.attempt_pairs(pool, goal);
        }
        let mut gave_up = None;
        for (n, part) in goal.parts.iter().enumerate() {
            if pool.clean.is_part_covered(goal.id, n) {
                continue;
            }
            let covered = |pool: &Pool<'_>| pool.all.is_part_covered(goal.id, n);
            match self.attempt_ways(pool, &part.ways, &covered) {
                Attempt::Covered => {}
                Attempt::Infeasible => return Attempt::Infeasible,
                Attempt::GaveUp(reason) => gave_up = Some(reason),
            }
        }
        gave_up.map_or(Attempt::Covered, Attempt::GaveUp)
    }

    /// A goal that needs two evaluations which fit together.
    fn attempt_pairs(&mut self, pool: &mut Pool<'_>, goal: &Goal) -> Attempt {
        let goals = pool.goals();
        let mut known: BTreeMap<Item, Attempt> = BTreeMap::new();
        let mut gave_up = None;
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
                    Attempt::GaveUp(reason) => gave_up = Some(reason),
                    Attempt::Infeasible => {}
                }
            }
        }
        gave_up.map_or(Attempt::Infeasible, Attempt::GaveUp)
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
        let first = self.attempt_term(pool, &[clean], covered);
        if !matches!(first, Attempt::Infeasible) || covered(pool) {
            return if covered(pool) { Attempt::Covered } else { first };
        }
        if self.encoding.checks.is_empty() {
            return Attempt::Infeasible;
        }
        let until = self.clean_until(&found);
        self.attempt_term(pool, &[until], covered)
    }

    fn attempt_term(
        &mut self,
        pool: &mut Pool<'_>,
        assumptions: &[Term],
        covered: &dyn Fn(&Pool<'_>) -> bool,
    ) -> Attempt {
        match self.ask(assumptions) {
            Answer::Infeasible => Attempt::Infeasible,
            Answer::GaveUp(limit) => Attempt::GaveUp(self.reason(limit)),
            Answer::Solution(solution) => {
                let inputs = self.encoding.inputs(self.session.model(), &solution);
                pool.try_inputs(&inputs);
                match covered(pool) {
                    true => Attempt::Covered,
                    false => Attempt::GaveUp(self.why_not(&solution)),
                }
            }
        }
    }

    fn reason(&self, limit: Limit) -> Reason {
        match limit {
            Limit::Interrupted => Reason::Interrupted,
            _ => self.stopped().unwrap_or(Reason::Effort),
        }
    }

    /// Why a solution does not do what it should: it was made up where there is no model.
    fn why_not(&self, solution: &quipu_solve::Solution) -> Reason {
        let mut evaluation = Evaluation::new(self.session.model(), solution);
        let active = self.encoding.approximations.iter().find(|item| evaluation.value(item.when) == 1);
        match active {
            Some(item) => Reason::Unsupported { what: item.what.clone(), func: item.func, span: item.span },
            None => Reason::Mismatch,
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
    fn clean_until(&mut self, chances: &[Chance]) -> Term {
        self.clean.until(self.session.model_mut(), &self.encoding, chances)
    }

    /// The cuts that some run gets to, as far as an open goal may lie behind. Each of these runs is a test worth trying.
    fn reached_cuts(&mut self, pool: &mut Pool<'_>, open: &[GoalId]) -> Vec<Cut> {
        let goals = pool.goals();
        let mut reached: Vec<Cut> = Vec::new();
        let cuts = self.encoding.cuts.clone();
        for cut in cuts {
            if !open.iter().any(|&goal| self.beyond.may_lie_behind(&goals.all()[goal], &cut)) {
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

    /// Goals that lie behind no cut that is reached are unreachable. Returns the others.
    fn settle(&mut self, pool: &Pool<'_>, open: &[GoalId], reached: &[Cut]) -> Vec<GoalId> {
        let goals = pool.goals();
        let mut left = Vec::new();
        for &goal in open {
            match reached.iter().any(|cut| self.beyond.may_lie_behind(&goals.all()[goal], cut)) {
                true => left.push(goal),
                false => {
                    drop(self.verdicts.insert(goal, Verdict::Unreachable(Proof::Infeasible(Vec::new()))))
                }
            }
        }
        left
    }

    /// Whether every wanted goal is covered or has a verdict.
    fn is_done(&self, pool: &Pool<'_>) -> bool {
        pool.wanted().iter().all(|goal| pool.is_covered(*goal) || self.verdicts.contains_key(goal))
    }

    /// Allows more where a cut was reached; false if nothing more is allowed.
    fn deepen(&mut self, reached: &[Cut]) -> bool {
        if self.options.turns.is_some() || self.stopped().is_some() {
            return false;
        }
        let mut deeper = false;
        for cut in reached {
            match cut.kind {
                CutKind::Loop { context, turns, .. } if turns < MOST_TURNS => {
                    self.unwinding.loops.insert(context, 2 * turns.max(1));
                    deeper = true;
                }
                CutKind::Recursion { callee, depth } if depth < MOST_CALLS => {
                    self.unwinding.recursive.insert(callee, 2 * depth.max(1));
                    deeper = true;
                }
                _ => {}
            }
        }
        deeper
    }

    /// What can be said about goals that are infeasible as far as the encoding goes.
    fn note(&mut self, pool: &Pool<'_>, open: &[GoalId], reached: &[Cut]) {
        for &goal in open {
            let goals = pool.goals();
            let behind = reached.iter().filter(|cut| self.beyond.may_lie_behind(&goals.all()[goal], cut));
            self.so_far.insert(goal, bounded(&behind.collect::<Vec<_>>()));
        }
    }

    /// The last word on a goal: what was shown up to some bound holds even if the search for more was not finished.
    fn give_up(&mut self, goal: GoalId, reason: Reason) {
        let before = self.so_far.remove(&goal).filter(|_| !matches!(reason, Reason::Mismatch));
        self.verdicts.insert(goal, before.unwrap_or(Verdict::GaveUp(reason)));
    }

    /// Finds out why goals are unreachable, as far as the questions go.
    pub fn explain(&mut self, pool: &Pool<'_>) {
        let mut fresh = self.unassuming();
        let session = fresh.as_mut().unwrap_or(&mut self.session);
        session.set_effort(Some(self.options.effort / EXPLANATION_SHARE));
        let mut questions = MOST_EXPLAINING;
        for (&goal, verdict) in &mut self.verdicts {
            let Verdict::Unreachable(Proof::Infeasible(found)) = verdict else { continue };
            if Instant::now() > self.deadline || self.options.interrupt.load(Ordering::Relaxed) {
                return;
            }
            let goal = &pool.goals().all()[goal];
            *found = conflicts(self.module, &self.encoding, session, goal, &mut questions);
        }
    }

    /// Where preconditions may be a part of conflicts, a session that does not take them for granted.
    fn unassuming(&self) -> Option<Session<'m>> {
        let model = || self.session.model().clone();
        (!self.encoding.assumptions.is_empty()).then(|| new_session(model(), self.options))
    }
}

fn new_session<'m>(model: Model, options: &Options) -> Session<'m> {
    let solver_options =
        quipu_solve::Options { interrupt: options.interrupt.clone(), ..quipu_solve::Options::default() };
    let mut session = Session::new(model, WrittenBodies, solver_options);
    session.set_effort(Some(options.effort));
    session
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
    let bound = |cut: &&Cut| Bound { kind: cut.kind.clone(), func: cut.func, span: cut.span };
    Verdict::UnreachableToBound(reached.iter().map(bound).collect())
}

/// Whether no input satisfies the preconditions of a function.
pub fn is_contradictory(program: &quipu_cfront::Program, subject: &Subject, options: &Options) -> bool {
    let mut prover = Prover::new(&program.module, subject, options, Instant::now() + options.time);
    prover.encode();
    prover.contradiction()
}
