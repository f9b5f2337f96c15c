//! `quipu cover` and `quipu reach`, end to end.

mod support;

use support::quipu;

/// The summary line of a function's report.
fn summary<'a>(text: &'a str, function: &str) -> &'a str {
    let start =
        text.find(&format!("{function}  cover/")).unwrap_or_else(|| panic!("no {function} in\n{text}"));
    let line = text[start..].lines().find(|line| line.contains(" goals: ") || line.contains(" goal: "));
    line.expect("a report ends with a summary").trim()
}

#[track_caller]
fn summarised(text: &str, function: &str, start: &str) {
    let found = summary(text, function);
    assert!(found.starts_with(start), "{function}: {found}\n{text}");
}

#[test]
fn dead_code_is_proved_dead_and_nearly_dead_code_is_met() {
    let ran = quipu("cover cover/dead.c --criterion branch,statement --attack 20000").exits(3);
    let text = &ran.stdout;
    summarised(text, "ranges", "9 goals: 7 covered, 2 unreachable (proved), 0 gave up");
    summarised(text, "parity", "6 goals: 4 covered, 2 unreachable (proved), 0 gave up");
    summarised(text, "after_return", "3 goals: 1 covered, 2 unreachable (proved), 0 gave up");
    summarised(text, "square", "6 goals: 4 covered, 2 unreachable (proved), 0 gave up");
    summarised(text, "needle", "5 goals: 5 covered");
    summarised(
        text,
        "overflow",
        "5 goals: 3 covered, 0 unreachable (proved), 2 only after undefined behaviour, 0 gave up",
    );
}

#[test]
fn overflow_can_wrap_around() {
    let ran = quipu("cover cover/dead.c -f overflow --overflow wrap").exits(0);
    summarised(&ran.stdout, "overflow", "2 goals: 2 covered");
    assert!(ran.stdout.contains("a=2147483647"), "{}", ran.stdout);
}

#[test]
fn loops_and_recursion_are_followed_to_their_end() {
    let ran = quipu("cover cover/loops.c -f pairs -f steps -f common --time 20").exits(0);
    summarised(&ran.stdout, "pairs", "12 goals: 11 covered, 1 unreachable (proved), 0 gave up");
    summarised(&ran.stdout, "steps", "6 goals: 6 covered");
    summarised(&ran.stdout, "common", "6 goals: 5 covered, 1 unreachable (proved), 0 gave up");
}

#[test]
fn an_endless_loop_keeps_what_was_covered() {
    let ran = quipu("cover cover/loops.c -f endless --timeout 0.2").exits(1);
    summarised(&ran.stdout, "endless", "4 goals: 4 covered");
    assert!(ran.stdout.contains("timeout"), "{}", ran.stdout);
}

#[test]
fn machines_and_function_pointers() {
    let ran = quipu("cover cover/machine.c --criterion branch,mcdc").exits(0);
    let text = &ran.stdout;
    assert!(
        summary(text, "event").contains(" 0 gave up") && summary(text, "event").contains(" covered"),
        "{text}"
    );
    assert!(summary(text, "decode").contains(" 2 unreachable (proved), 0 gave up"), "{text}");
    assert!(summary(text, "dispatch").contains(" 0 unreachable (proved), 0 gave up"), "{text}");
}

#[test]
fn objects_behind_pointers_are_inputs() {
    let ran = quipu("cover cover/memory.c").exits(0);
    summarised(&ran.stdout, "inside", "8 goals: 8 covered");
    summarised(&ran.stdout, "sort3", "8 goals: 7 covered, 1 unreachable (proved), 0 gave up");
    summarised(&ran.stdout, "find", "4 goals: 4 covered");
    assert!(ran.stdout.contains("'q'") || ran.stdout.contains("113"), "{}", ran.stdout);
}

#[test]
fn the_environment_answers() {
    let ran = quipu("cover cover/asks.c").exits(0);
    summarised(&ran.stdout, "watch", "8 goals: 7 covered, 1 unreachable (proved), 0 gave up");
    summarised(&ran.stdout, "total", "6 goals: 6 covered");
}

#[test]
fn assumptions_are_constraints() {
    let ran = quipu("cover cover/loops.c -f common --assume").arg("a % 2 == 0 && b == a + 2").exits(0);
    assert!(ran.stdout.contains("assuming `a % 2 == 0 && b == a + 2`"), "{}", ran.stdout);
    summarised(&ran.stdout, "common", "6 goals: 4 covered, 2 unreachable (proved), 0 gave up");
}

#[test]
fn contradictory_assumptions_are_told() {
    quipu("cover cover/loops.c -f common --assume a>5 --range b=1..3 --assume a<b --assume b>0")
        .exits(2)
        .says(
            "no input of `common` satisfies all of\n  --assume 'a>5'\n  --assume 'a<b'\n  --range 'b=1..3'",
        );
}

#[test]
fn mistakes_are_told_with_hints() {
    quipu("cover cover/loops.c -f comon").exits(2).says("there is no function `comon`");
    quipu("cover cover/asks.c -f sensor").exits(2).says("`sensor` has no body");
    quipu("cover cover/loops.c --assume a>1").exits(2).says("name it with -f");
    quipu("cover cover/loops.c -f common --assume a>zz").exits(2).says("--assume:2:3");
    quipu("cover cover/loops.c -f common --range z=1..2").exits(2).says("its inputs are a, b");
    quipu("cover cover/loops.c -f common --range a=3..2").exits(2).says("is empty");
    quipu("reach cover/loops.c").exits(2).says("is no place");
    quipu("reach cover/loops.c:999").exits(2).says("there is no statement");
}

#[test]
fn places_are_reached_or_the_conflict_is_told() {
    let ran = quipu("reach cover/loops.c:12").exits(0);
    assert!(ran.stdout.contains("confirmed on the compiled program"), "{}", ran.stdout);
    let ran = quipu("reach cover/dead.c:6").exits(0);
    assert!(
        ran.stdout.contains("these conflict")
            && ran.stdout.contains("`x > 10` is true")
            && ran.stdout.contains("`x < 5` is true"),
        "{}",
        ran.stdout
    );
    quipu("reach cover/dead.c:6 --count").exits(0).prints("0 inputs\n");
    quipu("reach cover/dead.c:4/else --range x=5..12 --count").exits(0).prints("6 inputs\n");
    quipu("reach cover/dead.c:4/then --range x=5..12 --domains").exits(0).prints("x in 11..12\n");
    quipu("reach cover/dead.c:7 --range x=5..12 --all").exits(0).prints("x = 11\nx = 12\n2 inputs\n");
}

#[test]
fn turns_limit_a_search() {
    quipu("reach cover/loops.c:26 --turns 3").exits(3);
    let ran = quipu("reach cover/loops.c:26 --turns 40").exits(0);
    assert!(ran.stdout.contains("confirmed"), "{}", ran.stdout);
}
