//! Reports for people in front of a terminal: a heading, a table of goals, the tests, a summary.

mod flow;
mod goals;
mod paths;
mod style;
mod tests;

use quipu_cfront::Program;
use quipu_cover::FunctionReport;
use quipu_inputs::Assumption;
use quipu_ir::Func;

use crate::names::file;
use crate::tally::Tally;
use crate::undefined;
pub use style::Style;
pub(crate) use style::Tint;

pub(crate) use flow::{paragraph, shortened};
pub(crate) use goals::excluded;
pub(crate) use tests::inputs_text;

/// What is known about functions, as text.
pub fn text(program: &Program, reports: &[FunctionReport], style: Style) -> String {
    let mut out = String::new();
    for report in reports {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&function(program, report, style));
    }
    if reports.len() > 1 {
        let total = format!("{} functions, {}", reports.len(), Tally::of(reports).sentence());
        out.push_str(&format!("\n{}", bold("", &total, style)));
    }
    out
}

fn function(program: &Program, report: &FunctionReport, style: Style) -> String {
    let mut out = heading(program, report.func, report, style);
    out.push_str(&goals::table(program, report, style));
    out.push_str(&paths::list(program, report, style));
    if !report.verdicts.is_empty() || !report.paths.is_empty() {
        out.push('\n');
    }
    out.push_str(&tests::list(program, report, style));
    for decision in report.goals.not_analysed() {
        let at = program.place(decision.span);
        let note = format!("no MC/DC for `{}` at {at}: {}", decision.text, decision.reason);
        out.push_str(&flow::paragraph("  note: ", &note, style.width));
    }
    for note in &report.notes {
        out.push_str(&flow::paragraph("  note: ", note, style.width));
    }
    out.push_str(&findings(program, report, style));
    let summary = Tally::of([report]).sentence();
    out.push_str(&bold("  ", &summary, style));
    out
}

/// What is undefined, and no goal tells.
pub(crate) fn findings(program: &Program, report: &FunctionReport, style: Style) -> String {
    let findings = undefined::findings(program, report).into_iter();
    let lines = findings.map(|finding| flow::paragraph("  finding: ", &finding, style.width));
    lines.map(|lines| lines.replacen("finding", &style.tint(Tint::Bad, "finding"), 1)).collect()
}

pub(crate) fn bold(indent: &str, sentence: &str, style: Style) -> String {
    let lines = flow::paragraph(indent, sentence, style.width);
    lines.lines().map(|line| format!("{}\n", style.tint(Tint::Bold, line))).collect()
}

pub(crate) fn heading(program: &Program, func: Func, report: &FunctionReport, style: Style) -> String {
    heading_with(program, func, report, style, |_| true)
}

/// A heading with some of the assumptions.
pub(crate) fn heading_with(
    program: &Program,
    func: Func,
    report: &FunctionReport,
    style: Style,
    is_told: impl Fn(&Assumption) -> bool,
) -> String {
    let function = &program.module.functions[func];
    let place = format!("{}:{}", file(program, function.span), function.span.line);
    let mut out = format!("{}  {place}\n", style.tint(Tint::Bold, &function.source_name));
    for assumption in report.interface.assumptions.iter().filter(|assumption| is_told(assumption)) {
        out.push_str(&flow::paragraph("  assuming ", &assumption.to_string(), style.width));
    }
    out
}
