//! Paths as users write them.

use quipu_cfront::Program;
use quipu_cover::{PathNameError, PathStepName, file_named, function_at, path_named};
use quipu_encode::{Paths, WantedOutcome};
use quipu_ir::{Func, Span};

use crate::args::Cover;
use crate::exit::Exit;
use crate::load;
use crate::search::{self, Loaded};

/// A path that a user names.
pub struct NamedPath {
    pub func: Func,
    pub paths: Paths,
}

impl NamedPath {
    /// The path in the function named, else in that around its first step.
    pub fn find(loaded: &Loaded, args: &Cover, text: &str) -> Result<NamedPath, Exit> {
        let steps = parse(text).map_err(|message| load::complain(&message))?;
        let program = &loaded.program;
        let func = match &args.function[..] {
            [] => function(program, &loaded.files[0], &steps),
            [name] => Some(search::testable(loaded, name)?),
            _ => return Err(load::complain("error: a path belongs to one function")),
        };
        let func = func.ok_or_else(|| {
            load::complain(&format!("error: there is no function around line {}", steps[0].line))
        })?;
        let paths = path_named(program, func, &steps)
            .map_err(|error| load::complain(&explain(program, &steps, &error)))?;
        Ok(NamedPath { func, paths })
    }
}

/// `LINE[:COL]/then|else|VALUE|default`, separated by commas.
fn parse(text: &str) -> Result<Vec<PathStepName>, String> {
    text.split(',').map(|step| parse_step(step.trim()).ok_or_else(|| wrong(step.trim()))).collect()
}

fn wrong(step: &str) -> String {
    format!(
        "error: `{step}` is no step of a path\n  = hint: LINE/then, LINE/else, or LINE/VALUE and LINE/default for a \
         switch; LINE:COLUMN where a line has several decisions"
    )
}

fn parse_step(text: &str) -> Option<PathStepName> {
    let (place, outcome) = text.split_once('/')?;
    let number = |text: &str| text.parse::<u32>().ok().filter(|&number| number > 0);
    let (line, column) = match place.split_once(':') {
        Some((line, column)) => (number(line)?, Some(number(column)?)),
        None => (number(place)?, None),
    };
    let outcome = match outcome {
        "then" => WantedOutcome::Truth(true),
        "else" => WantedOutcome::Truth(false),
        "default" => WantedOutcome::Default,
        value => WantedOutcome::Case(value.parse().ok()?),
    };
    Some(PathStepName { line, column, outcome })
}

/// The function in whose code a path starts.
fn function(program: &Program, file: &std::path::Path, steps: &[PathStepName]) -> Option<Func> {
    let file = file_named(program, &file.to_string_lossy())?;
    function_at(program, file, steps.first()?.line)
}

/// Why there is no such path.
fn explain(program: &Program, steps: &[PathStepName], error: &PathNameError) -> String {
    let named = |step: usize| format!("step {} (line {})", step + 1, steps[step].line);
    match error {
        PathNameError::NoDecision { step } => format!(
            "error: there is no decision at {}\n  = hint: quipu show --decisions lists decisions with their lines",
            named(*step)
        ),
        PathNameError::Stray { fitting, next } => {
            let end = match next {
                Some(span) => format!("`{}` at {} decides", program.excerpt(*span), program.place(*span)),
                None => "the function ends".to_string(),
            };
            let behind =
                if *fitting == 0 { "first".to_string() } else { format!("behind {}", named(fitting - 1)) };
            format!("error: there is no such path: {behind}, {end}{}", caret(program, *next))
        }
    }
}

fn caret(program: &Program, span: Option<Span>) -> String {
    let snippet = span.and_then(|span| crate::render::snippet(program, span));
    snippet.map_or_else(String::new, |snippet| format!("\n{snippet}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps() {
        let step = |line, column, outcome| PathStepName { line, column, outcome };
        assert_eq!(
            parse("12/then, 3:5/else,7/-2,8/default").unwrap(),
            [
                step(12, None, WantedOutcome::Truth(true)),
                step(3, Some(5), WantedOutcome::Truth(false)),
                step(7, None, WantedOutcome::Case(-2)),
                step(8, None, WantedOutcome::Default),
            ]
        );
        for wrong in ["", "12", "0/then", "12/maybe", "12/then,", "a/then", "1:/then"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
