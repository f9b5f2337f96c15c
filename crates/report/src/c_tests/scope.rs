//! Names for what a test declares.

use std::collections::BTreeSet;

use quipu_ir::{Module, SourceType};

/// Names that mean something to the text of a test.
const RESERVED: [&str; 15] = [
    "NULL", "EOF", "abort", "assert", "errno", "exit", "fflush", "main", "malloc", "memcpy", "printf",
    "puts", "stderr", "stdout", "strcmp",
];

/// The names in use.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    taken: BTreeSet<String>,
}

impl Scope {
    /// The names that the program has at file scope.
    pub(crate) fn of(module: &Module) -> Scope {
        let mut taken: BTreeSet<String> = RESERVED.iter().map(ToString::to_string).collect();
        taken.extend(module.functions.iter().map(|function| function.source_name.clone()));
        taken.extend(module.globals.iter().filter_map(|data| data.source_name.clone()));
        for ty in module.types.iter() {
            match ty {
                SourceType::Typedef { name, .. } => taken.extend([name.clone()]),
                SourceType::Enum { enumerators, .. } => {
                    taken.extend(enumerators.iter().map(|(name, _)| name.clone()));
                }
                _ => {}
            }
        }
        Scope { taken }
    }

    /// A new name, like this one: if it is taken, with a number behind it.
    pub(crate) fn pick_numbered(&mut self, wish: &str) -> String {
        let numbered = (2..).map(|number: u64| format!("{wish}_{number}"));
        let mut names = [wish.to_string()].into_iter().chain(numbered);
        names.find(|name| self.taken.insert(name.clone())).expect("numbers do not end")
    }

    /// A new name, like this one: if it is taken, with the suffix as often as needed.
    pub(crate) fn pick(&mut self, wish: &str, suffix: &str) -> String {
        let mut name = wish.to_string();
        while !self.taken.insert(name.clone()) {
            name.push_str(suffix);
        }
        name
    }
}

/// An identifier that resembles an expression: `p->next[2]` becomes `p_next_2`.
pub(crate) fn identifier(expression: &str) -> String {
    let words =
        expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}
