//! What is open, in short: undefined behaviours that have one reason in common are one entry.

use std::collections::BTreeMap;

use quipu_cfront::Program;
use quipu_cover::{Proof, Standing};

use super::text::reason;
use super::{Checked, CheckedProperty, verdict};

/// What is told of a property in the order of a report: first what is wrong, then what is open, then proofs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    Violated,
    Relied,
    Open,
    Proved,
}

impl Rank {
    pub fn of(standing: &Standing<'_>) -> Rank {
        match standing {
            Standing::Violated(_) => Rank::Violated,
            Standing::Relied(..) => Rank::Relied,
            // Nothing is proved where no input counts.
            Standing::Unreachable(Proof::NoInputs) => Rank::Open,
            Standing::Proved(_) | Standing::Unreachable(_) => Rank::Proved,
            Standing::Excluded(..)
            | Standing::AfterUndefined(..)
            | Standing::ProvedToBound(_)
            | Standing::GaveUp(_) => Rank::Open,
        }
    }
}

/// Several undefined behaviours with the same verdict for the same reason.
pub(super) struct Group {
    pub verdict: &'static str,
    pub reason: Vec<String>,
    /// How often each kind is among them.
    kinds: BTreeMap<&'static str, usize>,
}

impl Group {
    pub fn kinds(&self) -> String {
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
        kinds.join(", ")
    }

    pub fn size(&self) -> usize {
        self.kinds.values().sum()
    }
}

/// The open properties of a function by their numbers: those that are told one by one, and the groups of others.
pub(super) fn grouped(program: &Program, checked: &Checked, open: &[usize]) -> (Vec<usize>, Vec<Group>) {
    let is_alone = |number: usize| {
        let goal = &checked.report.goals.all()[checked.properties[number].property.goal];
        checked.properties[number].clause.is_some() || !goal.is_undefined()
    };
    let mut alone: Vec<usize> = open.iter().copied().filter(|&number| is_alone(number)).collect();
    let mut groups: Vec<(Group, usize)> = Vec::new();
    for &number in open.iter().filter(|&&number| !is_alone(number)) {
        let one: &CheckedProperty = &checked.properties[number];
        let standing = checked.report.standing(one.property);
        let (verdict, reason) = (verdict(&standing), reason(program, checked, one));
        let kind = checked.name(program, one).kind;
        match groups.iter_mut().find(|(known, _)| known.verdict == verdict && known.reason == reason) {
            Some((known, _)) => *known.kinds.entry(kind).or_default() += 1,
            None => groups.push((Group { verdict, reason, kinds: BTreeMap::from([(kind, 1)]) }, number)),
        }
    }
    alone.extend(groups.iter().filter(|(group, _)| group.size() == 1).map(|(_, number)| *number));
    alone.sort_unstable();
    let groups = groups.into_iter().map(|(group, _)| group).filter(|group| group.size() > 1);
    (alone, groups.collect())
}
