//! Counts over all files, and whether they meet the thresholds.

use std::collections::BTreeMap;

use super::check::Checked;
use super::library::Library;
use super::outcome::{Failure, Outcome, RoundTrip};
use super::source::Source;

/// The least share of files to translate without a defect, in percent.
const FILES_PERCENT: f64 = 98.0;

/// The least share of functions to have code, in percent.
const FUNCTIONS_PERCENT: f64 = 97.0;

/// The result of a run.
#[derive(Debug)]
pub struct Summary {
    /// One row per library, in the order of the table of libraries.
    pub rows: Vec<Row>,
    /// The sum of the rows.
    pub total: Row,
    /// The defects: files rejected or crashed, verifier errors and so on, by kind and message.
    pub defects: Vec<Group>,
    /// The reasons for functions without code.
    pub reasons: Vec<Group>,
    /// The files that the system's compiler rejects, with its message.
    pub invalid: Vec<(String, String)>,
    /// The files that take the front end the most CPU time, with milliseconds and KiB.
    pub slowest: Vec<(String, u64, u64)>,
}

/// The counts of a library.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The library's name.
    pub name: String,
    /// The files that the system's compiler accepts.
    pub files: u64,
    /// Those without a defect.
    pub ok: u64,
    /// The files with functions of their own.
    pub nonempty: u64,
    /// The files printed and parsed again.
    pub round_trips: u64,
    /// The functions with a body.
    pub functions: u64,
    /// Those with code.
    pub supported: u64,
    /// The functions that do not stand in headers.
    pub own_functions: u64,
    /// Those with code.
    pub own_supported: u64,
    /// The panics and crashes.
    pub panics: u64,
    /// The files with verifier errors.
    pub unverified: u64,
    /// The CPU time of the front end in milliseconds.
    pub compile_ms: u64,
    /// The largest memory of a file in KiB.
    pub peak_kib: u64,
}

/// Things with the same message.
#[derive(Clone, Debug)]
pub struct Group {
    /// The message.
    pub what: String,
    /// How many: functions or files.
    pub count: u64,
    /// Where some of them are.
    pub examples: Vec<String>,
}

/// The examples kept of a group.
const EXAMPLES: usize = 3;

/// The files listed as the slowest.
const SLOWEST: usize = 5;

impl Summary {
    /// Counts the results of a run.
    pub fn new(libraries: &[&Library], files: &[Source], checked: &[Checked]) -> Summary {
        let name = |library: &&Library| Row { name: library.name.to_string(), ..Row::default() };
        let mut rows: Vec<Row> = libraries.iter().map(name).collect();
        let (mut defects, mut reasons) = (Groups::default(), Groups::default());
        let (mut invalid, mut slowest) = (Vec::new(), Vec::new());
        for (source, checked) in files.iter().zip(checked) {
            let row = &mut rows[source.library];
            let path = format!("{}: {}", row.name, source.path);
            match checked {
                Checked::Invalid(message) => invalid.push((path, message.clone())),
                Checked::Valid(outcome) => {
                    row.add_file(outcome);
                    add_defects(&mut defects, outcome, &path);
                    add_reasons(&mut reasons, outcome, &row.name);
                    slowest.push((path, outcome.compile_ms, outcome.peak_kib));
                }
            }
        }
        slowest.sort_by_key(|(_, ms, _)| std::cmp::Reverse(*ms));
        slowest.truncate(SLOWEST);
        let total = rows.iter().fold(Row { name: "total".to_string(), ..Row::default() }, Row::plus);
        Summary { rows, total, defects: defects.ranked(), reasons: reasons.ranked(), invalid, slowest }
    }

    /// Whether the thresholds are met.
    pub fn passes(&self) -> bool {
        let total = &self.total;
        total.files_percent() >= FILES_PERCENT
            && total.functions_percent() >= FUNCTIONS_PERCENT
            && total.panics == 0
            && total.unverified == 0
    }
}

impl Row {
    fn add_file(&mut self, outcome: &Outcome) {
        let panicked = matches!(outcome.failure, Some(Failure::Panicked(_) | Failure::Crashed(_)));
        self.files += 1;
        self.ok += u64::from(outcome.is_ok());
        self.round_trips += u64::from(outcome.round_trip != RoundTrip::Skipped);
        self.functions += outcome.functions;
        self.supported += outcome.supported;
        self.nonempty += u64::from(outcome.own_functions > 0);
        self.own_functions += outcome.own_functions;
        self.own_supported += outcome.own_supported;
        self.panics += u64::from(panicked);
        self.unverified += u64::from(!outcome.verify_errors.is_empty());
        self.compile_ms += outcome.compile_ms;
        self.peak_kib = self.peak_kib.max(outcome.peak_kib);
    }

    fn plus(self, other: &Row) -> Row {
        Row {
            name: self.name,
            files: self.files + other.files,
            ok: self.ok + other.ok,
            nonempty: self.nonempty + other.nonempty,
            round_trips: self.round_trips + other.round_trips,
            functions: self.functions + other.functions,
            supported: self.supported + other.supported,
            own_functions: self.own_functions + other.own_functions,
            own_supported: self.own_supported + other.own_supported,
            panics: self.panics + other.panics,
            unverified: self.unverified + other.unverified,
            compile_ms: self.compile_ms + other.compile_ms,
            peak_kib: self.peak_kib.max(other.peak_kib),
        }
    }

    /// The share of files without a defect.
    pub fn files_percent(&self) -> f64 {
        percent(self.ok, self.files)
    }

    /// The share of functions with code.
    pub fn functions_percent(&self) -> f64 {
        percent(self.supported, self.functions)
    }

    /// The share of functions with code among those that do not stand in headers.
    pub fn own_percent(&self) -> f64 {
        percent(self.own_supported, self.own_functions)
    }
}

/// `part` of `whole` in percent; nothing of nothing is all of it.
#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 }
}

fn add_defects(groups: &mut Groups, outcome: &Outcome, path: &str) {
    match &outcome.failure {
        Some(Failure::Rejected(why)) => {
            let (what, place) = why.split_once(" (").unwrap_or((why, ""));
            groups.add(format!("rejected: {what}"), format!("{path} ({place}"));
        }
        Some(Failure::Panicked(why)) => groups.add(format!("panic: {why}"), path.to_string()),
        Some(Failure::Crashed(why)) => groups.add(format!("crash: {why}"), path.to_string()),
        None => {}
    }
    if let Some(error) = outcome.verify_errors.first() {
        let (at, what) = error.split_once(": ").unwrap_or(("", error));
        groups.add(format!("verifier: {}", without_numbers(what)), format!("{path} {at}: {what}"));
    }
    if let RoundTrip::Broken(why) = &outcome.round_trip {
        groups.add(format!("round trip: {}", without_numbers(why)), format!("{path}: {why}"));
    }
}

/// Each function counts once, for its first reason.
fn add_reasons(groups: &mut Groups, outcome: &Outcome, library: &str) {
    for item in outcome.unsupported.iter().filter(|item| item.first) {
        groups.add(item.what.clone(), format!("{library}: {} {}", item.place, item.function));
    }
}

/// The text with `N` for every number, so that messages about different values are one.
fn without_numbers(text: &str) -> String {
    let mut short = String::new();
    for c in text.chars() {
        if !c.is_ascii_digit() {
            short.push(c);
        } else if !short.ends_with('N') {
            short.push('N');
        }
    }
    short
}

/// Groups under construction.
#[derive(Default)]
struct Groups(BTreeMap<String, (u64, Vec<String>)>);

impl Groups {
    fn add(&mut self, what: String, example: String) {
        let (count, examples) = self.0.entry(what).or_default();
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(example);
        }
    }

    /// The groups, the largest first.
    fn ranked(self) -> Vec<Group> {
        let group = |(what, (count, examples))| Group { what, count, examples };
        let mut groups: Vec<Group> = self.0.into_iter().map(group).collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.count));
        groups
    }
}
