//! What shows that undefined behaviour happens in the compiled program.

use quipu_replay::Sighting;

/// Who has seen it, if anybody, and what there is to say about it.
pub(crate) fn sighting_parts(sighting: &Sighting) -> (Option<&'static str>, &str) {
    match sighting {
        Sighting::Sanitizer(words) => (Some("sanitizer"), words),
        Sighting::Signal(words) => (Some("signal"), words),
        Sighting::Fillings(what) => (Some("memory"), what),
        Sighting::Predicted(why) => (None, why),
        Sighting::Missing(difference) => (None, &difference.measured),
    }
}
