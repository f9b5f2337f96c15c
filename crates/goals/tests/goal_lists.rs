//! Golden lists of goals. `UPDATE_EXPECT=1` writes them anew.

mod support;

use std::fmt::Write;
use std::path::Path;

use quipu_goals::{Criterion, Goal, Goals, Off, Order, Way};
use quipu_ir::Module;
use support::{ALL, compile, goals};

#[test]
fn lists() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    for name in ["statements", "decisions", "switches", "nested", "comparisons", "unreachable"] {
        let source = folder.join(name).with_extension("c");
        let text = std::fs::read_to_string(&source).expect("the source should be there");
        let program = compile(&text);
        let found = list(&program.module, &goals(&program, &ALL));
        let golden = folder.join(name).with_extension("goals");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&golden, &found).expect("the golden file should be writable");
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(found, expected, "{name}: UPDATE_EXPECT=1 accepts the new list");
    }
}

#[test]
fn dangers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let text = std::fs::read_to_string(folder.join("dangers.c")).expect("the source should be there");
    let program = compile(&text);
    let found = list(&program.module, &goals(&program, &[Criterion::Undefined]));
    let golden = folder.join("dangers.goals");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&golden, &found).expect("the golden file should be writable");
    }
    let expected = std::fs::read_to_string(&golden).unwrap_or_default();
    assert_eq!(found, expected, "UPDATE_EXPECT=1 accepts the new list");
}

#[test]
fn large_decisions_are_told() {
    let pairs: Vec<String> = (0..13).map(|n| format!("(x == {n} || y == {n})")).collect();
    let text = format!("int f(int x, int y) {{ if ({}) return 1; return 0; }}", pairs.join(" && "));
    let program = compile(&text);
    let goals = goals(&program, &ALL);
    let [told] = goals.not_analysed() else { panic!("{:?}", goals.not_analysed()) };
    assert_eq!((told.conditions, told.reason.as_str()), (26, "more than 4096 ways to evaluate the decision"));
    let text = list(&program.module, &goals);
    assert_eq!(text.lines().filter(|line| line.contains("branch")).count(), 2);
    assert_eq!(text.lines().filter(|line| line.contains("condition")).count(), 52);
    // One goal for each condition and form: they are given up, and do not vanish.
    assert_eq!(text.lines().filter(|line| line.contains("mcdc")).count(), 52);
}

#[test]
fn a_long_chain_is_no_large_decision() {
    let links: Vec<String> = (0..100).map(|n| format!("x == {n}")).collect();
    let program = compile(&format!("int f(int x) {{ return {} ? 1 : 0; }}", links.join(" || ")));
    let goals = goals(&program, &ALL);
    assert_eq!(goals.not_analysed(), []);
    let mcdc = goals.all().iter().filter(|goal| goal.kind.criterion().name() == "mcdc");
    assert_eq!(mcdc.count(), 100);
}

fn list(module: &Module, goals: &Goals) -> String {
    let mut text = String::new();
    for goal in goals.all().iter() {
        let (place, name) = (goal.span, &module.functions[goal.func].name);
        let criterion = goal.kind.criterion().name();
        write!(text, "{}:{} {name} {criterion} `{}`", place.line, place.column, goal.text).expect("text");
        writeln!(text, " {}: {}", goal.outcome, parts(goals, goal)).expect("text");
    }
    text
}

fn parts(goals: &Goals, goal: &Goal) -> String {
    if let Some((evaluations, _)) = goals.obligation(goal.id) {
        let half = |part: &quipu_goals::Part| {
            let paths = part.items.iter().filter_map(|&item| evaluations.path(item));
            paths.map(|path| evaluations.vector(path)).collect::<Vec<_>>().join(", ")
        };
        return goal.parts.iter().map(half).collect::<Vec<_>>().join(" against ");
    }
    let ways = goal.parts[0].ways.iter().map(way).collect::<Vec<_>>();
    if ways.is_empty() { "unreachable".into() } else { ways.join(", ") }
}

fn way(way: &Way) -> String {
    match way {
        Way::Entry(_) => "entry".into(),
        Way::Block(_, block, inst) => format!("{block}.{inst}"),
        Way::Edge(_, block, edge) => format!("{block}->{edge}"),
        Way::Evaluation(_, edges) => format!("{edges:?}"),
        Way::During { calls, happens, .. } => format!("by {calls:?}: {}", self::way(happens)),
        Way::End { spans, blocks, .. } => format!("{} places, {blocks:?}", spans.len()),
        Way::Compare { block, inst, relation, order, .. } => {
            let relation = match relation {
                Off::Equal => "equal",
                Off::OneLess => "one less",
                Off::OneMore => "one more",
            };
            let order = match order {
                Order::Unsigned => "unsigned",
                Order::Signed => "signed",
                Order::Float(_) | Order::Widened => "float",
            };
            format!("{block}.{inst} {relation} {order}")
        }
    }
}
