//! Models of library functions: one file per header.
//!
//! A model works on the interpreted memory and obeys its checks; the events it raises are placed at the
//! call. `__builtin_f` and glibc's `__isoc99_f`, `__isoc23_f` mean `f`.

mod call;
mod state;

use crate::outcome::Fallible;
pub(crate) use call::{Call, Host};
pub(crate) use state::LibraryState;

/// The model of a function: its result as bits, of which the dispatcher keeps those of the result type.
pub(crate) type LibraryFunction = fn(&mut Call<'_, '_>) -> Fallible<u64>;

/// The models of a header by the names of their functions.
type Table = &'static [(&'static str, LibraryFunction)];

const TABLES: &[Table] = &[];

const PREFIXES: [&str; 3] = ["__builtin_", "__isoc99_", "__isoc23_"];

/// Whether a function without a body has a model, so that a call of it asks for no input by itself.
pub fn is_modelled(source_name: &str) -> bool {
    find(source_name).is_some()
}

/// The model of a function by its name in the source.
pub(crate) fn find(source_name: &str) -> Option<LibraryFunction> {
    let stripped = PREFIXES.iter().find_map(|prefix| source_name.strip_prefix(prefix));
    let all = || TABLES.iter().flat_map(|table| table.iter());
    all()
        .find(|(name, _)| *name == source_name || Some(*name) == stripped)
        .map(|(_, model)| *model)
}
