//! What becomes of suites: criteria, paths, JSON, C files, hostile programs, and Ctrl-C.

mod support;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::quipu;

/// An empty folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("quipu-suites-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("the output is JSON")
}

fn verdicts(report: &Value) -> Vec<(String, String)> {
    let functions = report["functions"].as_array().expect("there are functions");
    let goals = functions.iter().flat_map(|function| function["goals"].as_array().expect("goals are a list"));
    goals
        .map(|goal| {
            let text = |name: &str| goal[name].as_str().unwrap_or_default().to_string();
            (
                format!("{} {} {} {}", text("kind"), goal["line"], text("text"), text("outcome")),
                text("verdict"),
            )
        })
        .collect()
}

#[test]
fn every_criterion_decides_every_goal() {
    for criterion in ["statement", "branch", "condition", "decision", "mcdc", "mcdc-unique", "boundary"] {
        let ran = quipu(&format!("cover cover/suite.c -f adjust -f digits --json --criterion {criterion}"))
            .exits(0);
        let verdicts = verdicts(&parsed(&ran.stdout));
        assert!(verdicts.len() >= 6, "{criterion}: {verdicts:?}");
        for (goal, verdict) in verdicts {
            assert!(verdict == "covered" || verdict == "unreachable", "{criterion}: {goal}: {verdict}");
        }
    }
}

#[test]
fn independence_pairs_are_told() {
    let ran = quipu("cover cover/suite.c -f adjust --criterion mcdc --json").exits(0);
    let report = parsed(&ran.stdout);
    let goals = report["functions"][0]["goals"].as_array().unwrap().clone();
    let covered: Vec<&Value> = goals.iter().filter(|goal| goal["verdict"] == "covered").collect();
    assert!(covered.len() >= 5, "{goals:#?}");
    for goal in covered {
        let [yes, no] =
            ["true", "false"].map(|half| goal["pair"][half]["vector"].as_str().expect("a pair has vectors"));
        assert_ne!(yes, no);
    }
}

#[test]
fn paths_are_goals() {
    let ran = quipu("cover cover/suite.c -f digits --criterion path --turns 2 --json").exits(0);
    let report = parsed(&ran.stdout);
    let paths = report["functions"][0]["paths"].as_array().unwrap().clone();
    let covered = paths.iter().filter(|path| path["verdict"] == "covered").count();
    // A number with a minus or without, of one, two or three digits; nothing has nine digits after two turns.
    assert_eq!(covered, 6, "{paths:#?}");
    assert!(paths.iter().all(|path| path["verdict"] == "covered" || path["verdict"] == "unreachable"));
}

#[test]
fn a_path_has_a_name() {
    quipu("cover cover/suite.c --path 37/then,39/then,41/else,39/else")
        .exits(0)
        .has("takes p1")
        .has("1 goal: 1 covered");
    quipu("cover cover/suite.c --path 37/else,39/then,41/then").exits(0).has("unreachable");
    quipu("cover cover/suite.c --path 37/then,41/else")
        .exits(2)
        .says("behind step 1 (line 37), `n > 9` at cover/suite.c:39:12 decides");
    quipu("cover cover/suite.c --path 37/then,38/else").exits(2).says("no decision at step 2 (line 38)");
    quipu("cover cover/suite.c --path 37/perhaps").exits(2).says("is no step of a path");
    let ran = quipu("cover cover/suite.c -f adjust --path 14/else,16/else,21/1,25/then").exits(0);
    assert!(ran.stdout.contains("case 1"), "{}", ran.stdout);
}

#[test]
fn a_result_that_is_missing_is_not_compared() {
    quipu("cover cover/suite.c -f careless").exits(0).has("2 goals: 2 covered");
}

#[test]
fn what_is_not_supported_is_told() {
    let ran = quipu("cover cover/suite.c --json").exits(3).says("`with_assembly` is not supported");
    let report = parsed(&ran.stdout);
    assert_eq!(report["unsupported"][0]["name"], "with_assembly");
    assert_eq!(report["unsupported"][0]["line"], 61);
    quipu("cover cover/suite.c -f half").exits(0).has("2 goals: 2 covered");
    let ran = quipu("cover cover/suite.c -f parsed").exits(3);
    assert!(ran.stdout.contains("no model of the library function `sscanf`"), "{}", ran.stdout);
}

/// A proof that rests on something that another call or another file may change says so.
#[test]
fn what_is_taken_for_granted_is_told() {
    let ran =
        quipu("cover cover/outside.c -f report -f second_call -f allocated -f to_stream -f above").exits(3);
    for assumption in [
        "assuming `calls` has its initial content at the start",
        "assuming `out` is null: its target belongs to the C library",
    ] {
        assert!(ran.stdout.contains(assumption), "{assumption} in\n{}", ran.stdout);
    }
    // Writing to a null stream is undefined, in the interpreter as in the compiled program.
    quipu("cover cover/outside.c -f closes")
        .exits(3)
        .has("2 goals: 0 covered, 0 unreachable (proved), 2 excluded");
    // Streams are no inputs.
    assert!(!ran.stdout.contains("_IO_"), "{}", ran.stdout);
}

#[test]
fn the_same_command_gives_the_same_report() {
    let run =
        || quipu("cover cover/suite.c -f adjust --criterion branch,mcdc,boundary --json").exits(0).stdout;
    assert_eq!(run(), run());
}

#[test]
fn exported_tests_compile_without_warnings_and_pass() {
    exported_tests_pass("export", "cover/suite.c", "-f adjust -f digits --criterion branch,boundary");
}

/// Inputs point to elements of arrays, behind the last one, and into structs.
#[test]
fn exported_tests_point_into_arrays() {
    let text = exported_tests_pass("places", "cover/ring.c", "--criterion branch,condition");
    for expected in
        ["wr = &buf[7];", ".at = &ring.buf[3] + 1}", ".at = &r.buf[3]}", "cell = &grid[2][0];", "&grid[1];"]
    {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

/// Writes tests, compiles and runs them, and returns their text.
fn exported_tests_pass(name: &str, file: &str, options: &str) -> String {
    let folder = folder(name);
    let tests = folder.join("tests.c");
    let source = format!("{}/tests/files/{file}", env!("CARGO_MANIFEST_DIR"));
    quipu(&format!("cover {file} {options} --tests")).arg(tests.to_str().expect("the path is text")).exits(0);
    for with_source in [false, true] {
        let program = folder.join("tests");
        let mut command = Command::new("cc");
        command.args(["-Wall", "-Wextra", "-Werror", "-Wno-return-type", "-o"]).arg(&program).arg(&tests);
        if with_source {
            command.arg(&source);
        }
        let built = command.output().expect("there is a compiler");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let ran = Command::new(&program).output().expect("the tests run");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        assert!(String::from_utf8_lossy(&ran.stdout).contains("tests passed"));
    }
    std::fs::read_to_string(&tests).expect("the tests are written")
}

#[test]
fn hostile_programs_do_no_harm() {
    let folder = folder("hostile");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/cover/hostile.c");
    std::fs::copy(source, folder.join("hostile.c")).expect("the program can be copied");
    std::fs::write(folder.join("precious.txt"), "keep me").expect("a file can be written");
    let ran = quipu("cover hostile.c --time 5 --timeout 0.5 --failing-allocations 0").at(&folder).exits(1);
    for expected in [
        "crash: crashed with SIGSEGV",
        "crash: ran out of memory",
        "crash: was stopped when it opens a file for writing",
        "crash: was stopped when it starts a process",
        "crash: overflowed the stack",
        "timeout",
        "exits with status 5",
        "aborts",
    ] {
        assert!(ran.stdout.contains(expected), "{expected} in\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("disagree"), "{}", ran.stdout);
    let kept = std::fs::read_to_string(folder.join("precious.txt")).expect("the file is there");
    assert_eq!(kept, "keep me");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["hostile.c", "precious.txt"]);
}

/// Every transcript in the README is what one gets.
#[test]
fn the_readme_tells_what_is_printed() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README is there");
    let mut transcripts = 0;
    for block in readme.split("```console\n").skip(1) {
        let (shown, _) = block.split_once("```").expect("a block ends");
        let (command, output) = shown.split_once('\n').expect("a block has lines");
        if let Some(arguments) = command.strip_prefix("$ cargo run --release -- ") {
            let exit = if arguments.starts_with("check") { 1 } else { 0 };
            quipu(arguments).at(&root).exits(exit).prints(output);
            transcripts += 1;
        }
    }
    assert_eq!(transcripts, 3);
}

/// What is known when the user has enough is told, and only confirmed tests are written.
#[test]
fn ctrl_c_tells_what_is_known() {
    let folder = folder("interrupted");
    let tests = folder.join("tests.c");
    let mut child = Command::new(env!("CARGO_BIN_EXE_quipu"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files"))
        .args(["cover", "cover/endless.c", "--time", "600", "--tests"])
        .arg(&tests)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(Duration::from_secs(3));
    assert!(child.try_wait().expect("it can be asked").is_none(), "it should take longer");
    let asked = Instant::now();
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is kill");
    assert!(told.success());
    let output = child.wait_with_output().expect("it ends");
    assert!(asked.elapsed() < Duration::from_secs(20), "it took {:?} to end", asked.elapsed());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("the work was interrupted") || text.contains("unreachable-to-bound"), "{text}");
    assert!(text.contains("confirmed"), "{text}");
    assert_eq!(output.status.code(), Some(3));
    assert!(std::fs::read_to_string(&tests).expect("tests are written").contains("static void test_hard_"));
}
