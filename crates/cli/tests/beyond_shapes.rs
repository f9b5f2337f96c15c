//! Goals that need more than the shapes that Quipu gives to inputs are excluded by these shapes, never unreachable.

mod support;

use std::path::Path;

use support::{empty_folder, quipu};

/// The verdicts on a goal with this text, and the assumptions that they name.
fn verdicts(folder: &str, source: &str, goal: &str, outcome: &str) -> Vec<(String, String)> {
    let folder = empty_folder(folder);
    std::fs::write(folder.join("f.c"), source).expect("the source can be written");
    let report = quipu("cover --json f.c").at(Path::new(&folder)).runs().json();
    let functions = report["functions"].as_array().expect("there are functions").iter();
    let goals = functions.flat_map(|function| function["goals"].as_array().expect("there are goals"));
    let here = goals.filter(|one| one["text"] == goal && one["outcome"] == outcome);
    let found = here.map(|one| {
        let verdict = one["verdict"].as_str().expect("a goal has a verdict").to_string();
        (verdict, one["needs"]["assumptions"].to_string())
    });
    found.collect()
}

#[track_caller]
fn are_excluded(found: &[(String, String)], count: usize, by: &str) {
    assert_eq!(found.len(), count, "{found:?}");
    assert!(found.iter().all(|(verdict, needs)| verdict == "excluded" && needs.contains(by)), "{found:?}");
}

/// The last byte of a string is only assumed to be zero, and what comes behind it is not known to be unwritten.
#[test]
fn strings_longer_than_the_shape_are_excluded_by_it() {
    let source = "int f(const char *s) { int k = 0; while (s[k] != 0) k++; if (k > 20) return 1; return 0; }
int g(const char *s) { unsigned long k = 0; while (s[k]) { if (k > 20) return 1; k++; } return 0; }
int h(const char *s) { int k = 0; for (; s[k] != 0; k++) { } if (k > 20) return 2; return 0; }";
    are_excluded(&verdicts("long-strings", source, "k > 20", "true"), 3, "string of at most 16");
}

/// Pointers behind the assumed end of an object may still point into it.
#[test]
fn distances_beyond_the_shape_are_excluded_by_it() {
    let source =
        "int f(const char *s) { const char *p = s; while (*p) p++; if (p - s > 20) return 1; return 0; }";
    are_excluded(&verdicts("long-distances", source, "p - s > 20", "true"), 1, "string of at most 16");
}
