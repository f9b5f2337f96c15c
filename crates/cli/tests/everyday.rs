//! What every user meets: decisions that are too large, library functions that nobody wrote a model for, functions that
//! are not supported beside others that are, divisions in macros.

mod support;

use std::path::PathBuf;

use serde_json::Value;
use support::{empty_folder, pass, quipu};

fn written(name: &str, source: &str) -> PathBuf {
    let folder = empty_folder(&format!("everyday-{name}"));
    std::fs::write(folder.join("p.c"), source).expect("the source can be written");
    folder
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().expect("a list")
}

/// The atoms of a large decision, joined by operators.
fn joined(atom: impl Fn(usize) -> String, with: &str) -> String {
    (0..20).map(atom).collect::<Vec<String>>().join(with)
}

/// No goal vanishes because there are too many.
#[test]
fn decisions_too_large_for_mcdc_are_given_up() {
    let both = joined(|n| format!("(a[{n}] || b[{n}])"), " && ");
    let either = joined(|n| format!("(a[{n}] > {n} && b[{n}] != a[{n}])"), " || ");
    let sources = [
        ("both", format!("int f(const int *a, const int *b) {{ if ({both}) return 1; return 0; }}"), 40),
        (
            "either",
            format!("int f(const int *a, const int *b) {{ while ({either}) return 1; return 0; }}"),
            40,
        ),
        (
            "value",
            format!("int f(const int *a, const int *b, int n) {{ int r = n > 3 && ({both}); return r; }}"),
            41,
        ),
    ];
    for (name, source, atoms) in sources {
        let folder = written(&format!("mcdc-{name}"), &source);
        let ran = quipu("cover p.c --criterion mcdc --time 10 --json").at(&folder).exits(3);
        let json = ran.json();
        let function = &json["functions"][0];
        let of_atoms = list(function, "goals").iter().filter(|goal| goal["kind"] == "mcdc");
        let verdicts: Vec<&Value> = of_atoms.map(|goal| &goal["verdict"]).collect();
        assert_eq!(verdicts.len(), atoms, "{name}");
        assert!(verdicts.iter().all(|verdict| **verdict == "gave-up"), "{name}: {verdicts:?}");
        assert_eq!(list(function, "not_analysed").len(), 1, "{name}");
    }
    // Many atoms have few evaluations if one of them decides.
    let chain = joined(|n| format!("a[{n}] > {n}"), " && ");
    let folder =
        written("mcdc-chain", &format!("int f(const int a[20]) {{ if ({chain}) return 1; return 0; }}"));
    quipu("cover p.c --criterion mcdc").at(&folder).exits(0).has("20 goals: 20 covered");
}

#[test]
fn library_functions_without_a_model_are_inputs() {
    let tests = empty_folder("everyday-library").join("tests.c");
    let ran = quipu("cover everyday_library.c --time 20 --tests").arg(&tests.to_string_lossy()).exits(0);
    ran.has("7 functions, 28 goals: 28 covered").has("all confirmed");
    pass(&tests, "passed");
}

/// What is not supported is never judged, and takes nothing away from its neighbours.
#[test]
fn functions_that_are_not_supported_are_left_out() {
    let jump = "#include <setjmp.h>\nstatic jmp_buf b;
        int odd(int x) { int k = setjmp(b); if (k == 0) { if (x == 3) longjmp(b, 9); return 0; }
        return 77; }";
    let array = "int odd(int n) { if (n < 1 || n > 5) return 0; int a[n], k = 0;
        (void)sizeof(int[(++k, n)]); a[0] = k; if (a[0] == 1)
        return 77; return 0; }";
    let weak = "extern int hook(void) __attribute__((weak));
        int odd(void) { if (!hook)
        return 77; return 0; }";
    for (name, source, line) in [("jump", jump, 4), ("array", array, 3), ("weak", weak, 3)] {
        let plain = format!("{source}\nint plain(int x) {{ if (x == 4711) return 1; return 0; }}");
        let folder = written(&format!("left-out-{name}"), &plain);
        let json = quipu("cover p.c --json").at(&folder).exits(3).json();
        assert_eq!(json["summary"]["covered"], 2, "{name}: {json:#}");
        assert_eq!(json["summary"]["goals"], 2, "{name}: {json:#}");
        assert_eq!(list(&json, "unsupported")[0]["name"], "odd", "{name}");
        let reach = quipu(&format!("reach p.c:{line} --json")).at(&folder).runs();
        assert_ne!(reach.code, 0, "{name}: {}", reach.stdout);
        assert!(reach.json()["error"].is_object(), "{name}: {}", reach.stdout);
    }
}

/// Whatever goals several operations in one macro share, none is absent that happens.
#[test]
fn operations_in_macros_are_found() {
    let divisions =
        "#define D (x / y + y / z)\nint f(int x, int y, int z) { if (z == 0) return 0; return D; }";
    let squares = "#define SQ(a) ((a) * (a))
        int f(int a, int b) { if (a < 0 || a > 100) return 0; return SQ(a) + SQ(b); }";
    let elements = "#define AT(t, i) (t[i] + t[(i) + 1])
        int f(int i) { static const int t[4] = {1, 2, 3, 4}; if (i < 0 || i > 3) return 0; return AT(t, i); }";
    for (name, source, event) in [
        ("divisions", divisions, "division-by-zero"),
        ("squares", squares, "signed-overflow"),
        ("elements", elements, "out-of-bounds"),
    ] {
        let folder = written(&format!("macro-{name}"), source);
        let json = quipu("cover p.c --criterion undefined --json").at(&folder).exits(1).json();
        let mut goals = list(&json["functions"][0], "goals").iter().filter(|goal| goal["outcome"] == event);
        assert!(goals.any(|goal| goal["verdict"] == "covered"), "{name}: {json:#}");
    }
}

/// Nothing undefined happens where a function without a body ends the run.
#[test]
fn functions_that_never_return_end_runs() {
    let ran = quipu("cover everyday_ends.c --json").runs();
    let json = ran.json();
    assert_eq!(json["summary"]["covered"], 8, "{}", ran.stdout);
    let tests = list(&json, "functions").iter().flat_map(|function| list(function, "tests"));
    let ends: Vec<&Value> = tests.map(|test| &test["ends"]).collect();
    assert_eq!(ends.iter().filter(|end| **end == "aborted").count(), 3, "{ends:?}");
    assert!(ends.iter().all(|end| **end == "aborted" || **end == "returned"), "{ends:?}");
    quipu("check everyday_ends.c --ub all").exits(0);
}
