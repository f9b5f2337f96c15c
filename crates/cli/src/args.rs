//! The command line.

use std::path::PathBuf;

use clap::{ArgGroup, Parser, Subcommand};

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
    /// Show what Quipu sees in a program: its IR, graphs, decisions.
    Show(Show),
    /// Run a function on given arguments in the interpreter.
    Run(Run),
    /// Answer the questions of a constraint model (docs/models.md).
    Solve(Solve),
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
    /// Only this function.
    #[arg(short = 'f', long, value_name = "F")]
    pub function: Option<String>,
    /// Graphs in the DOT language.
    #[arg(long, conflicts_with_all = ["json", "ir", "decisions"])]
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
}
