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
         All tools in one run. CPU seconds, user and system, of one run each; MB of its largest\n\
         process. For Quipu the C compiler and the compiled program, by which violations are confirmed, are aside;\n\
         they have a column of their own. CBMC gets its input from the C preprocessor, which is not counted, with a\n\
         harness that gives it the same inputs, and is told how often loops turn ([the lists](check)). Its checks for\n\
         undefined behaviour are off, those for loops that turn more often are on: where these fail, it proves nothing\n\
         beyond the bound (`to bound`). A run of a program ends where an assertion fails; CBMC goes on behind it, and may\n\
         so find more violations. After {limit:.0} CPU seconds a tool is asked to end, and may tell\n\
         what it knows; `-` is no answer. `no assertion` is said of programs that are about undefined behaviour only, which\n\
         CBMC is not asked for: they count as without a right verdict. The ratio is Quipu's time to that of the\n\
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
    totals(text, rows, peers);
    for (n, name) in peers.names.iter().enumerate() {
        beside(text, rows, n, name);
    }
}

/// What a tool did, Quipu being the first of them.
fn tool(row: &Row, n: usize) -> &Measured {
    if n == 0 { &row.quipu } else { &row.peers[n - 1] }
}

fn totals(text: &mut String, rows: &[&Row], peers: &Peers) {
    let tools = 0..=peers.names.len();
    let sum = |n: usize, of: &dyn Fn(&Measured) -> f64| rows.iter().map(|row| of(tool(row, n))).sum::<f64>();
    let count = |n: usize, is: &dyn Fn(&Row, &Measured) -> bool| {
        rows.iter().filter(|row| is(row, tool(row, n))).count().to_string()
    };
    let most = |n: usize| rows.iter().map(|row| megabytes(tool(row, n))).fold(0.0, f64::max);
    let names = std::iter::once("Quipu").chain(peers.names.iter().map(String::as_str));
    let mut line = |what: &str, cells: Vec<String>| {
        let _ = writeln!(text, "| {what} | {} |", cells.join(" | "));
    };
    line("", names.map(str::to_owned).collect());
    line("---", tools.clone().map(|_| "--:".to_owned()).collect());
    line(&format!("right, of {}", rows.len()), tools.clone().map(|n| count(n, &is_right)).collect());
    line("wrong", tools.clone().map(|n| count(n, &is_wrong)).collect());
    let seconds = |n: usize| format!("{:.2}", sum(n, &|one| one.seconds));
    line("CPU s in all", tools.clone().map(seconds).collect());
    let aside = |n: usize| format!("{:.2}", sum(n, &|one| one.aside));
    line("the C compiler and its programs, CPU s", tools.clone().map(aside).collect());
    line("most MB", tools.map(|n| format!("{:.0}", most(n))).collect());
    text.push('\n');
}

/// Where a peer has trouble, and whether Quipu has less.
fn beside(text: &mut String, rows: &[&Row], n: usize, name: &str) {
    let has_trouble = |row: &Row| row.peers[n].seconds > LONG_SECONDS || !is_right(row, &row.peers[n]);
    let is_faster = |row: &Row| {
        let peer = &row.peers[n];
        is_right(row, &row.quipu) && (!is_right(row, peer) || row.quipu.seconds < peer.seconds)
    };
    let hard: Vec<&Row> = rows.iter().copied().filter(|row| has_trouble(row)).collect();
    let slower: Vec<String> =
        hard.iter().filter(|row| !is_faster(row)).map(|row| format!("`{}`", row.task.name())).collect();
    let but = if slower.is_empty() { String::new() } else { format!(", but not {}", slower.join(", ")) };
    let _ = writeln!(
        text,
        "{name} takes more than {LONG_SECONDS} s for, or has no right verdict on, {} programs. Quipu is right in less time\n\
         on {} of them{but}.\n",
        hard.len(),
        hard.len() - slower.len()
    );
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
