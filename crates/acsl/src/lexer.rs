//! Annotations as tokens, each with its place in the file.

use crate::problem::{Checked, Problem};
use crate::source::Place;

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Token {
    Word(String),
    /// `\result`, by its name.
    Builtin(String),
    Int(i128),
    Real(String),
    Text,
    Sign(&'static str),
    End,
}

/// Operators and other signs, the longest first.
const SIGNS: [&str; 46] = [
    "<==>", "<-->", "==>", "-->", "...", "&&", "||", "^^", "<=", ">=", "==", "!=", "<<", ">>", "->", "..",
    "::", "(", ")", "[", "]", "{", "}", ",", ";", ":", "?", ".", "+", "-", "*", "/", "%", "<", ">", "=", "!",
    "~", "&", "|", "^", "≤", "≥", "≠", "∧", "∨",
];

/// What a sign of Unicode stands for.
fn plain(sign: &'static str) -> &'static str {
    match sign {
        "≤" => "<=",
        "≥" => ">=",
        "≠" => "!=",
        "∧" => "&&",
        "∨" => "||",
        sign => sign,
    }
}

/// The tokens between two places of a text; the last is the end.
pub(crate) fn tokens(bytes: &[u8], body: &Place) -> Checked<Vec<(Token, Place)>> {
    let mut lexer = Lexer { bytes: &bytes[..body.end], at: body.start };
    let mut found = Vec::new();
    loop {
        lexer.skip_blanks();
        let start = lexer.at;
        let token = lexer.token()?;
        let is_end = token == Token::End;
        found.push((token, start..lexer.at.max(start)));
        if is_end {
            return Ok(found);
        }
    }
}

struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Skips blanks, comments, and the at signs with which people decorate lines.
    fn skip_blanks(&mut self) {
        loop {
            match self.rest() {
                [b'/', b'/', ..] => {
                    let length = self.rest().iter().position(|byte| *byte == b'\n');
                    self.at += length.unwrap_or(self.rest().len());
                }
                [byte, ..] if byte.is_ascii_whitespace() || *byte == b'@' => self.at += 1,
                _ => return,
            }
        }
    }

    fn token(&mut self) -> Checked<Token> {
        let start = self.at;
        let Some(&first) = self.rest().first() else { return Ok(Token::End) };
        if first.is_ascii_alphabetic() || first == b'_' {
            return Ok(Token::Word(self.word()));
        }
        if first == b'\\' {
            self.at += 1;
            let name = self.word();
            if name.is_empty() {
                return Err(Problem::wrong(&(start..self.at), "a backslash without a name"));
            }
            return Ok(Token::Builtin(name));
        }
        let digit_follows = self.rest().get(1).is_some_and(u8::is_ascii_digit);
        if first.is_ascii_digit() || first == b'.' && digit_follows {
            return self.number();
        }
        match first {
            b'\'' => return self.character(),
            b'"' => {
                self.quoted(b'"')?;
                return Ok(Token::Text);
            }
            _ => {}
        }
        let sign = SIGNS.iter().find(|sign| self.rest().starts_with(sign.as_bytes()));
        let Some(sign) = sign else {
            let letter = String::from_utf8_lossy(self.rest()).chars().next().unwrap_or(' ');
            let place = start..(start + letter.len_utf8()).min(self.bytes.len());
            return Err(Problem::wrong(&place, format!("unexpected `{letter}` in an annotation")));
        };
        self.at += sign.len();
        Ok(Token::Sign(plain(sign)))
    }

    fn word(&mut self) -> String {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = self.rest().iter().position(|byte| !is_word(byte)).unwrap_or(self.rest().len());
        let word = String::from_utf8_lossy(&self.rest()[..length]).into_owned();
        self.at += length;
        word
    }

    fn number(&mut self) -> Checked<Token> {
        let start = self.at;
        let is_hex = matches!(self.rest(), [b'0', b'x' | b'X', ..]);
        let mut is_real = false;
        while let Some(&byte) = self.rest().first() {
            let is_exponent = if is_hex { matches!(byte, b'p' | b'P') } else { matches!(byte, b'e' | b'E') };
            let next_is_dot = self.rest().get(1) == Some(&b'.');
            match byte {
                b'.' if next_is_dot || is_real => break,
                b'.' => is_real = true,
                _ if is_exponent => {
                    is_real = true;
                    if matches!(self.rest().get(1), Some(b'+' | b'-')) {
                        self.at += 1;
                    }
                }
                byte if byte.is_ascii_alphanumeric() => {}
                _ => break,
            }
            self.at += 1;
        }
        let place = start..self.at;
        let text = String::from_utf8_lossy(&self.bytes[place.clone()]).into_owned();
        if is_real {
            return real(&text).map(Token::Real).ok_or_else(|| Problem::wrong(&place, "not a number"));
        }
        integer(&text).map(Token::Int).ok_or_else(|| Problem::wrong(&place, "not a number"))
    }

    fn character(&mut self) -> Checked<Token> {
        let start = self.at;
        self.quoted(b'\'')?;
        let place = start..self.at;
        let value = match &self.bytes[start + 1..self.at - 1] {
            [plain] if *plain < 128 => Some(i128::from(*plain)),
            [b'\\', escaped] => escape(*escaped),
            [b'\\', b'x', digits @ ..] => radix(digits, 16).filter(|value| *value < 128),
            [b'\\', digits @ ..] => radix(digits, 8).filter(|value| *value < 128),
            _ => None,
        };
        value.map(Token::Int).ok_or_else(|| Problem::unsupported(&place, "this character constant"))
    }

    fn quoted(&mut self, quote: u8) -> Checked<()> {
        let start = self.at;
        self.at += 1;
        while self.rest().first().is_some_and(|byte| *byte != quote && *byte != b'\n') {
            self.at += if self.rest()[0] == b'\\' { 2 } else { 1 };
        }
        if self.rest().first() != Some(&quote) {
            return Err(Problem::wrong(&(start..start + 1), "a quote that is not closed"));
        }
        self.at += 1;
        Ok(())
    }
}

fn radix(digits: &[u8], radix: u32) -> Option<i128> {
    i128::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}

fn escape(letter: u8) -> Option<i128> {
    let value = match letter {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'0'..=b'7' => letter - b'0',
        b'\\' | b'\'' | b'"' | b'?' => letter,
        _ => return None,
    };
    Some(i128::from(value))
}

/// The value of an integer constant. Suffixes mean nothing: integers are those of mathematics.
fn integer(text: &str) -> Option<i128> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        return i128::from_str_radix(hex, 16).ok();
    }
    if let Some(binary) = lower.strip_prefix("0b") {
        return i128::from_str_radix(binary, 2).ok();
    }
    match lower.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => i128::from_str_radix(octal, 8).ok(),
        _ => lower.parse().ok(),
    }
}

/// A constant with a fraction or an exponent, in C's form and without a suffix.
fn real(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    if lower.starts_with("0x") {
        let digits = lower.trim_end_matches(['l']);
        return (digits.contains('p') && !digits.ends_with('p')).then(|| digits.to_string());
    }
    let digits = lower.trim_end_matches(['f', 'l', 'd']);
    digits.parse::<f64>().ok().filter(|value| value.is_finite()).map(|_| digits.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexed(text: &str) -> Vec<Token> {
        let found = tokens(text.as_bytes(), &(0..text.len())).unwrap();
        found.into_iter().map(|(token, _)| token).collect()
    }

    #[test]
    fn ranges_are_not_fractions() {
        use Token::{End, Int, Real, Sign};
        assert_eq!(lexed("0..9"), [Int(0), Sign(".."), Int(9), End]);
        assert_eq!(
            lexed("1.5 .5 1e3 0x10u"),
            ["1.5", ".5", "1e3"]
                .map(|text| Real(text.to_string()))
                .into_iter()
                .chain([Int(16), End])
                .collect::<Vec<_>>()
        );
        assert_eq!(lexed("'a' '\\n' '\\x41' 017"), [Int(97), Int(10), Int(65), Int(15), End]);
    }

    #[test]
    fn decorations_and_comments_are_blank() {
        assert_eq!(
            lexed("\n  @ x // y\n  @ ==> \\old"),
            [Token::Word("x".to_string()), Token::Sign("==>"), Token::Builtin("old".to_string()), Token::End,]
        );
    }
}
