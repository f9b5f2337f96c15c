//! Queries.

use super::{Parsed, Parser};
use crate::diagnostic::Problem;
use crate::lexer::Token;
use crate::query::{QueryKind, Strategy};
use crate::syntax::{QueryText, StatementKind};

impl<'a> Parser<'a> {
    pub(super) fn query(&mut self, kind: QueryKind) -> Parsed<StatementKind<'a>> {
        self.advance();
        let mut query = QueryText { kind, names: Vec::new(), limit: None, strategy: None };
        while let Token::Word(word) = self.peek() {
            match word {
                "limit" if matches!(self.peek_second(), Token::Number(..)) => {
                    self.advance();
                    query.limit = Some(self.plain_number()?);
                }
                "by" if matches!(self.peek_second(), Token::Word(_)) => {
                    self.advance();
                    query.strategy = Some(self.strategy()?);
                }
                _ => {
                    let name = self.name()?;
                    let index = self.size()?;
                    query.names.push((name, index));
                    self.take(",");
                }
            }
        }
        self.semicolon()?;
        Ok(StatementKind::Query(query))
    }

    pub(super) fn plain_number(&mut self) -> Parsed<u64> {
        match self.peek() {
            Token::Number(value, None) => {
                self.advance();
                Ok(u64::try_from(value).expect("a number of the lexer has at most 64 bits"))
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    fn strategy(&mut self) -> Parsed<Strategy> {
        let Token::Word(word) = self.peek() else { return Err(self.unexpected("a strategy")) };
        if word == "random" {
            self.advance();
            return self.plain_number().map(Strategy::Random);
        }
        match Strategy::PLAIN.iter().find(|(_, text)| *text == word) {
            Some(&(strategy, _)) => {
                self.advance();
                Ok(strategy)
            }
            None => {
                let words = Strategy::PLAIN.map(|(_, text)| text).join(", ");
                let problem = Problem::new(self.span(), format!("there is no strategy `{word}`"));
                Err(problem.hint(format!("the strategies are {words}, and random with a seed")))
            }
        }
    }
}
