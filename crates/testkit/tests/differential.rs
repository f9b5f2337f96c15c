//! A few dozen programs and layouts per test run; `cargo run -p quipu-testkit --bin differential` does more.

use std::fs;
use std::process::Command;

use quipu_testkit::differential::{self, Difference, Plan, Side};
use quipu_testkit::generate::{self, Config};
use quipu_testkit::layouts;
use quipu_testkit::native::TempDir;
use quipu_testkit::rng::Rng;

fn plan(programs: u64, seed: u64, side: Side, undefined: bool) -> Plan {
    let config = Config { undefined, ..Config::default() };
    Plan { first: 0, programs, seed, config, side, workers: 2 }
}

/// Fails with the first differing program.
fn expect_none(differences: &[Difference]) {
    let Some(difference) = differences.first() else { return };
    let seen: Vec<String> =
        difference.observations.iter().map(|(side, seen)| format!("{side}: {seen}")).collect();
    let source = generate::source(std::slice::from_ref(&difference.program));
    panic!(
        "{} programs differ; number {}:\n{}\n{source}",
        differences.len(),
        difference.number,
        seen.join("\n")
    );
}

#[test]
fn defined_programs_give_the_same_checksum() {
    expect_none(&differential::run(&plan(40, 1, Side::Interpreter, false), &|_| ()).unwrap());
}

#[test]
fn undefined_programs_stop_with_the_same_event_at_the_same_line() {
    expect_none(&differential::run(&plan(30, 1, Side::Interpreter, true), &|_| ()).unwrap());
}

#[test]
fn generated_programs_are_clean_under_sanitizers() {
    expect_none(&differential::run(&plan(20, 2, Side::Sanitizers, false), &|_| ()).unwrap());
}

#[test]
fn record_layouts_are_the_compilers() {
    let differences = layouts::run(40, 1).unwrap();
    let facts: Vec<String> = differences
        .iter()
        .map(|d| format!("{:?} {}: {} / {}", d.data_model, d.fact, d.ours, d.theirs))
        .collect();
    assert!(facts.is_empty(), "{}\n{}", facts.join("\n"), differences[0].source);
}

/// Warnings that would point to a mistake of the generator are errors; matters of taste are not.
#[test]
fn generated_programs_compile_without_serious_warnings() {
    let programs: Vec<_> = (0..20)
        .map(|n| generate::program(Rng::derive(7, n), &format!("p{n}_"), &Config::default()))
        .collect();
    let dir = TempDir::new().unwrap();
    let file = dir.file("programs.c");
    fs::write(&file, generate::source(&programs)).unwrap();
    let errors =
        ["sequence-point", "uninitialized", "return-type", "incompatible-pointer-types", "int-conversion"];
    let flags = errors.map(|name| format!("-Werror={name}"));
    let output =
        Command::new("cc").args(["-std=gnu17", "-fsyntax-only"]).args(flags).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_seed_names_one_program() {
    let config = Config::default();
    assert_eq!(generate::program(5, "x_", &config), generate::program(5, "x_", &config));
    assert_ne!(generate::program(5, "x_", &config).text, generate::program(6, "x_", &config).text);
}

/// Every construct that the generator knows turns up in a few hundred programs.
#[test]
fn all_constructs_appear() {
    let config = Config::default();
    let text: String = (0..300).map(|n| generate::program(n, "", &config).text).collect();
    for construct in [
        "goto ",
        "switch (",
        "default:",
        " ... ",
        "do {",
        "while (1) {",
        "for (;;) {",
        "continue;",
        "break;",
        "union ",
        "packed",
        "enum ",
        "typedef ",
        "_Bool ",
        "volatile ",
        "register ",
        "static ",
        "extern ",
        "const ",
        "inline ",
        " : 0;",
        "->",
        "?",
        " && ",
        " || ",
        "<<=",
        ">>=",
        "%=",
        "sizeof",
        "_Alignof(",
        "_Static_assert(",
        "QK_TYPE(",
        "({ ",
        "va_arg(",
        "va_copy(",
        "malloc(",
        "calloc(",
        "realloc(",
        "free(",
        "memcpy(",
        "memset(",
        "memmove(",
        "strlen(",
        "strcmp(",
        "strcat(",
        "0x1.",
        "NULL",
        "(*v",
        "table",
        "[0 ... ",
        ".f",
        "***",
        "struct {",
        "->next = ",
        "*at = (*at)->",
        "offsetof(",
        "while (from < to && ",
    ] {
        assert!(text.contains(construct), "`{construct}` never appears");
    }
}
