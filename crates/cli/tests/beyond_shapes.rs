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

/// What another file defines without telling its length is not empty, and nothing is proved from the length assumed.
#[test]
fn arrays_of_unknown_length_have_elements() {
    let table = "extern const unsigned char tab[]; int f(int x) { if (tab[2] == 7) return x; return 0; }";
    let far = "extern int rows[][4]; int f(int i) { if (rows[i][1] == 9 && i > 100) return 1; return 0; }";
    let fixed = "extern int tab[]; int f(void) { if (tab[40] == 3) return 1; return 0; }";
    let cases =
        [("open_table", table, "covered"), ("open_rows", far, "excluded"), ("open_far", fixed, "excluded")];
    for (name, source, verdict) in cases {
        let folder = empty_folder(name);
        std::fs::write(folder.join("p.c"), source).expect("the folder can be written to");
        let ran = quipu("cover --json -f f").arg(&folder.join("p.c").to_string_lossy()).runs().json();
        let goals = ran["functions"][0]["goals"].as_array().expect("goals");
        assert_eq!(goals[0]["verdict"], verdict, "{name}: {ran:#}");
        let is_proved = |goal: &serde_json::Value| goal["verdict"] == "unreachable";
        assert!(!goals.iter().any(is_proved), "{name}: {ran:#}");
    }
}
