//! Properties for people in front of a terminal.

use quipu_cfront::Program;
use quipu_cover::{ReplayOutcome, Standing, Test};
use quipu_inputs::Assumption;
use quipu_interp::Outcome;

use super::reliances::reliances;
use super::short::{Group, Rank, grouped};
use super::{Checked, CheckedProperty, Counts, bounds, fold, numbered, trace, verdict, why};
use crate::evidence::{stated, texts};
use crate::names::counted;
use crate::sighting::sighting_parts;
use crate::text::{Style, Tint, bold, excluded, findings, heading_with, inputs_text, paragraph, shortened};
use crate::undefined::unwritten_reads;
use crate::{ending, names};

/// Of a long way to a violation its beginning and its end are told.
const FIRST_DECISIONS: usize = 6;
const LAST_DECISIONS: usize = 14;
/// So much of the inputs is told in the summary.
const MOST_OF_INPUTS: usize = 60;

/// What is known about properties, as text: what is wrong, then what is open, then proofs, and what is wrong once more.
/// In short, proofs are counted; else each is told with what it rests on.
pub fn check_text(program: &Program, all: &[Checked], style: Style, verbose: bool) -> String {
    let ids: Vec<String> = numbered(all).map(|(id, ..)| id).collect();
    let mut rest = &ids[..];
    let mut blocks = Vec::new();
    for checked in all {
        let (own, others) = rest.split_at(checked.properties.len());
        rest = others;
        blocks.push(Block {
            program,
            checked,
            ids: own,
            width: ids.len().to_string().len() + 1,
            style,
            verbose,
        });
    }
    let mut out: String = blocks.iter().map(Block::violations).collect();
    out.extend(blocks.iter().map(Block::open));
    out.extend(blocks.iter().map(Block::proofs));
    if !verbose && blocks.iter().any(|block| block.numbers(Rank::Proved).next().is_some()) {
        out.push('\n');
    }
    out.extend(blocks.iter().map(Block::summary));
    out.push_str(&bold("", &sentence(&Counts::of(all)), style));
    out
}

/// What is told about a function.
struct Block<'a> {
    program: &'a Program,
    checked: &'a Checked,
    /// The names of its properties.
    ids: &'a [String],
    /// How long names are.
    width: usize,
    style: Style,
    /// Whether everything is told.
    verbose: bool,
}

impl Block<'_> {
    fn standing(&self, number: usize) -> Standing<'_> {
        self.checked.report.standing(self.checked.properties[number].property)
    }

    fn numbers(&self, rank: Rank) -> impl Iterator<Item = usize> + '_ {
        (0..self.ids.len()).filter(move |&number| Rank::of(&self.standing(number)) == rank)
    }

    /// Some properties one by one.
    fn listed(&self, numbers: impl Iterator<Item = usize>) -> String {
        let one = |number: usize| {
            let label = format!("  {:<width$}  ", self.ids[number], width = self.width);
            property(self.program, &label, self.checked, &self.checked.properties[number], self.style)
        };
        numbers.map(one).collect()
    }

    /// The function, with what is assumed about its inputs if that is not told elsewhere.
    fn headed(&self, tells_assumptions: bool, text: String) -> String {
        if text.is_empty() {
            return text;
        }
        let is_told = |assumption: &Assumption| tells_assumptions || !assumption.is_ours();
        format!(
            "{}{text}\n",
            heading_with(self.program, self.checked.told, &self.checked.report, self.style, is_told)
        )
    }

    fn violations(&self) -> String {
        let mut text = self.listed(self.numbers(Rank::Violated));
        text.push_str(&differences(self.program, self.checked, self.style));
        text.push_str(&findings(self.program, &self.checked.report, self.style));
        self.headed(self.verbose, text)
    }

    fn open(&self) -> String {
        let relied = reliances(self.program, self.checked);
        let mut text: String =
            relied.iter().map(|one| paragraph("  ", &one.sentence(), self.style.width)).collect();
        let open: Vec<usize> = self.numbers(Rank::Open).collect();
        if self.verbose {
            text.push_str(&self.listed(self.numbers(Rank::Relied).chain(open)));
            return self.headed(true, text);
        }
        let (alone, groups) = grouped(self.program, self.checked, &open);
        text.push_str(&self.listed(alone.into_iter()));
        groups.iter().for_each(|group| text.push_str(&self.group(group)));
        // What is known up to a bound only is known under all assumptions.
        let is_bounded = |&number: &usize| matches!(self.standing(number), Standing::ProvedToBound(_));
        self.headed(open.iter().any(is_bounded), text)
    }

    fn group(&self, group: &Group) -> String {
        let verdict = self.style.tint(Tint::Open, group.verdict);
        let title = format!("{} of undefined behaviour", counted_properties(group.size()));
        let mut out = format!("  {verdict}  {title}\n");
        let lines = [group.kinds()].into_iter().chain(group.reason.iter().cloned());
        lines.for_each(|line| out.push_str(&paragraph("    ", &line, self.style.width)));
        out
    }

    fn proofs(&self) -> String {
        let numbers: Vec<usize> = self.numbers(Rank::Proved).collect();
        if numbers.is_empty() {
            return String::new();
        }
        if self.verbose {
            let mut text = self.listed(numbers.into_iter());
            if self.numbers(Rank::Violated).next().is_some() {
                text.push_str("  (proofs are about runs in which no other property is violated before)\n");
            }
            return self.headed(true, text);
        }
        let name = &self.program.module.functions[self.checked.told].source_name;
        let (proved, absent): (Vec<usize>, Vec<usize>) =
            numbers.into_iter().partition(|&number| matches!(self.standing(number), Standing::Proved(_)));
        let parts = [(proved.len(), "proved"), (absent.len(), "unreachable")];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, what)| format!("{} {what}", counted_properties(*n)))
            .collect();
        let stated = match &stated(&self.checked.report)[..] {
            [] => String::new(),
            stated => format!("; as stated: {}", stated.join("; ")),
        };
        let line = paragraph("", &format!("{name}: {}{stated}", parts.join(", ")), self.style.width);
        line.replacen(name.as_str(), &self.style.tint(Tint::Bold, name), 1)
    }

    /// The violations once more, in a line each.
    fn summary(&self) -> String {
        let home = &self.program.module.functions[self.checked.told].source_name;
        let line = |number: usize| {
            let one = &self.checked.properties[number];
            let Standing::Violated(test) = self.standing(number) else { return String::new() };
            let name = self.checked.name(self.program, one);
            let through = if name.function == *home { String::new() } else { format!(", through `{home}`") };
            let (text, inputs) = (shortened(&name.text, 40), inputs(self.program, self.checked, test));
            let place = format!("{}:{}:{}", name.file, name.line, name.column);
            let told = format!(
                "{place}  {}  `{text}`{through}, by {}",
                name.kind,
                shortened(&inputs, MOST_OF_INPUTS)
            );
            let lines = paragraph("violated  ", &told, self.style.width);
            lines.replacen("violated", &self.style.tint(Tint::Bad, "violated"), 1)
        };
        self.numbers(Rank::Violated).map(line).collect()
    }
}

fn counted_properties(n: usize) -> String {
    if n == 1 { "1 property".to_string() } else { format!("{n} properties") }
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

fn sentence(counts: &Counts) -> String {
    let parts = [
        (counts.violated, "violated"),
        (counts.proved, "proved"),
        (counts.relied, "proved by what the code relies on"),
        (counts.excluded, "excluded by assumptions"),
        (counts.after_undefined, "violated only after undefined behaviour"),
        (counts.to_bound, "proved to a bound"),
        (counts.unreachable, "unreachable"),
        (counts.gave_up, "gave up"),
    ];
    let present = parts.iter().filter(|(count, _)| *count > 0);
    let present: Vec<String> = present.map(|(count, what)| format!("{count} {what}")).collect();
    match counts.all() {
        0 => "no properties".to_string(),
        n => format!("{}: {}", counted_properties(n), present.join(", ")),
    }
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
        Standing::Relied(..)
        | Standing::Excluded(..)
        | Standing::AfterUndefined(..)
        | Standing::ProvedToBound(_)
        | Standing::GaveUp(_) => Tint::Open,
    };
    let text = shortened(&name.text, 60);
    let mut out =
        format!("{label}{}  {place}  {}  `{text}`\n", style.tint(tint, verdict(&standing)), name.kind);
    let indent = " ".repeat(label.chars().count());
    let mut tell = |sentence: &str| out.push_str(&paragraph(&indent, sentence, style.width));
    match standing {
        Standing::Violated(test) => {
            tell(&format!("by {}", inputs(program, checked, test)));
            tell(&format!("{}; {}", ends(program, checked, one, test), replayed(test)));
            if let Some(reads) = unwritten_reads(program, test) {
                tell(&format!("after undefined behaviour: {reads}; with zeros there"));
            }
            let decisions = way(program, one);
            decisions.iter().for_each(|line| tell(line));
        }
        _ => reason(program, checked, one).iter().for_each(|line| tell(line)),
    }
    out
}

/// What a verdict needs, and why it is so.
pub(super) fn reason(program: &Program, checked: &Checked, one: &CheckedProperty) -> Vec<String> {
    let needs = match checked.report.standing(one.property) {
        Standing::Relied(_, exclusion) => Some(format!("as long as {}", texts(exclusion).join("; "))),
        Standing::Excluded(_, exclusion) => Some(excluded(exclusion)),
        Standing::ProvedToBound(limits) => Some(format!("with {}", bounds(program, limits))),
        _ => None,
    };
    needs.into_iter().chain(why(program, checked, one)).filter(|line| !line.is_empty()).collect()
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
