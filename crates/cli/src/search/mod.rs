//! What `cover`, `check` and `reach` have in common: a program with preconditions, and functions under test.

mod assume;
mod contracts;
mod contradiction;
mod demand;
mod outside;
pub mod parse;
mod replay;
pub mod stub_spec;
mod stubs;
mod tested;

use std::path::PathBuf;
use std::time::Duration;

use quipu_acsl::Annotations;
use quipu_cfront::Program;
use quipu_cover::Options;
use quipu_inputs::add_provisions;
use quipu_ir::{Body, Func};
use quipu_replay::{ReplayLimits, ReplaySetup};

use crate::args::{Floats, Overflow, Search};
use crate::config::Config;
use crate::exit::Exit;
use crate::load;
use crate::output_file::OutputFile;
use crate::worker::Worker;

pub use assume::Precondition;
pub use contradiction::explain_contradiction;
pub use demand::{Assumption, Demand, Demands, Given, Limits, Origin};
pub use replay::replay;
use stub_spec::StubDemand;
pub use tested::{Tested, tested, warn_about_null};

/// A program, how it is compiled, and what is asked of its inputs.
pub struct Loaded {
    pub program: Program,
    pub files: Vec<PathBuf>,
    pub flags: Vec<String>,
    pub options: quipu_cfront::Options,
    pub demands: Demands,
    /// What the user says about functions that nobody defines.
    pub stubs: Vec<StubDemand>,
    /// The last ones of the files, which only define such functions.
    pub n_models: usize,
    /// The assumptions about functions of the program.
    pub preconditions: Vec<Precondition>,
    /// What the annotations of the source have become.
    pub annotations: Annotations,
    /// The file with demands that was used.
    pub config: Option<String>,
}

/// Translates the program. `named` are the functions that the user wants to be tested; all of them if none is named.
pub fn load(files: &[PathBuf], flags: &[String], search: &Search, named: &[String]) -> Result<Loaded, Exit> {
    prepare(translate(files, flags, search)?, named)
}

/// Translates the program with the contracts that it has.
pub fn load_with_contracts(
    files: &[PathBuf],
    flags: &[String],
    search: &Search,
    named: &[String],
) -> Result<Loaded, Exit> {
    prepare(contracts::with_contracts(translate(files, flags, search)?)?, named)
}

fn prepare(loaded: Loaded, named: &[String]) -> Result<Loaded, Exit> {
    let mut loaded = assume::with_assumptions(outside::with_outside(loaded)?, named)?;
    let gates = loaded.gates();
    loaded.preconditions.extend(gates);
    quipu_outside::adopt(&mut loaded.program.module);
    add_provisions(&mut loaded.program.module);
    Ok(loaded)
}

fn translate(files: &[PathBuf], flags: &[String], search: &Search) -> Result<Loaded, Exit> {
    let config =
        Config::for_source(search.config.as_deref(), search.no_config, files.first().map(PathBuf::as_path))?;
    let options = given(search).map_err(|message| load::complain(&message))?;
    let (config, file) = config.map(|config| (config.path, config.given)).unzip();
    let demands = Demands { file: file.unwrap_or_default(), options };
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
        demands,
        stubs: Vec::new(),
        n_models: 0,
        preconditions: Vec::new(),
        annotations: Annotations::default(),
        config,
    };
    loaded.check_functions()?;
    stubs::with_stubs(loaded)
}

/// What is asked for by options.
fn given(search: &Search) -> Result<Given, String> {
    let ranges = search.range.iter().map(|text| parse::range(text));
    let fixed = search.fix.iter().map(|text| parse::fixed(text));
    let assumption = |text: &String| Assumption {
        function: None,
        text: text.clone(),
        origin: Origin::Option(format!("--assume '{text}'")),
    };
    Ok(Given {
        shapes: search.shape.iter().map(|text| parse::shape(text)).collect::<Result<_, _>>()?,
        ranges: ranges.chain(fixed).collect::<Result<_, _>>()?,
        assumptions: search.assume.iter().map(assumption).collect(),
        stubs: stubs::of_options(&search.stub)?,
        functions: Vec::new(),
        limits: Limits {
            null: search.no_null.then_some(false),
            finite_floats: search.floats.map(|floats| floats == Floats::Finite),
            failing: search.failing_allocations,
            uninitialized: search.uninitialized,
            ..Limits::default()
        },
    })
}

impl Loaded {
    /// The files under test.
    pub fn tested_files(&self) -> &[PathBuf] {
        &self.files[..self.files.len() - self.n_models]
    }

    /// A file that is about to be written must be none of the program.
    pub fn spare(&self, output: &OutputFile) -> Result<(), Exit> {
        output
            .spare_program(&self.program, &self.files, &self.flags, self.options.compiler())
            .map_err(|message| load::complain(&message))
    }

    /// Functions that options name must exist. A file may be about other programs, too; a slip of the pen in it is told.
    fn check_functions(&self) -> Result<(), Exit> {
        let Given { shapes, ranges, .. } = &self.demands.options;
        let named =
            shapes.iter().map(|demand| &demand.function).chain(ranges.iter().map(|demand| &demand.function));
        for name in named.flatten() {
            load::find_function(&self.program, name)?;
        }
        let told = &self.demands.file.functions;
        for (name, at) in told {
            let functions = self.program.module.functions.iter();
            let defined = functions.filter(|function| function.code().is_some());
            // A function with an entry of its own was not meant by another entry.
            let others = defined.map(|function| function.name.as_str());
            let others = others.filter(|other| other == name || told.iter().all(|(known, _)| known != other));
            let near = quipu_base::nearest_name(name, others);
            if let Some(near) = near.filter(|near| near != name) {
                eprintln!(
                    "{}:{}:{}: warning: there is no function `{name}`\n{at}\n  = hint: did you mean `{near}`?",
                    at.file, at.line, at.column
                );
            }
        }
        Ok(())
    }
}

/// What the search should do, but for its goals and for what is asked of inputs.
pub fn options(search: &Search, worker: &Worker) -> Options {
    let (turns, seed, approach) = (search.turns, search.seed, search.strategy.approach());
    let mut options = Options { turns, seed, approach, ..Options::default() };
    worker.limit(&mut options);
    options
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
    worker: &'a Worker,
) -> ReplaySetup<'a> {
    let usual = ReplayLimits::default();
    let time = Duration::try_from_secs_f64(search.timeout).unwrap_or(usual.time);
    let memory = usual.memory.min(worker.limits().memory);
    ReplaySetup {
        files: &loaded.files,
        edits: &loaded.annotations.edits,
        additions: &loaded.annotations.additions,
        flags: &loaded.flags,
        options: &loaded.options,
        module: &loaded.program.module,
        interfaces,
        limits: ReplayLimits { time, memory, ..usual },
        alarm: &worker.watch().alarm,
    }
}
