//! Bad input ends in a message with a place: no panic, no hang, no full memory.

use std::path::PathBuf;

use quipu_cfront::{Failure, Options, compile};

/// A file of its own for each test.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("quipu-bad-input-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn fail(name: &str, bytes: &[u8]) -> Failure {
    compile(&[file(name, bytes)], &Options::default()).expect_err("the file should be refused")
}

fn first(failure: &Failure) -> (&str, u32, u32) {
    let error = &failure.errors[0];
    let place = error.place.as_ref().expect("the error should have a place");
    (&error.message, place.line, place.column)
}

#[test]
fn files_that_cannot_be_read() {
    let missing = compile(&[PathBuf::from("no/such/file.c")], &Options::default()).unwrap_err();
    assert!(missing.to_string().contains("cannot read no/such/file.c"), "{missing}");
    let directory = compile(&[std::env::temp_dir()], &Options::default()).unwrap_err();
    assert!(directory.to_string().contains("is a directory"), "{directory}");
    let device = compile(&[PathBuf::from("/dev/zero")], &Options::default()).unwrap_err();
    assert!(device.to_string().contains("not a regular file"), "{device}");
}

#[test]
fn errors_have_a_place_and_a_caret() {
    let failure = fail("syntax.c", b"int f(int x) {\n  if (x > 3 {\n    return 1;\n  }\n  return 0;\n}\n");
    assert_eq!(first(&failure), ("expected `)`, found `{`", 2, 13));
    assert!(failure.to_string().contains("2 |   if (x > 3 {\n   |             ^"), "{failure}");
    let (_, line, column) =
        first(&fail("type.c", b"struct s { int a; };\nint f(struct s s) { return s + 1; }\n")).to_owned();
    assert_eq!((line, column), (2, 28));
}

#[test]
fn a_missing_include_is_named() {
    let failure = fail("include.c", b"#include <no/such/header.h>\n");
    let (message, line, _) = first(&failure);
    assert!(message.contains("no/such/header.h") && line == 1, "{message}");
}

#[test]
fn a_header_that_includes_itself_is_stopped() {
    let failure = fail("self.c", b"#include \"self.c\"\n");
    assert!(first(&failure).0.contains("nested too deeply"));
}

#[test]
fn bytes_that_are_not_source() {
    let all: Vec<u8> = (0..=255).collect();
    assert!(fail("binary.c", &all).to_string().contains("NUL"));
    let failure = fail("utf8.c", b"int x;\nint \xff = 3;\n");
    assert_eq!((first(&failure).1, first(&failure).2), (2, 5));
}

#[test]
fn an_empty_file_is_an_empty_program() {
    let program = compile(&[file("empty.c", b"")], &Options::default()).unwrap();
    assert!(program.module.functions.is_empty());
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("(", ")"), ("{", "}"), ("[", "]")] {
        let text = format!("int f(int x) {{ {}x;{} return 0; }}", open.repeat(10_000), close.repeat(10_000));
        let failure = fail("nesting.c", text.as_bytes());
        assert!(first(&failure).1 == 1, "{}", failure.errors[0]);
        assert!(failure.errors.len() <= 20);
    }
}

#[test]
fn a_line_of_ten_megabytes_is_taken_or_refused() {
    let sum = format!("int f(int x) {{ return {}x; }}\n", "x+".repeat(5_000_000));
    assert!(first(&fail("sum.c", sum.as_bytes())).0.contains("operators in one expression"));
    let list = format!("char a[] = {{ {} }};\n", "1,".repeat(5_000_000));
    let program = compile(&[file("list.c", list.as_bytes())], &Options::default()).unwrap();
    assert_eq!(program.module.globals.iter().next().unwrap().size, 5_000_000);
    let comment = format!("int x; /* {} */\n", "-".repeat(10_000_000));
    assert!(compile(&[file("comment.c", comment.as_bytes())], &Options::default()).is_ok());
}

#[test]
fn long_chains_within_the_limit_are_taken() {
    for link in ["x+", "x&&", "x?1:", "x,", "- "] {
        let text = format!("int f(int x) {{ return {}x; }}\n", link.repeat(20_000));
        let program = compile(&[file("chain.c", text.as_bytes())], &Options::default());
        let program = program.unwrap_or_else(|failure| panic!("{link}: {failure}"));
        quipu_ir::verify(&program.module).unwrap();
    }
}

#[test]
fn a_macro_that_explodes_is_stopped() {
    let mut text = String::from("#define A0 x x\n");
    for n in 1..40 {
        text += &format!("#define A{n} A{} A{}\n", n - 1, n - 1);
    }
    text += "int y = A39;\n";
    assert!(first(&fail("explode.c", text.as_bytes())).0.contains("too large"));
}

#[test]
fn a_comment_that_a_spliced_line_leaves_open_is_reported() {
    for end in ["\\\n", "\\\r\n", "\\\n\n", "\\", "\\ ", "\\\t \n", "\\\x0c"] {
        let failure = fail("open-comment.c", format!("int x; /* never closed {end}").as_bytes());
        assert!(first(&failure).0.contains("unterminated comment"), "{failure}");
    }
}
