//! Programs that read what they never wrote: what is found, what is said about it, and that no goal called unreachable is
//! met whatever the memory holds.

#[path = "support/garbage.rs"]
mod garbage;
mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use garbage::{ARGUMENTS, Garbled};
use serde_json::Value;
use support::{Quipu, Ran, empty_folder, quipu};

/// A run on one file with this text.
fn on(name: &str, text: &str, args: &str) -> Quipu {
    let folder = empty_folder(&format!("uninitialized-{name}"));
    std::fs::write(folder.join("p.c"), text).expect("the file can be written");
    let (command, rest) = args.split_once(' ').unwrap_or((args, ""));
    quipu(command).arg("p.c").args(rest).at(&folder)
}

/// The verdicts on the goals of the first function, by line and outcome.
fn verdicts(ran: &Ran) -> Vec<(u64, String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let goals = ran.json()["functions"][0]["goals"].as_array().expect("goals").clone();
    let one = |goal: &Value| {
        (goal["line"].as_u64().expect("a line"), text(&goal["outcome"]), text(&goal["verdict"]))
    };
    goals.iter().map(one).collect()
}

#[track_caller]
fn assert_verdict(ran: &Ran, line: u64, outcome: &str, verdict: &str) {
    let all = verdicts(ran);
    let is_it = |one: &&(u64, String, String)| one.0 == line && one.1 == outcome;
    let found = all.iter().find(is_it).unwrap_or_else(|| panic!("no such goal in {all:?}"));
    assert_eq!(found.2, verdict, "{}", ran.stdout);
}

const COUNTED: &str = "int f(int x)
{
    int s;
    s++;
    if (x == 5)
        return 1;
    return 0;
}
";

#[test]
fn a_local_that_only_flows_has_tests_that_say_so() {
    let ran = on("flows", COUNTED, "cover --tests t.c").exits(1);
    let ran = ran
        .has("2 goals: 2 covered")
        .has("reads `s++` uninitialised in line 4  confirmed")
        .has("finding: every run does something undefined, such as uninitialized-read at p.c:4:5")
        .has("finding: undefined behaviour: `s++` at p.c:4:5 reads what was never written");
    assert!(!ran.stdout.contains("not in the file"), "{}", ran.stdout);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("uninitialized-flows");
    let text = std::fs::read_to_string(folder.join("t.c")).expect("the tests were written");
    assert!(text.contains("reads `s++` uninitialised in line 4"), "{text}");
    assert!(text.contains("test_f_x_is_5"), "{text}");
}

#[test]
fn trap_leaves_goals_behind_such_a_read_without_tests() {
    let ran = on("trap", COUNTED, "cover --json --uninitialized trap").exits(3);
    assert_verdict(&ran, 5, "true", "only-after-undefined");
    assert_verdict(&ran, 5, "false", "only-after-undefined");
    assert_eq!(ran.json()["functions"][0]["always_undefined"]["event"], "uninitialized-read");
}

#[test]
fn json_tells_the_reads_of_each_test() {
    let ran = on("json", COUNTED, "cover --json").exits(1);
    let tests = ran.json()["functions"][0]["tests"].as_array().expect("tests").clone();
    assert_eq!(tests.len(), 2);
    for test in tests {
        let read = &test["uninitialized"][0];
        assert_eq!((read["line"].as_u64(), read["text"].as_str()), (Some(4), Some("s++")), "{test}");
    }
}

#[test]
fn the_file_says_what_such_reads_mean() {
    let with = |rule: &str, code: i32| {
        let folder = empty_folder(&format!("uninitialized-config-{rule}"));
        std::fs::write(folder.join("p.c"), COUNTED).expect("the file can be written");
        let config = format!("[limits]\nuninitialized = \"{rule}\"\n");
        std::fs::write(folder.join("quipu.toml"), config).expect("the file can be written");
        quipu("cover p.c").at(&folder).exits(code)
    };
    with("trap", 3).has("2 only after undefined behaviour");
    with("any", 1).has("2 covered");
    with("automatic", 1).has("2 covered");
    with("never", 2).says("\"trap\", \"any\" or \"automatic\"");
}

#[test]
fn options_count_more_than_the_file() {
    let folder = empty_folder("uninitialized-over-config");
    std::fs::write(folder.join("p.c"), COUNTED).expect("the file can be written");
    std::fs::write(folder.join("quipu.toml"), "[limits]\nuninitialized = \"trap\"\n").expect("written");
    quipu("cover p.c --uninitialized automatic").at(&folder).exits(1).has("2 covered");
}

/// A comparison with what was never written was decided by the zero that the encoding had there.
#[test]
fn a_comparison_with_what_was_never_written_is_not_decided_by_a_zero() {
    let text = "int f(void)\n{\n    int s;\n    if (s == 7)\n        return 1;\n    return 0;\n}\n";
    for rule in ["trap", "automatic"] {
        let ran = on("seven", text, &format!("cover --json --uninitialized {rule}")).runs();
        assert_verdict(&ran, 4, "true", "only-after-undefined");
    }
    let ran = on("seven-any", text, "cover --json --uninitialized any").exits(1);
    assert_verdict(&ran, 4, "true", "gave-up");
    assert_verdict(&ran, 4, "false", "covered");
}

/// The join of both paths forgot that nothing was written on one of them.
#[test]
fn a_variable_set_on_one_path_only_is_zero_on_the_other() {
    let text = "int f(int x)
{
    int s;
    if (x)
        s = 3;
    if (s == 0)
        return 1;
    return 0;
}
";
    let ran = on("path", text, "cover --json --tests t.c").exits(1);
    assert_verdict(&ran, 6, "true", "covered");
    let json = ran.json();
    let absent = json["export"]["absent"].as_array().expect("a list");
    assert_eq!(absent.len(), 1, "{absent:?}");
    assert!(
        absent[0]["why"].as_str().expect("a text").contains("memory that was never written"),
        "{absent:?}"
    );
    let ran = on("path-trap", text, "cover --json --uninitialized trap").runs();
    assert_verdict(&ran, 6, "true", "only-after-undefined");
}

#[test]
fn what_holds_for_every_value_is_proved() {
    let text = "int f(unsigned x)
{
    unsigned char c;
    unsigned s = c;
    if (s > 255)
        return 1;
    if ((s & 1) == 2)
        return 2;
    return x > 3;
}
";
    let ran = on("proved", text, "cover --json --uninitialized any").exits(1);
    assert_verdict(&ran, 5, "true", "unreachable");
    assert_verdict(&ran, 7, "true", "unreachable");
    assert_verdict(&ran, 5, "false", "covered");
}

#[test]
fn an_array_that_is_initialised_in_part() {
    let text = "int f(int n)
{
    int a[4];
    a[0] = 1;
    a[1] = 2;
    if (n < 0 || n > 3)
        return -1;
    if (a[n] == 2)
        return 1;
    if (a[n] == 0)
        return 2;
    return 0;
}
";
    let ran = on("array", text, "cover --json").exits(1);
    assert_verdict(&ran, 8, "true", "covered");
    assert_verdict(&ran, 10, "true", "covered");
    assert_verdict(&ran, 10, "false", "covered");
}

#[test]
fn members_of_structs() {
    let text = "struct pair { int a; int b; };
int f(int x)
{
    struct pair p, q;
    p.a = x;
    q = p;
    if (q.a == 3)
        return 1;
    if (q.b)
        return 2;
    return 0;
}
";
    let ran = on("struct", text, "cover --json --uninitialized any").exits(1);
    assert_verdict(&ran, 7, "true", "covered");
    assert_verdict(&ran, 9, "false", "covered");
    assert_verdict(&ran, 9, "true", "gave-up");
    // Nothing is read before the last decision: a test of the first one says nothing.
    let tests = ran.json()["functions"][0]["tests"].as_array().expect("tests").clone();
    let first = tests.iter().find(|test| test["returns"] == 1).expect("a test returns 1");
    assert!(first["uninitialized"].is_null(), "{first}");
}

#[test]
fn allocated_memory() {
    let text = "#include <stdlib.h>
int f(int x)
{
    int *p = malloc(2 * sizeof *p);
    if (!p)
        return -1;
    p[0]++;
    free(p);
    p = malloc(3 * sizeof *p);
    if (!p)
        return -2;
    int r = p[2];
    free(p);
    if (x == 9)
        return 1;
    return r == 0;
}
";
    let ran = on("malloc", text, "cover --json").exits(1);
    assert_verdict(&ran, 14, "true", "covered");
    assert_verdict(&ran, 14, "false", "covered");
    assert_verdict(&ran, 10, "true", "covered");
}

#[test]
fn a_loop_that_reads_before_it_writes() {
    let text = "int f(int n)
{
    int sum;
    for (int i = 0; i < n && i < 4; i++)
        sum += i;
    if (n > 2 && sum == 3)
        return 1;
    return 0;
}
";
    let ran = on("loop", text, "cover --json").exits(1);
    assert_verdict(&ran, 6, "true", "covered");
    assert_verdict(&ran, 6, "false", "covered");
}

/// A variable of a loop's body is another one in each turn.
#[test]
fn a_variable_of_the_body_of_a_loop() {
    let text = "int f(int n)
{
    for (int i = 0; i < 3; i++) {
        int seen;
        if (i == 2 && seen == 1)
            return n;
        seen = 1;
    }
    return 0;
}
";
    let ran = on("body", text, "cover --json --criterion condition").runs();
    let of_seen: Vec<_> = ran.json()["functions"][0]["goals"]
        .as_array()
        .expect("goals")
        .iter()
        .filter(|goal| goal["text"] == "seen == 1")
        .map(|goal| (goal["outcome"].clone(), goal["verdict"].clone()))
        .collect();
    assert_eq!(of_seen, [("true".into(), "only-after-undefined".into()), ("false".into(), "covered".into())]);
}

/// No value makes an access through such a pointer defined.
#[test]
fn an_access_through_an_uninitialised_pointer_stays_undefined() {
    let text = "int f(int x)
{
    int *p;
    *p = x;
    if (x == 3)
        return 1;
    return 0;
}
";
    for rule in ["trap", "any", "automatic"] {
        let ran = on("pointer", text, &format!("cover --json --uninitialized {rule}")).runs();
        assert_ne!(ran.code, 0, "{}", ran.stdout);
        for (line, outcome, verdict) in verdicts(&ran) {
            let is_open = ["only-after-undefined", "gave-up"].contains(&verdict.as_str());
            assert!(is_open, "{rule}: {line} {outcome} {verdict}");
        }
    }
}

#[test]
fn an_uninitialised_pointer_that_is_only_compared() {
    let text = "int f(int x)
{
    int *p;
    if (x > 2)
        p = &x;
    if (p)
        return 1;
    return 0;
}
";
    let ran = on("compared", text, "cover --json").exits(1);
    assert_verdict(&ran, 6, "true", "covered");
    assert_verdict(&ran, 6, "false", "covered");
}

#[test]
fn an_uninitialised_truth_value() {
    let text = "int f(int x)
{
    _Bool b;
    int n = b;
    if (n == 254)
        return 2;
    if (x == 4)
        return 1;
    return 0;
}
";
    let ran = on("bool", text, "cover --json --uninitialized any").exits(1);
    // The byte may hold anything, which is not followed: nothing is proved behind that.
    assert_verdict(&ran, 5, "true", "gave-up");
    assert_verdict(&ran, 7, "true", "covered");
    let ran = on("bool-automatic", text, "cover --json").exits(1);
    assert_verdict(&ran, 5, "true", "only-after-undefined");
    assert_verdict(&ran, 7, "true", "covered");
}

#[test]
fn bit_fields_and_floats() {
    let text = "struct s { unsigned a : 3, b : 5; double d; };
int f(int x)
{
    struct s s;
    s.a = x & 7;
    if (s.b == 0 && s.a == 5)
        return 1;
    if (s.d != 0.0)
        return 2;
    return 0;
}
";
    let ran = on("bits", text, "cover --json").exits(1);
    assert_verdict(&ran, 6, "true", "covered");
    assert_verdict(&ran, 6, "false", "covered");
    assert_verdict(&ran, 8, "false", "covered");
    assert_verdict(&ran, 8, "true", "only-after-undefined");
}

#[test]
fn library_functions_read_what_was_never_written() {
    let text = "#include <string.h>
int f(int x)
{
    char s[4];
    s[0] = 'a';
    if (strlen(s) == 1 && x == 3)
        return 1;
    return 0;
}
";
    let ran = on("strlen", text, "cover --json").exits(1);
    assert_verdict(&ran, 6, "true", "covered");
    let read = &ran.json()["functions"][0]["tests"][0]["uninitialized"][0];
    assert_eq!(read["text"], "strlen(s)");
}

#[test]
fn check_finds_violations_behind_such_a_read_and_says_so() {
    let text = "extern void reach_error(void);
int main(void)
{
    int s;
    extern int __VERIFIER_nondet_int(void);
    int x = __VERIFIER_nondet_int();
    s++;
    if (x == 5)
        reach_error();
    return 0;
}
";
    on("check", text, "check")
        .exits(1)
        .has("violated  9:9  error-call  `reach_error()`")
        .has("after undefined behaviour: reads `s++` uninitialised in line 7; with zeros there")
        .has("finding: every run does something undefined");
    let ran = on("check-json", text, "check --json").exits(1);
    assert_eq!(ran.json()["properties"][0]["uninitialized"][0]["line"], 7);
    on("check-trap", text, "check --uninitialized trap").exits(3).has("only-after-undefined");
}

#[test]
fn the_read_itself_is_a_violation_under_every_rule() {
    for rule in ["trap", "any", "automatic"] {
        on("itself", COUNTED, &format!("check --ub uninitialised --uninitialized {rule}"))
            .exits(1)
            .has("violated  4:5  uninitialized-read  `s++`");
        on("itself-goal", COUNTED, &format!("cover --criterion undefined --uninitialized {rule}"))
            .exits(1)
            .has("uninitialized-read  found");
    }
}

#[test]
fn what_is_undefined_behind_such_a_read_is_found() {
    let text = "int f(int x)\n{\n    int s;\n    s++;\n    return 10 / (x - 3);\n}\n";
    on("behind", text, "cover --criterion undefined").exits(1).has("division-by-zero    found");
    on("behind-check", text, "check --ub division").exits(1).has("violated  5:12  division-by-zero");
}

/// Sanitizers fill memory in their own way, so that nothing may be divided by zero there.
#[test]
fn what_is_undefined_with_zeros_only_is_found_too() {
    let text = "int f(int x)\n{\n    int s;\n    int t = s;\n    return x / t;\n}\n";
    let ran = on("zeros-only", text, "cover --criterion undefined --json").exits(1);
    assert_verdict(&ran, 5, "division-by-zero", "covered");
    assert_eq!(ran.json()["summary"]["disagreements"], 0);
}

/// Paths that no clean run takes were unreachable, "proved", with exit code 0.
#[test]
fn paths_behind_such_a_read_are_not_called_unreachable() {
    let ran = on("paths", COUNTED, "cover --criterion path --json").exits(3);
    let paths = ran.json()["functions"][0]["paths"].as_array().expect("paths").clone();
    assert_eq!(paths.len(), 2);
    assert!(paths.iter().all(|path| path["verdict"] == "only-after-undefined"), "{paths:?}");
    let dead = "int f(int x)\n{\n    int s;\n    s++;\n    if (x > 5 && x < 3)\n        return 1;\n    return 0;\n}\n";
    let ran = on("dead-path", dead, "cover --criterion path --json").exits(3);
    let summary = &ran.json()["summary"];
    assert_eq!(
        (summary["unreachable"].as_u64(), summary["only-after-undefined"].as_u64()),
        (Some(1), Some(1))
    );
}

#[test]
fn reach_tells_the_read() {
    let ran = on("reach", COUNTED, "cover").runs();
    assert!(ran.stdout.contains("covered"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("uninitialized-reach");
    quipu("reach p.c:6")
        .at(&folder)
        .exits(0)
        .has("x = 5")
        .has("after undefined behaviour: reads `s++` uninitialised in line 4");
    quipu("reach p.c:6 --uninitialized trap").at(&folder).exits(3).has("only after undefined behaviour");
}

/// Whatever is undefined, a function that always does it is a finding.
#[test]
fn a_function_whose_every_run_is_undefined_is_a_finding() {
    let text = "int f(int x)
{
    int *p = 0;
    int r = x > 0 ? *p : 1 / (int)(p != 0);
    if (x == 3)
        return r;
    return 0;
}
";
    let ran = on("always", text, "cover --json").runs();
    assert_ne!(ran.code, 0);
    assert_eq!(ran.json()["functions"][0]["always_undefined"]["line"], 4);
    on("always-text", text, "cover").runs().has("finding: every run does something undefined, such as");
    let checked = "#include <assert.h>
int f(int x)
{
    int *p = 0;
    int r = *p;
    assert(r == x);
    return 0;
}
";
    on("always-check", checked, "check").exits(3).has("finding: every run does something undefined");
    let fine = "int f(int x)\n{\n    int *p = 0;\n    if (x == 7)\n        return *p;\n    return 0;\n}\n";
    let ran = on("sometimes", fine, "cover --json").exits(1);
    assert!(ran.json()["functions"][0]["always_undefined"].is_null());
}

/// Exported tests pass with the user's flags and with sanitizers.
#[test]
fn exported_tests_do_not_depend_on_the_memory() {
    let text = "int f(int x)
{
    int junk, spare = 0;
    for (int i = 0; i < 2; i++)
        spare += junk & 1;
    if (x > 2)
        return 1;
    return 0;
}
";
    let folder = empty_folder("uninitialized-export");
    std::fs::write(folder.join("p.c"), text).expect("the file can be written");
    quipu("cover p.c -f f --tests t.c")
        .at(&folder)
        .exits(1)
        .has("2 tests exported, all of them run and passed");
    let tests = folder.join("t.c");
    for compiler in ["gcc", "clang"] {
        for level in ["-O0", "-O2"] {
            let program = folder.join("t");
            let built = Command::new(compiler).args([level, "-w", "-o"]).args([&program, &tests]).status();
            // Not every machine has both of them.
            if built.is_ok_and(|status| status.success()) {
                assert!(Command::new(&program).status().expect("the tests run").success());
            }
        }
    }
}

/// A test that shows what depends on the value is not exported, even if two contents of memory show the same.
#[test]
fn tests_that_look_at_the_value_are_not_exported() {
    let looks = [
        "int f(void) { int s; if (s == 7) return 1; return 0; }",
        "int f(int x) { int s; x += s; return x & 0; }",
        "int g; int f(int x) { int s; g = s; return x > 1; }",
        "int f(int x) { int s, a[2] = { 1, 1 }; return a[s & 1] + (x > 1); }",
        "static void hear(int *p) { (void)p; } int f(int x) { int s, t; t = s; hear(&t); return x > 1; }",
    ];
    for (n, text) in looks.iter().enumerate() {
        let ran = on(&format!("looks-{n}"), text, "cover -f f --json --tests t.c").runs();
        let json = ran.json();
        assert_eq!(json["export"]["tests"].as_array().map(Vec::len), Some(0), "{text}: {}", json["export"]);
        let left_out =
            ["absent", "undefined"].map(|list| json["export"][list].as_array().map_or(0, Vec::len));
        assert!(left_out.iter().sum::<usize>() > 0, "{text}: {}", json["export"]);
    }
}

/// `QUIPU_PROGRAMS` sets how many, `QUIPU_FIRST` the seed of the first one.
#[test]
fn no_goal_called_unreachable_is_met_whatever_the_memory_holds() {
    let number = |name: &str, otherwise| {
        std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(otherwise)
    };
    let (first, programs) = (number("QUIPU_FIRST", 0), number("QUIPU_PROGRAMS", 10));
    let mut counts: BTreeMap<(&str, String), u64> = BTreeMap::new();
    let folder = empty_folder("uninitialized-random");
    for seed in first..first + programs {
        let program = Garbled::new(seed);
        std::fs::write(folder.join("p.c"), &program.source).expect("the file can be written");
        let seen = program.runs(&folder);
        let (low, high) = ARGUMENTS;
        for rule in ["trap", "any", "automatic"] {
            let args = format!(
                "cover p.c -f f --json --overflow wrap --failing-allocations 0 --time 10 \
                 --range x={low}..{high} --range y={low}..{high} --uninitialized {rule}"
            );
            let ran = quipu(&args).at(&folder).runs();
            let disagreements = &ran.json()["functions"][0]["disagreements"];
            assert_eq!(
                disagreements.as_array().map(Vec::len),
                Some(0),
                "seed {seed}:\n{program}\n{disagreements}"
            );
            for (line, outcome, verdict) in verdicts(&ran) {
                let is_met = seen.contains(&(line, outcome == "true"));
                assert!(
                    !(is_met && verdict == "unreachable"),
                    "seed {seed}, {rule}: line {line} {outcome} is met\n{program}"
                );
                *counts.entry((rule, verdict)).or_default() += 1;
            }
        }
    }
    println!("{programs} programs: {counts:#?}");
    let count = |rule, verdict: &str| counts.get(&(rule, verdict.to_string())).copied().unwrap_or(0);
    assert!(
        count("any", "unreachable") > 0 && count("any", "covered") > count("trap", "covered"),
        "{counts:?}"
    );
}
