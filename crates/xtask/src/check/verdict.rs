//! What a tool says about the assertions of a program.

use serde_json::Value;

/// How many assertions have each verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub violated: usize,
    /// They hold in every run, or no run comes to them.
    pub proved: usize,
    /// They hold in the runs with few turns of loops.
    pub to_bound: usize,
    pub open: usize,
}

/// The verdict on the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overall {
    Violated,
    Proved,
    ToBound,
    Open,
}

impl Counts {
    pub fn overall(&self) -> Overall {
        match self {
            Counts { violated: 1.., .. } => Overall::Violated,
            Counts { open: 1.., .. } => Overall::Open,
            Counts { to_bound: 1.., .. } => Overall::ToBound,
            Counts { proved: 1.., .. } => Overall::Proved,
            _ => Overall::Open,
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let counts = [
            (self.violated, "violated"),
            (self.proved, "proved"),
            (self.to_bound, "to bound"),
            (self.open, "open"),
        ];
        let told = counts.iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}"));
        let told: Vec<String> = told.collect();
        if told.is_empty() { "no assertion".to_owned() } else { told.join(", ") }
    }
}

/// What `quipu check --json` says; none if it is no report.
pub fn of_quipu(text: &str) -> Option<Counts> {
    let report: Value = serde_json::from_str(text).ok()?;
    let count = |name: &str| Some(usize::try_from(report["summary"][name].as_u64()?).unwrap_or(usize::MAX));
    Some(Counts {
        violated: count("violated")?,
        proved: count("proved")? + count("unreachable")?,
        to_bound: count("proved-to-bound")?,
        open: count("gave-up")?,
    })
}

/// What CBMC prints; none if it has no results, as after an error. A loop that may turn more often than it was told
/// leaves what it proves to that bound.
pub fn of_cbmc(text: &str) -> Option<Counts> {
    let results = text.lines().skip_while(|line| !line.starts_with("** Results:")).skip(1);
    let mut counts = Counts::default();
    let mut is_cut = false;
    let mut is_complete = false;
    for line in results {
        is_complete |= line.starts_with("VERIFICATION ");
        let Some((name, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) else {
            continue;
        };
        let is_bound = name.contains(".unwind.") || name.contains(".recursion");
        match rest.rsplit_once(": ").map(|(_, verdict)| verdict) {
            Some("FAILURE") if is_bound => is_cut = true,
            _ if is_bound => {}
            Some("FAILURE") => counts.violated += 1,
            Some("SUCCESS") => counts.proved += 1,
            _ => counts.open += 1,
        }
    }
    if is_cut {
        counts.to_bound = std::mem::take(&mut counts.proved);
    }
    is_complete.then_some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quipu_tells_counts() {
        let text = r#"{"summary": {"properties": 7, "violated": 0, "proved": 2, "proved-to-bound": 1,
            "unreachable": 4, "gave-up": 0}}"#;
        let counts = of_quipu(text).expect("a report");
        assert_eq!((counts.proved, counts.to_bound, counts.overall()), (6, 1, Overall::ToBound));
        assert_eq!(counts.text(), "6 proved, 1 to bound");
        assert_eq!(of_quipu("error: no"), None);
    }

    #[test]
    fn cbmc_tells_lines() {
        let text = "** Results:\nf.i function f\n[f.assertion.1] line 5 assertion r: a == 1: FAILURE\n\
            [f.assertion.2] line 6 assertion b: SUCCESS\nVERIFICATION FAILED\n";
        let counts = of_cbmc(text).expect("results");
        assert_eq!((counts.violated, counts.proved, counts.overall()), (1, 1, Overall::Violated));
        assert_eq!(of_cbmc("** Results:\n[f.assertion.1] line 5 assertion a: SUCCESS\n"), None);
        assert_eq!(of_cbmc("CONVERSION ERROR\n"), None);
    }

    #[test]
    fn what_is_cut_short_holds_to_a_bound() {
        let text = "** Results:\n[f.assertion.1] line 6 assertion b: SUCCESS\n\
            [f.unwind.0] line 4 unwinding assertion loop 0: FAILURE\nVERIFICATION FAILED\n";
        assert_eq!(of_cbmc(text).expect("results").overall(), Overall::ToBound);
    }
}
