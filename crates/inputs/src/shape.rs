//! What pointers among the inputs may point to: limits for all of them, and demands on some. How often memory may be
//! refused is a limit, too.

use rustc_hash::FxHashMap;

use crate::deeper::Deeper;

/// The limits of the shapes that pointers get.
#[derive(Clone, Debug)]
pub struct Shapes {
    /// The elements behind a pointer that are inputs, where neither declaration nor code tell.
    pub elements: u64,
    /// The characters of a string.
    pub text: u64,
    /// How many pointers one after the other lead to objects; the next one is null.
    pub depth: u32,
    /// Whether pointers may be null.
    pub null: bool,
    /// Whether pointers that the code follows without testing them are not null: it relies on that.
    pub rely: bool,
    /// Whether several pointers may point to one object.
    pub alias: bool,
    /// In an array with more scalars, only some elements are inputs.
    pub largest_array: usize,
    /// The scalars of a large array that are inputs.
    pub patches: usize,
    /// So many allocations at the start of a run may fail.
    pub failing: u32,
    /// Whether the user says so.
    pub failing_stated: bool,
    /// What the inputs with these names point to.
    pub named: FxHashMap<String, Shape>,
    /// What the numbers with these names are at most, as is known from elsewhere.
    pub largest: FxHashMap<String, u64>,
    /// Where there is more than usual.
    pub deeper: Deeper,
}

impl Default for Shapes {
    fn default() -> Shapes {
        Shapes {
            elements: 8,
            text: 16,
            depth: 3,
            null: true,
            rely: false,
            alias: true,
            largest_array: 256,
            patches: 64,
            failing: 0,
            failing_stated: false,
            named: FxHashMap::default(),
            largest: FxHashMap::default(),
            deeper: Deeper::default(),
        }
    }
}

/// What a pointer may point to: any of these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    pub choices: Vec<Choice>,
}

/// One thing that a pointer may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    Null,
    /// What it would be without any demand, but not null.
    NonNull,
    /// The same, and what the code uses behind it is there if that is one element.
    Valid,
    /// One object.
    Object,
    /// An array.
    Array(Length),
    /// Characters up to a zero, at most so many.
    Text(u64),
    /// Strings, at most so many, and a null pointer behind them. Each has at most so many characters, or as many as
    /// strings usually have.
    Strings {
        most: u64,
        text: Option<u64>,
    },
    /// Objects that point to others of their type, at most so many one after the other. Where it is cyclic, they may
    /// also point back to those before.
    Linked {
        depth: u32,
        cyclic: bool,
    },
    /// The same as another input.
    Alias(String),
    /// One of these functions.
    Functions(Vec<String>),
    /// A function that the test provides.
    Stub,
}

/// The number of elements of an array: a number, times the values of inputs. These may have a bound, all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Length {
    pub factor: u64,
    pub inputs: Vec<String>,
    pub most: Option<u64>,
}

/// No string has more characters.
pub(crate) const MOST_TEXT: u64 = 1 << 16;
/// No list has more objects one after the other.
const MOST_DEPTH: u64 = 1 << 10;

/// No list of strings has more of them.
pub const MOST_STRINGS: u64 = 256;

/// No array has more elements.
pub const MOST_ELEMENTS: u64 = 1 << 20;

/// Texts of shapes, for messages.
pub const SHAPE_FORMS: &str = "null, nonnull, valid, object, array(N), array(n), array(rows*cols), string(N), strings(N), \
strings(N, M), list(N), tree(N), cyclic(N), alias(NAME), function(NAME, ...), stub, or several of them with | between";

impl Shape {
    /// Reads a shape such as `array(n)` or `null | string(16)`.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Shape, String> {
        let choices = text.split('|').map(|choice| Choice::parse(choice.trim())).collect::<Result<_, _>>()?;
        Ok(Shape { choices })
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let choices: Vec<String> = self.choices.iter().map(Choice::to_string).collect();
        f.write_str(&choices.join(" | "))
    }
}

impl Choice {
    fn parse(text: &str) -> Result<Choice, String> {
        let (word, inner) = match text.split_once('(') {
            None => (text, None),
            Some((word, rest)) => {
                let inner =
                    rest.strip_suffix(')').ok_or_else(|| format!("`{text}` has no closing bracket"))?;
                (word.trim(), Some(inner.trim()))
            }
        };
        match (word, inner) {
            ("null", None) => Ok(Choice::Null),
            ("nonnull", None) => Ok(Choice::NonNull),
            ("valid", None) => Ok(Choice::Valid),
            ("object", None) => Ok(Choice::Object),
            ("stub", None) => Ok(Choice::Stub),
            ("array", Some(length)) => Ok(Choice::Array(Length::parse(length)?)),
            ("string", Some(most)) => Ok(Choice::Text(number(most, MOST_TEXT)?)),
            ("strings", Some(most)) => strings(most),
            ("list" | "tree", Some(depth)) => {
                Ok(Choice::Linked { depth: number(depth, MOST_DEPTH)? as u32, cyclic: false })
            }
            ("cyclic", Some(depth)) => {
                Ok(Choice::Linked { depth: number(depth, MOST_DEPTH)? as u32, cyclic: true })
            }
            ("alias", Some(name)) if !name.is_empty() => Ok(Choice::Alias(name.to_string())),
            ("function", Some(names)) if !names.is_empty() => {
                Ok(Choice::Functions(names.split(',').map(|name| name.trim().to_string()).collect()))
            }
            _ => Err(format!("`{text}` is no shape")),
        }
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Choice::Null => f.write_str("null"),
            Choice::NonNull => f.write_str("nonnull"),
            Choice::Valid => f.write_str("valid"),
            Choice::Object => f.write_str("object"),
            Choice::Array(length) => write!(f, "array({length})"),
            Choice::Text(most) => write!(f, "string({most})"),
            Choice::Strings { most, text: None } => write!(f, "strings({most})"),
            Choice::Strings { most, text: Some(text) } => write!(f, "strings({most}, {text})"),
            Choice::Linked { depth, cyclic: false } => write!(f, "list({depth})"),
            Choice::Linked { depth, cyclic: true } => write!(f, "cyclic({depth})"),
            Choice::Alias(name) => write!(f, "alias({name})"),
            Choice::Functions(names) => write!(f, "function({})", names.join(", ")),
            Choice::Stub => f.write_str("stub"),
        }
    }
}

impl Length {
    pub fn number(factor: u64) -> Length {
        Length { factor, inputs: Vec::new(), most: None }
    }

    fn parse(text: &str) -> Result<Length, String> {
        let (text, most) = match text.split_once("<=") {
            Some((text, most)) => (text, Some(number(most.trim(), MOST_ELEMENTS)?)),
            None => (text, None),
        };
        let mut length = Length { most, ..Length::number(1) };
        for part in text.split('*').map(str::trim) {
            if part.starts_with(|letter: char| letter.is_ascii_digit()) {
                length.factor = length.factor.saturating_mul(number(part, MOST_ELEMENTS)?);
            } else if part.is_empty() {
                return Err("an array needs a number of elements, as in `array(8)` or `array(n)`".to_string());
            } else {
                length.inputs.push(part.to_string());
            }
        }
        match length.factor {
            _ if length.most.is_some() && length.inputs.is_empty() => {
                Err("only a length that is an input has a bound".to_string())
            }
            1..=MOST_ELEMENTS => Ok(length),
            _ => Err(format!("an array has at most {MOST_ELEMENTS} elements")),
        }
    }
}

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let factor = (self.factor != 1 || self.inputs.is_empty()).then(|| self.factor.to_string());
        let parts: Vec<String> = factor.into_iter().chain(self.inputs.iter().cloned()).collect();
        f.write_str(&parts.join("*"))?;
        self.most.map_or(Ok(()), |most| write!(f, " <= {most}"))
    }
}

fn strings(text: &str) -> Result<Choice, String> {
    let (most, text) = match text.split_once(',') {
        Some((most, text)) => (most, Some(number(text.trim(), MOST_TEXT)?)),
        None => (text, None),
    };
    Ok(Choice::Strings { most: number(most.trim(), MOST_STRINGS)?, text })
}

fn number(text: &str, most: u64) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        Ok(number) => Err(format!("{number} is not in 1..{most}")),
        Err(_) => Err(format!("`{text}` is no number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read_and_written() {
        for text in [
            "null",
            "nonnull",
            "valid",
            "object",
            "array(8)",
            "array(n)",
            "array(4*rows*p->cols)",
            "array(n <= 32)",
            "array(rows*cols <= 5)",
            "null | string(16)",
            "strings(6)",
            "strings(6, 40)",
            "list(4)",
            "cyclic(3) | null",
            "alias(p)",
            "function(up, down)",
            "function(up) | stub | null",
        ] {
            assert_eq!(Shape::parse(text).expect(text).to_string(), text);
        }
        assert_eq!(Shape::parse("tree(2)"), Shape::parse("list(2)"));
    }

    #[test]
    fn wrong_shapes_are_refused() {
        for text in [
            "",
            "arry(3)",
            "array()",
            "array(0)",
            "array(2*)",
            "array(8 <= 9)",
            "array(n <= 0)",
            "string(x)",
            "strings()",
            "strings(2, )",
            "list(0)",
            "array(3",
            "alias()",
            "stub(f)",
            "null |",
        ] {
            assert!(Shape::parse(text).is_err(), "{text}");
        }
    }
}
