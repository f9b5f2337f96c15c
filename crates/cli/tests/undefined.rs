//! `quipu cover --criterion undefined`, end to end: what goes wrong is found and seen by a sanitizer, and what was
//! repaired is proved to be fine.

mod support;

use serde_json::Value;
use support::quipu;

/// The report on all functions of a file. Nobody looks there whether memory is refused.
fn functions(file: &str) -> Vec<Value> {
    let options = "--criterion undefined --json --attack 2000 --failing-allocations 0";
    let ran = quipu(&format!("cover undefined/{file} {options}")).exits(1);
    let report: Value = serde_json::from_str(&ran.stdout).expect("a report should be JSON");
    report["functions"].as_array().expect("there are functions").clone()
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// What was found in a function: events with lines, and who has seen them.
fn found(function: &Value) -> Vec<(String, u64, String)> {
    let seen = |test: &Value| {
        let undefined = &test["undefined"];
        let line = undefined["line"].as_u64().expect("an event has a line");
        (text(undefined, "event").to_string(), line, text(undefined, "confirmed_by").to_string())
    };
    let mut found: Vec<_> = function["tests"].as_array().expect("tests").iter().map(seen).collect();
    found.sort();
    found
}

/// An event, its line, and who has seen it.
type Seen<'a> = (&'a str, u64, &'a str);

/// Functions come in pairs: one that goes wrong in these ways, and its repair.
#[track_caller]
fn pairs(file: &str, expected: &[(&str, &[Seen<'_>])]) {
    let functions = functions(file);
    let named = |name: String| {
        let mut all = functions.iter();
        all.find(|function| text(function, "name") == name).unwrap_or_else(|| panic!("no {name}"))
    };
    for (name, events) in expected {
        let bad = named(format!("{name}_bad"));
        let events: Vec<_> =
            events.iter().map(|(event, line, by)| (event.to_string(), *line, by.to_string())).collect();
        assert_eq!(found(bad), events, "{name}_bad");
        for function in [bad, named(format!("{name}_good"))] {
            let counts = &function["summary"]["undefined"];
            let goals = function["goals"].as_array().expect("goals").len();
            let n_found = if function == bad { events.len() } else { 0 };
            assert_eq!(counts["found"], n_found, "{function:#}");
            let count = |what: &str| counts[what].as_u64().unwrap_or(0) as usize;
            assert_eq!(count("absent") + count("excluded"), goals - n_found, "{function:#}");
            assert_eq!(counts["undecided"], 0, "{function:#}");
            assert!(function["disagreements"].as_array().is_some_and(Vec::is_empty), "{function:#}");
        }
    }
    let n_pairs = functions.iter().filter(|function| text(function, "name").ends_with("_bad")).count();
    assert_eq!(n_pairs, expected.len(), "every pair should be looked at");
}

#[test]
fn accesses() {
    let sanitizer = "sanitizer";
    pairs(
        "memory.c",
        &[
            ("null", &[("null-access", 11, sanitizer), ("null-access", 11, sanitizer)]),
            ("parameter", &[("out-of-bounds", 23, sanitizer)]),
            ("local", &[("out-of-bounds", 36, sanitizer)]),
            ("global", &[("out-of-bounds", 51, sanitizer)]),
            ("heap", &[("out-of-bounds", 68, sanitizer)]),
            ("freed", &[("use-after-free", 95, sanitizer)]),
            ("twice", &[("double-free", 115, sanitizer)]),
            ("wrong", &[("invalid-free", 132, sanitizer)]),
            ("unwritten", &[("uninitialized-read", 148, "memory")]),
            ("ended", &[("use-after-free", 166, sanitizer)]),
            ("constant", &[("write-to-constant", 186, "signal")]),
            ("misaligned", &[("misaligned", 200, sanitizer)]),
        ],
    );
}

#[test]
fn arithmetic() {
    let sanitizer = "sanitizer";
    pairs(
        "numbers.c",
        &[
            ("sum", &[("signed-overflow", 5, sanitizer)]),
            ("quotient", &[("division-by-zero", 17, sanitizer), ("division-overflow", 17, sanitizer)]),
            ("shift", &[("shift-out-of-range", 29, sanitizer), ("shift-overflow", 29, sanitizer)]),
            ("negate", &[("signed-overflow", 41, sanitizer)]),
            ("zeros", &[("zero-bit-count", 53, sanitizer)]),
            ("cannot", &[("unreachable-reached", 64, sanitizer)]),
            ("fraction", &[("float-to-int-range", 78, sanitizer)]),
        ],
    );
}

#[test]
fn pointers_and_calls() {
    pairs(
        "pointers.c",
        &[
            ("order", &[("unrelated-pointers", 9, "sanitizer")]),
            ("distance", &[("unrelated-pointers", 21, "sanitizer")]),
            ("call", &[("invalid-call", 38, "signal")]),
            ("missing", &[("missing-return-value", 55, "")]),
            ("overlap", &[("overlapping-copy", 67, "sanitizer")]),
        ],
    );
}

#[test]
fn the_words_are_found_and_absent() {
    let ran = quipu("cover undefined/numbers.c -f sum_bad -f sum_good --criterion undefined").exits(1);
    ran.has("> g0  5:12  undefined  a + b  signed-overflow  found  t1\n")
        .has("sanitizer: signed integer overflow: ")
        .has("  undefined behaviour: 1 found, 0 proved absent, 0 undecided; 1 test, all confirmed\n")
        .has("  g2  12:12  undefined  a + b                signed-overflow  absent\n")
        .has("  undefined behaviour: 0 found, 3 proved absent, 0 undecided; 0 tests\n");
    quipu("cover undefined/numbers.c -f sum_good --criterion undefined").exits(0);
}

#[test]
fn preconditions_and_other_criteria() {
    let sum = "cover undefined/numbers.c -f sum_bad --criterion undefined,decision";
    let ran = quipu(&format!("{sum} --range a=-9..9 --range b=-9..9")).exits(0);
    ran.has(
        "  1 goal: 1 covered, 0 unreachable (proved), 0 gave up; undefined behaviour: 0 found, 1 proved\n",
    );
    quipu(sum).exits(1).has("1 goal: 1 covered").has("1 found, 0 proved\n");
    quipu(&format!("{sum} --overflow wrap"))
        .exits(0)
        .has("1 goal: 1 covered, 0 unreachable (proved), 0 gave up; 1 test");
}

/// Undefined behaviour of callees counts with `--depth`.
#[test]
fn callees_are_looked_into() {
    let calls = "cover undefined/calls.c -f caller --criterion undefined";
    quipu(calls).exits(0).has("0 found, 1 proved absent, 0 undecided");
    quipu(&format!("{calls} --depth 1"))
        .exits(1)
        .has("> g1  5:12   undefined  a + 7         signed-overflow  found   t1\n")
        .has("1 found, 1 proved absent, 0 undecided");
}

/// A loop without an end in sight, and a library function without a model.
#[test]
fn what_is_not_known_is_not_called_absent() {
    let ran = quipu("cover undefined/calls.c -f scan --criterion undefined --time 5").exits(3);
    ran.has("absent-to-bound").has("0 found");
    let ran = quipu("cover undefined/calls.c -f length --criterion undefined").exits(1);
    ran.has("null-access         found").has("no model of the library function `sscanf`");
}

#[test]
fn tests_with_undefined_behaviour_stand_apart() {
    let folder = std::env::temp_dir().join(format!("quipu-undefined-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/undefined/numbers.c");
    std::fs::copy(source, folder.join("numbers.c")).expect("a copy");
    let asked = "cover numbers.c -f quotient_bad --criterion undefined,statement --tests tests.c";
    quipu(asked).at(&folder).exits(1);
    let run = |flags: &[&str]| {
        let cc = |flags: &[&str]| {
            let mut command = std::process::Command::new("cc");
            command.current_dir(&folder).args(["-Wall", "-Wextra", "-Werror", "tests.c", "-o", "tests"]);
            command.args(flags).status().expect("a compiler").success()
        };
        assert!(cc(flags), "the tests should compile");
        let output =
            std::process::Command::new(folder.join("tests")).output().expect("the tests should start");
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("text")
    };
    let sanitizers = "-fsanitize=address,undefined";
    assert_eq!(run(&[sanitizers, "-fno-sanitize-recover=all"]), "1 test passed\n");
    let text = run(&["-DQUIPU_UNDEFINED"]);
    for line in
        ["division-by-zero in line 17: ended by signal 8", "division-overflow in line 17: ended by signal 8"]
    {
        assert!(text.contains(line), "{text}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}
