//! C source to IR: preprocess, parse and check (by the `rucc` crates), then lower and link.
//!
//! Nothing behind this crate knows C, and nothing outside it knows `rucc`. A construct without a
//! representation affects only the functions that use it ([`quipu_ir::Body::Unsupported`]).

mod array_params;
mod diagnostic;
mod disk;
mod edit;
mod enum_fields;
mod field_layout;
mod float_flags;
mod intrinsics;
mod limits;
mod link;
mod lower;
mod macro_places;
mod options;
mod prototype_names;
mod spans;
mod startup;
mod token_edits;
mod toolchain;
mod types;
mod unit;
mod weak;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use quipu_base::Id;
use quipu_ir::{Module, Span};

use edit::Original;

pub use diagnostic::{Diagnostic, Failure, Severity, Snippet};
pub use edit::{Edit, Piece};
pub use options::{FlagError, Options};
pub use spans::SourceText;

/// A program taken from C source.
#[derive(Debug)]
pub struct Program {
    /// The code.
    pub module: Module,
    /// The text of its files, in the order of [`Module::files`].
    pub sources: Vec<SourceText>,
    /// What its files include that does not come with the system, whether code comes from it or not.
    pub headers: Vec<SourceText>,
    /// The lines of the user's files, by name, from which the preprocessor takes anything.
    pub live: LiveLines,
    /// What the front end warned about.
    pub warnings: Vec<Diagnostic>,
}

/// The lines of files that are part of a program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct LiveLines(BTreeMap<String, BTreeSet<u32>>);

impl LiveLines {
    pub(crate) fn add(&mut self, file: &str, line: u32) {
        match self.0.get_mut(file) {
            Some(lines) => _ = lines.insert(line),
            None => _ = self.0.insert(file.to_string(), BTreeSet::from([line])),
        }
    }

    /// Whether anything in a line is part of the program.
    pub fn contains(&self, file: &str, line: u32) -> bool {
        self.0.get(file).is_some_and(|lines| lines.contains(&line))
    }
}

/// The longest text of a place that is shown.
const MOST_SHOWN: usize = 100;

impl Program {
    /// `file:line:column`.
    pub fn place(&self, span: Span) -> String {
        let file = self.module.files.get(span.file).map_or("", String::as_str);
        format!("{file}:{}:{}", span.line, span.column)
    }

    /// The source text of a place, on one line, shortened.
    pub fn excerpt(&self, span: Span) -> String {
        let Some(source) = self.sources.get(span.file.index()) else { return String::new() };
        let words: Vec<String> = (span.line..=span.end_line)
            .flat_map(|line| {
                let text = source.line(line);
                let from = if line == span.line { span.column as usize - 1 } else { 0 };
                let to = if line == span.end_line { span.end_column as usize - 1 } else { text.len() };
                let part = text.get(from..to.max(from)).unwrap_or_default();
                part.split_whitespace().map(str::to_string).collect::<Vec<_>>()
            })
            .collect();
        let whole = words.join(" ");
        match whole.char_indices().nth(MOST_SHOWN) {
            Some((cut, _)) => format!("{} ...", &whole[..cut]),
            None => whole,
        }
    }
}

/// The name of the thread that parses and lowers. A panic there is reported as a [`Failure`], so that a panic hook
/// can leave it alone.
pub const FRONT_END_THREAD: &str = "front end";

/// The stack of the thread that parses and lowers. Both recurse along the nesting of the source; memory is
/// only taken where it is used.
const STACK_BYTES: usize = 1 << 30;

/// C text that is translated as if it stood at the end of a file: it sees the types, the objects and the functions
/// of the file, `static` ones too. Places in it are told by its own name, lines and columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addition {
    /// Which file of the list it belongs to.
    pub file: usize,
    /// The name to report it by.
    pub name: String,
    /// The text.
    pub text: String,
}

/// One translation unit: the file that the user named, and what is added to it.
pub(crate) struct Input {
    texts: Vec<Text>,
    /// The file that the user named, if its text is another.
    original: Option<Original>,
}

/// A text, and the name to report it by.
pub(crate) struct Text {
    name: String,
    bytes: Vec<u8>,
}

/// Translates C files, linked together, to IR.
///
/// # Errors
///
/// When a file cannot be read, does not parse or does not type-check, or when the files do not fit together.
pub fn compile(files: &[PathBuf], options: &Options) -> Result<Program, Failure> {
    compile_with(files, &[], options)
}

/// Translates C files with additions to them, linked together, to IR.
///
/// # Errors
///
/// As for [`compile`], for files and additions alike. An error of a file is told before those of its additions.
///
/// # Panics
///
/// When an addition belongs to no file of the list.
pub fn compile_with(
    files: &[PathBuf],
    additions: &[Addition],
    options: &Options,
) -> Result<Program, Failure> {
    compile_edited(files, &[], additions, options)
}

/// Translates C files, some of them edited, with additions to them, linked together, to IR. Texts and places in the
/// program are those of the files without edits.
///
/// # Errors
///
/// As for [`compile_with`].
///
/// # Panics
///
/// When an edit or an addition belongs to no file of the list, or an edit does not fit its file.
pub fn compile_edited(
    files: &[PathBuf],
    edits: &[Edit],
    additions: &[Addition],
    options: &Options,
) -> Result<Program, Failure> {
    let mut inputs = files.iter().map(|file| open(file)).collect::<Result<Vec<_>, Failure>>()?;
    for edit in edits {
        let input = inputs.get_mut(edit.file).expect("an edit should belong to a file of the list");
        let bytes = std::mem::take(&mut input.texts[0].bytes);
        input.texts[0].bytes = edit.apply(&bytes);
        input.original = Some(Original::new(bytes, edit));
    }
    for addition in additions {
        let input = inputs.get_mut(addition.file).expect("an addition should belong to a file of the list");
        input.texts.push(Text { name: addition.name.clone(), bytes: addition.text.clone().into_bytes() });
    }
    on_large_stack(|| compile_here(&inputs, options))
}

/// Which places of a file, between tokens, the preprocessor does not leave out.
///
/// # Errors
///
/// When the file cannot be read or preprocessed.
pub fn live_places(file: &Path, places: &[usize], options: &Options) -> Result<Vec<bool>, Failure> {
    const MARK: &str = "quipu_live_";
    let pieces = places.iter().enumerate();
    let pieces = pieces.map(|(n, &at)| Piece { place: at..at, text: format!(" {MARK}{n} "), told: at });
    let mut input = open(file)?;
    input.texts[0].bytes = Edit { file: 0, pieces: pieces.collect() }.apply(&input.texts[0].bytes);
    let inputs = [input];
    let found = unit::identifiers(&inputs[0].texts[0], options, &toolchain::search(&inputs, options))?;
    Ok((0..places.len()).map(|n| found.contains(&format!("{MARK}{n}"))).collect())
}

fn open(file: &Path) -> Result<Input, Failure> {
    let text = Text { name: file.to_string_lossy().into_owned(), bytes: disk::open(file)? };
    Ok(Input { texts: vec![text], original: None })
}

/// Translates one C source text to IR; what it includes is read from disk.
///
/// # Errors
///
/// As for [`compile`].
pub fn compile_source(name: &str, source: Vec<u8>, options: &Options) -> Result<Program, Failure> {
    let input = Input { texts: vec![Text { name: name.to_string(), bytes: source }], original: None };
    on_large_stack(|| compile_here(&[input], options))
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

fn compile_here(inputs: &[Input], options: &Options) -> Result<Program, Failure> {
    let mut linker = link::Linker::new(options.data_model);
    let search = toolchain::search(inputs, options);
    let (mut warnings, mut headers, mut live) = (Vec::new(), Vec::new(), LiveLines::default());
    for input in inputs {
        let unit = unit::check(input, options, &search)?;
        warnings.extend(unit.warnings.iter().cloned());
        unit.live.iter().for_each(|(file, line)| live.add(&unit.session.sources.file(*file).name, *line));
        spans::add_headers(&unit.session.sources, &mut headers);
        lower::lower_unit(&unit, &mut linker)?;
    }
    let (mut module, sources) = linker.finish(options.links);
    quipu_ir::add_devices(&mut module);
    Ok(Program { module, sources, headers, live, warnings })
}
