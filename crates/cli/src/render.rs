//! Places of a program as text and as JSON, and how output looks.

use std::io::IsTerminal;

use quipu_base::Id;
use quipu_cfront::{Program, Snippet};
use quipu_ir::{FileId, Span};
use quipu_report::Style;
use serde_json::{Value, json};

/// The source line of a place with a caret under it.
pub fn snippet(program: &Program, span: Span) -> Option<Snippet> {
    let source = program.sources.get(span.file.index())?;
    let line = source.line(span.line);
    let end = if span.end_line == span.line { span.end_column } else { span.column + 1 };
    let len = (end.saturating_sub(span.column)) as usize;
    Some(Snippet::new(&source.name, span.line, span.column, len, &line))
}

/// The name of a source file.
pub fn file_name(program: &Program, file: FileId) -> &str {
    &program.module.files[file]
}

/// A place as JSON fields.
pub fn span_json(program: &Program, span: Span) -> Value {
    json!({
        "file": file_name(program, span.file),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    })
}

/// Adds the fields of a second object to a first.
pub fn merged(mut object: Value, more: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut object, more) {
        fields.extend(more);
    }
    object
}

/// Prints to standard output; a reader that went away is not an error.
pub fn print(text: &str) {
    use std::io::Write;
    crate::talk::answered();
    let mut out = std::io::stdout().lock();
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    let _ = write!(out, "{text}{end}").and_then(|()| out.flush());
}

/// How text on standard output may look.
pub fn style() -> Style {
    let terminal = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    Style { colour: terminal, ..Style::default() }
}
