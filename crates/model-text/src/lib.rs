//! The text language of constraint models (`.qm`): a text denotes a [`Model`](quipu_model::Model) and
//! questions about it. `docs/models.md` describes the language.
//!
//! - [`parse`] reads a text; errors come as [`Diagnostic`]s, which [`render`] shows with their line.
//! - [`print()`] writes a model such that reading it gives the same terms again.
//! - [`smtlib`] writes a model for other solvers.

mod build;
mod diagnostic;
mod document;
mod float_text;
mod lexer;
mod parse;
mod print;
mod query;
mod smtlib;
mod syntax;
mod types;

pub use diagnostic::{Diagnostic, Span, render};
pub use document::{Document, Named};
pub use print::{print, print_document};
pub use query::{Query, QueryKind, Strategy};
pub use smtlib::{Unsupported, smtlib};
pub use types::{Integer, Type};

/// The document that a text denotes, or everything that is wrong with the text, in its order.
pub fn parse(source: &str) -> Result<Document, Vec<Diagnostic>> {
    parse::statements(source)
        .and_then(|statements| build::document(source, &statements))
        .map_err(|problems| diagnostic::locate(source, problems))
}
