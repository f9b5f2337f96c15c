//! Loops without a bound: what is right about the programs of `bench/loops` is proved for all turns of their loops, or
//! nothing is claimed; what is wrong with them if `BUG` is defined is found.

mod support;

use std::path::PathBuf;

use support::quipu;

/// The programs whose properties are not proved for all turns.
const OPEN: [&str; 1] = ["toggle.c"];

fn programs() -> (PathBuf, Vec<String>) {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/loops"));
    let files = std::fs::read_dir(&folder).expect("the programs are there");
    let mut names: Vec<String> =
        files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert!(names.len() >= 40 && 10 * OPEN.len() <= 3 * names.len());
    (folder, names)
}

#[test]
fn what_is_right_is_proved_for_all_turns() {
    let (folder, names) = programs();
    for name in names.iter().filter(|name| !OPEN.contains(&name.as_str())) {
        let ran = quipu(&format!("check {name} --time 30")).at(&folder).exits(0);
        assert!(ran.stdout.contains("proved") && !ran.stdout.contains("to a bound"), "{}", ran.stdout);
    }
    for name in OPEN {
        let ran = quipu(&format!("check {name} --time 2")).at(&folder).exits(3);
        assert!(!ran.stdout.contains("violated"), "{}", ran.stdout);
    }
}

#[test]
fn what_is_wrong_is_found() {
    let (folder, names) = programs();
    for name in &names {
        let ran = quipu(&format!("check {name} --time 10 -- -DBUG")).at(&folder).exits(1).has("violated");
        let is_confirmed = |with: &str| ran.stdout.contains(with);
        assert!(is_confirmed("confirmed by the") || is_confirmed("sanitizer:"), "{}", ran.stdout);
    }
}
