//! A C file of unit tests.
//!
//! The file includes the source under test and holds a function for each test, laid out as arrange, act, assert. What
//! the program asks its environment for is answered by stubs of unknown functions ([`stubs`]) and by stand-ins for
//! library functions ([`standins`], [`allocators`]). It needs nothing but the C library.
//!
//! A test whose run does something undefined is there only if `QUIPU_UNDEFINED` is defined. One that ends otherwise
//! without coming back or calling `exit` cannot be written, nor one that no compiled run has confirmed, nor one that
//! depends on how the C library calls back; a comment says so ([`absence`]). The result of `main` is not checked: under
//! another name, the end of `main` returns nothing in particular. A program that looks at `__func__` sees the name that
//! the linker sees.
//!
//! Who runs the file and finds that a test does not do there what it should can have it written anew without that test
//! ([`Selection`]).

mod absence;
mod allocators;
mod asserts;
mod comment;
mod linkage;
mod main_function;
mod objects;
mod outside;
mod preamble;
mod registers;
mod scope;
mod series;
mod standins;
mod stubs;
mod test;
mod test_name;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use quipu_cfront::Program;
use quipu_cover::FunctionReport;
use quipu_inputs::{Assumption, Outside, is_stub, is_system};
use quipu_ir::{Func, Module};

use crate::address::Addresses;
pub use absence::Absence;
use allocators::Allocators;
use linkage::Linkage;
use main_function::{WATCH, main};
pub use preamble::MARKER;
use scope::Scope;
use standins::StandIns;
use test::{Fate, ONLY_UNDEFINED, Run, Surroundings, Written};

/// What the names that the linker sees start with.
pub(crate) const PREFIX: &str = "quipu_sut_";

/// A file of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The path by which the front end opened it.
    pub path: PathBuf,
    /// How the test file names it behind `#include`.
    pub include: String,
    /// The bodies of functions that it uses and that nobody defines, as C.
    pub outside: Vec<String>,
}

/// A test by the numbers of its report and of itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TestId {
    pub report: usize,
    pub test: usize,
}

/// What is known about tests from runs of a file with them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// Tests that do not belong into the file, with the reason.
    pub failing: BTreeMap<TestId, Absence>,
    /// Tests that do something undefined according to a sanitizer, in its words.
    pub stopped: BTreeMap<TestId, String>,
    /// Whether all tests should run in processes of their own, because they disturb each other otherwise.
    pub apart: bool,
}

/// A file of tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CTests {
    pub text: String,
    /// The tests that it runs.
    pub tests: Vec<ExportedTest>,
    /// The tests that are compiled only with `QUIPU_UNDEFINED`.
    pub undefined: Vec<ExportedTest>,
    /// The tests that are not there.
    pub absent: Vec<(TestId, Absence)>,
}

/// A test in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportedTest {
    pub id: TestId,
    /// The name of its function.
    pub name: String,
    /// What a sanitizer says about it, if only that stops it.
    pub stopped: Option<String>,
}

/// Why no test file can be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CTestsError {
    /// Two files use the same name for different things, so that one file cannot include both.
    Shared(String),
    /// A function that must be defined for the program has a type without a name.
    Unnamed(String),
}

impl std::fmt::Display for CTestsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CTestsError::Shared(name) => {
                write!(
                    f,
                    "several files have a `{name}` of their own, so that no test file can include them all"
                )
            }
            CTestsError::Unnamed(name) => write!(f, "no test file can define `{name}`: its type has no name"),
        }
    }
}

impl std::error::Error for CTestsError {}

/// The unit tests of some functions as one C file. For no functions there is a test that does nothing in every way, so
/// that a compiler can say whether tests of this program can be in a file at all.
///
/// # Errors
///
/// When the files of the program cannot be included in one file, or when it needs a function that cannot be defined.
pub fn c_tests(
    program: &Program,
    reports: &[FunctionReport],
    sources: &[SourceFile],
    selection: &Selection,
) -> Result<CTests, CTestsError> {
    let module = &program.module;
    if let Some(name) = linkage::shared_name(module) {
        return Err(CTestsError::Shared(name.to_string()));
    }
    let linkage = Linkage::of(module, reports);
    let stand_ins = StandIns::of(linkage.library.iter().map(String::as_str));
    let allocators = Allocators::of(module, &linkage.library, reports);
    let reset = reset_statements(module, &linkage, &stand_ins, &allocators);
    let mut scope = Scope::of(module);
    let mut tested = Vec::new();
    for (number, report) in reports.iter().enumerate() {
        let around =
            Around { selection, stand_ins: &stand_ins, allocators: &allocators, resets: !reset.is_empty() };
        tested.push(fates(program, (number, report), &mut scope, &around));
    }
    let mut written: Vec<&Written> = tested.iter().flatten().filter_map(Fate::written).collect();
    let nothing = reports.is_empty().then(Written::nothings).unwrap_or_default();
    written.extend(&nothing);

    let mut out = definitions(module, &linkage)?;
    out.extend(sources.iter().flat_map(|source| &source.outside).map(|text| outside::definition(text)));
    out.push_str(&reset_function(&reset));
    out.push_str(&processes(&written, &linkage.of_libraries(module)));
    let mut tests = String::new();
    for (report, fates) in reports.iter().zip(&tested) {
        tests.push_str(&assumptions(module, report));
        tests.extend(fates.iter().map(|fate| format!("\n{}", fate.text())));
    }
    tests.extend(nothing.iter().map(Written::text));
    out.push_str(&registers::definitions(module, &tests));
    out.push_str(&tests);
    out.push_str(&plain_names(module, &linkage));
    out.push_str(&main(&written, linkage.has_main, registers::set_up(module)));
    let preamble = preamble::preamble(program, sources, &linkage, (&stand_ins, &allocators), &out);
    Ok(CTests::of(preamble + &out, &tested))
}

/// What runs tests in processes of their own, as far as there are such tests.
fn processes(tests: &[&Written], libraries: &BTreeSet<String>) -> String {
    let mut out = String::new();
    if tests.iter().any(|test| matches!(test.run, Run::Apart { .. })) {
        out.push_str(main_function::FORK);
    }
    if tests.iter().any(|test| test.run == Run::Undefined) {
        out.push_str(&format!("\n{ONLY_UNDEFINED}{WATCH}#endif\n"));
    }
    // The real function is meant, also if the program gets another one.
    if libraries.contains("waitpid") && !out.is_empty() {
        let declared = "\npid_t quipu_waitpid(pid_t, int *, int) __asm__(\"waitpid\");\n";
        out = format!("{declared}{}", out.replace("waitpid(", "quipu_waitpid("));
    }
    out
}

impl CTests {
    fn of(text: String, fates: &[Vec<Fate>]) -> CTests {
        let mut made = CTests { text, tests: Vec::new(), undefined: Vec::new(), absent: Vec::new() };
        for (report, fates) in fates.iter().enumerate() {
            for (test, fate) in fates.iter().enumerate() {
                let id = TestId { report, test };
                match fate {
                    Fate::LeftOut { absence, .. } => made.absent.push((id, absence.clone())),
                    Fate::Written(Written { name, run, stopped, .. }) => {
                        let list = if *run == Run::Undefined { &mut made.undefined } else { &mut made.tests };
                        list.push(ExportedTest { id, name: name.clone(), stopped: stopped.clone() });
                    }
                }
            }
        }
        made
    }
}

/// What the tests of a function take for granted about its inputs.
fn assumptions(module: &Module, report: &FunctionReport) -> String {
    if report.interface.assumptions.is_empty() || report.tests.is_empty() {
        return String::new();
    }
    let name = &module.functions[report.func].source_name;
    let text: Vec<String> = report.interface.assumptions.iter().map(Assumption::to_string).collect();
    let text = text.join("; ");
    format!("\n{}", comment::comment(&format!("The tests of `{name}` assume: {text}.")))
}

/// What tests of all functions have around them.
struct Around<'a> {
    selection: &'a Selection,
    stand_ins: &'a StandIns,
    allocators: &'a Allocators,
    /// Whether there are answers to forget.
    resets: bool,
}

/// What becomes of the tests of a function.
fn fates(
    program: &Program,
    (number, report): (usize, &FunctionReport),
    scope: &mut Scope,
    around: &Around<'_>,
) -> Vec<Fate> {
    let addresses = Addresses::new(&program.module, &report.interface);
    let fresh = around.selection.apart || test::needs_fresh_process(&program.module, report);
    let write = |test: usize| {
        let wish = test_name::test_name(&program.module, report, test);
        let surroundings = Surroundings {
            program,
            report,
            addresses: &addresses,
            stand_ins: around.stand_ins,
            allocators: around.allocators,
            resets: around.resets,
            fresh,
            failing: around.selection.failing.get(&TestId { report: number, test }),
            stopped: around.selection.stopped.get(&TestId { report: number, test }),
        };
        // A test that is left out keeps its name, so that the others keep theirs.
        let name = scope.pick_numbered(&wish);
        test::write(&surroundings, scope, test, name)
    };
    (0..report.tests.len()).map(write).collect()
}

/// What the source or a test uses and the source does not define.
fn definitions(module: &Module, linkage: &Linkage) -> Result<String, CTestsError> {
    let mut out = String::new();
    if !linkage.missing_objects.is_empty() {
        out.push_str("\n/* Objects that the source only declares. */\n");
    }
    for &global in &linkage.missing_objects {
        // The declaration has qualifiers that are not known here.
        let data = &module.globals[global];
        let name = data.source_name.as_deref().unwrap_or_default();
        out.push_str(&match linkage::open_array(module, data) {
            Some(length) => format!("__typeof__({name}[0]) {name}[{length}];\n"),
            None => format!("__typeof__({name}) {name};\n"),
        });
    }
    for func in linkage.provided() {
        out.push_str(&stubs::definition(module, func)?);
    }
    Ok(out)
}

/// Definitions, by their plain names, of what the source does not define. In this file the macros have replaced these
/// names everywhere, so that any type will do.
fn plain_names(module: &Module, linkage: &Linkage) -> String {
    let is_ours = |func: &Func| Outside::of(module, *func).is_some_and(|known| !known.library);
    let outside = module.functions.ids().filter(is_ours);
    let functions =
        linkage.missing_functions.iter().copied().chain(outside).map(|func| &module.functions[func]);
    let functions = functions.filter(|function| !is_system(module, function.span) && !is_stub(function));
    let functions = functions.map(|function| (function.source_name.as_str(), "void", "(void) { }"));
    let objects =
        linkage.missing_objects.iter().filter_map(|&global| module.globals[global].source_name.as_deref());
    let sized = |name: &str| format!("[sizeof {PREFIX}{name}];");
    let objects: Vec<(&str, String)> = objects.map(|name| (name, sized(name))).collect();
    let objects = objects.iter().map(|(name, rest)| (*name, "char", rest.as_str()));
    let lines = functions
        .chain(objects)
        .map(|(name, front, rest)| format!("#undef {name}\n__attribute__((weak)) {front} {name}{rest}\n"));
    let lines: String = lines.collect();
    let why = "The source linked to this file needs these, too. Nobody uses them.";
    if lines.is_empty() { lines } else { format!("\n{}{lines}", comment::comment(why)) }
}

fn reset_statements(
    module: &Module,
    linkage: &Linkage,
    stand_ins: &StandIns,
    allocators: &Allocators,
) -> Vec<String> {
    let stubs = linkage.provided().filter(|&func| stubs::has_results(module, func));
    let stubs = stubs.map(|func| format!("{}.left = 0;", stubs::queue(&module.functions[func].source_name)));
    stubs.chain(stand_ins.reset()).chain(allocators.reset()).collect()
}

fn reset_function(statements: &[String]) -> String {
    if statements.is_empty() {
        return String::new();
    }
    let statements: String = statements.iter().map(|statement| format!("    {statement}\n")).collect();
    format!(
        "\n/* Forgets the answers that a test has left. */\nstatic void quipu_reset(void)\n{{\n{statements}}}\n"
    )
}
