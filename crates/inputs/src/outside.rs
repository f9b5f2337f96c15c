//! Functions that nobody defines, and that have got a body for the test: what of it is taken for granted.
//!
//! Such bodies stand in files of their own, whose names tell this.

use quipu_ir::{Func, Function, Module, Span};

/// What is known about the body of a function that nobody defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outside {
    pub effects: Effects,
    /// The user says that the pointer that it returns is never null.
    pub nonnull: bool,
    /// A header of the system declares it.
    pub library: bool,
}

/// Who says what a function that nobody defines changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effects {
    /// Its body changes what it is given, and that there is nothing else is taken for granted.
    Assumed,
    /// The user names the arguments behind which it changes something, of which the body changes a part. A bit for each
    /// of the first parameters; the last bit stands for all others.
    Named(u64),
    /// The user names all that it changes, and the body may give it any value.
    Stated,
}

const ASSUMED: &str = "<outside>";
const NAMED: &str = "<stub that writes ";
const NAMED_END: &str = ">";
const STATED: &str = "<stub>";
const NONNULL: &str = " nonnull";
const LIBRARY: &str = " library";

/// The bit of a parameter among the arguments behind which something changes.
pub fn argument_bit(n: usize) -> u64 {
    1 << n.min(63)
}

impl Outside {
    /// The name of the file in which such a body stands.
    pub fn file_name(self) -> String {
        let effects = match self.effects {
            Effects::Assumed => ASSUMED.to_string(),
            Effects::Named(arguments) => format!("{NAMED}{arguments:x}{NAMED_END}"),
            Effects::Stated => STATED.to_string(),
        };
        let nonnull = if self.nonnull { NONNULL } else { "" };
        format!("{effects}{nonnull}{}", if self.library { LIBRARY } else { "" })
    }

    /// What the name of a file tells; none if it is not one of these.
    pub fn of_file(name: &str) -> Option<Outside> {
        let (name, library) = split(name, LIBRARY);
        let (effects, nonnull) = split(name, NONNULL);
        let effects = match effects {
            ASSUMED => Effects::Assumed,
            STATED => Effects::Stated,
            _ => {
                let arguments = effects.strip_prefix(NAMED)?.strip_suffix(NAMED_END)?;
                Effects::Named(u64::from_str_radix(arguments, 16).ok()?)
            }
        };
        Some(Outside { effects, nonnull, library })
    }

    /// What is known about the body of a function, if it is such a body.
    pub fn of(module: &Module, func: Func) -> Option<Outside> {
        Outside::of_function(module, &module.functions[func])
    }

    fn of_function(module: &Module, function: &Function) -> Option<Outside> {
        function.code()?;
        Outside::of_file(module.files.get(function.span.file)?)
    }
}

/// A text without an end, and whether it has that.
fn split<'t>(text: &'t str, end: &str) -> (&'t str, bool) {
    text.strip_suffix(end).map_or((text, false), |rest| (rest, true))
}

/// Whether a place lies in a header of the system. What it declares belongs to a library.
pub fn is_system(module: &Module, span: Span) -> bool {
    module.files.get(span.file).is_some_and(|file| file.starts_with("/usr/"))
}

/// Whether a function has such a body.
pub fn is_outside(module: &Module, func: Func) -> bool {
    Outside::of(module, func).is_some()
}

/// Whether it has one that may do less than the function for which it stands.
pub fn stands_for_another(module: &Module, function: &Function) -> bool {
    Outside::of_function(module, function).is_some_and(|known| known.effects != Effects::Stated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_tell_what_is_known() {
        for effects in [Effects::Assumed, Effects::Named(0x8005), Effects::Stated] {
            for (nonnull, library) in [(false, false), (false, true), (true, false), (true, true)] {
                let known = Outside { effects, nonnull, library };
                assert_eq!(Outside::of_file(&known.file_name()), Some(known));
            }
        }
        assert_eq!(Outside::of_file("outside.c"), None);
    }
}
