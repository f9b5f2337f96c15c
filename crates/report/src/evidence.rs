//! What stands behind a verdict that is not "covered": for which inputs it holds, and why.

use quipu_cfront::Program;
use quipu_cover::{
    Bound, Conflict, Exclusion, Explanation, FunctionReport, Proof, Reason, Undefined, UsedInvariant, Verdict,
};
use quipu_encode::CutKind;
use quipu_inputs::Assumption;
use quipu_ir::Span;

use crate::conflict::conflicting;
use crate::names::counted;

/// For which inputs a goal is known to be out of reach, told in full.
pub(crate) fn scope(program: &Program, report: &FunctionReport, verdict: &Verdict) -> Option<String> {
    let inputs = all_inputs(report);
    match verdict {
        Verdict::Covered { .. } | Verdict::GaveUp(_) => None,
        Verdict::Unreachable(_) => Some(inputs),
        Verdict::Excluded(_, exclusion) => {
            Some(format!("{inputs}, as long as {}", texts(exclusion).join("; ")))
        }
        Verdict::AfterUndefined(..) => Some(format!("{inputs}, as long as nothing undefined happens before")),
        Verdict::UnreachableToBound(bounds) => {
            let bounds: Vec<String> = bounds.iter().map(|bound| limit(program, bound)).collect();
            Some(format!("{inputs}, with {}", bounds.join("; ")))
        }
    }
}

/// Why a goal is not covered.
pub fn why(program: &Program, verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Covered { .. } => None,
        Verdict::Unreachable(proof) | Verdict::Excluded(proof, _) => Some(proved_by(program, proof)),
        Verdict::AfterUndefined(_, undefined) => Some(after(program, *undefined)),
        Verdict::UnreachableToBound(bounds) => Some(match hint(bounds) {
            Some(hint) => format!("nothing is known beyond the bound; {hint}"),
            None => "nothing is known beyond the bound".to_string(),
        }),
        Verdict::GaveUp(reason) => Some(gave_up_because(program, reason)),
    }
}

/// Why no run meets a goal.
fn proved_by(program: &Program, proof: &Proof) -> String {
    match proof {
        Proof::ControlFlow => "no control flow leads there".to_string(),
        Proof::NoInputs => "vacuous: no input satisfies the preconditions".to_string(),
        Proof::NeverHappens => "every execution was followed to its end, and it never happens".to_string(),
        Proof::Infeasible(explanation) => explained(program, explanation),
    }
}

/// What comes before a goal in every execution that meets it.
fn after(program: &Program, undefined: Option<Undefined>) -> String {
    let what = match undefined {
        None => return "every execution that meets it has done something undefined before".to_string(),
        Some(Undefined { event: None, span, .. }) => {
            format!("an assertion fails or `abort` is called at {}", program.place(span))
        }
        Some(Undefined { event: Some(event), span, .. }) => {
            format!("{} at {}", event.name(), program.place(span))
        }
    };
    format!("every execution that meets it has done something undefined before, such as {what}")
}

/// The assumptions by which a goal is out of reach, each with what changes it.
pub fn excluded_by(exclusion: &Exclusion) -> Vec<String> {
    let one = |assumption: &Assumption| match assumption.change() {
        Some(change) => format!("{assumption} (changed by {change})"),
        None => assumption.to_string(),
    };
    exclusion.by.iter().map(one).collect()
}

/// The same in words alone.
pub(crate) fn texts(exclusion: &Exclusion) -> Vec<String> {
    exclusion.by.iter().map(Assumption::to_string).collect()
}

/// What the user said about inputs, in words.
pub(crate) fn stated(report: &FunctionReport) -> Vec<String> {
    let stated = report.interface.assumptions.iter().filter(|assumption| !assumption.is_ours());
    stated.map(Assumption::to_string).collect()
}

/// For which inputs something is known, told in full.
pub(crate) fn all_inputs(report: &FunctionReport) -> String {
    let stated = stated(report);
    match stated.is_empty() {
        true => "all inputs".to_string(),
        false => format!("all inputs, as stated: {}", stated.join("; ")),
    }
}

/// Why each way is impossible, and what holds in loops.
fn explained(program: &Program, explanation: &Explanation) -> String {
    let one = |conflict: &Conflict| {
        let parts: Vec<String> = conflict.iter().map(|part| conflicting(program, part)).collect();
        match &parts[..] {
            [] => "what holds in loops leaves no way".to_string(),
            [single] => format!("it is impossible that {single}"),
            _ => format!("these contradict each other: {}", parts.join(" and ")),
        }
    };
    let mut text = match &explanation.conflicts[..] {
        [] => "the conditions on the way contradict each other".to_string(),
        conflicts => conflicts.iter().map(one).collect::<Vec<_>>().join("; on other ways, "),
    };
    let texts = explanation.invariants.iter().filter_map(|invariant| {
        let place = program.place(loop_span(program, invariant));
        invariant.text.as_ref().map(|text| format!("`{text}` in the loop at {place}"))
    });
    let mut texts: Vec<String> = texts.collect();
    texts.dedup();
    if !texts.is_empty() {
        text.push_str(&format!("; by {}", texts.join(" and ")));
    }
    text
}

/// Where a loop decides whether it goes on.
pub(crate) fn loop_span(program: &Program, invariant: &UsedInvariant) -> Span {
    let code = program.module.functions[invariant.func].code().expect("loops are in code");
    code.blocks[invariant.head].span
}

/// What helps to know more: twice the turns.
fn hint(bounds: &[Bound]) -> Option<String> {
    let turns = bounds.iter().filter_map(|bound| match bound.kind {
        CutKind::Loop { turns, .. } => Some(turns),
        _ => None,
    });
    turns.max().map(|turns| format!("try --turns {}", turns.saturating_mul(2).max(1)))
}

/// How far a loop or recursion was followed.
pub fn limit(program: &Program, bound: &Bound) -> String {
    let at = program.place(bound.span);
    match &bound.kind {
        CutKind::Loop { turns, .. } => {
            format!(
                "at most {} of the loop at {at}",
                counted(usize::try_from(*turns).unwrap_or(usize::MAX), "turn")
            )
        }
        CutKind::Recursion { callee, depth } => {
            let name = &program.module.functions[*callee].source_name;
            format!("at most {depth} calls of `{name}` inside each other, at {at}")
        }
        CutKind::Size => format!("nothing encoded behind {at}, where it became too large"),
        CutKind::Unsupported(what) => format!("nothing encoded behind {at}: no model of {what}"),
    }
}

/// Why nothing can be said about a goal.
pub fn gave_up_because(program: &Program, reason: &Reason) -> String {
    match reason {
        Reason::Time => "the time is over".to_string(),
        Reason::Memory => "the memory is used up".to_string(),
        Reason::Crash(how) => {
            format!("the work on this function crashed ({how}); this is a bug of Quipu, please report it")
        }
        Reason::Interrupted => "the work was interrupted".to_string(),
        Reason::Effort => "the solver's effort for one question is used up".to_string(),
        Reason::Size => "the constraints became too many".to_string(),
        Reason::Unsupported { what, func, span } => {
            let name = &program.module.functions[*func].source_name;
            format!("there is no model of {what}, in `{name}` at {}", program.place(*span))
        }
        Reason::Mismatch => {
            "the solver and the interpreter disagree; this is a bug of Quipu, please report it".to_string()
        }
        Reason::Disagreement => {
            "inputs were found, but the compiled program does something else on them".to_string()
        }
        Reason::Withdrawn => {
            "its proof is withdrawn: in another run, the compiled program does something else than predicted"
                .to_string()
        }
        Reason::NotReplayed(why) => {
            format!("inputs were found, but could not be tried on the compiled program: {why}")
        }
        Reason::NotEvaluated => {
            "for some input the clause cannot be evaluated: its arithmetic leaves 64 bits or divides by zero, or what \
             it keeps from before the call cannot be read"
                .to_string()
        }
        Reason::Unwritten { func, span } => format!(
            "it depends on a value that was never written, in `{}` at {}: tests have zeros there",
            program.module.functions[*func].source_name,
            program.place(*span)
        ),
        Reason::TooManyEvaluations => "the decision has too many evaluations".to_string(),
        Reason::FloatDeparture(flag) => {
            format!(
                "no input meets it if floats are those of IEEE 754, but `{flag}` lets the compiler differ"
            )
        }
    }
}
