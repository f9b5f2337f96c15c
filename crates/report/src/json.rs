//! Reports for programs. The schema is documented in `docs/json.md`.

use quipu_cfront::Program;
use quipu_cover::{FunctionReport, PathReport, ReplayOutcome, Test, Verdict};
use quipu_goals::Goal;
use quipu_inputs::{Assumption, Bearing, Interface, Leaf};
use quipu_interp::Outcome;
use quipu_ir::{Body, Func, Module, Unsupported};
use serde_json::{Map, Value, json};

use crate::address::{Addresses, Pointee};
use crate::export::Export;
use crate::reach::{target_name, told_leaves};
use crate::returned::{Found, Returned, returned, visible_outputs};
use crate::sighting::sighting_parts;
use crate::tally::Tally;
use crate::undefined::{always_undefined_json, unwritten_reads_json};
use crate::value::{json_value, widened};
use crate::{ending, evidence, names, requests};

/// The version of the schema.
pub(crate) const SCHEMA: u32 = 1;

/// What is known about functions, as JSON. Some functions may have been left out because they are not supported.
/// `config` is the file that said something about inputs, if there is one; `export` is what became of the tests in a C
/// file, if one was wanted.
pub fn json(
    program: &Program,
    reports: &[FunctionReport],
    left_out: &[Func],
    config: Option<&str>,
    export: Option<&Export>,
) -> String {
    let value = json!({
        "schema": SCHEMA,
        "config": config,
        "export": export.map(|export| export.json(program, reports)),
        "functions": reports.iter().map(|report| function(program, report)).collect::<Vec<_>>(),
        "unsupported": left_out.iter().flat_map(|&func| unsupported(program, func)).collect::<Vec<_>>(),
        "summary": summary(&Tally::of(reports), reports.len()),
    });
    serde_json::to_string_pretty(&value).expect("JSON values should print") + "\n"
}

/// Why a function is not supported, one entry for each reason.
pub(crate) fn unsupported(program: &Program, func: Func) -> Vec<Value> {
    let function = &program.module.functions[func];
    let Body::Unsupported(reasons) = &function.body else { return Vec::new() };
    let one = |reason: &Unsupported| {
        json!({
            "name": function.source_name,
            "file": names::file(program, reason.span),
            "line": reason.span.line,
            "column": reason.span.column,
            "why": reason.what,
        })
    };
    reasons.iter().map(one).collect()
}

fn summary(tally: &Tally, functions: usize) -> Value {
    json!({
        "functions": functions,
        "goals": tally.goals,
        "covered": tally.covered,
        "excluded": tally.excluded,
        "only-after-undefined": tally.after_undefined,
        "unreachable": tally.unreachable,
        "unreachable-to-bound": tally.to_bound,
        "gave-up": tally.gave_up,
        "tests": tally.tests,
        "confirmed": tally.confirmed,
        "crashes": tally.crashes,
        "timeouts": tally.timeouts,
        "not-run": tally.not_run,
        "disagreements": tally.disagreements,
        "undefined": {
            "found": tally.undefined.found,
            "absent": tally.undefined.absent,
            "excluded": tally.undefined.excluded,
            "undecided": tally.undefined.undecided(),
        },
    })
}

fn function(program: &Program, report: &FunctionReport) -> Value {
    let function = &program.module.functions[report.func];
    let tests = Tests::new(program, report);
    let numbered = |prefix: &str, list: &[Test]| -> Vec<Value> {
        list.iter().enumerate().map(|(n, test)| tests.test(&format!("{prefix}{}", n + 1), test)).collect()
    };
    let not_analysed = report.goals.not_analysed().iter().map(|decision| {
        json!({
            "file": names::file(program, decision.span),
            "line": decision.span.line,
            "column": decision.span.column,
            "text": decision.text,
            "why": decision.reason,
        })
    });
    json!({
        "name": function.source_name,
        "file": names::file(program, function.span),
        "line": function.span.line,
        "assumptions": assumptions(&report.interface),
        "goals": report.goals.all().iter().zip(&report.verdicts)
            .map(|(one, verdict)| goal(program, report, one, verdict)).collect::<Vec<_>>(),
        "paths": report.paths.iter().enumerate().map(|(n, one)| path(program, report, n, one)).collect::<Vec<_>>(),
        "tests": numbered("t", &report.tests),
        "disagreements": numbered("x", &report.disagreements),
        "not_analysed": not_analysed.collect::<Vec<_>>(),
        "always_undefined": always_undefined_json(program, report),
        "minimal": report.minimal,
        "notes": report.notes,
        "statistics": {
            "runs": report.statistics.runs,
            "questions": report.statistics.questions,
            "encodings": report.statistics.encodings,
        },
        "summary": summary(&Tally::of([report]), 1),
    })
}

fn goal(program: &Program, report: &FunctionReport, goal: &Goal, verdict: &Verdict) -> Value {
    let (tests, pair) = match verdict {
        Verdict::Covered { tests, independence } => (&tests[..], independence.as_ref()),
        _ => (&[][..], None),
    };
    let pair = pair.map(|pair| {
        json!({
            "true": { "test": names::test(pair.when_true), "vector": pair.true_vector },
            "false": { "test": names::test(pair.when_false), "vector": pair.false_vector },
        })
    });
    json!({
        "id": goal.id.to_string(),
        "kind": names::kind(goal),
        "file": names::file(program, goal.span),
        "line": goal.span.line,
        "column": goal.span.column,
        "text": goal.text,
        "outcome": goal.outcome,
        "verdict": verdict.name(),
        "tests": tests.iter().map(|&test| names::test(test)).collect::<Vec<_>>(),
        "scope": evidence::scope(program, report, verdict),
        "why": evidence::why(program, verdict),
        "needs": needs(verdict),
        "pair": pair,
    })
}

/// What is taken for granted, in words.
pub fn assumptions(interface: &Interface) -> Vec<String> {
    interface.assumptions.iter().map(Assumption::to_string).collect()
}

/// The assumptions that a verdict needs and the user did not state.
pub fn needs(verdict: &Verdict) -> Option<Value> {
    let Verdict::Excluded(_, exclusion) = verdict else { return None };
    let one = |assumption: &Assumption| {
        json!({
            "text": assumption.to_string(),
            "kind": assumption.kind(),
            "by": assumption.maker().name(),
            "change": assumption.change(),
        })
    };
    Some(json!({ "assumptions": exclusion.by.iter().map(one).collect::<Vec<_>>(), "least": exclusion.least }))
}

fn path(program: &Program, report: &FunctionReport, number: usize, path: &PathReport) -> Value {
    let tests = match &path.verdict {
        Verdict::Covered { tests, .. } => &tests[..],
        _ => &[],
    };
    let steps = path.steps.iter().map(|step| {
        json!({
            "file": names::file(program, step.span),
            "line": step.span.line,
            "column": step.span.column,
            "text": step.text,
            "outcome": step.outcome,
        })
    });
    json!({
        "id": names::path(number),
        "steps": steps.collect::<Vec<_>>(),
        "verdict": path.verdict.name(),
        "tests": tests.iter().map(|&test| names::test(test)).collect::<Vec<_>>(),
        "scope": evidence::scope(program, report, &path.verdict),
        "why": evidence::why(program, &path.verdict),
    })
}

/// The tests of a function.
pub(crate) struct Tests<'a> {
    program: &'a Program,
    report: &'a FunctionReport,
    addresses: Addresses<'a>,
}

impl<'a> Tests<'a> {
    pub(crate) fn new(program: &'a Program, report: &'a FunctionReport) -> Tests<'a> {
        Tests { program, report, addresses: Addresses::new(&program.module, &report.interface) }
    }

    fn module(&self) -> &Module {
        &self.program.module
    }

    fn test(&self, id: &str, test: &Test) -> Value {
        let observation = &test.observation;
        let environment = requests::told(&observation.requests)
            .map(|request| requests::json_request(self.program, request));
        let mut value = json!({
            "id": id,
            "inputs": self.inputs(test),
            "environment": environment.collect::<Vec<_>>(),
            "ends": ending::name(&observation.outcome),
            "returns": self.returns(test),
            "changes": self.changes(test),
            "covers": test.covers.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "path": test.path.map(names::path),
            "replay": test.replay.name(),
        });
        if !observation.unwritten.is_empty() {
            value["uninitialized"] = unwritten_reads_json(self.program, test);
        }
        if let (Some(sighting), Outcome::Event { event, span, .. }) = (&test.sighting, &observation.outcome) {
            let (by, detail) = sighting_parts(sighting);
            value["undefined"] = json!({
                "event": event.name(),
                "file": names::file(self.program, *span),
                "line": span.line,
                "column": span.column,
                "confirmed_by": by,
                "detail": detail,
            });
        }
        if let Outcome::Exited(status) = observation.outcome {
            value["status"] = json!(status);
        }
        if !ending::is_fine(&observation.outcome) {
            value["message"] = json!(ending::sentence(self.program, &observation.outcome));
        }
        match &test.replay {
            ReplayOutcome::Disagrees(difference) => {
                value["difference"] = json!({
                    "predicted": difference.predicted,
                    "measured": difference.measured,
                    "after": difference.after,
                });
            }
            ReplayOutcome::Crash(detail) => value["crash"] = json!(detail),
            ReplayOutcome::NotRun(why) => value["why"] = json!(why),
            ReplayOutcome::Confirmed | ReplayOutcome::Timeout => {}
        }
        value
    }

    /// The scalars that matter: not those behind null pointers.
    pub(crate) fn inputs(&self, test: &Test) -> Map<String, Value> {
        let interface = &self.report.interface;
        let told = told_leaves(interface, &test.inputs).into_iter();
        told.map(|leaf| (interface.name_in(leaf, &test.inputs), self.input(test, leaf))).collect()
    }

    fn input(&self, test: &Test, leaf: Leaf) -> Value {
        let interface = &self.report.interface;
        match (&interface.leaves[leaf].targets, test.inputs.get(leaf)) {
            (None, bits) => self.scalar(leaf, bits),
            (Some(_), 0) => Value::Null,
            (Some(_), _) => json!(target_name(self.module(), interface, &test.inputs, leaf)),
        }
    }

    fn scalar(&self, leaf: Leaf, bits: u64) -> Value {
        let info = &self.report.interface.leaves[leaf];
        json_value(self.module(), info.source, widened(self.module(), info.source, bits, info.bits()))
    }

    fn returns(&self, test: &Test) -> Value {
        match returned(self.module(), self.report.func, &test.observation, "") {
            Returned::Nothing => Value::Null,
            Returned::Scalar(found) => self.value(test, &found),
            Returned::Record(members) => {
                let written = members.into_iter().filter_map(|(member, found)| {
                    let name = member.path.trim_start_matches('.').to_string();
                    Some((name, self.value(test, &found?)))
                });
                Value::Object(written.collect())
            }
        }
    }

    fn changes(&self, test: &Test) -> Map<String, Value> {
        let interface = &self.report.interface;
        let value = |output| self.value(test, &Found::output(interface, &test.observation, output));
        let outputs = visible_outputs(interface, &test.observation);
        outputs.map(|output| (interface.name_in(output.leaf, &test.inputs), value(output))).collect()
    }

    /// A value at the end of a run. What addresses are as numbers differs from run to run.
    fn value(&self, test: &Test, found: &Found) -> Value {
        match (found.is_pointer(self.module()), found.bearing) {
            (true, bearing) if bearing.is_address() => self.pointer(test, found.bits),
            (true, Bearing::Number) if found.bits == 0 => Value::Null,
            (true, Bearing::Number) => json!("not null"),
            (false, bearing) if bearing.is_number() => {
                json_value(self.module(), found.ty, found.widened(self.module()))
            }
            _ => json!("address"),
        }
    }

    /// What a pointer points to; null for a null pointer.
    fn pointer(&self, test: &Test, bits: u64) -> Value {
        let shifted = |name: &str, offset: u64| match offset {
            0 => json!(name),
            _ => json!(format!("{name} + {offset} bytes")),
        };
        match self.addresses.find(&test.inputs, bits) {
            Pointee::Null => Value::Null,
            Pointee::Object(object, offset) => shifted(&self.report.interface.objects[object].name, offset),
            Pointee::Global(global, offset) => {
                shifted(self.module().globals[global].source_name.as_deref().unwrap_or_default(), offset)
            }
            Pointee::Function(func) => json!(self.module().functions[func].source_name),
            Pointee::Text(bytes) => json!(crate::value::quoted(&bytes)),
            Pointee::Unknown => json!("not null"),
        }
    }
}
