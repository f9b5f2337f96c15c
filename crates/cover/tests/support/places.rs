//! Some places of a function against all of its inputs: what propagation leaves, and what enumeration finds.

use std::collections::HashSet;

use quipu_base::Id;
use quipu_cover::{Next, Options, Place, goals_of, is_clean};
use quipu_domain::Domain;
use quipu_goals::{BitSet, Credit, Goal, Goals};
use quipu_inputs::Inputs;
use quipu_interp::Outcome;

use super::Failure;
use super::brute::{Target, meets};

/// What was checked.
#[derive(Default, Debug)]
pub struct Tally {
    pub places: u64,
    /// Places of which propagation alone knows the first and the last value of every input, or that there is none.
    pub tight: u64,
    /// Places that no clean run gets to, and those of them that propagation alone refutes.
    pub dead: u64,
    pub refuted: u64,
    pub bounded: u64,
    pub gave_up: u64,
    pub solutions: u64,
}

/// The leaves of inputs.
type Leaves = HashSet<Vec<u64>>;

/// The inputs that lead to a place.
struct Expected {
    /// In clean runs.
    clean: Leaves,
    /// In runs that are stopped. Those that go round in circles break no rule, so they may be found.
    endless: Leaves,
}

/// A run that breaks no rule.
struct Run {
    leaves: Vec<u64>,
    items: BitSet,
    ends: bool,
}

impl Expected {
    fn of(goals: &Goals, goal: &Goal, runs: &[Run]) -> Expected {
        let those = |ends: bool| {
            let runs = runs.iter().filter(|run| run.ends == ends && meets(goals, goal, &run.items));
            runs.map(|run| run.leaves.clone()).collect()
        };
        Expected { clean: those(true), endless: those(false) }
    }

    fn has(&self, leaves: &Vec<u64>) -> bool {
        self.clean.contains(leaves) || self.endless.contains(leaves)
    }
}

/// Checks some goals of a function.
pub fn places(
    target: &Target,
    inputs: &[Inputs],
    options: &Options,
    tally: &mut Tally,
    failures: &mut Vec<Failure>,
) {
    let goals = goals_of(&target.program, target.subject.interface.func, options);
    let runs = runs(target, &goals, inputs);
    let all: Vec<&Goal> = goals.all().iter().collect();
    let seed = target.case.seed;
    // One near the end, and two anywhere.
    let last = all.len() as u64 - 1;
    for n in [last.saturating_sub(seed % 4), (seed * 7 + 13) % (last + 1), (seed * 7 + 26) % (last + 1)] {
        let goal = all[n as usize];
        let expected = Expected::of(&goals, goal, &runs);
        if let Err((kind, more)) = place(target, &goals, goal, &expected, options, tally) {
            let Goal { span, text, outcome, .. } = goal;
            let text =
                format!("{kind}: {}:{} {:?} `{text}` {outcome}: {more}", span.line, span.column, goal.kind);
            failures.push(Failure { kind, text });
        }
    }
}

fn runs(target: &Target, goals: &Goals, inputs: &[Inputs]) -> Vec<Run> {
    let mut runner = target.runner();
    let mut runs = Vec::new();
    for inputs in inputs {
        let mut credit = Credit::new(goals);
        let outcome = runner.run(inputs, &mut credit).outcome;
        let ends = is_clean(&outcome);
        if ends || matches!(outcome, Outcome::LimitReached(_)) {
            runs.push(Run { leaves: inputs.leaves.clone(), items: credit.items().clone(), ends });
        }
    }
    runs
}

fn place(
    target: &Target,
    goals: &Goals,
    goal: &Goal,
    expected: &Expected,
    options: &Options,
    tally: &mut Tally,
) -> Result<(), (&'static str, String)> {
    let mut place = Place::new(&target.program, &target.subject, goals, goal.id, options);
    tally.places += 1;
    let domains = place.domains();
    let bounded = place.is_bounded();
    if !bounded {
        propagated(target, domains.as_deref(), expected, tally)?;
    }
    let mut found: Leaves = Leaves::new();
    loop {
        match place.another() {
            Next::Found(inputs) => {
                tally.solutions += 1;
                if !expected.has(&inputs.leaves) && !bounded {
                    return Err(("inputs do not lead there in a clean run", format!("{:?}", inputs.leaves)));
                }
                if !found.insert(inputs.leaves.clone()) {
                    return Err(("inputs were found twice", format!("{:?}", inputs.leaves)));
                }
            }
            Next::Done => break,
            Next::GaveUp => {
                tally.gave_up += 1;
                return Ok(());
            }
        }
    }
    if bounded {
        tally.bounded += 1;
    } else if let Some(missing) = expected.clean.difference(&found).next() {
        return Err(("inputs were not found", format!("{missing:?}, one of {}", expected.clean.len())));
    }
    Ok(())
}

/// No input that leads there is outside of the domains.
fn propagated(
    target: &Target,
    domains: Option<&[Domain]>,
    expected: &Expected,
    tally: &mut Tally,
) -> Result<(), (&'static str, String)> {
    let none = expected.clean.is_empty();
    tally.dead += u64::from(none);
    let Some(domains) = domains else {
        tally.refuted += 1;
        tally.tight += 1;
        return if none { Ok(()) } else { Err(("propagation finds no inputs", String::new())) };
    };
    let mut tight = true;
    for ((leaf, info), domain) in target.subject.interface.leaves.entries().zip(domains) {
        let values =
            |leaves: &Leaves| -> HashSet<u64> { leaves.iter().map(|leaves| leaves[leaf.index()]).collect() };
        let (clean, endless) = (values(&expected.clean), values(&expected.endless));
        if let Some(bits) = clean.iter().find(|&&bits| !domain.contains(info.width(), bits)) {
            return Err(("a domain is too small", format!("{} may be {bits}", info.name)));
        }
        let ends = [domain.lo(), domain.hi()];
        tight &= ends.iter().all(|end| clean.contains(end) || endless.contains(end));
    }
    tally.tight += u64::from(tight);
    Ok(())
}
