//! Counts of verdicts and tests.

use quipu_cover::{FunctionReport, ReplayOutcome, Verdict};

use crate::names::counted;

/// What is counted. A path is a goal.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) goals: usize,
    pub(crate) covered: usize,
    pub(crate) unreachable: usize,
    pub(crate) to_bound: usize,
    pub(crate) gave_up: usize,
    pub(crate) tests: usize,
    pub(crate) confirmed: usize,
    pub(crate) crashes: usize,
    pub(crate) timeouts: usize,
    pub(crate) not_run: usize,
    pub(crate) disagreements: usize,
}

impl Tally {
    /// The counts over some functions.
    pub(crate) fn of<'a>(reports: impl IntoIterator<Item = &'a FunctionReport>) -> Tally {
        let mut tally = Tally::default();
        for report in reports {
            let paths = report.paths.iter().map(|path| &path.verdict);
            report.verdicts.iter().chain(paths).for_each(|verdict| tally.verdict(verdict));
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
        let mut goals =
            vec![format!("{} covered", self.covered), format!("{} unreachable (proved)", self.unreachable)];
        if self.to_bound > 0 {
            goals.push(format!("{} unreachable to a bound", self.to_bound));
        }
        goals.push(format!("{} gave up", self.gave_up));
        let mut sentence =
            format!("{}: {}; {}", counted(self.goals, "goal"), goals.join(", "), self.tests_sentence());
        if self.disagreements > 0 {
            sentence.push_str(&format!("; {}", counted(self.disagreements, "disagreement")));
        }
        sentence
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
