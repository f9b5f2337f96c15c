//! Names of answers: functions without arguments whose results say what the world outside does.

/// What the name of an answer starts with. The length of the function's name follows, so that names can be taken apart.
const PREFIX: &str = "quipu_any_";

/// What an answer is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answered<'n> {
    /// The function that nobody defines.
    pub function: &'n str,
    /// The part of what it does: its result if this is empty.
    pub part: &'n str,
}

impl Answered<'_> {
    /// Whether it says that the function does something: other answers tell what.
    pub fn is_deed(&self) -> bool {
        DEEDS.iter().any(|deed| self.part.starts_with(deed))
    }
}

/// What the part of an answer starts with that says whether a function does something.
pub const CHANGES: &str = "changes_";
pub const CALLS: &str = "calls_";
pub const GIVES: &str = "gives_";
const DEEDS: [&str; 3] = [CHANGES, CALLS, GIVES];

/// The name of an answer about a part of what a function does; an empty part is its result.
pub fn answer_name(function: &str, part: &str) -> String {
    let part = if part.is_empty() { String::new() } else { format!("_{part}") };
    format!("{PREFIX}{}_{function}{part}", function.len())
}

/// What an answer is about, by its name.
pub fn answered(name: &str) -> Option<Answered<'_>> {
    let (length, rest) = name.strip_prefix(PREFIX)?.split_once('_')?;
    let function = rest.get(..length.parse().ok()?)?;
    let part = &rest[function.len()..];
    Some(Answered { function, part: part.strip_prefix('_').unwrap_or(part) })
}

/// What the names of functions start with that give verifiers their inputs, by convention: calling one states that it
/// does nothing else.
const NONDET: &str = "__VERIFIER_nondet_";

/// Whether a function that nobody defines does nothing but to return a value.
pub fn only_returns(name: &str) -> bool {
    answered(name).is_some() || name.starts_with(NONDET)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_taken_apart() {
        for (function, part) in [("read", ""), ("bus_read_8", "out"), ("a_1_b", "changes_x_y")] {
            assert_eq!(answered(&answer_name(function, part)), Some(Answered { function, part }));
        }
        assert_eq!(answered("quipu_any_9_f"), None);
        assert_eq!(answered("any_1_f"), None);
    }
}
