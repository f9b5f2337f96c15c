//! What is known about properties: as text, and as JSON.

mod explain;
mod fold;
mod json;
mod loop_place;
mod reliances;
mod short;
mod text;
mod trace;
mod witness;

use quipu_cfront::Program;
use quipu_cover::{Bound, Decided, FunctionReport, Proof, Property, Standing, Verdict};
use quipu_goals::{AssertionKind, Goal, GoalKind};
use quipu_ir::Func;

use crate::{evidence, names};

pub use json::check_json;
pub use text::check_text;
pub use witness::{WitnessTask, witness};

/// A function, and what was found out about properties in runs of it.
#[derive(Debug)]
pub struct Checked {
    pub report: FunctionReport,
    pub properties: Vec<CheckedProperty>,
    /// Whether undefined behaviour that is no property may come before a property.
    pub presumes_defined: bool,
    /// The function that people know, if another one is checked in its place.
    pub told: Func,
}

/// A property.
#[derive(Clone, Debug)]
pub struct CheckedProperty {
    pub property: Property,
    /// The decisions on the way to its violation.
    pub trace: Vec<Decided>,
    /// What the source calls it, if it is a clause of a contract.
    pub clause: Option<Clause>,
}

/// A clause of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    pub kind: &'static str,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub text: String,
    /// The function that it is about.
    pub function: String,
}

/// Counts of verdicts.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Counts {
    violated: usize,
    proved: usize,
    relied: usize,
    excluded: usize,
    after_undefined: usize,
    to_bound: usize,
    unreachable: usize,
    /// Those of them for which no input satisfies the preconditions.
    vacuous: usize,
    gave_up: usize,
}

impl Counts {
    fn of(all: &[Checked]) -> Counts {
        let mut counts = Counts::default();
        for (checked, one) in numbered(all).map(|(_, checked, one)| (checked, one)) {
            if let Standing::Unreachable(Proof::NoInputs) = checked.report.standing(one.property) {
                counts.vacuous += 1;
            }
            let count = match checked.report.standing(one.property) {
                Standing::Violated(_) => &mut counts.violated,
                Standing::Proved(_) => &mut counts.proved,
                Standing::Relied(..) => &mut counts.relied,
                Standing::Excluded(..) => &mut counts.excluded,
                Standing::AfterUndefined(..) => &mut counts.after_undefined,
                Standing::ProvedToBound(_) => &mut counts.to_bound,
                Standing::Unreachable(_) => &mut counts.unreachable,
                Standing::GaveUp(_) => &mut counts.gave_up,
            };
            *count += 1;
        }
        counts
    }

    fn all(&self) -> usize {
        let proved = self.proved + self.relied + self.excluded + self.after_undefined + self.to_bound;
        self.violated + proved + self.unreachable + self.gave_up
    }
}

/// All properties with their names, and the function in whose runs they are checked.
fn numbered(all: &[Checked]) -> impl Iterator<Item = (String, &Checked, &CheckedProperty)> {
    let pairs = all.iter().flat_map(|checked| checked.properties.iter().map(move |one| (checked, one)));
    pairs.enumerate().map(|(n, (checked, one))| (format!("p{}", n + 1), checked, one))
}

impl Checked {
    /// Whether there is anything to tell.
    pub fn has_something(&self) -> bool {
        !self.properties.is_empty() || !self.report.disagreements.is_empty()
    }

    /// What people call a property.
    fn name(&self, program: &Program, one: &CheckedProperty) -> Clause {
        let goal = &self.report.goals.all()[one.property.goal];
        one.clause.clone().unwrap_or_else(|| Clause {
            kind: kind(goal),
            file: names::file(program, goal.span).to_string(),
            line: goal.span.line,
            column: goal.span.column,
            text: goal.text.clone(),
            function: program.module.functions[goal.func].source_name.clone(),
        })
    }
}

/// What kind of property a goal is.
fn kind(goal: &Goal) -> &'static str {
    match goal.kind {
        GoalKind::Undefined(event) => event.name(),
        GoalKind::Assertion(AssertionKind::Condition | AssertionKind::Claim(_)) => "assertion",
        GoalKind::Assertion(AssertionKind::ErrorCall) => "error-call",
        _ => "assertion",
    }
}

fn verdict(standing: &Standing<'_>) -> &'static str {
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

/// For which runs a proof holds.
fn scope(program: &Program, checked: &Checked, standing: &Standing<'_>) -> Option<String> {
    let mut scope = evidence::all_inputs(&checked.report);
    match standing {
        Standing::Violated(_) | Standing::GaveUp(_) | Standing::Unreachable(Proof::NoInputs) => return None,
        Standing::Proved(_) | Standing::Unreachable(_) | Standing::AfterUndefined(..) => {}
        Standing::Relied(_, exclusion) | Standing::Excluded(_, exclusion) => {
            scope = format!("{scope}, as long as {}", evidence::texts(exclusion).join("; "));
        }
        Standing::ProvedToBound(limits) => scope = format!("{scope}, with {}", bounds(program, limits)),
    }
    scope.push_str(match checked.presumes_defined {
        true => ", as long as nothing undefined happens and no other property is violated before",
        false => ", as long as no other property is violated before",
    });
    Some(scope)
}

/// How far loops and recursions were followed.
fn bounds(program: &Program, limits: &[Bound]) -> String {
    let limits: Vec<String> = limits.iter().map(|bound| evidence::limit(program, bound)).collect();
    limits.join("; ")
}

/// What a verdict rests on.
fn why(program: &Program, checked: &Checked, one: &CheckedProperty) -> Option<String> {
    match explain::explanation(checked, one) {
        Some(_) => Some(explain::sentence(program, checked, one)),
        None => evidence::why(program, verdict_of(checked, one)),
    }
}

/// The verdict that counts for a property: that on its place, if that is not reached.
fn verdict_of<'c>(checked: &'c Checked, one: &CheckedProperty) -> &'c Verdict {
    use quipu_base::Id;
    let goal = match checked.report.standing(one.property) {
        Standing::Unreachable(_) => one.property.place.unwrap_or(one.property.goal),
        _ => one.property.goal,
    };
    &checked.report.verdicts[goal.index()]
}
