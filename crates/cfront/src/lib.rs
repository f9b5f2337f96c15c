//! C source to IR: preprocess, parse and check (by the `rucc` crates), then lower and link.
//!
//! Nothing behind this crate knows C, and nothing outside it knows `rucc`. A construct without a
//! representation affects only the functions that use it ([`quipu_ir::Body::Unsupported`]).

mod diagnostic;
mod disk;
mod enum_fields;
mod field_layout;
mod intrinsics;
mod limits;
mod link;
mod lower;
mod macro_places;
mod options;
mod spans;
mod token_edits;
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

/// The name of the thread that parses and lowers. A panic there is reported as a [`Failure`], so that a panic hook
/// can leave it alone.
pub const FRONT_END_THREAD: &str = "front end";

/// The stack of the thread that parses and lowers. Both recurse along the nesting of the source; memory is
/// only taken where it is used.
const STACK_BYTES: usize = 1 << 30;

/// The text of one translation unit, and the name to report it by.
pub(crate) struct Input {
    name: PathBuf,
    bytes: Vec<u8>,
}

/// Translates C files, linked together, to IR.
///
/// # Errors
///
/// When a file cannot be read, does not parse or does not type-check, or when the files do not fit together.
pub fn compile(files: &[PathBuf], options: &Options) -> Result<Program, Failure> {
    let open = |file: &PathBuf| Ok(Input { name: file.clone(), bytes: disk::open(file)? });
    let inputs = files.iter().map(open).collect::<Result<Vec<_>, Failure>>()?;
    on_large_stack(|| compile_here(inputs, options))
}

/// Translates one C source text to IR; what it includes is read from disk.
///
/// # Errors
///
/// As for [`compile`].
pub fn compile_source(name: &str, source: Vec<u8>, options: &Options) -> Result<Program, Failure> {
    let input = Input { name: PathBuf::from(name), bytes: source };
    on_large_stack(|| compile_here(vec![input], options))
}

/// Runs the front end on a thread of its own. A panic there is a defect of ours and ends as a message.
fn on_large_stack(work: impl FnOnce() -> Result<Program, Failure> + Send) -> Result<Program, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name(FRONT_END_THREAD.to_string())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| Failure::message(format!("cannot start the front end: {error}")))?;
        thread.join().unwrap_or_else(|panic| Err(internal_error(&*panic)))
    })
}

fn internal_error(panic: &(dyn std::any::Any + Send)) -> Failure {
    let text =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let message = format!("internal error in the front end: {}", text.unwrap_or("unknown"));
    Failure::with_hint(message, "please report it with the source file")
}

fn compile_here(inputs: Vec<Input>, options: &Options) -> Result<Program, Failure> {
    let mut linker = link::Linker::new(options.data_model);
    let search = toolchain::search(&inputs, options);
    let mut warnings = Vec::new();
    for input in inputs {
        let unit = unit::check(input, options, &search)?;
        warnings.extend(unit.warnings.iter().cloned());
        lower::lower_unit(&unit, &mut linker)?;
    }
    let (module, sources) = linker.finish();
    Ok(Program { module, sources, warnings })
}
