//! A function with larger and larger inputs, as long as goals need them.
//!
//! What excludes a goal may be a bound that Quipu has put on inputs. Then the function is covered again with more room
//! there: only the goals that are excluded so are asked about, and tests are carried over. What comes of it is kept if
//! more goals are covered.

use std::sync::atomic::Ordering;
use std::time::Duration;

use quipu_base::Id;
use quipu_cfront::Program;
use quipu_goals::{GoalId, Goals};
use quipu_inputs::{Assumption, Deeper, Inputs};
use quipu_limits::Usage;

use crate::cover::{Earlier, cover_from};
use crate::options::Options;
use crate::prover::Contradiction;
use crate::record::News;
use crate::report::{FunctionReport, Verdict};
use crate::subject::Subject;

/// Larger inputs may take one of so many parts of the time of a function, or of what is left of it.
const TIME_SHARES: u32 = 2;

/// As [`crate::cover`], with larger inputs where goals need them; the subject has those of the report in the end.
///
/// # Errors
///
/// If no input satisfies the preconditions.
pub fn cover_deeply(
    program: &Program,
    subject: &mut Subject,
    goals: Goals,
    wanted: &[GoalId],
    options: &Options,
) -> Result<FunctionReport, Contradiction> {
    let begin = Usage::now().cpu;
    if let Some(deeper) = options.start.deeper() {
        *subject = subject.deepened(&program.module, deeper, options);
    }
    let mut best = cover_from(program, subject, goals, wanted, options, Earlier::default())?;
    if !options.start.is_afresh() {
        return Ok(best);
    }
    let mut deeper = best.interface.deeper.clone();
    let mut last: Option<FunctionReport> = None;
    while let Some(next) = further(&deeper, last.as_ref().unwrap_or(&best)) {
        let left = options.time.saturating_sub(Usage::now().cpu.saturating_sub(begin)) / TIME_SHARES;
        if left == Duration::ZERO || options.interrupt.load(Ordering::Relaxed) {
            break;
        }
        deeper = next;
        options.record.tell(|| News::Deepened(deeper.clone()));
        let roomier = subject.deepened(&program.module, &deeper, options);
        let options = Options { time: left, ..options.clone() };
        let earlier = Earlier::of(&best, subject, &roomier);
        let goals = best.goals.clone();
        let Ok(found) = cover_from(program, &roomier, goals, wanted, &options, earlier) else { break };
        if n_covered(&found) > n_covered(&best) {
            *subject = roomier;
            best = found;
            last = None;
        } else {
            last = Some(found);
        }
    }
    if let Some(last) = last {
        best.take_exclusions(&last);
    }
    Ok(best)
}

impl FunctionReport {
    /// Goals that are not met with larger inputs either are excluded by the larger bounds.
    fn take_exclusions(&mut self, larger: &FunctionReport) {
        for goal in self.goals.all().ids() {
            let (own, other) = (&self.verdicts[goal.index()], &larger.verdicts[goal.index()]);
            if let (Verdict::Excluded(..), Verdict::Excluded(..)) = (own, other) {
                self.proved.insert(goal, other.clone());
                self.verdicts[goal.index()] = other.clone();
            }
        }
    }
}

/// What goals need that bounds exclude, beyond what there is.
fn further(deeper: &Deeper, report: &FunctionReport) -> Option<Deeper> {
    let needed: Vec<&Assumption> = report.verdicts.iter().filter_map(bounds).flatten().collect();
    deeper.beyond(needed)
}

/// The assumptions that exclude a goal, if it is known which.
fn bounds(verdict: &Verdict) -> Option<&[Assumption]> {
    match verdict {
        Verdict::Excluded(_, exclusion) if exclusion.least => Some(&exclusion.by),
        _ => None,
    }
}

fn n_covered(report: &FunctionReport) -> usize {
    report.verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Covered { .. })).count()
}

impl Earlier {
    /// What is known from smaller inputs. Goals that bounds exclude are open again.
    fn of(report: &FunctionReport, from: &Subject, to: &Subject) -> Earlier {
        let is_open = |verdict: &Verdict| {
            bounds(verdict).is_some_and(|bounds| from.interface.deeper.beyond(bounds).is_some())
        };
        let tests = report.tests.iter().map(|test| &test.inputs);
        let spare = report.spare.iter().map(|spare| &spare.inputs);
        let carried = |inputs: &Inputs| inputs.carried(&from.interface, &to.interface);
        let seeds = tests.chain(spare).filter_map(carried).collect();
        let (open, decided) = report
            .proved
            .iter()
            .map(|(goal, verdict)| (*goal, verdict.clone()))
            .partition(|(_, verdict)| is_open(verdict));
        Earlier { seeds, decided, open }
    }
}
