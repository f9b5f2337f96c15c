//! Who is asked about which goals.
//!
//! Where properties are checked, a program is first sliced to what matters for all of them, if that leaves less to
//! follow. What is left open after a first encoding is asked about the slices of single goals, which may have no loops
//! at all. In the end loops are followed deeper. A proof about a slice is a proof about the program. A solution is tried
//! on the program; if it does something else there, the slice has left out something that matters, and the goal is
//! asked about the program itself.

use std::collections::{BTreeMap, BTreeSet};

use quipu_analysis::Slicer;
use quipu_goals::GoalId;
use quipu_inputs::{Assumption, Effects, Mentioned, Outside, only_returns, stands_for_another};
use quipu_interp::{has_hidden_effects, is_modelled};
use quipu_ir::{Func, Function, Module, Ty};

use crate::clock::Clock;
use crate::options::Options;
use crate::pool::Pool;
use crate::prover::{Contradiction, Prover};
use crate::report::{Reason, Undefined, Verdict};
use crate::slices::{Part, Slice, smaller_slices};
use crate::subject::Subject;

/// The analysis of pointers behind slices executes so many blocks at most.
const MOST_BLOCKS: u32 = 50_000;

/// What was found out about goals that no test meets.
#[derive(Default)]
pub(crate) struct Solved {
    pub verdicts: BTreeMap<GoalId, Verdict>,
    /// What the verdicts take for granted about the world outside.
    pub granted: BTreeSet<Assumption>,
    /// What goes wrong first in some run, if something undefined happens in every one.
    pub always_undefined: Option<Undefined>,
    pub questions: u64,
    pub encodings: u64,
    pub terms: usize,
}

/// Looks for a test or a proof for every goal that the pool does not cover yet.
///
/// # Errors
///
/// If no input satisfies the preconditions.
pub(crate) fn solve(
    module: &Module,
    subject: &Subject,
    options: &Options,
    clock: &Clock,
    pool: &mut Pool<'_>,
) -> Result<Solved, Contradiction> {
    let mut solved = Solved::default();
    let open: Vec<GoalId> = pool.wanted().iter().copied().filter(|goal| !pool.is_settled(*goal)).collect();
    let Some(slicer) = slicer(module, subject, options, clock) else {
        let mut prover = Prover::new(Part::all_of(module), subject, options, clock, open);
        while prover.round(pool)? {}
        solved.add(prover, pool);
        return Ok(solved);
    };
    let whole = slicer.scale(module);
    let slice = Slice::of(&slicer, module, pool.goals(), open.clone());
    let is_smaller = slice.scale.is_less_than(whole);
    let (followed, scale) = if is_smaller { (&slice.module, slice.scale) } else { (module, whole) };
    let mut prover = Prover::new(Part { module: followed, whole: module }, subject, options, clock, open);
    let mut goes_on = prover.round(pool)?;
    let undecided = prover.undecided(pool);
    let slices = smaller_slices(&slicer, module, pool.goals(), &undecided, scale);
    solved.ask_slices(&slices, module, subject, options, clock, pool)?;
    prover.forget(&solved.proved());
    while goes_on && !prover.undecided(pool).is_empty() {
        goes_on = prover.round(pool)?;
    }
    let doubtful: Vec<GoalId> =
        prover.undecided(pool).into_iter().filter(|goal| is_doubtful(prover.verdicts.get(goal))).collect();
    solved.add(prover, pool);
    if is_smaller && !doubtful.is_empty() {
        let mut prover = Prover::new(Part::all_of(module), subject, options, clock, doubtful);
        while prover.round(pool)? {}
        solved.add(prover, pool);
    }
    Ok(solved)
}

/// Slices of a program are made where properties are checked: then few things matter.
fn slicer<'m>(module: &'m Module, subject: &Subject, options: &Options, clock: &Clock) -> Option<Slicer<'m>> {
    let mut left = MOST_BLOCKS;
    let stopped = || {
        left -= 1;
        left == 0 || clock.stopped().is_some()
    };
    // Nobody knows what a weak function does, as another one may take its place, or one that nobody defines.
    let is_opaque = |function: &Function| match function.code() {
        Some(_) => function.weak || stands_for_another(module, function),
        None => {
            let name = &function.source_name;
            has_hidden_effects(name) || !is_modelled(name) && !only_returns(name)
        }
    };
    let (entry, untouched) = (subject.interface.func, &subject.preconditions);
    // What is behind pointers from outside, slices do not know.
    let entered = subject.interface.functions();
    if Mentioned::by_any(module, entered).functions.iter().any(|&func| is_doubtful_outside(module, func)) {
        return None;
    }
    options.checks().then(|| Slicer::new(module, entry, untouched, is_opaque, stopped))?
}

/// Whether a function that nobody defines may do more than its body.
fn is_doubtful_outside(module: &Module, func: Func) -> bool {
    let returns_pointer = module.functions[func].ret == Some(Ty::Ptr);
    Outside::of(module, func).is_some_and(|known| known.effects != Effects::Stated || returns_pointer)
}

/// Whether a goal was given up for something that may have to do with the slice.
fn is_doubtful(verdict: Option<&Verdict>) -> bool {
    matches!(verdict, Some(Verdict::GaveUp(Reason::Mismatch | Reason::Unsupported { .. })))
}

impl Solved {
    /// Asks about slices, each in its part of the time.
    fn ask_slices(
        &mut self,
        slices: &[Slice],
        module: &Module,
        subject: &Subject,
        options: &Options,
        clock: &Clock,
        pool: &mut Pool<'_>,
    ) -> Result<(), Contradiction> {
        for (n, slice) in slices.iter().enumerate() {
            let clock = clock.share(slices.len() - n + 1, options);
            let part = Part { module: &slice.module, whole: module };
            let mut prover = Prover::new(part, subject, options, &clock, slice.goals.clone());
            while prover.round(pool)? {}
            self.add(prover, pool);
        }
        Ok(())
    }

    /// The goals that are out of reach.
    fn proved(&self) -> BTreeSet<GoalId> {
        let is_proof = |verdict: &Verdict| verdict.proof().is_some();
        self.verdicts.iter().filter(|(_, verdict)| is_proof(verdict)).map(|(goal, _)| *goal).collect()
    }

    /// Adds what was found out about other goals.
    pub fn join(&mut self, other: Solved) {
        self.verdicts.extend(other.verdicts);
        self.granted.extend(other.granted);
        self.always_undefined = self.always_undefined.or(other.always_undefined);
        self.questions += other.questions;
        self.encodings += other.encodings;
        self.terms = self.terms.max(other.terms);
    }

    /// Adds what a prover has found out. What says more is kept.
    fn add(&mut self, mut prover: Prover<'_>, pool: &Pool<'_>) {
        prover.judge(pool);
        prover.explain(pool);
        if self.always_undefined.is_none() {
            self.always_undefined = prover.always_undefined(pool);
        }
        self.granted.extend(prover.granted());
        self.questions += prover.questions;
        self.encodings += prover.encodings;
        self.terms = self.terms.max(prover.terms());
        for (goal, verdict) in prover.verdicts {
            let known = self.verdicts.get(&goal).map_or(0, weight);
            if weight(&verdict) >= known {
                self.verdicts.insert(goal, verdict);
            }
        }
    }
}

/// How much a verdict says.
fn weight(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Covered { .. } | Verdict::Unreachable(_) => 4,
        Verdict::AfterUndefined(..) => 3,
        Verdict::Excluded(..) => 2,
        Verdict::UnreachableToBound(_) => 1,
        Verdict::GaveUp(_) => 0,
    }
}
