//! The content of a `quipu.toml`. Whatever is not understood is an error with its place.

use std::ops::Range;

use quipu_base::nearest_name;
use quipu_cfront::{Diagnostic, Severity, Snippet};
use quipu_inputs::{Allowed, Number, SHAPE_FORMS, Shape};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::Uninitialized;
use crate::search::parse::{BadBounds, bounds, number};
use crate::search::stub_spec::{FORMS, StubDemand, Written, said_at};
use crate::search::{Assumption, Demand, Given, Origin};

type Key<'t> = Spanned<std::borrow::Cow<'t, str>>;
type Item<'t> = Spanned<DeValue<'t>>;

/// What a file says about inputs, or all that is wrong with it.
pub fn read(path: &str, text: &str) -> Result<Given, Vec<Diagnostic>> {
    let mut reader = Reader { path, text, given: Given::default(), errors: Vec::new() };
    match DeTable::parse(text) {
        Ok(table) => reader.file(table.get_ref()),
        Err(error) => {
            let at = error.span().unwrap_or(0..0);
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            reader.error(at, message, "the file is TOML: https://toml.io".to_string());
        }
    }
    match reader.errors.is_empty() {
        true => Ok(reader.given),
        false => Err(reader.errors),
    }
}

struct Reader<'t> {
    path: &'t str,
    text: &'t str,
    given: Given,
    errors: Vec<Diagnostic>,
}

const AT_THE_TOP: &[&str] = &["shapes", "range", "fix", "stubs", "limits", "function"];
const FOR_A_FUNCTION: &[&str] = &["shapes", "range", "fix", "assume"];
const LIMITS: &[&str] =
    &["elements", "text", "depth", "null", "alias", "floats", "failing-allocations", "uninitialized"];

impl Reader<'_> {
    fn file(&mut self, table: &DeTable<'_>) {
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "limits" => self.limits(value),
                "function" => self.functions(value),
                "stubs" => self.stubs(value),
                "assume" => self.error(
                    key.span(),
                    "an assumption is about the inputs of one function".to_string(),
                    "put it under [function.NAME]".to_string(),
                ),
                "shapes" | "range" | "fix" => self.inputs(None, key, value),
                _ => self.unknown(key, AT_THE_TOP),
            }
        }
    }

    fn functions(&mut self, value: &Item<'_>) {
        for (name, value) in self.table(value, "[function.NAME]") {
            let function = name.get_ref().to_string();
            self.given.functions.push((function.clone(), self.snippet(name.span())));
            for (key, value) in self.table(value, "[function.NAME]") {
                match key.get_ref().as_ref() {
                    "assume" => self.assumptions(&function, value),
                    "shapes" | "range" | "fix" => self.inputs(Some(&function), key, value),
                    _ => self.unknown(key, FOR_A_FUNCTION),
                }
            }
        }
    }

    /// What functions do that nobody defines, by their names.
    fn stubs(&mut self, value: &Item<'_>) {
        for (name, value) in self.table(value, "stubs = { NAME = \"pure\" }") {
            let Some(text) = value.get_ref().as_str() else {
                self.wrong_type(value, "a string", format!("it is {FORMS}"));
                continue;
            };
            let key = self.written(name.span(), name.get_ref());
            // Behind the quote.
            let inside = value.span().start + 1..value.span().end;
            match said_at(&self.written(inside, text)) {
                Ok(what) => {
                    let function = name.get_ref().to_string();
                    self.given.stubs.push(StubDemand { function, what, written: key, is_option: false });
                }
                Err(errors) => self.errors.extend(errors),
            }
        }
    }

    /// Shapes or values, by the names of inputs.
    fn inputs(&mut self, function: Option<&str>, kind: &Key<'_>, value: &Item<'_>) {
        let kind = kind.get_ref().as_ref();
        for (key, value) in self.table(value, &format!("{kind} = {{ NAME = ... }}")) {
            let function = function.map(str::to_string);
            let name = key.get_ref().to_string();
            let origin = Origin::File(self.snippet(key.span()));
            if kind == "shapes" {
                if let Some(what) = self.shape(value) {
                    self.given.shapes.push(Demand { function, name, what, origin });
                }
            } else if let Some(what) = if kind == "fix" { self.fixed(value) } else { self.range(value) } {
                self.given.ranges.push(Demand { function, name, what, origin });
            }
        }
    }

    fn shape(&mut self, value: &Item<'_>) -> Option<Shape> {
        let hint = format!("a shape is {SHAPE_FORMS}");
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(value, "a string", hint);
            return None;
        };
        let shape = Shape::parse(text).map_err(|why| self.error(value.span(), why, hint));
        shape.ok()
    }

    fn range(&mut self, value: &Item<'_>) -> Option<Allowed> {
        let hint = "a range is a string such as \"1..9\"".to_string();
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(value, "a string", hint);
            return None;
        };
        let why = match bounds(text) {
            Ok(bounds) => return Some(bounds),
            Err(BadBounds::Form) => format!("`{text}` is no range"),
            Err(BadBounds::Empty(low, high)) => {
                format!("the range is empty: {low} is greater than {high}")
            }
            Err(BadBounds::Nan) => "a NaN is no bound of a range".to_string(),
        };
        self.error(value.span(), why, hint);
        None
    }

    fn fixed(&mut self, value: &Item<'_>) -> Option<Allowed> {
        let found = match value.get_ref() {
            DeValue::Integer(integer) => {
                i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(Number::Int)
            }
            DeValue::Float(float) => number(float.as_str()),
            DeValue::String(text) => number(text),
            _ => None,
        };
        if found.is_none() {
            let hint =
                "a value is a number, such as 3, 0x10 or 0.5, or a string with a character, such as \"'a'\"";
            self.wrong_type(value, "a number", hint.to_string());
        }
        found.map(Allowed::Only)
    }

    fn assumptions(&mut self, function: &str, value: &Item<'_>) {
        let hint = "write assume = [\"n > 0\", \"p != q\"]";
        let Some(list) = value.get_ref().as_array() else {
            return self.wrong_type(value, "a list of strings", hint.to_string());
        };
        for item in list.iter() {
            match item.get_ref().as_str() {
                Some(text) => {
                    let function = Some(function.to_string());
                    let origin = Origin::File(self.snippet(item.span()));
                    self.given.assumptions.push(Assumption { function, text: text.to_string(), origin });
                }
                None => self.wrong_type(item, "a string", hint.to_string()),
            }
        }
    }

    fn limits(&mut self, value: &Item<'_>) {
        for (key, value) in self.table(value, "[limits]") {
            match key.get_ref().as_ref() {
                "elements" => self.given.limits.elements = self.count(value, 4096),
                "text" => self.given.limits.text = self.count(value, 4096),
                "depth" => {
                    self.given.limits.depth =
                        self.count(value, 64).and_then(|count| u32::try_from(count).ok());
                }
                "null" => self.given.limits.null = self.truth(value),
                "alias" => self.given.limits.alias = self.truth(value),
                "floats" => self.given.limits.finite_floats = self.floats(value),
                "failing-allocations" => {
                    self.given.limits.failing =
                        self.number(value, 0, 32).and_then(|count| u32::try_from(count).ok());
                }
                "uninitialized" => self.given.limits.uninitialized = self.uninitialized(value),
                _ => self.unknown(key, LIMITS),
            }
        }
    }

    fn count(&mut self, value: &Item<'_>, most: u64) -> Option<u64> {
        self.number(value, 1, most)
    }

    fn number(&mut self, value: &Item<'_>, least: u64, most: u64) -> Option<u64> {
        let number = value.get_ref().as_integer();
        let number = number.and_then(|integer| u64::from_str_radix(integer.as_str(), integer.radix()).ok());
        let count = number.filter(|number| (least..=most).contains(number));
        if count.is_none() {
            self.wrong_type(
                value,
                &format!("a number in {least}..{most}"),
                "the limits are described in docs/cover.md".to_string(),
            );
        }
        count
    }

    fn truth(&mut self, value: &Item<'_>) -> Option<bool> {
        let truth = value.get_ref().as_bool();
        if truth.is_none() {
            self.wrong_type(value, "true or false", "write it without quotes".to_string());
        }
        truth
    }

    /// Whether only finite floats come from outside.
    fn floats(&mut self, value: &Item<'_>) -> Option<bool> {
        let finite = match value.get_ref().as_str() {
            Some("finite") => Some(true),
            Some("all") => Some(false),
            _ => None,
        };
        if finite.is_none() {
            let hint = "infinities and NaNs are floats, too, but not finite".to_string();
            self.wrong_type(value, "\"all\" or \"finite\"", hint);
        }
        finite
    }

    /// What reads give of what was never written.
    fn uninitialized(&mut self, value: &Item<'_>) -> Option<Uninitialized> {
        let known = value.get_ref().as_str().and_then(Uninitialized::named);
        if known.is_none() {
            let hint = "docs/verdicts.md tells what they mean".to_string();
            self.wrong_type(value, "\"trap\", \"any\" or \"automatic\"", hint);
        }
        known
    }

    /// The entries of a table in the order of the file.
    fn table<'v, 't>(&mut self, value: &'v Item<'t>, form: &str) -> Vec<(&'v Key<'t>, &'v Item<'t>)> {
        match value.get_ref().as_table() {
            Some(table) => in_order(table),
            None => {
                self.wrong_type(value, "a table", format!("write {form}"));
                Vec::new()
            }
        }
    }

    fn unknown(&mut self, key: &Key<'_>, known: &[&str]) {
        let name = key.get_ref().as_ref();
        let nearest = nearest_name(name, known.iter().copied());
        let meant = nearest.map(|nearest| format!("did you mean `{nearest}`? ")).unwrap_or_default();
        let hint = format!("{meant}the keys here are {}", known.join(", "));
        self.error(key.span(), format!("unknown key `{name}`"), hint);
    }

    fn wrong_type(&mut self, value: &Item<'_>, wanted: &str, hint: String) {
        self.error(value.span(), format!("this should be {wanted}"), hint);
    }

    fn error(&mut self, at: Range<usize>, message: String, hint: String) {
        let place = Some(self.snippet(at));
        self.errors.push(Diagnostic { severity: Severity::Error, message, place, hint: Some(hint) });
    }

    fn snippet(&self, at: Range<usize>) -> Snippet {
        let Line { number, column, text } = self.line(at.start);
        let len = (at.end.max(at.start) - at.start).min(text.len().saturating_sub(column));
        Snippet::new(self.path, number, column as u32 + 1, len, text)
    }

    /// A text that starts at a place, on a line of the file.
    fn written(&self, at: Range<usize>, text: &str) -> Written {
        let line = self.line(at.start);
        let (text, file) = (text.to_string(), self.path.to_string());
        Written { text, file, line: line.number, line_text: line.text.to_string(), start: line.column }
    }

    fn line(&self, at: usize) -> Line<'_> {
        let at = at.min(self.text.len());
        let start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let text = self.text[start..].lines().next().unwrap_or_default();
        Line { number: self.text[..at].matches('\n').count() as u32 + 1, column: at - start, text }
    }
}

/// A line of the file, and the byte of it that is meant.
struct Line<'t> {
    number: u32,
    column: usize,
    text: &'t str,
}

fn in_order<'v, 't>(table: &'v DeTable<'t>) -> Vec<(&'v Key<'t>, &'v Item<'t>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_read() {
        let given = read(
            "quipu.toml",
            "shapes = { buf = \"array(len)\" }\n[function.parse]\nassume = [\"n > 0\"]\n\
             range = { n = \"0..0x10\", x = \"0.5..inf\" }\n\
             fix = { mode = 3, c = \"'a'\", low = -1, y = 1e-3, z = \"-inf\" }\n\
             [function.parse.shapes]\n\"l->next\" = \"null\"\n[limits]\nelements = 4\nnull = false\nfloats = \"finite\"\n",
        )
        .expect("the file is right");
        let shapes: Vec<_> = given
            .shapes
            .iter()
            .map(|one| (one.function.as_deref(), one.name.as_str(), one.what.to_string()))
            .collect();
        assert_eq!(
            shapes,
            [(None, "buf", "array(len)".to_string()), (Some("parse"), "l->next", "null".to_string())]
        );
        let ranges: Vec<String> =
            given.ranges.iter().map(|one| format!("{} = {}", one.name, one.what)).collect();
        let expected =
            ["n = 0..16", "x = 0.5..inf", "mode = 3", "c = 97", "low = -1", "y = 0.001", "z = -inf"];
        assert_eq!(ranges, expected);
        assert_eq!(given.limits.finite_floats, Some(true));
        assert_eq!(given.assumptions[0].text, "n > 0");
        assert_eq!(given.assumptions[0].to_string(), "quipu.toml:3: assume 'n > 0'");
        assert_eq!(
            (given.limits.elements, given.limits.null, given.limits.alias),
            (Some(4), Some(false), None)
        );
    }

    #[test]
    fn mistakes_have_places_and_hints() {
        #[track_caller]
        fn wrong(text: &str, expected: &str) {
            let errors = read("quipu.toml", text).expect_err("the file is wrong");
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            assert_eq!(errors.join("\n"), expected);
        }
        wrong(
            "[shape]\n",
            "quipu.toml:1:2: error: unknown key `shape`\n 1 | [shape]\n   |  ^~~~~\n  = hint: did you mean `shapes`? \
             the keys here are shapes, range, fix, stubs, limits, function",
        );
        wrong(
            "[function.f]\nrange = { n = \"3..1\" }\nfix = { m = true }\n",
            "quipu.toml:2:15: error: the range is empty: 3 is greater than 1\n 2 | range = { n = \"3..1\" }\n   \
             |               ^~~~~~\n  = hint: a range is a string such as \"1..9\"\nquipu.toml:3:13: error: this \
             should be a number\n 3 | fix = { m = true }\n   |             ^~~~\n  = hint: a value is a number, such \
             as 3, 0x10 or 0.5, or a string with a character, such as \"'a'\"",
        );
        wrong(
            "[limits]\nelements = 0\nalias = \"no\"\n",
            "quipu.toml:2:12: error: this should be a number in 1..4096\n 2 | elements = 0\n   |            ^\n  = hint: \
             the limits are described in docs/cover.md\nquipu.toml:3:9: error: this should be true or false\n \
             3 | alias = \"no\"\n   |         ^~~~\n  = hint: write it without quotes",
        );
        wrong(
            "range = { x = \"nan..1\" }\n[limits]\nfloats = \"no\"\n",
            "quipu.toml:1:15: error: a NaN is no bound of a range\n 1 | range = { x = \"nan..1\" }\n   \
             |               ^~~~~~~~\n  = hint: a range is a string such as \"1..9\"\nquipu.toml:3:10: error: this \
             should be \"all\" or \"finite\"\n 3 | floats = \"no\"\n   |          ^~~~\n  = hint: infinities and \
             NaNs are floats, too, but not finite",
        );
        wrong(
            "assume = [\"n\"]\n",
            "quipu.toml:1:1: error: an assumption is about the inputs of one function\n 1 | assume = [\"n\"]\n   \
             | ^~~~~~\n  = hint: put it under [function.NAME]",
        );
    }

    #[test]
    fn any_text_is_read_or_refused() {
        for text in
            ["", "\n", "x", "[", "é = 1", "[function]\nf = 3", "[function.f]\nassume = [1]", "shapes = 1"]
        {
            let _ = read("quipu.toml", text);
        }
        assert!(read("quipu.toml", "[function]\nf = 3").is_err());
        assert!(read("quipu.toml", "[function.f]\nassume = [1]").is_err());
        assert!(read("quipu.toml", "shapes = 1").is_err());
    }
}
