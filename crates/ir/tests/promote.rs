//! Promotion, one rule per file in `files/promote`: a body of a function from `i32` to `i32`, the line
//! `; after`, and the text form of what promotion makes of it. `UPDATE_EXPECT=1` rewrites the second part.

use std::path::{Path, PathBuf};

use quipu_ir::{Body, DataModel, parse, print_function, promote, verify};

const DECLARATIONS: &str = r#"module lp64
file0 = "test.c"
t0 = void
t1 = int "int" signed 32
t2 = function (t1) -> t1
t3 = function (t1) -> t0
t4 = pointer t1
t5 = function (t4) -> t0
func @see(n: i32 t1) : t3
func @see_address(p: ptr t4) : t5
"#;
const HEAD: &str = "func @f(x: i32 t1) -> i32 : t2 {\n";
const SEPARATOR: &str = "; after\n";

#[test]
fn files() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/promote");
    let entries = std::fs::read_dir(directory).expect("the test files should exist");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a file should be listed").path()).collect();
    paths.sort();
    assert!(paths.len() >= 14, "test files are missing");
    paths.iter().for_each(|path| check(path));
}

fn check(path: &Path) {
    let text = std::fs::read_to_string(path).expect("a test file should be readable");
    let (before, after) = text.split_once(SEPARATOR).expect("a test file should have two parts");
    let found = promoted(before).unwrap_or_else(|message| panic!("{}: {message}", path.display()));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, format!("{before}{SEPARATOR}{found}")).expect("a test file should be writable");
    } else {
        assert_eq!(found, after, "{}", path.display());
    }
}

/// The body after promotion, which should be as well-formed as before.
fn promoted(body: &str) -> Result<String, String> {
    let mut module =
        parse(&format!("{DECLARATIONS}{HEAD}{body}}}\n")).map_err(|error| format!("{error:?}"))?;
    verify(&module).map_err(|errors| format!("before: {errors:?}"))?;
    let func = module.function("f").ok_or("no function")?;
    let Body::Defined(body) = &mut module.functions[func].body else { return Err("no body".to_string()) };
    promote(body, DataModel::Lp64);
    verify(&module).map_err(|errors| format!("after: {errors:?}"))?;
    let text = print_function(&module, func);
    let inner = text.strip_prefix(HEAD).and_then(|text| text.strip_suffix("}\n"));
    inner.map(str::to_string).ok_or(format!("unexpected text {text}"))
}
