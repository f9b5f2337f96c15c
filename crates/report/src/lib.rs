//! What the work on test suites has found, in three forms: text for a terminal, JSON for programs, and a C file of unit
//! tests.
//!
//! Every form is a pure function of the program and its [`quipu_cover::FunctionReport`]s: nothing is read, run or
//! printed here. The forms share what they say about a verdict (`evidence`), an ending (`ending`), a value
//! (`value`) and an address (`address`).

mod address;
mod c_tests;
mod check;
mod conflict;
mod ending;
mod evidence;
mod export;
mod initialiser;
mod json;
mod members;
mod names;
mod reach;
mod requests;
mod returned;
mod sighting;
mod tally;
mod text;
mod undefined;
mod value;

pub use c_tests::{
    Absence, CTests, CTestsError, ExportedTest, MARKER, Selection, SourceFile, TestId, c_tests,
};
pub use check::{Checked, CheckedProperty, Clause, WitnessTask, check_json, check_text, witness};
pub use conflict::conflicting;
pub use evidence::{excluded_by, gave_up_because, limit, why};
pub use export::Export;
pub use json::{assumptions, json, needs};
pub use reach::{target_name, told_leaves};
pub use text::{Style, text};
pub use undefined::{unwritten_reads, unwritten_reads_json};
