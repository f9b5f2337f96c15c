//! The words of a value text.

use super::{ExprKind, TextError, error};

/// A word.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A literal number or character.
    Literal(ExprKind),
    /// A string literal.
    String(Vec<u8>),
    Name(String),
    /// An operator or bracket; `<` and `>` stand for the shifts.
    Punct(u8),
    End,
}

/// The words of a text with their places. The last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, TextError> {
    let mut lexer = Lexer { text: text.as_bytes(), at: 0 };
    let mut tokens = Vec::new();
    loop {
        while lexer.byte().is_ascii_whitespace() {
            lexer.at += 1;
        }
        let at = lexer.at;
        let token = lexer.token()?;
        let end = token == Token::End;
        tokens.push((at, token));
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
}

impl Lexer<'_> {
    /// The byte at the present place; zero at the end.
    fn byte(&self) -> u8 {
        self.ahead(0)
    }

    fn ahead(&self, distance: usize) -> u8 {
        self.text.get(self.at + distance).copied().unwrap_or(0)
    }

    fn token(&mut self) -> Result<Token, TextError> {
        let byte = self.byte();
        match byte {
            _ if self.at >= self.text.len() => Ok(Token::End),
            b'"' => self.string(),
            b'\'' => self.character(),
            b'0'..=b'9' => self.number(),
            b'.' if self.ahead(1).is_ascii_digit() => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Ok(Token::Name(self.word())),
            b'<' | b'>' if self.ahead(1) == byte => {
                self.at += 2;
                Ok(Token::Punct(byte))
            }
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b',' | b'.' | b'=' | b'+' | b'-' | b'*' | b'/'
            | b'%' | b'&' | b'|' | b'^' | b'~' | b'!' => {
                self.at += 1;
                Ok(Token::Punct(byte))
            }
            _ => error(self.at, format!("unexpected character `{}`", char::from(byte).escape_default())),
        }
    }

    fn word(&mut self) -> String {
        let start = self.at;
        while self.byte().is_ascii_alphanumeric() || self.byte() == b'_' {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.text[start..self.at]).into_owned()
    }

    /// A preprocessing number, then told apart by its spelling.
    fn number(&mut self) -> Result<Token, TextError> {
        let start = self.at;
        let hexadecimal = self.byte() == b'0' && self.ahead(1) | 32 == b'x';
        loop {
            let byte = self.byte();
            let exponent = if hexadecimal { byte | 32 == b'p' } else { byte | 32 == b'e' };
            if exponent && matches!(self.ahead(1), b'+' | b'-') {
                self.at += 2;
            } else if byte.is_ascii_alphanumeric() || byte == b'.' {
                self.at += 1;
            } else {
                break;
            }
        }
        let spelled = String::from_utf8_lossy(&self.text[start..self.at]).to_lowercase();
        let float = spelled.contains('.')
            || (hexadecimal && spelled.contains('p'))
            || (!hexadecimal && spelled.contains('e'));
        let literal = if float { float_literal(&spelled) } else { integer_literal(&spelled) };
        match literal {
            Some(literal) => Ok(Token::Literal(literal)),
            None => error(start, format!("`{spelled}` is not a number")),
        }
    }

    /// Adjacent literals are joined.
    fn string(&mut self) -> Result<Token, TextError> {
        let mut bytes = Vec::new();
        while self.byte() == b'"' {
            let start = self.at;
            self.at += 1;
            while self.byte() != b'"' {
                if self.at >= self.text.len() {
                    return error(start, "the string has no end");
                }
                bytes.push(self.element()?);
            }
            self.at += 1;
            while self.byte().is_ascii_whitespace() {
                self.at += 1;
            }
        }
        Ok(Token::String(bytes))
    }

    fn character(&mut self) -> Result<Token, TextError> {
        let start = self.at;
        self.at += 1;
        if self.byte() == b'\'' || self.at >= self.text.len() {
            return error(start, "an empty character literal");
        }
        let byte = self.element()?;
        if self.byte() != b'\'' {
            return error(start, "the character literal has no end");
        }
        self.at += 1;
        Ok(Token::Literal(ExprKind::Char(byte)))
    }

    /// One byte of a character or string literal.
    fn element(&mut self) -> Result<u8, TextError> {
        let byte = self.byte();
        self.at += 1;
        if byte != b'\\' {
            return Ok(byte);
        }
        let at = self.at - 1;
        let escaped = self.byte();
        self.at += 1;
        Ok(match escaped {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => escaped,
            b'x' => return self.escape_number(at, 16, usize::MAX),
            b'0'..=b'7' => {
                self.at -= 1;
                return self.escape_number(at, 8, 3);
            }
            _ => return error(at, "an unknown escape sequence"),
        })
    }

    fn escape_number(&mut self, at: usize, base: u32, most: usize) -> Result<u8, TextError> {
        let (mut value, mut digits) = (0u32, 0);
        while let Some(digit) = char::from(self.byte()).to_digit(base).filter(|_| digits < most) {
            value = value.saturating_mul(base).saturating_add(digit);
            digits += 1;
            self.at += 1;
        }
        match u8::try_from(value) {
            Ok(byte) if digits > 0 => Ok(byte),
            _ => error(at, "an escape sequence that is no byte"),
        }
    }
}

fn integer_literal(spelled: &str) -> Option<ExprKind> {
    let (digits, base) = match spelled.as_bytes() {
        [b'0', b'x', ..] => (&spelled[2..], 16),
        [b'0', b'b', ..] => (&spelled[2..], 2),
        [b'0', _, ..] => (&spelled[1..], 8),
        _ => (spelled, 10),
    };
    let end = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    // In `0u` and `0`, the leading zero is the only digit.
    let digits = if digits.is_empty() && base == 8 { "0" } else { digits };
    let known = ["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&suffix);
    let value = u64::from_str_radix(digits, base).ok().filter(|_| known)?;
    Some(ExprKind::Integer { value, decimal: base == 10, suffix: suffix.to_string() })
}

fn float_literal(spelled: &str) -> Option<ExprKind> {
    let hexadecimal = spelled.starts_with("0x");
    let (digits, single) = match spelled.strip_suffix('f') {
        Some(digits) if !hexadecimal || spelled.contains('p') => (digits, true),
        _ => (spelled.strip_suffix('l').unwrap_or(spelled), false),
    };
    let (double, rounded) = crate::library::parse_float(digits)?;
    Some(if single { ExprKind::Float(f64::from(rounded), true) } else { ExprKind::Float(double, false) })
}
