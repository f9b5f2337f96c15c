//! What the front end has to say about a program, with the place it speaks of.

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Worth knowing.
    Warning,
    /// The program cannot be taken.
    Error,
}

/// A message about a place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in lower case.
    pub message: String,
    /// Where, if it is about a place.
    pub place: Option<Snippet>,
    /// What the user can do about it.
    pub hint: Option<String>,
}

/// A place in a file with the line around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snippet {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// The text of the line, shortened around the column if it is very long.
    pub text: String,
    /// The byte of `text` under which the caret stands.
    pub caret: usize,
    /// How many bytes the place spans within `text`, at least one.
    pub len: usize,
}

/// What the user can do if files do not fit together.
pub(crate) const LINKING_HINT: &str = "give Quipu only the files that are linked together";

/// Why a program could not be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The errors, at least one.
    pub errors: Vec<Diagnostic>,
}

impl Failure {
    /// Whether each file is fine by itself, but not together with the others.
    pub fn is_about_linking(&self) -> bool {
        self.errors.iter().all(|error| error.hint.as_deref() == Some(LINKING_HINT))
    }

    /// A failure that is not about a place in a file.
    pub fn message(message: impl Into<String>) -> Failure {
        Failure::from(Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            place: None,
            hint: None,
        })
    }

    /// A failure that is not about a place in a file, with advice.
    pub fn with_hint(message: impl Into<String>, hint: impl Into<String>) -> Failure {
        let hint = Some(hint.into());
        Failure::from(Diagnostic { severity: Severity::Error, message: message.into(), place: None, hint })
    }
}

impl From<Diagnostic> for Failure {
    fn from(error: Diagnostic) -> Failure {
        Failure { errors: vec![error] }
    }
}

/// The longest line that a snippet shows whole.
const SHOWN: usize = 160;

impl Snippet {
    /// A snippet of `line_text` around a column counted from 1.
    pub fn new(file: &str, line: u32, column: u32, len: usize, line_text: &str) -> Snippet {
        let at = (column as usize).saturating_sub(1).min(line_text.len());
        let (from, to) = if line_text.len() <= SHOWN {
            (0, line_text.len())
        } else {
            (at.saturating_sub(SHOWN / 2), (at + SHOWN / 2).min(line_text.len()))
        };
        let from = (0..=from).rev().find(|&i| line_text.is_char_boundary(i)).unwrap_or(0);
        let to = (to..=line_text.len()).find(|&i| line_text.is_char_boundary(i)).unwrap_or(line_text.len());
        let text = line_text[from..to].to_string();
        let caret = at.saturating_sub(from).min(text.len());
        let len = len.clamp(1, (text.len() - caret).max(1));
        Snippet { file: file.to_string(), line, column, text, caret, len }
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        match &self.place {
            Some(place) => {
                write!(f, "{}:{}:{}: {severity}: {}", place.file, place.line, place.column, self.message)?
            }
            None => write!(f, "{severity}: {}", self.message)?,
        }
        if let Some(place) = &self.place {
            write!(f, "\n{place}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  = hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Snippet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = self.line.to_string();
        // Tabs in front of the caret are kept, so that it stands under its place in any terminal.
        let pad: String =
            self.text.as_bytes()[..self.caret].iter().map(|&b| if b == b'\t' { '\t' } else { ' ' }).collect();
        writeln!(f, " {number} | {}", self.text)?;
        write!(f, " {:width$} | {pad}^{}", "", "~".repeat(self.len - 1), width = number.len())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (n, error) in self.errors.iter().enumerate() {
            write!(f, "{}{error}", if n > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}
