//! The C file of unit tests: compiled alone and together with the source, without warnings, and run.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use quipu_cfront::Program;
use quipu_cover::{FunctionReport, ReplayOutcome};
use quipu_goals::Criterion;
use quipu_inputs::Interface;
use quipu_report::{Absence, CTests, CTestsError, Selection, SourceFile, TestId, c_tests};
use support::{Tests, expect, files, program, report, report_with};

const STRICT: [&str; 6] = ["-Wall", "-Wextra", "-Werror", "-std=c11", "-pedantic", "-g"];

/// A directory of its own for each test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("quipu-report-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a scratch directory should be possible");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn reports(program: &Program, functions: &[(&str, Tests<'_>)]) -> Vec<FunctionReport> {
    functions.iter().map(|(name, tests)| report(program, name, &[Criterion::Branch], tests)).collect()
}

fn written(program: &Program, name: &str, reports: &[FunctionReport]) -> String {
    selected(program, name, reports, &Selection::default()).text
}

fn selected(program: &Program, name: &str, reports: &[FunctionReport], selection: &Selection) -> CTests {
    let sources = [SourceFile { path: PathBuf::from(name), include: name.to_string(), outside: Vec::new() }];
    c_tests(program, reports, &sources, selection).unwrap_or_else(|error| panic!("{error}"))
}

fn compile(scratch: &Path, text: &str, flags: &[&str], with: Option<&str>) -> PathBuf {
    let (source, program) = (scratch.join("file_tests.c"), scratch.join("file_tests"));
    std::fs::write(&source, text).expect("the test file should be writable");
    let mut command = Command::new("cc");
    command.args(flags).arg("-I").arg(files()).arg("-o").arg(&program).arg(&source);
    command.args(with.map(|name| files().join(name)));
    let output = command.output().expect("there should be a C compiler");
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    program
}

fn run(program: &Path) -> Output {
    Command::new(program).output().expect("the tests should run")
}

/// Compiles and runs, alone and with the source; optimised, too.
fn passes(text: &str, name: &str, has_main: bool) {
    let scratch = Scratch::new();
    let links = if has_main { vec![None] } else { vec![None, Some(name)] };
    for with in links {
        for level in ["-O0", "-O2"] {
            let flags: Vec<&str> = STRICT.iter().copied().chain([level]).collect();
            let output = run(&compile(&scratch.0, text, &flags, with));
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {errors}\n{text}", output.status);
            assert!(String::from_utf8_lossy(&output.stdout).ends_with(" passed\n"), "{text}");
        }
    }
    compile(&scratch.0, text, &["-Wall", "-Wextra", "-Werror"], None);
}

#[test]
fn triangles() {
    let program = program("triangle.c");
    let tests: Tests = &[
        (&[("i", 2), ("j", 2), ("k", 3)], &[]),
        (&[("i", 1), ("j", 1), ("k", 1)], &[]),
        (&[("i", 2), ("j", 3), ("k", 4)], &[]),
        (&[("i", 0)], &[]),
    ];
    let mut reports =
        reports(&program, &[("tritype", tests), ("divide", &[(&[("b", 0)], &[]), (&[("b", 1)], &[])])]);
    reports[0].tests[3].replay = ReplayOutcome::NotRun("no compiler".to_string());
    let text = written(&program, "triangle.c", &reports);
    expect("triangle_tests.c", &text);
    passes(&text, "triangle.c", false);
    assert!(text.contains("/* undefined behaviour: division-by-zero in line "), "{text}");
    assert!(text.contains("Left out: test 4 of `tritype`"), "{text}");
}

#[test]
fn a_changed_value_fails() {
    let program = program("triangle.c");
    let reports = reports(&program, &[("tritype", &[(&[("i", 2), ("j", 2), ("k", 3)], &[])])]);
    let text = written(&program, "triangle.c", &reports);
    let changed = text.replace("assert(result == 2);", "assert(result == 3);");
    assert_ne!(text, changed);
    let scratch = Scratch::new();
    let output = run(&compile(&scratch.0, &changed, &STRICT, None));
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("result == 3"));
}

#[test]
fn scalars_of_all_kinds() {
    let program = program("scalars.c");
    let one = 1.0f64.to_bits().cast_signed();
    let float = |value: f32| i64::from(value.to_bits());
    let reports = reports(
        &program,
        &[
            ("widen_8", &[(&[("a", -128), ("b", 255)], &[]), (&[("a", 127), ("b", 0)], &[])]),
            ("widen_16", &[(&[("a", -32768), ("b", 65535)], &[])]),
            ("add_32", &[(&[("a", i64::from(i32::MIN)), ("b", -1)], &[])]),
            ("add_64", &[(&[("a", i64::MIN), ("b", -1)], &[])]),
            ("smallest", &[(&[("a", i64::MIN + 255), ("b", 255)], &[])]),
            ("next_char", &[(&[("c", 122)], &[]), (&[("c", 39)], &[]), (&[("c", -3)], &[])]),
            ("both", &[(&[("a", 1), ("b", 1)], &[]), (&[("a", 1)], &[])]),
            ("pick", &[(&[("c", 0)], &[]), (&[("c", 5)], &[]), (&[("c", 77)], &[])]),
            ("flip", &[(&[("p", 1)], &[]), (&[("p", 0)], &[])]),
            (
                "half",
                &[
                    (&[("x", float(0.1))], &[]),
                    (&[("x", float(f32::NAN))], &[]),
                    (&[("x", float(f32::INFINITY))], &[]),
                ],
            ),
            ("ratio", &[(&[("x", one), ("y", one)], &[]), (&[("x", one)], &[]), (&[], &[])]),
            ("length", &[(&[("n", -9), ("b", 8)], &[])]),
        ],
    );
    let text = written(&program, "scalars.c", &reports);
    passes(&text, "scalars.c", false);
    assert!(text.contains(
        "enum colour result = pick(c);\n\n    /* observed, not specified */\n    assert(result == GREEN);"
    ));
}

#[test]
fn objects_of_all_kinds() {
    let program = program("objects.c");
    let list: &[(&str, i64)] = &[("n", 1), ("n->value", 3), ("n->next", 1), ("n->next->value", 4)];
    let looked_up: &[(&str, i64)] = &[("n", 1), ("n->next", 1), ("n->next->value", 4), ("value", 4)];
    let boxed: &[(&str, i64)] = &[
        ("b", 1),
        ("b->high.x", 4),
        ("b->high.y", 5),
        ("b->name[0]", 104),
        ("b->name[1]", 105),
        ("b->weights[0][1]", 6),
    ];
    let reports = reports(
        &program,
        &[
            ("sum", &[(&[("a", 1), ("a[0]", 1), ("a[1]", -2), ("n", 3)], &[]), (&[], &[])]),
            ("sort3", &[(&[("a[0]", 3), ("a[1]", 2), ("a[2]", 1)], &[])]),
            ("area", &[(boxed, &[]), (&[], &[])]),
            ("pack", &[(&[("f", 1), ("f->b", -1), ("f->d", 0xff_ffff), ("v", -16)], &[])]),
            ("last", &[(list, &[]), (&[], &[])]),
            ("find", &[(looked_up, &[]), (&[("value", 9)], &[])]),
            ("greatest", &[(&[("a[2]", 7)], &[]), (&[], &[])]),
            ("sign", &[(&[("x", -1)], &[]), (&[("x", 1)], &[]), (&[], &[])]),
            ("mirror", &[(&[("p.x", 3), ("p.y", -4)], &[])]),
            ("toggled", &[(&[("f.a", 5), ("f.b", 7), ("f.d", 1 << 39)], &[])]),
            ("count", &[(&[("t.sum", 3), ("t.count", 255), ("v", 2)], &[])]),
            ("whole", &[(&[("n", 1), ("n->whole", 41)], &[])]),
            ("tag", &[(&[("t", 1), ("t->kind", 1), ("t->n.whole", 2), ("t->inner", 3)], &[])]),
            ("count_words", &[(&[("words", 1), ("words[0]", 1)], &[])]),
            ("trace", &[(&[("m", 1), ("m[0][0]", 1), ("m[1][1]", 2), ("n", 2)], &[])]),
            ("inner", &[(&[("h", 1), ("h->inner", 1), ("h->inner->q", 8)], &[]), (&[], &[])]),
            ("link_up", &[(&[("a", 1), ("b", 1), ("b->next", 1)], &[]), (&[], &[])]),
        ],
    );
    let text = written(&program, "objects.c", &reports);
    expect("objects_tests.c", &text);
    passes(&text, "objects.c", false);
}

#[test]
fn globals_static_functions_and_main() {
    let program = program("globals.c");
    let range: &[(&str, i64)] = &[("x", 3), ("range.low", 1), ("range.high", 2)];
    let described: &[(&str, i64)] =
        &[("head", 1), ("head->id", 7), ("head->name", 1), ("head->name[0]", 113)];
    let reports = reports(
        &program,
        &[
            ("bump", &[(&[("by", 5), ("limit", 3)], &[]), (&[("by", 1), ("limit", 3), ("level", 1)], &[])]),
            (
                "fill",
                &[(&[("n", 6), ("table[0]", 9), ("port[0]", 2), ("port[2]", 4)], &[]), (&[("n", 1)], &[])],
            ),
            ("describe", &[(described, &[]), (&[], &[])]),
            ("within", &[(range, &[]), (&[], &[])]),
            ("counter", &[(&[], &[]), (&[], &[])]),
            ("main", &[(&[], &[])]),
        ],
    );
    let text = written(&program, "globals.c", &reports);
    expect("globals_tests.c", &text);
    passes(&text, "globals.c", true);
}

#[test]
fn environments() {
    let program = program("environment.c");
    let f32_bits = u64::from(0.5f32.to_bits());
    let minus = (-1i32).cast_unsigned().into();
    let reports = reports(
        &program,
        &[
            ("total", &[(&[("n", 3)], &[1, 2, minus]), (&[("n", 0)], &[])]),
            ("weigh", &[(&[], &[4, 2.5f64.to_bits(), 1]), (&[], &[4, 0, 0])]),
            ("labelled", &[(&[("n", 1)], &[0])]),
            (
                "sum_input",
                &[
                    (&[], &[0, 3, 0, 4, 0, f32_bits, 0, 1.5f64.to_bits(), 0, 65535]),
                    (&[], &[0, minus, 0, 1 << 33, 0, 0, 0, 0, 0, 0]),
                    (&[], &[0, 3, 1]),
                ],
            ),
            ("vowels", &[(&[], &[97, 98, 39, 101, minus]), (&[], &[minus])]),
            ("word", &[(&[("buffer", 1)], &[104, 105, 32]), (&[("buffer", 1)], &[minus])]),
            ("dice", &[(&[], &[5]), (&[], &[0x8000_0002])]),
            ("hours", &[(&[], &[7200, 1]), (&[], &[0, u64::MAX])]),
            ("checked", &[(&[("x", -1)], &[]), (&[("x", 1)], &[8])]),
        ],
    );
    let text = written(&program, "environment.c", &reports);
    expect("environment_tests.c", &text);
    passes(&text, "environment.c", false);
}

#[test]
fn objects_in_circles() {
    let program = program("objects.c");
    let values: &[(&str, i64)] =
        &[("a", 1), ("a->next", 1), ("b", 1), ("b->next", 1), ("a->value", 1), ("b->value", 2)];
    let circle = |interface: &mut Interface| {
        let target = |name: &str| {
            let leaf = interface.leaf(name).expect("the parameter is a leaf");
            interface.leaves[leaf].targets.clone()
        };
        let (a, b) = (target("a"), target("b"));
        let (from_a, from_b) = (interface.leaf("a->next").unwrap(), interface.leaf("b->next").unwrap());
        interface.leaves[from_a].targets = b;
        interface.leaves[from_b].targets = a;
    };
    let report = report_with(&program, "link_up", &[Criterion::Branch], &[(values, &[])], circle);
    let text = written(&program, "objects.c", &[report]);
    assert!(text.contains("    b.next = &a;\n"), "{text}");
    passes(&text, "objects.c", false);
}

#[test]
fn names_that_clash() {
    let program = program("clashes.c");
    let reports = reports(
        &program,
        &[
            ("index", &[(&[("index", 4)], &[])]),
            ("test", &[(&[("test", 4), ("result", 1)], &[])]),
            ("total_of", &[(&[("entry", 1), ("entry->index", 1), ("result_", 2)], &[]), (&[], &[])]),
            ("test_index_1", &[(&[("NULL_value", 1)], &[])]),
            ("apply", &[(&[("f", 1), ("x", 3)], &[]), (&[("f", 2), ("x", 3)], &[]), (&[], &[])]),
            ("choose", &[(&[("which", 1)], &[]), (&[], &[])]),
            ("own", &[(&[("x", 1)], &[])]),
        ],
    );
    let text = written(&program, "clashes.c", &reports);
    passes(&text, "clashes.c", false);
}

#[test]
fn main_starts_from_the_initial_state() {
    let program = program("state.c");
    let reports = reports(&program, &[("next", &[(&[("count", 5)], &[])]), ("main", &[(&[], &[])])]);
    passes(&written(&program, "state.c", &reports), "state.c", true);
}

#[test]
fn the_same_report_gives_the_same_file() {
    let program = program("triangle.c");
    let make = || {
        let reports = reports(&program, &[("tritype", &[(&[("i", 2)], &[])])]);
        written(&program, "triangle.c", &reports)
    };
    assert_eq!(make(), make());
}

/// A program of two files with a header, and what becomes of it.
fn of_two_files(header: &str, texts: [&str; 2]) -> Result<CTests, CTestsError> {
    let scratch = Scratch::new();
    let paths = ["a.c", "b.c"].map(|name| scratch.0.join(name));
    std::fs::write(scratch.0.join("shared.h"), header).unwrap();
    paths.iter().zip(texts).for_each(|(path, text)| std::fs::write(path, text).unwrap());
    let program = quipu_cfront::compile(&paths, &quipu_cfront::Options::default()).unwrap();
    let sources =
        paths.map(|path| SourceFile { include: path.display().to_string(), path, outside: Vec::new() });
    c_tests(&program, &[], &sources, &Selection::default())
}

#[test]
fn files_that_share_a_static_name_are_refused() {
    let functions = [
        "static int f(void) { return 1; } int a(void) { return f(); }",
        "static int f(void) { return 2; } int b(void) { return f(); }",
    ];
    assert_eq!(of_two_files("", functions), Err(CTestsError::Shared("f".to_string())));
    let objects = ["static int n; int a(void) { return n; }", "static int n = 1; int b(void) { return n; }"];
    assert_eq!(of_two_files("", objects), Err(CTestsError::Shared("n".to_string())));
}

#[test]
fn what_a_header_defines_is_no_clash() {
    let texts = [
        "#include \"shared.h\"\nint a(void) { return f(); }",
        "#include \"shared.h\"\nint b(void) { return f(); }",
    ];
    for header in [
        "static inline int f(void) { return 1; }",
        "static const int table[2] = {1, 2};\nstatic int f(void) { static const int one = 1; return one + table[1]; }",
    ] {
        assert!(of_two_files(header, texts).is_ok(), "{header}");
    }
}

/// Each file has its own: in one file they would be one.
#[test]
fn state_of_a_header_is_a_clash() {
    let texts = [
        "#include \"shared.h\"\nint a(void) { return f(); }",
        "#include \"shared.h\"\nint b(void) { return f(); }",
    ];
    for (header, name) in [
        ("static int count;\nstatic inline int f(void) { return count++; }", "count"),
        ("static inline int f(void) { static int calls; return ++calls; }", "calls"),
    ] {
        assert_eq!(of_two_files(header, texts), Err(CTestsError::Shared(name.to_string())), "{header}");
    }
}

#[test]
fn tests_are_named_after_what_they_are_there_for() {
    let program = program("triangle.c");
    let tests: Tests = &[(&[("i", 2), ("j", 2), ("k", 3)], &[]), (&[("i", 0)], &[])];
    let reports = reports(&program, &[("tritype", tests), ("divide", &[(&[("b", 0)], &[])])]);
    let made = selected(&program, "triangle.c", &reports, &Selection::default());
    let names: Vec<&str> = made.tests.iter().chain(&made.undefined).map(|test| test.name.as_str()).collect();
    assert_eq!(names[1], "test_tritype_i_at_most_0_or_j_at_most_0_or_k_at_most_0");
    assert!(names[2].starts_with("test_divide_division_by_zero_in_line_"), "{names:?}");
}

#[test]
fn a_test_can_be_left_out_or_moved_or_kept_apart() {
    let program = program("triangle.c");
    let tests: Tests =
        &[(&[("i", 2), ("j", 2), ("k", 3)], &[]), (&[("i", 1), ("j", 1), ("k", 1)], &[]), (&[("i", 0)], &[])];
    let reports = reports(&program, &[("tritype", tests)]);
    let all = selected(&program, "triangle.c", &reports, &Selection::default());
    let mut selection = Selection::default();
    let id = |test| TestId { report: 0, test };
    selection.failing.insert(id(0), Absence::fails("`1 == 2` does not hold".to_string()));
    selection.stopped.insert(id(1), "null pointer passed".to_string());
    selection.apart = true;
    let some = selected(&program, "triangle.c", &reports, &selection);
    assert_eq!((all.tests.len(), some.tests.len(), some.undefined.len(), some.absent.len()), (3, 1, 1, 1));
    assert_eq!(some.tests[0], all.tests[2], "names stay");
    assert!(some.text.contains("fails in its exported form: `1 == 2` does not hold"), "{}", some.text);
    assert!(some.text.contains("quipu_status_of("), "{}", some.text);
    passes(&some.text, "triangle.c", false);
}

/// One test can be run alone; a name that is none is an error.
#[test]
fn main_takes_the_name_of_a_test() {
    let program = program("triangle.c");
    let tests: Tests = &[(&[("i", 2), ("j", 2), ("k", 3)], &[]), (&[("i", 0)], &[])];
    let made =
        selected(&program, "triangle.c", &reports(&program, &[("tritype", tests)]), &Selection::default());
    let scratch = Scratch::new();
    let compiled = compile(&scratch.0, &made.text, &STRICT, None);
    let run = |name: &str| Command::new(&compiled).arg(name).output().expect("the tests should run");
    assert_eq!(String::from_utf8_lossy(&run(&made.tests[1].name).stdout), "1 test passed\n");
    assert!(!run("no_such_test").status.success());
}
