//! The C file of unit tests: compiled alone and together with the source, without warnings, and run.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use quipu_cfront::Program;
use quipu_cover::{FunctionReport, ReplayOutcome};
use quipu_goals::Criterion;
use quipu_inputs::Interface;
use quipu_report::{CTestsError, SourceFile, c_tests};
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
    let sources = [SourceFile { path: PathBuf::from(name), include: name.to_string() }];
    c_tests(program, reports, &sources).unwrap_or_else(|error| panic!("{error}"))
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
    assert!(text.contains("Left out: test 1 of `divide` (a=0, b=0) does not come back"), "{text}");
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

#[test]
fn files_that_share_a_static_name_are_refused() {
    let scratch = Scratch::new();
    let paths = ["a.c", "b.c"].map(|name| scratch.0.join(name));
    std::fs::write(&paths[0], "static int f(void) { return 1; } int a(void) { return f(); }").unwrap();
    std::fs::write(&paths[1], "static int f(void) { return 2; } int b(void) { return f(); }").unwrap();
    let program = quipu_cfront::compile(&paths, &quipu_cfront::Options::default()).unwrap();
    let sources = paths.map(|path| SourceFile { include: path.display().to_string(), path });
    assert_eq!(c_tests(&program, &[], &sources), Err(CTestsError::Shared("f".to_string())));
}
