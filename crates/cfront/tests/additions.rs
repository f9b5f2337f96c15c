//! Text added to a file: it sees what the file declares, and has places of its own.

use std::path::PathBuf;

use quipu_cfront::{Addition, Options, Program, compile_with};
use quipu_ir::Span;

const FILE: &str = "\
#define LIMIT 10
typedef struct { int x; } point;
static int hidden = 3;
static int twice(point p) { return 2 * p.x; }
int f(int a) { return a > LIMIT ? twice((point){ a }) : hidden; }
";

/// The program of a file with these additions.
fn with(name: &str, file: &str, additions: &[(&str, &str)]) -> Result<Program, String> {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("additions");
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(name);
    std::fs::write(&path, file).unwrap();
    let additions: Vec<Addition> = additions
        .iter()
        .map(|&(name, text)| Addition { file: 0, name: name.to_string(), text: text.to_string() })
        .collect();
    let compiled = compile_with(&[path], &additions, &Options::default());
    compiled.map_err(|failure| failure.to_string().replace(&format!("{}/", dir.display()), ""))
}

fn place(program: &Program, span: Span) -> String {
    let file = &program.module.files[span.file];
    let file = file.rsplit('/').next().unwrap();
    format!("{file}:{}:{}-{}:{}", span.line, span.column, span.end_line, span.end_column)
}

#[test]
fn an_addition_sees_the_file_and_has_places_of_its_own() {
    let text = "int check(point p) {\n  return twice(p) <\n    LIMIT && hidden > 0;\n}\n";
    let program = with("sees.c", FILE, &[("--assume", text)]).unwrap();
    assert_eq!(quipu_ir::verify(&program.module), Ok(()));
    let module = &program.module;
    let check = &module.functions[module.function("check").unwrap()];
    assert_eq!(place(&program, check.span), "--assume:1:5-1:10");
    let conditions: Vec<_> = check.code().unwrap().conds.iter().collect();
    assert_eq!(
        conditions.iter().map(|cond| cond.text.as_str()).collect::<Vec<_>>(),
        ["twice(p) < LIMIT", "hidden > 0"]
    );
    assert_eq!(place(&program, conditions[0].span), "--assume:2:10-3:10");
    assert_eq!(place(&program, conditions[1].span), "--assume:3:14-3:24");
    let source = program.sources.iter().find(|source| source.name == "--assume").unwrap();
    assert_eq!(source.bytes.as_slice(), text.as_bytes());
    assert_eq!(source.line(3), "    LIMIT && hidden > 0;");
}

#[test]
fn the_file_is_translated_as_without_additions() {
    let alone = with("same.c", FILE, &[]).unwrap().module;
    let with = with("same.c", FILE, &[("--assume", "int check(int a) { return f(a) > 0; }")]).unwrap().module;
    for (func, function) in alone.functions.entries() {
        let same = with.function(&function.name).unwrap();
        assert_eq!(quipu_ir::print_function(&alone, func), quipu_ir::print_function(&with, same));
    }
    assert_eq!(alone.globals, with.globals);
}

#[test]
fn several_additions_may_share_a_name() {
    let additions =
        [("--assume", "int first(void) { return 1; }"), ("--assume", "\nint other(void) { return 2; }")];
    let program = with("several.c", FILE, &additions).unwrap();
    let module = &program.module;
    let lines = ["first", "other"].map(|name| {
        let span = module.functions[module.function(name).unwrap()].span;
        program.sources[quipu_base::Id::index(span.file)].line(span.line)
    });
    assert_eq!(lines, ["int first(void) { return 1; }", "int other(void) { return 2; }"]);
}

#[test]
fn an_error_in_an_addition_shows_the_addition() {
    let failure =
        with("error.c", FILE, &[("--assume", "int check(int a) { return a > nothing; }")]).unwrap_err();
    let expected = "\
--assume:1:31: error: 'nothing' undeclared (first use in this function)
 1 | int check(int a) { return a > nothing; }
   |                               ^~~~~~~";
    assert!(failure.starts_with(expected), "{failure}");
    let failure = with("error.c", FILE, &[("--assume", "int check(int a) { return (a > 0; }")]).unwrap_err();
    assert!(failure.starts_with("--assume:1:33: error: "), "{failure}");
}

#[test]
fn an_error_in_the_file_is_not_blamed_on_the_addition() {
    let unclosed = format!("{FILE}int g(void) {{\n");
    let failure = with("open.c", &unclosed, &[("--assume", "int check(int a) { return a; }")]).unwrap_err();
    assert!(failure.starts_with("open.c:"), "{failure}");
}

#[test]
fn an_addition_may_include_headers() {
    let text = "#include <stdint.h>\nint check(int32_t a) { return a != INT32_MIN; }";
    let program = with("include.c", FILE, &[("--assume", text)]).unwrap();
    assert!(program.module.function("check").is_some());
}

#[test]
fn each_file_gets_its_own_additions() {
    let files = ["a.c", "b.c"].map(|file| PathBuf::from("tests/files/link").join(file));
    let addition = |file, name: &str| Addition {
        file,
        name: name.to_string(),
        text: format!("int {name}(int n) {{ return helper(n); }}\n"),
    };
    let additions = [addition(1, "second"), addition(0, "first")];
    let program = compile_with(&files, &additions, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let module = &program.module;
    let callee = |name| {
        let text = quipu_ir::print_function(module, module.function(name).unwrap());
        text.lines().find(|line| line.contains("call")).unwrap().to_string()
    };
    assert!(callee("first").contains("@helper("), "{}", callee("first"));
    assert!(callee("second").contains("@helper.1("), "{}", callee("second"));
}
