//! The table, and what it says in total.

use std::fmt::Write as _;
use std::time::Duration;

use super::run::{Measured, Said};
use super::{PEERS, Row, Set};
use crate::machine;

/// Shorter times count as this one: below it one measures parsers and allocators.
const FLOOR_SECONDS: f64 = 0.001;

/// The results as a page.
pub fn page(set: &Set, rows: &[Row], timeout: Duration, peers: &str) -> String {
    let mut text = String::from("# Quipu beside other solvers\n\n");
    let _ = write!(
        text,
        "`cargo run --release -p quipu-xtask -- solver{} --peers PYTHON` on {}, {}.\n\
         CPU seconds of parsing and solving one text, each in a process of its own, without its start and its imports;\n\
         below 0.1 s the best of three. The peers read the same constraints as SMT-LIB ({}) and run with their\n\
         defaults: {peers}. The rules and slices of Quipu were tuned with these\n\
         problems in view. `-` is no answer in {} s. A ratio is Quipu's time to that of the best peer; times below 1 ms\n\
         count as 1 ms in it, and no answer of Quipu as infinitely slow.\n\n{}",
        set.option,
        machine::date(),
        machine::name(),
        set.logic,
        timeout.as_secs(),
        summary(set, rows)
    );
    table(&mut text, rows);
    text
}

/// One row for the terminal.
pub fn line(row: &Row) -> String {
    let times: Vec<String> = std::iter::once(&row.quipu).chain(&row.peers).map(cell).collect();
    let ratio = ratio(row).map_or(String::new(), |ratio| format!("{ratio:.2}"));
    format!("{:28} {:>9} {}", row.problem.name, times.join(" "), ratio)
}

/// Everything that differs from what was expected.
pub fn wrong(rows: &[Row]) -> Vec<String> {
    let mut lines = Vec::new();
    for row in rows {
        let expected = if row.problem.satisfiable { Said::Sat } else { Said::Unsat };
        for measured in std::iter::once(&row.quipu).chain(&row.peers) {
            if measured.answer != expected && measured.answer != Said::Nothing {
                lines.push(format!("{} on {}", measured.solver, row.problem.name));
            }
        }
    }
    lines
}

fn summary(set: &Set, rows: &[Row]) -> String {
    let n = rows.len();
    let sat = rows.iter().filter(|row| row.problem.satisfiable).count();
    let ratios: Vec<f64> = rows.iter().filter_map(ratio).collect();
    let share = |count: usize| format!("{count} of {n} ({:.0} %)", 100.0 * count as f64 / n.max(1) as f64);
    let within = |limit: f64| share(ratios.iter().filter(|&&ratio| ratio <= limit).count());
    let unsolved = |measured: &Measured| measured.answer == Said::Nothing;
    let mut text = format!(
        "| what | figure | wanted |\n| --- | --- | --- |\n| problems | {n}, {sat} of them satisfiable | {} |\n",
        set.wanted
    );
    if !ratios.is_empty() {
        let _ = writeln!(text, "| not slower than the best peer | {} | half |", within(1.0));
        let _ = writeln!(text, "| at most 3 times slower | {} | 90 % |", within(3.0));
    }
    let _ = writeln!(text, "| wrong answers, of any solver | {} | 0 |", wrong(rows).len());
    let _ = writeln!(
        text,
        "| quipu without an answer | {} | |",
        rows.iter().filter(|row| unsolved(&row.quipu)).count()
    );
    let with_peers = rows.iter().any(|row| !row.peers.is_empty());
    for (n, peer) in PEERS.iter().enumerate().filter(|_| with_peers) {
        let count = rows.iter().filter(|row| row.peers.get(n).is_some_and(unsolved)).count();
        let _ = writeln!(text, "| {peer} without an answer | {count} | |");
    }
    text.push('\n');
    text
}

fn table(text: &mut String, rows: &[Row]) {
    let _ = writeln!(
        text,
        "| problem | answer | quipu | {} | ratio | contractions | conflicts | SAT conflicts | clauses |",
        PEERS.join(" | ")
    );
    text.push_str("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for row in rows {
        let mut cells: Vec<String> = std::iter::once(&row.quipu).chain(&row.peers).map(cell).collect();
        cells.resize(1 + PEERS.len(), String::new());
        let ratio = ratio(row).map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let notes = if row.quipu.notes.is_empty() { " | | |" } else { &row.quipu.notes };
        let answer = if row.problem.satisfiable { "sat" } else { "unsat" };
        let _ =
            writeln!(text, "| {} | {answer} | {} | {ratio} | {notes} |", row.problem.name, cells.join(" | "));
    }
}

fn cell(measured: &Measured) -> String {
    match measured.answer {
        Said::Nothing => "-".to_owned(),
        _ => format!("{:.4}", measured.seconds),
    }
}

/// Quipu's time as a multiple of that of the best peer, or of the limit if no peer has an answer. Without an answer
/// Quipu is beyond all measure, whether or not somebody has one.
fn ratio(row: &Row) -> Option<f64> {
    let best = row.peers.iter().filter(|peer| peer.answer != Said::Nothing).map(|peer| peer.seconds);
    let best = best.reduce(f64::min);
    match (row.quipu.answer, best) {
        _ if row.peers.is_empty() => None,
        (Said::Nothing, _) => Some(f64::INFINITY),
        (_, None) => Some(row.quipu.seconds / row.peers[0].seconds),
        (_, Some(best)) => Some(row.quipu.seconds.max(FLOOR_SECONDS) / best.max(FLOOR_SECONDS)),
    }
}
