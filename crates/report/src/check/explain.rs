//! What proofs of properties rest on, in the words of the source.

use quipu_cfront::Program;
use quipu_cover::{Conflict, Conflicting, Explanation, Proof, UsedInvariant, Verdict};
use quipu_goals::{Goal, Way};
use quipu_ir::{Block, Callee, Func, Inst, InstKind, Span};

use super::{Checked, CheckedProperty, verdict_of};
use crate::conflict::{start, told};
use crate::evidence::loop_span;
use crate::names;

/// Something that a proof rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reason {
    pub kind: ReasonKind,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReasonKind {
    /// On the way to a violation this would be so.
    Condition,
    /// This holds whenever control comes to the head of a loop.
    Invariant,
    /// This is taken for granted: about inputs, or that nothing undefined happens.
    Assumption,
}

impl ReasonKind {
    pub fn name(self) -> &'static str {
        match self {
            ReasonKind::Condition => "condition",
            ReasonKind::Invariant => "invariant",
            ReasonKind::Assumption => "assumption",
        }
    }
}

/// Why conditions conflict, if that is known.
pub(super) fn explanation<'c>(checked: &'c Checked, one: &CheckedProperty) -> Option<&'c Explanation> {
    match verdict_of(checked, one) {
        Verdict::Unreachable(Proof::Infeasible(explanation))
        | Verdict::Excluded(Proof::Infeasible(explanation), _)
            if !explanation.conflicts.is_empty() =>
        {
            Some(explanation)
        }
        _ => None,
    }
}

/// All that a proof rests on, once each.
pub(super) fn reasons(program: &Program, checked: &Checked, one: &CheckedProperty) -> Vec<Reason> {
    let Some(explanation) = explanation(checked, one) else { return Vec::new() };
    let teller = Teller { program, checked, one };
    let conditions = explanation.conflicts.iter().flat_map(|conflict| teller.conditions(conflict));
    let invariants = explanation.invariants.iter().map(|invariant| teller.invariant(invariant));
    let mut reasons = Vec::new();
    for reason in conditions.chain(invariants) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
}

/// What a proof rests on, for people.
pub(super) fn sentence(program: &Program, checked: &Checked, one: &CheckedProperty) -> String {
    let Some(explanation) = explanation(checked, one) else { return String::new() };
    let teller = Teller { program, checked, one };
    let ways = explanation.conflicts.iter().map(|conflict| {
        let parts: Vec<String> = teller.conditions(conflict).iter().map(|part| teller.text(part)).collect();
        match &parts[..] {
            [] => "no run comes there".to_string(),
            [single] => format!("it is impossible that {single}"),
            _ => format!("these contradict each other: {}", parts.join(" and ")),
        }
    });
    let mut text = ways.collect::<Vec<_>>().join("; on other ways, ");
    for (n, (place, invariants)) in teller.loops(explanation).into_iter().enumerate() {
        let by = match (n, explanation.least) {
            (0, true) => "; by what holds",
            (0, false) => "; by something among what holds",
            _ => "; and",
        };
        text.push_str(&format!("{by} {place}: {}", invariants.join(", ")));
    }
    text
}

struct Teller<'a> {
    program: &'a Program,
    checked: &'a Checked,
    one: &'a CheckedProperty,
}

impl Teller<'_> {
    fn condition(&self, part: &Conflicting) -> Reason {
        if self.is_violation(part) {
            let name = self.checked.name(self.program, self.one);
            return Reason {
                kind: ReasonKind::Condition,
                file: Some(name.file),
                line: Some(name.line),
                column: Some(name.column),
                text: format!("`{}` is false", name.text),
            };
        }
        let kind = match part {
            Conflicting::Precondition | Conflicting::Defined { .. } => ReasonKind::Assumption,
            _ => ReasonKind::Condition,
        };
        let (text, span) = told(self.program, part);
        self.reason(kind, text.trim_end_matches(',').to_string(), span)
    }

    /// Whether a part says that the property is violated.
    fn is_violation(&self, part: &Conflicting) -> bool {
        let mut ways = self.goal().parts.iter().flat_map(|part| &part.ways);
        match *part {
            Conflicting::Fails { .. } => true,
            Conflicting::Reached { func, block } => ways.any(|way| match way {
                Way::End { func: own, blocks, .. } => *own == func && blocks.contains(&block),
                _ => false,
            }),
            // In what checks its argument, that is the only thing that can go wrong.
            Conflicting::Edge { func, block, edge } => ways.any(|way| match way {
                Way::During { via: Some(via), happens, .. } => {
                    *via == func && self.only_leads_to(func, block, edge, happens)
                }
                _ => false,
            }),
            _ => false,
        }
    }

    fn goal(&self) -> &Goal {
        &self.checked.report.goals.all()[self.one.property.goal]
    }

    /// Whether something happens behind one edge of a block, and not behind its others.
    fn only_leads_to(&self, func: Func, block: Block, edge: usize, happens: &Way) -> bool {
        let Some(code) = self.program.module.functions[func].code() else { return false };
        let does = |block: Block| match happens {
            Way::Entry(callee) => {
                let calls = |inst: &Inst| matches!(inst.kind, InstKind::Call(Callee::Direct(func), _) if func == *callee);
                code.blocks[block].insts.iter().any(calls)
            }
            Way::End { blocks, .. } => blocks.contains(&block),
            _ => false,
        };
        let leads = |start: Block| {
            let (mut open, mut seen) = (vec![start], vec![start]);
            while let Some(block) = open.pop() {
                if does(block) {
                    return true;
                }
                for edge in code.blocks[block].term.edges() {
                    if !seen.contains(&edge.target) {
                        seen.push(edge.target);
                        open.push(edge.target);
                    }
                }
            }
            false
        };
        code.blocks[block].term.edges().enumerate().all(|(n, other)| leads(other.target) == (n == edge))
    }

    /// Whether a part says no more than that control comes to the property.
    fn is_place(&self, part: &Conflicting) -> bool {
        let Conflicting::Reached { func, block } = *part else { return false };
        let Some(code) = self.program.module.functions[func].code() else { return false };
        let (start, own) = (start(code, block), self.goal().span);
        let from = (start.line, start.column) <= (own.line, own.column);
        let to = (own.end_line, own.end_column) <= (start.end_line, start.end_column);
        func == self.goal().func && start.file == own.file && from && to && !self.is_violation(part)
    }

    /// What is said of a way that is impossible, each thing once.
    fn conditions(&self, conflict: &Conflict) -> Vec<Reason> {
        let mut reasons = Vec::new();
        for part in conflict.iter().filter(|part| !self.is_place(part)) {
            let reason = self.condition(part);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons
    }

    fn invariant(&self, invariant: &UsedInvariant) -> Reason {
        let text = invariant.text.clone().unwrap_or_else(|| UNNAMED.to_string());
        self.reason(ReasonKind::Invariant, text, Some(loop_span(self.program, invariant)))
    }

    fn reason(&self, kind: ReasonKind, text: String, span: Option<Span>) -> Reason {
        let file = span.map(|span| names::file(self.program, span).to_string());
        Reason { kind, file, line: span.map(|span| span.line), column: span.map(|span| span.column), text }
    }

    /// A reason with its place, which is short in the file of the function.
    fn text(&self, reason: &Reason) -> String {
        match (&reason.file, reason.line, reason.column) {
            (Some(file), Some(line), Some(column)) => {
                format!("{} at {}", reason.text, self.place(file, line, column))
            }
            _ => reason.text.clone(),
        }
    }

    fn place(&self, file: &str, line: u32, column: u32) -> String {
        let home = names::file(self.program, self.program.module.functions[self.checked.told].span);
        if file == home { format!("{line}:{column}") } else { format!("{file}:{line}:{column}") }
    }

    /// What holds in loops, loop by loop.
    fn loops(&self, explanation: &Explanation) -> Vec<(String, Vec<String>)> {
        let mut loops: Vec<(String, Vec<String>)> = Vec::new();
        for invariant in &explanation.invariants {
            let span = loop_span(self.program, invariant);
            let place = self.place(names::file(self.program, span), span.line, span.column);
            let turns = if invariant.from_start { "every turn" } else { "every turn but the first ones" };
            let place = format!("in {turns} of the loop at {place}");
            let text = invariant.text.as_ref().map_or(UNNAMED.to_string(), |text| format!("`{text}`"));
            match loops.iter_mut().find(|(known, _)| *known == place) {
                Some((_, texts)) if texts.contains(&text) => {}
                Some((_, texts)) => texts.push(text),
                None => loops.push((place, vec![text])),
            }
        }
        loops
    }
}

/// What is said of something that has no name.
const UNNAMED: &str = "something about values that have no name";
