//! The paths that are goals, each by what its decisions choose.

use quipu_cfront::Program;
use quipu_cover::{FunctionReport, PathReport};

use super::flow::{Piece, paragraph, pieces};
use super::goals::{evidence_lines, tests, tint};
use super::style::Style;
use crate::names;

/// The paths of a function with their verdicts.
pub(crate) fn list(program: &Program, report: &FunctionReport, style: Style) -> String {
    let width = names::path(report.paths.len().max(1) - 1).len();
    let paths = report.paths.iter().enumerate();
    let one = |(n, path): (usize, &PathReport)| {
        let evidence = evidence_lines(program, report, &path.verdict);
        let mark = if evidence.is_empty() { "  " } else { "> " };
        let mut out = pieces(&format!("{mark}{:<width$}  ", names::path(n)), &line(path), style);
        let label = format!("{:indent$}= ", "", indent = width + 4);
        out.extend(evidence.iter().map(|evidence| paragraph(&label, evidence, style.width)));
        out
    };
    paths.map(one).collect()
}

fn line(path: &PathReport) -> Vec<Piece> {
    let steps = path.steps.iter().map(|step| {
        Piece::plain(format!("{}:{} {} {}", step.span.line, step.span.column, step.text, step.outcome))
    });
    let verdict = Piece { text: path.verdict.name().to_string(), tint: tint(&path.verdict) };
    let tests = Some(tests(&path.verdict)).filter(|tests| !tests.is_empty());
    let straight = path.steps.is_empty().then(|| Piece::plain("without decisions"));
    steps.chain(straight).chain([verdict]).chain(tests.map(Piece::plain)).collect()
}
