//! Properties: what must not happen in a run, and what is known about it.

use quipu_goals::{AssertionKind, Goal, GoalId, GoalKind, Goals};
use quipu_ir::Span;

use crate::report::{Bound, Exclusion, FunctionReport, Proof, Reason, Test, Undefined, Verdict};

/// Something that must not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Property {
    /// That it happens.
    pub goal: GoalId,
    /// That control comes to its place, where it may be harmless.
    pub place: Option<GoalId>,
}

/// What is known about a property.
#[derive(Clone, Copy, Debug)]
pub enum Standing<'r> {
    /// This test does what must not happen.
    Violated(&'r Test),
    /// No run does it.
    Proved(&'r Proof),
    /// No run does it as long as what the code relies on is so: a precondition that nobody stated.
    Relied(&'r Proof, &'r Exclusion),
    /// No run does it as long as some assumptions hold that the user did not state.
    Excluded(&'r Proof, &'r Exclusion),
    /// Only runs do it that have done something undefined before.
    AfterUndefined(&'r Proof, Option<Undefined>),
    /// No run does it with at most these turns and calls.
    ProvedToBound(&'r [Bound]),
    /// No run comes to its place.
    Unreachable(&'r Proof),
    GaveUp(&'r Reason),
}

/// The goals that are properties, with the goals of their places.
pub fn properties(goals: &Goals, is_one: impl Fn(&Goal) -> bool) -> Vec<Property> {
    let all = goals.all().iter().filter(|goal| is_one(goal));
    all.map(|goal| Property { goal: goal.id, place: place(goals, goal) }).collect()
}

/// The innermost statement around a property. That a call which must not be made is not made is all there is to say.
fn place(goals: &Goals, property: &Goal) -> Option<GoalId> {
    if property.kind == GoalKind::Assertion(AssertionKind::ErrorCall) {
        return None;
    }
    if let GoalKind::Statement(_) = property.kind {
        return Some(property.id);
    }
    let around = |goal: &&Goal| match (goal.kind, property.kind) {
        _ if goal.func != property.func => false,
        // Claims are told where the annotations stand.
        (GoalKind::Statement(stmt), GoalKind::Assertion(AssertionKind::Claim(before))) => stmt == before,
        (GoalKind::Statement(_), _) => encloses(goal.span, property.span),
        _ => false,
    };
    let statements = goals.all().iter().filter(around);
    statements.max_by_key(|goal| (goal.span.line, goal.span.column)).map(|goal| goal.id)
}

fn encloses(outer: Span, inner: Span) -> bool {
    let ends = |span: Span| (span.end_line, span.end_column);
    outer.file == inner.file
        && (outer.line, outer.column) <= (inner.line, inner.column)
        && ends(inner) <= ends(outer)
}

impl FunctionReport {
    /// What is known about a property.
    pub fn standing(&self, property: Property) -> Standing<'_> {
        use quipu_base::Id;
        match &self.verdicts[property.goal.index()] {
            Verdict::Covered { tests, .. } => {
                let tests = tests.iter().map(|&test| &self.tests[test]);
                let shortest = tests.min_by_key(|test| test.steps.len());
                Standing::Violated(shortest.expect("some test covers what is covered"))
            }
            Verdict::Unreachable(proof) => match property.place.map(|place| &self.verdicts[place.index()]) {
                Some(Verdict::Unreachable(nowhere)) => Standing::Unreachable(nowhere),
                _ => Standing::Proved(proof),
            },
            Verdict::Excluded(proof, exclusion) if exclusion.is_relied_on() => {
                Standing::Relied(proof, exclusion)
            }
            Verdict::Excluded(proof, exclusion) => Standing::Excluded(proof, exclusion),
            Verdict::AfterUndefined(proof, undefined) => Standing::AfterUndefined(proof, *undefined),
            Verdict::UnreachableToBound(bounds) => Standing::ProvedToBound(bounds),
            Verdict::GaveUp(reason) => Standing::GaveUp(reason),
        }
    }
}
