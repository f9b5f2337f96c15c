//! Makes a differing program smaller: drops lines and unwraps blocks while the difference persists.
//!
//! Generated programs have one statement per line and braces at line ends, so that text is structure
//! enough. A candidate that does not compile is simply not interesting.

use std::fs;
use std::io;

use super::Side;
use super::batch::{all_agree, observe};
use super::difference::Difference;
use super::observation::agree;
use crate::generate::{self, Program};
use crate::native::{self, TempDir};

/// The smallest text found by dropping parts of `source`, on which `interesting` still holds.
pub fn reduce(source: &str, interesting: &dyn Fn(&str) -> bool) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_string).collect();
    let mut size = lines.len() / 2;
    while size > 0 {
        let before = lines.len();
        let mut start = 0;
        while start < lines.len() {
            let end = (start + size).min(lines.len());
            start = if try_without(&mut lines, start, end, interesting) { start } else { end };
        }
        unwrap_blocks(&mut lines, interesting);
        size = if lines.len() < before { size.min(lines.len() / 2).max(1) } else { size / 2 };
    }
    join(&lines)
}

/// Whether the sides still differ on a reduced program in the same way. Candidates must not become undefined
/// by accident: the compiler's warnings and, for programs that should have no undefined behaviour, the
/// sanitizers are asked as well.
///
/// # Errors
///
/// When the compiler or a program cannot be started, or a file cannot be written.
pub fn still_differs(program: &Program, original: &Difference) -> io::Result<bool> {
    let dir = TempDir::new()?;
    let file = dir.file("programs.c");
    fs::write(&file, generate::source(std::slice::from_ref(program)))?;
    if !native::is_sound(&file)? {
        return Ok(false);
    }
    let entry = program.entry.as_str();
    let undefined = original.observations.len() == 2;
    let sides = observe(&dir, &file, &[entry], Side::Interpreter, undefined)?;
    let same_kinds = sides.iter().zip(&original.observations).all(|(a, b)| a.1[0].kind() == b.1.kind());
    if !same_kinds || all_agree(&sides, 0) {
        return Ok(false);
    }
    if undefined {
        return Ok(true);
    }
    let sanitized = observe(&dir, &file, &[entry], Side::Sanitizers, true)?;
    Ok(agree(&sanitized[0].1[0], &sides[1].1[0]) && agree(&sides[1].1[0], &sides[2].1[0]))
}

/// Drops the lines from `start` to `end` if they balance and the rest is still interesting.
fn try_without(
    lines: &mut Vec<String>,
    start: usize,
    end: usize,
    interesting: &dyn Fn(&str) -> bool,
) -> bool {
    if !balanced(&lines[start..end]) {
        return false;
    }
    let shorter: Vec<String> = [&lines[..start], &lines[end..]].concat();
    let better = interesting(&join(&shorter));
    if better {
        *lines = shorter;
    }
    better
}

/// Replaces blocks by what they contain: drops a line that opens one together with its closing line.
fn unwrap_blocks(lines: &mut Vec<String>, interesting: &dyn Fn(&str) -> bool) {
    let mut at = 0;
    while at < lines.len() {
        let Some(close) = closing_line(lines, at) else {
            at += 1;
            continue;
        };
        let whole: Vec<String> = [&lines[..at], &lines[close + 1..]].concat();
        let inner: Vec<String> = [&lines[..at], &lines[at + 1..close], &lines[close + 1..]].concat();
        match [whole, inner].into_iter().find(|candidate| interesting(&join(candidate))) {
            Some(candidate) => *lines = candidate,
            None => at += 1,
        }
    }
}

/// The line that closes the block that this line opens.
fn closing_line(lines: &[String], open: usize) -> Option<usize> {
    if !lines[open].ends_with('{') {
        return None;
    }
    let mut depth = 0;
    for (n, line) in lines.iter().enumerate().skip(open) {
        depth += depth_change(line);
        if depth <= 0 && n == open {
            return None;
        }
        if depth == 0 {
            return Some(n);
        }
    }
    None
}

fn balanced(lines: &[String]) -> bool {
    let mut depth = 0;
    for line in lines {
        depth += depth_change(line);
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Braces inside of literals do not occur in generated programs.
fn depth_change(line: &str) -> i64 {
    let count = |brace: char| i64::try_from(line.matches(brace).count()).expect("lines are short");
    count('{') - count('}')
}

fn join(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_what_matters() {
        let source = "a;\nif (x) {\n    b;\n    while (y) {\n        bug;\n    }\n}\nc;\n";
        assert_eq!(reduce(source, &|text| text.contains("bug;")).trim(), "bug;");
    }

    #[test]
    fn never_breaks_a_block() {
        let source = "f {\n    x;\n}\ng {\n    y;\n}\n";
        let result = reduce(source, &|text| text.contains("y;") && text.contains("g {"));
        assert_eq!(result, "g {\n    y;\n}\n");
    }
}
