//! Counts of verdicts and tests.

use quipu_cover::{FunctionReport, ReplayOutcome, Verdict};

use crate::names::counted;

/// What is counted. A path is a goal.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) goals: usize,
    pub(crate) covered: usize,
    pub(crate) unreachable: usize,
    pub(crate) excluded: usize,
    pub(crate) after_undefined: usize,
    pub(crate) to_bound: usize,
    pub(crate) gave_up: usize,
    pub(crate) tests: usize,
    pub(crate) confirmed: usize,
    pub(crate) crashes: usize,
    pub(crate) timeouts: usize,
    pub(crate) not_run: usize,
    pub(crate) disagreements: usize,
    /// Those of the goals that are undefined behaviours.
    pub(crate) undefined: Undefined,
}

/// Counts of undefined behaviours.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Undefined {
    pub(crate) found: usize,
    pub(crate) absent: usize,
    pub(crate) excluded: usize,
    to_bound: usize,
    gave_up: usize,
}

impl Tally {
    /// The counts over some functions.
    pub(crate) fn of<'a>(reports: impl IntoIterator<Item = &'a FunctionReport>) -> Tally {
        let mut tally = Tally::default();
        for report in reports {
            let paths = report.paths.iter().map(|path| &path.verdict);
            report.verdicts.iter().chain(paths).for_each(|verdict| tally.verdict(verdict));
            let goals = report.goals.all().iter().zip(&report.verdicts);
            let undefined = goals.filter(|(goal, _)| goal.is_undefined());
            undefined.for_each(|(_, verdict)| tally.undefined.add(verdict));
            tally.tests += report.tests.len();
            report.tests.iter().for_each(|test| tally.replay(&test.replay));
            tally.disagreements += report.disagreements.len();
        }
        tally
    }

    fn verdict(&mut self, verdict: &Verdict) {
        let count = match verdict {
            Verdict::Covered { .. } => &mut self.covered,
            Verdict::Unreachable(_) => &mut self.unreachable,
            Verdict::Excluded(..) => &mut self.excluded,
            Verdict::AfterUndefined(..) => &mut self.after_undefined,
            Verdict::UnreachableToBound(_) => &mut self.to_bound,
            Verdict::GaveUp(_) => &mut self.gave_up,
        };
        *count += 1;
        self.goals += 1;
    }

    fn replay(&mut self, replay: &ReplayOutcome) {
        let count = match replay {
            ReplayOutcome::Confirmed => &mut self.confirmed,
            ReplayOutcome::Crash(_) => &mut self.crashes,
            ReplayOutcome::Timeout => &mut self.timeouts,
            ReplayOutcome::NotRun(_) => &mut self.not_run,
            ReplayOutcome::Disagrees(_) => &mut self.disagreements,
        };
        *count += 1;
    }

    /// The counts in one line.
    pub(crate) fn sentence(&self) -> String {
        let Undefined { found, absent, .. } = self.undefined;
        let (excluded, undecided) = (self.undefined.excluded, self.undefined.undecided());
        let n_undefined = found + absent + excluded + undecided;
        let mut parts = Vec::new();
        if self.goals > n_undefined || n_undefined == 0 {
            parts.push(self.coverage_sentence());
        }
        if n_undefined > 0 {
            let excluded = if excluded > 0 { format!("{excluded} excluded, ") } else { String::new() };
            parts.push(format!(
                "undefined behaviour: {found} found, {absent} proved absent, {excluded}{undecided} undecided"
            ));
        }
        parts.push(self.tests_sentence());
        let mut sentence = parts.join("; ");
        if self.disagreements > 0 {
            sentence.push_str(&format!("; {}", counted(self.disagreements, "disagreement")));
        }
        sentence
    }

    /// The goals that are no undefined behaviours.
    fn coverage_sentence(&self) -> String {
        let others = &self.undefined;
        let (covered, unreachable) = (self.covered - others.found, self.unreachable - others.absent);
        let (to_bound, gave_up) = (self.to_bound - others.to_bound, self.gave_up - others.gave_up);
        let (excluded, after) = (self.excluded - others.excluded, self.after_undefined);
        let mut goals = vec![format!("{covered} covered"), format!("{unreachable} unreachable (proved)")];
        let rare = [
            (excluded, "excluded by assumptions"),
            (after, "only after undefined behaviour"),
            (to_bound, "unreachable to a bound"),
        ];
        let present = rare.iter().filter(|(count, _)| *count > 0);
        goals.extend(present.map(|(count, what)| format!("{count} {what}")));
        goals.push(format!("{gave_up} gave up"));
        let all = covered + unreachable + excluded + after + to_bound + gave_up;
        format!("{}: {}", counted(all, "goal"), goals.join(", "))
    }

    fn tests_sentence(&self) -> String {
        let tests = counted(self.tests, "test");
        let counts = [
            (self.confirmed, "confirmed"),
            (self.crashes, "crash"),
            (self.timeouts, "timeout"),
            (self.not_run, "not run"),
        ];
        let present: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}"))
            .collect();
        match present.len() {
            0 => tests,
            1 if self.tests > 0 && self.confirmed == self.tests => format!("{tests}, all confirmed"),
            _ => format!("{tests}: {}", present.join(", ")),
        }
    }
}

impl Undefined {
    fn add(&mut self, verdict: &Verdict) {
        let count = match verdict {
            Verdict::Covered { .. } => &mut self.found,
            Verdict::Unreachable(_) => &mut self.absent,
            Verdict::Excluded(..) | Verdict::AfterUndefined(..) => &mut self.excluded,
            Verdict::UnreachableToBound(_) => &mut self.to_bound,
            Verdict::GaveUp(_) => &mut self.gave_up,
        };
        *count += 1;
    }

    /// Those about which the last word is not spoken.
    pub(crate) fn undecided(&self) -> usize {
        self.to_bound + self.gave_up
    }
}
