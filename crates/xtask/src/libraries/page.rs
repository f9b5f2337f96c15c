//! The page: which libraries, a table of them, and the causes of what is open, most frequent first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::args::Args;
use super::export::{Export, Trial};
use super::functions::Task;
use super::list::Library;
use super::outcome::{Failure, Outcome};
use crate::machine;

const EXPLANATION: &str = "\
Branch goals as [docs/cover.md](../docs/cover.md) defines them, for every function of the files, with nothing told\n\
about the inputs. *Decided*: covered by a test that the compiled program confirmed, or proved unreachable, which rests\n\
on nothing that Quipu assumes. *Excluded* by an assumption, *only after undefined behaviour* (after UB), *to bound*:\n\
[docs/verdicts.md](../docs/verdicts.md). *Unsupported*: functions with something that the front end does not translate;\n\
*failed*: Quipu crashed or was stopped, or a proof was refuted. Both have no goals here. CPU seconds include the C\n\
compiler and the tests.\n\n\
The libraries are not part of this repository.\n";

const EXPORTS: &str = "\
\n## Exported tests\n\n\
Each function has a file of its own (`--tests`), which was compiled and run as it is, in all of these ways with\n\
`-fsanitize=address,undefined`: so many files passed, of so many. *Only if wanted*: compiled with `-DQUIPU_UNDEFINED`.\n\n";

/// The results as a page.
pub fn page(
    libraries: &[Library],
    results: &[(&Task, &Outcome)],
    rejected: &[String],
    args: &Args,
) -> String {
    let mut text = format!(
        "# {}\n\n`cargo run --release -p quipu-xtask -- libraries --list FILE --sources DIR --time {}{}` on {}, \
         {}.\n\n{EXPLANATION}",
        args.title,
        args.seconds,
        further_options(args),
        machine::date(),
        machine::name()
    );
    text += &table(libraries, results);
    if args.export {
        text += &exports(libraries, results);
    }
    text += &causes("Assumptions that exclude goals", results, |outcome| {
        outcome.excluded.iter().map(String::as_str).collect()
    });
    text +=
        &causes("Goals given up", results, |outcome| outcome.gave_up.iter().map(String::as_str).collect());
    text += &causes("Functions that are not supported", results, |outcome| match &outcome.failure {
        Some(Failure::Unsupported(why)) => vec![why],
        _ => Vec::new(),
    });
    text += &events("Failures", results, |outcome| match &outcome.failure {
        Some(Failure::Failed(why)) => vec![why.clone()],
        _ => Vec::new(),
    });
    text += &events("Disagreements", results, |outcome| outcome.disagreements.clone());
    text += &causes("Tests that are not exported", results, |outcome| {
        outcome.export.iter().flat_map(|export| &export.absent).map(String::as_str).collect()
    });
    text += &events("Exported files that fail", results, |outcome| {
        outcome.export.iter().flat_map(Export::failures).collect()
    });
    if !rejected.is_empty() {
        text += "\n## Files that the C compiler rejects\n\n";
        rejected.iter().for_each(|line| text += &format!("- {line}\n"));
    }
    text + &sources(libraries)
}

/// The sums over some functions.
#[derive(Default)]
struct Row {
    functions: usize,
    unsupported: usize,
    failed: usize,
    sum: Outcome,
}

impl Row {
    fn of<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Row {
        let mut row = Row::default();
        for outcome in outcomes {
            row.functions += 1;
            row.unsupported += usize::from(matches!(outcome.failure, Some(Failure::Unsupported(_))));
            row.failed += usize::from(matches!(outcome.failure, Some(Failure::Failed(_))));
            row.sum.covered += outcome.covered;
            row.sum.unreachable += outcome.unreachable;
            row.sum.excluded.extend_from_slice(&outcome.excluded);
            row.sum.after_undefined += outcome.after_undefined;
            row.sum.to_bound += outcome.to_bound;
            row.sum.gave_up.extend_from_slice(&outcome.gave_up);
            row.sum.tests += outcome.tests;
            row.sum.confirmed += outcome.confirmed;
            row.sum.disagreements.extend_from_slice(&outcome.disagreements);
            row.sum.cpu_ms += outcome.cpu_ms;
        }
        row
    }

    fn line(&self, name: &str) -> String {
        let Row { functions, unsupported, failed, sum } = self;
        let decided = (sum.covered + sum.unreachable) as f64 * 100.0 / sum.goals().max(1) as f64;
        format!(
            "| {name} | {functions} | {unsupported} | {failed} | {} | {} | {} | {decided:.1} | {} | {} | {} | {} | {} | {} | {} \
             | {:.1} |\n",
            sum.goals(),
            sum.covered,
            sum.unreachable,
            sum.excluded.len(),
            sum.after_undefined,
            sum.to_bound,
            sum.gave_up.len(),
            sum.tests,
            sum.confirmed,
            sum.disagreements.len(),
            sum.cpu_ms as f64 / 1e3
        )
    }
}

fn table(libraries: &[Library], results: &[(&Task, &Outcome)]) -> String {
    let mut text =
        "\n| library | functions | unsupported | failed | goals | covered | unreachable | decided % | excluded \
                    | after UB | to bound | gave up | tests | confirmed | disagree | CPU s |\n"
            .to_owned();
    text += "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for (index, library) in libraries.iter().enumerate() {
        let own = results.iter().filter(|(task, _)| task.library == index).map(|(_, outcome)| *outcome);
        text += &Row::of(own).line(&library.name);
    }
    text + &Row::of(results.iter().map(|(_, outcome)| *outcome)).line("**all**")
}

/// What was asked for besides.
fn further_options(args: &Args) -> String {
    let attack = if args.attack > 0 { format!(" --attack {}", args.attack) } else { String::new() };
    attack + if args.export { " --export" } else { "" }
}

fn exports(libraries: &[Library], results: &[(&Task, &Outcome)]) -> String {
    let all: Vec<(usize, &Export)> = results
        .iter()
        .filter_map(|(task, outcome)| outcome.export.as_ref().map(|export| (task.library, export)))
        .collect();
    let ways: BTreeSet<&str> =
        all.iter().flat_map(|(_, export)| &export.trials).map(|trial| trial.how.as_str()).collect();
    let mut text = EXPORTS.to_owned();
    text += "| library | files | tests | only if wanted | left out |";
    ways.iter().for_each(|way| text += &format!(" {way} |"));
    text += &format!("\n|---|{}\n", "--:|".repeat(4 + ways.len()));
    for (index, library) in libraries.iter().enumerate() {
        let own = all.iter().filter(|(library, _)| *library == index).map(|(_, export)| *export);
        text += &export_line(&library.name, &own.collect::<Vec<_>>(), &ways);
    }
    let exports: Vec<&Export> = all.iter().map(|(_, export)| *export).collect();
    text + &export_line("**all**", &exports, &ways)
}

fn export_line(name: &str, exports: &[&Export], ways: &BTreeSet<&str>) -> String {
    let files = exports.iter().filter(|export| export.tests > 0).count();
    let tests: u64 = exports.iter().map(|export| export.tests).sum();
    let undefined: u64 = exports.iter().map(|export| export.undefined).sum();
    let absent: usize = exports.iter().map(|export| export.absent.len()).sum();
    let mut text = format!("| {name} | {files} | {tests} | {undefined} | {absent} |");
    for way in ways {
        let tried: Vec<&Trial> =
            exports.iter().flat_map(|export| &export.trials).filter(|trial| trial.how == *way).collect();
        let passed = tried.iter().filter(|trial| trial.failure.is_none()).count();
        text += &format!(" {passed}/{} |", tried.len());
    }
    text + "\n"
}

/// How often each cause occurs, the most frequent first, with a function as an example.
fn causes(title: &str, results: &[(&Task, &Outcome)], of: impl Fn(&Outcome) -> Vec<&str>) -> String {
    let mut counts: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for (task, outcome) in results {
        for cause in of(outcome) {
            counts.entry(without_place(cause)).or_insert_with(|| (0, task.name())).0 += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    if counts.is_empty() {
        return String::new();
    }
    let mut text = format!("\n## {title}\n\n| number | cause | first in |\n|--:|---|---|\n");
    for (cause, (count, example)) in counts {
        let _ = writeln!(text, "| {count} | {} | {example} |", cause.replace('|', "\\|"));
    }
    text
}

/// A cause without the function and the place that it names.
fn without_place(cause: &str) -> &str {
    cause.split_once(", in `").map_or(cause, |(what, _)| what)
}

/// Things that should not happen, one by one.
fn events(title: &str, results: &[(&Task, &Outcome)], of: impl Fn(&Outcome) -> Vec<String>) -> String {
    let mut text = String::new();
    for (task, outcome) in results {
        for event in of(outcome) {
            let _ = writeln!(text, "- {}: {event}", task.name());
        }
    }
    if text.is_empty() { text } else { format!("\n## {title}\n\n{text}") }
}

fn sources(libraries: &[Library]) -> String {
    let mut text =
        "\n## Sources\n\n| library | repository | commit | files |\n|---|---|---|---|\n".to_owned();
    for Library { name, url, commit, files } in libraries {
        let files: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let _ = writeln!(text, "| {name} | {url} | {commit} | {} |", files.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(function: &str) -> Task {
        let (directory, file) = ("/sources/tiny".into(), "a.c".to_owned());
        Task { library: 0, directory, file, flags: Vec::new(), function: function.to_owned() }
    }

    #[test]
    fn causes_are_counted_without_their_places() {
        let open = |why: &[&str]| Outcome {
            gave_up: why.iter().map(|&why| why.to_owned()).collect(),
            covered: 2,
            ..Outcome::default()
        };
        let (first, second) = (task("f"), task("g"));
        let outcomes = [
            open(&["time"]),
            open(&["no model of x, in `g` at a.c:1:1", "no model of x, in `h` at a.c:2:1"]),
        ];
        let results = [(&first, &outcomes[0]), (&second, &outcomes[1])];
        let text = causes("Open", &results, |outcome| outcome.gave_up.iter().map(String::as_str).collect());
        assert!(text.ends_with("| 2 | no model of x | tiny/a.c/g |\n| 1 | time | tiny/a.c/f |\n"), "{text}");
        let line = Row::of(outcomes.iter()).line("tiny");
        assert!(line.starts_with("| tiny | 2 | 0 | 0 | 7 | 4 | 0 | 57.1 | 0 | 0 | 0 | 3 |"), "{line}");
    }

    #[test]
    fn files_are_counted_by_the_way_they_were_run() {
        let trial = |how: &str, failure: Option<&str>| Trial {
            how: how.to_owned(),
            failure: failure.map(str::to_owned),
        };
        let passing = Export { tests: 3, trials: vec![trial("gcc -O0", None)], ..Export::default() };
        let failing =
            Export { tests: 2, trials: vec![trial("gcc -O0", Some("signal"))], ..Export::default() };
        let empty = Export { absent: vec!["ends in a timeout".to_owned()], ..Export::default() };
        let line = export_line("tiny", &[&passing, &failing, &empty], &BTreeSet::from(["gcc -O0"]));
        assert_eq!(line, "| tiny | 2 | 5 | 0 | 1 | 1/2 |\n");
    }
}
