//! Allocations that fail, end to end: in the interpreter, in proofs, in the compiled program, and in exported tests.

mod support;

use support::{empty_folder, pass, quipu};

#[test]
fn each_failure_is_covered_and_exported() {
    let tests = empty_folder("allocations-export").join("tests.c");
    let ran =
        quipu("cover allocations/heap.c -f three -f grown -f by_hook -f by_pointer --attack 20000 --tests")
            .arg(tests.to_str().expect("the path is text"))
            .exits(0)
            .has("assuming only the first 8 allocations of a run may fail")
            .has("malloc -> a block  strdup -> NULL  -> returns 2")
            .has("malloc -> a block  strdup -> a block  calloc -> NULL  -> returns 3")
            .has("malloc -> a block  realloc -> NULL  -> returns 0")
            .has("10 goals: 9 covered, 1 unreachable (proved), 0 gave up; 5 tests, all confirmed")
            .has("10 goals: 9 covered, 1 unreachable (proved), 0 gave up; 3 tests, all confirmed")
            .has("2 goals: 2 covered, 0 unreachable (proved), 0 gave up; 2 tests, all confirmed")
            .has("4 goals: 4 covered, 0 unreachable (proved), 0 gave up; 3 tests, all confirmed");
    assert!(!ran.stdout.contains("disagree"), "{}", ran.stdout);
    let text = pass(&tests, "tests passed");
    assert!(text.contains("quipu_refused = 0x2; /* allocation 2 fails */"), "{text}");
    assert!(text.contains("#define malloc quipu_malloc\n"), "its address is used\n{text}");
    assert!(text.contains("{.make = malloc}"), "{text}");
    assert!(text.contains("#define strdup(...) quipu_strdup(__VA_ARGS__)\n"), "{text}");
}

#[test]
fn how_many_may_fail_can_be_said() {
    quipu("cover allocations/heap.c -f three --failing-allocations 0")
        .exits(0)
        .has("assuming allocations do not fail")
        .has("10 goals: 5 covered, 5 unreachable (proved), 0 gave up");
    quipu("cover allocations/heap.c -f three --failing-allocations 1")
        .exits(0)
        .has("assuming only the first allocation of a run may fail")
        .has("10 goals: 6 covered, 4 unreachable (proved), 0 gave up");
    let folder = empty_folder("allocations-config");
    let file = folder.join("quipu.toml");
    std::fs::write(&file, "[limits]\nfailing-allocations = 0\n").expect("a file can be written");
    quipu("cover allocations/heap.c -f by_hook --config")
        .arg(file.to_str().expect("the path is text"))
        .exits(0)
        .has("2 goals: 1 covered, 1 unreachable (proved), 0 gave up");
}

/// No test file has more than it needs.
#[test]
fn tests_in_which_nothing_fails_call_the_library() {
    let tests = empty_folder("allocations-plain").join("tests.c");
    quipu("cover allocations/heap.c -f three --failing-allocations 0 --tests")
        .arg(tests.to_str().expect("the path is text"))
        .exits(0);
    assert!(!pass(&tests, "tests passed").contains("quipu_refuse"));
}

#[test]
fn memory_that_nobody_checks_is_undefined_behaviour() {
    quipu("cover allocations/heap.c -f unchecked --criterion undefined")
        .exits(1)
        .has("null-access")
        .has("malloc -> NULL")
        .has("sanitizer");
    quipu("cover allocations/heap.c -f unchecked --criterion undefined --failing-allocations 0")
        .exits(0)
        .has("undefined behaviour: 0 found, 8 proved absent, 0 undecided");
}
