//! Quipu on a program, in a process of its own: its answer as text between the processes, and its cost.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::program::Wanted;
use crate::usage;

/// What a run found, and what it measured itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    pub functions: Vec<Function>,
    /// CPU seconds of the search for tests and proofs.
    pub search_seconds: f64,
    /// Seconds of that for the questions to the solver: encoding, solving, proofs.
    pub solve_seconds: f64,
    /// CPU seconds of the C compiler and of the compiled tests.
    pub children_seconds: f64,
    pub peak_kib: u64,
}

/// A function under test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: String,
    /// A verdict for each goal.
    pub goals: Vec<Found>,
    pub tests: usize,
    pub disagreements: usize,
    /// Goals called unreachable that a random input met.
    pub hits: usize,
}

/// The verdict on a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    Covered,
    Unreachable,
    ToBound,
    GaveUp,
}

/// An answer with the CPU seconds of the whole run, those of the C compiler included.
pub struct Measured {
    pub answer: Answer,
    pub all_seconds: f64,
}

impl Measured {
    /// CPU seconds without the C compiler and the compiled tests. The children's time is rounded down to ticks, so
    /// this one is rounded up.
    pub fn own_seconds(&self) -> f64 {
        (self.all_seconds - self.answer.children_seconds).max(0.0)
    }

    pub fn count(&self, found: Found) -> usize {
        self.answer
            .functions
            .iter()
            .flat_map(|function| &function.goals)
            .filter(|&&goal| goal == found)
            .count()
    }
}

/// Covers a program; `attacks` inputs try to refute what is called unreachable.
pub fn measure(file: &Path, wanted: Wanted, attacks: u64) -> Result<Measured, String> {
    let exe = std::env::current_exe().map_err(|error| format!("the program should know itself: {error}"))?;
    let before = usage::cpu_of_children_ms();
    let mut command = Command::new(exe);
    command.arg("cover-one").arg(file).arg(wanted.name()).arg(attacks.to_string()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("{}: {error}", file.display()))?;
    let all_seconds = (usage::cpu_of_children_ms() - before) as f64 / 1e3;
    let text = String::from_utf8_lossy(&output.stdout);
    let answer =
        Answer::decode(&text).ok_or_else(|| format!("{}: no answer ({})", file.display(), output.status))?;
    Ok(Measured { answer, all_seconds })
}

impl Answer {
    pub fn encode(&self) -> String {
        let mut text = String::new();
        for function in &self.functions {
            let goals: String = function.goals.iter().map(|goal| goal.letter()).collect();
            let Function { name, tests, disagreements, hits, .. } = function;
            let _ = writeln!(text, "function {name} {tests} {disagreements} {hits} {goals}");
        }
        let Answer { search_seconds, solve_seconds, children_seconds, peak_kib, .. } = self;
        let _ = writeln!(text, "cost {search_seconds} {solve_seconds} {children_seconds} {peak_kib}");
        text
    }

    /// None if the text does not end as it should.
    pub fn decode(text: &str) -> Option<Answer> {
        let mut functions = Vec::new();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["function", name, tests, disagreements, hits, ref goals @ ..] => functions.push(Function {
                    name: name.to_owned(),
                    goals: goals.concat().chars().map(Found::of_letter).collect::<Option<Vec<Found>>>()?,
                    tests: tests.parse().ok()?,
                    disagreements: disagreements.parse().ok()?,
                    hits: hits.parse().ok()?,
                }),
                ["cost", search, solve, children, peak] => {
                    return Some(Answer {
                        functions,
                        search_seconds: search.parse().ok()?,
                        solve_seconds: solve.parse().ok()?,
                        children_seconds: children.parse().ok()?,
                        peak_kib: peak.parse().ok()?,
                    });
                }
                _ => return None,
            }
        }
        None
    }
}

impl Found {
    fn letter(self) -> char {
        match self {
            Found::Covered => 'C',
            Found::Unreachable => 'U',
            Found::ToBound => 'B',
            Found::GaveUp => 'G',
        }
    }

    fn of_letter(letter: char) -> Option<Found> {
        [Found::Covered, Found::Unreachable, Found::ToBound, Found::GaveUp]
            .into_iter()
            .find(|found| found.letter() == letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_survives_its_text_form() {
        let function = |name: &str, goals: Vec<Found>| Function {
            name: name.to_owned(),
            goals,
            tests: 3,
            disagreements: 1,
            hits: 0,
        };
        let answer = Answer {
            functions: vec![
                function("f", vec![Found::Covered, Found::Unreachable, Found::ToBound, Found::GaveUp]),
                function("without_goals", Vec::new()),
            ],
            search_seconds: 0.25,
            solve_seconds: 0.125,
            children_seconds: 0.5,
            peak_kib: 4711,
        };
        assert_eq!(Answer::decode(&answer.encode()), Some(answer));
        assert_eq!(Answer::decode("function f 3 1 0 CC\n"), None);
    }
}
