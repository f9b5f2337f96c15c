//! Programs that are too hard for tiny limits: each ends in time and within its memory, and tells what was found before.
//! Those in `files/hard`, and two that are written here because they are long.

#[path = "support/mod.rs"]
mod support;
#[path = "support/watched.rs"]
mod watched;

use std::path::Path;
use std::time::Instant;

use watched::{Measured, measure, start};

pub use support::empty_folder;

/// CPU seconds beyond `--time`: two, and what reading and compiling takes.
const TOLERANCE: f64 = 4.0;
/// Megabytes beyond `--memory`: a tenth.
const MEMORY: u64 = 330;

fn hard(name: &str) -> String {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/hard"));
    std::fs::read_to_string(folder.join(name).with_extension("c")).expect("the program is there")
}

/// A loop around hundreds of cases.
fn large_switch() -> String {
    let case = |n: u32| format!("case {}: s = {}; if (x == {n}) n ^= {n}; break;\n", n * 7, n % 50);
    let cases: String = (0..300).map(case).collect();
    format!(
        "int f(const unsigned *in, int x) {{ unsigned s = 0; int n = 0;
        for (int i = 0; i < 30; i++) switch (s * 7 + in[i % 8]) {{ {cases} default: s++; }}
        if (n == 123456) return 1; return s == 49; }}"
    )
}

/// Sixty decisions one after the other, and one on what they have summed up.
fn many_paths() -> String {
    let parameters: Vec<String> = (0..60).map(|n| format!("int a{n}")).collect();
    let decision = |n: u32| format!("if (a{n} > {n} && a{} < a{n}) s += a{n} * {}L;\n", (n + 1) % 60, n + 1);
    let decisions: String = (0..60).map(decision).collect();
    format!("int f({}) {{ long s = 0; {decisions} return s == 1234567; }}", parameters.join(", "))
}

#[track_caller]
fn found(name: &str, run: &Measured, least: u64) {
    let (covered, tests) = (run.count("covered"), run.count("confirmed"));
    assert!(covered >= least && tests >= 1, "{name}: {covered} covered by {tests} tests\n{}", run.stderr);
    assert_eq!(run.count("unreachable"), 0, "{name}: nothing here is out of reach");
    assert_eq!(run.count("disagreements"), 0, "{name}");
}

/// Covers a program with limits that it exceeds, and counts the goals that are met all the same.
#[track_caller]
fn is_limited(name: &str, program: &str, least: u64) {
    let run = measure(&format!("hard-{name}"), program, "cover p.c --memory 300M --time 1 --json");
    let run = run.takes_at_most(1.0 + TOLERANCE).holds_at_most(MEMORY).leaves_nothing();
    found(name, &run, least);
}

#[test]
fn numbers_keep_to_limits() {
    for (name, least) in [("sorting_network", 9), ("hash", 4), ("float_chain", 6), ("matrix", 12)] {
        is_limited(name, &hard(name), least);
    }
}

#[test]
fn memory_keeps_to_limits() {
    for (name, least) in [("huge_array", 3), ("long_strings", 4), ("allocated_tree", 6), ("many_inputs", 3)] {
        is_limited(name, &hard(name), least);
    }
}

#[test]
fn control_keeps_to_limits() {
    for (name, least) in [("recursion", 8), ("machine", 12)] {
        is_limited(name, &hard(name), least);
    }
    is_limited("large_switch", &large_switch(), 100);
    is_limited("many_paths", &many_paths(), 60);
}

#[test]
fn checks_keep_to_limits() {
    for name in ["sorting_network", "huge_array", "long_strings", "machine"] {
        let args = "check p.c --ub all --memory 300M --time 1 --json";
        let run = measure(&format!("hard-check-{name}"), &hard(name), args);
        let run = run.takes_at_most(1.0 + TOLERANCE).holds_at_most(MEMORY).leaves_nothing();
        assert!(run.json()["properties"].as_array().is_some_and(|all| !all.is_empty()), "{name}");
    }
}

#[test]
fn interruptions_end_hard_work() {
    for name in ["huge_array", "recursion", "sorting_network"] {
        let run = start(&format!("hard-interrupted-{name}"), &hard(name), "cover p.c --json");
        let run = run.writes("Found").works_for(0.5).gets("-INT");
        let since = Instant::now();
        let run = run.end().exits(3).leaves_nothing();
        // Two seconds on a machine that has time for it.
        assert!(since.elapsed().as_secs_f64() < 4.0, "{name}: {:?}", since.elapsed());
        found(name, &run, 1);
    }
}
