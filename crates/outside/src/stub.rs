//! What the user says about a function that nobody defines.

use std::fmt;

use quipu_inputs::Allowed;

/// What a function does, as far as the user says.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Stub {
    /// The parameters behind which it changes something, and the globals that it changes; if nothing is said, it may
    /// change whatever it can reach. A function that it was handed is called only if its parameter is among them.
    pub changes: Option<Vec<String>>,
    /// The values of its result; any if there are none.
    pub returns: Vec<Allowed>,
    /// The pointer that it returns is never null.
    pub nonnull: bool,
}

impl Stub {
    /// Whether it may change what has one of these names.
    pub(crate) fn may_change(&self, name: &str) -> bool {
        self.changes.as_ref().is_none_or(|names| names.iter().any(|known| is_same(known, name)))
    }
}

/// Whether two names of a parameter mean the same: headers of the system put underscores in front.
pub fn is_same(a: &str, b: &str) -> bool {
    a.trim_start_matches('_') == b.trim_start_matches('_')
}

impl fmt::Display for Stub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = self.changes.as_ref().map(|names| match names.is_empty() {
            true => "changes nothing".to_string(),
            false => format!("changes only {}", quoted(names)),
        });
        let returns: Vec<String> = self.returns.iter().map(Allowed::to_string).collect();
        let returns = (!returns.is_empty()).then(|| format!("returns {}", returns.join(", ")));
        let nonnull = self.nonnull.then(|| "never returns null".to_string());
        let parts: Vec<String> = [changes, returns, nonnull].into_iter().flatten().collect();
        f.write_str(&parts.join(" and "))
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
