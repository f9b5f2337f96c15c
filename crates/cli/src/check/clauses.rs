//! Which properties are clauses of contracts.

use std::collections::BTreeMap;

use quipu_acsl::{Claim, ClaimKind, claim_calls};
use quipu_cover::{FunctionReport, Property, Reason, Verdict};
use quipu_goals::Way;
use quipu_ir::{Func, Span};
use quipu_report::Clause;

use crate::search::Loaded;

/// The claims of a program, by the calls that make them.
pub struct Clauses<'l> {
    claims: &'l [Claim],
    calls: BTreeMap<(Func, Span), usize>,
}

impl<'l> Clauses<'l> {
    pub fn of(loaded: &'l Loaded) -> Clauses<'l> {
        let module = &loaded.program.module;
        let calls = claim_calls(module).into_iter().filter_map(|call| {
            let code = module.functions[call.func].code()?;
            Some(((call.func, code.blocks[call.block].insts[call.inst].span), call.claim))
        });
        Clauses { claims: &loaded.annotations.claims, calls: calls.collect() }
    }

    fn claim(&self, report: &FunctionReport, property: Property) -> Option<&'l Claim> {
        let ways = report.goals.all()[property.goal].parts.iter().flat_map(|part| &part.ways);
        let mut places = ways.flat_map(|way| match way {
            Way::End { func, spans, .. } => spans.iter().map(|&span| (*func, span)).collect(),
            _ => Vec::new(),
        });
        places.find_map(|place| self.calls.get(&place)).and_then(|&number| self.claims.get(number))
    }

    /// How a property is called, if it is a clause.
    pub fn name(&self, report: &FunctionReport, property: Property) -> Option<Clause> {
        let claim = self.claim(report, property)?;
        Some(Clause {
            kind: kind(&claim.kind),
            file: claim.place.file.clone(),
            line: claim.place.line,
            column: claim.place.column,
            text: claim.text.clone(),
            function: claim.function.clone(),
        })
    }

    /// A clause holds only if it can be evaluated. Whether it can is no property of its own, unless there is nothing
    /// else to say about the clause.
    pub fn settle(&self, report: &mut FunctionReport, properties: &mut Vec<Property>) {
        use quipu_base::Id;
        let claim_of = |report: &FunctionReport, property: &Property| self.claim(report, *property);
        let is_evaluation =
            |claim: Option<&Claim>| claim.is_some_and(|claim| claim.kind == ClaimKind::Evaluation);
        let mut doubted = Vec::new();
        for property in properties.iter() {
            let claim = claim_of(report, property);
            let verdict = &report.verdicts[property.goal.index()];
            if is_evaluation(claim) && !matches!(verdict, Verdict::Unreachable(_)) {
                doubted.extend(claim.map(|claim| claim.place.clone()));
            }
        }
        let mut told = Vec::new();
        for property in properties.iter() {
            let Some(claim) = claim_of(report, property) else { continue };
            if claim.kind != ClaimKind::Evaluation {
                told.push(claim.place.clone());
            }
            let verdict = &mut report.verdicts[property.goal.index()];
            let is_proof = matches!(verdict, Verdict::Unreachable(_) | Verdict::UnreachableToBound(_));
            let is_doubted = doubted.contains(&claim.place);
            if is_doubted && (is_proof || claim.kind == ClaimKind::Evaluation) {
                *verdict = Verdict::GaveUp(Reason::NotEvaluated);
            }
        }
        properties.retain(|property| {
            let claim = claim_of(report, property);
            let alone = claim.is_none_or(|claim| !told.contains(&claim.place));
            !is_evaluation(claim) || (alone && claim.is_some_and(|claim| doubted.contains(&claim.place)))
        });
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
