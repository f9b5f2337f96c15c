//! The command line.

use std::path::PathBuf;

use clap::{ArgGroup, Parser, Subcommand};
use quipu_solve::{Approach, Queue};

const EXIT_CODES: &str =
    "Exit codes: 0 fine, 1 the program misbehaves, 2 bad command line or source, 3 gave up.";

/// Test generator, counterexample finder and prover for C.
#[derive(Parser, Debug)]
#[command(name = "quipu", version, after_help = EXIT_CODES)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Write tests that cover a program, and prove what no test can cover.
    Cover(Cover),
    /// Find inputs that violate assertions or do something undefined, or prove that there are none.
    Check(Check),
    /// Find inputs that lead to a place, or say why there are none.
    Reach(Reach),
    /// Write a quipu.toml with what Quipu takes for granted about pointers, to be kept or changed.
    Init(Init),
    /// Show what Quipu sees in a program: its IR, graphs, decisions.
    Show(Show),
    /// Run a function on given arguments in the interpreter.
    Run(Run),
    /// Answer the questions of a constraint model (docs/models.md).
    Solve(Solve),
}

impl Command {
    /// The options of a command that looks for inputs.
    pub fn search(&self) -> Option<&Search> {
        match self {
            Command::Cover(cover) => Some(&cover.search),
            Command::Check(check) => Some(&check.search),
            Command::Reach(reach) => Some(&reach.search),
            Command::Init(_) | Command::Show(_) | Command::Run(_) | Command::Solve(_) => None,
        }
    }

    /// Whether another process can go on where one has ended.
    pub fn can_go_on(&self) -> bool {
        self.search().is_some()
    }

    pub fn wants_json(&self) -> bool {
        match self {
            Command::Cover(_) | Command::Check(_) | Command::Reach(_) => {
                self.search().is_some_and(|search| search.json)
            }
            Command::Init(_) => false,
            Command::Show(show) => show.json,
            Command::Run(run) => run.json,
            Command::Solve(solve) => solve.json,
        }
    }
}

/// A time that can be waited for.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    match seconds.is_finite() && seconds >= 0.0 {
        true => Ok(seconds),
        false => Err("it must be finite, and not negative".to_string()),
    }
}

/// The program, and how it is compiled.
#[derive(clap::Args, Debug)]
pub struct Source {
    /// C files, linked together.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Compiler flags: -I -D -U -include -std=... -m32 and others.
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

/// What is known about inputs, and how far to go.
#[derive(clap::Args, Debug)]
pub struct Search {
    /// Only inputs for which this C expression, over parameters and globals, is true.
    #[arg(long, value_name = "EXPR")]
    pub assume: Vec<String>,
    /// Only values in a range: 'n=1..9'. For an array or struct, all its parts. 'f:n=1..9' is about the function f only.
    #[arg(long, value_name = "[F:]NAME=LOW..HIGH")]
    pub range: Vec<String>,
    /// Only one value: 'mode=3'.
    #[arg(long, value_name = "[F:]NAME=VALUE")]
    pub fix: Vec<String>,
    /// What signed overflow does: it is undefined behaviour, which tests avoid, or it wraps around.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Overflow::Trap)]
    pub overflow: Overflow,
    /// What a read of an automatic or allocated object gives that was never written [default: automatic].
    #[arg(long, value_enum, value_name = "WHAT")]
    pub uninitialized: Option<Uninitialized>,
    /// What a pointer points to: 'a=array(n)', 's=string(16)', 'l=list(4)', 'p=nonnull', 'q=null|alias(p)', ...
    #[arg(long, value_name = "[F:]NAME=SHAPE")]
    pub shape: Vec<String>,
    /// What a function that nobody defines does: 'f: pure', 'f: writes(out), returns 0..3', 'f: nonnull', 'f: model
    /// FILE.c' (docs/stubs.md).
    #[arg(long, value_name = "F: SPEC")]
    pub stub: Vec<String>,
    /// What is known about inputs, from this file instead of the nearest quipu.toml (docs/cover.md).
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Look for no quipu.toml.
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
    /// Pointers are never null.
    #[arg(long)]
    pub no_null: bool,
    /// Which floats inputs and the environment may have.
    #[arg(long, value_enum, value_name = "WHICH")]
    pub floats: Option<Floats>,
    /// Only the first N allocations of a run may fail [default: 8].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=32))]
    pub failing_allocations: Option<u32>,
    /// At most this many turns of every loop. Without it, as many as the time allows.
    #[arg(long, value_name = "N")]
    pub turns: Option<u64>,
    /// How constraints are solved.
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Strategy::Auto)]
    pub strategy: Strategy,
    /// CPU seconds for each function, its tests included.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub time: f64,
    /// CPU seconds for the whole run, compilers and tests included. Without it, as many as the functions take.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub budget: Option<f64>,
    /// Memory for this process, and for each one that it starts: 512M, 2G [default: half of what there is].
    #[arg(long, value_name = "SIZE", value_parser = quipu_limits::parse_size)]
    pub memory: Option<u64>,
    /// Seconds for each run of the compiled program.
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    pub timeout: f64,
    /// Another seed makes other random choices.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Machine-readable output (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

/// Ways to solve.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// All that follow in turns, and more; what one of them learns helps the others.
    Auto,
    /// Propagation and search for definitions, backwards from what is asked; what was found last comes first.
    DpvsLifo,
    /// The same; what was found first comes first.
    DpvsFifo,
    /// The same; what the program defines first comes first.
    DpvsHeap,
    /// Propagation and search for conditions in the order of the program.
    Cpbpv,
    /// SAT on the unrolled program.
    Sat,
}

impl Strategy {
    pub fn approach(self) -> Approach {
        match self {
            Strategy::Auto => Approach::Automatic,
            Strategy::DpvsLifo => Approach::Dpvs(Queue::LastFirst),
            Strategy::DpvsFifo => Approach::Dpvs(Queue::FirstFirst),
            Strategy::DpvsHeap => Approach::Dpvs(Queue::EarliestDefined),
            Strategy::Cpbpv => Approach::Cpbpv,
            Strategy::Sat => Approach::Sat,
        }
    }
}

/// The floats from outside.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Floats {
    /// All of them, also infinities and NaNs; so it is if nothing else is said.
    All,
    /// Neither infinities nor NaNs.
    Finite,
}

/// What reads give of what was never written.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uninitialized {
    /// Undefined behaviour, which ends the run.
    Trap,
    /// Any value; the run goes on, and tests say so.
    Any,
    /// As `trap`, and as `any` for what no run meets otherwise.
    Automatic,
}

impl Uninitialized {
    /// The one with a name.
    pub fn named(name: &str) -> Option<Uninitialized> {
        <Uninitialized as clap::ValueEnum>::from_str(name, false).ok()
    }
}

/// What signed overflow does.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// Undefined behaviour.
    Trap,
    /// Wraps around, as with -fwrapv.
    Wrap,
}

#[derive(clap::Args, Debug)]
#[command(
    after_help = "Exit codes: 0 every goal is covered or proved unreachable, 1 the program misbehaves in a test, \
2 bad command line or source, 3 some goal is undecided."
)]
pub struct Cover {
    #[command(flatten)]
    pub source: Source,
    /// Only these functions.
    #[arg(short = 'f', long, value_name = "F")]
    pub function: Vec<String>,
    /// What to cover; several, separated by commas.
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',', default_values_t = [Criterion::Branch])]
    pub criterion: Vec<Criterion>,
    /// Only this path of a function, named by its decisions in the order of execution: '12/then,15/else,20/3' for the
    /// lines 12, 15 and 20; a switch chooses a value or 'default'.
    #[arg(long, value_name = "STEPS", conflicts_with = "criterion")]
    pub path: Option<String>,
    /// Goals of functions that the function under test calls, up to this many calls away, count as well.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub depth: u32,
    #[command(flatten)]
    pub search: Search,
    /// Write the tests to this C file. It is compiled and run, and holds the tests that pass.
    #[arg(long, value_name = "FILE.c")]
    pub tests: Option<PathBuf>,
    /// Replace the file of --tests even if something else wrote it.
    #[arg(long, requires = "tests")]
    pub force: bool,
    /// Try to refute every goal called unreachable with this many random inputs.
    #[arg(long, value_name = "RUNS", default_value_t = 0)]
    pub attack: u64,
}

#[derive(clap::Args, Debug)]
#[command(
    after_help = "Exit codes: 0 every property is proved or out of reach, 1 some property is violated, 2 bad command \
line or source, 3 some property is undecided, or holds only by what Quipu assumes or the code relies on."
)]
pub struct Check {
    #[command(flatten)]
    pub source: Source,
    /// Start at these functions, for all their inputs. Without it, at `main`, or else at every function with a property.
    #[arg(short = 'f', long, value_name = "F")]
    pub function: Vec<String>,
    /// The undefined behaviours to look for: all, none, or several of overflow, division, shift, conversion, bounds,
    /// null, lifetime, free, uninitialised, pointer, alignment, call, or names of single ones. Without it, none if
    /// there are assertions, and all otherwise.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub ub: Vec<String>,
    /// Report all that can go wrong with any inputs: static functions by themselves, not through their callers, and
    /// null pointers that the code follows without testing them as violations, not as preconditions.
    #[arg(long)]
    pub strict: bool,
    /// Print each proof with its reason, and all assumptions.
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    pub search: Search,
    /// Write a witness (format 2.0, YAML) of the first violation, or of the proof of everything, to this file.
    #[arg(long, value_name = "FILE.yml")]
    pub witness: Option<PathBuf>,
    /// Replace the file of --witness even if something else wrote it.
    #[arg(long, requires = "witness")]
    pub force: bool,
    /// Try to refute every proof with this many random inputs.
    #[arg(long, value_name = "RUNS", default_value_t = 0)]
    pub attack: u64,
}

/// What tests should cover.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Criterion {
    Statement,
    Branch,
    Condition,
    Decision,
    /// Modified condition/decision coverage; other conditions may change where they are masked.
    Mcdc,
    /// MC/DC where no other condition changes.
    McdcUnique,
    /// Comparisons at and next to their boundaries.
    Boundary,
    /// Undefined behaviour: an input for each place where it may happen, or a proof that it does not.
    Undefined,
    /// Every path, with at most --turns turns of each loop (1 by default).
    Path,
}

#[derive(clap::Args, Debug)]
#[command(
    after_help = "Exit codes: 0 inputs were found, or there are none for certain, 2 bad command line or source, \
3 undecided."
)]
pub struct Reach {
    /// Where to: FILE:LINE, FILE:LINE:COLUMN, with /then or /else for an outcome of the decision there.
    #[arg(value_name = "FILE:LINE[:COL][/then|else]")]
    pub place: String,
    /// Compiler flags: -I -D -U -include -std=... -m32 and others.
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
    /// Start from this function instead of the one around the place.
    #[arg(short = 'f', long, value_name = "F")]
    pub function: Option<String>,
    #[command(flatten)]
    pub search: Search,
    /// All inputs that lead there.
    #[arg(long, group = "many")]
    pub all: bool,
    /// At most so many inputs that lead there.
    #[arg(long, value_name = "N", group = "many")]
    pub max: Option<u64>,
    /// The number of inputs that lead there.
    #[arg(long, group = "many")]
    pub count: bool,
    /// The values of each input that propagation leaves.
    #[arg(long, group = "many")]
    pub domains: bool,
}

#[derive(clap::Args, Debug)]
#[command(
    after_help = "Exit codes: 0 the file is written, 2 bad command line or source, or there is such a file."
)]
pub struct Init {
    #[command(flatten)]
    pub source: Source,
    /// Where to write; `-` is standard output.
    #[arg(short = 'o', long, value_name = "FILE", default_value = "quipu.toml")]
    pub output: PathBuf,
    /// Replace a file that is there.
    #[arg(long)]
    pub force: bool,
}

#[derive(clap::Args, Debug)]
#[command(group(ArgGroup::new("what").required(true)), after_help = EXIT_CODES)]
pub struct Show {
    #[command(flatten)]
    pub source: Source,
    /// The intermediate representation, as text.
    #[arg(long, group = "what")]
    pub ir: bool,
    /// The control-flow graph.
    #[arg(long, group = "what")]
    pub cfg: bool,
    /// The control dependence graph.
    #[arg(long, group = "what")]
    pub cdg: bool,
    /// The call graph.
    #[arg(long, group = "what")]
    pub callgraph: bool,
    /// Statements, decisions and conditions.
    #[arg(long, group = "what")]
    pub decisions: bool,
    /// What pointers may point to in front of each statement. With -f in a program that starts with this function,
    /// also for the functions that it calls; without, for each function called with any inputs.
    #[arg(long, group = "what")]
    pub points_to: bool,
    /// The lines that matter for what happens on a line (`LINE` of the first file, or `FILE:LINE`), in a program that
    /// starts with the function around it, or with the one that -f names.
    #[arg(long, group = "what", value_name = "LINE")]
    pub slice: Option<String>,
    /// Only this function.
    #[arg(short = 'f', long, value_name = "F")]
    pub function: Option<String>,
    /// Graphs in the DOT language.
    #[arg(long, conflicts_with_all = ["json", "ir", "decisions", "points_to", "slice"])]
    pub dot: bool,
    /// Machine-readable output.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_help = EXIT_CODES)]
pub struct Run {
    #[command(flatten)]
    pub source: Source,
    /// The function to run.
    #[arg(short = 'f', long, value_name = "F", default_value = "main")]
    pub function: String,
    /// Its arguments: C initialisers, one per parameter, e.g. '3, -4, {1,2,3}, "text"'.
    #[arg(long, default_value = "", value_name = "LIST", allow_hyphen_values = true)]
    pub args: String,
    /// Values for scanf, getchar, rand, nondet functions and functions without a body, in order of use.
    #[arg(long, default_value = "", value_name = "LIST", allow_hyphen_values = true)]
    pub inputs: String,
    /// Print every statement, decision and call.
    #[arg(long)]
    pub trace: bool,
    /// Give up after this many instructions.
    #[arg(long, default_value_t = 1_000_000_000, value_name = "N")]
    pub steps: u64,
    /// Machine-readable output.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
#[command(
    after_help = "Exit codes: 0 every question is answered, 2 bad command line or model, 3 gave up on one."
)]
pub struct Solve {
    /// The model; `-` reads it from standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Give up on a question after this much effort: calls of a contractor; a conflict of the SAT solver counts 100.
    #[arg(long, value_name = "N")]
    pub effort: Option<u64>,
    /// Give up on a question when this many calls and turns of loops have been unfolded.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub unfold: u64,
    /// Give up on a question after this many seconds.
    #[arg(long, value_name = "S")]
    pub timeout: Option<f64>,
    /// Leave out a part of the solver.
    #[arg(long, value_enum, value_name = "PART")]
    pub without: Vec<Part>,
    /// Print the model as it was understood, and answer nothing.
    #[arg(long, group = "instead")]
    pub print: bool,
    /// Print the constraints for other solvers, in SMT-LIB 2, and answer nothing.
    #[arg(long, group = "instead")]
    pub smtlib: bool,
    /// Say on standard error how much work each answer took.
    #[arg(long)]
    pub stats: bool,
    /// Machine-readable output.
    #[arg(long)]
    pub json: bool,
}

/// A part of the solver.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Simplification of terms.
    Rewriting,
    /// Propagation with search.
    Search,
    /// Bit-precise SAT.
    Sat,
    /// Linear relaxations.
    Linear,
}
