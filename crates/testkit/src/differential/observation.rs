//! What one side of a comparison saw, and when two sides agree.

use quipu_ir::Event;

use quipu_replay::sanitizer::Report;

/// The outcome of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observation {
    /// It ended with this checksum.
    Checksum(u64),
    /// It has undefined behaviour.
    Undefined {
        /// The events that describe it: one of ours, or all that a sanitizer's report can mean.
        events: Vec<Event>,
        /// The line, if known.
        line: Option<u32>,
        /// More about it.
        message: String,
    },
    /// It could not be run to its end.
    Failed(String),
}

impl Observation {
    /// Whether the program could not be run to its end.
    pub fn is_failure(&self) -> bool {
        matches!(self, Observation::Failed(_))
    }

    /// What kind of outcome it is: reduced programs keep it on both sides.
    pub fn kind(&self) -> String {
        match self {
            Observation::Checksum(_) => "checksum".to_string(),
            Observation::Undefined { events, .. } => format!("{events:?}"),
            Observation::Failed(_) => "failed".to_string(),
        }
    }
}

impl From<Report> for Observation {
    fn from(report: Report) -> Observation {
        Observation::Undefined {
            events: report.events,
            line: report.place.map(|(_, line)| line),
            message: report.message,
        }
    }
}

/// Whether both sides saw the same: the same checksum, or the same event at the same line.
pub fn agree(a: &Observation, b: &Observation) -> bool {
    match (a, b) {
        (Observation::Checksum(x), Observation::Checksum(y)) => x == y,
        (
            Observation::Undefined { events: x, line: line_x, .. },
            Observation::Undefined { events: y, line: line_y, .. },
        ) => line_x == line_y && x.iter().any(|event| y.contains(event)),
        _ => false,
    }
}

impl std::fmt::Display for Observation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Observation::Checksum(sum) => write!(f, "{sum:x}"),
            Observation::Undefined { events, line, message } => {
                let names: Vec<&str> = events.iter().map(|event| event.name()).collect();
                let line = line.map_or("an unknown line".to_string(), |line| format!("line {line}"));
                write!(f, "{} at {line}: {message}", names.join(" or "))
            }
            Observation::Failed(reason) => write!(f, "failed: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undefined(events: &[Event], line: u32) -> Observation {
        Observation::Undefined { events: events.to_vec(), line: Some(line), message: String::new() }
    }

    #[test]
    fn agreement_needs_kind_and_line() {
        let ours = undefined(&[Event::OutOfBounds], 3);
        assert!(agree(&ours, &undefined(&[Event::NullAccess, Event::OutOfBounds], 3)));
        assert!(!agree(&ours, &undefined(&[Event::OutOfBounds], 4)));
        assert!(!agree(&ours, &undefined(&[Event::NullAccess], 3)));
        assert!(!agree(&ours, &Observation::Checksum(1)));
        assert!(agree(&Observation::Checksum(1), &Observation::Checksum(1)));
    }

    #[test]
    fn a_failure_agrees_with_nothing() {
        let failed = Observation::Failed("x".into());
        assert!(!agree(&failed, &failed));
    }
}
