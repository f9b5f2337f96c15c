//! C source to IR: preprocess, parse and check (by the `rucc` crates), then lower and link.
//!
//! Nothing behind this crate knows C, and nothing outside it knows `rucc`. A construct without a
//! representation affects only the functions that use it ([`quipu_ir::Body::Unsupported`]).

mod diagnostic;
mod disk;
mod limits;
mod link;
mod lower;
mod options;
mod spans;
mod toolchain;
mod types;
mod unit;

use std::path::PathBuf;

use quipu_ir::Module;

pub use diagnostic::{Diagnostic, Failure, Severity, Snippet};
pub use options::{FlagError, Options};
pub use spans::SourceText;

/// A program taken from C source.
#[derive(Debug)]
pub struct Program {
    /// The code.
    pub module: Module,
    /// The text of its files, in the order of [`Module::files`].
    pub sources: Vec<SourceText>,
    /// What the front end warned about.
    pub warnings: Vec<Diagnostic>,
}

/// The stack of the thread that parses and lowers. Both recurse along the nesting of the source; memory is
/// only taken where it is used.
const STACK_BYTES: usize = 1 << 30;

/// Translates C files, linked together, to IR.
///
/// # Errors
///
/// When a file cannot be read, does not parse or does not type-check, or when the files do not fit together.
pub fn compile(files: &[PathBuf], options: &Options) -> Result<Program, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || compile_here(files, options))
            .map_err(|error| Failure::message(format!("cannot start the front end: {error}")))?;
        thread.join().unwrap_or_else(|_| Err(Failure::message("internal error in the front end")))
    })
}

fn compile_here(files: &[PathBuf], options: &Options) -> Result<Program, Failure> {
    let mut linker = link::Linker::new(options.data_model);
    let search = toolchain::search(files, options);
    let mut warnings = Vec::new();
    for file in files {
        let unit = unit::check(file, options, &search)?;
        warnings.extend(unit.warnings.iter().cloned());
        lower::lower_unit(&unit, &mut linker)?;
    }
    let (module, sources) = linker.finish();
    Ok(Program { module, sources, warnings })
}
