//! Text and JSON of reports, with every kind of verdict.

mod support;

use quipu_base::Id;
use quipu_cfront::Program;
use quipu_cover::{
    Bound, Explanation, FunctionReport, PathChoice, PathReport, Proof, Reason, ReplayOutcome, Verdict,
};
use quipu_encode::{Context, CutKind};
use quipu_goals::{Criterion, GoalId, McdcForm};
use quipu_ir::Block;
use quipu_replay::Difference;
use quipu_report::{Style, json, text};
use serde_json::Value;
use support::{Tests, expect, files, program, report};

const CRITERIA: [Criterion; 3] =
    [Criterion::Branch, Criterion::Condition, Criterion::Mcdc(McdcForm::UniqueCause)];

/// The goal with this text and outcome, of a kind that is counted among those that agree in both.
fn goal(report: &FunctionReport, text: &str, outcome: &str) -> GoalId {
    let mut goals = report.goals.all().iter().filter(|goal| goal.text == text && goal.outcome == outcome);
    goals.next().unwrap_or_else(|| panic!("there should be a goal {text} {outcome}")).id
}

fn judge(report: &mut FunctionReport, text: &str, outcome: &str, verdict: Verdict) {
    let id = goal(report, text, outcome);
    report.verdicts[id.index()] = verdict;
}

/// A report with verdicts and replays of every kind.
fn triangle(program: &Program) -> FunctionReport {
    let mut report = report(
        program,
        "tritype",
        &CRITERIA,
        &[
            (&[("i", 2), ("j", 2), ("k", 3)], &[]),
            (&[("i", 1), ("j", 1), ("k", 1)], &[]),
            (&[("i", 2), ("j", 3), ("k", 4)], &[]),
            (&[("i", 0)], &[]),
            (&[("i", 1), ("j", 0), ("k", 1)], &[]),
            (&[("i", 46341), ("j", 1), ("k", -1)], &[]),
            (&[("i", 46341), ("j", 1), ("k", 1)], &[]),
        ],
    );
    for text in ["i > 46340 && i * 0 != 0", "i * 0 != 0"] {
        judge(&mut report, text, "true", Verdict::Unreachable(Proof::Infeasible(Explanation::default())));
    }
    let span = report.goals.all()[goal(&report, "same", "default")].span;
    let unsupported = Reason::Unsupported { what: "inline assembly".to_string(), func: report.func, span };
    judge(&mut report, "i > 46340", "decides", Verdict::GaveUp(unsupported));
    judge(&mut report, "i * 0 != 0", "decides", Verdict::Unreachable(Proof::ControlFlow));
    report.tests[2].replay = ReplayOutcome::Timeout;
    let mut odd = report.tests[0].clone();
    odd.covers.clear();
    odd.replay = ReplayOutcome::Disagrees(Difference {
        predicted: "returned 2".to_string(),
        measured: "returned 3".to_string(),
        after: Some("return 2; at triangle.c:15".to_string()),
    });
    report.disagreements.push(odd);
    report.notes.push("one test was run with another compiler".to_string());
    report
}

/// Loops and recursion that were followed to a bound.
fn bounded(program: &Program) -> FunctionReport {
    let mut report =
        report(program, "sum", &[Criterion::Branch], &[(&[("a", 1), ("a[1]", 7), ("n", 2)], &[])]);
    let id = goal(&report, "i < n", "true");
    let (func, span) = (report.func, report.goals.all()[id].span);
    let turns = CutKind::Loop { context: Context::root(func), head: Block::new(0), turns: 8, counts: false };
    let calls = CutKind::Recursion { callee: func, depth: 2 };
    let bounds = [turns, calls].map(|kind| Bound { kind, func, span });
    judge(&mut report, "i < n", "true", Verdict::UnreachableToBound(bounds.into()));
    let choice = |outcome: &str| PathChoice { span, text: "i < n".to_string(), outcome: outcome.to_string() };
    let taken = Verdict::Covered { tests: vec![0], independence: None };
    report.paths = vec![
        PathReport { steps: vec![choice("true"), choice("true"), choice("false")], verdict: taken },
        PathReport {
            steps: vec![choice("false")],
            verdict: Verdict::Unreachable(Proof::Infeasible(Explanation::default())),
        },
    ];
    report.tests[0].path = Some(0);
    report
}

fn crashing(program: &Program) -> FunctionReport {
    report(program, "divide", &[Criterion::Statement], &[(&[("a", 7), ("b", 0)], &[])])
}

fn everything(name: &str, functions: &[(&str, Tests<'_>)]) -> (Program, Vec<FunctionReport>) {
    let program = program(name);
    let reports =
        functions.iter().map(|(function, tests)| report(&program, function, &[Criterion::Branch], tests));
    let reports = reports.collect();
    (program, reports)
}

#[test]
fn text_of_verdicts() {
    let triangles = program("triangle.c");
    let reports = [triangle(&triangles), crashing(&triangles)];
    expect("triangle.txt", &text(&triangles, &reports, Style::default()));
    let objects = program("objects.c");
    expect("bounded.txt", &text(&objects, &[bounded(&objects)], Style::default()));
}

#[test]
fn colours_change_nothing_else() {
    let program = program("triangle.c");
    let reports = [triangle(&program), crashing(&program)];
    let plain = text(&program, &reports, Style::default());
    let mut coloured = text(&program, &reports, Style { colour: true, ..Style::default() });
    assert!(coloured.contains("\x1b[32mcovered\x1b[0m"));
    for code in ["\x1b[32m", "\x1b[36m", "\x1b[33m", "\x1b[31;1m", "\x1b[1m", "\x1b[0m"] {
        coloured = coloured.replace(code, "");
    }
    assert_eq!(plain, coloured);
}

#[test]
fn lines_are_as_wide_as_the_terminal() {
    let program = program("triangle.c");
    for width in [80, 100, 140] {
        let style = Style { colour: false, width };
        let shown = text(&program, &[triangle(&program), crashing(&program)], style);
        let longest = shown.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(longest <= width, "{longest} columns instead of {width}:\n{shown}");
    }
}

#[test]
fn text_of_values() {
    let list: &[(&str, i64)] = &[("n", 1), ("n->next", 1), ("n->next->value", 4), ("value", 4)];
    let (program, reports) = everything(
        "objects.c",
        &[
            ("sort3", &[(&[("a[0]", 3), ("a[1]", 2), ("a[2]", 1)], &[])]),
            ("area", &[(&[("b", 1), ("b->high.x", 4), ("b->name[0]", 104)], &[])]),
            ("find", &[(list, &[]), (&[], &[])]),
            ("toggled", &[(&[("f.b", 7)], &[])]),
            ("sign", &[(&[("x", 2)], &[])]),
        ],
    );
    expect("values.txt", &text(&program, &reports, Style::default()));
    expect("values.json", &json(&program, &reports, &[], None, None));
}

#[test]
fn text_of_environments() {
    let minus = (-1i32).cast_unsigned().into();
    let (program, reports) = everything(
        "environment.c",
        &[
            ("total", &[(&[("n", 3)], &[1, 2, minus])]),
            ("sum_input", &[(&[], &[0, 3, 0, 4, 0, u64::from(0.5f32.to_bits()), 0, 1.5f64.to_bits(), 0, 6])]),
            ("vowels", &[(&[], &[97, minus])]),
            ("checked", &[(&[("x", -1)], &[])]),
        ],
    );
    expect("environment.txt", &text(&program, &reports, Style::default()));
}

fn parsed(program: &Program, reports: &[FunctionReport]) -> Value {
    serde_json::from_str(&json(program, reports, &[], None, None)).expect("a report should be JSON")
}

#[test]
fn json_of_verdicts() {
    let program = program("triangle.c");
    let reports = [triangle(&program), crashing(&program)];
    expect("triangle.json", &json(&program, &reports, &[], None, None));
    let value = parsed(&program, &reports);
    assert_eq!(value["schema"], 1);
    let goals = value["functions"][0]["goals"].as_array().unwrap();
    assert_eq!(goals.len(), reports[0].verdicts.len());
    for goal in goals {
        let (verdict, tests) = (goal["verdict"].as_str().unwrap(), goal["tests"].as_array().unwrap());
        assert_eq!(verdict == "covered", !tests.is_empty(), "{goal}");
        assert_eq!(verdict.starts_with("unreachable"), goal["scope"].is_string(), "{goal}");
        assert_eq!(verdict != "covered", goal["why"].is_string(), "{goal}");
        assert_eq!(goal["kind"] == "mcdc-unique" && verdict == "covered", goal["pair"].is_object(), "{goal}");
    }
    let crash = &value["functions"][1]["tests"][0];
    assert_eq!((&crash["ends"], &crash["replay"]), (&"undefined-behaviour".into(), &"crash".into()));
    assert_eq!(value["functions"][0]["disagreements"][0]["difference"]["measured"], "returned 3");
    assert_eq!(value["summary"]["tests"], 8);
}

#[test]
fn json_numbers_are_exact() {
    let nan = i64::from(f32::NAN.to_bits());
    let (program, reports) = everything(
        "scalars.c",
        &[
            ("add_64", &[(&[("a", i64::MIN), ("b", -1)], &[])]),
            ("half", &[(&[("x", nan)], &[])]),
            ("ratio", &[(&[("x", 1.0f64.to_bits().cast_signed())], &[])]),
            ("next_char", &[(&[("c", -3)], &[])]),
        ],
    );
    let value = parsed(&program, &reports);
    let test = |n: usize| &value["functions"][n]["tests"][0];
    assert_eq!(test(0)["inputs"]["a"].as_i64(), Some(i64::MIN));
    assert_eq!(test(0)["inputs"]["b"].as_u64(), Some(u64::MAX));
    assert_eq!(test(0)["returns"].as_u64(), Some((1 << 63) - 1));
    assert_eq!(test(1)["inputs"]["x"], "NaN");
    assert_eq!(test(2)["returns"], "Infinity");
    assert_eq!(test(3)["returns"], -2);
}

#[test]
fn json_escapes_what_it_must() {
    let source = "int f(int x) { return x == '\\\\' || x == '\"' || \"\\t\"[0] == x ? 1 : 0; }";
    let program =
        quipu_cfront::compile_source("odd \"name\".c", source.into(), &quipu_cfront::Options::default())
            .unwrap();
    let report = report(&program, "f", &[Criterion::Condition], &[(&[("x", 92)], &[])]);
    let value = parsed(&program, &[report]);
    assert_eq!(value["functions"][0]["file"], "odd \"name\".c");
    assert_eq!(value["functions"][0]["goals"][2]["text"], "x == '\"'");
}

#[test]
fn the_document_tells_what_is_written() {
    let tests: Tests = &[(&[("x", 5), ("high", 3)], &[]), (&[], &[])];
    let (program, reports) = everything("clamp.c", &[("clamp", tests)]);
    let document =
        std::fs::read_to_string(files().join("../../../../docs/json.md")).expect("the document is there");
    let example = document.split("```json\n").nth(1).and_then(|rest| rest.split("```").next());
    let written = json(&program, &reports, &[], None, None);
    assert_eq!(example, Some(written.as_str()), "docs/json.md should show\n{written}");
}
