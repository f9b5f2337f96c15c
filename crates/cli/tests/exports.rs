//! `quipu cover --tests`: the file is run before it is there, holds only what passes, and replaces nothing of others.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{Ran, empty_folder, quipu};

/// A folder with some files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = empty_folder(&format!("exports-{name}"));
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("a source can be written");
    }
    folder
}

/// Covers `s.c` with tests in `t.c`.
fn export(folder: &Path, exit: i32) -> Ran {
    quipu("cover s.c --tests t.c --timeout 1").at(folder).exits(exit)
}

fn text(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("t.c")).expect("there is a file of tests")
}

/// The compilers here.
fn compilers() -> Vec<&'static str> {
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    ["gcc", "clang"].into_iter().filter(is_there).collect()
}

/// Compiles the tests without a warning in all ways, with and without sanitizers, and runs them.
#[track_caller]
fn pass_everywhere(folder: &Path) {
    for compiler in compilers() {
        for flags in [
            &["-O0"][..],
            &["-O2"],
            &["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
            &["-O0", "-DQUIPU_UNDEFINED", "-c"],
        ] {
            let mut command = Command::new(compiler);
            command.current_dir(folder).args(["-Wall", "-Wextra", "-Werror"]).args(flags);
            let libraries: &[&str] = if flags.contains(&"-c") { &[] } else { &["-lm"] };
            let built =
                command.args(["t.c", "-o", "t"]).args(libraries).output().expect("there is a compiler");
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
            if !flags.contains(&"-c") {
                let ran = Command::new(folder.join("t")).output().expect("the tests run");
                assert!(ran.status.success(), "{compiler} {flags:?}: {ran:?}\n{}", text(folder));
            }
        }
    }
}

/// What is left in a folder but for these files.
fn leftovers(folder: &Path, known: &[&str]) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let names =
        entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned());
    names.filter(|name| !known.contains(&name.as_str())).collect()
}

#[test]
fn addresses_in_unions_are_not_asserted() {
    for (n, source) in [
        "struct s { int type; union { double value; const void *fn; }; };
         int set(struct s *s, int t) { if (!s) return -1; s->type = t; if (t > 3) s->fn = s; else s->value = 2.5; return 0; }",
        "struct node { union { char tag; struct { short kind; struct node *to; } link; unsigned long word[2]; } u; int n; };
         int attach(struct node *a, struct node *b) { if (!a || !b) return 0; a->u.link.to = b; a->u.link.kind = 3; a->n = 5; return 1; }",
        "union cell { float f; void *p; }; union cell make(int k, int *p) { union cell c; if (k > 3) c.p = p; else c.f = 1.5f; return c; }",
    ]
    .iter()
    .enumerate()
    {
        let folder = folder(&format!("unions-{n}"), &[("s.c", source)]);
        let ran = export(&folder, 0).has("exported, all of them run and passed");
        assert!(!ran.stdout.contains("e-3") && !ran.stdout.contains("not in the file"), "{}", ran.stdout);
        assert!(!text(&folder).contains("e-3"), "{}", text(&folder));
        pass_everywhere(&folder);
    }
}

/// With optimisation, a compiler knows how large blocks are, and its sanitizer more than without.
#[test]
fn what_a_sanitizer_sees_only_with_optimisation_is_not_run() {
    let source = "#include <stddef.h>
        #include <stdlib.h>
        struct node { int type; double value; void *parameters[1]; };
        int leaf(int type) {
            struct node *n = malloc(offsetof(struct node, parameters));
            if (!n) return -1;
            n->type = type;
            type = n->type > 3;
            free(n);
            return type;
        }";
    let folder = folder("object-size", &[("s.c", source)]);
    let ran = export(&folder, 0);
    if compilers().contains(&"clang") {
        ran.has("1 test exported").has("not run: 1 ends in undefined behaviour");
    }
    pass_everywhere(&folder);
}

#[test]
fn addresses_in_numbers_are_neither_asserted_nor_told() {
    for (n, source) in [
        "#include <stdint.h>
         #include <string.h>
         struct c { uintptr_t cookie; uint32_t low; signed char bytes[24]; unsigned bits : 9; int k; };
         int keep(struct c *c, char *p) {
             if (c == 0 || p == 0) return 1;
             c->cookie = (uintptr_t)p ^ 0x55; c->low = (uint32_t)(uintptr_t)p; memcpy(c->bytes + 3, &p, sizeof p);
             c->bits = (uintptr_t)p >> 4 & 0x1ff; c->k = 4; return 0; }",
        "#include <stdlib.h>
         long seen; int fresh(int n) { if (n < 1 || n > 9) return 0; void *p = malloc(n); if (!p) return 1;
             seen = (long)p; free(p); return 2; }",
        "unsigned long id(int *p) { if (!p) return 7; return (unsigned long)p * 3; }",
    ]
    .iter()
    .enumerate()
    {
        let folder = folder(&format!("numbers-{n}"), &[("s.c", source)]);
        let ran = export(&folder, 0).has("address)");
        assert!(!ran.stdout.contains("disagree") && !ran.stdout.contains("not in the file"), "{}", ran.stdout);
        pass_everywhere(&folder);
    }
}

/// A confirmed test that does what attributes of the C library forbid.
#[test]
fn what_a_sanitizer_stops_is_no_clean_test() {
    for (n, source) in [
        "#include <string.h>
         int append(char *to, const char *from, size_t n) { if (n > 4) return -1; memcpy(to, from, n); return 0; }",
        "#include <string.h>
         struct view { const char *at; size_t n; };
         int same(struct view *v) { if (!v) return -1; if (v->n > 0) return 2; return memcmp(v->at, \"x\", v->n) == 0; }",
    ]
    .iter()
    .enumerate()
    {
        let folder = folder(&format!("nonnull-{n}"), &[("s.c", source)]);
        let ran = quipu("cover s.c --tests t.c --json --shape").arg(["to=null", "v->at=null"][n]).at(&folder).runs();
        let export = &ran.json()["export"];
        if export["sanitizers"].as_array().expect("a list").is_empty() {
            continue;
        }
        let stopped = &export["undefined"][0]["stopped"];
        assert!(stopped.as_str().is_some_and(|words| words.contains("never be null")), "{export:#}");
        assert!(text(&folder).contains("#ifdef QUIPU_UNDEFINED"));
        pass_everywhere(&folder);
    }
}

/// A test that is confirmed, but does something else in the file: there its function has another name.
#[test]
fn what_fails_as_exported_is_left_out() {
    for (n, source) in [
        "int named(int x) { if (x > 3) return __func__[0] == 'n'; return 5; }",
        "#include <string.h>
         unsigned long length(int x) { if (x == 8) return strlen(__func__); return 0; }",
    ]
    .iter()
    .enumerate()
    {
        let folder = folder(&format!("fails-{n}"), &[("s.c", source)]);
        let ran = export(&folder, 0).has("1 test exported, which was run and passed");
        let ran = ran.has("not in the file: 1 fails in its exported form").has("does not hold");
        assert!(ran.stdout.contains("all confirmed"), "{}", ran.stdout);
        assert!(text(&folder).contains("Left out: test "), "{}", text(&folder));
        pass_everywhere(&folder);
    }
}

#[test]
fn json_says_what_is_in_the_file() {
    let source = "int f(int a, int b) { if (a > 3) return a / b; while (a == 2) { } return 0; }";
    let folder = folder("json", &[("s.c", source)]);
    let ran =
        quipu("cover s.c --tests t.c --json --timeout 0.5 --criterion branch,undefined").at(&folder).exits(1);
    let export = &ran.json()["export"];
    let count = |list: &str| export[list].as_array().expect("a list").len();
    assert_eq!(export["file"], "t.c");
    assert_eq!(export["error"], Value::Null);
    assert_eq!(export["passed"], count("tests"));
    assert!(count("tests") >= 2 && count("undefined") >= 1, "{export:#}");
    assert_eq!(export["absent"][0]["why"], "ends in a timeout");
    assert!(export["tests"][0]["name"].as_str().expect("a name").starts_with("test_f_"), "{export:#}");
    let again = quipu("cover s.c --json").at(&folder).runs().json();
    assert_eq!(again["export"], Value::Null);
    let ran = quipu("cover s.c --tests t.c --timeout 0.5 --criterion branch,undefined").at(&folder).runs();
    let ran = ran.has("in undefined behaviour (compile with -DQUIPU_UNDEFINED)");
    ran.has("not in the file: 1 ends in a timeout");
}

const SMALL: &str = "#include \"h.h\"\nint f(int x) { if (x > LIMIT) return 1; return 0; }\n";
const HEADER: &str = "#define LIMIT 3\n";

#[test]
fn a_source_is_never_replaced() {
    let folder = folder("sources", &[("s.c", SMALL), ("h.h", HEADER)]);
    std::fs::hard_link(folder.join("s.c"), folder.join("hard.c")).expect("links can be made");
    std::os::unix::fs::symlink("s.c", folder.join("soft.c")).expect("links can be made");
    for target in ["s.c", "./s.c", "hard.c", "soft.c", "h.h"] {
        for force in ["", "--force"] {
            let ran = quipu(&format!("cover s.c --tests {target} {force}")).at(&folder).exits(2);
            assert!(ran.stdout.is_empty(), "{}", ran.stdout);
        }
        quipu(&format!("init s.c -o {target} --force")).at(&folder).exits(2).says("is never replaced");
        quipu(&format!("check s.c --witness {target} --force"))
            .at(&folder)
            .exits(2)
            .says("is never replaced");
    }
    assert_eq!(std::fs::read_to_string(folder.join("s.c")).expect("it is there"), SMALL);
    assert_eq!(std::fs::read_to_string(folder.join("h.h")).expect("it is there"), HEADER);
    assert!(leftovers(&folder, &["s.c", "h.h", "hard.c", "soft.c"]).is_empty());
}

#[test]
fn files_of_others_need_force() {
    let folder = folder("others", &[("s.c", SMALL), ("h.h", HEADER), ("t.c", "int mine;\n")]);
    export(&folder, 2).says("t.c exists, and was not written by quipu").says("--force");
    assert_eq!(text(&folder), "int mine;\n");
    quipu("cover s.c --tests t.c --force").at(&folder).exits(0);
    assert!(text(&folder).starts_with("/* Written by quipu"));
    // Our own file is replaced without a word.
    export(&folder, 0);
    assert!(leftovers(&folder, &["s.c", "h.h", "t.c"]).is_empty());
}

#[test]
fn witnesses_of_others_need_force() {
    let source = "#include <assert.h>\nint f(int x) { if (x > 3) { assert(x > 2); return 1; } return 0; }\n";
    let folder = folder("witnesses", &[("s.c", source), ("w.yml", "- mine\n")]);
    quipu("check s.c --witness w.yml").at(&folder).exits(2).says("was not written by quipu");
    assert_eq!(std::fs::read_to_string(folder.join("w.yml")).expect("it is there"), "- mine\n");
    quipu("check s.c --witness w.yml --force").at(&folder).exits(0);
    quipu("check s.c --witness w.yml").at(&folder).exits(0);
    assert!(leftovers(&folder, &["s.c", "w.yml"]).is_empty());
}

/// Nothing is searched if the file can never be.
#[test]
fn what_stops_an_export_is_found_before_the_search() {
    let own = |n: i32| {
        format!("static int own(int x) {{ return x + {n}; }} int f{n}(int x) {{ return own(x) > 9; }}")
    };
    let same_macro = "struct s { int a; }; int g(struct s *s) { return s ? s->a : 0; }";
    let other_macro = "struct s { long b; }; long h(struct s *s) { return s ? s->b : 0; }";
    let poison = "#pragma GCC poison printf\nint f(int x) { if (x) return 1; return 0; }";
    let files = [
        ("a.c", own(1)),
        ("b.c", own(2)),
        ("c.c", same_macro.to_string()),
        ("d.c", other_macro.to_string()),
        ("p.c", poison.to_string()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = folder("before", &files);
    for (args, says) in [
        ("cover a.c b.c --tests t.c", "several files have a `own` of their own"),
        ("cover c.c d.c --tests t.c", "would not compile, even without tests"),
        ("cover a.c --tests nowhere/t.c", "cannot write nowhere/t.c"),
        ("cover a.c --tests .", "is a directory"),
        ("cover p.c --tests t.c", "poisoned"),
    ] {
        let ran = quipu(args).at(&folder).exits(2).says(says);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    }
    assert!(leftovers(&folder, &["a.c", "b.c", "c.c", "d.c", "p.c"]).is_empty());
    // Without the file everything goes as usual.
    quipu("cover a.c b.c").at(&folder).exits(0);
}

#[test]
fn files_with_a_header_of_inline_functions_are_exported() {
    let header = "#pragma once\nstatic const int steps[3] = {1, 5, 9};\n\
                  static inline int step(int n) { return n < 0 || n > 2 ? 0 : steps[n]; }\n";
    let a = "#include \"h.h\"\nint a(int x) { if (step(x) == 5) return 1; return 0; }\n";
    let b = "#include \"h.h\"\nint b(int x) { return step(x) > 1 ? 3 : 4; }\n";
    let folder = folder("inline", &[("a.c", a), ("b.c", b), ("h.h", header)]);
    quipu("cover a.c b.c --tests t.c").at(&folder).exits(0).has("4 tests exported");
    pass_everywhere(&folder);
}

/// Measurements of coverage are written by tests in processes of their own, too.
#[test]
fn tests_in_processes_write_coverage() {
    for (n, source) in [
        "#include <stdlib.h>\nvoid leave(int x)\n{\n    if (x == 3)\n        exit(4);\n}\n",
        "int total(int by)\n{\n    static int sum;\n    sum += by;\n    if (sum > 9)\n        return 1;\n    return 0;\n}\n",
    ]
    .iter()
    .enumerate()
    {
        let folder = folder(&format!("coverage-{n}"), &[("s.c", source)]);
        export(&folder, 0);
        assert!(text(&folder).contains("fork()"));
        let run = |program: &str, args: &[&str]| Command::new(program).current_dir(&folder).args(args).output();
        let built = run("gcc", &["--coverage", "-o", "run", "t.c"]);
        if !built.is_ok_and(|built| built.status.success()) {
            return;
        }
        assert!(run("./run", &[]).expect("the tests run").status.success());
        let Ok(told) = run("gcov", &["run-t.gcda"]) else { return };
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        let own = told.split("File 's.c'").nth(1).unwrap_or_default();
        assert!(own.trim_start().starts_with("Lines executed:100.00%"), "{told}");
    }
}

#[test]
fn a_nan_is_asserted() {
    let source = "struct r { int n; float f; };
        double root(double x) { if (x < 0) return 0.0 / 0.0 * x; return x; }
        struct r part(float a, float b) { struct r r = {1, a / b}; if (a != 0 || b != 0) r.f = 2; return r; }
        float out; void put(float x) { if (x != x) out = x; else out = 1; }";
    let folder = folder("nan", &[("s.c", source)]);
    quipu("cover s.c --tests t.c -- -fno-trapping-math").at(&folder).runs();
    let text = text(&folder);
    for expected in ["isnan(result)", "isnan(result.f)", "isnan(out)"] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    pass_everywhere(&folder);
}

#[test]
fn a_large_table_is_compared_in_a_loop() {
    for (n, source) in [
        "unsigned tab[300]; void fill(unsigned seed) { if (seed == 0) return; for (unsigned i = 0; i < 300; i++) tab[i] = seed * i % 7; }",
        "struct p { short x; double y; }; struct p all[40]; void reset(int k) { if (k > 0) for (int i = 0; i < 40; i++) { all[i].x = i - 3; all[i].y = 0.5; } }",
        "struct big { int n; long t[200]; }; struct big make(int k) { struct big b = {k, {0}}; if (k == 1) b.t[5] = 9; return b; }",
    ]
    .iter()
    .enumerate()
    {
        let folder = folder(&format!("tables-{n}"), &[("s.c", source)]);
        export(&folder, 0).has("run and passed");
        let text = text(&folder);
        assert!(text.contains("for (i = 0;"), "{text}");
        assert!(text.matches("assert(").count() < 20, "{text}");
        pass_everywhere(&folder);
    }
}

#[test]
fn names_are_readable_and_stay() {
    let source = "typedef int (*ask)(int);
        int gauge(int level, ask f) { if (level > 100) return f ? f(level) : 2; return level == 7; }";
    let folder = folder("names", &[("s.c", source)]);
    export(&folder, 0);
    let first = text(&folder);
    assert!(
        first.contains("static void test_gauge_level_above_100") || first.contains("static void test_gauge_")
    );
    assert!(first.contains("test_gauge_level_at_most_100"), "{first}");
    assert!(!first.contains("quipu_quipu"), "{first}");
    export(&folder, 0);
    assert_eq!(first, text(&folder));
    pass_everywhere(&folder);
}

/// The file fails only when it is linked: the report is printed all the same, and nothing is left behind.
#[test]
fn the_report_is_printed_whatever_becomes_of_the_file() {
    let folder = folder("broken", &[("s.c", SMALL), ("h.h", HEADER)]);
    for flag in ["-lquipu_no_such_library", "-Wl,--no-such-option"] {
        let ran = quipu("cover s.c --tests t.c --").arg(flag).at(&folder).exits(2);
        let ran = ran.has("t.c was not written: it does not compile").has("2 goals");
        ran.says("while running: ");
        let ran = quipu("cover s.c --tests t.c --json --").arg(flag).at(&folder).exits(2);
        assert!(ran.json()["export"]["error"].as_str().is_some_and(|why| why.contains("does not compile")));
        assert!(leftovers(&folder, &["s.c", "h.h"]).is_empty());
    }
}

/// Objects of other files, whose size only the source under test tells.
#[test]
fn arrays_of_other_files_have_a_length() {
    for (n, source) in [
        "extern int table[]; int *f(int i) { if (i == 1) return 0; return table; }",
        "extern const char names[][8]; extern long limits[3];
         const void *g(int i) { if (i >= 0 && i < 3 && limits[i] == 4) return limits; return names; }",
    ]
    .iter()
    .enumerate()
    {
        let folder = folder(&format!("lengths-{n}"), &[("s.c", source)]);
        export(&folder, 0).has("2 tests exported");
        pass_everywhere(&folder);
    }
}
