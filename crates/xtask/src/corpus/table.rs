//! The report for a reader.

use std::fmt::Write;

use super::summary::{Group, Row, Summary};

/// The report as text, whose first part is a Markdown table.
pub fn render(summary: &Summary) -> String {
    let mut text = String::new();
    text +=
        "| library | files | ok | functions | supported | % | in .c | supported | % | CPU s | peak MB |\n";
    text += "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for row in summary.rows.iter().chain([&summary.total]) {
        text += &render_row(row);
    }
    text += &render_verdict(summary);
    text += &render_groups("defects (files)", &summary.defects);
    text += &render_groups("functions without code, by their first reason", &summary.reasons);
    text += "\nslowest files\n";
    for (path, ms, kib) in &summary.slowest {
        let _ = writeln!(text, "  {} s  {} MB  {path}", seconds(*ms), kib / 1024);
    }
    if !summary.invalid.is_empty() {
        text += "\nnot counted: rejected by cc\n";
    }
    for (path, message) in &summary.invalid {
        let _ = writeln!(text, "  {path}: {message}");
    }
    text
}

fn render_row(row: &Row) -> String {
    format!(
        "| {} | {} | {} | {} | {} | {:.2} | {} | {} | {:.2} | {} | {} |\n",
        row.name,
        row.files,
        row.ok,
        row.functions,
        row.supported,
        row.functions_percent(),
        row.own_functions,
        row.own_supported,
        row.own_percent(),
        seconds(row.compile_ms),
        row.peak_kib / 1024
    )
}

fn render_verdict(summary: &Summary) -> String {
    let total = &summary.total;
    format!(
        "\n{:.2} % of {} files ({} with functions of their own), {:.2} % of functions ({:.2} % without headers); \
         {} panics or crashes, {} files with verifier errors, {} files printed and parsed again: {}\n",
        total.files_percent(),
        total.files,
        total.nonempty,
        total.functions_percent(),
        total.own_percent(),
        total.panics,
        total.unverified,
        total.round_trips,
        if summary.passes() { "passed" } else { "FAILED" }
    )
}

fn render_groups(title: &str, groups: &[Group]) -> String {
    let mut text = String::new();
    if !groups.is_empty() {
        let _ = writeln!(text, "\n{title}");
    }
    for group in groups {
        let _ = writeln!(text, "  {:5}  {}", group.count, group.what);
        for example in &group.examples {
            let _ = writeln!(text, "         {example}");
        }
    }
    text
}

/// Milliseconds as seconds, to a hundredth.
fn seconds(ms: u64) -> String {
    format!("{}.{:02}", ms / 1000, ms % 1000 / 10)
}
