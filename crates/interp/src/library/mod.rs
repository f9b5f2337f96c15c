//! Models of library functions: one file per header.
//!
//! A model works on the interpreted memory and obeys its checks; the events it raises are placed at the
//! call. `__builtin_f` and glibc's `__isoc99_f`, `__isoc23_f` mean `f`.

mod assert;
mod call;
mod convert;
mod ctype;
mod directive;
mod errno;
mod events;
mod exits;
mod format;
mod format_float;
mod locale;
mod math;
mod number_text;
mod scan;
mod signals;
mod sort;
mod state;
mod stdin;
mod stdio;
mod stdlib;
mod string;
mod string_search;
mod time;
mod unknown;
mod unmodelled;
mod varargs;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::outcome::Fallible;
pub(crate) use call::{Call, Host};
pub use ctype::{character_classes, character_table};
pub use events::{copies_unwritten, library_events};
pub(crate) use locale::depends_on_locale;
pub use locale::is_locale_dependent;
pub use signals::{DefaultAction, default_action};
pub(crate) use state::{ExitHandler, LibraryState};

/// The model of a function: its result as bits, of which the dispatcher keeps those of the result type.
pub(crate) type LibraryFunction = fn(&mut Call<'_, '_>) -> Fallible<u64>;

/// The models of a header by the names of their functions.
type Table = &'static [(&'static str, LibraryFunction)];

const TABLES: [Table; 15] = [
    assert::FUNCTIONS,
    convert::FUNCTIONS,
    ctype::FUNCTIONS,
    errno::FUNCTIONS,
    exits::FUNCTIONS,
    locale::FUNCTIONS,
    signals::FUNCTIONS,
    sort::FUNCTIONS,
    stdin::FUNCTIONS,
    stdio::FUNCTIONS,
    stdlib::FUNCTIONS,
    string::FUNCTIONS,
    string_search::FUNCTIONS,
    time::FUNCTIONS,
    unmodelled::FUNCTIONS,
];

static MODELS: LazyLock<FxHashMap<&'static str, LibraryFunction>> = LazyLock::new(|| {
    let tables = TABLES.into_iter().chain(math::tables());
    tables.flat_map(|table| table.iter().copied()).collect()
});

const PREFIXES: [&str; 3] = ["__builtin_", "__isoc99_", "__isoc23_"];

/// Whether a function without a body has a model, so that a call of it is not an input by itself.
pub fn is_modelled(source_name: &str) -> bool {
    find(source_name).is_some()
}

/// Whether a function has effects that nobody can see in its arguments and its result: it has no model, or changes what
/// other functions of the library do.
pub fn has_hidden_effects(source_name: &str) -> bool {
    let shared = ["signal", "raise", "setlocale", "atexit", "on_exit", "at_quick_exit", "quipu_at_end"];
    unmodelled::is_refused(source_name) || shared.contains(&plain(source_name))
}

/// Functions that use a stream, and which argument it is. `fflush` takes null as well.
const STREAM_ARGUMENTS: [(&str, usize); 24] = [
    ("fprintf", 0),
    ("vfprintf", 0),
    ("__fprintf_chk", 0),
    ("__vfprintf_chk", 0),
    ("fputs", 1),
    ("fputs_unlocked", 1),
    ("fputc", 1),
    ("putc", 1),
    ("_IO_putc", 1),
    ("fwrite", 3),
    ("fwrite_unlocked", 3),
    ("fclose", 0),
    ("ferror", 0),
    ("getc", 0),
    ("_IO_getc", 0),
    ("fgetc", 0),
    ("getc_unlocked", 0),
    ("ungetc", 1),
    ("feof", 0),
    ("clearerr", 0),
    ("fgets", 2),
    ("fread", 3),
    ("fscanf", 0),
    ("vfscanf", 0),
];

/// The name of a library function without the prefixes that do not change its meaning.
fn plain(source_name: &str) -> &str {
    PREFIXES.iter().find_map(|prefix| source_name.strip_prefix(prefix)).unwrap_or(source_name)
}

/// Which argument of a library function is a stream, so that it must not be null.
pub fn stream_argument(source_name: &str) -> Option<usize> {
    let plain = plain(source_name);
    STREAM_ARGUMENTS.iter().find(|(name, _)| *name == plain).map(|&(_, argument)| argument)
}

/// The model of a function by its name in the source.
pub(crate) fn find(source_name: &str) -> Option<LibraryFunction> {
    let stripped = || PREFIXES.iter().find_map(|prefix| source_name.strip_prefix(prefix));
    MODELS.get(source_name).or_else(|| MODELS.get(stripped()?)).copied()
}

/// The value of a whole text as a float: as a `double`, and rounded once to a `float`.
pub fn parse_float(text: &str) -> Option<(f64, f32)> {
    let bytes = text.as_bytes();
    let mut peek = |n: u64| Ok(usize::try_from(n).ok().and_then(|n| bytes.get(n)).copied().unwrap_or(0));
    let found = number_text::float(&mut peek, u64::MAX).ok()?;
    (found.length == bytes.len() as u64 && found.length > 0).then_some((found.double, found.single))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_model() {
        let tables = TABLES.into_iter().chain(math::tables());
        let mut names: Vec<&str> = tables.flat_map(|table| table.iter().map(|(name, _)| *name)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn prefixes_are_stripped() {
        for name in ["__builtin_memcpy", "__isoc99_sscanf", "__isoc23_strtol", "__memcpy_chk", "sinf"] {
            assert!(is_modelled(name), "{name}");
        }
        assert!(!is_modelled("__VERIFIER_nondet_int"));
    }
}
