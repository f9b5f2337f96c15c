//! What `cover` and `reach` have in common: a program with preconditions, and functions under test.

mod assume;
mod contradiction;
mod parse;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use quipu_cfront::Program;
use quipu_cover::{Options, RangeError, Subject};
use quipu_inputs::Shapes;
use quipu_ir::{Body, Func};
use quipu_replay::{ReplayLimits, ReplaySetup};

use crate::args::{Overflow, Search};
use crate::exit::Exit;
use crate::load;

pub use contradiction::explain_contradiction;

/// A program, and how it is compiled.
pub struct Loaded {
    pub program: Program,
    pub files: Vec<PathBuf>,
    pub flags: Vec<String>,
    pub options: quipu_cfront::Options,
    /// The functions that evaluate the assumptions.
    pub preconditions: Vec<Func>,
    /// The assumptions as the user wrote them.
    pub assumed: Vec<String>,
}

/// Translates the program. Assumptions need the one function whose parameters they are about.
pub fn load(
    files: &[PathBuf],
    flags: &[String],
    search: &Search,
    function: Option<&str>,
) -> Result<Loaded, Exit> {
    let mut flags = flags.to_vec();
    if search.overflow == Overflow::Wrap {
        flags.push("-fwrapv".to_string());
    }
    let source = crate::args::Source { files: files.to_vec(), flags };
    let program = load::load(&source)?;
    let options = quipu_cfront::Options::from_flags(&source.flags)
        .map_err(|error| load::complain(&format!("error: {error}")))?;
    let loaded = Loaded {
        program,
        files: source.files,
        flags: source.flags,
        options,
        preconditions: Vec::new(),
        assumed: Vec::new(),
    };
    match search.assume.is_empty() {
        true => Ok(loaded),
        false => assume::with_assumptions(loaded, &search.assume, function),
    }
}

/// What the search should do, but for its goals.
pub fn options(search: &Search, interrupt: Arc<AtomicBool>) -> Result<Options, Exit> {
    let mut ranges = Vec::new();
    for text in &search.range {
        ranges.push(parse::range(text).map_err(|message| load::complain(&message))?);
    }
    for text in &search.fix {
        ranges.push(parse::fixed(text).map_err(|message| load::complain(&message))?);
    }
    let mut shapes = Shapes { null: !search.no_null, ..Shapes::default() };
    for text in &search.shape {
        let (name, shape) = parse::shape(text).map_err(|message| load::complain(&message))?;
        shapes.named.insert(name, shape);
    }
    let time = Duration::try_from_secs_f64(search.time)
        .map_err(|_| load::complain("error: --time needs a number of seconds"))?;
    Ok(Options {
        shapes,
        ranges,
        turns: search.turns,
        time,
        seed: search.seed,
        interrupt,
        ..Options::default()
    })
}

/// A function with its inputs.
pub fn subject(loaded: &Loaded, func: Func, options: &Options) -> Result<Subject, Exit> {
    let module = &loaded.program.module;
    let mut subject = Subject::new(module, func, loaded.preconditions.clone(), options).map_err(|error| {
        let name = &module.functions[func].source_name;
        load::complain(&match error {
            RangeError::Unknown { name: input, known } => format!(
                "error: `{name}` has no input `{input}`\n  = hint: its inputs are {}",
                if known.is_empty() { "none".to_string() } else { known.join(", ") }
            ),
            RangeError::Empty { name: input } => format!("error: no value of `{input}` lies in its range"),
        })
    })?;
    subject.interface.assumptions.extend(loaded.assumed.iter().map(|text| format!("`{text}`")));
    Ok(subject)
}

/// A function that can be tested, or the reason why not.
pub fn testable(loaded: &Loaded, name: &str) -> Result<Func, Exit> {
    let func = load::find_function(&loaded.program, name)?;
    match &loaded.program.module.functions[func].body {
        Body::Defined(_) => Ok(func),
        Body::Declared => {
            Err(load::complain(&format!("error: `{name}` has no body, so there is nothing to test")))
        }
        Body::Unsupported(_) => {
            load::report_unsupported(&loaded.program, &[func]);
            Err(Exit::GaveUp)
        }
    }
}

/// How the program is compiled with probes.
pub fn replay_setup<'a>(
    loaded: &'a Loaded,
    interfaces: &'a [quipu_inputs::Interface],
    search: &Search,
) -> ReplaySetup<'a> {
    let time = Duration::try_from_secs_f64(search.timeout).unwrap_or(Duration::from_secs(2));
    ReplaySetup {
        files: &loaded.files,
        flags: &loaded.flags,
        options: &loaded.options,
        module: &loaded.program.module,
        interfaces,
        limits: ReplayLimits { time, ..ReplayLimits::default() },
    }
}
