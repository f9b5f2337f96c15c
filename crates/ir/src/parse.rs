//! Reads the text form of a module, whose syntax [`print`](crate::print()) describes.
//!
//! The parser accepts every text that [`print`](crate::print()) makes, also of a module that
//! [`verify`](crate::verify()) rejects: ids of blocks, slots and the like may be out of range. It takes
//! time and memory linear in the text, does not recurse, and answers any other text with an error.

mod function;
mod inst;
mod lexer;
mod module;
mod parser;
mod symbols;
mod values;

use crate::module::Module;
use parser::{Failure, Parser};

/// Why a text is not a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line of the unexpected text, from 1.
    pub line: u32,
    /// Its first byte in the line, from 1.
    pub column: u32,
    /// What is wrong there.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// The module with this text form.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    if u32::try_from(text.len()).is_err() {
        return Err(ParseError { line: 1, column: 1, message: "a text has at most 4 GiB".to_owned() });
    }
    Parser::new(text).module().map_err(|failure| locate(text, failure))
}

/// The error at the failure's place. The text is shorter than 2^32 bytes, so lines and columns fit.
fn locate(text: &str, failure: Failure) -> ParseError {
    let before = &text.as_bytes()[..failure.at.min(text.len())];
    let newlines = before.iter().filter(|&&byte| byte == b'\n').count();
    let in_line = before.iter().rev().take_while(|&&byte| byte != b'\n').count();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).saturating_add(1);
    ParseError { line: count(newlines), column: count(in_line), message: failure.message }
}
