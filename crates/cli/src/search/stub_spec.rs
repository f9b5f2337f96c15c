//! What the user writes about a function that nobody defines: `writes(out), returns 0..3`.

use std::ops::Range;

use quipu_base::nearest_name;
use quipu_cfront::{Diagnostic, Severity, Snippet};
use quipu_inputs::Allowed;
use quipu_outside::Stub;

use super::parse::{BadBounds, bounds, number};

/// The forms that there are.
pub const FORMS: &str =
    "pure, writes(NAME, ...), returns LOW..HIGH, returns VALUE, ..., nonnull, or model FILE.c";

const WORDS: [&str; 5] = ["pure", "writes", "returns", "nonnull", "model"];

/// What is said about one function.
#[derive(Clone, PartialEq, Debug)]
pub struct StubDemand {
    pub function: String,
    pub what: Said,
    pub written: Written,
    /// Whether an option says so, and not a file.
    pub is_option: bool,
}

/// What a function does.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// This, and nothing else is known.
    Does(Stub),
    /// What its definition in a file does.
    Model(String),
}

/// A text, and the line in which it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    pub text: String,
    /// The file and the number of the line.
    pub file: String,
    pub line: u32,
    /// The line, and the byte of it where the text starts.
    pub line_text: String,
    pub start: usize,
}

impl Written {
    /// The text of an option, which has no file.
    fn by_option(text: &str) -> Written {
        let (text, line_text) = (text.to_string(), text.to_string());
        Written { text, file: "--stub".to_string(), line: 1, line_text, start: 0 }
    }

    /// The place of a part of the text.
    pub fn snippet(&self, part: Range<usize>) -> Snippet {
        let at = self.start + part.start;
        Snippet::new(&self.file, self.line, at as u32 + 1, part.len(), &self.line_text)
    }

    /// The place of a word in the line, behind the start of the text; of the text if the word is not there.
    pub fn word(&self, word: &str) -> Snippet {
        let line = self.line_text.get(self.start..).unwrap_or_default();
        let is_inside =
            |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        let is_whole = |at: &usize| {
            !is_inside(line[..*at].chars().next_back()) && !is_inside(line[at + word.len()..].chars().next())
        };
        let at = line.match_indices(word).map(|(at, _)| at).find(is_whole).map(|at| at..at + word.len());
        self.snippet(at.unwrap_or(0..self.text.len()))
    }

    /// A mistake in a part of the text.
    pub fn mistake(&self, place: Snippet, message: String, hint: Option<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, message, place: Some(place), hint }
    }
}

/// `bus_read: writes(buf), returns 0..3`, or all that is wrong with it.
pub fn option(text: &str) -> Result<StubDemand, Vec<Diagnostic>> {
    let written = Written::by_option(text);
    let Some((function, said)) = text.split_once(':').filter(|(function, _)| !function.trim().is_empty())
    else {
        let hint = Some(format!("write it as 'NAME: SPEC'; SPEC is {FORMS}"));
        let message = "this does not name a function".to_string();
        return Err(vec![written.mistake(written.snippet(0..text.len()), message, hint)]);
    };
    let start = text.len() - said.len();
    let what = said_at(&Written { text: said.to_string(), start, ..written.clone() })?;
    Ok(StubDemand { function: function.trim().to_string(), what, written, is_option: true })
}

/// What a text says, or all that is wrong with it.
pub fn said_at(written: &Written) -> Result<Said, Vec<Diagnostic>> {
    let mut reader =
        Reader { written, stub: Stub::default(), model: None, seen: Vec::new(), errors: Vec::new() };
    for item in items(&written.text) {
        reader.item(item);
    }
    reader.finish()
}

struct Reader<'w> {
    written: &'w Written,
    stub: Stub,
    model: Option<String>,
    /// The words that were there, and where.
    seen: Vec<(&'static str, Range<usize>)>,
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn item(&mut self, place: Range<usize>) {
        let text = &self.written.text[place.clone()];
        let end = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let continues = matches!(self.seen.last(), Some(("returns", _)));
        if continues
            && !WORDS.contains(&word)
            && (number(text).is_some() || bounds(text) != Err(BadBounds::Form))
        {
            return self.values(text, place);
        }
        let Some(known) = WORDS.iter().find(|known| **known == word) else {
            return self.unknown(word, place);
        };
        if self.seen.iter().any(|(seen, _)| seen == known) {
            return self.error(place, format!("`{known}` stands here twice"), None);
        }
        self.seen.push((known, place.clone()));
        let rest_at = place.end - rest.trim_start().len()..place.end;
        match (*known, rest.trim()) {
            ("pure", "") => self.stub.changes = Some(Vec::new()),
            ("nonnull", "") => self.stub.nonnull = true,
            ("pure" | "nonnull", _) => self.error(rest_at, format!("`{known}` takes nothing"), None),
            ("returns", "") => {
                self.error(place, "`returns` what?".to_string(), hint("returns 0..3, or returns -1,0"))
            }
            ("returns", values) => self.values(values, rest_at),
            ("model", "") => self.error(place, "`model` of which file?".to_string(), hint("model FILE.c")),
            ("model", file) => self.model = Some(file.to_string()),
            (_, names) => self.names(names, place),
        }
    }

    fn names(&mut self, text: &str, place: Range<usize>) {
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let names = inner.map(|inner| inner.split(',').map(str::trim).collect::<Vec<_>>());
        let is_name = |name: &&str| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
        };
        match names.filter(|names| names.iter().all(is_name)) {
            Some(names) => {
                let known = self.stub.changes.get_or_insert_default();
                known.extend(names.into_iter().map(str::to_string));
            }
            None => {
                let how = hint("writes(out, buf): names of parameters and globals; `pure` writes nothing");
                self.error(place, "`writes` needs names in parentheses".to_string(), how);
            }
        }
    }

    /// A number or a range among the values of the result.
    fn values(&mut self, text: &str, place: Range<usize>) {
        let message = match bounds(text) {
            Ok(range) => return self.stub.returns.push(range),
            Err(BadBounds::Empty(low, high)) => format!("the range is empty: {low} is greater than {high}"),
            Err(BadBounds::Nan) => "a NaN is no bound of a range".to_string(),
            Err(BadBounds::Form) => match number(text) {
                Some(value) => return self.stub.returns.push(Allowed::Only(value)),
                None => format!("`{text}` is neither a number nor a range"),
            },
        };
        self.error(place, message, hint("returns 0..3, or returns -1,0"));
    }

    fn unknown(&mut self, word: &str, place: Range<usize>) {
        let meant = nearest_name(word, WORDS);
        let meant = meant.map(|meant| format!("did you mean `{meant}`? ")).unwrap_or_default();
        let text = &self.written.text[place.clone()];
        let message = if text.is_empty() {
            "something is missing here".to_string()
        } else {
            format!("`{text}` says nothing about a function")
        };
        self.error(place, message, Some(format!("{meant}known are {FORMS}")));
    }

    fn error(&mut self, place: Range<usize>, message: String, hint: Option<String>) {
        let error = self.written.mistake(self.written.snippet(place), message, hint);
        self.errors.push(error);
    }

    fn finish(mut self) -> Result<Said, Vec<Diagnostic>> {
        let place =
            |word: &str| self.seen.iter().find(|(seen, _)| *seen == word).map(|(_, place)| place.clone());
        let (pure, writes, model) = (place("pure"), place("writes"), place("model"));
        if let (Some(_), Some(writes)) = (&pure, writes) {
            self.error(writes, "a function that is `pure` writes nothing".to_string(), None);
        }
        if let Some(model) = model.filter(|_| self.seen.len() > 1) {
            self.error(
                model,
                "a function with a model does what that does".to_string(),
                hint("say nothing else about it"),
            );
        }
        match (self.errors.is_empty(), self.model) {
            (false, _) => Err(self.errors),
            (true, Some(file)) => Ok(Said::Model(file)),
            (true, None) => Ok(Said::Does(self.stub)),
        }
    }
}

fn hint(text: &str) -> Option<String> {
    Some(format!("write {text}"))
}

/// The parts of a text between commas that stand in no parentheses, without the blanks around them.
fn items(text: &str) -> Vec<Range<usize>> {
    let (mut depth, mut start) = (0usize, 0);
    let mut found = Vec::new();
    for (at, letter) in text.char_indices().chain([(text.len(), ',')]) {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 || at == text.len() => {
                let part = &text[start..at];
                let from = start + part.len() - part.trim_start().len();
                found.push(from..from + part.trim().len());
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use quipu_inputs::Number;

    use super::*;

    fn stub(text: &str) -> Stub {
        match option(&format!("f: {text}")).expect(text).what {
            Said::Does(stub) => stub,
            Said::Model(file) => panic!("{file} is a model"),
        }
    }

    #[test]
    fn everything_is_read() {
        let names = |names: &[&str]| Some(names.iter().map(|name| name.to_string()).collect::<Vec<_>>());
        let only = |value| Allowed::Only(Number::Int(value));
        assert_eq!(stub("pure").changes, names(&[]));
        assert_eq!(stub("writes(out, buf)").changes, names(&["out", "buf"]));
        assert_eq!(stub("returns 0..3").returns, [Allowed::Between(Number::Int(0), Number::Int(3))]);
        assert_eq!(stub("returns -1,0, 5..6, pure").returns.len(), 3);
        assert_eq!(stub("returns -1,0").returns, [only(-1), only(0)]);
        assert_eq!(stub("returns 'a'").returns, [only(97)]);
        assert!(stub("writes(p), nonnull").nonnull);
        let model = option("f : model a/b.c").expect("a model");
        assert_eq!((model.function.as_str(), model.what), ("f", Said::Model("a/b.c".to_string())));
    }

    #[test]
    fn mistakes_are_told_at_once_and_in_their_places() {
        let told = |text: &str| -> Vec<(String, u32)> {
            let errors = option(text).expect_err(text);
            errors.into_iter().map(|one| (one.message, one.place.expect("a place").column)).collect()
        };
        assert_eq!(
            told("f: pur, returns 3..1, returns"),
            [
                ("`pur` says nothing about a function".to_string(), 4),
                ("the range is empty: 3 is greater than 1".to_string(), 17),
                ("`returns` stands here twice".to_string(), 23),
            ]
        );
        for wrong in [
            "pure",
            ": pure",
            "f:",
            "f: pure,",
            "f: pure 3",
            "f: writes out",
            "f: writes()",
            "f: returns x",
            "f: pure, writes(a)",
            "f: model",
            "f: model a.c, pure",
            "f: 3",
            "f: nonnull, 3",
            "f: writes(a",
        ] {
            assert_eq!(told(wrong).len(), 1, "{wrong}");
        }
    }
}
