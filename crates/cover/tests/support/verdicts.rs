//! Every verdict on functions against all of their inputs.

use std::collections::BTreeMap;
use std::time::Duration;

use quipu_cover::{
    FunctionReport, Options, Proof, Reason, Uninitialized, Verdict, cover, goals_of, is_clean,
};
use quipu_goals::{BitSet, Credit, Criterion, Goal, Goals};

use super::brute::{Brute, MOST_READS, STEPS, Target, all_inputs, meets, met, with_reads};
use super::generator::Case;
use super::{Failure, campaign};

/// Seconds for each function. Those that need them are shown.
const LIMIT: f64 = 5.0;

/// What was checked.
#[derive(Default, Debug)]
pub struct Tally {
    pub programs: u64,
    contradictions: u64,
    runs: u64,
    /// Runs that were stopped: most of them never end.
    pub limited: u64,
    pub goals: u64,
    verdicts: BTreeMap<String, u64>,
    /// Goals that no run meets, and what became of them.
    pub dead: BTreeMap<&'static str, u64>,
    /// Goals that only runs meet that are not clean.
    never_clean: u64,
    /// Goals for which a test was found that is not clean, though there are clean ones.
    only_unclean: u64,
    /// Reports with goals given up, two for each program.
    pub gave_up: u64,
    minimal: u64,
    not_minimal: u64,
    subsets: u64,
    seconds: [f64; 3],
}

/// Checks all verdicts on functions.
pub fn attack(name: &str, programs: u64, make: &dyn Fn(u64) -> Case) -> Tally {
    let mut tally = Tally::default();
    let mut unused = Tally::default();
    campaign(name, programs, make, &mut |target, counts| {
        attack_one(target, if counts { &mut tally } else { &mut unused })
    });
    println!("{name}: {tally:#?}");
    tally
}

impl Tally {
    /// The goals that no run meets and that are called so, with or without an assumption or something undefined.
    pub fn settled(&self) -> u64 {
        let names = ["unreachable", "excluded", "only-after-undefined"];
        names.iter().filter_map(|name| self.dead.get(name)).sum()
    }

    /// Some functions have loops of millions of turns.
    pub fn gives_up_rarely(&self) {
        assert!(self.gave_up * 8 <= 2 * self.programs, "goals of {} functions are given up", self.gave_up);
    }
}

fn attack_one(target: &Target, tally: &mut Tally) -> Vec<Failure> {
    let mut failures = Vec::new();
    let Some(mut inputs) = all_inputs(&target.subject.interface) else { return failures };
    let reads = target.case.text.contains("volatile");
    if reads {
        inputs = with_reads(&inputs);
    }
    // Assertions are followed otherwise than the rest: every other program is without them.
    let checks = target.case.text.len().is_multiple_of(2);
    let all = Criterion::ALL.iter().map(|(criterion, _)| *criterion);
    let options = Options {
        criteria: all.filter(|criterion| checks || *criterion != Criterion::Assertion).collect(),
        depth: 2,
        steps: STEPS,
        time: Duration::from_secs_f64(LIMIT),
        // Runs by brute force end where they read what was never written.
        uninitialized: Uninitialized::Trap,
        ..Options::default()
    };
    let func = target.subject.interface.func;
    let goals = goals_of(&target.program, func, &options);
    let env = target.case.text.matches("env()").count() > 0;
    let answers: Vec<u64> =
        [0i32, 1, -1, 5, 100, i32::MAX, i32::MIN, 7].map(|n| u64::from(n.cast_unsigned())).to_vec();
    let answers = if env { &answers[..] } else { &answers[..1] };
    let brute = Brute::force(target, &goals, &inputs, answers);
    assert_eq!(brute.unsupported, 0, "{}", target.blame("unsupported runs"));
    for surprise in &brute.surprises {
        failures.push(Failure { kind: "an event without a goal", text: surprise.clone() });
    }
    tally.limited += brute.limited;
    tally.programs += 1;
    tally.runs += brute.runs;
    // Where loops are not followed at all, proofs are for all of their turns at once.
    for (way, (runs, turns)) in [(2000, None), (0, None), (0, Some(0))].into_iter().enumerate() {
        let options = Options { runs, turns, ..options.clone() };
        let goals = goals_of(&target.program, func, &options);
        let all: Vec<_> = goals.all().ids().collect();
        let start = std::time::Instant::now();
        let report = cover(&target.program, &target.subject, goals, &all, &options);
        let seconds = start.elapsed().as_secs_f64();
        tally.seconds[way] += seconds;
        if seconds >= LIMIT {
            println!("{}", target.blame(&format!("{seconds:.1} s")));
        }
        let mut check = Check {
            target,
            brute: &brute,
            exact: !env && (!reads || brute.asked <= MOST_READS),
            in_time: seconds < LIMIT,
            runs,
            to_the_end: turns.is_none(),
            failures: &mut failures,
        };
        match report {
            Ok(report) => check.report(&report, tally),
            Err(_) => {
                tally.contradictions += 1;
                // A run that was stopped may still violate an assumption.
                if brute.counted > brute.limited {
                    check.fail("called contradictory, but runs count", "");
                }
            }
        }
    }
    failures
}

struct Check<'a> {
    target: &'a Target,
    brute: &'a Brute,
    /// Whether all runs were tried.
    exact: bool,
    /// Whether the time was enough.
    in_time: bool,
    runs: u64,
    /// Whether loops are followed as far as the time allows.
    to_the_end: bool,
    failures: &'a mut Vec<Failure>,
}

impl Check<'_> {
    fn fail(&mut self, kind: &'static str, more: &str) {
        let turns = if self.to_the_end { "" } else { ", all turns at once" };
        let text = format!("[burst of {}{turns}] {kind}: {more}", self.runs);
        self.failures.push(Failure { kind, text });
    }

    fn report(&mut self, report: &FunctionReport, tally: &mut Tally) {
        let items = self.rerun(report);
        for (goal, verdict) in report.goals.all().iter().zip(&report.verdicts) {
            tally.goals += 1;
            *tally.verdicts.entry(named(verdict)).or_default() += 1;
            if let Err(what) = self.goal(report, &items, goal, verdict, tally) {
                let Goal { kind, span, text, outcome, .. } = goal;
                let more =
                    format!("{}:{} {kind:?} `{text}` {outcome}\n   {verdict:?}", span.line, span.column);
                self.fail(what, &more);
            }
        }
        let gave_up = |verdict: &Verdict| matches!(verdict, Verdict::GaveUp(reason) if !matches!(reason, Reason::Unsupported { .. }));
        tally.gave_up += u64::from(self.to_the_end && report.verdicts.iter().any(gave_up));
        self.minimal(report, tally);
    }

    /// The tests of a suite once more.
    fn rerun(&mut self, report: &FunctionReport) -> Vec<BitSet> {
        let mut runner = self.target.runner();
        let mut all = Vec::new();
        for test in &report.tests {
            let mut credit = Credit::new(&report.goals);
            let observation = runner.run(&test.inputs, &mut credit);
            credit.ended(&observation.outcome);
            if credit.items() != &test.items || observation.outcome != test.observation.outcome {
                self.fail("a test does something else when run again", &format!("{:?}", test.inputs));
            }
            let leaves = self.target.subject.interface.leaves.iter();
            if !leaves.zip(&test.inputs.leaves).all(|(info, &bits)| info.allows(bits)) {
                self.fail("a test has values that are not allowed", &format!("{:?}", test.inputs));
            }
            all.push(credit.items().clone());
        }
        all
    }

    fn goal(
        &self,
        report: &FunctionReport,
        items: &[BitSet],
        goal: &Goal,
        verdict: &Verdict,
        tally: &mut Tally,
    ) -> Result<(), &'static str> {
        let goals = &report.goals;
        let (any, clean) = (meets(goals, goal, &self.brute.all), meets(goals, goal, &self.brute.clean));
        if self.exact && self.to_the_end && !any {
            *tally.dead.entry(verdict.name()).or_default() += 1;
        }
        tally.never_clean += u64::from(any && !clean);
        match verdict {
            Verdict::Covered { tests, independence } => {
                if !meets(goals, goal, &union(goals, tests.iter().map(|&test| &items[test]))) {
                    return Err("its tests do not meet it");
                }
                if self.exact && !any {
                    return Err("covered, but no run meets it");
                }
                if let Some(pair) = independence {
                    let both = [pair.when_true, pair.when_false].map(|test| &items[test]);
                    if !meets(goals, goal, &union(goals, both.into_iter())) {
                        return Err("its evidence does not show it");
                    }
                }
                let is_clean = |test: &&usize| is_clean(&report.tests[**test].observation.outcome);
                let of_clean = tests.iter().filter(is_clean).map(|&test| &items[test]);
                if clean && !meets(goals, goal, &union(goals, of_clean)) {
                    tally.only_unclean += 1;
                    // Without a burst, loops are not followed deeper for goals that some run meets.
                    if self.in_time && (self.runs > 0 || !self.has_loops()) {
                        return Err("covered by a run that is not clean, but a clean one meets it");
                    }
                }
            }
            proved if proved.proof().is_some() && any => {
                return Err("called unreachable, but some run meets it");
            }
            Verdict::GaveUp(Reason::Mismatch) => return Err("the encoding is wrong"),
            _ => {}
        }
        Ok(())
    }

    fn has_loops(&self) -> bool {
        ["for (", "while (", "goto "].iter().any(|word| self.target.case.text.contains(word))
    }

    /// No smaller part of what was found does as much.
    fn minimal(&mut self, report: &FunctionReport, tally: &mut Tally) {
        let goals = &report.goals;
        let suite = met(goals, &union(goals, report.tests.iter().map(|test| &test.items)));
        let found = met(goals, &union(goals, report.spare.iter().map(|test| &test.items)));
        if !found.is_subset(&suite) {
            return self.fail("the suite covers less than what was found", "");
        }
        if !report.minimal {
            tally.not_minimal += 1;
            return;
        }
        tally.minimal += 1;
        let mut pool: Vec<&BitSet> = report.spare.iter().map(|test| &test.items).collect();
        pool.extend(report.tests.iter().map(|test| &test.items));
        if report.tests.len() > 8 || report.tests.is_empty() || pool.len() > 24 {
            return;
        }
        tally.subsets += 1;
        let smaller = report.tests.len() - 1;
        if subset(goals, &pool, &BitSet::new(goals.items()), smaller, suite.len()) {
            self.fail("called minimal, but fewer would do", &format!("{smaller} tests"));
        }
    }
}

/// Whether so many of the tests, with what is shown already, meet as many goals as wanted.
fn subset(goals: &Goals, pool: &[&BitSet], shown: &BitSet, size: usize, wanted: usize) -> bool {
    if met(goals, shown).len() >= wanted {
        return true;
    }
    size > 0
        && met(goals, &union(goals, pool.iter().copied().chain([shown]))).len() >= wanted
        && (0..pool.len()).any(|n| {
            subset(goals, &pool[n + 1..], &union(goals, [shown, pool[n]].into_iter()), size - 1, wanted)
        })
}

fn union<'a>(goals: &Goals, sets: impl Iterator<Item = &'a BitSet>) -> BitSet {
    let mut all = BitSet::new(goals.items());
    sets.for_each(|set| all.union_with(set));
    all
}

fn named(verdict: &Verdict) -> String {
    match verdict {
        Verdict::GaveUp(Reason::Unsupported { what, .. }) => format!("gave-up: unsupported: {what}"),
        Verdict::GaveUp(reason) => format!("gave-up: {reason:?}"),
        Verdict::Unreachable(Proof::ControlFlow) => "unreachable: control flow".to_string(),
        Verdict::Unreachable(Proof::Infeasible(explanation)) if explanation.conflicts.is_empty() => {
            "unreachable: unexplained".to_string()
        }
        Verdict::Unreachable(Proof::Infeasible(_)) => "unreachable: conflicts".to_string(),
        Verdict::Unreachable(Proof::NeverHappens) => "absent".to_string(),
        other => other.name().to_string(),
    }
}
