//! How reports name goals, tests and places.

use quipu_base::Id;
use quipu_cfront::Program;
use quipu_cover::Verdict;
use quipu_goals::{Goal, GoalKind};
use quipu_ir::Span;

/// The name of the test with this number: `t1` is the first.
pub(crate) fn test(number: usize) -> String {
    format!("t{}", number + 1)
}

/// The name of the path with this number: `p1` is the first.
pub(crate) fn path(number: usize) -> String {
    format!("p{}", number + 1)
}

/// The kind of a goal: its criterion, but for the entry of a function.
pub(crate) fn kind(goal: &Goal) -> &'static str {
    match goal.kind {
        GoalKind::Entry => "entry",
        kind => kind.criterion().name(),
    }
}

/// What became of a goal. Undefined behaviour is found, or absent.
pub(crate) fn verdict(goal: &Goal, verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Covered { .. } if goal.is_undefined() => "found",
        Verdict::Unreachable(_) if goal.is_undefined() => "absent",
        Verdict::UnreachableToBound(_) if goal.is_undefined() => "absent-to-bound",
        _ => verdict.name(),
    }
}

/// The name of the file that a place lies in.
pub(crate) fn file(program: &Program, span: Span) -> &str {
    program.module.files.get(span.file).map_or("", String::as_str)
}

/// Numbers as a short list: `g0-g3 g7`.
pub(crate) fn ranges<I: Id + std::fmt::Display>(ids: &[I]) -> String {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let mut runs: Vec<(I, I)> = Vec::new();
    for id in ids {
        match runs.last_mut() {
            Some((_, last)) if last.index() + 1 == id.index() => *last = id,
            _ => runs.push((id, id)),
        }
    }
    let text = |(first, last): (I, I)| match last.index() - first.index() {
        0 => first.to_string(),
        1 => format!("{first} {last}"),
        _ => format!("{first}-{last}"),
    };
    runs.into_iter().map(text).collect::<Vec<_>>().join(" ")
}

/// A count with its noun: `1 test`, `2 tests`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
