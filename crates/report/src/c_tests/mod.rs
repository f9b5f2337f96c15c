//! A C file of unit tests.
//!
//! The file includes the source under test and holds a function for each test, laid out as arrange, act, assert. What
//! the program asks its environment for is answered by stubs of unknown functions ([`stubs`]) and by stand-ins for
//! library functions ([`standins`], [`allocators`]). It needs nothing but the C library.
//!
//! A test whose run ends with undefined behaviour that was looked for is there only if `QUIPU_UNDEFINED` is defined. One
//! that ends otherwise without coming back or calling `exit` cannot be written, nor one that no compiled run has
//! confirmed, nor one that depends on how the C library calls back; a comment says so. The result of `main` is not
//! checked: under another name, the end of `main` returns nothing in particular. A program that looks at `__func__` sees
//! the name that the linker sees.

mod allocators;
mod asserts;
mod comment;
mod linkage;
mod objects;
mod preamble;
mod registers;
mod scope;
mod standins;
mod stubs;
mod test;

use std::path::PathBuf;

use quipu_cfront::Program;
use quipu_cover::FunctionReport;
use quipu_ir::Module;

use crate::address::Addresses;
use crate::names::counted;
use allocators::Allocators;
use linkage::Linkage;
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

/// The unit tests of some functions as one C file.
///
/// # Errors
///
/// When the files of the program cannot be included in one file, or when it needs a function that cannot be defined.
pub fn c_tests(
    program: &Program,
    reports: &[FunctionReport],
    sources: &[SourceFile],
) -> Result<String, CTestsError> {
    let module = &program.module;
    if let Some(name) = linkage::shared_name(module) {
        return Err(CTestsError::Shared(name.to_string()));
    }
    let linkage = Linkage::of(module, reports);
    let stand_ins = StandIns::of(linkage.library.iter().map(String::as_str));
    let allocators = Allocators::of(module, &linkage.library, reports);
    let reset = reset_statements(module, &linkage, &stand_ins, &allocators);
    let mut scope = Scope::of(module);
    let tested: Vec<Vec<Fate>> = reports
        .iter()
        .map(|report| fates(program, report, &mut scope, (&stand_ins, &allocators), !reset.is_empty()))
        .collect();
    let written: Vec<&Written> = tested.iter().flatten().filter_map(Fate::written).collect();
    let forks = written.iter().any(|test| matches!(test.run, Run::Apart { .. }));

    let mut out = definitions(module, &linkage)?;
    out.push_str(&reset_function(&reset));
    if forks {
        out.push_str(FORK);
    }
    if written.iter().any(|test| test.run == Run::Undefined) {
        out.push_str(&format!("\n{ONLY_UNDEFINED}{WATCH}#endif\n"));
    }
    let mut tests = String::new();
    for (report, fates) in reports.iter().zip(&tested) {
        tests.push_str(&assumptions(module, report));
        tests.extend(fates.iter().map(|fate| format!("\n{}", fate.text())));
    }
    out.push_str(&registers::definitions(module, &tests));
    out.push_str(&tests);
    out.push_str(&plain_names(module, &linkage));
    out.push_str(&main(&written, linkage.has_main, registers::set_up(module)));
    Ok(preamble::preamble(program, sources, &linkage, (&stand_ins, &allocators), &out) + &out)
}

/// What the tests of a function take for granted about its inputs.
fn assumptions(module: &Module, report: &FunctionReport) -> String {
    if report.interface.assumptions.is_empty() || report.tests.is_empty() {
        return String::new();
    }
    let name = &module.functions[report.func].source_name;
    let text = report.interface.assumptions.join("; ");
    format!("\n{}", comment::comment(&format!("The tests of `{name}` assume: {text}.")))
}

/// What becomes of the tests of a function.
fn fates(
    program: &Program,
    report: &FunctionReport,
    scope: &mut Scope,
    (stand_ins, allocators): (&StandIns, &Allocators),
    resets: bool,
) -> Vec<Fate> {
    let addresses = Addresses::new(&program.module, &report.interface);
    let fresh = test::needs_fresh_process(&program.module, report);
    let function = &program.module.functions[report.func].source_name;
    let write = |number: usize| {
        let name = scope.pick(&format!("test_{function}_{}", number + 1), "_");
        let surroundings = Surroundings {
            program,
            report,
            addresses: &addresses,
            scope,
            stand_ins,
            allocators,
            resets,
            fresh,
        };
        test::write(&surroundings, number, name)
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
        let name = module.globals[global].source_name.as_deref().unwrap_or_default();
        out.push_str(&format!("__typeof__({name}) {name};\n"));
    }
    for func in linkage.provided() {
        out.push_str(&stubs::definition(module, func)?);
    }
    Ok(out)
}

/// Definitions, by their plain names, of what the source does not define. In this file the macros have replaced these
/// names everywhere, so that any type will do.
fn plain_names(module: &Module, linkage: &Linkage) -> String {
    let functions = linkage.missing_functions.iter().map(|&func| &module.functions[func]);
    let functions = functions.filter(|function| !linkage::is_system(module, function.span));
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

/// Runs a test in a process of its own.
const FORK: &str = "
/* Runs a test in a process of its own: one that ends by exit, or that leaves state behind which no
   test can set. Tells its exit status. */
static int quipu_status_of(void (*test)(void))
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        test();
        fflush(NULL);
        _exit(0);
    }
    pid_t ended = waitpid(child, &status, 0);
    assert(child > 0 && ended == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}
";

/// Runs a test that does something undefined.
const WATCH: &str = "\
/* Runs a test that does something undefined in a process of its own, and tells how that ends. */
static void quipu_watch(void (*test)(void), const char *what)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        test();
        fflush(NULL);
        _exit(0);
    }
    pid_t ended = waitpid(child, &status, 0);
    assert(child > 0 && ended == child);
    if (WIFSIGNALED(status))
        printf(\"%s: ended by signal %d\\n\", what, WTERMSIG(status));
    else
        printf(\"%s: ended with status %d\\n\", what, WEXITSTATUS(status));
}
";

fn main(tests: &[&Written], has_main: bool, set_up: &str) -> String {
    let mut out = String::from(if has_main { "\n#undef main\n" } else { "\n" });
    out.push_str(&format!("int main(void)\n{{\n{set_up}"));
    // A process starts from the state of the one that starts it: no test may have changed that before.
    for Written { name, run, .. } in tests {
        if let Run::Apart { status } = run {
            out.push_str(&format!("    assert(quipu_status_of({name}) == {status});\n"));
        }
    }
    for Written { name, .. } in tests.iter().filter(|test| test.run == Run::Here) {
        out.push_str(&format!("    {name}();\n"));
    }
    let mut watched = String::new();
    for Written { name, undefined, .. } in tests.iter().filter(|test| test.run == Run::Undefined) {
        let what = undefined.as_deref().unwrap_or_default();
        watched.push_str(&format!("    quipu_watch({name}, \"{name}: {what}\");\n"));
    }
    if !watched.is_empty() {
        out.push_str(&format!("{ONLY_UNDEFINED}{watched}#endif\n"));
    }
    let passed = counted(tests.iter().filter(|test| test.run != Run::Undefined).count(), "test");
    out.push_str(&format!("    puts(\"{passed} passed\");\n    return 0;\n}}\n"));
    out
}
