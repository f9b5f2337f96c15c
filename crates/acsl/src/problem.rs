//! What may be wrong with an annotation.

use crate::source::Place;

/// Why an annotation cannot be used as it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    pub(crate) place: Place,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// Whether ACSL has it and only Quipu does not. Otherwise it is an error of the annotation.
    pub(crate) unsupported: bool,
}

impl Problem {
    pub(crate) fn wrong(place: &Place, message: impl Into<String>) -> Problem {
        Problem { place: place.clone(), message: message.into(), hint: None, unsupported: false }
    }

    pub(crate) fn unsupported(place: &Place, what: impl Into<String>) -> Problem {
        let message = format!("{} is not supported in annotations", what.into());
        Problem { place: place.clone(), message, hint: None, unsupported: true }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }
}

/// What can be said, or why not.
pub(crate) type Checked<T> = Result<T, Problem>;
