//! Statements and blocks.

use super::{Parsed, Parser};
use crate::diagnostic::Problem;
use crate::lexer::Token;
use crate::query::QueryKind;
use crate::syntax::{Block, Entry, Expr, Let, Name, Statement, StatementKind, Variables, While};

impl<'a> Parser<'a> {
    /// One statement; none for a lone semicolon.
    pub(super) fn statement(&mut self, top: bool) -> Parsed<Option<Statement<'a>>> {
        if self.take(";") {
            return Ok(None);
        }
        let start = self.at;
        let kind = match self.peek() {
            Token::Symbol("{") => StatementKind::Block(self.block()?),
            Token::Word(word) => self.worded(word, top)?,
            _ => self.constraint()?,
        };
        Ok(Some(Statement { kind, span: self.span_from(start) }))
    }

    fn worded(&mut self, word: &'a str, top: bool) -> Parsed<StatementKind<'a>> {
        let name_follows = matches!(self.peek_second(), Token::Word(name) if name != "as" && name != "in");
        match word {
            "var" => self.variables(false),
            "local" if name_follows => self.variables(true),
            "let" => self.let_statement().map(StatementKind::Let),
            "ite" => self.ite(),
            "when" => self.when(),
            "either" => self.either(),
            "w" if self.peek_second() == Token::Symbol("(") => self.while_statement(),
            "rel" | "loop" if !top => {
                Err(Problem::new(self.span(), "a relation is defined at the top level only"))
            }
            "rel" => self.rel(),
            "loop" => self.loop_definition(),
            _ => match QueryKind::ALL.iter().find(|(_, text)| *text == word) {
                Some(&(kind, _)) if name_follows || self.peek_second() == Token::Symbol(";") => {
                    if !top {
                        return Err(Problem::new(self.span(), "a query stands at the top level only"));
                    }
                    self.query(kind)
                }
                _ => self.constraint(),
            },
        }
    }

    fn constraint(&mut self) -> Parsed<StatementKind<'a>> {
        let expression = self.expression()?;
        self.semicolon()?;
        Ok(StatementKind::Constraint(expression))
    }

    /// `{ statements }`. Errors inside are reported here, and the rest of the block is read.
    pub(super) fn block(&mut self) -> Parsed<Block<'a>> {
        let open = self.span();
        self.expect("{")?;
        self.deeper(|parser| {
            let mut statements = Vec::new();
            while !parser.take("}") {
                if parser.peek() == Token::End {
                    return Err(Problem::new(open, "this `{` has no `}`").fatal());
                }
                if !parser.statement_or_recover(false, &mut statements) {
                    let problem = parser.problems.pop().expect("a problem has just been reported");
                    return Err(problem);
                }
            }
            Ok(Block { statements })
        })
    }

    fn variables(&mut self, local: bool) -> Parsed<StatementKind<'a>> {
        self.advance();
        let mut names = Vec::new();
        loop {
            let name = self.name()?;
            let size = self.size()?;
            names.push((name, size));
            if !self.take(",") {
                break;
            }
        }
        self.expect(":")?;
        let ty = self.type_name()?;
        let range = self.range()?;
        self.semicolon()?;
        Ok(StatementKind::Variables(Variables { local, names, ty, range }))
    }

    /// `[size]`, or nothing.
    pub(super) fn size(&mut self) -> Parsed<Option<Expr<'a>>> {
        if !self.take("[") {
            return Ok(None);
        }
        let size = self.expression()?;
        self.expect("]")?;
        Ok(Some(size))
    }

    /// `in first..last`, or nothing.
    pub(super) fn range(&mut self) -> Parsed<Option<(Expr<'a>, Expr<'a>)>> {
        if !self.take_word("in") {
            return Ok(None);
        }
        let first = self.expression()?;
        self.expect("..")?;
        Ok(Some((first, self.expression()?)))
    }

    pub(super) fn let_statement(&mut self) -> Parsed<Let<'a>> {
        self.advance();
        let name = self.name()?;
        self.expect("=")?;
        let value = self.expression()?;
        self.semicolon()?;
        Ok(Let { name, value })
    }

    pub(super) fn condition(&mut self) -> Parsed<Expr<'a>> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(condition)
    }

    fn ite(&mut self) -> Parsed<StatementKind<'a>> {
        self.advance();
        let condition = self.condition()?;
        let then = self.block()?;
        self.expect_word("else")?;
        let otherwise = if self.is_word("ite") || self.is_word("when") || self.is_word("either") {
            let statement = self.deeper(|parser| parser.statement(false))?;
            Block { statements: statement.into_iter().collect() }
        } else {
            self.block()?
        };
        Ok(StatementKind::Ite(condition, then, otherwise))
    }

    fn when(&mut self) -> Parsed<StatementKind<'a>> {
        self.advance();
        let condition = self.condition()?;
        Ok(StatementKind::When(condition, self.block()?))
    }

    fn either(&mut self) -> Parsed<StatementKind<'a>> {
        self.advance();
        let mut blocks = vec![self.block()?];
        while self.take_word("or") {
            blocks.push(self.block()?);
        }
        Ok(StatementKind::Either(blocks))
    }

    fn while_statement(&mut self) -> Parsed<StatementKind<'a>> {
        self.advance();
        self.expect("(")?;
        let state = self.list(")", Parser::entry)?;
        self.expect_word("while")?;
        let condition = self.condition()?;
        let body = self.block()?;
        self.expect_word("end")?;
        let start = self.at;
        self.expect("(")?;
        let end = self.list(")", Parser::expression)?;
        let end_span = self.span_from(start);
        self.semicolon()?;
        Ok(StatementKind::While(Box::new(While { state, condition, body, end, end_span })))
    }

    fn entry(&mut self) -> Parsed<Entry<'a>> {
        let name: Name<'a> = self.name()?;
        let ty = if self.take(":") { Some(self.type_name()?) } else { None };
        let range = self.range()?;
        self.expect("=")?;
        Ok(Entry { name, ty, range, value: self.expression()? })
    }
}
