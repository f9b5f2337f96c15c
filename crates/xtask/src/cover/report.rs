//! The tables, and what they say in total.

use std::fmt::Write as _;

use super::cbmc::Trouble;
use super::quipu::Found;
use super::row::{Other, Row};

/// The results as a page.
pub fn page(rows: &[Row], left_out: &[(String, String)], cbmc: Option<&str>, runs: u64) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "Random testing: {runs} runs of each function. {}\n",
        cbmc.map_or_else(|| "CBMC was not run.".to_owned(), |version| format!("CBMC: {version}."))
    );
    totals(&mut text, rows);
    table(&mut text, rows);
    notes(&mut text, rows, left_out);
    text
}

/// One row for the terminal.
pub fn line(row: &Row) -> String {
    let cbmc = row.cbmc.as_ref().map_or(String::new(), |cbmc| format!("cbmc {}", cbmc_cells(cbmc)));
    format!(
        "{:24} {:6} {} random {} {cbmc}",
        row.name,
        row.wanted.name(),
        quipu_cells(row),
        random_cells(&row.random)
    )
}

fn totals(text: &mut String, rows: &[Row]) {
    let sum = |f: &dyn Fn(&Row) -> usize| rows.iter().map(f).sum::<usize>();
    let seconds = |f: &dyn Fn(&Row) -> f64| rows.iter().map(f).sum::<f64>();
    let cbmc =
        |f: &dyn Fn(&Other) -> f64| rows.iter().filter_map(|row| row.cbmc.as_ref()).map(f).sum::<f64>();
    let own = seconds(&|row| row.quipu.own_seconds());
    text.push_str("| | goals met | CPU s |\n| --- | --- | --- |\n");
    let goals = sum(&Row::goals);
    let covered = sum(&|row| row.quipu.count(Found::Covered));
    let proved = sum(&|row| row.quipu.count(Found::Unreachable));
    let _ = writeln!(
        text,
        "| Quipu, without the C compiler | {covered} of {goals}, {proved} more proved unreachable | {own:.2} |"
    );
    let _ = writeln!(text, "| Quipu, all | the same | {:.2} |", seconds(&|row| row.quipu.all_seconds));
    let random = sum(&|row| row.random.covered);
    let _ = writeln!(text, "| random testing | {random} | {:.2} |", seconds(&|row| row.random.seconds));
    if rows.iter().any(|row| row.cbmc.is_some()) {
        let total = cbmc(&|other| other.seconds);
        let _ = writeln!(text, "| CBMC | {} | {total:.2} |", cbmc(&|other| other.covered as f64));
        let _ = writeln!(text, "| Quipu to CBMC | | {:.2} |", own / total.max(0.01));
    }
    text.push('\n');
}

fn table(text: &mut String, rows: &[Row]) {
    text.push_str(
        "| program | criterion | goals | covered | unreachable | to bound | gave up | tests | all s | own s | search s \
         | solve ms | MB | random | s | CBMC | its own | s |\n",
    );
    text.push_str(&"| --- ".repeat(18));
    text.push_str("|\n");
    for row in rows {
        let cbmc = row.cbmc.as_ref().map_or_else(|| " | | ".to_owned(), cbmc_cells);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {cbmc} |",
            row.name,
            row.wanted.name(),
            quipu_cells(row),
            random_cells(&row.random)
        );
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
fn notes(text: &mut String, rows: &[Row], left_out: &[(String, String)]) {
    for row in rows {
        let named = |what: &str| format!("{} ({}): {what}", row.name, row.wanted.name());
        let disagreements: usize =
            row.quipu.answer.functions.iter().map(|function| function.disagreements).sum();
        if disagreements > 0 {
            let _ = writeln!(
                text,
                "- {}",
                named(&format!("{disagreements} tests disagree with the compiled program"))
            );
        }
        if row.unsupported > 0 {
            let _ =
                writeln!(text, "- {}", named(&format!("{} functions are not supported", row.unsupported)));
        }
        for goal in &row.missed {
            let _ = writeln!(text, "- {}", named(&format!("met by others only, {goal}")));
        }
        for goal in &row.refuted {
            let _ = writeln!(text, "- {}", named(&format!("called unreachable, but met, {goal}")));
        }
    }
    for (name, error) in left_out {
        let _ = writeln!(text, "- {name}: left out, {}", error.lines().next().unwrap_or_default());
    }
}
