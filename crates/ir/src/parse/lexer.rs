//! Splits a text into tokens.
//!
//! The lexer never fails: what is no token becomes a [`Token::Bad`] that the parser reports when it gets
//! there. Names, numbers and words are ASCII; other characters occur in strings and comments only.

use std::borrow::Cow;

use quipu_base::Id;

use crate::source::{FileId, Span};

/// A token.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Token<'a> {
    /// A keyword, a mnemonic, a type, an id such as `bb3`, or a plain name.
    Word(&'a str),
    /// A number with an optional sign.
    Number(&'a str),
    /// `%n`.
    Value(u32),
    /// `@` and a plain name.
    Symbol(&'a str),
    /// `@` and a name in quotes, still escaped.
    QuotedSymbol(&'a str),
    /// A string, still escaped.
    Str(&'a str),
    /// `!` and a place.
    Span(Span),
    /// One of `(){}[],:=`.
    Punct(u8),
    /// `->`.
    Arrow,
    /// `..`.
    Range,
    /// The end of the text.
    End,
    /// No token, and why.
    Bad(&'static str),
}

/// The rest of a text.
pub(super) struct Lexer<'a> {
    text: &'a str,
    pos: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lexer { text, pos: 0 }
    }

    /// The next token and the place where it starts.
    pub(super) fn next(&mut self) -> (Token<'a>, usize) {
        self.skip_blanks();
        let start = self.pos;
        let Some(byte) = self.peek(0) else {
            return (Token::End, start);
        };
        self.pos += 1;
        let token = match byte {
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b',' | b':' | b'=' => Token::Punct(byte),
            b'%' => self.digits().map_or(Token::Bad("a value has a number below 2^32"), Token::Value),
            b'@' => self.symbol(),
            b'"' => self.string().map_or(Token::Bad("this string has no end in its line"), Token::Str),
            b'!' => self.span().map_or(Token::Bad("a span is `!file:line:column-end`"), Token::Span),
            b'-' if self.eat(b'>') => Token::Arrow,
            b'.' if self.eat(b'.') => Token::Range,
            b'0'..=b'9' | b'+' | b'-' => self.number(start),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                self.skip_while(is_name_byte);
                Token::Word(&self.text[start..self.pos])
            }
            _ => Token::Bad("this character has no meaning here"),
        };
        (token, start)
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos + ahead).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek(0) == Some(byte);
        self.pos += usize::from(found);
        found
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.pos..];
        self.pos += rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
    }

    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(|byte| byte.is_ascii_whitespace());
            if self.peek(0) != Some(b';') {
                return;
            }
            self.skip_while(|byte| byte != b'\n');
        }
    }

    /// A decimal number below 2^32.
    fn digits(&mut self) -> Option<u32> {
        let start = self.pos;
        self.skip_while(|byte| byte.is_ascii_digit());
        self.text[start..self.pos].parse().ok()
    }

    fn symbol(&mut self) -> Token<'a> {
        if self.eat(b'"') {
            return self.string().map_or(Token::Bad("this name has no end in its line"), Token::QuotedSymbol);
        }
        let start = self.pos;
        self.skip_while(is_name_byte);
        match &self.text[start..self.pos] {
            "" => Token::Bad("a name should follow `@`"),
            name => Token::Symbol(name),
        }
    }

    /// What stands up to the closing quote in the same line.
    fn string(&mut self) -> Option<&'a str> {
        let start = self.pos;
        loop {
            self.skip_while(|byte| !matches!(byte, b'"' | b'\\' | b'\n'));
            match self.peek(0)? {
                b'"' => break,
                b'\\' if self.peek(1)? != b'\n' => self.pos += 2,
                _ => return None,
            }
        }
        self.pos += 1;
        Some(&self.text[start..self.pos - 1])
    }

    fn number(&mut self, start: usize) -> Token<'a> {
        self.pos = start + usize::from(matches!(self.text.as_bytes()[start], b'+' | b'-'));
        let digits = self.pos;
        self.skip_while(|byte| byte.is_ascii_digit());
        if digits == self.pos {
            return Token::Bad("a number should follow the sign");
        }
        if &self.text[digits..self.pos] == "0" && self.eat(b'x') {
            self.skip_while(|byte| byte.is_ascii_hexdigit());
            return Token::Number(&self.text[start..self.pos]);
        }
        let is_digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
        if self.peek(0) == Some(b'.') && is_digit(self.peek(1)) {
            self.pos += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        if self.peek(0) == Some(b'e') {
            let sign = usize::from(matches!(self.peek(1), Some(b'+' | b'-')));
            if is_digit(self.peek(1 + sign)) {
                self.pos += 1 + sign;
                self.skip_while(|byte| byte.is_ascii_digit());
            }
        }
        Token::Number(&self.text[start..self.pos])
    }

    /// `file:line:column`, then `-column` or `-line:column` unless the span is empty.
    fn span(&mut self) -> Option<Span> {
        let file = FileId::new(usize::try_from(self.digits()?).ok()?);
        let line = self.eat(b':').then(|| self.digits())??;
        let column = self.eat(b':').then(|| self.digits())??;
        let mut span = Span { file, line, column, end_line: line, end_column: column };
        if self.eat(b'-') {
            span.end_column = self.digits()?;
            if self.eat(b':') {
                span.end_line = span.end_column;
                span.end_column = self.digits()?;
            }
        }
        Some(span)
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// The bytes that an escaped string stands for.
pub(super) fn unescape(escaped: &str) -> Result<Cow<'_, [u8]>, &'static str> {
    if !escaped.contains('\\') {
        return Ok(Cow::Borrowed(escaped.as_bytes()));
    }
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'0') => 0,
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(same @ (b'"' | b'\\')) => same,
            Some(b'x') => hex_byte(rest.next(), rest.next()).ok_or("`\\x` needs two hexadecimal digits")?,
            _ => return Err("this string has an unknown escape"),
        });
    }
    Ok(Cow::Owned(bytes))
}

fn hex_byte(high: Option<u8>, low: Option<u8>) -> Option<u8> {
    let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// The name that an escaped string stands for.
pub(super) fn unescape_text(escaped: &str) -> Result<Cow<'_, str>, &'static str> {
    match unescape(escaped)? {
        // Without escapes, the bytes are those of a `str`.
        Cow::Borrowed(_) => Ok(Cow::Borrowed(escaped)),
        Cow::Owned(bytes) => {
            String::from_utf8(bytes).map(Cow::Owned).map_err(|_| "this string should be UTF-8")
        }
    }
}
