//! Properties for programs. The schema is documented in `docs/json.md`.

use quipu_cfront::Program;
use quipu_cover::{Proof, ReplayOutcome, Standing};
use quipu_ir::Func;
use serde_json::{Value, json};

use super::explain::{self, Reason};
use super::reliances::function_json;
use super::{Checked, CheckedProperty, Counts, numbered, scope, trace, verdict, verdict_of, why};
use crate::json::{SCHEMA, Tests, needs, unsupported};
use crate::undefined::unwritten_reads_json;
use crate::{names, requests};

/// So many decisions of a way to a violation are told.
const MOST_DECISIONS: usize = 1000;

/// What is known about properties, as JSON. Some functions may have been left out because they are not supported.
pub fn check_json(program: &Program, all: &[Checked], left_out: &[Func], config: Option<&str>) -> String {
    let counts = Counts::of(all);
    let value = json!({
        "schema": SCHEMA,
        "config": config,
        "functions": all.iter().map(|checked| function_json(program, checked)).collect::<Vec<_>>(),
        "properties": numbered(all).map(|(id, checked, one)| property(program, &id, checked, one))
            .collect::<Vec<_>>(),
        "disagreements": all.iter().flat_map(|checked| disagreements(program, checked)).collect::<Vec<_>>(),
        "unsupported": left_out.iter().flat_map(|&func| unsupported(program, func)).collect::<Vec<_>>(),
        "summary": {
            "properties": counts.all(),
            "violated": counts.violated,
            "proved": counts.proved,
            "relied-on": counts.relied,
            "excluded": counts.excluded,
            "only-after-undefined": counts.after_undefined,
            "proved-to-bound": counts.to_bound,
            "unreachable": counts.unreachable,
            "vacuous": counts.vacuous,
            "gave-up": counts.gave_up,
        },
    });
    serde_json::to_string_pretty(&value).expect("JSON values should print") + "\n"
}

/// Where the compiled program does something else than was predicted.
fn disagreements(program: &Program, checked: &Checked) -> Vec<Value> {
    let tests = Tests::new(program, &checked.report);
    let told = checked.report.disagreements.iter().filter_map(|test| match &test.replay {
        ReplayOutcome::Disagrees(difference) => Some(json!({
            "entry": program.module.functions[checked.told].source_name,
            "inputs": tests.inputs(test),
            "predicted": difference.predicted,
            "measured": difference.measured,
        })),
        _ => None,
    });
    told.collect()
}

fn property(program: &Program, id: &str, checked: &Checked, one: &CheckedProperty) -> Value {
    let name = checked.name(program, one);
    let standing = checked.report.standing(one.property);
    let mut value = json!({
        "id": id,
        "kind": name.kind,
        "file": name.file,
        "line": name.line,
        "column": name.column,
        "text": name.text,
        "function": name.function,
        "entry": program.module.functions[checked.told].source_name,
        "verdict": verdict(&standing),
        "inputs": Value::Null,
        "replay": Value::Null,
        "scope": scope(program, checked, &standing),
        "vacuous": matches!(standing, Standing::Unreachable(Proof::NoInputs)),
        "why": why(program, checked, one),
        "needs": needs(verdict_of(checked, one)),
        "rests_on": explain::reasons(program, checked, one).iter().map(reason).collect::<Vec<_>>(),
    });
    if let Standing::Violated(test) = standing {
        let tests = Tests::new(program, &checked.report);
        let environment = requests::told(&test.observation.requests)
            .map(|request| requests::json_request(program, request));
        value["inputs"] = Value::Object(tests.inputs(test));
        value["environment"] = json!(environment.collect::<Vec<_>>());
        value["replay"] = json!(test.replay.name());
        value["trace"] = json!(way(program, one));
        if !test.observation.unwritten.is_empty() {
            value["uninitialized"] = unwritten_reads_json(program, test);
        }
    }
    value
}

fn reason(reason: &Reason) -> Value {
    json!({ "kind": reason.kind.name(), "file": reason.file, "line": reason.line, "text": reason.text })
}

fn way(program: &Program, one: &CheckedProperty) -> Vec<Value> {
    let decisions = one.trace.iter().take(MOST_DECISIONS);
    decisions
        .map(|decided| {
            let told = trace::told(program, decided);
            json!({
                "file": names::file(program, told.span),
                "line": told.span.line,
                "column": told.span.column,
                "text": told.text,
                "outcome": told.outcome,
                "values": told.values,
            })
        })
        .collect()
}
