//! `quipu solve`, end to end.

mod support;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{Ran, quipu};

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models");

/// Deductions known from the literature, and more: each model beside the answers it must get.
#[test]
fn models_get_the_answers_written_beside_them() {
    let mut models: Vec<String> = std::fs::read_dir(MODELS)
        .expect("the models are there")
        .map(|entry| entry.expect("a readable folder").file_name().into_string().expect("a plain name"))
        .filter_map(|name| name.strip_suffix(".qm").map(str::to_string))
        .collect();
    models.sort();
    assert!(models.len() >= 20, "models are missing: {models:?}");
    for model in models {
        let ran = solve(&format!("{model}.qm"), &[], 0);
        let expected = Path::new(MODELS).join(format!("{model}.txt"));
        let answers = in_order(&ran.stdout);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&expected, &answers).expect("the answers can be written");
        }
        let expected = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(answers, expected, "{model}.qm (UPDATE_EXPECT=1 blesses)");
    }
}

/// The output with the solutions of each question sorted: in which order they are found says nothing.
fn in_order(output: &str) -> String {
    let mut lines: Vec<&str> = output.lines().collect();
    for block in lines.split_mut(|line| !line.starts_with("  ")) {
        block.sort_unstable();
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The same answers, except for the order of solutions, come from every part of the solver alone.
#[test]
fn models_get_the_same_answers_without_a_part_of_the_solver() {
    let models = [
        "times_five_modulo_eight",
        "product_and_double",
        "count_up_to_two",
        "three_truth_values",
        "linear_sums",
    ];
    for model in models {
        let whole = solve(&format!("{model}.qm"), &[], 0).stdout;
        for part in ["rewriting", "search", "sat"] {
            let ran = solve(&format!("{model}.qm"), &["--without", part], 0);
            assert_eq!(sorted_solutions(&ran.stdout), sorted_solutions(&whole), "{model} without {part}");
        }
    }
}

/// The lines of an output that tell solutions and their number, without headings and domains.
fn sorted_solutions(output: &str) -> Vec<&str> {
    let mut lines: Vec<&str> =
        output.lines().filter(|line| line.contains(" = ") || line.contains("solution")).collect();
    lines.retain(|line| !line.contains(" in ") && (line.contains(',') || line.contains("solution")));
    lines.sort_unstable();
    lines
}

#[test]
fn answers_come_as_json() {
    let ran = solve("times_five_modulo_eight.qm", &["--json"], 0);
    let json = ran.json();
    let (domains, all) = (&json["answers"][0], &json["answers"][1]);
    assert_eq!((&domains["query"], &domains["line"]), (&"propagate".into(), &7.into()));
    assert_eq!(domains["domains"]["y"]["from"], 3);
    assert_eq!(domains["domains"]["y"]["to"], 6);
    assert_eq!(all["count"], 2);
    assert_eq!(all["complete"], true);
    assert_eq!(all["solutions"].as_array().map(Vec::len), Some(2));
    let signed = asked("var x : i8; x == -3; solve; x > 0; solve;", &["--json"], 0);
    let json = signed.json();
    assert_eq!(json["answers"][0]["values"]["x"], -3);
    assert_eq!(json["answers"][1]["answer"], "none");
}

#[test]
fn numbers_of_64_bits_are_exact() {
    let ran = asked("var x : u64; var y : i64; x == max(u64); y == min(i64); solve;", &["--json"], 0);
    assert!(ran.stdout.contains("18446744073709551615") && ran.stdout.contains("-9223372036854775808"));
}

#[test]
fn floats_are_told_exactly() {
    let model = "var x, y : f64; var s, t : f32; var r : f32 in 5.0..-3.0; same(x, -0.0); same(y, 0.1 + 0.2);
        same(s, nan(0x7f800001)); same(t, -inf); propagate; solve x, y, s, t;";
    asked(model, &[], 0)
        .has("  x = -0.0\n  y = 0.30000000000000004\n  s = nan(0x7f800001)\n  t = -inf\n")
        .has("  r in -inf..-3.0 or 5.0..inf or nan\n")
        .has("  x = -0.0, y = 0.30000000000000004, s = nan(0x7f800001), t = -inf\n");
    let json = asked(model, &["--json"], 0).json();
    let domains = &json["answers"][0]["domains"];
    assert_eq!(domains["r"]["nan"], "all");
    assert_eq!(domains["r"]["numbers"][0], serde_json::json!({ "from": "-inf", "to": "-3.0" }));
    assert_eq!(domains["s"]["nan"], "some");
    assert_eq!(domains["s"]["numbers"].as_array().map(Vec::len), Some(0));
    assert_eq!(domains["s"]["value"], "nan(0x7f800001)");
    assert!(domains["r"]["value"].is_null());
    assert_eq!(json["answers"][1]["values"]["x"], "-0.0");
    assert_eq!(json["answers"][1]["values"]["s"], "nan(0x7f800001)");
}

#[test]
fn limits_of_a_query_are_kept() {
    asked("var x : u8; x < 10; all limit 3 by small_first;", &[], 0)
        .has("  x = 2\n  3 solutions, as many as asked for");
    asked("var x : u8; count limit 7;", &[], 0).has("at least 7 solutions");
}

#[test]
fn every_strategy_finds_the_same_solutions() {
    let model = "var x, y : u8 in 0..15; x * y == 12; x != y; ";
    for strategy in [
        "default",
        "first_fail",
        "most_constrained",
        "split",
        "small_first",
        "boundary_first",
        "random 3",
        "random 4",
    ] {
        asked(&format!("{model} count by {strategy};"), &[], 0).has("  6 solutions");
    }
}

#[test]
fn the_same_question_gets_the_same_answer_and_costs_the_same() {
    for model in ["found_in_both_arrays.qm", "greatest_common_divisor.qm"] {
        let [first, second] = [(); 2].map(|()| solve(model, &["--json"], 0).stdout);
        assert_eq!(first, second, "{model}");
    }
}

#[test]
fn wrong_models_are_explained_with_their_place() {
    asked("var x : u8;\nx + y == 3;\nsolve;", &[], 2)
        .says("model.qm:2:5: error")
        .says("x + y == 3;")
        .says("^");
    asked("var x : u8; var y : u16; x == y;", &[], 2).says("u8").says("u16").says("as");
    asked("var x : u8; x == 256;", &[], 2).says("256");
    asked("var x : u8 in 300..400;", &[], 2).says("300");
    asked("var x : u8; x + == 3;", &[], 2).says("error");
    asked("rel f(x: u8); var y : u8; f(y); solve;", &[], 2).says("relation `f` has no body");
    quipu("solve nothing_here.qm").exits(2).says("nothing_here.qm");
    quipu("solve .").exits(2).says("cannot read");
    asked_bytes(b"var x : u8;\n\xff\xfe", &[], 2).says("not UTF-8").says(":2:");
    asked(&format!("var x : u8; {}x{} == 1;", "(".repeat(100_000), ")".repeat(100_000)), &[], 2)
        .says("error");
    asked("", &[], 0).says("asks nothing");
}

#[test]
fn contradictions_have_no_solution() {
    asked("var x : u8 in 3..5; x > 7; propagate; solve; count; all;", &[], 0).has("no solution");
}

#[test]
fn a_loop_that_does_not_end_is_given_up() {
    let text = "var x : u32; var y : u32; w (i = 1) while (i != 0) { i' == i * 5 + 3; } end (y); solve;";
    asked(text, &["--unfold", "200"], 3).has("gave up").has("--unfold");
    let odd = "var x : u32; var y : u32; w (i = 1) while (i != 0) { i' == i + 2; } end (y); solve;";
    asked(odd, &["--unfold", "200"], 0).has("no solution");
    let recursion = "rel f(n: u32, k: u32) { f(n + 1, k); } var a : u32; f(0, a); solve;";
    asked(recursion, &["--unfold", "100"], 3).has("gave up");
}

#[test]
fn effort_and_time_are_limited() {
    let hard = "var x, y : u64 in 2..4294967295; x * y == 1000000016000000063; x <= y; solve;";
    asked(hard, &["--effort", "3000"], 3).has("gave up: the effort");
    let start = Instant::now();
    asked(hard, &["--timeout", "0.3"], 3).has("gave up: the time");
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "a limit of 0.3 s should not take {:?}",
        start.elapsed()
    );
}

/// The answers known so far are told, within a second.
#[test]
fn an_interrupt_ends_the_answer_with_what_is_known() {
    let text = "var x, y : u32; x != y; all;";
    let mut command = Command::new(env!("CARGO_BIN_EXE_quipu"));
    command.args(["solve", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command should start");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("the model can be sent");
    std::thread::sleep(Duration::from_millis(700));
    let start = Instant::now();
    let killed =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill should start");
    assert!(killed.success());
    let output = child.wait_with_output().expect("the command should end");
    assert!(start.elapsed() < Duration::from_secs(2), "it took {:?}", start.elapsed());
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(
        text.contains("x = ") && text.contains("gave up: interrupted"),
        "{}",
        &text[text.len().saturating_sub(200)..]
    );
}

#[test]
fn models_can_be_printed_and_exported() {
    let printed = solve("greatest_common_divisor.qm", &["--print"], 0);
    let again = asked(&printed.stdout, &["--print"], 0);
    assert_eq!(printed.stdout, again.stdout);
    let smt = solve("times_five_modulo_eight.qm", &["--smtlib"], 0);
    assert!(smt.stdout.contains("(set-logic QF_BV)") && smt.stdout.contains("(check-sat)"), "{}", smt.stdout);
    solve("greatest_common_divisor.qm", &["--smtlib"], 2).says("error");
}

// Running.

/// Solves one of the test's models.
fn solve(model: &str, flags: &[&str], code: i32) -> Ran {
    run(Path::new(MODELS), model, flags, code)
}

/// Solves a text given as a file named `model.qm`.
fn asked(text: &str, flags: &[&str], code: i32) -> Ran {
    asked_bytes(text.as_bytes(), flags, code)
}

fn asked_bytes(text: &[u8], flags: &[&str], code: i32) -> Ran {
    let folder = Folder::new();
    std::fs::write(folder.path.join("model.qm"), text).expect("a temporary folder can be written");
    run(&folder.path, "model.qm", flags, code)
}

fn run(folder: &Path, model: &str, flags: &[&str], code: i32) -> Ran {
    flags.iter().fold(quipu("solve").arg(model), |quipu, flag| quipu.arg(flag)).at(folder).exits(code)
}

/// A temporary folder.
struct Folder {
    path: std::path::PathBuf,
}

impl Folder {
    fn new() -> Folder {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("quipu-solve-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Folder { path }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A leftover folder is a nuisance, not a reason to fail.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
