//! Names for tests: the function, and what the test is there for.

use quipu_cover::{FunctionReport, Verdict};
use quipu_goals::{Goal, GoalId, GoalKind};
use quipu_interp::Outcome;
use quipu_ir::Module;

/// The longest description of a goal.
const LONGEST: usize = 48;

/// More words of a condition that fails do not help.
const MOST_WORDS: usize = 9;

/// What operators are called, the longer ones first.
const OPERATORS: [(&str, &str); 24] = [
    ("<<", "shl"),
    (">>", "shr"),
    ("->", ""),
    ("++", ""),
    ("--", ""),
    ("&&", "and"),
    ("||", "or"),
    ("==", "is"),
    ("!=", "is_not"),
    ("<=", "at_most"),
    (">=", "at_least"),
    ("<", "below"),
    (">", "above"),
    ("=", "gets"),
    ("!", "not"),
    ("+", "plus"),
    ("-", "minus"),
    ("*", "times"),
    ("/", "over"),
    ("%", "mod"),
    ("&", "bitand"),
    ("|", "bitor"),
    ("^", "xor"),
    ("~", "compl"),
];

/// Comparisons and what their failure is called.
const OPPOSITES: [(&str, &str); 6] = [
    ("is", "is_not"),
    ("is_not", "is"),
    ("at_most", "above"),
    ("at_least", "below"),
    ("below", "at_least"),
    ("above", "at_most"),
];

/// A name for a test of a function; others may wish the same one.
pub(super) fn test_name(module: &Module, report: &FunctionReport, number: usize) -> String {
    let function = &module.functions[report.func].source_name;
    let test = &report.tests[number];
    let what = match (goal(report, number), test.path, &test.observation.outcome) {
        (_, Some(path), _) => format!("path_{}", path + 1),
        (Some(goal), None, _) => described(goal),
        (None, None, Outcome::Event { event, span, .. }) => {
            format!("{}_in_line_{}", identifier(&event.to_string()), span.line)
        }
        (None, None, _) => format!("case_{}", number + 1),
    };
    format!("test_{function}_{what}")
}

/// The goal for which a test is there: one that it alone meets, else one that no test before it meets.
fn goal(report: &FunctionReport, number: usize) -> Option<&Goal> {
    let covers = &report.tests[number].covers;
    let by = |goal: &GoalId| match &report.verdicts[goal_index(*goal)] {
        Verdict::Covered { tests, .. } => tests.as_slice(),
        _ => &[],
    };
    let alone = covers.iter().find(|goal| by(goal) == [number]);
    let first = || covers.iter().find(|goal| by(goal).first() == Some(&number));
    alone.or_else(first).or(covers.first()).map(|&goal| &report.goals.all()[goal])
}

fn goal_index(goal: GoalId) -> usize {
    use quipu_base::Id;
    goal.index()
}

fn described(goal: &Goal) -> String {
    let line = format!("line_{}", goal.span.line);
    let words = words(&goal.text);
    let text = match (goal.kind, goal.outcome.as_str()) {
        (GoalKind::Undefined(_), event) => format!("{}_in_{line}", identifier(event)),
        (GoalKind::Entry, _) => "entered".to_string(),
        (GoalKind::Statement(_), _) => line.clone(),
        (_, "true") => words.join("_"),
        (_, "false") => {
            let most = words.len().min(MOST_WORDS);
            opposite(&words[..most]).join("_")
        }
        (GoalKind::Boundary(..), relation) => self::words(relation).join("_"),
        (_, outcome) => format!("{}_{}", shortened(&words.join("_"), LONGEST / 2), identifier(outcome)),
    };
    let text = shortened(&text, LONGEST);
    if text.is_empty() { line } else { text }
}

/// The words of an expression.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if letter.is_ascii_alphanumeric() || letter == '_' {
            words.last_mut().expect("there is a last word").push(letter);
            rest = &rest[1..];
            continue;
        }
        let operator = OPERATORS.iter().find(|(operator, _)| rest.starts_with(operator));
        let (length, word) = operator.map_or((letter.len_utf8(), ""), |(text, word)| (text.len(), word));
        words.extend([word.to_string(), String::new()]);
        rest = &rest[length..];
    }
    let words = words.iter().map(|word| word.trim_matches('_').to_string());
    words.filter(|word| !word.is_empty()).collect()
}

/// The words for the contrary: of one comparison the opposite one.
fn opposite(words: &[String]) -> Vec<String> {
    let opposite_of = |word: &String| OPPOSITES.iter().find(|(one, _)| one == word).map(|(_, other)| *other);
    let compares = words.iter().filter(|word| opposite_of(word).is_some()).count();
    let is_joined = words.iter().any(|word| matches!(word.as_str(), "and" | "or" | "not"));
    match (compares, is_joined) {
        (1, false) => {
            words.iter().map(|word| opposite_of(word).map_or(word.clone(), str::to_string)).collect()
        }
        (0, false) => ["not".to_string()].into_iter().chain(words.iter().cloned()).collect(),
        _ if words.len() == 2 && words[0] == "not" => words[1..].to_vec(),
        _ => words.iter().cloned().chain(["fails".to_string()]).collect(),
    }
}

fn identifier(text: &str) -> String {
    words(&text.replace('-', " ")).join("_")
}

/// The start of a text, up to the end of a word.
fn shortened(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_string();
    }
    let end = text[..=longest].rfind('_').unwrap_or(longest);
    text[..end].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_become_words() {
        let joined = |text: &str| words(text).join("_");
        assert_eq!(joined("level > 100"), "level_above_100");
        assert_eq!(joined("p->next != NULL && !done"), "p_next_is_not_NULL_and_not_done");
        assert_eq!(joined("a[i] == '\\n'"), "a_i_is_n");
        assert_eq!(joined("n % 2"), "n_mod_2");
        assert_eq!(joined("(((\u{e4})))"), "");
    }

    #[test]
    fn the_contrary_of_a_comparison_is_another_one() {
        let joined = |text: &str| opposite(&words(text)).join("_");
        assert_eq!(joined("level > 100"), "level_at_most_100");
        assert_eq!(joined("a < b && c"), "a_below_b_and_c_fails");
        assert_eq!(joined("!s"), "s");
        assert_eq!(joined("ready"), "not_ready");
    }

    #[test]
    fn names_end_with_a_word() {
        assert_eq!(shortened("one_two_three", 9), "one_two");
        assert_eq!(shortened("one", 9), "one");
    }
}
