//! From a place in the source to goals.

use quipu_base::Id;
use quipu_cfront::Program;
use quipu_goals::{Criterion, Goal, GoalId, GoalKind, Goals, Outcome, SourceFiles};
use quipu_ir::{FileId, Func, Span};

use quipu_cfront::SourceText;

/// A place that a user asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub line: u32,
    pub column: Option<u32>,
    /// The outcome of the decision there, if that is meant instead of a statement.
    pub outcome: Option<bool>,
}

/// What is there.
#[derive(Debug)]
pub struct Located {
    /// The function around the place.
    pub func: Func,
    pub goals: Goals,
    pub goal: GoalId,
}

/// Finds the statement or decision at a place of a file.
pub fn locate(program: &Program, file: FileId, location: &Location) -> Option<Located> {
    let func = function_at(program, file, location.line)?;
    let sources = SourceFiles::new(program.sources.iter().map(SourceText::bytes));
    let criterion = if location.outcome.is_some() { Criterion::Decision } else { Criterion::Statement };
    let goals = Goals::of(&program.module, &sources, &[func], &[criterion]);
    let goal = nearest(&goals, location)?.id;
    Some(Located { func, goals, goal })
}

/// The function whose code is around a line: the last one that starts before it.
pub fn function_at(program: &Program, file: FileId, line: u32) -> Option<Func> {
    let functions = program.module.functions.entries();
    let before = functions.filter(|(_, function)| {
        function.code().is_some() && function.span.file == file && function.span.line <= line
    });
    before.max_by_key(|(_, function)| function.span.line).map(|(func, _)| func)
}

/// The goal that starts at the place; else the last one that starts on the line or before it, and ends behind it.
fn nearest<'g>(goals: &'g Goals, location: &Location) -> Option<&'g Goal> {
    let fits = |goal: &&Goal| match (location.outcome, goal.kind) {
        (Some(wanted), GoalKind::Decision(_, Outcome::Truth(outcome))) => wanted == outcome,
        (None, GoalKind::Statement(_)) => true,
        _ => false,
    };
    let candidates: Vec<&Goal> = goals.all().iter().filter(fits).collect();
    let starts = |goal: &&&Goal| {
        goal.span.line == location.line && location.column.is_none_or(|column| goal.span.column >= column)
    };
    let first = candidates.iter().filter(starts).min_by_key(|goal| goal.span.column);
    let around = |goal: &&&Goal| covers(goal.span, location);
    first
        .or_else(|| candidates.iter().filter(around).max_by_key(|goal| (goal.span.line, goal.span.column)))
        .copied()
}

fn covers(span: Span, location: &Location) -> bool {
    let at = (location.line, location.column.unwrap_or(u32::MAX));
    (span.line, span.column) <= at && location.line <= span.end_line
}

/// The file that a user means by a name: the name itself, or its end.
pub fn file_named(program: &Program, name: &str) -> Option<FileId> {
    let files = program.module.files.entries();
    let matching = |file: &str| file == name || file.ends_with(&format!("/{name}"));
    let mut found = files.filter(|(_, file)| matching(file)).map(|(file, _)| file);
    found.next().or_else(|| (program.module.files.len() == 1).then(|| FileId::new(0)))
}
