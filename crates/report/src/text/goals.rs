//! The table of goals, in the order of the source.
//!
//! A construct is told once, with a line for each outcome. The conditions of a decision stand indented below it. A goal
//! that is met takes one line; the others are marked and followed by what is known about them. With undefined behaviours
//! it is the other way round: those that happen are marked.

use std::collections::BTreeMap;

use quipu_cfront::Program;
use quipu_cover::{Exclusion, FunctionReport, Proof, Verdict};
use quipu_goals::{Goal, GoalKind};
use quipu_inputs::Assumption;
use quipu_ir::FuncBody;

use super::flow::{length, paragraph, shortened};
use super::style::{Style, Tint};
use crate::{evidence, names};

/// The cells of a line in front of the verdict.
const CELLS: usize = 5;
/// Which of them holds the source text, and how wide it is at least and at most.
const TEXT: usize = 3;
const LEAST_TEXT: usize = 12;
const MOST_TEXT: usize = 48;
/// The widest outcome that is shown whole.
const MOST_OUTCOME: usize = 24;
/// So many tests of a goal are told.
const MOST_TESTS: usize = 4;

struct Row {
    /// Id, place, kind, text and outcome.
    cells: [String; CELLS],
    verdict: &'static str,
    tint: Tint,
    /// Nothing is left to be done about it.
    is_fine: bool,
    tests: String,
    evidence: Vec<String>,
}

/// The goals of a function with their verdicts.
pub(crate) fn table(program: &Program, report: &FunctionReport, style: Style) -> String {
    let goals: Vec<(&Goal, &Verdict)> = report.goals.all().iter().zip(&report.verdicts).collect();
    let constructs = goals.chunk_by(|before, after| is_told_with(before.0, after.0));
    let mut rows: Vec<Row> =
        constructs.flat_map(|construct| construct_rows(program, report, construct)).collect();
    let widths = widths(&rows, style);
    tell_once(&mut rows);
    rows.iter().map(|row| line(row, &widths, style)).collect()
}

/// Whether two goals are undefined behaviours of the same construct.
fn is_told_with(before: &Goal, after: &Goal) -> bool {
    let is_undefined = before.is_undefined() && after.is_undefined();
    is_undefined && before.span == after.span && before.func == after.func
}

/// A row for each goal; behaviours that are absent share one.
fn construct_rows(program: &Program, report: &FunctionReport, goals: &[(&Goal, &Verdict)]) -> Vec<Row> {
    let absence = |(goal, verdict): &(&Goal, &Verdict)| match verdict {
        Verdict::Unreachable(_) if goal.is_undefined() => Some(Vec::new()),
        Verdict::Excluded(_, exclusion) if goal.is_undefined() => Some(exclusion.by.clone()),
        _ => None,
    };
    let mut rows = Vec::new();
    let mut absent: BTreeMap<Vec<Assumption>, Vec<(&Goal, &Verdict)>> = BTreeMap::new();
    for one in goals {
        match absence(one) {
            Some(by) => absent.entry(by).or_default().push(*one),
            None => rows.push(row(program, report, one.0, one.1)),
        }
    }
    rows.extend(absent.values().map(|group| shared_row(program, report, group)));
    rows
}

/// One row for behaviours that are absent for the same reason.
fn shared_row(program: &Program, report: &FunctionReport, group: &[(&Goal, &Verdict)]) -> Row {
    let (goal, verdict) = group[0];
    let mut row = row(program, report, goal, verdict);
    if group.len() > 1 {
        let ids: Vec<_> = group.iter().map(|(goal, _)| goal.id).collect();
        row.cells[0] = names::ranges(&ids);
        row.cells[TEXT + 1] = format!("{} behaviours", group.len());
        let names: Vec<&str> = group.iter().map(|(goal, _)| goal.outcome.as_str()).collect();
        row.evidence.push(names.join(", "));
    }
    row
}

fn row(program: &Program, report: &FunctionReport, goal: &Goal, verdict: &Verdict) -> Row {
    let function = &program.module.functions[goal.func];
    let place = match goal.span.file == function.span.file {
        true => format!("{}:{}", goal.span.line, goal.span.column),
        false => program.place(goal.span),
    };
    let indent = if function.code().is_some_and(|code| is_one_of_many(code, goal.kind)) { "  " } else { "" };
    let text = format!("{indent}{}", goal.text);
    let outcome = shortened(&goal.outcome, MOST_OUTCOME);
    Row {
        cells: [goal.id.to_string(), place, names::kind(goal).to_string(), text, outcome],
        verdict: names::verdict(goal, verdict),
        tint: match (goal.is_undefined(), verdict) {
            (true, Verdict::Covered { .. }) => Tint::Bad,
            _ => tint(verdict),
        },
        is_fine: match verdict {
            Verdict::Covered { .. } => !goal.is_undefined(),
            Verdict::Unreachable(_) => goal.is_undefined(),
            _ => false,
        },
        tests: tests(verdict),
        evidence: match verdict {
            // The heading says under which assumptions.
            Verdict::Unreachable(Proof::NeverHappens) => Vec::new(),
            Verdict::Excluded(Proof::NeverHappens, exclusion) => vec![excluded(exclusion)],
            _ => evidence_lines(program, report, verdict),
        },
    }
}

/// Whether a goal is about one of several conditions of a decision.
fn is_one_of_many(code: &FuncBody, kind: GoalKind) -> bool {
    let (GoalKind::Condition(cond, _) | GoalKind::Mcdc(cond, _)) = kind else { return false };
    code.conds_of(code.conds[cond].decision).count() > 1
}

pub(super) fn tint(verdict: &Verdict) -> Tint {
    match verdict {
        Verdict::Covered { .. } => Tint::Good,
        Verdict::Unreachable(_) => Tint::Proved,
        Verdict::Excluded(..) | Verdict::AfterUndefined(..) | Verdict::UnreachableToBound(_) => Tint::Open,
        Verdict::GaveUp(_) => Tint::Bad,
    }
}

pub(super) fn tests(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Covered { independence: Some(pair), .. } => {
            let half = |test, vector: &str| format!("{} ({vector})", names::test(test));
            let (yes, no) =
                (half(pair.when_true, &pair.true_vector), half(pair.when_false, &pair.false_vector));
            format!("{yes} against {no}")
        }
        Verdict::Covered { tests, independence: None } => {
            let shown: Vec<String> = tests.iter().take(MOST_TESTS).map(|&test| names::test(test)).collect();
            let rest = tests.len().saturating_sub(MOST_TESTS);
            if rest > 0 { format!("{} +{rest}", shown.join(" ")) } else { shown.join(" ") }
        }
        _ => String::new(),
    }
}

/// What is known about a goal that is not met.
pub(super) fn evidence_lines(program: &Program, report: &FunctionReport, verdict: &Verdict) -> Vec<String> {
    let assuming = if evidence::stated(report).is_empty() { "" } else { ", as stated above" };
    let why = evidence::why(program, verdict).unwrap_or_default();
    match verdict {
        Verdict::Covered { .. } => Vec::new(),
        Verdict::Unreachable(_) => vec![format!("proved for all inputs{assuming}: {why}")],
        Verdict::Excluded(_, exclusion) => vec![excluded(exclusion), why],
        Verdict::AfterUndefined(..) => vec![why],
        Verdict::UnreachableToBound(bounds) => {
            let limits = bounds
                .iter()
                .map(|bound| format!("no input{assuming}, with {}", evidence::limit(program, bound)));
            limits.chain([why]).collect()
        }
        Verdict::GaveUp(_) => vec![why],
    }
}

/// By what a goal is out of reach that the user did not state.
pub(crate) fn excluded(exclusion: &Exclusion) -> String {
    let by = evidence::excluded_by(exclusion).join("; ");
    let what = if exclusion.least { "what" } else { "some of what" };
    format!("excluded by {what} Quipu assumes: {by}")
}

/// Leaves out of a line what the line before it says already.
fn tell_once(rows: &mut [Row]) {
    for n in (1..rows.len()).rev() {
        let (before, rest) = rows.split_at_mut(n);
        let (above, row) = (&before[n - 1].cells, &mut rest[0].cells);
        if above[1..=TEXT] == row[1..=TEXT] {
            row[1..=TEXT].iter_mut().for_each(String::clear);
        }
    }
}

/// The widths of the cells and of the verdict. What the others leave is for the text.
fn widths(rows: &[Row], style: Style) -> [usize; CELLS + 1] {
    let mut widths = [0; CELLS + 1];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(&row.cells) {
            *width = (*width).max(length(cell));
        }
        widths[CELLS] = widths[CELLS].max(row.verdict.len());
    }
    let tests = rows.iter().map(|row| length(&row.tests)).max().unwrap_or(0);
    let others: usize = widths.iter().sum::<usize>() - widths[TEXT] + tests + 2 * (CELLS + 1) + MARK.len();
    widths[TEXT] = widths[TEXT].min(style.width.saturating_sub(others).clamp(LEAST_TEXT, MOST_TEXT));
    widths
}

/// Stands in front of a goal that is not met, and of undefined behaviour.
const MARK: &str = "> ";

fn line(row: &Row, widths: &[usize; CELLS + 1], style: Style) -> String {
    let mut out = (if row.is_fine { "  " } else { MARK }).to_string();
    for (n, cell) in row.cells.iter().enumerate() {
        let cell = shortened(cell, widths[n]);
        out.push_str(&format!("{cell:<width$}  ", width = widths[n]));
    }
    let label = format!("{:indent$}= ", "", indent = MARK.len() + widths[0] + 2);
    let gap = widths[CELLS] - row.verdict.len() + 2;
    let fits = length(&out) + row.verdict.len() + gap + length(&row.tests) <= style.width;
    out.push_str(&style.tint(row.tint, row.verdict));
    if fits && !row.tests.is_empty() {
        out.push_str(&format!("{:gap$}{}", "", row.tests));
    }
    out.push('\n');
    if !fits {
        out.push_str(&paragraph(&label, &row.tests, style.width));
    }
    out.extend(row.evidence.iter().map(|evidence| paragraph(&label, evidence, style.width)));
    out
}
