//! Pointers to functions among the inputs: what `quipu cover` makes of callbacks that the program does not define.

mod support;

use std::path::PathBuf;

use serde_json::Value;
use support::{empty_folder, pass, quipu};

/// An empty folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    empty_folder(&format!("callbacks-{name}"))
}

/// The report of a function.
fn report<'a>(json: &'a Value, function: &str) -> &'a Value {
    let functions = json["functions"].as_array().expect("there are functions");
    functions.iter().find(|one| one["name"] == function).unwrap_or_else(|| panic!("no {function} in {json}"))
}

/// The number of goals with each verdict: covered, unreachable. All tests were confirmed.
fn verdicts(report: &Value) -> (usize, usize) {
    let goals = report["goals"].as_array().expect("there are goals");
    let count = |verdict: &str| goals.iter().filter(|goal| goal["verdict"] == verdict).count();
    let (covered, unreachable) = (count("covered"), count("unreachable"));
    assert_eq!(covered + unreachable, goals.len(), "{report}");
    for test in report["tests"].as_array().expect("there are tests") {
        assert_eq!(test["replay"], "confirmed", "{test}");
    }
    (covered, unreachable)
}

#[test]
fn a_stub_stands_for_a_callback_that_nobody_defines() {
    let tests = folder("parameter").join("tests.c");
    let ran = quipu("cover callbacks/parameter.c --attack 20000 --json --tests")
        .arg(tests.to_str().expect("the path is text"))
        .exits(3);
    let json = ran.json();
    assert_eq!(verdicts(report(&json, "ask")), (6, 0));
    // A stub may return null, or a string.
    assert_eq!(verdicts(report(&json, "named")), (2, 0));
    // Nobody handed it the address of a static object, but it may call functions of the file.
    let notified = report(&json, "notified")["goals"].as_array().expect("a list of goals");
    let verdicts_of_notified: Vec<_> = notified.iter().map(|goal| &goal["verdict"]).collect();
    assert_eq!(verdicts_of_notified, ["covered", "covered", "excluded", "covered"]);
    assert_eq!(verdicts(report(&json, "twice")), (2, 0));
    pass(&tests, "10 tests passed");
}

#[test]
fn answers_of_stubs_are_told_call_by_call() {
    quipu("cover callbacks/parameter.c -f ask")
        .exits(0)
        .has("assuming `answer` is a stub whose results are inputs and that changes no memory, or is null")
        .has("answer=quipu_stub_1  x=0  quipu_stub_1 -> 42, 7  -> returns 2");
    quipu("cover callbacks/parameter.c -f named")
        .exits(0)
        .has("assuming `name` is a stub that may change what it is given, or is null")
        .has("2 goals: 2 covered");
}

#[test]
fn assumptions_go_together_with_stubs() {
    quipu("cover callbacks/parameter.c -f ask --assume answer!=0")
        .exits(0)
        .has("6 goals: 5 covered, 1 unreachable (proved), 0 gave up");
}

#[test]
fn null_callbacks_are_undefined_and_stubs_are_not() {
    quipu("cover callbacks/parameter.c -f twice --criterion undefined").exits(1).has("f=NULL");
    quipu("cover callbacks/parameter.c -f twice --criterion undefined --shape f=stub")
        .exits(0)
        .has("undefined behaviour: 0 found, 2 proved absent, 0 undecided");
}

#[test]
fn structs_and_tables_hold_callbacks() {
    let tests = folder("members").join("tests.c");
    let ran = quipu("cover callbacks/members.c --json --tests")
        .arg(tests.to_str().expect("the path is text"))
        .exits(0);
    let json = ran.json();
    assert_eq!(verdicts(report(&json, "start")), (8, 0));
    assert_eq!(verdicts(report(&json, "add")), (2, 0));
    assert_eq!(verdicts(report(&json, "dispatch")), (4, 0));
    pass(&tests, "10 tests passed");
}

#[test]
fn functions_of_the_program_come_before_the_stub() {
    let tests = folder("order").join("tests.c");
    let ran = quipu("cover callbacks/order.c -f contradicts -f reversed --json --tests")
        .arg(tests.to_str().expect("the path is text"))
        .exits(0);
    let json = ran.json();
    assert_eq!(verdicts(report(&json, "contradicts")), (4, 0));
    assert_eq!(verdicts(report(&json, "reversed")), (4, 0));
    let text = pass(&tests, "5 tests passed");
    // Sanitizers call comparison functions more often than the library does.
    assert!(text.contains("depends on the order in which the C library calls"), "{text}");
    quipu("cover callbacks/order.c -f contradicts")
        .exits(0)
        .has("`compare` is a function of its type, or a stub")
        .has("compare=by_value")
        .has("compare=quipu_stub_1");
}

#[test]
fn shapes_choose_between_functions_and_stub() {
    let summary = |shape: &str, goals: &str| {
        quipu("cover callbacks/order.c -f contradicts --shape").arg(shape).exits(0).has(goals);
    };
    summary("compare=stub", "4 goals: 4 covered");
    summary("compare=function(by_value) | null", "4 goals: 3 covered, 1 unreachable (proved)");
    summary("compare=function(by_value)|stub|null", "4 goals: 4 covered");
    summary("compare=null", "4 goals: 1 covered, 3 unreachable (proved)");
}
