//! What the project wants, and whether it holds.

use std::fmt::Write as _;

use super::quipu::Found;
use super::report::seconds_of_cbmc;
use super::row::Row;

/// Limits for single programs, under each criterion: CPU seconds of the whole run, milliseconds of solving, and MB.
const LIMITS: [(&str, f64, f64, f64); 2] =
    [("cover/triangle", 0.5, 50.0, f64::INFINITY), ("generated", 20.0, f64::INFINITY, 500.0)];

/// A table of aims.
pub fn table(rows: &[&Row]) -> String {
    let mut text = String::from("| aim | measured | holds |\n| --- | --- | --- |\n");
    let refuted: usize = rows.iter().map(|row| row.refuted.len()).sum();
    line(&mut text, "no goal called unreachable is met by others", &format!("{refuted} met"), refuted == 0);
    let disagreements: usize =
        rows.iter().flat_map(|row| &row.quipu.answer.functions).map(|function| function.disagreements).sum();
    line(
        &mut text,
        "no test disagrees with the compiled program",
        &disagreements.to_string(),
        disagreements == 0,
    );
    if rows.iter().any(|row| row.cbmc.is_some()) {
        beside_cbmc(&mut text, rows);
    }
    for (name, seconds, solving, megabytes) in LIMITS {
        for row in rows.iter().filter(|row| row.name == name) {
            limit(&mut text, row, seconds, solving, megabytes);
        }
    }
    text.push('\n');
    text
}

fn beside_cbmc(text: &mut String, rows: &[&Row]) {
    let fewer: Vec<String> = rows
        .iter()
        .filter(|row| row.cbmc.as_ref().is_some_and(|cbmc| cbmc.covered > row.quipu.count(Found::Covered)))
        .map(|row| format!("{} ({})", row.name, row.wanted.name()))
        .collect();
    let names = if fewer.is_empty() { "none".to_owned() } else { fewer.join(", ") };
    line(text, "no program where CBMC meets more goals", &names, fewer.is_empty());
    let own: f64 = rows.iter().map(|row| row.quipu.own_seconds()).sum();
    let ratio = own / seconds_of_cbmc(rows);
    line(text, "own CPU not above that of CBMC", &format!("{ratio:.2} of it"), ratio <= 1.0);
}

fn limit(text: &mut String, row: &Row, seconds: f64, solving: f64, megabytes: f64) {
    let program = format!("{} ({})", row.name, row.wanted.name());
    let all = row.quipu.all_seconds;
    line(text, &format!("{program} in {seconds} s CPU"), &format!("{all:.2} s"), all <= seconds);
    if solving.is_finite() {
        let solved = row.quipu.answer.solve_seconds * 1e3;
        line(
            text,
            &format!("{program}: solving in {solving} ms"),
            &format!("{solved:.0} ms"),
            solved <= solving,
        );
    }
    if megabytes.is_finite() {
        let peak = row.quipu.answer.peak_kib as f64 / 1024.0;
        line(text, &format!("{program} in {megabytes} MB"), &format!("{peak:.0} MB"), peak <= megabytes);
    }
    let open = row.quipu.count(Found::ToBound) + row.quipu.count(Found::GaveUp);
    line(text, &format!("{program} is complete"), &format!("{open} goals open"), open == 0);
}

fn line(text: &mut String, aim: &str, measured: &str, holds: bool) {
    let _ = writeln!(text, "| {aim} | {measured} | {} |", if holds { "yes" } else { "no" });
}
