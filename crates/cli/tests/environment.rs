//! The world outside of a program, and what Quipu may not conclude about it, through `cover`, `reach` and `check`.
//!
//! The programs are in `files/environment`. A comment behind each place that is asked about tells the verdict that it
//! deserves: `covered` where runs come there, and else why they were not found. None of these places is out of reach.

mod support;

use std::path::Path;

use serde_json::Value;
use support::quipu;

/// The places of a program that are asked about, with what must be said of them.
fn places(file: &str) -> Vec<(u64, String)> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/environment")).join(file);
    let text = std::fs::read_to_string(path).expect("the program is there");
    let lines = text.lines().zip(1..);
    lines.filter_map(|(line, n)| Some((n, line.split_once("MET; // ")?.1.to_string()))).collect()
}

/// The verdicts at a line, among goals or properties.
fn verdicts_at<'a>(list: impl Iterator<Item = &'a Value>, line: u64) -> Vec<&'a str> {
    list.filter(|one| one["line"] == line).map(|one| one["verdict"].as_str().expect("a verdict")).collect()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().expect("a list")
}

/// Asks all three commands about every place of a program.
#[track_caller]
fn is_judged(file: &str) {
    let expected = places(file);
    assert!(expected.len() >= 3, "a cause has variants");
    let cover = quipu(&format!("cover environment/{file} --criterion statement --json")).runs();
    let check = quipu(&format!("check environment/{file} --json -- -DCHECK")).runs();
    let (covered, checked) = (cover.json(), check.json());
    let goals = || list(&covered, "functions").iter().flat_map(|function| list(function, "goals"));
    for (line, verdict) in &expected {
        let place = format!("{file}:{line}");
        assert_eq!(verdicts_at(goals(), *line), [verdict], "cover {place}: {}", cover.stderr);
        let violated = if verdict == "covered" { "violated" } else { verdict };
        let properties = list(&checked, "properties").iter();
        assert_eq!(verdicts_at(properties, *line), [violated], "check {place}: {}", check.stderr);
        let reach = quipu(&format!("reach environment/{place} --json")).runs();
        assert_eq!(reach.json()["verdict"], **verdict, "reach {place}: {}", reach.stdout);
        assert_eq!(reach.code, if verdict == "covered" { 0 } else { 3 }, "reach {place}");
    }
    let none_differs = list(&covered, "functions").iter().all(|one| list(one, "disagreements").is_empty());
    assert!(none_differs && list(&checked, "disagreements").is_empty(), "{}{}", cover.stdout, check.stdout);
    let met = expected.iter().filter(|(_, verdict)| verdict == "covered").count();
    assert!(cover.code != 0 || met == expected.len(), "what is open shows in the exit code of {file}");
    assert_eq!(check.code, if met > 0 { 1 } else { 3 }, "check {file}");
}

#[test]
fn functions_without_a_body_write() {
    is_judged("bus.c");
}

#[test]
fn hidden_types_are_what_the_code_casts_them_to() {
    is_judged("opaque.c");
}

#[test]
fn fixed_addresses_are_devices() {
    is_judged("registers.c");
}

#[test]
fn objects_of_other_files_are_inputs_of_main() {
    is_judged("extern_main.c");
}

#[test]
fn arrays_of_unknown_length_have_elements() {
    is_judged("tables.c");
}

#[test]
fn calls_change_what_others_can_reach() {
    is_judged("work.c");
}

#[test]
fn volatile_objects_change_by_themselves() {
    is_judged("volatiles.c");
}

#[test]
fn weak_definitions_may_be_replaced() {
    is_judged("weak.c");
}

#[test]
fn constructors_and_handlers_run() {
    is_judged("started_main.c");
}

#[test]
fn what_c_leaves_open_stays_open() {
    is_judged("unspecified.c");
}

#[test]
fn sizes_and_labels() {
    is_judged("sizes.c");
}

#[test]
fn runs_go_on_behind_uninitialised_reads() {
    is_judged("uninitialised.c");
}

#[test]
fn inputs_overlap_and_are_deep() {
    is_judged("shapes.c");
}

#[test]
fn nothing_is_proved_behind_undefined_behaviour() {
    is_judged("undefined.c");
}

#[test]
fn pointers_may_be_marks() {
    is_judged("marks.c");
}
