//! C text for types and values: what generated tests, harnesses and assumptions are written with.
//!
//! The text is that of a person, and compilers accept it without warnings. Source types have no qualifiers, so none
//! are written: `const char *s` comes back as `char *s`.

mod declare;
mod literal;
mod prototype;

pub use declare::declare;
pub use literal::literal;
pub use prototype::{parameters, prototype, prototype_as, visible_params};
