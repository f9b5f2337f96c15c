//! Expressions: precedence climbing over chains of operators.

use super::{KEYWORDS, Parsed, Parser};
use crate::diagnostic::Problem;
use crate::float_text::{Literal, Magnitude};
use crate::lexer::Token;
use crate::syntax::{Expr, ExprKind, LoopCall, Name, Operator, Prefix};

/// Binary operators with their precedence, loosest first. A choice `? :` stands between 2 and 3.
pub(crate) const OPERATORS: [(&str, Operator, u8); 20] = [
    ("<->", Operator::Equivalent, 1),
    ("->", Operator::Implies, 2),
    ("||", Operator::Or, 4),
    ("&&", Operator::And, 5),
    ("|", Operator::BitOr, 6),
    ("^", Operator::BitXor, 7),
    ("&", Operator::BitAnd, 8),
    ("==", Operator::Equal, EQUALITY),
    ("!=", Operator::Different, EQUALITY),
    ("<", Operator::Less, ORDER),
    ("<=", Operator::AtMost, ORDER),
    (">", Operator::Greater, ORDER),
    (">=", Operator::AtLeast, ORDER),
    ("<<", Operator::ShiftLeft, 11),
    (">>", Operator::ShiftRight, 11),
    ("+", Operator::Add, 12),
    ("-", Operator::Subtract, 12),
    ("*", Operator::Multiply, 13),
    ("/", Operator::Divide, 13),
    ("%", Operator::Remainder, 13),
];

const IMPLIES: u8 = 2;
const CHOICE: u8 = 3;
const EQUALITY: u8 = 9;
const ORDER: u8 = 10;

impl<'a> Parser<'a> {
    pub(super) fn expression(&mut self) -> Parsed<Expr<'a>> {
        self.deeper(|parser| parser.binary(1))
    }

    /// An expression of operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Parsed<Expr<'a>> {
        let start = self.at;
        let mut left = self.cast()?;
        loop {
            left = match self.operator() {
                Some((_, level)) if level >= least => self.chain(start, left, level)?,
                _ if self.is("?") && CHOICE >= least => self.choice(start, left)?,
                _ => return Ok(left),
            };
        }
    }

    fn operator(&self) -> Option<(Operator, u8)> {
        let Token::Symbol(symbol) = self.peek() else { return None };
        OPERATORS.iter().find(|(text, ..)| *text == symbol).map(|&(_, operator, level)| (operator, level))
    }

    /// The operands behind `first`, as long as the precedence stays the same.
    fn chain(&mut self, start: usize, first: Expr<'a>, level: u8) -> Parsed<Expr<'a>> {
        let mut rest = Vec::new();
        while let Some((operator, found)) = self.operator()
            && found == level
        {
            if matches!(level, EQUALITY | ORDER) && !rest.is_empty() {
                let problem = Problem::new(self.span(), "comparisons do not chain");
                return Err(problem.hint("write `a < b && b < c`, or brackets to compare truth values"));
            }
            self.advance();
            let operand = if level == IMPLIES {
                self.deeper(|parser| parser.binary(IMPLIES))?
            } else {
                self.binary(level + 1)?
            };
            rest.push((operator, operand));
        }
        Ok(Expr { kind: ExprKind::Chain(Box::new(first), rest), span: self.span_from(start) })
    }

    fn choice(&mut self, start: usize, condition: Expr<'a>) -> Parsed<Expr<'a>> {
        self.expect("?")?;
        let then = self.expression()?;
        self.expect(":")?;
        let otherwise = self.deeper(|parser| parser.binary(CHOICE))?;
        let kind = ExprKind::Choice(Box::new([condition, then, otherwise]));
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn cast(&mut self) -> Parsed<Expr<'a>> {
        let start = self.at;
        let operand = self.prefix()?;
        let mut types = Vec::new();
        while self.take_word("as") {
            types.push(self.type_name()?);
        }
        if types.is_empty() {
            return Ok(operand);
        }
        Ok(Expr { kind: ExprKind::Cast(Box::new(operand), types), span: self.span_from(start) })
    }

    fn prefix(&mut self) -> Parsed<Expr<'a>> {
        let start = self.at;
        let prefix = match self.peek() {
            Token::Symbol("!") => Prefix::Not,
            Token::Symbol("~") => Prefix::Complement,
            Token::Symbol("-") => Prefix::Minus,
            _ => return self.primary(),
        };
        self.advance();
        let kind = match (prefix, self.peek()) {
            (Prefix::Minus, Token::Number(value, ty)) => {
                self.advance();
                ExprKind::Number(-value, ty)
            }
            (Prefix::Minus, Token::Float(..) | Token::Word("inf" | "nan")) => self.float(true)?,
            _ => ExprKind::Prefix(prefix, Box::new(self.deeper(Parser::prefix)?)),
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn primary(&mut self) -> Parsed<Expr<'a>> {
        let start = self.at;
        let kind = match self.peek() {
            Token::Number(value, ty) => {
                self.advance();
                ExprKind::Number(value, ty)
            }
            Token::Float(..) | Token::Word("inf" | "nan") => self.float(false)?,
            Token::Symbol("(") => {
                self.advance();
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(Expr { span: self.span_from(start), ..inner });
            }
            Token::Symbol("[") => {
                self.advance();
                let items = self.list("]", Parser::expression)?;
                let list = Expr { kind: ExprKind::List(items), span: self.span_from(start) };
                return self.indexed(start, list);
            }
            Token::Word(word) => return self.named(word),
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    /// A float behind its sign; all bits of a NaN may stand behind it.
    fn float(&mut self, negative: bool) -> Parsed<ExprKind<'a>> {
        let token = self.peek();
        self.advance();
        let (magnitude, w) = match token {
            Token::Float(digits, w) => (Magnitude::Digits(digits), w),
            Token::Word("nan") if self.take("(") => {
                let bits = self.plain_number()?;
                self.expect(")")?;
                (Magnitude::Nan(Some(bits)), None)
            }
            Token::Word("nan") => (Magnitude::Nan(None), None),
            _ => (Magnitude::Infinity, None),
        };
        Ok(ExprKind::Float(Literal { magnitude, negative }, w))
    }

    fn named(&mut self, word: &'a str) -> Parsed<Expr<'a>> {
        let start = self.at;
        let name = Name { text: word, span: self.span() };
        let truth = matches!(word, "true" | "false");
        if KEYWORDS.contains(&word) && !truth && word != "bool" {
            return Err(self.unexpected("an expression"));
        }
        self.advance();
        let kind = if truth {
            ExprKind::Truth(word == "true")
        } else if self.loops.contains(word) && (self.is("(") || self.is("[")) {
            self.loop_call(name)?
        } else if self.take("(") {
            ExprKind::Call(name, self.list(")", Parser::expression)?)
        } else {
            let plain = Expr { kind: ExprKind::Name(word), span: name.span };
            return self.indexed(start, plain);
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    /// An array with an index behind it, if there is one.
    fn indexed(&mut self, start: usize, array: Expr<'a>) -> Parsed<Expr<'a>> {
        if !self.take("[") {
            return Ok(array);
        }
        let index = self.expression()?;
        self.expect("]")?;
        if self.is("[") {
            return Err(Problem::new(self.span(), "an array has one dimension"));
        }
        let kind = ExprKind::Index(Box::new(array), Box::new(index));
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn loop_call(&mut self, name: Name<'a>) -> Parsed<ExprKind<'a>> {
        let outer = if self.take("[") { self.list("]", Parser::expression)? } else { Vec::new() };
        self.expect("(")?;
        let entry = self.list(")", Parser::expression)?;
        self.expect("->")?;
        self.expect("(")?;
        let end = self.list(")", Parser::expression)?;
        Ok(ExprKind::LoopCall(Box::new(LoopCall { name, outer, entry, end })))
    }
}
