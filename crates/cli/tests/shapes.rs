//! What is asked of inputs: `--shape`, `quipu.toml` and `quipu init`, end to end.

mod support;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use support::{Ran, quipu};

/// A folder of its own for each test, with a copy of the program.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("quipu-shapes-{}-{number}", std::process::id()));
        std::fs::create_dir_all(path.join("src")).expect("a scratch folder should be possible");
        // No file outside of this folder is looked at.
        std::fs::create_dir(path.join(".git")).expect("a scratch folder should be empty");
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/shapes/inputs.c");
        std::fs::copy(program, path.join("src/inputs.c")).expect("the program should be there");
        Folder(path)
    }

    fn config(self, text: &str) -> Folder {
        std::fs::write(self.0.join("quipu.toml"), text).expect("the file should be writable");
        self
    }

    fn run(&self, args: &str) -> support::Quipu {
        quipu(args).at(&self.0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const COVER: &str = "cover shapes/inputs.c";

/// All of standard error.
#[track_caller]
fn complains(ran: Ran, expected: &str) {
    assert_eq!(ran.stderr.trim_end(), expected.trim_matches('\n'));
}

#[test]
fn shapes_are_demanded() {
    quipu(COVER).arg("-fsum").arg("--shape").arg("a=array(2*n)").exits(0).has("points to `2*n` elements");
    quipu(COVER).arg("-fis_long").arg("--shape=text=string(5)").exits(0).has("1 unreachable (proved)");
    quipu(COVER).arg("-fis_long").arg("--shape=text=string(6)").exits(0).has("0 unreachable (proved)");
    // With three objects that do not point back, the third has no next.
    quipu(COVER).arg("-fthird").arg("--shape=list=list(3)").exits(0).has("1 unreachable (proved)");
    quipu(COVER).arg("-fthird").arg("--shape=list=list(4)").exits(0).has("0 unreachable (proved)");
    // One object can only point to itself, and then there is always a next.
    quipu(COVER)
        .arg("-fthird")
        .arg("--shape=list=cyclic(1)")
        .exits(0)
        .has("returns 4")
        .has("1 unreachable (proved)");
    quipu(COVER)
        .arg("-fsame")
        .arg("--shape=q=alias(p)")
        .arg("--shape=p=nonnull")
        .exits(0)
        .has("1 covered, 1 unreachable");
    quipu(COVER).arg("-fcall").arg("--shape=step=null").exits(0).has("`step` is null");
    quipu(COVER).arg("-fcall").arg("--shape=step=function(twice)").exits(0).has("`step` is twice");
}

#[test]
fn a_shape_can_be_for_one_function() {
    let ran = quipu(COVER).arg("-fsum").arg("-fsame").arg("--shape=same:p=object").exits(0);
    assert_eq!(ran.stdout.matches("points to one object").count(), 1, "{}", ran.stdout);
    // It is enough that one of the functions has the input.
    quipu(COVER)
        .arg("-fsum")
        .arg("-fsame")
        .arg("--shape=a=array(2)")
        .arg("--range=n=0..2")
        .exits(0)
        .has("`n` is in 0..2");
}

#[test]
fn impossible_shapes_are_shown_where_the_input_is_declared() {
    complains(
        quipu(COVER).arg("-fsum").arg("--shape=a=string(3)").exits(2),
        "
shapes/inputs.c:5:20: error: `a` cannot be `string(3)`: it does not point to characters
 5 | int sum(const int *a, int n)
   |                    ^
  = hint: it is of type `int *` (--shape 'a=string(3)')",
    );
    complains(
        quipu(COVER).arg("-fsum").arg("--shape=a=array(m)").exits(2),
        "
shapes/inputs.c:5:20: error: `a` cannot be `array(m)`: there is no input `m`
 5 | int sum(const int *a, int n)
   |                    ^
  = hint: it is of type `int *`; the integers are n (--shape 'a=array(m)')",
    );
    complains(
        quipu(COVER).arg("-fsame").arg("--shape=q=list(2)|alias(q)|array(p)").exits(2),
        "
shapes/inputs.c:22:23: error: `q` cannot be `list(2)`: it does not point to a struct
 22 | int same(int *p, int *q) { if (p == q) return 1; return p != 0; }
    |                       ^
  = hint: it is of type `int *`; no integer is known when it gets its shape (--shape 'q=list(2)|alias(q)|array(p)')
shapes/inputs.c:22:23: error: `q` cannot be `alias(q)`: `q` has another type
 22 | int same(int *p, int *q) { if (p == q) return 1; return p != 0; }
    |                       ^
  = hint: it is of type `int *`; no integer is known when it gets its shape (--shape 'q=list(2)|alias(q)|array(p)')
shapes/inputs.c:22:23: error: `q` cannot be `array(p)`: `p` is no integer
 22 | int same(int *p, int *q) { if (p == q) return 1; return p != 0; }
    |                       ^
  = hint: it is of type `int *`; no integer is known when it gets its shape (--shape 'q=list(2)|alias(q)|array(p)')",
    );
    complains(
        quipu(COVER).arg("-fcall").arg("--shape=step=function(sum)").exits(2),
        "
shapes/inputs.c:26:16: error: `step` cannot be `function(sum)`: there is no function `sum` of its type
 26 | int call(int (*step)(int), int x)
    |                ^~~~
  = hint: it is of type `int (*)(int)` (--shape 'step=function(sum)')",
    );
    complains(
        quipu(COVER).arg("-fsum").arg("--shape=n=nonnull").exits(2),
        "
shapes/inputs.c:5:27: error: `n` is no pointer
 5 | int sum(const int *a, int n)
   |                           ^
  = hint: only pointers have shapes; --range and --fix restrict numbers (--shape 'n=nonnull')",
    );
}

#[test]
fn unknown_names_are_told_with_those_that_there_are() {
    complains(
        quipu(COVER).arg("-fthird").arg("--shape=lits=nonnull").exits(2),
        "
shapes/inputs.c:15:5: error: `third` has no pointer `lits`
 15 | int third(struct node *list)
    |     ^~~~~
  = hint: did you mean `list`? its pointers are list, list->next, list->next->next, list->next->next->next (--shape 'lits=nonnull')",
    );
    complains(
        quipu(COVER).arg("-fcall").arg("-ftwice").arg("--fix=y=3").exits(2),
        "
shapes/inputs.c:26:5: error: no function under test has an input `y`
 26 | int call(int (*step)(int), int x)
    |     ^~~~
  = hint: the inputs are step, x, table[0], table[1], table[2], table[3] (--fix 'y=3')",
    );
    complains(
        quipu(COVER).arg("-fthird").arg("--shape=sum:a=null").exits(2),
        "
error: `sum` is not under test
  = hint: -f sum puts it under test (--shape 'sum:a=null')",
    );
    quipu(COVER).arg("--shape=sun:a=null").exits(2).says("there is no function `sun`");
    quipu(COVER).arg("-fthird").arg("--shape=lists=nonnull").exits(2).says("did you mean `list`?");
    quipu(COVER).arg("--shape=a=16").exits(2).says("`16` is no shape\n  = hint: a shape is null,");
}

#[test]
fn what_cannot_be_made_is_told_and_the_rest_is_decided() {
    // Nothing is known of what an incomplete struct holds: bytes stand for it.
    quipu(COVER)
        .arg("-fopaque")
        .exits(0)
        .has("assuming `h` points to 1 element, or is null\n")
        .has("4 covered");
    quipu(COVER).arg("-fopaque").arg("--shape=h=null").exits(0).has("assuming `h` is null\n");
    quipu(COVER).arg("-fopaque").arg("--shape=h=object").exits(0).has("3 unreachable (proved)");
    complains(
        quipu("cover cover/outside.c -f to_stream").exits(3),
        "
cover/outside.c:38:21: warning: `out` is null in all tests: its target belongs to the C library
 38 | int to_stream(FILE *out)
    |                     ^~~
  = hint: verdicts hold for this pointer being null only",
    );
    let ran = quipu(COVER).arg("-fforged").arg("--time=5");
    ran.exits(3).has("gave-up").has("shapes/inputs.c:44:24");
}

#[test]
fn a_file_says_what_is_known() {
    let folder = Folder::new().config(
        "[shapes]\na = \"array(3)\"\nunknown = \"null\"\n\n[function.sum]\nrange = { n = \"0..3\" }\n\
         [function.twice]\nassume = [\"x > 2\", \"x < 5\"]\n[function.call]\nfix = { x = 3 }\nshapes = { step = \"function(twice) | null\" }\nassume = [\"step != 0\"]\n",
    );
    let ran = folder
        .run("cover src/inputs.c -f sum -f twice -f call --json")
        .exits(0)
        .says("note: using quipu.toml\n");
    let json = ran.json();
    assert_eq!(json["config"], "quipu.toml");
    let assumed = |n: usize| -> Vec<String> {
        let list = json["functions"][n]["assumptions"].as_array().expect("a list");
        list.iter().map(|one| one.as_str().expect("a sentence").to_string()).collect()
    };
    assert_eq!(assumed(0)[0], "`a` points to 3 elements");
    assert!(assumed(0).contains(&"`n` is in 0..3".to_string()), "{:?}", assumed(0));
    assert_eq!(assumed(1), ["`x > 2`", "`x < 5`"]);
    assert!(assumed(2).contains(&"`x` is 3".to_string()) && assumed(2).contains(&"`step != 0`".to_string()));
    // What evaluates assumptions is no function of the program, to which `step` could point.
    assert!(!ran.stdout.contains("quipu_assumption"), "{}", ran.stdout);
    let goals = json["functions"][2]["goals"].as_array().expect("a list");
    assert!(goals.iter().any(|goal| goal["verdict"] == "unreachable"), "{}", ran.stdout);
}

#[test]
fn the_file_is_found_named_or_ignored() {
    let folder = Folder::new().config("[function.twice]\nassume = [\"x > 2\"]\n");
    folder.run("cover inputs.c -f twice").at(&folder.0.join("src")).exits(0).has("assuming `x > 2`");
    folder.run("reach src/inputs.c:24 --count --range x=0..9").exits(0).prints("7 inputs\n");
    let json = folder.run("reach src/inputs.c:24 --json").exits(0).json();
    assert_eq!((&json["config"], &json["assumptions"][0]), (&"quipu.toml".into(), &"`x > 2`".into()));
    let ran = folder.run("cover src/inputs.c -f twice --no-config --json").exits(0);
    assert!(ran.stderr.is_empty() && ran.json()["config"].is_null(), "{}", ran.stderr);
    std::fs::write(folder.0.join("other.toml"), "[function.twice]\nfix = { x = 4 }\n").expect("a file");
    folder
        .run("cover src/inputs.c -f twice --config other.toml")
        .exits(0)
        .has("assuming `x` is 4")
        .says("using other.toml");
    folder.run("cover src/inputs.c --config none.toml").exits(2).says("error: cannot read none.toml");
    // The folder is the end of a repository: nothing outside of it counts.
    std::fs::create_dir(folder.0.join("src/.git")).expect("a folder");
    assert!(folder.run("cover src/inputs.c -f twice").exits(0).stderr.is_empty());
}

#[test]
fn functions_that_evaluate_assumptions_are_no_part_of_the_program() {
    // `step` is null, `twice` or a stub, and not the function of the same type that says whether `x > 2`.
    let folder = Folder::new().config("[function.twice]\nassume = [\"x > 2\"]\n");
    folder.run("reach src/inputs.c:29 --count --fix x=3 --fix table=0").exits(0).prints("3 inputs\n");
}

#[test]
fn functions_that_share_a_name_have_entries_of_their_own() {
    let folder = Folder::new();
    let write = |name: &str, text: &str| std::fs::write(folder.0.join(name), text).expect("a file");
    write("a.c", "static int f(int *p) { return *p > 3; }\nint a(int *p) { return f(p); }\n");
    write("b.c", "static int f(char *p, int n) { return p[n]; }\nint b(char *p) { return f(p, 1); }\n");
    let proposed = folder.run("init a.c b.c -o -").exits(0);
    assert!(
        proposed.stdout.contains("\n[function.f.shapes]\np = \"array(8) | null\""),
        "{}",
        proposed.stdout
    );
    assert!(proposed.stdout.contains("\n[function.\"f.1\".shapes]\n"), "{}", proposed.stdout);
    write("quipu.toml", "[function.\"f.1\"]\nshapes = { p = \"string(3)\" }\n");
    folder.run("cover a.c b.c").exits(0).has("`p` is a string of at most 3 characters");
}

#[test]
fn options_count_more_than_the_file() {
    let folder = Folder::new().config(
        "[function.is_long]\nshapes = { text = \"string(3)\" }\n[function.twice]\nrange = { x = \"1..2\" }\n[limits]\nnull = true\n",
    );
    folder.run("cover src/inputs.c -f is_long").exits(0).has("is a string of at most 3 characters");
    folder
        .run("cover src/inputs.c -f is_long --shape text=string(7)")
        .exits(0)
        .has("is a string of at most 7 characters");
    folder.run("cover src/inputs.c -f twice").exits(0).has("`x` is in 1..2");
    folder.run("cover src/inputs.c -f twice --range x=5..6").exits(0).has("`x` is in 5..6");
    folder.run("cover src/inputs.c -f same --no-null").exits(0).has("`p` points to 8 elements\n");
}

#[test]
fn mistakes_in_the_file_are_shown() {
    complains(
        Folder::new().config("[function.sum]\nshape = { a = \"null\" }\n").run("cover src/inputs.c").exits(2),
        "
quipu.toml:2:1: error: unknown key `shape`
 2 | shape = { a = \"null\" }
   | ^~~~~
  = hint: did you mean `shapes`? the keys here are shapes, range, fix, assume",
    );
    complains(
        Folder::new()
            .config("[function.sum]\nshapes = { b = \"null\" }\n")
            .run("cover src/inputs.c")
            .exits(2),
        "
note: using quipu.toml
src/inputs.c:5:5: error: `sum` has no pointer `b`
 5 | int sum(const int *a, int n)
   |     ^~~
  = hint: its pointers are a
quipu.toml:2:12: note: asked for here
 2 | shapes = { b = \"null\" }
   |            ^",
    );
    complains(
        Folder::new()
            .config("[function.sum]\nassume = [\n  \"n > 0\",\n  \"n > m\",\n]\n")
            .run("cover src/inputs.c -f sum")
            .exits(2),
        "
note: using quipu.toml
quipu.toml:4:8: error: 'm' undeclared (first use in this function)
 4 |    n > m
   |        ^",
    );
    complains(
        Folder::new()
            .config("[function.sum]\nassume = [\"n > 4\"]\nrange = { n = \"0..3\" }\n[function.twise]\n")
            .run("cover src/inputs.c -f sum")
            .exits(2),
        "
note: using quipu.toml
quipu.toml:4:11: warning: there is no function `twise`
 4 | [function.twise]
   |           ^~~~~
  = hint: did you mean `twice`?
error: no input of `sum` satisfies all of
  quipu.toml:2: assume 'n > 4'
  quipu.toml:3: n = 0..3",
    );
    Folder::new().config("[function.sum\n").run("cover src/inputs.c").exits(2).says("quipu.toml:1:");
}

#[test]
fn init_proposes_what_is_done_anyway() {
    let folder = Folder::new();
    let ran = folder.run("init src/inputs.c -o -").exits(0);
    let expected = include_str!("files/shapes/proposed.toml");
    assert_eq!(ran.stdout, expected);
    folder.run("init src/inputs.c").exits(0).says("note: wrote quipu.toml with the inputs of 6 functions\n");
    let written = std::fs::read_to_string(folder.0.join("quipu.toml")).expect("the file is written");
    assert_eq!(written, expected);
    folder.run("init src/inputs.c").exits(2).says("error: quipu.toml exists\n  = hint: --force replaces it");
    folder.run("init src/inputs.c --force").exits(0);

    // The file changes no verdict and no test. Only the sentences about what is assumed are others.
    let functions = "-f sum -f is_long -f third -f same -f call -f opaque";
    let with = folder.run(&format!("cover src/inputs.c {functions} --json")).runs().says("using quipu.toml");
    let without = folder.run(&format!("cover src/inputs.c {functions} --json --no-config")).runs();
    let (with, without) = (with.json(), without.json());
    let decided = |report: &serde_json::Value| -> Vec<serde_json::Value> {
        let functions = report["functions"].as_array().expect("a list of functions").iter();
        let verdicts = |function: &serde_json::Value| -> Vec<serde_json::Value> {
            let goals = function["goals"].as_array().expect("a list of goals").iter();
            goals.map(|goal| serde_json::json!([goal["id"], goal["verdict"], goal["why"]])).collect()
        };
        functions.map(|one| serde_json::json!([one["name"], verdicts(one), one["tests"]])).collect()
    };
    assert_eq!(decided(&with), decided(&without));
    assert_eq!(with["summary"], without["summary"]);
}

#[test]
fn tests_tell_what_they_assume() {
    let folder = Folder::new();
    folder.run("cover src/inputs.c -f is_long -f twice --shape text=string(7) --tests tests.c").exits(0);
    let text = std::fs::read_to_string(folder.0.join("tests.c")).expect("the tests are written");
    assert!(
        text.contains("/* The tests of `is_long` assume: `text` is a string of at most 7 characters. */"),
        "{text}"
    );
    assert!(!text.contains("The tests of `twice`"), "{text}");
}
