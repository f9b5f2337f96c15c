//! Preprocessed C text, and the little that must be known of its tokens to put probes in.
//!
//! Next to the text stands a mask of the same length, in which literals and directives are blanked: brackets and
//! semicolons of the mask are those of the program.

use std::ops::Range;

use quipu_ir::Span;

/// The text of a translation unit without macros, comments and line markers.
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    mask: Vec<u8>,
    lines: Vec<usize>,
}

impl Text {
    pub(crate) fn new(bytes: Vec<u8>) -> Text {
        let mask = mask(&bytes);
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Text { bytes, mask, lines }
    }

    /// The bytes that a place stands for; none if it lies outside.
    pub(crate) fn range(&self, span: Span) -> Option<Range<usize>> {
        let at = |line: u32, column: u32| {
            let start = *self.lines.get((line as usize).checked_sub(1)?)?;
            Some(start + (column as usize).checked_sub(1)?)
        };
        let (start, end) = (at(span.line, span.column)?, at(span.end_line, span.end_column)?);
        (start < end && end <= self.bytes.len()).then_some(start..end)
    }

    /// The byte at a place, blank inside literals and directives.
    pub(crate) fn at(&self, place: usize) -> u8 {
        self.mask.get(place).copied().unwrap_or(0)
    }

    /// The first place from here on that is not blank.
    pub(crate) fn next(&self, from: usize) -> usize {
        let rest = &self.mask[from.min(self.mask.len())..];
        from + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())
    }

    /// The last place before here that is not blank.
    pub(crate) fn previous(&self, before: usize) -> Option<usize> {
        self.mask[..before].iter().rposition(|byte| !byte.is_ascii_whitespace())
    }

    /// The identifier or keyword that starts here; empty if none does.
    pub(crate) fn word(&self, from: usize) -> &str {
        let rest = &self.mask[from.min(self.mask.len())..];
        let length = rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
        std::str::from_utf8(&rest[..length]).unwrap_or("")
    }

    /// The identifier or keyword that ends in front of here.
    pub(crate) fn word_before(&self, end: usize) -> &str {
        let start = self.mask[..end].iter().rposition(|byte| !is_word(*byte)).map_or(0, |at| at + 1);
        std::str::from_utf8(&self.mask[start..end]).unwrap_or("")
    }

    /// All identifiers and keywords, with their places.
    pub(crate) fn words(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        self.words_in(0..self.mask.len())
    }

    /// The identifiers and keywords that start in a stretch, with their places.
    pub(crate) fn words_in(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, &str)> {
        let mut at = range.start;
        std::iter::from_fn(move || {
            while at < range.end {
                let word = self.word(at);
                let place = at..at + word.len();
                at += word.len().max(1);
                if !word.is_empty() {
                    return Some((place, word));
                }
            }
            None
        })
    }

    /// Where the bracket that opens here is closed.
    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (at, byte) in self.mask.iter().enumerate().skip(open) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// The range with the parentheses that it has one half of. The front end leaves the parentheses around an
    /// operand out of its place, so that `(a) > b` is found as `a) > b`.
    pub(crate) fn balanced(&self, range: Range<usize>) -> Option<Range<usize>> {
        let Range { mut start, mut end } = range;
        let (mut open, mut missing) = (0usize, 0usize);
        for &byte in &self.mask[start..end] {
            match byte {
                b'(' => open += 1,
                b')' if open == 0 => missing += 1,
                b')' => open -= 1,
                _ => {}
            }
        }
        for _ in 0..missing {
            start = self.previous(start).filter(|&at| self.mask[at] == b'(')?;
        }
        for _ in 0..open {
            end = self.next(end);
            if self.at(end) != b')' {
                return None;
            }
            end += 1;
        }
        Some(start..end)
    }

    /// The statement expressions `({ ... })` of the body that opens at or behind a place.
    pub(crate) fn statement_expressions(&self, from: usize) -> Vec<Range<usize>> {
        let mut open = Vec::new();
        let mut found = Vec::new();
        for at in from..self.mask.len() {
            match self.mask[at] {
                b'{' => open.push((at, self.previous(at).is_some_and(|before| self.mask[before] == b'('))),
                b'}' => {
                    if let Some((start, true)) = open.pop() {
                        found.push(start..at);
                    }
                    if open.is_empty() {
                        break;
                    }
                }
                _ => {}
            }
        }
        found
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The text with literals and directives blanked.
fn mask(bytes: &[u8]) -> Vec<u8> {
    let mut mask = bytes.to_vec();
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'#' if line_start => {
                let end = line_end(bytes, at);
                mask[at..end].fill(b' ');
                end
            }
            quote @ (b'"' | b'\'') => {
                let end = literal_end(bytes, at, quote);
                mask[at..end].fill(b'0');
                end
            }
            _ => at + 1,
        };
        line_start = bytes[at] == b'\n' || line_start && bytes[at].is_ascii_whitespace();
        at = end;
    }
    mask
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |n| from + n)
}

fn literal_end(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> Text {
        Text::new(source.as_bytes().to_vec())
    }

    #[test]
    fn brackets_in_literals_do_not_count() {
        let text = text("f(\")\", ')', '\\'') + 1");
        assert_eq!(text.closing(1), Some(16));
    }

    #[test]
    fn directives_are_blank() {
        let text = text("a;\n#pragma once (\nb;");
        let b = text.bytes.iter().rposition(|byte| *byte == b'b').unwrap();
        assert_eq!(text.previous(b), Some(1));
    }

    #[test]
    fn halves_of_parentheses_are_completed() {
        let text = text("if (((x) >= (1) && y))");
        assert_eq!(text.balanced(6..14), Some(5..15));
        assert_eq!(text.balanced(6..7), Some(6..7));
        assert_eq!(text.balanced(4..7), None);
    }

    #[test]
    fn statement_expressions_are_noticed() {
        let text = text("int f() { a; b = ({ c; ({ d; }); }); e; } ({ x; })");
        assert_eq!(text.statement_expressions(4), [24..29, 18..33]);
    }
}
