//! What reads of memory that was never written mean for the search.
//!
//! Such a read is undefined behaviour, and the first thing that goes wrong in a run ends it. A program in which every run
//! starts so has no tests then, although its compiled form goes on with whatever the memory holds. So there are rounds:
//! in one of them such a read is an event, in the other it gives any value. Tests of the latter are run with zeros in
//! such memory, which compilers can be asked for; proofs hold for all values.

use quipu_goals::{Goal, GoalId, Goals, Way};
use quipu_interp::Unwritten;
use quipu_ir::Event;

use crate::options::Options;
use crate::pool::Pool;
use crate::report::Verdict;
use crate::solving::Solved;

/// What a read of something means that was never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Uninitialized {
    /// An event; goals that are met only behind one are tried again with any value.
    #[default]
    Automatic,
    /// An event, which ends the run.
    Trap,
    /// It gives any value, and the run goes on.
    Any,
}

impl Uninitialized {
    /// What memory holds in runs of the search.
    pub(crate) fn rule(self) -> Unwritten {
        match self {
            Uninitialized::Automatic | Uninitialized::Trap => Unwritten::Trap,
            Uninitialized::Any => Unwritten::Zero,
        }
    }
}

/// A search for tests and proofs for some of the goals, with one meaning of such reads.
pub(crate) struct Round {
    pub wanted: Vec<GoalId>,
    pub options: Options,
    /// Whether what it proves counts, or only its tests do.
    pub proves: bool,
}

/// The rounds with which the search starts. That such a read happens is asked where it is an event.
pub(crate) fn first_rounds(goals: &Goals, wanted: &[GoalId], options: &Options) -> Vec<Round> {
    if options.uninitialized != Uninitialized::Any {
        return vec![Round { wanted: wanted.to_vec(), options: options.clone(), proves: true }];
    }
    let (reads, others): (Vec<GoalId>, Vec<GoalId>) =
        wanted.iter().partition(|&&goal| is_unwritten_read(&goals.all()[goal]));
    let rounds = [(others, options.clone()), (reads, options.trapping())];
    let rounds = rounds.into_iter().filter(|(wanted, _)| !wanted.is_empty());
    rounds.map(|(wanted, options)| Round { wanted, options, proves: true }).collect()
}

/// The round with any value, for goals that no run meets before such a read. Its proofs say no more than those of the
/// first round.
pub(crate) fn second_round(pool: &Pool<'_>, solved: &Solved, options: &Options) -> Option<Round> {
    if options.uninitialized != Uninitialized::Automatic {
        return None;
    }
    let (goals, seen) = (pool.goals(), pool.trapped);
    let is_behind = |(&goal, verdict): (&GoalId, &Verdict)| {
        let goal = &goals.all()[goal];
        let read = Some(Event::UninitializedRead);
        match verdict {
            Verdict::AfterUndefined(_, undefined) => seen || undefined.is_none_or(|one| one.event == read),
            Verdict::Unreachable(_) => seen && goal.is_undefined() && !is_unwritten_read(goal),
            _ => false,
        }
    };
    let behind = solved.verdicts.iter().filter(|known| is_behind(*known)).map(|(&goal, _)| goal);
    let wanted: Vec<GoalId> = behind.filter(|&goal| !pool.is_covered(goal)).collect();
    let any = Options { uninitialized: Uninitialized::Any, ..options.clone() };
    (!wanted.is_empty()).then(|| Round { wanted, options: any.unrecorded(), proves: false })
}

/// Whether a goal is that something is read which was never written.
fn is_unwritten_read(goal: &Goal) -> bool {
    let is_read = |way: &Way| match way {
        Way::End { event, .. } => *event == Some(Event::UninitializedRead),
        Way::During { happens, .. } => {
            matches!(**happens, Way::End { event: Some(Event::UninitializedRead), .. })
        }
        _ => false,
    };
    goal.parts.iter().any(|part| part.ways.iter().any(is_read))
}
