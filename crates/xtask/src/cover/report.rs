//! The page: a section for each folder of programs, with totals, a table and what else there is to know.

use std::fmt::Write as _;

use super::aims;
use super::cbmc::Trouble;
use super::quipu::Found;
use super::row::{Other, Row};
use crate::machine;

const COLUMNS: [&str; 18] = [
    "program",
    "criterion",
    "goals",
    "covered",
    "unreachable",
    "to bound",
    "gave up",
    "tests",
    "all s",
    "own s",
    "search s",
    "solve ms",
    "MB",
    "random",
    "s",
    "CBMC",
    "its own",
    "s",
];

const EXPLANATION: &str = "\
`branch` and `mcdc` (masking form) as [docs/cover.md](../docs/cover.md) defines them, for every function that a file\n\
defines, with the defaults of `quipu cover`. A goal is *covered* if a test meets it that the compiled program confirmed.\n\
CPU seconds: *all* with the C compiler and the compiled tests, *own* without these, *search* the part of it for tests\n\
and proofs, of which *solve* is that for questions to the solver. *MB* is the most memory of Quipu itself.\n\
Figures below 0.1 s are rounded to ticks of 0.01 s, and other work on the machine adds a tenth here and there.\n\n\
*Random* draws every input by itself, half of them from all values of the type, half from -10 to 100.\n\
CBMC gets the same inputs by a harness, one function after the other, and only the goals in that function. Its tests\n\
are run in Quipu's interpreter and count for Quipu's goals; *its own* are its goals and how many it calls satisfied.\n\
It has no goals for `?:`, for single labels of a group of cases, nor for `&&` outside of conditions under `branch`.\n\
It is asked with `--unwind 5`, 12, and 100, without and (for 12) with its standard checks, until it meets what Quipu\n\
meets or runs longer than 60 s; the run that meets most is counted alone, as if its options had been known. *Untold*:\n\
functions for which CBMC does not tell what the environment answered (`scanf`). A test of CBMC's counts until it runs\n\
into undefined behaviour.\n\n\
Programs of other folders than `bench/cover` are not part of this repository.\n";

/// The results as a page.
pub fn page(rows: &[Row], left_out: &[(String, String)], cbmc: Option<&str>, runs: u64) -> String {
    let mut text = String::from("# Quipu, random testing and CBMC\n\n");
    let peer = cbmc.map_or_else(|| "without CBMC".to_owned(), |version| format!("CBMC {version}"));
    let _ = writeln!(
        text,
        "`cargo run --release -p quipu-xtask -- cover --cbmc CBMC --programs DIR...` on {}, {}.\n\
         {peer}; {runs} random runs of each function.\n\n{EXPLANATION}",
        machine::date(),
        machine::name()
    );
    for group in groups(rows) {
        section(&mut text, &group);
    }
    for (name, error) in left_out {
        let _ = writeln!(text, "- {name} is left out: {}", error.lines().next().unwrap_or_default());
    }
    text
}

/// One row for the terminal.
pub fn line(row: &Row) -> String {
    let cbmc = row.cbmc.as_ref().map_or(String::new(), |cbmc| format!("cbmc {}", cbmc_cells(cbmc)));
    let (name, criterion) = (&row.name, row.wanted.name());
    format!("{name:24} {criterion:6} {} random {} {cbmc}", quipu_cells(row), random_cells(&row.random))
}

pub fn seconds_of_cbmc(rows: &[&Row]) -> f64 {
    rows.iter().filter_map(|row| row.cbmc.as_ref()).map(|cbmc| cbmc.seconds).sum()
}

/// The rows by folder, the generated program with the first one.
fn groups(rows: &[Row]) -> Vec<Vec<&Row>> {
    let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in rows {
        let folder = row.name.split_once('/').map(|(folder, _)| folder);
        let at = groups.iter().position(|(name, _)| folder.is_none_or(|folder| folder == *name));
        match at {
            Some(at) => groups[at].1.push(row),
            None => groups.push((folder.unwrap_or_default(), vec![row])),
        }
    }
    groups.into_iter().map(|(_, rows)| rows).collect()
}

fn section(text: &mut String, rows: &[&Row]) {
    let folder = rows[0].name.split_once('/').map_or("generated", |(folder, _)| folder);
    let _ = writeln!(text, "## `{folder}`\n");
    text.push_str(&aims::table(rows));
    totals(text, rows);
    table(text, rows);
    notes(text, rows);
}

fn totals(text: &mut String, rows: &[&Row]) {
    let count = |found| rows.iter().map(|row| row.quipu.count(found)).sum::<usize>();
    let goals: usize = rows.iter().map(|row| row.goals()).sum();
    let own: f64 = rows.iter().map(|row| row.quipu.own_seconds()).sum();
    let all: f64 = rows.iter().map(|row| row.quipu.all_seconds).sum();
    let random: usize = rows.iter().map(|row| row.random.covered).sum();
    let random_seconds: f64 = rows.iter().map(|row| row.random.seconds).sum();
    let _ = writeln!(
        text,
        "| | goals covered of {goals} | CPU s |\n| --- | --- | --- |\n\
         | Quipu | {} and {} proved unreachable | {own:.2} own, {all:.2} all |\n\
         | random testing | {random} | {random_seconds:.2} |",
        count(Found::Covered),
        count(Found::Unreachable)
    );
    if rows.iter().any(|row| row.cbmc.is_some()) {
        let covered: usize = rows.iter().filter_map(|row| row.cbmc.as_ref()).map(|cbmc| cbmc.covered).sum();
        let _ = writeln!(text, "| CBMC | {covered} | {:.2} |", seconds_of_cbmc(rows));
    }
    text.push('\n');
}

fn table(text: &mut String, rows: &[&Row]) {
    let _ = writeln!(text, "| {} |\n{}|", COLUMNS.join(" | "), "| --- ".repeat(COLUMNS.len()));
    for row in rows {
        let cbmc = row.cbmc.as_ref().map_or_else(|| " | | ".to_owned(), cbmc_cells);
        let (name, criterion, random) = (&row.name, row.wanted.name(), random_cells(&row.random));
        let _ = writeln!(text, "| {name} | {criterion} | {} | {random} | {cbmc} |", quipu_cells(row));
    }
    text.push('\n');
}

fn quipu_cells(row: &Row) -> String {
    let quipu = &row.quipu;
    let count = |found| quipu.count(found);
    let tests: usize = quipu.answer.functions.iter().map(|function| function.tests).sum();
    format!(
        "{} | {} | {} | {} | {} | {tests} | {:.2} | {:.2} | {:.2} | {:.0} | {:.0}",
        row.goals(),
        count(Found::Covered),
        count(Found::Unreachable),
        count(Found::ToBound),
        count(Found::GaveUp),
        quipu.all_seconds,
        quipu.own_seconds(),
        quipu.answer.search_seconds,
        quipu.answer.solve_seconds * 1e3,
        quipu.answer.peak_kib as f64 / 1024.0
    )
}

fn random_cells(other: &Other) -> String {
    format!("{} | {:.2}", other.covered, other.seconds)
}

fn cbmc_cells(other: &Other) -> String {
    let mut cell = other.covered.to_string();
    for &(trouble, n) in &other.troubles {
        let _ = match trouble {
            Trouble::Timeout => write!(cell, ", {n} timeout"),
            Trouble::Refused => write!(cell, ", {n} refused"),
            Trouble::Untold => write!(cell, ", {n} untold"),
        };
    }
    let (goals, satisfied) = other.own;
    format!("{cell} | {satisfied}/{goals} | {:.2}", other.seconds)
}

/// What a reader should know besides the numbers.
fn notes(text: &mut String, rows: &[&Row]) {
    let mut lines = Vec::new();
    for row in rows {
        let mut note = |what: String| lines.push(format!("- {} ({}): {what}\n", row.name, row.wanted.name()));
        let functions = &row.quipu.answer.functions;
        let disagreements: usize = functions.iter().map(|function| function.disagreements).sum();
        if disagreements > 0 {
            note(format!("{disagreements} tests disagree with the compiled program"));
        }
        if row.unsupported > 0 {
            note(format!("{} functions are not supported", row.unsupported));
        }
        row.missed.iter().for_each(|goal| note(format!("met by others only, {goal}")));
        row.refuted.iter().for_each(|goal| note(format!("called unreachable, but met, {goal}")));
    }
    if !lines.is_empty() {
        let _ = writeln!(text, "{}", lines.concat());
    }
}
