//! Properties for people in front of a terminal.

use quipu_cfront::Program;
use quipu_cover::{ReplayOutcome, Standing, Test};

use super::{Checked, CheckedProperty, Counts, bounds, fold, numbered, trace, verdict, why};
use crate::names::counted;
use crate::sighting::sighting_parts;
use crate::text::{Style, Tint, bold, heading, inputs_text, paragraph};
use crate::{ending, names};
use quipu_interp::Outcome;

/// Of a long way to a violation its beginning and its end are told.
const FIRST_DECISIONS: usize = 6;
const LAST_DECISIONS: usize = 14;

/// What is known about properties, as text.
pub fn check_text(program: &Program, all: &[Checked], style: Style) -> String {
    let mut out = String::new();
    let ids: Vec<String> = numbered(all).map(|(id, ..)| id).collect();
    let mut ids = ids.iter();
    let width = all.iter().map(|checked| checked.properties.len()).sum::<usize>().to_string().len() + 1;
    for checked in all {
        out.push_str(&heading(program, checked.told, &checked.report, style));
        for (one, id) in checked.properties.iter().zip(&mut ids) {
            out.push_str(&property(program, &format!("  {id:<width$}  "), checked, one, style));
        }
        out.push_str(&differences(program, checked, style));
        if is_mixed(checked) {
            out.push_str("  (proofs are about runs in which no other property is violated before)\n");
        }
        out.push('\n');
    }
    out.push_str(&bold("", &sentence(&Counts::of(all)), style));
    out
}

/// Where the compiled program does something else than was predicted: nothing is concluded from these runs.
fn differences(program: &Program, checked: &Checked, style: Style) -> String {
    let mut out = String::new();
    for test in &checked.report.disagreements {
        if let ReplayOutcome::Disagrees(difference) = &test.replay {
            let sentence = format!(
                "disagreement: on {} the compiled program does something else than predicted; predicted: {}; measured: {}",
                inputs(program, checked, test),
                difference.predicted,
                difference.measured
            );
            out.push_str(&paragraph("  ", &sentence, style.width));
        }
    }
    out
}

/// Whether some properties of a function are violated and others are not.
fn is_mixed(checked: &Checked) -> bool {
    let standings = || checked.properties.iter().map(|one| checked.report.standing(one.property));
    standings().any(|standing| matches!(standing, Standing::Violated(_)))
        && standings().any(|standing| matches!(standing, Standing::Proved(_) | Standing::Unreachable(_)))
}

fn sentence(counts: &Counts) -> String {
    let parts = [
        (counts.violated, "violated"),
        (counts.proved, "proved"),
        (counts.excluded, "excluded by assumptions"),
        (counts.after_undefined, "violated only after undefined behaviour"),
        (counts.to_bound, "proved to a bound"),
        (counts.unreachable, "unreachable"),
        (counts.gave_up, "gave up"),
    ];
    let present = parts.iter().filter(|(count, _)| *count > 0);
    let present: Vec<String> = present.map(|(count, what)| format!("{count} {what}")).collect();
    let n = counts.all();
    let noun = if n == 1 { "property" } else { "properties" };
    if n == 0 { format!("no {noun}") } else { format!("{n} {noun}: {}", present.join(", ")) }
}

fn property(
    program: &Program,
    label: &str,
    checked: &Checked,
    one: &CheckedProperty,
    style: Style,
) -> String {
    let name = checked.name(program, one);
    let standing = checked.report.standing(one.property);
    let home = names::file(program, program.module.functions[checked.told].span);
    let place = match name.file == home {
        true => format!("{}:{}", name.line, name.column),
        false => format!("{}:{}:{}", name.file, name.line, name.column),
    };
    let tint = match standing {
        Standing::Violated(_) => Tint::Bad,
        Standing::Proved(_) => Tint::Good,
        Standing::Unreachable(_) => Tint::Proved,
        Standing::Excluded(..)
        | Standing::AfterUndefined(..)
        | Standing::ProvedToBound(_)
        | Standing::GaveUp(_) => Tint::Open,
    };
    let text = crate::text::shortened(&name.text, 60);
    let mut out =
        format!("{label}{}  {place}  {}  `{text}`\n", style.tint(tint, verdict(&standing)), name.kind);
    let indent = " ".repeat(label.chars().count());
    let mut tell = |sentence: &str| out.push_str(&paragraph(&indent, sentence, style.width));
    match standing {
        Standing::Violated(test) => {
            tell(&format!("by {}", inputs(program, checked, test)));
            tell(&format!("{}; {}", ends(program, checked, one, test), replayed(test)));
            let decisions = way(program, one);
            decisions.iter().for_each(|line| tell(line));
        }
        Standing::Excluded(_, exclusion) => {
            tell(&crate::text::excluded(exclusion));
            tell(&why(program, checked, one).unwrap_or_default());
        }
        Standing::ProvedToBound(limits) => {
            tell(&format!("with {}", bounds(program, limits)));
            tell(&why(program, checked, one).unwrap_or_default());
        }
        _ => tell(&why(program, checked, one).unwrap_or_default()),
    }
    out
}

fn inputs(program: &Program, checked: &Checked, test: &Test) -> String {
    let inputs = inputs_text(program, &checked.report, test);
    if inputs.is_empty() { "any run".to_string() } else { inputs }
}

/// What goes wrong. Where the run goes on behind that, it does not matter how it ends.
fn ends(program: &Program, checked: &Checked, one: &CheckedProperty, test: &Test) -> String {
    let outcome = &test.observation.outcome;
    let name = checked.name(program, one);
    let place = format!("{}:{}:{}", name.file, name.line, name.column);
    match outcome {
        Outcome::AssertionFailed { .. } if outcome.failed_claim().is_none() => {
            ending::sentence(program, outcome)
        }
        Outcome::Event { .. } => ending::sentence(program, outcome),
        _ if name.kind == "error-call" => format!("`{}` is called, at {place}", name.text),
        _ => format!("`{}` is false, at {place}", name.text),
    }
}

fn replayed(test: &Test) -> String {
    let seen = test.sighting.as_ref().map(|sighting| match sighting_parts(sighting) {
        (Some(by), detail) => format!("{by}: {detail}"),
        (None, detail) => format!("predicted only: {detail}"),
    });
    match (&test.replay, seen) {
        (_, Some(seen)) => seen,
        (ReplayOutcome::Confirmed, None) => "confirmed by the compiled program".to_string(),
        (replay, None) => replay.name().to_string(),
    }
}

/// The decisions on the way, each with its values. Of turns that decide alike the first and the last are told.
fn way(program: &Program, one: &CheckedProperty) -> Vec<String> {
    let keys: Vec<_> = one.trace.iter().map(|decided| (decided.func, decided.block, decided.edge)).collect();
    let told = |number: usize| {
        let told = trace::told(program, &one.trace[number]);
        let values = told.values.map_or(String::new(), |[a, b]| format!(" ({a}, {b})"));
        let place = format!("{}:{}", names::file(program, told.span), told.span.line);
        format!("{place}: `{}` is {}{values}", told.text, told.outcome)
    };
    let mut lines = Vec::new();
    let mut number = 0;
    while number < keys.len() {
        match fold::repeated(&keys[number..]) {
            Some((period, times)) => {
                lines.extend((number..number + period).map(told));
                lines.push(format!("... {} like this ...", counted(times - 2, "turn")));
                number += period * (times - 1);
                lines.extend((number..number + period).map(told));
                number += period;
            }
            None => {
                lines.push(told(number));
                number += 1;
            }
        }
    }
    let left_out = lines.len().saturating_sub(FIRST_DECISIONS + LAST_DECISIONS);
    if left_out > 1 {
        let rest = [format!("... {} ...", counted(left_out, "decision"))];
        lines.splice(FIRST_DECISIONS..FIRST_DECISIONS + left_out, rest);
    }
    lines
}
