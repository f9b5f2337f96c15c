//! Answers for programs. Numbers beyond 2^53 are exact: JSON sets no bound, and integers are written in full. Floats are
//! strings, for JSON has no infinities and NaNs, and readers of its numbers lose the sign of zero.

use quipu_domain::Domain;
use quipu_model::Var;
use quipu_model_text::{Document, Query, Type};
use quipu_num::FloatWidth;
use quipu_solve::{Report, Solution};
use serde_json::{Map, Value, json};

use super::answer::{Answer, Stopped};
use super::floats::{Floats, Nans};
use super::text;
use crate::render::merged;

/// The answers of a file.
pub fn document(name: &str, answers: Vec<Value>) -> String {
    let value = json!({ "file": name, "answers": answers });
    serde_json::to_string_pretty(&value).expect("JSON values can be written")
}

/// One answer.
pub fn answer(document: &Document, query: &Query, line: usize, answer: &Answer, report: &Report) -> Value {
    let found = match answer {
        Answer::None => json!({ "answer": "none" }),
        Answer::Solution(solution) => {
            json!({ "answer": "solution", "values": values(document, query, solution) })
        }
        Answer::GaveUp(stopped) => json!({ "answer": "gave up", "because": because(*stopped) }),
        Answer::Domains { domains, stopped } => json!({
            "answer": "domains",
            "complete": stopped.is_none(),
            "because": stopped.map(because),
            "domains": domains.iter().map(|&(var, domain)| (text::name(document, var), shown(document, var, domain)))
                .collect::<Map<String, Value>>(),
        }),
        Answer::Solutions { solutions, count, stopped } => json!({
            "answer": "solutions",
            "complete": stopped.is_none(),
            "because": stopped.map(because),
            "count": count,
            "solutions": solutions.iter().map(|solution| values(document, query, solution)).collect::<Vec<_>>(),
        }),
    };
    merged(json!({ "query": query.kind.word(), "line": line }), merged(found, effort(report)))
}

fn values(document: &Document, query: &Query, solution: &Solution) -> Value {
    let pair = |&var: &Var| (text::name(document, var), number(document, var, solution[var]));
    Value::Object(query.variables.iter().map(pair).collect())
}

fn number(document: &Document, var: Var, bits: u64) -> Value {
    match text::ty(document, var) {
        Type::Integer(integer) if integer.signed => json!(integer.width.signed(bits)),
        Type::Integer(_) => json!(bits),
        ty @ Type::Float(_) => json!(ty.show(bits)),
    }
}

fn shown(document: &Document, var: Var, domain: Domain) -> Value {
    if let Type::Float(w) = text::ty(document, var) {
        return float(w, domain);
    }
    let (first, last) = text::ends(document, var, domain);
    json!({
        "from": number(document, var, first),
        "to": number(document, var, last),
        "bits": text::bit_pattern(document.model.vars()[var].width, domain),
    })
}

/// Intervals of numbers, which NaNs belong to the domain, and the value if it is the only one.
fn float(w: FloatWidth, domain: Domain) -> Value {
    let Floats { numbers, nans } = Floats::of(w, domain.interval());
    let show = |value: u64| Type::Float(w).show(value);
    let interval = |&(first, last): &(u64, u64)| json!({ "from": show(first), "to": show(last) });
    let nan = match nans {
        Nans::None => "none",
        Nans::Some => "some",
        Nans::All => "all",
    };
    let numbers = numbers.iter().map(interval).collect::<Vec<_>>();
    json!({ "numbers": numbers, "nan": nan, "value": domain.is_singleton().map(show) })
}

fn because(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Effort => "effort",
        Stopped::Unfoldings => "unfoldings",
        Stopped::Time => "time",
        Stopped::User => "interrupted",
        Stopped::Enough => "enough",
        Stopped::Unconfirmed => "unconfirmed",
    }
}

fn effort(report: &Report) -> Value {
    json!({ "effort": {
        "contractions": report.contractions,
        "narrowings": report.narrowings,
        "decisions": report.decisions,
        "conflicts": report.conflicts,
        "unfoldings": report.unfoldings,
        "sat_conflicts": report.sat_conflicts,
        "sat_clauses": report.sat_clauses,
        "sat_variables": report.sat_variables,
    }})
}
