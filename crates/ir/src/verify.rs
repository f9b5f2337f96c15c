//! Checks that a module keeps the rules of the IR, which all later stages rely on.
//!
//! Of the module:
//!
//! 1. Every id in a table refers to an existing entry: types, files, globals, functions.
//! 2. Every span lies in a file, counts from 1 and does not end before it starts.
//! 3. Names of globals and functions are unique together.
//! 4. Source types have possible widths, alignments and member places; none contains itself.
//! 5. A global's alignment is a power of two; its bytes and addresses lie within its size.
//!
//! Of every function:
//!
//! 6. Its source type is a function type; hidden parameters, if declared, exist and are pointers. Only a pointer
//!    has a number of elements.
//! 7. The body has an entry block that no edge leads to, and whose parameters are the function's.
//! 8. Every id in the code refers to an existing entry: values, blocks, slots, statements, decisions,
//!    conditions, globals, functions.
//! 9. Constants are canonical, addresses are pointers, each constant exists once and nothing defines it.
//! 10. No value is defined twice.
//! 11. In a block that the entry reaches, the definition of every used value dominates the use.
//! 12. Operands and results have the types that the instruction demands; so have calls of known functions.
//! 13. Loads and stores move whole bytes or a truth value; alignments are powers of two; a bit-field starts
//!     within its byte.
//! 14. Every edge passes values of the types of its target's parameters.
//! 15. A branch decides by an `i1`, a switch by an integer, with canonical bounds.
//! 16. A return passes what the function returns; only a function with a result can miss it.
//! 17. The conditions of a decision follow each other.
//! 18. An edge has an outcome only where its terminator belongs to a decision.
//! 19. A slot's alignment is a power of two.
//! 20. A name stands for a value that is no constant, at a block that exists.
//!
//! Blocks that the entry does not reach are exempt from 11 only. The time is about linear in the module.

mod code;
mod flow;
mod function;
mod module;
mod types;

use crate::function::Block;
use crate::module::{Func, Module};
use crate::source::Span;

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The function in which it is broken, by its name in the module.
    pub function: Option<String>,
    /// The block in which it is broken.
    pub block: Option<Block>,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.function, self.block) {
            (Some(function), Some(block)) => write!(f, "@{function} {block}: {}", self.message),
            (Some(function), None) => write!(f, "@{function}: {}", self.message),
            (None, _) => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for VerifyError {}

/// Checks a whole module.
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = module::verify_tables(module);
    for func in module.functions.ids() {
        errors.append(&mut verify_function(module, func));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Checks one function. It relies on the other functions for their signatures only.
pub fn verify_function(module: &Module, func: Func) -> Vec<VerifyError> {
    let mut report = Report { module, function: Some(func), block: None, errors: Vec::new() };
    function::verify(&mut report, &module.functions[func]);
    report.errors
}

/// Collects errors and knows where the check is.
struct Report<'a> {
    module: &'a Module,
    function: Option<Func>,
    block: Option<Block>,
    errors: Vec<VerifyError>,
}

impl Report<'_> {
    fn error(&mut self, message: String) {
        let function = self.function.map(|func| self.module.functions[func].name.clone());
        self.errors.push(VerifyError { function, block: self.block, message });
    }

    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.error(message());
        }
    }

    fn span(&mut self, span: Span) {
        let start = (span.line, span.column);
        let ordered = span.line > 0 && span.column > 0 && start <= (span.end_line, span.end_column);
        let in_file = self.module.files.get(span.file).is_some();
        self.require(in_file, || format!("a span names {}, which does not exist", span.file));
        self.require(ordered, || format!("a span is not ordered or does not count from 1: {span:?}"));
    }
}
