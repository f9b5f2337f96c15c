//! Splits a text into tokens.
//!
//! The lexer never fails: what is no token becomes a [`Token::Bad`] that the parser reports when it gets
//! there. Names are ASCII and may end in a prime; `#` and `//` start a comment to the end of the line,
//! `/*` one to `*/`.

use quipu_num::FloatWidth;

use crate::diagnostic::Span;
use crate::types::Type;

/// A token.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Token<'a> {
    /// A keyword or a name, perhaps with a prime.
    Word(&'a str),
    /// An integer, and its type if that is written behind it.
    Number(i128, Option<Type>),
    /// A number with a point, an exponent or a type of floats behind it: its digits, and the format.
    Float(&'a str, Option<FloatWidth>),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// The end of the text.
    End,
    /// No token, and why.
    Bad(&'static str),
}

/// A token with its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Lexed<'a> {
    pub token: Token<'a>,
    pub span: Span,
}

/// The tokens of a text; the last is [`Token::End`].
pub(crate) fn tokens(text: &str) -> Vec<Lexed<'_>> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        let lexed = lexer.next();
        let last = lexed.token == Token::End;
        tokens.push(lexed);
        if last {
            return tokens;
        }
    }
}

/// Longer symbols stand in front of their beginnings.
const SYMBOLS: [&str; 34] = [
    "<->", "->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "..", "(", ")", "{", "}", "[", "]", ",",
    ";", ":", "?", "=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">",
];

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Lexed<'a> {
        if let Some(span) = self.skip_blanks() {
            return Lexed { token: Token::Bad("this comment has no end"), span };
        }
        let start = self.at;
        let rest = &self.text[start..];
        let token = match rest.as_bytes().first() {
            None => Token::End,
            Some(b) if b.is_ascii_digit() => self.number(),
            Some(b) if b.is_ascii_alphabetic() || *b == b'_' => self.word(),
            Some(_) => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => {
                    self.at += symbol.len();
                    Token::Symbol(symbol)
                }
                None => {
                    self.at += rest.chars().next().map_or(1, char::len_utf8);
                    Token::Bad("this character means nothing here")
                }
            },
        };
        Lexed { token, span: start..self.at }
    }

    /// Skips blanks and comments; answers the place of a comment without an end.
    fn skip_blanks(&mut self) -> Option<Span> {
        loop {
            let rest = &self.text[self.at..];
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len();
            self.at += blanks;
            let rest = &rest[blanks..];
            if rest.starts_with('#') || rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(n) => self.at += n + 2,
                    None => {
                        let start = self.at;
                        self.at = self.text.len();
                        return Some(start..start + 2);
                    }
                }
            } else {
                return None;
            }
        }
    }

    fn word(&mut self) -> Token<'a> {
        let start = self.at;
        self.skip_name();
        if self.text[self.at..].starts_with('\'') {
            self.at += 1;
        }
        Token::Word(&self.text[start..self.at])
    }

    fn skip_name(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        self.at += length;
    }

    fn number(&mut self) -> Token<'a> {
        let rest = &self.text[self.at..];
        match float_length(rest) {
            Ok(Some(length)) => self.float(length),
            Ok(None) => self.integer(),
            Err(why) => {
                self.skip_name();
                Token::Bad(why)
            }
        }
    }

    /// A float whose digits have a length.
    fn float(&mut self, length: usize) -> Token<'a> {
        let digits = &self.text[self.at..self.at + length];
        self.at += length;
        let start = self.at;
        self.skip_name();
        let suffix = &self.text[start..self.at];
        match Type::named(suffix) {
            _ if suffix.is_empty() => Token::Float(digits, None),
            Some(Type::Float(w)) => Token::Float(digits, Some(w)),
            _ => Token::Bad("behind a number with a point or an exponent stands f32 or f64, or nothing"),
        }
    }

    fn integer(&mut self) -> Token<'a> {
        let start = self.at;
        self.skip_name();
        let text = &self.text[start..self.at];
        let (radix, digits) = match text.get(..2) {
            Some("0x" | "0X") => (16, &text[2..]),
            Some("0b" | "0B") => (2, &text[2..]),
            _ => (10, text),
        };
        let split = digits.find(['u', 'i']).unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(split);
        let digits = digits.replace('_', "");
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            return Token::Bad("this is no number");
        }
        let Ok(value) = u64::from_str_radix(&digits, radix) else {
            return Token::Bad("this number has more than 64 bits");
        };
        match Type::named(suffix) {
            _ if suffix.is_empty() => Token::Number(value.into(), None),
            Some(ty) => Token::Number(value.into(), Some(ty)),
            None => {
                Token::Bad("behind a number stands a type from u1 to u64 or i1 to i64, f32, f64, or nothing")
            }
        }
    }
}

/// How long the digits, the point and the exponent of a float are that a text starts with; none if it starts with an
/// integer. A point belongs to a number only in front of a digit, so that `0..10` is a range.
fn float_length(text: &str) -> Result<Option<usize>, &'static str> {
    let bytes = text.as_bytes();
    let hexadecimal = bytes.len() > 1 && matches!(&bytes[..2], b"0x" | b"0X");
    let is_digit = |b: &u8| if hexadecimal { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let digits = |from: usize| bytes[from..].iter().take_while(|b| is_digit(b) || **b == b'_').count();
    let mut at = if hexadecimal { 2 } else { 0 };
    at += digits(at);
    let point = bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(is_digit);
    if point {
        at += 1;
        at += digits(at);
    }
    let exponent = match bytes.get(at) {
        Some(b'p' | b'P') if hexadecimal => true,
        Some(b'e' | b'E') => !hexadecimal,
        _ => false,
    };
    if exponent {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
        let length = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if length == 0 {
            return Err("this exponent has no digits");
        }
        return Ok(Some(at + length));
    }
    if hexadecimal {
        return if point {
            Err("a hexadecimal number with a point has an exponent, as in 0x1.8p3")
        } else {
            Ok(None)
        };
    }
    let typed = text[at..].starts_with("f32") || text[at..].starts_with("f64");
    Ok((point || typed).then_some(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexed(text: &str) -> Vec<Token<'_>> {
        tokens(text).into_iter().map(|lexed| lexed.token).collect()
    }

    #[test]
    fn words_numbers_and_symbols() {
        use Token::{End, Number, Symbol, Word};
        let i8 = Type::named("i8");
        assert_eq!(
            lexed("i' x_1<->0x1F 5i8 0..10 # rest\n//x\n/* \n */->"),
            [
                Word("i'"),
                Word("x_1"),
                Symbol("<->"),
                Number(31, None),
                Number(5, i8),
                Number(0, None),
                Symbol(".."),
                Number(10, None),
                Symbol("->"),
                End
            ]
        );
        assert_eq!(lexed("1_000"), [Number(1000, None), End]);
        assert_eq!(lexed("18446744073709551615"), [Number(u64::MAX.into(), None), End]);
    }

    #[test]
    fn floats_and_ranges() {
        use Token::{End, Float, Number, Symbol};
        let single = Some(FloatWidth::F32);
        assert_eq!(
            lexed("1.5 2e-3f32 7f32"),
            [Float("1.5", None), Float("2e-3", single), Float("7", single), End]
        );
        assert_eq!(lexed("0x1.8p3f32 0x1p-2"), [Float("0x1.8p3", single), Float("0x1p-2", None), End]);
        assert_eq!(
            lexed("-1.0..2.5"),
            [Symbol("-"), Float("1.0", None), Symbol(".."), Float("2.5", None), End]
        );
        assert_eq!(lexed("0..1e5"), [Number(0, None), Symbol(".."), Float("1e5", None), End]);
        assert_eq!(lexed("0x1f32"), [Number(0x1f32, None), End]);
    }

    #[test]
    fn what_is_no_token_is_bad() {
        for text in ["1.5u8", "1e", "1e+", "0x1.8", "1.5f16", "0x1p", "1.5x"] {
            assert!(matches!(lexed(text)[0], Token::Bad(_)), "{text}: {:?}", lexed(text));
        }
        for text in ["12x", "0x", "0xg", "5u65", "99999999999999999999", "é", "$", "/* x", "'"] {
            assert!(matches!(lexed(text)[0], Token::Bad(_)), "{text}: {:?}", lexed(text));
        }
        assert_eq!(tokens("é").len(), 2);
    }
}
