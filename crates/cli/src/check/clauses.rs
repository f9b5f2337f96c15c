//! Which properties are clauses of contracts.

use std::collections::BTreeMap;

use quipu_acsl::{Claim, ClaimKind, claim_calls};
use quipu_cover::{Decided, FunctionReport, Property, Reason, Verdict};
use quipu_goals::{Goal, GoalKind, Way};
use quipu_ir::{Func, Span};
use quipu_report::Clause;

use crate::search::Loaded;

/// The claims of a program, by the places where they are evaluated.
pub struct Clauses<'l> {
    loaded: &'l Loaded,
    calls: BTreeMap<(Func, Span), usize>,
    /// The claims with which clauses start, by the places of these.
    starts: BTreeMap<Span, usize>,
    /// The claims that are in code to which no control flow leads.
    dead: Vec<usize>,
}

impl<'l> Clauses<'l> {
    pub fn of(loaded: &'l Loaded) -> Clauses<'l> {
        let module = &loaded.program.module;
        let calls: BTreeMap<(Func, Span), usize> = claim_calls(module)
            .into_iter()
            .filter_map(|call| {
                let code = module.functions[call.func].code()?;
                Some(((call.func, code.blocks[call.block].insts[call.inst].span), call.claim))
            })
            .collect();
        let starts = calls.iter().map(|((_, span), claim)| (*span, *claim)).collect();
        let claims = loaded.annotations.claims.iter().enumerate();
        let is_made = |number: usize| calls.values().any(|&made| made == number);
        let dead = claims
            .filter(|(number, claim)| claim.kind != ClaimKind::Evaluation && !is_made(*number))
            .map(|(number, _)| number)
            .collect();
        Clauses { loaded, calls, starts, dead }
    }

    /// The clause that a goal is about: that its claim fails, or that something undefined happens in it.
    fn claim(&self, goal: &Goal) -> Option<&'l Claim> {
        let number = match goal.kind {
            GoalKind::Undefined(_) if self.loaded.is_generated(goal.func) => {
                let start = |span: &Span| (span.file, span.line, span.column);
                self.starts
                    .iter()
                    .find(|(span, _)| start(span) == start(&goal.span))
                    .map(|(_, number)| number)
            }
            GoalKind::Undefined(_) => self.calls.get(&(goal.func, goal.span)),
            GoalKind::Statement(_) => self.dead.iter().find(|&&number| self.is_at(number, goal.span)),
            _ => {
                let ways = goal.parts.iter().flat_map(|part| &part.ways);
                let mut places = ways.flat_map(|way| match way {
                    Way::End { func, spans, .. } => spans.iter().map(|&span| (*func, span)).collect(),
                    _ => Vec::new(),
                });
                places.find_map(|place| self.calls.get(&place))
            }
        };
        number.and_then(|&number| self.loaded.annotations.claims.get(number))
    }

    fn is_at(&self, number: usize, span: Span) -> bool {
        let place = &self.loaded.annotations.claims[number].place;
        let starts = (place.line, place.column) == (span.line, span.column);
        let ends = (place.end_line, place.end_column) == (span.end_line, span.end_column);
        starts && ends && self.loaded.program.module.files[span.file] == place.file
    }

    /// Whether a goal is the statement of a claim to which no control flow leads.
    pub fn is_dead(&self, goal: &Goal) -> bool {
        matches!(goal.kind, GoalKind::Statement(_)) && goal.is_unreachable() && self.claim(goal).is_some()
    }

    /// What kind of clause a goal is about, and whether that is only whether it can be evaluated.
    pub fn kind_of(&self, goal: &Goal) -> Option<(&'l ClaimKind, bool)> {
        let claim = self.claim(goal)?;
        let is_evaluation =
            claim.kind == ClaimKind::Evaluation || matches!(goal.kind, GoalKind::Undefined(_));
        Some((self.clause_kind(claim), is_evaluation))
    }

    /// The kind of the clause to which a claim belongs.
    fn clause_kind(&self, claim: &'l Claim) -> &'l ClaimKind {
        let is_clause = |one: &&Claim| one.place == claim.place && one.kind != ClaimKind::Evaluation;
        self.loaded.annotations.claims.iter().find(is_clause).map_or(&claim.kind, |clause| &clause.kind)
    }

    /// Whether a goal is about the evaluation of a clause.
    pub fn is_in_clause(&self, goal: &Goal) -> bool {
        self.loaded.is_generated(goal.func) || self.claim(goal).is_some()
    }

    /// Whether a decision is made in the evaluation of a clause.
    pub fn decides(&self, decided: &Decided) -> bool {
        let module = &self.loaded.program.module;
        self.loaded.is_generated(decided.func)
            || self.calls.contains_key(&(decided.func, decided.span(module)))
            || decided.text(module).is_empty()
    }

    /// Whether a goal is that something undefined happens where a value is kept for later. It may never be looked at.
    fn keeps(&self, goal: &Goal) -> bool {
        let Span { line, column, end_line, end_column, .. } = goal.span;
        let is_undefined = matches!(goal.kind, GoalKind::Undefined(_));
        is_undefined && self.loaded.is_generated(goal.func) && (end_line, end_column) == (line, column + 1)
    }

    /// How a property is called, if it is a clause.
    pub fn name(&self, report: &FunctionReport, property: Property) -> Option<Clause> {
        let claim = self.claim(&report.goals.all()[property.goal])?;
        Some(Clause {
            kind: kind(self.clause_kind(claim)),
            file: claim.place.file.clone(),
            line: claim.place.line,
            column: claim.place.column,
            text: claim.text.clone(),
            function: claim.function.clone(),
        })
    }

    /// A clause holds only if it can be evaluated, without anything undefined. That is no property of its own, unless
    /// there is nothing else to say about the clause: of all that is known about one, the worst counts.
    pub fn settle(&self, report: &mut FunctionReport, properties: &mut Vec<Property>) {
        let mut kept: Vec<(Property, Option<&'l Claim>)> = Vec::new();
        // The claim itself comes first, as that is what should be told where nothing is wrong.
        properties.sort_by_key(|property| {
            let goal = &report.goals.all()[property.goal];
            let span = goal.span;
            let is_evaluation = self.kind_of(goal).is_some_and(|(_, is_evaluation)| is_evaluation);
            (goal.func, (span.file, span.line, span.column), is_evaluation)
        });
        for &property in properties.iter() {
            let goal = &report.goals.all()[property.goal];
            let claim = self.claim(goal);
            let is_evaluation = claim.is_some_and(|claim| claim.kind == ClaimKind::Evaluation);
            if (is_evaluation || self.keeps(goal))
                && matches!(verdict(report, property), Verdict::Covered { .. })
            {
                use quipu_base::Id;
                report.verdicts[property.goal.index()] = Verdict::GaveUp(Reason::NotEvaluated);
            }
            let same = |one: &&mut (Property, Option<&Claim>)| match (claim, one.1) {
                (Some(claim), Some(other)) => claim.place == other.place && claim.function == other.function,
                _ => false,
            };
            match kept.iter_mut().find(same) {
                Some(known) if weight(verdict(report, property)) > weight(verdict(report, known.0)) => {
                    *known = (Property { place: known.0.place, ..property }, claim);
                }
                Some(_) => {}
                None => kept.push((property, claim)),
            }
        }
        // That what is alone can be evaluated goes without saying.
        kept.retain(|(property, claim)| {
            let goal = &report.goals.all()[property.goal];
            let is_evaluation = match goal.kind {
                GoalKind::Undefined(_) => self.is_in_clause(goal),
                _ => claim.is_some_and(|claim| claim.kind == ClaimKind::Evaluation),
            };
            !is_evaluation || weight(verdict(report, *property)) > 0
        });
        *properties = kept.into_iter().map(|(property, _)| property).collect();
    }
}

fn verdict(report: &FunctionReport, property: Property) -> &Verdict {
    use quipu_base::Id;
    &report.verdicts[property.goal.index()]
}

/// How bad a verdict is.
fn weight(verdict: &Verdict) -> u32 {
    match verdict {
        Verdict::Unreachable(_) => 0,
        Verdict::AfterUndefined(..) => 1,
        Verdict::Excluded(..) => 2,
        Verdict::UnreachableToBound(_) => 3,
        Verdict::GaveUp(_) => 4,
        Verdict::Covered { .. } => 5,
    }
}

fn kind(kind: &ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Requires => "requires",
        ClaimKind::Ensures => "ensures",
        ClaimKind::CompleteBehaviors => "complete-behaviors",
        ClaimKind::DisjointBehaviors => "disjoint-behaviors",
        ClaimKind::Assert => "assert",
        ClaimKind::LoopInvariant { .. } => "loop-invariant",
        ClaimKind::Evaluation => "evaluation",
    }
}
