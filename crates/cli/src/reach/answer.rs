//! Answers as text and as JSON.

use quipu_base::Id;
use quipu_cfront::Program;
use quipu_cover::{Conflict, FunctionReport, Proof, ReplayOutcome, Subject, Test, Verdict};
use quipu_domain::{Domain, Interval};
use quipu_goals::GoalId;
use quipu_inputs::{Inputs, Interface, Leaf, LeafInfo};
use quipu_num::{FloatWidth, number_ranks};
use quipu_report::{
    assumptions, conflicting, excluded_by, gave_up_because, limit, needs, target_name, told_leaves,
    unwritten_reads, unwritten_reads_json, why,
};
use serde_json::{Map, Value, json};

use crate::args::Reach;
use crate::exit::Exit;
use crate::render;
use crate::search::Loaded;

/// What was found out.
pub enum Answer {
    One { report: Box<FunctionReport>, goal: GoalId },
    Listed(Listed),
    Domains(Domains),
}

/// Inputs, or their number.
pub struct Listed {
    pub inputs: Vec<Inputs>,
    pub count: u64,
    /// Whether there are no others.
    pub complete: bool,
    /// Whether loops were cut short.
    pub bounded: bool,
    pub stopped: bool,
}

/// What propagation leaves of each input; none if it leaves nothing.
pub struct Domains {
    pub domains: Option<Vec<Domain>>,
    pub bounded: bool,
}

impl Answer {
    pub fn exit(&self, subject: &Subject) -> Exit {
        match self {
            Answer::One { report, goal, .. } => match report.verdicts[goal.index()] {
                Verdict::Covered { .. } | Verdict::Unreachable(_) => Exit::Fine,
                _ => Exit::GaveUp,
            },
            Answer::Listed(listed) if listed.stopped => Exit::GaveUp,
            Answer::Listed(_) | Answer::Domains(_) if doubt(subject).is_some() => Exit::GaveUp,
            Answer::Listed(_) | Answer::Domains(_) => Exit::Fine,
        }
    }

    pub fn text(&self, loaded: &Loaded, subject: &Subject, args: &Reach) -> String {
        let program = &loaded.program;
        if args.search.json {
            let answer = match self {
                Answer::One { report, goal } => one_json(program, report, *goal),
                Answer::Listed(listed) => listed_json(program, subject, listed, args.count),
                Answer::Domains(domains) => domains_json(subject, domains),
            };
            let about = json!({ "schema": 1, "config": loaded.config });
            return render::merged(about, answer).to_string();
        }
        match self {
            Answer::One { report, goal } => one_text(program, report, *goal),
            Answer::Listed(listed) => listed_text(program, subject, listed, args.count),
            Answer::Domains(domains) => domains_text(subject, domains),
        }
    }
}

/// Why the values found, and that there are no others, need not be so on the compiled program.
fn doubt(subject: &Subject) -> Option<String> {
    let flag = subject.float_departures.first()?;
    let otherwise = format!("`{flag}` lets the compiler compute them otherwise");
    Some(format!("if floats are those of IEEE 754, but {otherwise}"))
}

fn one_text(program: &Program, report: &FunctionReport, goal: GoalId) -> String {
    let what = &report.goals.all()[goal];
    let place = program.place(what.span);
    let mut text = match &report.verdicts[goal.index()] {
        Verdict::Covered { tests, .. } => {
            let test = &report.tests[tests[0]];
            let inputs = indented(program, report, test);
            let reads =
                unwritten_reads(program, test).map(|reads| format!("after undefined behaviour: {reads}\n"));
            let reads = reads.unwrap_or_default();
            format!("{place} is reached with\n{inputs}{reads}{}\n", how_it_ends(test))
        }
        Verdict::Unreachable(proof) => {
            unreachable_text(program, &place, proof, "is unreachable for all inputs")
        }
        Verdict::Excluded(proof, exclusion) => {
            let by = excluded_by(exclusion).join("; ");
            unreachable_text(program, &place, proof, &format!("is excluded by what Quipu assumes ({by})"))
        }
        Verdict::AfterUndefined(..) => {
            let why = why(program, &report.verdicts[goal.index()]).unwrap_or_default();
            format!("{place} is reached only after undefined behaviour: {why}\n")
        }
        Verdict::UnreachableToBound(bounds) => {
            let bounds: String =
                bounds.iter().map(|bound| format!("  with {}\n", limit(program, bound))).collect();
            format!("{place} is not reached\n{bounds}")
        }
        Verdict::GaveUp(reason) => format!("{place}: gave up: {}\n", gave_up_because(program, reason)),
    };
    for assumption in report.interface.assumptions.iter() {
        text.push_str(&format!("assuming {assumption}\n"));
    }
    text
}

fn unreachable_text(program: &Program, place: &str, proof: &Proof, how: &str) -> String {
    let conflicts = match proof {
        Proof::ControlFlow => return format!("{place} is unreachable: no control flow leads there\n"),
        Proof::Infeasible(explanation) => &explanation.conflicts[..],
        Proof::NeverHappens | Proof::NoInputs => &[],
    };
    let parts = |conflict: &Conflict| -> String {
        conflict.iter().map(|part| format!("  {}\n", conflicting(program, part))).collect()
    };
    let mut text = match conflicts.first() {
        None => return format!("{place} {how}\n"),
        Some(single) if single.len() == 1 => {
            format!("{place} {how}: this is impossible\n")
        }
        Some(_) => format!("{place} {how}: these conflict\n"),
    };
    text.push_str(&conflicts.iter().map(parts).collect::<Vec<_>>().join("on another way\n"));
    text
}

fn how_it_ends(test: &Test) -> String {
    match &test.replay {
        ReplayOutcome::Confirmed => "(confirmed on the compiled program)".to_string(),
        ReplayOutcome::Crash(how) => format!("(the compiled program gets there, then it {how})"),
        _ => "(the compiled program gets there, but does not end in time)".to_string(),
    }
}

fn indented(program: &Program, report: &FunctionReport, test: &Test) -> String {
    let told = told(program, &report.interface, &test.inputs);
    let mut text: String = told.into_iter().map(|(name, value)| format!("  {name} = {value}\n")).collect();
    let answers: Vec<String> = answers(test)
        .map(|(w, bits)| w.map_or_else(|| bits.cast_signed().to_string(), |w| float_text(w, bits)))
        .collect();
    if !answers.is_empty() {
        text.push_str(&format!("  the environment answers {}\n", answers.join(", ")));
    }
    text
}

/// What the environment answers in a test, with the format of floats.
fn answers(test: &Test) -> impl Iterator<Item = (Option<FloatWidth>, u64)> + '_ {
    let formats = test.observation.requests.iter().map(|request| request.ty.float_width());
    formats.zip(test.inputs.sequence.iter().copied())
}

/// Whether there is a choice: the pointer that an array parameter is always points to its array.
fn is_told(leaf: &LeafInfo) -> bool {
    leaf.targets.is_none() || leaf.limits().0 != leaf.limits().1
}

/// The inputs that matter, with their values.
fn told(program: &Program, interface: &Interface, inputs: &Inputs) -> Vec<(String, String)> {
    let leaves = told_leaves(interface, inputs).into_iter();
    let told = leaves.filter(|&leaf| is_told(&interface.leaves[leaf]));
    told.map(|leaf| {
        let info = &interface.leaves[leaf];
        let value = match info.targets {
            Some(_) => pointer_text(&info.name, target_name(&program.module, interface, inputs, leaf)),
            None => value_text(info, inputs.get(leaf)),
        };
        (interface.name_in(leaf, inputs), value)
    })
    .collect()
}

/// A pointer by the pointer whose object it points to.
fn pointer_text(name: &str, target: String) -> String {
    match target.strip_prefix('*') {
        Some(own) if own == name => "not NULL".to_string(),
        Some(other) => other.to_string(),
        None => target,
    }
}

/// The value of a scalar that is no pointer.
fn value_text(leaf: &LeafInfo, bits: u64) -> String {
    match (&leaf.targets, leaf.ty.float_width()) {
        (None, Some(w)) => float_text(w, bits),
        _ if leaf.signed => leaf.width().signed(bits).to_string(),
        _ => bits.to_string(),
    }
}

/// The shortest decimal that is read as this float.
fn float_text(w: FloatWidth, bits: u64) -> String {
    match w {
        FloatWidth::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        FloatWidth::F64 => format!("{:?}", f64::from_bits(bits)),
    }
}

fn listed_text(program: &Program, subject: &Subject, listed: &Listed, count: bool) -> String {
    let rest = match (listed.complete, listed.bounded) {
        (true, false) => "",
        (true, true) => " within the turns of loops allowed (--turns)",
        (false, _) if listed.stopped => " so far; gave up looking for more",
        (false, _) => " of possibly more",
    };
    let plural = if listed.count == 1 { "" } else { "s" };
    let doubt = doubt(subject).map_or(String::new(), |doubt| format!(" {doubt}"));
    let total = format!("{} input{plural}{rest}{doubt}\n", listed.count);
    if count {
        return total;
    }
    let mut text = String::new();
    for inputs in &listed.inputs {
        let told = told(program, &subject.interface, inputs);
        let line: Vec<String> = told.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
        text.push_str(&format!("{}\n", line.join("  ")));
    }
    text.push_str(&total);
    text
}

fn domains_text(subject: &Subject, domains: &Domains) -> String {
    let doubt = doubt(subject).map_or(String::new(), |doubt| format!("{doubt}\n"));
    let Some(found) = &domains.domains else {
        return format!("propagation finds no input\n{doubt}");
    };
    let leaves = subject.interface.leaves.iter().zip(found).filter(|(leaf, _)| is_told(leaf));
    let mut text: String =
        leaves.map(|(leaf, domain)| format!("{} in {}\n", leaf.name, domain_text(leaf, *domain))).collect();
    if domains.bounded {
        text.push_str("within the turns of loops allowed (--turns)\n");
    }
    text + &doubt
}

/// The values of a domain, in the order of the leaf's values.
fn domain_text(leaf: &LeafInfo, domain: Domain) -> String {
    let numbers = numbers(leaf, domain).map(|(low, high)| match low == high {
        true => low,
        false => format!("{low}..{high}"),
    });
    let parts = [numbers, may_be_nan(leaf, domain).then(|| "NaN".to_string())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" or ")
}

/// The least and the greatest number of a domain; none if there are only NaNs.
fn numbers(leaf: &LeafInfo, domain: Domain) -> Option<(String, String)> {
    let width = leaf.width();
    if let Some(w) = leaf.float_width() {
        let (least, greatest) = number_ranks(w);
        let numbers =
            domain.meet(width, Domain::from_interval(width, Interval::new(width, least, greatest)))?;
        let (low, high) = numbers.unsigned_bounds(width);
        return Some((value_text(leaf, leaf.value(low)), value_text(leaf, leaf.value(high))));
    }
    if leaf.signed {
        let (low, high) = domain.signed_bounds(width);
        return Some((low.to_string(), high.to_string()));
    }
    let (low, high) = domain.unsigned_bounds(width);
    Some((low.to_string(), high.to_string()))
}

fn may_be_nan(leaf: &LeafInfo, domain: Domain) -> bool {
    let width = leaf.width();
    leaf.float_width().is_some_and(|w| {
        let (least, greatest) = number_ranks(w);
        let nans = Interval::new(width, greatest + 1, least - 1);
        domain.meet(width, Domain::from_interval(width, nans)).is_some()
    })
}

// JSON.

fn inputs_json(subject_leaves: impl Iterator<Item = (String, Value)>) -> Value {
    Value::Object(subject_leaves.collect::<Map<String, Value>>())
}

fn told_json(program: &Program, interface: &Interface, inputs: &Inputs) -> Value {
    let value = |leaf: Leaf| {
        let (info, bits) = (&interface.leaves[leaf], inputs.get(leaf));
        match (&info.targets, info.ty.float_width()) {
            (Some(_), _) => json!(target_name(&program.module, interface, inputs, leaf)),
            (None, Some(_)) => json!(value_text(info, bits)),
            _ if info.signed => json!(info.width().signed(bits)),
            _ => json!(bits),
        }
    };
    let leaves = told_leaves(interface, inputs).into_iter();
    inputs_json(leaves.map(|leaf| (interface.name_in(leaf, inputs), value(leaf))))
}

fn one_json(program: &Program, report: &FunctionReport, goal: GoalId) -> Value {
    let what = &report.goals.all()[goal];
    let verdict = &report.verdicts[goal.index()];
    let object = json!({
        "place": render::span_json(program, what.span),
        "verdict": verdict.name(),
        "assumptions": assumptions(&report.interface),
        "needs": needs(verdict),
    });
    let more = match verdict {
        Verdict::Covered { tests, .. } => {
            let test = &report.tests[tests[0]];
            let environment: Vec<Value> = answers(test)
                .map(|(w, bits)| w.map_or_else(|| json!(bits), |w| json!(float_text(w, bits))))
                .collect();
            let mut found = json!({
                "inputs": told_json(program, &report.interface, &test.inputs),
                "environment": environment,
                "replay": test.replay.name(),
            });
            if !test.observation.unwritten.is_empty() {
                found["uninitialized"] = unwritten_reads_json(program, test);
            }
            found
        }
        Verdict::Unreachable(proof) | Verdict::Excluded(proof, _) => {
            let conflicts = match proof {
                Proof::ControlFlow | Proof::NeverHappens | Proof::NoInputs => &[],
                Proof::Infeasible(explanation) => &explanation.conflicts[..],
            };
            let parts = |conflict: &Conflict| -> Vec<String> {
                conflict.iter().map(|part| conflicting(program, part)).collect()
            };
            json!({ "conflicts": conflicts.iter().map(parts).collect::<Vec<_>>() })
        }
        Verdict::UnreachableToBound(bounds) => {
            json!({ "bounds": bounds.iter().map(|bound| limit(program, bound)).collect::<Vec<_>>() })
        }
        Verdict::GaveUp(_) | Verdict::AfterUndefined(..) => json!({ "why": why(program, verdict) }),
    };
    render::merged(object, more)
}

fn listed_json(program: &Program, subject: &Subject, listed: &Listed, count: bool) -> Value {
    let mut object = json!({
        "count": listed.count,
        "complete": listed.complete && !listed.bounded && doubt(subject).is_none(),
        "assumptions": assumptions(&subject.interface),
    });
    if !count {
        let one = |inputs: &Inputs| told_json(program, &subject.interface, inputs);
        let all: Vec<Value> = listed.inputs.iter().map(one).collect();
        object = render::merged(object, json!({ "inputs": all }));
    }
    object
}

fn domains_json(subject: &Subject, domains: &Domains) -> Value {
    let found = domains.domains.as_ref().map(|found| {
        let leaves = subject.interface.leaves.iter().zip(found);
        inputs_json(leaves.map(|(leaf, &domain)| {
            let (low, high) = numbers(leaf, domain).unzip();
            let bounds = json!({ "low": low, "high": high });
            let nan = leaf.float_width().map(|_| json!({ "nan": may_be_nan(leaf, domain) }));
            (leaf.name.clone(), nan.into_iter().fold(bounds, render::merged))
        }))
    });
    json!({ "domains": found, "bounded": domains.bounded, "assumptions": assumptions(&subject.interface) })
}
