//! A C file as text: its annotations, and the little of its structure that they depend on.
//!
//! Next to the text stands a mask of the same length, in which comments, literals and directives are blanked: brackets
//! and semicolons of the mask are those of the program.

use std::ops::Range;

use quipu_cfront::{Diagnostic, LiveLines, Severity, Snippet};

/// A place in a file, in bytes.
pub(crate) type Place = Range<usize>;

/// A file of the program.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    mask: Vec<u8>,
    lines: Vec<usize>,
    pub(crate) annotations: Vec<Annotation>,
}

/// A comment that is meant for provers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Annotation {
    /// The whole comment.
    pub(crate) comment: Place,
    /// What is said in it.
    pub(crate) body: Place,
}

impl Source {
    pub(crate) fn new(name: String, bytes: Vec<u8>) -> Source {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        let (mask, annotations) = scan(&bytes);
        Source { name, bytes, mask, lines, annotations }
    }

    /// The line and the column of a byte, both from 1.
    pub(crate) fn position(&self, at: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|start| *start <= at);
        (line as u32, (at - self.lines[line - 1]) as u32 + 1)
    }

    /// Hides what the preprocessor leaves out: in lines from which nothing is taken, no code is looked for.
    pub(crate) fn hide_dead(&mut self, live: &LiveLines) {
        for (n, &start) in self.lines.iter().enumerate() {
            let end = self.lines.get(n + 1).copied().unwrap_or(self.bytes.len());
            if !live.contains(&self.name, n as u32 + 1) {
                blank(&mut self.mask[start..end], b' ');
            }
        }
    }

    /// Leaves out the annotations that the preprocessor leaves out.
    pub(crate) fn keep_live(&mut self, is_live: &[bool]) {
        let mut is_live = is_live.iter();
        self.annotations.retain(|_| is_live.next().copied().unwrap_or(true));
    }

    /// The byte at a line and a column.
    pub(crate) fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let start = *self.lines.get((line as usize).checked_sub(1)?)?;
        let at = start + (column as usize).checked_sub(1)?;
        (at <= self.bytes.len()).then_some(at)
    }

    pub(crate) fn text(&self, place: &Place) -> String {
        String::from_utf8_lossy(&self.bytes[place.clone()]).into_owned()
    }

    /// A message about a place.
    pub(crate) fn diagnostic(
        &self,
        severity: Severity,
        place: &Place,
        message: &str,
        hint: Option<&str>,
    ) -> Diagnostic {
        let (line, column) = self.position(place.start);
        let start = self.lines[line as usize - 1];
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let text = String::from_utf8_lossy(&rest[..length]);
        let snippet = Snippet::new(&self.name, line, column, place.len(), &text);
        Diagnostic {
            severity,
            message: message.to_string(),
            place: Some(snippet),
            hint: hint.map(str::to_string),
        }
    }

    /// The byte at a place, blank inside comments, literals and directives; zero behind the end.
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

    /// The braces of the body behind the name of a function.
    pub(crate) fn body(&self, name: usize) -> Option<Place> {
        let mut at = name;
        loop {
            match self.at(at) {
                b'{' => return Some(at..self.closing(at)? + 1),
                b'(' => at = self.closing(at)? + 1,
                b'}' | 0 => return None,
                _ => at += 1,
            }
        }
    }

    /// Where the statement that starts here ends.
    pub(crate) fn statement_end(&self, from: usize) -> Option<usize> {
        let at = self.next(from);
        let word = self.word(at);
        let behind = self.next(at + word.len());
        match (self.at(at), word) {
            (b'{', _) => Some(self.closing(at)? + 1),
            (_, "if") => {
                let end = self.statement_end(self.closing(behind)? + 1)?;
                let next = self.next(end);
                if self.word(next) == "else" { self.statement_end(next + 4) } else { Some(end) }
            }
            (_, "for" | "while" | "switch") => self.statement_end(self.closing(behind)? + 1),
            (_, "do") => {
                let end = self.next(self.statement_end(behind)?);
                Some(self.semicolon(end)? + 1)
            }
            _ => Some(self.semicolon(at)? + 1),
        }
    }

    /// The next semicolon outside brackets.
    pub(crate) fn semicolon(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            match self.at(at) {
                b';' => return Some(at),
                b'(' | b'[' | b'{' => at = self.closing(at)? + 1,
                b')' | b']' | b'}' | 0 => return None,
                _ => at += 1,
            }
        }
    }

    /// The innermost block around a place.
    pub(crate) fn block_around(&self, body: &Place, place: usize) -> Place {
        let mut open = Vec::new();
        for at in body.start..place.min(body.end) {
            match self.mask[at] {
                b'{' => open.push(at),
                b'}' => {
                    open.pop();
                }
                _ => {}
            }
        }
        let start = open.last().copied().unwrap_or(body.start);
        start..self.closing(start).map_or(body.end, |end| end + 1)
    }

    /// The parenthesis around a place, within a block.
    pub(crate) fn parenthesis_around(&self, block: &Place, place: usize) -> Option<usize> {
        let mut open = Vec::new();
        for at in block.start + 1..place {
            match self.mask[at] {
                b'(' => open.push(at),
                b')' => {
                    open.pop();
                }
                _ => {}
            }
        }
        open.first().copied()
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The mask of a text, and the annotations in it.
fn scan(bytes: &[u8]) -> (Vec<u8>, Vec<Annotation>) {
    let mut mask = bytes.to_vec();
    let mut annotations = Vec::new();
    let mut excluded: Option<usize> = None;
    let (mut at, mut line_start) = (0, true);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            directive_end(bytes, at)
        } else if rest.starts_with(b"/*") {
            let inner = rest[2..].windows(2).position(|pair| pair == b"*/");
            inner.map_or(bytes.len(), |inner| at + inner + 4)
        } else if rest[0] == b'#' && line_start {
            let end = directive_end(bytes, at);
            follow_exclusion(&bytes[at + 1..end], &mut excluded);
            end
        } else if matches!(rest[0], b'"' | b'\'') {
            literal_end(bytes, at, rest[0])
        } else {
            at + 1
        };
        if rest.starts_with(b"/*") || rest.starts_with(b"//") {
            let found = annotation(bytes, at..end).filter(|_| excluded.is_none());
            annotations.extend(found);
            blank(&mut mask[at..end], b' ');
        } else if end > at + 1 {
            blank(&mut mask[at..end], if rest[0] == b'#' { b' ' } else { b'0' });
        } else if excluded.is_some() {
            blank(&mut mask[at..end], b' ');
        }
        line_start =
            bytes[end - 1] == b'\n' || line_start && (bytes[at].is_ascii_whitespace() || end > at + 1);
        at = end;
    }
    (mask, annotations)
}

/// Fills a part of a mask, but leaves the lines as they are.
fn blank(mask: &mut [u8], with: u8) {
    mask.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = with);
}

/// Follows what stands between `#if 0` and its end; `excluded` counts the conditions open inside.
fn follow_exclusion(directive: &[u8], excluded: &mut Option<usize>) {
    let text = String::from_utf8_lossy(directive);
    let mut words = text.split_whitespace();
    let (name, condition) = (words.next().unwrap_or_default(), words.next());
    match (name, &mut *excluded) {
        ("if", None) if condition == Some("0") => *excluded = Some(0),
        ("if" | "ifdef" | "ifndef", Some(depth)) => *depth += 1,
        ("endif", Some(depth)) if *depth > 0 => *depth -= 1,
        ("endif" | "else" | "elif", Some(0)) => *excluded = None,
        _ => {}
    }
}

/// The annotation that a comment is, if it is one. Marks of other tools look alike: `/*@null@*/` of splint, `/*@{*/` of
/// doxygen.
fn annotation(bytes: &[u8], comment: Place) -> Option<Annotation> {
    let text = &bytes[comment.clone()];
    let is_block = text.starts_with(b"/*");
    if text.get(2) != Some(&b'@') {
        return None;
    }
    let end = if is_block { comment.end - 2 } else { comment.end };
    let body = comment.start + 3..end.max(comment.start + 3);
    let said = bytes[body.clone()].trim_ascii();
    let is_foreign = matches!(said.first(), Some(b'{' | b'}')) || is_block && is_splint(said);
    (!said.is_empty() && !is_foreign).then_some(Annotation { comment, body })
}

/// Whether it is a word or two between at signs on one line, and no clause.
fn is_splint(said: &[u8]) -> bool {
    let word = said.split(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    let is_clause = CLAUSES.iter().any(|clause| clause.as_bytes() == word);
    said.ends_with(b"@") && !said.contains(&b'\n') && !said.contains(&b';') && !is_clause
}

/// The words with which annotations of ours start.
const CLAUSES: [&str; 12] = [
    "requires",
    "ensures",
    "assumes",
    "behavior",
    "complete",
    "disjoint",
    "assert",
    "check",
    "loop",
    "assigns",
    "predicate",
    "logic",
];

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |n| from + n)
}

/// The end of a directive or a comment, which goes on behind a backslash.
fn directive_end(bytes: &[u8], from: usize) -> usize {
    let mut end = line_end(bytes, from);
    while end < bytes.len() && bytes[from..end].trim_ascii_end().ends_with(b"\\") {
        end = line_end(bytes, end + 1);
    }
    end
}

fn literal_end(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::new("a.c".to_string(), text.as_bytes().to_vec())
    }

    fn bodies(text: &str) -> Vec<String> {
        let source = source(text);
        source.annotations.iter().map(|one| source.text(&one.body).trim().to_string()).collect()
    }

    #[test]
    fn annotations_are_comments_with_an_at_sign() {
        assert_eq!(
            bodies("//@ assert x;\n/*@ requires y; */ /* @ no */ // no"),
            ["assert x;", "requires y;"]
        );
        assert_eq!(bodies("char *s = \"//@ assert x;\"; char c = '\"'; /* //@ assert y; */"), [""; 0]);
        assert_eq!(bodies("/*@null@*/ char *p; /*@{*/ /*@}*/ //@\n"), [""; 0]);
        assert_eq!(
            bodies("#if 0\n//@ assert a;\n#if X\n#endif\n#else\n//@ assert b;\n#endif"),
            ["assert b;"]
        );
    }

    #[test]
    fn statements_end_where_their_bodies_do() {
        let end = |text: &str| source(text).statement_end(0).map(|end| text[..end].to_string());
        assert_eq!(end("if (a) b; else if (c) { d; } e;").as_deref(), Some("if (a) b; else if (c) { d; }"));
        assert_eq!(end("for (;;) { } x;").as_deref(), Some("for (;;) { }"));
        assert_eq!(end("do x; while (y); z;").as_deref(), Some("do x; while (y);"));
        assert_eq!(end("f(\";\"); z;").as_deref(), Some("f(\";\");"));
    }
}
