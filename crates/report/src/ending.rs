//! How a test ends, by name and as a sentence.

use quipu_cfront::Program;
use quipu_interp::{Limit, Outcome};
use quipu_ir::Span;

/// The name of an ending.
pub(crate) fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Returned(_) => "returned",
        Outcome::Exited(_) => "exited",
        Outcome::Aborted => "aborted",
        Outcome::AssertionFailed { .. } => "assertion-failed",
        Outcome::Event { .. } => "undefined-behaviour",
        Outcome::LimitReached(_) => "limit-reached",
        Outcome::InputsExhausted { .. } => "inputs-exhausted",
        Outcome::Unsupported { .. } => "unsupported",
        Outcome::AssumptionFailed => "assumption-failed",
    }
}

/// What happens at the end. A result is told elsewhere.
pub(crate) fn sentence(program: &Program, outcome: &Outcome) -> String {
    let what = match outcome {
        Outcome::Returned(_) => "returns".to_string(),
        Outcome::Exited(status) => format!("exits with status {status}"),
        Outcome::Aborted => "aborts".to_string(),
        Outcome::AssertionFailed { detail, .. } => with_detail("fails an assertion", detail),
        Outcome::Event { event, detail, .. } => with_detail(&format!("undefined behaviour: {event}"), detail),
        Outcome::LimitReached(Limit::Steps) => "takes too many steps".to_string(),
        Outcome::LimitReached(Limit::Depth) => "nests calls too deeply".to_string(),
        Outcome::LimitReached(Limit::Memory) => "takes too much memory".to_string(),
        Outcome::InputsExhausted { function, .. } => format!("needs a further value for `{function}`"),
        Outcome::Unsupported { what, .. } => format!("needs what is not supported: {what}"),
        Outcome::AssumptionFailed => "an assumption of the program does not hold".to_string(),
    };
    match span(outcome) {
        Some(span) => format!("{what}, at {}", program.place(span)),
        None => what,
    }
}

/// Where it ends, unless it comes back.
pub(crate) fn span(outcome: &Outcome) -> Option<Span> {
    match outcome {
        Outcome::AssertionFailed { span, .. }
        | Outcome::Event { span, .. }
        | Outcome::InputsExhausted { span, .. }
        | Outcome::Unsupported { span, .. } => Some(*span),
        Outcome::Returned(_)
        | Outcome::Exited(_)
        | Outcome::Aborted
        | Outcome::LimitReached(_)
        | Outcome::AssumptionFailed => None,
    }
}

/// Whether nothing is wrong with the program when it ends like this.
pub(crate) fn is_fine(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Returned(_) | Outcome::Exited(_))
}

fn with_detail(what: &str, detail: &str) -> String {
    if detail.is_empty() { what.to_string() } else { format!("{what}: {detail}") }
}
