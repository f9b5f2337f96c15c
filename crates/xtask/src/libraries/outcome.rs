//! What came out for one function.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::export::Export;

/// What is known about one function.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outcome {
    pub covered: u64,
    pub unreachable: u64,
    /// For each goal that assumptions exclude, which they are.
    pub excluded: Vec<String>,
    pub after_undefined: u64,
    pub to_bound: u64,
    /// For each goal that was given up, why.
    pub gave_up: Vec<String>,
    pub tests: u64,
    pub confirmed: u64,
    /// Tests that the compiled program treats in another way than predicted, in words.
    pub disagreements: Vec<String>,
    /// Why the function has no goals: it is not supported, or Quipu failed.
    pub failure: Option<Failure>,
    /// What became of the file of tests, if one is wanted.
    pub export: Option<Export>,
    /// With the C compiler and the tests, but for trials of the file of tests.
    pub cpu_ms: u64,
}

/// Why nothing is known about the goals of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Quipu says that it does not support something in it.
    Unsupported(String),
    /// Quipu crashed, did not end, or said something unexpected.
    Failed(String),
}

impl Outcome {
    /// The outcome of a run that failed.
    pub fn failed(why: String) -> Outcome {
        Outcome { failure: Some(Failure::Failed(why)), ..Outcome::default() }
    }

    /// What `quipu cover --json` says.
    pub fn told(answer: &str, talk: &str, status: &str, cpu_ms: u64) -> Outcome {
        let report = serde_json::from_str::<Value>(answer).ok();
        let outcome = report.as_ref().and_then(of_report).unwrap_or_else(|| without_report(talk, status));
        Outcome { cpu_ms, ..outcome }
    }

    pub fn goals(&self) -> u64 {
        let open = (self.excluded.len() + self.gave_up.len()) as u64;
        self.covered + self.unreachable + self.after_undefined + self.to_bound + open
    }

    /// Whether nothing happened that should never happen.
    pub fn is_sound(&self) -> bool {
        let exported = self.export.iter().all(|export| export.failures().next().is_none());
        self.disagreements.is_empty() && exported && !matches!(self.failure, Some(Failure::Failed(_)))
    }

    /// The outcome in few words.
    pub fn line(&self) -> String {
        match &self.failure {
            Some(Failure::Unsupported(why)) => format!("unsupported: {why}"),
            Some(Failure::Failed(why)) => format!("FAILED: {why}"),
            None => format!(
                "{} goals, {} covered, {} unreachable, {} excluded, {} after undefined, {} to bound, {} gave up, {} \
                 disagreements, {} failures of exports, {} ms",
                self.goals(),
                self.covered,
                self.unreachable,
                self.excluded.len(),
                self.after_undefined,
                self.to_bound,
                self.gave_up.len(),
                self.disagreements.len(),
                self.export.iter().flat_map(Export::failures).count(),
                self.cpu_ms
            ),
        }
    }

    pub fn encode(&self) -> String {
        let (unsupported, failed) = match &self.failure {
            None => (None, None),
            Some(Failure::Unsupported(why)) => (Some(why), None),
            Some(Failure::Failed(why)) => (None, Some(why)),
        };
        json!({
            "covered": self.covered,
            "unreachable": self.unreachable,
            "excluded": self.excluded,
            "after_undefined": self.after_undefined,
            "to_bound": self.to_bound,
            "gave_up": self.gave_up,
            "tests": self.tests,
            "confirmed": self.confirmed,
            "disagreements": self.disagreements,
            "unsupported": unsupported,
            "failed": failed,
            "export": self.export.as_ref().map(Export::encode),
            "cpu_ms": self.cpu_ms,
        })
        .to_string()
    }

    /// Reads what [`encode`](Outcome::encode) wrote.
    pub fn decode(text: &str) -> Option<Outcome> {
        let value: Value = serde_json::from_str(text).ok()?;
        let unsupported = value["unsupported"].as_str().map(|why| Failure::Unsupported(why.to_owned()));
        let failed = value["failed"].as_str().map(|why| Failure::Failed(why.to_owned()));
        Some(Outcome {
            covered: value["covered"].as_u64()?,
            unreachable: value["unreachable"].as_u64()?,
            excluded: texts(&value["excluded"])?,
            after_undefined: value["after_undefined"].as_u64()?,
            to_bound: value["to_bound"].as_u64()?,
            gave_up: texts(&value["gave_up"])?,
            tests: value["tests"].as_u64()?,
            confirmed: value["confirmed"].as_u64()?,
            disagreements: texts(&value["disagreements"])?,
            failure: unsupported.or(failed),
            export: Export::decode(&value["export"]),
            cpu_ms: value["cpu_ms"].as_u64()?,
        })
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

/// The outcome that a report tells, unless it has no function.
fn of_report(report: &Value) -> Option<Outcome> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or("no reason told").to_owned();
    let functions = list(&report["functions"]);
    if functions.is_empty() {
        let why = text(&report["unsupported"].get(0)?["why"]);
        return Some(Outcome { failure: Some(Failure::Unsupported(why)), ..Outcome::default() });
    }
    let summary = &report["summary"];
    let count = |name: &str| summary[name].as_u64().unwrap_or(0);
    let goals: Vec<Value> = functions.iter().flat_map(|function| list(&function["goals"])).collect();
    let with = |verdict: &'static str| goals.iter().filter(move |goal| goal["verdict"] == verdict);
    let differences = functions.iter().flat_map(|function| list(&function["disagreements"]));
    Some(Outcome {
        covered: count("covered"),
        unreachable: count("unreachable"),
        excluded: with("excluded").map(|goal| kinds(&goal["needs"]["assumptions"])).collect(),
        after_undefined: count("only-after-undefined"),
        to_bound: count("unreachable-to-bound"),
        gave_up: with("gave-up").map(|goal| text(&goal["why"])).collect(),
        tests: count("tests"),
        confirmed: count("confirmed"),
        disagreements: differences.map(|test| test["difference"].to_string()).collect(),
        failure: None,
        export: Export::told(&report["export"]),
        cpu_ms: 0,
    })
}

/// The outcome of a run that reports on no function, by what it says.
fn without_report(talk: &str, status: &str) -> Outcome {
    // A refuted proof is told by such a line.
    let internal = talk.lines().find(|line| line.starts_with("internal error"));
    let first = internal.or_else(|| talk.lines().find(|line| !line.trim().is_empty())).unwrap_or_default();
    match first.split_once(" is not supported: ") {
        Some((_, why)) => {
            Outcome { failure: Some(Failure::Unsupported(why.to_owned())), ..Outcome::default() }
        }
        None => Outcome::failed(format!("{status}: {first}")),
    }
}

/// What sorts of assumptions these are.
fn kinds(assumptions: &Value) -> String {
    let kinds = assumptions.as_array().into_iter().flatten().filter_map(|one| one["kind"].as_str());
    let kinds: BTreeSet<&str> = kinds.collect();
    kinds.into_iter().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{
        "functions": [{
            "goals": [{"verdict": "covered", "why": null}, {"verdict": "gave-up", "why": "the time is over"},
                {"verdict": "excluded", "needs": {"assumptions": [{"kind": "shape"}, {"kind": "content"},
                {"kind": "shape"}]}}],
            "disagreements": [{"difference": {"predicted": "returns 1", "measured": "returns 2"}}]
        }],
        "summary": {"covered": 1, "unreachable": 0, "unreachable-to-bound": 0, "tests": 3, "confirmed": 2,
            "only-after-undefined": 4},
        "export": {"tests": [{}], "undefined": [], "absent": [], "error": "no space"}
    }"#;

    #[test]
    fn a_report_is_counted() {
        let outcome = Outcome::told(REPORT, "", "exit status: 3", 70);
        assert_eq!((outcome.goals(), outcome.covered, outcome.tests, outcome.confirmed), (7, 1, 3, 2));
        assert_eq!((outcome.after_undefined, &outcome.excluded[..]), (4, &["content, shape".to_owned()][..]));
        assert_eq!(outcome.gave_up, ["the time is over"]);
        assert_eq!(outcome.export.as_ref().map(|export| export.tests), Some(1));
        assert!(outcome.disagreements[0].contains("returns 2") && !outcome.is_sound());
        assert_eq!(Outcome::decode(&outcome.encode()), Some(outcome));
    }

    #[test]
    fn what_is_not_supported_is_told_from_failures() {
        let unsupported = Outcome::told(r#"{"functions": [], "unsupported": [{"why": "asm"}]}"#, "", "", 0);
        assert_eq!(unsupported.failure, Some(Failure::Unsupported("asm".to_owned())));
        let said = "a.c:1:5: warning: `f` is not supported: asm\n 1 | asm";
        assert_eq!(Outcome::told(r#"{"error": {}}"#, said, "exit status: 3", 0), unsupported);
        let crashed = Outcome::told("", "\nthread panicked\n", "exit status: 101", 0);
        assert_eq!(crashed.failure, Some(Failure::Failed("exit status: 101: thread panicked".to_owned())));
        assert!(unsupported.is_sound() && !crashed.is_sound());
        let refuted =
            Outcome::told(r#"{"error": {}}"#, "note\ninternal error: a.c:1: met\n", "exit status: 3", 0);
        assert_eq!(
            refuted.failure,
            Some(Failure::Failed("exit status: 3: internal error: a.c:1: met".to_owned()))
        );
        let unwritten = Export { error: Some("no space".to_owned()), ..Export::default() };
        assert!(!Outcome { export: Some(unwritten), ..Outcome::default() }.is_sound());
        assert_eq!(Outcome::decode(&crashed.encode()), Some(crashed));
    }
}
