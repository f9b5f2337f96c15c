//! What CBMC prints under `--cover`: its goals, and the inputs of its tests.

use std::collections::BTreeMap;

/// The answer of CBMC about one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Suite {
    /// Its own goals, and how many of them it covered.
    pub goals: usize,
    pub satisfied: usize,
    pub tests: Vec<Assigned>,
}

/// The inputs of a test: for each name its values in the order of the run.
pub type Assigned = BTreeMap<String, Vec<u64>>;

/// Understands a coverage report with its test suite. None if there is none, as after an error.
pub fn parse(text: &str) -> Option<Suite> {
    let mut suite = Suite::default();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("** coverage results:")).skip(1);
    for line in lines.by_ref() {
        if line.starts_with("Test suite:") {
            suite.tests = lines.filter(|line| line.contains('=')).map(assignments).collect();
            if suite.tests.is_empty() && suite.satisfied > 0 {
                // A test without inputs is an empty line.
                suite.tests.push(Assigned::new());
            }
            return Some(suite);
        }
        if line.starts_with('[') {
            suite.goals += 1;
            suite.satisfied += usize::from(line.ends_with(": SATISFIED"));
        }
    }
    None
}

/// The names of the goals in a function, from `--show-properties`.
pub fn goals_in(text: &str, function: &str) -> Vec<String> {
    let prefix = format!("Property {function}.coverage.");
    let lines = text.lines().filter(|line| line.starts_with(&prefix));
    lines.filter_map(|line| line.strip_prefix("Property ")?.strip_suffix(':')).map(str::to_owned).collect()
}

/// `in0=5ul, env=7ul`.
fn assignments(line: &str) -> Assigned {
    let mut assigned = Assigned::new();
    for (name, value) in line.split(", ").filter_map(|part| part.split_once('=')) {
        let digits = value.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        if let Ok(value) = digits.parse() {
            assigned.entry(name.trim().to_owned()).or_default().push(value);
        }
    }
    assigned
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "CBMC version 6.6.0\n\n** coverage results:\n\
        [f.coverage.1] file t.c line 2 function f entry point: SATISFIED\n\
        [f.coverage.2] file t.c line 2 function f block 10 branch false: FAILED\n\
        \n** 1 of 2 covered (50.0%)\n\nTest suite:\nin0=1ul, env=32773ul, env=18446744073709551615ul\nin0=0ul\n\n";

    #[test]
    fn a_report_tells_goals_and_inputs() {
        let suite = parse(REPORT).expect("there is a report");
        assert_eq!((suite.goals, suite.satisfied, suite.tests.len()), (2, 1, 2));
        assert_eq!(suite.tests[0]["env"], [32773, u64::MAX]);
        assert_eq!(suite.tests[1]["in0"], [0]);
        assert_eq!(suite.tests[1].get("env"), None);
    }

    #[test]
    fn an_error_is_no_report() {
        assert_eq!(parse("file h.c line 8: syntax error\nCONVERSION ERROR\n"), None);
        assert_eq!(parse("** coverage results:\n[f.coverage.1] entry point: SATISFIED\n"), None);
    }

    #[test]
    fn a_test_may_have_no_inputs() {
        let text = "** coverage results:\n[f.coverage.1] entry point: SATISFIED\n\nTest suite:\n\n\n";
        assert_eq!(parse(text).expect("there is a report").tests, [Assigned::new()]);
    }

    #[test]
    fn goals_are_those_of_the_function_itself() {
        let text =
            "Property f.coverage.1:\n  entry point\nProperty f.coverage.12:\n\nProperty ff.coverage.1:\n";
        assert_eq!(goals_in(text, "f"), ["f.coverage.1", "f.coverage.12"]);
    }
}
