//! Proofs against other engines: what `quipu check` proves is attacked by random inputs, by SAT alone on a few turns of
//! loops, and, where inputs are few, by the compiled program on all of them.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Ran, empty_folder, quipu};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The folders whose programs are checked, and their flags, with each of which they are another program.
const CORPUS: [(&str, &[&str]); 5] = [
    ("bench/loops", &[""]),
    ("bench/check", &["", "-DBUG"]),
    ("examples", &[""]),
    ("crates/cli/tests/files/check", &[""]),
    ("crates/cli/tests/files/proofs", &[""]),
];

#[test]
fn proofs_about_loops_stand_up_to_attacks() {
    assert!(attack(&CORPUS[..1]) >= 10);
}

#[test]
fn other_proofs_stand_up_to_attacks() {
    assert!(attack(&CORPUS[1..]) >= 40);
}

/// Attacks all proofs, and tells how many of them SAT alone could confirm to a bound.
fn attack(corpus: &[(&str, &[&str])]) -> usize {
    let mut confirmed = 0;
    for (folder, variants) in corpus {
        for file in programs(&Path::new(ROOT).join(folder)) {
            for flags in *variants {
                let ran = quipu("check --attack 500 --time 6").arg(&file).arg("--").args(flags).runs();
                assert!(matches!(ran.code, 0 | 1 | 3), "{file} {flags}: {}", ran.stderr);
                let is_fine = !ran.stderr.contains("internal error") && !ran.stderr.contains("panicked");
                assert!(is_fine, "{file} {flags}: {}\n{}", ran.stderr, ran.stdout);
                confirmed += confirmed_by_sat(&ran);
            }
        }
    }
    confirmed
}

fn programs(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("the programs are there");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(!files.is_empty());
    files.iter().map(|file| file.to_string_lossy().into_owned()).collect()
}

/// What the notes say; each function at which runs start has one.
fn confirmed_by_sat(ran: &Ran) -> usize {
    let notes = ran.stderr.lines().filter(|line| line.starts_with("note: SAT alone"));
    let notes: Vec<&str> = notes.collect();
    assert!(!notes.is_empty() && notes.iter().all(|note| note.ends_with(" 0 refuted")), "{}", ran.stderr);
    let number = |note: &&str| -> usize {
        let before = note.split(" confirmed").next().unwrap_or_default();
        before.rsplit(' ').next().and_then(|word| word.parse().ok()).expect("a number of goals")
    };
    notes.iter().map(number).sum()
}

/// Programs with few inputs: their flags, and the calls that run them on `a`, `b` and `c`, which have all values of a
/// byte.
struct Narrow {
    file: &'static str,
    flags: &'static str,
    n_inputs: usize,
    calls: &'static str,
}

const fn narrow(file: &'static str, flags: &'static str, n_inputs: usize, calls: &'static str) -> Narrow {
    Narrow { file, flags, n_inputs, calls }
}

const NARROW: [Narrow; 9] = [
    narrow("bench/check/freight.c", "-DNARROW", 3, "check(a, b, c);"),
    narrow("bench/check/box.c", "-DNARROW", 3, "check(a, b, c);"),
    narrow("bench/check/median.c", "-DNARROW", 3, "check(a, b, c);"),
    narrow("bench/check/guard.c", "-DNARROW", 3, "check(a, b, c);"),
    narrow("bench/check/lower.c", "-DNARROW -DLEN=2", 3, "word t[] = { a, b }; check(t, c);"),
    narrow("bench/check/change.c", "-DNARROW", 2, "check(a, b);"),
    narrow("bench/check/average.c", "-DNARROW", 2, "check(a, b);"),
    narrow("bench/check/root.c", "-DNARROW", 1, "check(a);"),
    narrow("bench/check/steps.c", "-DNARROW", 2, "check(a, b);"),
];

#[test]
fn verdicts_are_what_all_inputs_say() {
    let mut decided = Decided::default();
    for program in &NARROW {
        for bug in ["", " -DBUG"] {
            decided.compare(program, &format!("{}{bug}", program.flags));
        }
    }
    decided.are_most();
}

#[test]
fn verdicts_on_loops_are_what_all_inputs_say() {
    let file = Path::new(ROOT).join("crates/cli/tests/files/proofs/narrow.c");
    let text = std::fs::read_to_string(file).expect("the file is there");
    let heads = text.lines().filter_map(|line| line.strip_prefix("void ")?.split_once('('));
    let mut decided = Decided::default();
    for (function, _) in heads {
        let calls: &'static str = Box::leak(format!("{function}(a, b);").into_boxed_str());
        decided.compare(&narrow("crates/cli/tests/files/proofs/narrow.c", "", 2, calls), "");
    }
    decided.are_most();
}

/// How many assertions were decided. Those that are proved to a bound only, for lack of time, are open.
#[derive(Default)]
struct Decided {
    decided: usize,
    open: usize,
}

impl Decided {
    /// The verdict on each line with an assertion, by Quipu and by running all inputs.
    fn compare(&mut self, program: &Narrow, flags: &str) {
        let file = Path::new(ROOT).join(program.file);
        let call = program.calls.rsplit("; ").next().expect("a call");
        let function = call.split('(').next().expect("a name");
        let truth = enumerate(program, &file, flags);
        let arguments = format!("check --json --time 5 -f {function}");
        let ran = quipu(&arguments).arg(&file.to_string_lossy()).arg("--").args(flags).runs();
        let report = ran.json();
        let properties = report["properties"].as_array().expect("a list");
        assert!(truth.keys().all(|line| properties.iter().any(|property| property["line"] == *line)));
        for property in properties {
            let line = property["line"].as_u64().expect("a number");
            let expected = truth.get(&line).map_or("unreachable", String::as_str);
            match property["verdict"].as_str() {
                Some("proved-to-bound" | "gave-up") => self.open += 1,
                // All inputs are run without a look at what is undefined in them.
                Some("only-after-undefined") => {
                    assert!(matches!(expected, "proved" | "unreachable"), "{function}:{line} {expected}");
                    self.decided += 1;
                }
                verdict => {
                    assert_eq!(verdict, Some(expected), "{} {flags} {function}:{line}", program.file);
                    self.decided += 1;
                }
            }
        }
    }

    fn are_most(&self) {
        assert!(self.decided >= 20 && self.open * 6 <= self.decided, "{} open", self.open);
    }
}

/// Compiles a program that runs all inputs and tells each line with an assertion that was reached.
fn enumerate(program: &Narrow, file: &Path, flags: &str) -> BTreeMap<u64, String> {
    let name = format!("all-inputs-{}-{}-{}", program.file, flags, program.calls);
    let folder = empty_folder(&name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-"));
    let write =
        |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file can be written");
    write("assert.h", ASSERT);
    write("main.c", &driver(program, file));
    let binary = folder.join("all");
    let built = Command::new("cc")
        .args(["-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-I"])
        .arg(&folder)
        .args(flags.split_whitespace())
        .arg(folder.join("main.c"))
        .arg("-o")
        .arg(&binary)
        .output()
        .expect("there is a compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&binary).output().expect("the program runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(line, verdict)| (line.parse().expect("a line"), verdict.to_owned())).collect()
}

const ASSERT: &str = "#undef assert
#define assert(e) (reached[__LINE__] = 1, (e) ? (void)0 : fail(__LINE__))
";

fn driver(program: &Narrow, file: &Path) -> String {
    let mut text = String::from(
        "#include <setjmp.h>\n#include <stdio.h>\n\
         static unsigned char reached[1000], failed[1000];\nstatic jmp_buf next;\nstatic int a, b, c;\n\
         static void fail(int line) { failed[line] = 1; longjmp(next, 1); }\n",
    );
    let _ = writeln!(text, "#include \"{}\"\nint main(void) {{", file.display());
    for name in &["a", "b", "c"][..program.n_inputs] {
        let _ = writeln!(text, "for ({name} = -128; {name} < 128; {name}++)");
    }
    let _ = writeln!(text, "if (!setjmp(next)) {{ {} }}", program.calls);
    text.push_str(
        "for (int line = 0; line < 1000; line++)\n\
         if (reached[line]) printf(\"%d %s\\n\", line, failed[line] ? \"violated\" : \"proved\");\nreturn 0; }\n",
    );
    text
}

/// What was proved about a function is no longer proved if a function that it uses does something else than predicted.
#[test]
fn disagreements_withdraw_the_proofs_of_callers() {
    let folder = support::empty_folder("withdrawn");
    let source =
        "int same(void) { const char *a = \"quipu\", *b = \"quipu\"; if (a == b) return 1; return 0; }
        int caller(int x) { int y = x & 1; if (x > 5) return same(); if (y == 2) return 9; return 0; }
        int other(int x) { int y = x & 1; if (y == 2) return 9; return 0; }";
    std::fs::write(folder.join("w.c"), source).expect("the source can be written");
    let report = support::quipu("cover w.c --json --range x=0..3").at(&folder).exits(1).json();
    let verdict =
        |function: usize, goal: usize| report["functions"][function]["goals"][goal]["verdict"].clone();
    assert!(!report["functions"][0]["disagreements"].as_array().expect("a list").is_empty(), "{report:#}");
    assert_eq!(verdict(1, 2), "gave-up", "{report:#}");
    assert_eq!(verdict(2, 0), "unreachable", "{report:#}");
}
