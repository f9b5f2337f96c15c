//! Reads tokens into a syntax tree.
//!
//! A recursive descent whose depth is limited, with one lookahead of two tokens. After an error it goes on
//! behind the statement, so that several errors are found at once.

mod definition;
mod expression;
mod query;
mod statement;

use rustc_hash::FxHashSet;

use crate::diagnostic::{Problem, Span};
use crate::lexer::{Lexed, Token, tokens};
use crate::syntax::{Name, Statement, TypeName};
use crate::types::Type;
pub(crate) use expression::OPERATORS;

/// How deep brackets, blocks and prefix operators may nest.
pub(crate) const DEPTH: usize = 200;

/// Words that are never names.
pub(crate) const KEYWORDS: [&str; 17] = [
    "var", "let", "rel", "loop", "while", "ite", "else", "when", "either", "or", "in", "as", "true", "false",
    "bool", "inf", "nan",
];

/// The statements of a text, or what is wrong with it.
pub(crate) fn statements(text: &str) -> Result<Vec<Statement<'_>>, Vec<Problem>> {
    let mut parser = Parser::new(text);
    let statements = parser.text();
    if parser.problems.is_empty() { Ok(statements) } else { Err(parser.problems) }
}

type Parsed<T> = Result<T, Problem>;

struct Parser<'a> {
    tokens: Vec<Lexed<'a>>,
    at: usize,
    depth: usize,
    /// The names of all `loop` definitions: calls of these have a form of their own.
    loops: FxHashSet<&'a str>,
    problems: Vec<Problem>,
    text: &'a str,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        let tokens = tokens(text);
        let loops = tokens
            .windows(2)
            .filter_map(|pair| match (pair[0].token, pair[1].token) {
                (Token::Word("loop"), Token::Word(name)) => Some(name),
                _ => None,
            })
            .collect();
        Parser { tokens, at: 0, depth: 0, loops, problems: Vec::new(), text }
    }

    fn text(&mut self) -> Vec<Statement<'a>> {
        let mut statements = Vec::new();
        while self.peek() != Token::End {
            if self.is("}") {
                let problem = Problem::new(self.span(), "this `}` closes nothing");
                self.problems.push(problem);
                self.advance();
                continue;
            }
            if !self.statement_or_recover(true, &mut statements) {
                break;
            }
        }
        statements
    }

    /// Reads one statement, or reports why not and skips it. Answers whether it makes sense to go on.
    fn statement_or_recover(&mut self, top: bool, statements: &mut Vec<Statement<'a>>) -> bool {
        let (start, depth) = (self.at, self.depth);
        match self.statement(top) {
            Ok(statement) => {
                statements.extend(statement);
                true
            }
            Err(problem) => {
                let fatal = problem.fatal;
                let missing_semicolon = problem.message == MISSING_SEMICOLON;
                self.problems.push(problem);
                self.depth = depth;
                if !(missing_semicolon && self.on_a_new_line()) {
                    self.skip_statement(start);
                }
                !fatal
            }
        }
    }

    /// Skips to behind the next `;`, or to the `}` of the block around.
    fn skip_statement(&mut self, start: usize) {
        let mut open = 0;
        loop {
            match self.peek() {
                Token::End => return,
                Token::Symbol("{") => open += 1,
                Token::Symbol("}") if open == 0 => break,
                Token::Symbol("}") => open -= 1,
                Token::Symbol(";") if open == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
        // The statement may have failed on a `}` that it starts with: never stand still.
        if self.at == start {
            self.advance();
        }
    }

    fn on_a_new_line(&self) -> bool {
        let before = self.tokens[self.at.saturating_sub(1)].span.end;
        self.text[before..self.span().start].contains('\n')
    }

    fn peek(&self) -> Token<'a> {
        self.tokens[self.at].token
    }

    /// The token behind the next.
    fn peek_second(&self) -> Token<'a> {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)].token
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span.clone()
    }

    /// From a token to the one read last.
    fn span_from(&self, start: usize) -> Span {
        let last = self.at.saturating_sub(1).max(start);
        self.tokens[start].span.start..self.tokens[last].span.end
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Token::Symbol(found) if found == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.take(symbol) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{symbol}`")))
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{word}`")))
    }

    /// The end of a statement. The error stands where the semicolon should.
    fn semicolon(&mut self) -> Parsed<()> {
        if self.take(";") {
            return Ok(());
        }
        if let Token::Bad(why) = self.peek() {
            return Err(Problem::new(self.span(), why));
        }
        let end = self.tokens[self.at.saturating_sub(1)].span.end;
        Err(Problem::new(end..end, MISSING_SEMICOLON))
    }

    /// The error that something else stands here.
    fn unexpected(&self, wanted: &str) -> Problem {
        let found = match self.peek() {
            Token::Bad(why) => return Problem::new(self.span(), why),
            Token::End => "the end of the text".to_owned(),
            Token::Word(word) => format!("`{word}`"),
            Token::Number(..) | Token::Float(..) => "a number".to_owned(),
            Token::Symbol(symbol) => format!("`{symbol}`"),
        };
        Problem::new(self.span(), format!("expected {wanted}, found {found}"))
    }

    /// A name that is declared: no keyword, no prime. Types such as `i2` are good names, for they never stand
    /// where a value does.
    fn name(&mut self) -> Parsed<Name<'a>> {
        match self.peek() {
            Token::Word(text) => {
                let span = self.span();
                let what = if text.ends_with('\'') {
                    "only the next value of a loop's variable has a prime"
                } else if KEYWORDS.contains(&text) {
                    "this word has a meaning of its own and cannot be a name"
                } else if text == "_" {
                    "`_` stands for any value and cannot be a name"
                } else {
                    self.advance();
                    return Ok(Name { text, span });
                };
                Err(Problem::new(span, what))
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn type_name(&mut self) -> Parsed<TypeName> {
        let span = self.span();
        let Token::Word(word) = self.peek() else { return Err(self.unexpected("a type")) };
        let Some(ty) = Type::named(word) else {
            return Err(Problem::new(span, format!("there is no type `{word}`"))
                .hint("the types are u1 to u64, i1 to i64, f32, f64, and bool"));
        };
        self.advance();
        Ok(TypeName { ty, truth: word == "bool", span })
    }

    /// Runs a parser one level deeper.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH {
            let message = format!("this nests more than {DEPTH} levels deep");
            return Err(Problem::new(self.span(), message).hint("name a part of it with `let`").fatal());
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Items with commas between them, up to a closing symbol, which is read too.
    fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.take(close) {
            items.push(item(self)?);
            if !self.take(",") && !self.is(close) {
                return Err(self.unexpected(&format!("`,` or `{close}`")));
            }
        }
        Ok(items)
    }
}

const MISSING_SEMICOLON: &str = "expected `;` here";
