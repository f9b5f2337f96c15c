//! Every verdict on properties of random functions, whose loops have no bound, against all of their inputs.
//! `QUIPU_PROGRAMS` sets how many functions, `QUIPU_FIRST` the seed of the first one.

mod support;

use std::collections::BTreeMap;
use std::time::Duration;

use quipu_base::Id;
use quipu_cover::{
    FunctionReport, Options, Property, Reason, Standing, Uninitialized, cover, goals_of, properties,
    second_opinion,
};
use quipu_goals::{Criterion, GoalId, GoalKind, Goals};
use support::asserting::{asking, asserting};
use support::brute::{Brute, STEPS, Target, all_inputs, meets};
use support::generator::Case;
use support::sliceable::sliceable;
use support::{Failure, campaign};

/// For each way of checking a function.
const LIMIT: Duration = Duration::from_millis(700);

/// How functions are checked: with a burst or not, and with loops followed as far as the time allows, or not at all, so
/// that proofs are for all turns at once.
const WAYS: [(u64, Option<u64>); 3] = [(2000, None), (0, None), (0, Some(0))];

/// What was checked.
#[derive(Default, Debug)]
struct Tally {
    programs: u64,
    runs: u64,
    /// Runs that were stopped: most of them never end.
    limited: u64,
    /// By verdict and by what is true.
    verdicts: BTreeMap<(&'static str, &'static str), u64>,
    confirmed: usize,
    unanswered: usize,
}

/// What all runs say about a property.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Violated,
    Holds,
    /// No run comes to it.
    NeverReached,
}

#[test]
fn verdicts_on_properties() {
    attack("properties", 80, &asserting, &[0]);
}

#[test]
fn verdicts_on_properties_with_an_environment() {
    let answers = [0i32, 1, -1, 2, 5, 100, i32::MAX, i32::MIN, 7].map(|n| u64::from(n.cast_unsigned()));
    attack("asking", 25, &asking, &answers);
}

#[test]
fn verdicts_where_slices_matter() {
    attack("slices", 40, &sliceable, &[0]);
}

/// Checks functions; the environment answers with each of these numbers.
fn attack(name: &str, programs: u64, make: &dyn Fn(u64) -> Case, answers: &[u64]) {
    let mut tally = Tally::default();
    let mut unused = Tally::default();
    campaign(name, programs, make, &mut |target, counts| {
        check(target, answers, if counts { &mut tally } else { &mut unused })
    });
    println!("{name}: {tally:#?}");
    let count = |verdict: &str| -> u64 {
        tally.verdicts.iter().filter(|((name, _), _)| *name == verdict).map(|(_, n)| n).sum()
    };
    for verdict in ["violated", "proved", "unreachable"] {
        assert!(count(verdict) >= tally.programs / 8, "the programs should have more that is {verdict}");
    }
    assert!(tally.confirmed >= 2 * tally.unanswered, "SAT alone should say more: {tally:#?}");
}

fn check(target: &Target, answers: &[u64], tally: &mut Tally) -> Vec<Failure> {
    let inputs = all_inputs(&target.subject.interface).expect("there are few inputs");
    let options = Options {
        criteria: vec![Criterion::Statement, Criterion::Undefined, Criterion::Assertion],
        steps: STEPS,
        time: LIMIT,
        // Runs by brute force end where they read what was never written.
        uninitialized: Uninitialized::Trap,
        ..Options::default()
    };
    let func = target.subject.interface.func;
    let goals = goals_of(&target.program, func, &options);
    let wanted = properties(&goals, |goal| matches!(goal.kind, GoalKind::Assertion(_)));
    let brute = Brute::force(target, &goals, &inputs, answers);
    tally.programs += 1;
    tally.runs += brute.runs;
    tally.limited += brute.limited;
    let mut failures = Vec::new();
    for (runs, turns) in WAYS {
        let options = Options { runs, turns, ..options.clone() };
        let ids: Vec<GoalId> =
            wanted.iter().flat_map(|property| [Some(property.goal), property.place]).flatten().collect();
        let way = format!("[burst of {runs}, turns {turns:?}]");
        let mut fail = |kind: &'static str, more: &str| {
            failures.push(Failure { kind, text: format!("{way} {kind}: {more}") });
        };
        let Ok(report) = cover(&target.program, &target.subject, goals.clone(), &ids, &options) else {
            fail("called contradictory", "");
            continue;
        };
        for &property in &wanted {
            let truth = truth(&goals, property, &brute);
            let standing = report.standing(property);
            *tally.verdicts.entry((name(&standing), truth.name())).or_default() += 1;
            if let Err(kind) = judge(&standing, truth, answers.len() == 1) {
                fail(kind, &told(&report, property));
            }
        }
        let opinion = second_opinion(&target.program, &target.subject, &report, &options);
        tally.confirmed += opinion.confirmed;
        tally.unanswered += opinion.unanswered;
        for (goal, inputs) in &opinion.refuted {
            let goal = &report.goals.all()[*goal];
            let verdict = &report.verdicts[goal.id.index()];
            let place = format!("{}:{} `{}`", goal.span.line, goal.span.column, goal.text);
            let more = format!("{place} by {inputs:?}, called {verdict:?}");
            fail("SAT alone comes to what was called unreachable", &more);
        }
    }
    failures
}

fn truth(goals: &Goals, property: Property, brute: &Brute) -> Truth {
    let happens = |goal: GoalId| meets(goals, &goals.all()[goal], &brute.all);
    match (happens(property.goal), property.place.map(happens)) {
        (true, _) => Truth::Violated,
        (false, Some(false)) => Truth::NeverReached,
        (false, _) => Truth::Holds,
    }
}

/// Whether a verdict fits the truth, of which `all` is known, or only what some runs do.
fn judge(standing: &Standing<'_>, truth: Truth, all: bool) -> Result<(), &'static str> {
    match (standing, truth) {
        (Standing::Violated(_), Truth::Holds | Truth::NeverReached) if all => {
            Err("called violated, but no run does it")
        }
        (Standing::Proved(_) | Standing::Excluded(..) | Standing::AfterUndefined(..), Truth::Violated) => {
            Err("called proved, but some run violates it")
        }
        (Standing::Unreachable(_), Truth::Violated | Truth::Holds) => {
            Err("called unreachable, but some run comes there")
        }
        (Standing::GaveUp(Reason::Mismatch), _) => Err("the encoding is wrong"),
        _ => Ok(()),
    }
}

impl Truth {
    fn name(self) -> &'static str {
        match self {
            Truth::Violated => "violated",
            Truth::Holds => "holds",
            Truth::NeverReached => "never reached",
        }
    }
}

fn name(standing: &Standing<'_>) -> &'static str {
    match standing {
        Standing::Violated(_) => "violated",
        Standing::Proved(_) => "proved",
        Standing::Relied(..) => "relied-on",
        Standing::Excluded(..) => "excluded",
        Standing::AfterUndefined(..) => "only-after-undefined",
        Standing::ProvedToBound(_) => "proved-to-bound",
        Standing::Unreachable(_) => "unreachable",
        Standing::GaveUp(_) => "gave-up",
    }
}

fn told(report: &FunctionReport, property: Property) -> String {
    let goal = &report.goals.all()[property.goal];
    let verdict = &report.verdicts[property.goal.index()];
    format!("{}:{} `{}`\n   {verdict:?}", goal.span.line, goal.span.column, goal.text)
}
