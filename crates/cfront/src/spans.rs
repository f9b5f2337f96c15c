//! From positions of the preprocessor to places in the user's files.

use quipu_base::{Id, IdVec};
use quipu_ir::{FileId, Span};
use rucc_diag::{SourceBytes, SourceMap};
use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, Severity, Snippet};
use crate::edit::Original;
use crate::macro_places::Separator;

/// The text of a source file.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The name under which it was opened.
    pub name: String,
    /// Its bytes; not always UTF-8.
    pub bytes: rucc_diag::SourceBytes,
}

/// A `rucc` diagnostic in our form.
pub(crate) fn diagnostic(d: &rucc_diag::Diagnostic, sources: &SourceMap) -> Diagnostic {
    let severity = if d.severity.is_fatal() { Severity::Error } else { Severity::Warning };
    let hint = d.children.iter().map(|child| child.message.clone()).reduce(|a, b| a + "; " + &b);
    Diagnostic { severity, message: d.message.clone(), place: snippet(d.span, sources), hint }
}

/// The place of a span with the text of its line.
pub(crate) fn snippet(span: rucc_diag::Span, sources: &SourceMap) -> Option<Snippet> {
    let loc = sources.lookup(span.lo)?;
    let file = sources.file(loc.file);
    let line = String::from_utf8_lossy(file.line_bytes(loc.line).unwrap_or_default()).into_owned();
    Some(Snippet::new(&file.name, loc.line, loc.column, (span.hi - span.lo) as usize, &line))
}

/// Adds the files of the user that a unit includes, each once.
pub(crate) fn add_headers(map: &SourceMap, headers: &mut Vec<SourceText>) {
    let included =
        map.files().iter().filter(|file| file.included_from.is_some() && !map.is_system(file.start));
    for file in included {
        if !headers.iter().any(|known| known.name == file.name) {
            headers.push(SourceText { name: file.name.clone(), bytes: file.shared_bytes() });
        }
    }
}

/// Numbers the files of a unit among the files of the module, as they are met.
#[derive(Default)]
pub(crate) struct FileTable {
    pub(crate) sources: Vec<SourceText>,
    pub(crate) names: IdVec<FileId, String>,
    /// The files of a name: several additions may share one.
    known: FxHashMap<String, Vec<FileId>>,
}

impl FileTable {
    fn number(&mut self, file: &rucc_diag::SourceFile, bytes: SourceBytes) -> FileId {
        let of_name = self.known.entry(file.name.clone()).or_default();
        let is_same = |id: &&FileId| self.sources[id.index()].bytes.as_slice() == bytes.as_slice();
        if let Some(&id) = of_name.iter().find(is_same) {
            return id;
        }
        let id = self.names.push(file.name.clone());
        self.sources.push(SourceText { name: file.name.clone(), bytes });
        of_name.push(id);
        id
    }
}

/// Resolves the spans of one unit, remembering the file and line last asked for.
pub(crate) struct Locator<'a> {
    map: &'a SourceMap,
    main_file: rucc_diag::FileId,
    /// The text of the main file, if it was edited.
    original: Option<&'a Original>,
    separators: &'a [Separator],
    last: Option<(rucc_diag::Span, Span)>,
    files: FxHashMap<rucc_diag::FileId, FileId>,
}

impl<'a> Locator<'a> {
    pub(crate) fn new(
        map: &'a SourceMap,
        (main_file, original): (rucc_diag::FileId, Option<&'a Original>),
        separators: &'a [Separator],
    ) -> Locator<'a> {
        Locator { map, main_file, original, separators, last: None, files: FxHashMap::default() }
    }

    /// The place of a span. What has no place stands at the start of the main file.
    pub(crate) fn span(&mut self, span: rucc_diag::Span, table: &mut FileTable) -> Span {
        if let Some((known, place)) = self.last
            && known == span
        {
            return place;
        }
        let place = self.resolve(span, table);
        self.last = Some((span, place));
        place
    }

    fn resolve(&mut self, span: rucc_diag::Span, table: &mut FileTable) -> Span {
        let start = self.map.lookup(span.lo);
        let source = start.map_or(self.main_file, |loc| loc.file);
        let original = self.original_of(source);
        let file = *self.files.entry(source).or_insert_with(|| {
            let file = self.map.file(source);
            table
                .number(file, original.map_or_else(|| file.shared_bytes(), |original| original.bytes.clone()))
        });
        let Some(start) = start else {
            return Span { file, line: 1, column: 1, end_line: 1, end_column: 1 };
        };
        // A span that ends in another file (code that crosses an include) is cut to its start.
        let in_map = self.map.file(source);
        let end = in_map.position(span.hi).unwrap_or(start);
        if let Some(original) = original {
            let (line, column) = original.position((span.lo - in_map.start) as usize);
            let last = if span.hi <= in_map.end { span.hi } else { span.lo };
            let (end_line, end_column) = original.position((last - in_map.start) as usize);
            return Span { file, line, column, end_line, end_column };
        }
        Span { file, line: start.line, column: start.column, end_line: end.line, end_column: end.column }
    }

    /// The text in a file's place, if the file was edited.
    fn original_of(&self, file: rucc_diag::FileId) -> Option<&'a Original> {
        self.original.filter(|_| file == self.main_file)
    }

    /// The span extended over the whole of the macro calls that it has a part of.
    ///
    /// An operation made by a macro's body would extend from one argument to another: `a, b` of `BOTH(a, b)`.
    pub(crate) fn whole_calls(&self, span: rucc_diag::Span) -> rucc_diag::Span {
        let first = self.separators.partition_point(|separator| separator.at < span.lo);
        let inside = self.separators[first..].iter().take_while(|separator| separator.at < span.hi);
        let calls = inside.map(|separator| rucc_diag::Span::new(separator.call.0, separator.call.1));
        self.whole_last_call(calls.fold(span, rucc_diag::Span::to))
    }

    /// The span extended to the end of the call that it ends in.
    ///
    /// A token from a macro's body stands at the macro's name, so that an expression from a body would end in the
    /// middle of the call: `BOTH(a, b` or just `BOTH`.
    fn whole_last_call(&self, span: rucc_diag::Span) -> rucc_diag::Span {
        let Some(id) = self.map.lookup_file(span.lo) else { return span };
        let file = self.map.file(id);
        let bytes = file.bytes();
        let (lo, hi) = ((span.lo - file.start) as usize, (span.hi.min(file.end) - file.start) as usize);
        let mut open = unclosed(bytes.get(lo..hi).unwrap_or_default());
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let is_bare_name = hi > lo && bytes[lo..hi].iter().all(is_name) && !bytes[lo].is_ascii_digit();
        if open == 0 && !(is_bare_name && next_is_open(&bytes[hi..])) {
            return span;
        }
        for (n, &byte) in bytes[hi..].iter().enumerate() {
            match byte {
                b'(' => open += 1,
                b')' if open <= 1 => return rucc_diag::Span::new(span.lo, file.start + (hi + n + 1) as u32),
                b')' => open -= 1,
                _ => {}
            }
        }
        span
    }

    /// The source text of a span, on one line.
    pub(crate) fn text(&self, span: rucc_diag::Span) -> String {
        let Some(id) = self.map.lookup_file(span.lo) else { return String::new() };
        let file = self.map.file(id);
        let (lo, hi) = ((span.lo - file.start) as usize, (span.hi.min(file.end) - file.start) as usize);
        let bytes = match self.original_of(id) {
            Some(original) => original.bytes.as_slice().get(original.offset(lo)..original.offset(hi)),
            None => file.bytes().get(lo..hi),
        };
        let bytes = bytes.unwrap_or_default();
        String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// How many brackets a piece of source leaves open, not counting those in strings and characters.
fn unclosed(text: &[u8]) -> usize {
    let mut open = 0usize;
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'(' => open += 1,
            b')' => open = open.saturating_sub(1),
            quote @ (b'"' | b'\'') => {
                while let Some(&inside) = bytes.next() {
                    match inside {
                        b'\\' => drop(bytes.next()),
                        inside if inside == quote => break,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    open
}

fn next_is_open(text: &[u8]) -> bool {
    text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(')
}

impl SourceText {
    /// The file as it was read.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// A line of the file, without its end.
    pub fn line(&self, line: u32) -> String {
        let lines = self.bytes.as_slice().split(|&b| b == b'\n');
        let bytes = lines.skip((line as usize).saturating_sub(1)).take(1).next().unwrap_or_default();
        String::from_utf8_lossy(bytes).trim_end_matches('\r').to_string()
    }
}
