//! The text of source constructs.

use quipu_base::Id;
use quipu_ir::Span;

/// The lines of a module's source files.
#[derive(Clone, Debug, Default)]
pub struct SourceFiles<'a> {
    files: Vec<Vec<&'a [u8]>>,
}

impl<'a> SourceFiles<'a> {
    /// The bytes of the files in the order of `Module::files`. A file left out has empty text; goals are complete
    /// without text, but for those of comparisons outside of conditions.
    pub fn new(files: impl IntoIterator<Item = &'a [u8]>) -> SourceFiles<'a> {
        let lines = |bytes: &'a [u8]| bytes.split(|&byte| byte == b'\n').collect();
        SourceFiles { files: files.into_iter().map(lines).collect() }
    }

    /// The text of a span on one line.
    pub fn text(&self, span: Span) -> String {
        let Some(lines) = self.files.get(span.file.index()) else { return String::new() };
        let pieces = (span.line..=span.end_line).map(|number| {
            let line = lines.get(number as usize - 1).copied().unwrap_or_default();
            let from = if number == span.line { span.column as usize - 1 } else { 0 };
            let to = if number == span.end_line { span.end_column as usize - 1 } else { line.len() };
            String::from_utf8_lossy(line.get(from..to.min(line.len())).unwrap_or_default())
        });
        let text = pieces.collect::<Vec<_>>().join(" ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The text with the brackets that its span leaves out: the span of `(a) < (b)` starts at `a` and ends at `b`.
pub fn balanced(text: &str) -> String {
    let (mut open, mut missing) = (0usize, 0usize);
    for piece in code(text) {
        match piece {
            '(' => open += 1,
            ')' if open == 0 => missing += 1,
            ')' => open -= 1,
            _ => {}
        }
    }
    format!("{}{text}{}", "(".repeat(missing), ")".repeat(open))
}

/// The characters outside of literals.
fn code(text: &str) -> impl Iterator<Item = char> {
    let mut quote = None;
    let mut escaped = false;
    text.chars().filter(move |&c| match quote {
        Some(end) => {
            let ends = c == end && !escaped;
            escaped = c == '\\' && !escaped;
            if ends {
                quote = None;
            }
            false
        }
        None => {
            quote = (c == '"' || c == '\'').then_some(c);
            quote.is_none()
        }
    })
}
