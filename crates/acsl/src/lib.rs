//! Contracts in ACSL: annotations of the user's source become claims in C that run with the program.
//!
//! [`annotate`] reads the annotations of a program that the front end has taken, types them against it, and returns
//! what to translate instead: edited texts with the claims of bodies, additions with a function for each precondition
//! and each contract, and the table of all claims. A claim that does not hold ends a run by its number.

mod build;
mod calls;
mod clauses;
mod contract;
mod inline;
mod lexer;
mod lines;
mod names;
mod parser;
mod places;
mod probe;
mod problem;
mod ranges;
mod shapes;
mod source;
mod translate;
mod tree;
mod types;

use std::path::PathBuf;

use quipu_cfront::{Addition, Diagnostic, Edit, Failure, Options, Program, compile_edited};

pub use calls::{ClaimCall, claim_calls};

/// What annotations make of a program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Annotations {
    /// The claims of bodies, where they go into the files.
    pub edits: Vec<Edit>,
    /// The functions that evaluate contracts.
    pub additions: Vec<Addition>,
    /// What the lines of these functions stand for.
    pub generated: Vec<Generated>,
    /// What must hold. A claim's number is its index.
    pub claims: Vec<Claim>,
    pub contracts: Vec<Contract>,
    /// What is not checked, or not quite as it is written.
    pub notes: Vec<Note>,
}

/// A function that contracts have become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generated {
    pub function: String,
    /// In the order of its text.
    pub lines: Vec<ToldLine>,
}

/// A line of a generated text, and the clause for which it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToldLine {
    pub line: u32,
    pub place: ClausePlace,
    /// The clause as the user wrote it, on one line.
    pub text: String,
    /// Whether it only keeps values for later.
    pub keeps: bool,
}

/// A predicate that must hold whenever a run comes to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    pub kind: ClaimKind,
    pub place: ClausePlace,
    /// The clause as the user wrote it, on one line.
    pub text: String,
    /// The function that it is about, by its name in the module.
    pub function: String,
    pub behavior: Option<String>,
}

/// Where a clause stands in the user's source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClausePlace {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Behind its last byte.
    pub end_line: u32,
    pub end_column: u32,
}

impl std::fmt::Display for ClausePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimKind {
    /// A precondition, where the function is called.
    Requires,
    Ensures,
    /// That the assumptions of one behavior hold.
    CompleteBehaviors,
    /// That the assumptions of at most one behavior hold.
    DisjointBehaviors,
    Assert,
    /// An invariant, whenever a run comes to the head of its loop.
    LoopInvariant {
        /// The keyword of the loop.
        at: ClausePlace,
    },
    /// That a clause can be evaluated: its arithmetic stays within 64 bits, nothing is divided by zero.
    Evaluation,
}

/// The contract of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The function, by its name in the module.
    pub function: String,
    /// Its first clause.
    pub place: ClausePlace,
    /// The function to be checked in its place: it has the same parameters, calls the function and evaluates what it
    /// must ensure. None if there is nothing to evaluate.
    pub wrapper: Option<String>,
    pub gates: Vec<Gate>,
    /// What pointers must be, as `--shape` says it: name and shape. The gates say the same, and more.
    pub shapes: Vec<(String, String)>,
    /// In which ranges integer parameters must be. The gates say the same, and more.
    pub ranges: Vec<Range>,
}

/// The values that an integer parameter may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    pub name: String,
    pub low: i128,
    pub high: i128,
}

/// A function with the parameters of another that says whether an input satisfies a precondition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gate {
    pub function: String,
    pub place: ClausePlace,
    /// The clause as the user wrote it, on one line.
    pub text: String,
}

/// Something that the user should know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub kind: NoteKind,
    pub message: Diagnostic,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteKind {
    /// A clause that nobody checks because Quipu does not support it. Without it less is proved.
    NotChecked,
    /// A clause that is read as documentation.
    Documentation,
    /// Numbers are rounded that ACSL would not round.
    Rounded,
}

impl Annotations {
    /// Whether the program has no annotations that change anything.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.additions.is_empty()
    }

    /// The program with its annotations, and with other additions. What they have become is told to be where they stand.
    ///
    /// # Errors
    ///
    /// As for [`compile_edited`].
    pub fn compile(
        &self,
        files: &[PathBuf],
        others: &[Addition],
        options: &Options,
    ) -> Result<Program, Failure> {
        let additions = [&self.additions[..], others].concat();
        let mut program = compile_edited(files, &self.edits, &additions, options)?;
        places::tell(&mut program, self);
        Ok(program)
    }
}

/// The annotations of a program.
///
/// # Errors
///
/// When an annotation does not parse or type, or is about a function that does not exist.
pub fn annotate(program: &Program, files: &[PathBuf], options: &Options) -> Result<Annotations, Failure> {
    build::annotate(program, files, options)
}
