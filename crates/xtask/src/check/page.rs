//! The tables, and what they say in total.

use std::fmt::Write as _;

use super::tools::{Measured, Said};
use super::verdict::Overall;
use super::{Peers, Row};
use crate::machine;

/// Where a peer needs more than this, it should matter who is faster.
const LONG_SECONDS: f64 = 1.0;
/// Below this one measures how programs start.
const FLOOR_SECONDS: f64 = 0.01;

/// The results as a page.
pub fn page(rows: &[Row], peers: &Peers, limit: f64) -> String {
    let mut text = String::from("# Properties: counterexamples and proofs\n\n");
    let _ = write!(
        text,
        "`cargo run --release -p quipu-xtask -- check --sources DIR --cbmc CBMC --cadical CADICAL` on {}, {}.\n\
         All tools in one run, one after the other. CPU seconds, user and system, of one run each; MB of its largest\n\
         process. For Quipu the C compiler and the compiled program, by which violations are confirmed, are aside;\n\
         they have a column of their own. CBMC gets its input from the C preprocessor, which is not counted, with a\n\
         harness that gives it the same inputs, and is told how often loops turn ([the lists](check)). Its checks for\n\
         undefined behaviour are off, those for loops that turn more often are on: where these fail, it proves nothing\n\
         beyond the bound (`to bound`). A run of a program ends where an assertion fails; CBMC goes on behind it, and may\n\
         so find more violations. `-` is no answer in {limit:.0} CPU seconds. The ratio is Quipu's time to that of the\n\
         faster peer with the right verdict, or to the limit if there is none; times below {FLOOR_SECONDS} s count as {FLOOR_SECONDS} s in it.\n\
         Programs in other folders than `check` and `loops` are not part of this repository.\n\n",
        machine::date(),
        machine::name(),
    );
    for section in sections(rows) {
        let _ = writeln!(text, "## {}\n", section[0].task.section);
        summary(&mut text, &section, peers);
        table(&mut text, &section, peers);
    }
    text
}

/// One row for the terminal.
pub fn line(row: &Row) -> String {
    let cells: Vec<String> = std::iter::once(&row.quipu)
        .chain(&row.peers)
        .map(|one| format!("{} {:.2} s {:.0} MB", verdict(one), one.seconds, megabytes(one)))
        .collect();
    format!("{:36} {}", row.task.name(), cells.join(" | "))
}

/// Everything that differs from what is right.
pub fn wrong(rows: &[Row], peers: &Peers) -> Vec<String> {
    let mut lines = Vec::new();
    for row in rows {
        let names = std::iter::once("Quipu").chain(peers.names.iter().map(String::as_str));
        for (name, measured) in names.zip(std::iter::once(&row.quipu).chain(&row.peers)) {
            if is_wrong(row, measured) {
                lines.push(format!("{name} on {}: {}", row.task.name(), verdict(measured)));
            }
        }
    }
    lines
}

fn sections(rows: &[Row]) -> Vec<Vec<&Row>> {
    let mut sections: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        match sections.iter_mut().find(|section| section[0].task.section == row.task.section) {
            Some(section) => section.push(row),
            None => sections.push(vec![row]),
        }
    }
    sections
}

fn overall(measured: &Measured) -> Overall {
    match measured.said {
        Said::Verdicts(counts) => counts.overall(),
        Said::Timeout | Said::Nothing => Overall::Open,
    }
}

fn is_right(row: &Row, measured: &Measured) -> bool {
    overall(measured) == if row.task.holds { Overall::Proved } else { Overall::Violated }
}

fn is_wrong(row: &Row, measured: &Measured) -> bool {
    overall(measured) == if row.task.holds { Overall::Violated } else { Overall::Proved }
}

fn summary(text: &mut String, rows: &[&Row], peers: &Peers) {
    text.push_str("| | Quipu");
    for name in &peers.names {
        let _ = write!(text, " | {name}");
    }
    text.push_str(" |\n| ---");
    (0..=peers.names.len()).for_each(|_| text.push_str(" | --:"));
    text.push_str(" |\n");
    let mut line = |what: &str, cell: &dyn Fn(&dyn Fn(&Row) -> Measured) -> String| {
        let _ = write!(text, "| {what} | {}", cell(&|row| row.quipu.clone()));
        for n in 0..peers.names.len() {
            let _ = write!(text, " | {}", cell(&|row| row.peers[n].clone()));
        }
        text.push_str(" |\n");
    };
    type Of<'a> = &'a dyn Fn(&Row) -> Measured;
    line(&format!("right, of {}", rows.len()), &|of: Of<'_>| {
        rows.iter().filter(|row| is_right(row, &of(row))).count().to_string()
    });
    line("wrong", &|of| rows.iter().filter(|row| is_wrong(row, &of(row))).count().to_string());
    line("CPU s in all", &|of| format!("{:.2}", rows.iter().map(|row| of(row).seconds).sum::<f64>()));
    line("the C compiler and its programs, CPU s", &|of| {
        format!("{:.2}", rows.iter().map(|row| of(row).aside).sum::<f64>())
    });
    line("most MB", &|of| format!("{:.0}", rows.iter().map(|row| megabytes(&of(row))).fold(0.0, f64::max)));
    text.push('\n');
    for (n, name) in peers.names.iter().enumerate() {
        let long: Vec<&&Row> = rows
            .iter()
            .filter(|row| row.peers[n].seconds > LONG_SECONDS || !is_right(row, &row.peers[n]))
            .collect();
        let is_slower = |row: &&&&Row| !is_right(row, &row.quipu) || row.quipu.seconds > row.peers[n].seconds;
        let slower: Vec<String> = long.iter().filter(is_slower).map(|row| row.task.name()).collect();
        let but = if slower.is_empty() { String::new() } else { format!("; not in {}", slower.join(", ")) };
        let _ = writeln!(
            text,
            "{name} takes more than {LONG_SECONDS} s, or does not find the verdict, in {} programs. Quipu finds it, in less\n\
             time, in {} of them{but}.\n",
            long.len(),
            long.len() - slower.len()
        );
    }
}

fn table(text: &mut String, rows: &[&Row], peers: &Peers) {
    text.push_str("| program | right | Quipu | CPU s | compiler s | MB");
    for name in &peers.names {
        let _ = write!(text, " | {name} | CPU s | MB");
    }
    text.push_str(" | ratio |\n| --- | --- | --- | --: | --: | --:");
    peers.names.iter().for_each(|_| text.push_str(" | --- | --: | --:"));
    text.push_str(" | --: |\n");
    for row in rows {
        let quipu = &row.quipu;
        let _ = write!(
            text,
            "| {} | {} | {} | {:.2} | {:.2} | {:.0}",
            row.task.name(),
            if row.task.holds { "proved" } else { "violated" },
            marked(row, quipu),
            quipu.seconds,
            quipu.aside,
            megabytes(quipu)
        );
        for peer in &row.peers {
            let cell = marked(row, peer);
            let _ = write!(text, " | {cell} | {:.2} | {:.0}", peer.seconds, megabytes(peer));
        }
        let ratio = ratio(row).map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let _ = writeln!(text, " | {ratio} |");
    }
    text.push('\n');
}

fn marked(row: &Row, measured: &Measured) -> String {
    let verdict = verdict(measured);
    if is_wrong(row, measured) { format!("**wrong**: {verdict}") } else { verdict }
}

fn verdict(measured: &Measured) -> String {
    match measured.said {
        Said::Verdicts(counts) => counts.text(),
        Said::Timeout => "-".to_owned(),
        Said::Nothing => "refused".to_owned(),
    }
}

fn megabytes(measured: &Measured) -> f64 {
    measured.peak_kib as f64 / 1024.0
}

/// Quipu's time as a multiple of that of the best peer. None if Quipu has no verdict, or no peer took part.
fn ratio(row: &Row) -> Option<f64> {
    let right = row.peers.iter().filter(|peer| is_right(row, peer)).map(|peer| peer.seconds);
    let all = row.peers.iter().map(|peer| peer.seconds);
    let best = right.reduce(f64::min).or_else(|| all.reduce(f64::max))?;
    is_right(row, &row.quipu).then(|| row.quipu.seconds.max(FLOOR_SECONDS) / best.max(FLOOR_SECONDS))
}
