//! `main(int argc, char **argv)` is given what C promises, as far as shapes go, and nothing else.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{empty_folder, pass, quipu};

/// A program with options, one of which takes an argument.
const OPTIONS: &str = "#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int verbose = 0, count = 1;
    const char *file = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], \"-v\") == 0)
            verbose = 1;
        else if (strcmp(argv[i], \"-n\") == 0) {
            if (++i >= argc)
                return 2;
            count = atoi(argv[i]);
        } else
            file = argv[i];
    }
    if (verbose && file && count > 7)
        return 5;
    return 0;
}
";

/// As in the book: pointers are moved through the list and through its strings.
const POINTERS: &str = "int main(int argc, char *argv[])
{
    int c, except = 0, number = 0;
    while (--argc > 0 && (*++argv)[0] == '-')
        while ((c = *++argv[0]))
            switch (c) {
            case 'x': except = 1; break;
            case 'n': number = 1; break;
            default: argc = 0; break;
            }
    if (argc != 1)
        return 1;
    return except && number ? 2 : 0;
}
";

/// Who counts nothing relies on the null pointer at the end, also of the environment.
const TO_THE_END: &str = "#include <string.h>
int main(int n, char **words, char **variables)
{
    int found = 0, length = 0;
    for (char **p = words; *p; p++)
        length++;
    for (char **p = variables; *p; p++)
        if (strncmp(*p, \"HOME=\", 5) == 0)
            found = 1;
    if (length != n)
        return 1;
    return found ? 2 : 0;
}
";

fn written(name: &str, source: &str) -> std::path::PathBuf {
    let folder = empty_folder(name);
    std::fs::write(folder.join("p.c"), source).expect("the source can be written");
    folder
}

/// The goal with a text and an outcome.
fn goal(report: &Value, text: &str, outcome: &str) -> Value {
    let functions = report["functions"].as_array().expect("there are functions").iter();
    let mut goals = functions.flat_map(|function| function["goals"].as_array().expect("there are goals"));
    goals.find(|one| one["text"] == text && one["outcome"] == outcome).expect("there is such a goal").clone()
}

fn cover(folder: &Path, options: &[&str]) -> Value {
    let command = quipu("cover --json --time 10 p.c").at(folder);
    options.iter().fold(command, |command, option| command.arg(option)).runs().json()
}

#[test]
fn arguments_are_found_and_tests_with_them_pass() {
    let cases = [("options", OPTIONS, 10), ("pointers", POINTERS, 11)];
    for (name, source, goals) in cases {
        let folder = written(name, source);
        let expected = format!("{goals} goals: {goals} covered");
        quipu("cover --time 10 p.c --tests t.c").at(&folder).exits(0).has(&expected).has("all confirmed");
        let tests = pass(&folder.join("t.c"), "passed");
        assert!(tests.contains("argv"), "{tests}");
    }
}

/// The number of arguments is never other than the length of the list, whatever they are.
#[test]
fn lists_end_with_a_null_pointer() {
    let folder = written("to_the_end", TO_THE_END);
    quipu("cover --time 10 p.c --tests t.c").at(&folder).exits(3).has("all of them run and passed");
    pass(&folder.join("t.c"), "passed");
    let report = cover(&folder, &[]);
    assert_eq!(goal(&report, "found", "true")["verdict"], "covered");
    let differs = goal(&report, "length != n", "true");
    assert_ne!(differs["verdict"], "covered", "{differs:#}");
}

/// A promise of C is no assumption of Quipu's: what follows from it alone is proved.
#[test]
fn what_c_promises_is_proved() {
    let source = "int main(int argc, char **argv) { if (argc < 0) return 1;
        if (argc > 0 && !argv[0]) return 2; if (argv[argc]) return 3; return 0; }";
    let report = cover(&written("promises", source), &[]);
    for text in ["argc < 0", "argc > 0 && !argv[0]"] {
        let found = goal(&report, text, "true");
        assert_eq!(found["verdict"], "unreachable", "{found:#}");
    }
    let promise = "`argc` is not negative, and `argv` has `argc` strings and a null pointer behind them";
    let assumed = report["functions"][0]["assumptions"].as_array().expect("there are assumptions");
    assert!(assumed.iter().any(|one| *one == promise), "{assumed:#?}");
}

/// How many arguments there are and how long they are is only assumed. They become more and longer, up to a bound.
#[test]
fn more_and_longer_arguments_are_excluded_until_they_are_asked_for() {
    let source = "#include <string.h>
int many(int n) { return n >= 100; }
int main(int argc, char **argv) {
    if (many(argc)) return 1;
    if (argc > 1 && strlen(argv[1]) == 50) return 2;
    if (argc > 2 && strlen(argv[2]) == 2000) return 3;
    return 0; }";
    let folder = written("bounds", source);
    let report = cover(&folder, &["-f", "main"]);
    let cases = [
        ("many(argc)", "has at most", "--shape 'argv=strings("),
        ("argc > 2 && strlen(argv[2]) == 2000", "characters", "--shape 'argv=strings("),
    ];
    for (text, assumption, option) in cases {
        let found = goal(&report, text, "true");
        assert_eq!(found["verdict"], "excluded", "{found:#}");
        let needs = found["needs"].to_string();
        assert!(needs.contains(assumption) && needs.contains(option), "{needs}");
    }
    assert_eq!(goal(&report, "argc > 1 && strlen(argv[1]) == 50", "true")["verdict"], "covered");
    let report = cover(&folder, &["-f", "main", "--shape", "argv=strings(100, 50)"]);
    assert_eq!(goal(&report, "many(argc)", "true")["verdict"], "covered");
}

/// What users say about the number of arguments counts, and makes lists as long as that.
#[test]
fn ranges_of_the_number_of_arguments_hold() {
    let source = "int main(int argc, char **argv) { if (argc == 1) return 1;
        if (argc == 9 && argv[8][0] == 'z') return 2; return 0; }";
    let report = cover(&written("stated_count", source), &["--range", "argc=2..9"]);
    assert_eq!(goal(&report, "argc == 1", "true")["verdict"], "unreachable");
    assert_eq!(goal(&report, "argc == 9 && argv[8][0] == 'z'", "true")["verdict"], "covered");
}

/// A program without arguments has a null pointer in the place of its name.
#[test]
fn a_program_may_have_no_name() {
    let source = "int main(int argc, char **argv) { if (argv[0][0] == '-') return 1; return argc; }";
    let folder = written("no_name", source);
    let ran = quipu("check --time 10 p.c").at(&folder).exits(1);
    assert!(ran.stdout.contains("null-access"), "{}", ran.stdout);
}

/// Other functions can be given such lists as well.
#[test]
fn lists_of_strings_are_a_shape() {
    let source = "#include <string.h>
int find(char **names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}
int last(char **names) { int n = 0; while (names[n]) n++; if (n == 3) return names[2][0]; return 0; }";
    let folder = written("name_lists", source);
    let command = quipu("cover --time 10 p.c --tests t.c --shape names=strings(3)").at(&folder);
    command.exits(0).has("2 functions, 8 goals: 8 covered");
    pass(&folder.join("t.c"), "passed");
    let refused = "int f(int *p) { return p ? *p : 0; }";
    quipu("cover p.c --shape p=strings(3)")
        .at(&written("no_list", refused))
        .exits(2)
        .says("it does not point to strings");
}
