//! The parser's state, and the small pieces that all parts of the language share.

use quipu_base::Id;
use quipu_num::{FloatWidth, Width};

use super::lexer::{Lexer, Token, unescape, unescape_text};
use super::symbols::Symbols;
use super::values::Values;
use crate::module::Symbol;
use crate::print::implied_span;
use crate::source::Span;
use crate::ty::Ty;

/// A text with one token of lookahead. Each file of this module adds the methods for its part of the
/// language.
pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The next token.
    pub(super) token: Token<'a>,
    /// Where it starts.
    pub(super) at: usize,
    /// What the whole text declares.
    pub(super) symbols: Symbols<'a>,
    /// The values of the current function.
    pub(super) values: Values,
}

/// What is wrong, and where.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) at: usize,
    pub(super) message: String,
}

/// The answer of every parsing step.
pub(super) type Parsed<T> = Result<T, Failure>;

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        let (token, at) = lexer.next();
        Parser { lexer, token, at, symbols: Symbols::scan(text), values: Values::default() }
    }

    pub(super) fn bump(&mut self) {
        (self.token, self.at) = self.lexer.next();
    }

    /// A failure at the next token. A text that is no token explains itself.
    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        let message = match self.token {
            Token::Bad(reason) => reason.to_owned(),
            _ => message.into(),
        };
        Err(Failure { at: self.at, message })
    }

    pub(super) fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.fail(format!("expected {what}"))
    }

    /// Takes the next token if it is this one.
    pub(super) fn eat(&mut self, token: Token<'_>) -> bool {
        let found = self.token == token;
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn eat_punct(&mut self, punct: u8) -> bool {
        self.eat(Token::Punct(punct))
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.eat(Token::Word(word))
    }

    pub(super) fn punct(&mut self, punct: u8) -> Parsed<()> {
        if self.eat_punct(punct) { Ok(()) } else { self.expected(&format!("`{}`", char::from(punct))) }
    }

    pub(super) fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    pub(super) fn arrow(&mut self) -> Parsed<()> {
        if self.eat(Token::Arrow) { Ok(()) } else { self.expected("`->`") }
    }

    /// The next word, which `read` must know.
    pub(super) fn word<T>(&mut self, what: &str, read: impl FnOnce(&'a str) -> Option<T>) -> Parsed<T> {
        let Token::Word(word) = self.token else {
            return self.expected(what);
        };
        let Some(read) = read(word) else {
            return self.expected(what);
        };
        self.bump();
        Ok(read)
    }

    /// An id: the prefix and a number.
    pub(super) fn id<I: Id>(&mut self, prefix: &str) -> Parsed<I> {
        let Token::Word(word) = self.token else {
            return self.expected(&format!("an id `{prefix}…`"));
        };
        match read_id(word, prefix) {
            Some(id) => {
                self.bump();
                Ok(id)
            }
            None => self.expected(&format!("an id `{prefix}…`")),
        }
    }

    /// An id, if one with this prefix comes next.
    pub(super) fn optional_id<I: Id>(&mut self, prefix: &str) -> Option<I> {
        let Token::Word(word) = self.token else {
            return None;
        };
        let id = read_id(word, prefix)?;
        self.bump();
        Some(id)
    }

    /// The id of the next entry of a table, which must be `wanted`.
    pub(super) fn next_id<I: Id + std::fmt::Display>(&mut self, prefix: &str, wanted: I) -> Parsed<()> {
        let at = self.at;
        let found: I = self.id(prefix)?;
        if found == wanted {
            return Ok(());
        }
        Err(Failure { at, message: format!("expected `{wanted}`: ids are counted") })
    }

    pub(super) fn unsigned<T: TryFrom<u64>>(&mut self) -> Parsed<T> {
        let Token::Number(digits) = self.token else {
            return self.expected("a number");
        };
        let Some(number) = digits.parse().ok().and_then(|n: u64| T::try_from(n).ok()) else {
            return self.fail("this number should be smaller, and not negative");
        };
        self.bump();
        Ok(number)
    }

    pub(super) fn signed(&mut self) -> Parsed<i64> {
        let Token::Number(digits) = self.token else {
            return self.expected("a number");
        };
        let Ok(number) = digits.parse() else {
            return self.fail("this should be a whole number of 64 bits");
        };
        self.bump();
        Ok(number)
    }

    pub(super) fn bool(&mut self) -> Parsed<bool> {
        self.word("`true` or `false`", |word| match word {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        })
    }

    pub(super) fn ty(&mut self) -> Parsed<Ty> {
        self.word("a type", read_ty)
    }

    pub(super) fn width(&mut self) -> Parsed<Width> {
        self.word("an integer type", |word| read_ty(word)?.width())
    }

    pub(super) fn float_width(&mut self) -> Parsed<FloatWidth> {
        self.word("a float type", |word| read_ty(word)?.float_width())
    }

    /// The span, or the one that goes without saying.
    pub(super) fn span(&mut self) -> Span {
        let Token::Span(span) = self.token else {
            return implied_span();
        };
        self.bump();
        span
    }

    pub(super) fn bytes(&mut self) -> Parsed<Vec<u8>> {
        let Token::Str(escaped) = self.token else {
            return self.expected("a string");
        };
        match unescape(escaped) {
            Ok(bytes) => {
                self.bump();
                Ok(bytes.into_owned())
            }
            Err(message) => self.fail(message),
        }
    }

    pub(super) fn text(&mut self) -> Parsed<String> {
        let Token::Str(escaped) = self.token else {
            return self.expected("a string");
        };
        self.unescaped(escaped)
    }

    pub(super) fn optional_text(&mut self) -> Parsed<Option<String>> {
        if matches!(self.token, Token::Str(_)) { self.text().map(Some) } else { Ok(None) }
    }

    /// A name, plain or in quotes.
    pub(super) fn name(&mut self) -> Parsed<String> {
        match self.token {
            Token::Word(word) => {
                self.bump();
                Ok(word.to_owned())
            }
            Token::Str(escaped) => self.unescaped(escaped),
            _ => self.expected("a name"),
        }
    }

    /// The name of the global or function that is declared here.
    pub(super) fn declared_name(&mut self, symbol: Symbol) -> Parsed<String> {
        let name = match self.token {
            Token::Symbol(name) => name.to_owned(),
            Token::QuotedSymbol(escaped) => match unescape_text(escaped) {
                Ok(name) => name.into_owned(),
                Err(message) => return self.fail(message),
            },
            _ => return self.expected("a name with `@`"),
        };
        if self.symbols.get(&name) != Some(symbol) {
            return self.fail("this name is declared twice");
        }
        self.bump();
        Ok(name)
    }

    /// The global or function of a name.
    pub(super) fn symbol(&mut self) -> Parsed<Symbol> {
        let symbol = match self.token {
            Token::Symbol(name) => self.symbols.get(name),
            Token::QuotedSymbol(escaped) => match unescape_text(escaped) {
                Ok(name) => self.symbols.get(&name),
                Err(message) => return self.fail(message),
            },
            _ => return self.expected("a name with `@`"),
        };
        let Some(symbol) = symbol else {
            return self.fail("this name is not declared");
        };
        self.bump();
        Ok(symbol)
    }

    /// The offset behind a symbol; a sign starts it.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        match self.token {
            Token::Number(number) if number.starts_with(['+', '-']) => self.signed(),
            _ => Ok(0),
        }
    }

    /// Items with commas between them, up to a closing bracket.
    pub(super) fn list<T>(
        &mut self,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat_punct(close) {
            if !items.is_empty() {
                self.punct(b',')?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn unescaped(&mut self, escaped: &str) -> Parsed<String> {
        match unescape_text(escaped) {
            Ok(text) => {
                self.bump();
                Ok(text.into_owned())
            }
            Err(message) => self.fail(message),
        }
    }
}

/// The id that a word names, if it has this prefix.
pub(super) fn read_id<I: Id>(word: &str, prefix: &str) -> Option<I> {
    let number: u32 = word.strip_prefix(prefix)?.parse().ok()?;
    usize::try_from(number).ok().map(I::new)
}

pub(super) fn read_ty(word: &str) -> Option<Ty> {
    match word {
        "ptr" => Some(Ty::Ptr),
        "f32" => Some(Ty::F32),
        "f64" => Some(Ty::F64),
        _ => Width::new(word.strip_prefix('i')?.parse().ok()?).map(Ty::Int),
    }
}
