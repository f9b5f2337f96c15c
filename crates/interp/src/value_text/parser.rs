//! The grammar of value texts.

use super::lexer::{Token, tokens};
use super::{Designator, Element, Expr, ExprKind, TextError, ValueKind, ValueText, error};

/// Parses a list of values: `3, -4, {1, 2}, "abc", {.x = 1}, NULL, 'a', 0x1p3`.
pub fn parse_arguments(text: &str) -> Result<Vec<ValueText>, TextError> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0 };
    let mut values = Vec::new();
    if parser.peek() == &Token::End {
        return Ok(values);
    }
    loop {
        values.push(parser.value()?);
        if !parser.eat(b',') {
            break;
        }
    }
    match parser.peek() {
        Token::End => Ok(values),
        _ => error(parser.at(), "expected `,` or the end"),
    }
}

/// Deeper nesting is refused rather than left to the stack.
const DEEPEST: usize = 200;

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn at(&self) -> usize {
        self.tokens[self.next].0
    }

    fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    fn eat(&mut self, punct: u8) -> bool {
        let found = self.peek() == &Token::Punct(punct);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, punct: u8) -> Result<(), TextError> {
        if self.eat(punct) {
            return Ok(());
        }
        error(self.at(), format!("expected `{}`", char::from(punct)))
    }

    /// Runs a rule one level deeper.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Parser) -> Result<T, TextError>) -> Result<T, TextError> {
        if self.depth == DEEPEST {
            return error(self.at(), "nested too deeply");
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    fn value(&mut self) -> Result<ValueText, TextError> {
        self.nested(Parser::value_here)
    }

    fn value_here(&mut self) -> Result<ValueText, TextError> {
        let at = self.at();
        let kind = match self.peek().clone() {
            Token::String(bytes) => {
                self.advance();
                ValueKind::String(bytes)
            }
            Token::Punct(b'{') => ValueKind::Braces(self.braces()?),
            Token::Punct(b'&') => {
                self.advance();
                self.address()?
            }
            _ => ValueKind::Constant(self.binary(0)?),
        };
        Ok(ValueText { at, kind })
    }

    /// What stands behind `&`.
    fn address(&mut self) -> Result<ValueKind, TextError> {
        let Token::Name(name) = self.peek().clone() else {
            return Ok(ValueKind::AddressOf(Box::new(self.value()?)));
        };
        self.advance();
        let sign = if self.eat(b'+') {
            1
        } else if self.eat(b'-') {
            -1
        } else {
            return Ok(ValueKind::AddressOfName(name, 0));
        };
        let at = self.at();
        match self.advance() {
            Token::Literal(ExprKind::Integer { value, .. }) if i64::try_from(value).is_ok() => {
                Ok(ValueKind::AddressOfName(name, sign * value.cast_signed()))
            }
            _ => error(at, "expected a number of bytes"),
        }
    }

    fn braces(&mut self) -> Result<Vec<Element>, TextError> {
        self.expect(b'{')?;
        let mut elements = Vec::new();
        while !self.eat(b'}') {
            let designators = self.designators()?;
            elements.push(Element { designators, value: self.value()? });
            if !self.eat(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        Ok(elements)
    }

    fn designators(&mut self) -> Result<Vec<Designator>, TextError> {
        let mut designators = Vec::new();
        loop {
            if self.eat(b'.') {
                let at = self.at();
                match self.advance() {
                    Token::Name(name) => designators.push(Designator::Field(name)),
                    _ => return error(at, "expected the name of a member"),
                }
            } else if self.eat(b'[') {
                let at = self.at();
                match self.advance() {
                    Token::Literal(ExprKind::Integer { value, .. }) => {
                        designators.push(Designator::Index(value));
                    }
                    _ => return error(at, "expected an index"),
                }
                self.expect(b']')?;
            } else {
                break;
            }
        }
        if !designators.is_empty() {
            self.expect(b'=')?;
        }
        Ok(designators)
    }

    /// Operators of at least this level.
    fn binary(&mut self, level: usize) -> Result<Expr, TextError> {
        let mut left = self.unary()?;
        while let Token::Punct(operator) = *self.peek() {
            let Some(found) = LEVELS.iter().position(|operators| operators.contains(&operator)) else {
                break;
            };
            if found < level {
                break;
            }
            let at = self.at();
            self.advance();
            let right = self.nested(|parser| parser.binary(found + 1))?;
            left = Expr { at, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, TextError> {
        let at = self.at();
        let kind = match self.advance() {
            Token::Punct(operator @ (b'-' | b'+' | b'~' | b'!')) => {
                ExprKind::Unary(operator, Box::new(self.nested(Parser::unary)?))
            }
            Token::Punct(b'(') if self.eat_void_pointer() => return self.nested(Parser::unary),
            Token::Punct(b'(') => {
                let inner = self.nested(|parser| parser.binary(0))?;
                self.expect(b')')?;
                return Ok(inner);
            }
            Token::Literal(literal) => literal,
            Token::Name(name) => ExprKind::Name(name),
            Token::End => return error(at, "expected a value"),
            _ => return error(at, "expected a number, a name, a string or `{`"),
        };
        Ok(Expr { at, kind })
    }

    /// Skips `void *)`: many programs spell the null pointer `(void *)0`.
    fn eat_void_pointer(&mut self) -> bool {
        let rest = self.tokens[self.next..].iter().map(|(_, token)| token);
        let cast = [Token::Name("void".into()), Token::Punct(b'*'), Token::Punct(b')')];
        let found = rest.take(3).eq(cast.iter());
        self.next += if found { 3 } else { 0 };
        found
    }
}

/// Binary operators, the weakest first.
const LEVELS: [&[u8]; 6] = [b"|", b"^", b"&", b"<>", b"+-", b"*/%"];

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> (usize, String) {
        let error = parse_arguments(text).unwrap_err();
        (error.at, error.message)
    }

    #[test]
    fn lists_of_all_kinds() {
        let text = r#"3, -4, {1,2,3}, "abc", {.x=1,.y={2}}, NULL, 'a', 0x1p3, 1.5f, &{[2] = 7}, &g+4,"#;
        let values = parse_arguments(text.trim_end_matches(',')).unwrap();
        assert_eq!(values.len(), 11);
        assert_eq!(values[3].kind, ValueKind::String(b"abc".to_vec()));
        assert_eq!(values[10].kind, ValueKind::AddressOfName("g".into(), 4));
        let ValueKind::Braces(elements) = &values[4].kind else { panic!("braces") };
        assert_eq!(elements[1].designators, [Designator::Field("y".into())]);
        assert_eq!(parse_arguments("  ").unwrap(), []);
    }

    #[test]
    fn literals() {
        for (text, value, decimal, suffix) in [
            ("0", 0, true, ""),
            ("0u", 0, false, "u"),
            ("017", 15, false, ""),
            ("0xFFul", 255, false, "ul"),
            ("9", 9, true, ""),
        ] {
            let ValueKind::Constant(expr) = &parse_arguments(text).unwrap()[0].kind else { panic!("{text}") };
            let expected = ExprKind::Integer { value, decimal, suffix: suffix.into() };
            assert_eq!(expr.kind, expected, "{text}");
        }
        let values = parse_arguments(r#""a\n\x41\101" "b""#).unwrap();
        assert_eq!(values[0].kind, ValueKind::String(b"a\nAAb".to_vec()));
    }

    #[test]
    fn errors_have_places() {
        assert_eq!(message("1, }"), (3, "expected a number, a name, a string or `{`".into()));
        assert_eq!(message("1 2"), (2, "expected `,` or the end".into()));
        assert_eq!(message("{1, 2"), (5, "expected `}`".into()));
        assert_eq!(message("3, \"ab"), (3, "the string has no end".into()));
        assert_eq!(message("12q"), (0, "`12q` is not a number".into()));
        assert_eq!(message(&"(".repeat(100_000)).1, "nested too deeply");
    }
}
