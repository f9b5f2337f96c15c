//! Some places of a function against all of its inputs: what propagation leaves, and what enumeration finds.

use std::collections::HashSet;

use quipu_base::Id;
use quipu_cover::{Next, Options, Place};
use quipu_domain::Domain;
use quipu_goals::{Goal, Goals};

use super::Failure;
use super::brute::Target;

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
pub type Leaves = HashSet<Vec<u64>>;

/// Checks some goals; `expected` tells the inputs of clean runs that meet one.
pub fn places(
    target: &Target,
    goals: &Goals,
    options: &Options,
    expected: &dyn Fn(&Goal) -> Leaves,
    tally: &mut Tally,
    failures: &mut Vec<Failure>,
) {
    let all: Vec<&Goal> = goals.all().iter().collect();
    for n in 0..3u64 {
        let goal = all[((target.case.seed * 7 + n * 13) % all.len() as u64) as usize];
        if let Err((kind, more)) = place(target, goals, goal, &expected(goal), options, tally) {
            let Goal { span, text, outcome, .. } = goal;
            let text =
                format!("{kind}: {}:{} {:?} `{text}` {outcome}: {more}", span.line, span.column, goal.kind);
            failures.push(Failure { kind, text });
        }
    }
}

fn place(
    target: &Target,
    goals: &Goals,
    goal: &Goal,
    expected: &Leaves,
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
                if !expected.contains(&inputs.leaves) && !bounded {
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
    } else if let Some(missing) = expected.difference(&found).next() {
        return Err((
            "inputs were not found",
            format!("{missing:?}, {} of them", expected.len() - found.len()),
        ));
    }
    Ok(())
}

/// No input that leads there is outside of the domains.
fn propagated(
    target: &Target,
    domains: Option<&[Domain]>,
    expected: &Leaves,
    tally: &mut Tally,
) -> Result<(), (&'static str, String)> {
    tally.dead += u64::from(expected.is_empty());
    let Some(domains) = domains else {
        tally.refuted += 1;
        tally.tight += 1;
        return if expected.is_empty() {
            Ok(())
        } else {
            Err(("propagation finds no inputs", String::new()))
        };
    };
    let mut tight = true;
    for ((leaf, info), domain) in target.subject.interface.leaves.entries().zip(domains) {
        let values: HashSet<u64> = expected.iter().map(|leaves| leaves[leaf.index()]).collect();
        if let Some(bits) = values.iter().find(|&&bits| !domain.contains(info.width(), bits)) {
            return Err(("a domain is too small", format!("{} may be {bits}", info.name)));
        }
        tight &= values.contains(&domain.lo()) && values.contains(&domain.hi());
    }
    tally.tight += u64::from(tight);
    Ok(())
}
