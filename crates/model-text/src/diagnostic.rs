//! What is wrong with a text, with the place it speaks of.

use std::ops::Range;

/// A place in a text: the range of its bytes.
pub type Span = Range<usize>;

/// An error in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What is wrong, in lower case.
    pub message: String,
    /// What the user can do about it.
    pub hint: Option<String>,
    /// The bytes that are wrong.
    pub span: Span,
    /// The line of the first of them, from 1.
    pub line: u32,
    /// Its column in bytes, from 1.
    pub column: u32,
}

/// The diagnostic as `file:line:column: error: message`, the line with a caret under the place, and the hint.
/// There is no newline at the end.
pub fn render(diagnostic: &Diagnostic, source: &str, file_name: &str) -> String {
    let Diagnostic { message, hint, span, line, column } = diagnostic;
    let (text, caret, length) = excerpt(source, span);
    let number = line.to_string();
    // Tabs in front of the caret are kept, so that it stands under its place in any terminal.
    let pad: String = text[..caret].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let wave = "~".repeat(length - 1);
    let blank = " ".repeat(number.len());
    let mut out =
        format!("{file_name}:{line}:{column}: error: {message}\n {number} | {text}\n {blank} | {pad}^{wave}");
    if let Some(hint) = hint {
        out.push_str("\n  = hint: ");
        out.push_str(hint);
    }
    out
}

/// A problem that has not been given its line yet.
#[derive(Debug)]
pub(crate) struct Problem {
    pub span: Span,
    pub message: String,
    pub hint: Option<String>,
    /// Whether nothing sensible can be said about the rest of the text.
    pub fatal: bool,
}

impl Problem {
    pub fn new(span: Span, message: impl Into<String>) -> Problem {
        Problem { span, message: message.into(), hint: None, fatal: false }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    pub fn fatal(mut self) -> Problem {
        self.fatal = true;
        self
    }
}

/// The most errors that are reported for one text.
const REPORTED: usize = 50;

/// The problems in the order of the text, with lines and columns.
pub(crate) fn locate(source: &str, mut problems: Vec<Problem>) -> Vec<Diagnostic> {
    problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
    problems.truncate(REPORTED);
    let (mut line, mut line_start, mut at) = (1, 0, 0);
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut located = Vec::new();
    for Problem { span, message, hint, .. } in problems {
        let start = span.start.min(source.len());
        for (n, _) in source.as_bytes()[at..start].iter().enumerate().filter(|&(_, &b)| b == b'\n') {
            line += 1;
            line_start = at + n + 1;
        }
        at = start;
        let column = count(start - line_start + 1);
        located.push(Diagnostic { message, hint, span, line: count(line), column });
    }
    located
}

/// The longest line that is shown whole, in bytes.
const SHOWN: usize = 160;

/// The line around a place, shortened if it is very long, the byte of it where the place starts, and the
/// number of characters of the place in it, at least one.
fn excerpt<'a>(source: &'a str, span: &Span) -> (&'a str, usize, usize) {
    let start = boundary(source, span.start);
    let line_start = source[..start].rfind('\n').map_or(0, |n| n + 1);
    let line_end = source[start..].find('\n').map_or(source.len(), |n| start + n);
    let (from, to) = if line_end - line_start <= SHOWN {
        (line_start, line_end)
    } else {
        let from = boundary(source, start.saturating_sub(SHOWN / 2)).max(line_start);
        (from, boundary(source, (start + SHOWN / 2).min(line_end)))
    };
    let end = boundary(source, span.end.clamp(start, to));
    let length = source[start..end].chars().count().max(1);
    (source[from..to].trim_end_matches('\r'), start - from, length)
}

/// The last place at or in front of a byte where a character starts.
fn boundary(source: &str, at: usize) -> usize {
    (0..=at.min(source.len())).rev().find(|&n| source.is_char_boundary(n)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str, span: Span) -> String {
        let problem = Problem::new(span, "wrong").hint("do better");
        render(&locate(source, vec![problem])[0], source, "m.qm")
    }

    #[test]
    fn the_caret_stands_under_the_place() {
        let expected = "m.qm:2:4: error: wrong\n 2 | \tb cd\n   | \t  ^~\n  = hint: do better";
        assert_eq!(shown("a\n\tb cd\ne", 5..7), expected);
    }

    #[test]
    fn places_behind_the_end_and_in_long_lines_are_shown() {
        assert!(shown("ab", 2..2).ends_with(" 1 | ab\n   |   ^\n  = hint: do better"));
        assert!(shown("", 0..0).starts_with("m.qm:1:1: error: wrong\n 1 | \n"));
        let long = "é".repeat(10_000);
        let text = shown(&long, 9_001..9_003);
        assert!(text.lines().all(|line| line.len() < 250), "{text}");
    }

    #[test]
    fn lines_are_counted_over_several_problems() {
        let problems = vec![Problem::new(6..7, "c"), Problem::new(0..1, "a"), Problem::new(3..4, "b")];
        let places: Vec<_> =
            locate("a\n\nb\n c", problems).iter().map(|d| (d.message.clone(), d.line, d.column)).collect();
        assert_eq!(places, [("a".into(), 1, 1), ("b".into(), 3, 1), ("c".into(), 4, 2)]);
    }
}
