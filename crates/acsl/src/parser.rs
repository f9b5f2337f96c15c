//! Tokens of an annotation to expressions, by precedence.

use quipu_base::nearest_name;
use rustc_hash::FxHashSet;

use crate::lexer::Token;
use crate::problem::{Checked, Problem};
use crate::source::Place;
use crate::tree::{BaseType, Binary, Binder, Expr, ExprKind, Logic, Quantifier, Relation, TypeName, Unary};

/// How deep expressions may nest.
const DEEPEST: usize = 200;

pub(crate) struct Parser<'t> {
    tokens: &'t [(Token, Place)],
    at: usize,
    /// The names that the program gives to types.
    types: &'t FxHashSet<String>,
    depth: usize,
}

/// The words that start the name of a type of C.
const TYPE_WORDS: [&str; 15] = [
    "void", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool", "struct",
    "union", "enum", "const", "volatile",
];

/// Whether a word names a type, or a part of one, in every program.
pub(crate) fn is_type_word(word: &str) -> bool {
    TYPE_WORDS.contains(&word) || matches!(word, "integer" | "real" | "boolean")
}

impl<'t> Parser<'t> {
    pub(crate) fn new(tokens: &'t [(Token, Place)], types: &'t FxHashSet<String>) -> Parser<'t> {
        Parser { tokens, at: 0, types, depth: 0 }
    }

    pub(crate) fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    /// The token behind the next one.
    pub(crate) fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    pub(crate) fn place(&self) -> Place {
        self.tokens[self.at].1.clone()
    }

    /// Where the token in front of the next one ends.
    pub(crate) fn end(&self) -> usize {
        self.tokens[self.at.saturating_sub(1)].1.end
    }

    pub(crate) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub(crate) fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(found) if *found == sign);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn expect(&mut self, sign: &str) -> Checked<()> {
        match self.accept(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("expected `{sign}`"))),
        }
    }

    pub(crate) fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(found) if found == word);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn expect_word(&mut self) -> Checked<String> {
        match self.peek().clone() {
            Token::Word(word) => {
                self.advance();
                Ok(word)
            }
            _ => Err(self.unexpected("expected a name")),
        }
    }

    /// The complaint that something else was expected here.
    pub(crate) fn unexpected(&self, expected: &str) -> Problem {
        let place = match self.peek() {
            // The end is just behind the last token, where something is missing.
            Token::End => self.end()..self.end() + 1,
            _ => self.place(),
        };
        let found = match self.peek() {
            Token::Word(word) => format!("`{word}`"),
            Token::Builtin(name) => format!("`\\{name}`"),
            Token::Int(value) => format!("`{value}`"),
            Token::Real(text) => format!("`{text}`"),
            Token::Text => "a string".to_string(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the annotation".to_string(),
        };
        Problem::wrong(&place, format!("{expected}, found {found}"))
    }

    /// A term or a predicate.
    pub(crate) fn expr(&mut self) -> Checked<Expr> {
        if self.depth >= DEEPEST {
            return Err(Problem::unsupported(&self.place(), "so deep a nesting"));
        }
        self.depth += 1;
        let parsed = self.conditional();
        self.depth -= 1;
        parsed
    }

    fn conditional(&mut self) -> Checked<Expr> {
        let condition = self.equivalence()?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let yes = self.expr()?;
        self.expect(":")?;
        let no = self.expr()?;
        let place = condition.place.start..no.place.end;
        Ok(Expr { kind: ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)), place })
    }

    fn equivalence(&mut self) -> Checked<Expr> {
        let mut left = self.implication()?;
        while self.accept("<==>") {
            left = logic(Logic::Equivalent, left, self.implication()?);
        }
        Ok(left)
    }

    fn implication(&mut self) -> Checked<Expr> {
        let left = self.disjunction()?;
        if !self.accept("==>") {
            return Ok(left);
        }
        // It associates to the right, so it nests like parentheses.
        if self.depth >= DEEPEST {
            return Err(Problem::unsupported(&self.place(), "so deep a nesting"));
        }
        self.depth += 1;
        let right = self.implication();
        self.depth -= 1;
        Ok(logic(Logic::Implies, left, right?))
    }

    fn disjunction(&mut self) -> Checked<Expr> {
        let mut left = self.exclusive()?;
        while self.accept("||") {
            left = logic(Logic::Or, left, self.exclusive()?);
        }
        Ok(left)
    }

    fn exclusive(&mut self) -> Checked<Expr> {
        let mut left = self.conjunction()?;
        while self.accept("^^") {
            left = logic(Logic::Xor, left, self.conjunction()?);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Checked<Expr> {
        let mut left = self.binary(0)?;
        while self.accept("&&") {
            left = logic(Logic::And, left, self.binary(0)?);
        }
        Ok(left)
    }

    /// Operators on terms, from a level upwards. Comparisons are on levels of their own.
    fn binary(&mut self, level: usize) -> Checked<Expr> {
        const LEVELS: [&[(&str, Binary)]; 8] = [
            &[("|", Binary::Or)],
            &[("^", Binary::Xor)],
            &[("&", Binary::And)],
            &[],
            &[],
            &[("<<", Binary::Shl), (">>", Binary::Shr)],
            &[("+", Binary::Add), ("-", Binary::Sub)],
            &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
        ];
        const EQUALITIES: &[(&str, Relation)] = &[("==", Relation::Equal), ("!=", Relation::NotEqual)];
        const ORDERS: &[(&str, Relation)] = &[
            ("<", Relation::Less),
            ("<=", Relation::LessEqual),
            (">", Relation::Greater),
            (">=", Relation::GreaterEqual),
        ];
        match level {
            3 => return self.comparison(EQUALITIES, level),
            4 => return self.comparison(ORDERS, level),
            8 => return self.range_free_unary(),
            _ => {}
        }
        let mut left = self.binary(level + 1)?;
        match self.peek() {
            Token::Sign("-->" | "<-->") => {
                return Err(Problem::unsupported(&self.place(), "implication of bits"));
            }
            Token::Builtin(name) => {
                return Err(Problem::unsupported(&self.place(), format!("`\\{name}` between terms")));
            }
            _ => {}
        }
        while let Some(op) = self.accept_one(LEVELS[level]) {
            let right = self.binary(level + 1)?;
            let place = left.place.start..right.place.end;
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), place };
        }
        Ok(left)
    }

    fn accept_one<T: Copy>(&mut self, choices: &[(&str, T)]) -> Option<T> {
        let Token::Sign(sign) = self.peek() else { return None };
        let (_, found) = choices.iter().find(|(choice, _)| choice == sign)?;
        self.advance();
        Some(*found)
    }

    /// Comparisons follow each other: `0 <= i < n` is `0 <= i && i < n`.
    fn comparison(&mut self, signs: &[(&str, Relation)], level: usize) -> Checked<Expr> {
        let first = self.binary(level + 1)?;
        let (mut relations, mut operands) = (Vec::new(), vec![first]);
        loop {
            let place = self.place();
            let Some(relation) = self.accept_one(signs) else { break };
            let mixes = relations.last().is_some_and(|&last| !goes_on(last, relation));
            if mixes {
                let message = "comparisons in different directions cannot follow each other";
                return Err(Problem::wrong(&place, message).hint("join them with `&&`"));
            }
            relations.push(relation);
            operands.push(self.binary(level + 1)?);
        }
        if relations.is_empty() {
            return Ok(operands.remove(0));
        }
        let place = operands[0].place.start..operands.last().map_or(0, |last| last.place.end);
        Ok(Expr { kind: ExprKind::Compare(relations, operands), place })
    }

    fn range_free_unary(&mut self) -> Checked<Expr> {
        let start = self.place().start;
        let op = match self.peek() {
            Token::Sign("-") => Some(Unary::Minus),
            Token::Sign("+") => Some(Unary::Plus),
            Token::Sign("~") => Some(Unary::Complement),
            Token::Sign("*") => Some(Unary::Deref),
            Token::Sign("&") => Some(Unary::Address),
            _ => None,
        };
        if let Some(op) = op {
            self.advance();
            let operand = self.nested_unary()?;
            let place = start..operand.place.end;
            return Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), place });
        }
        if self.accept("!") {
            let operand = self.nested_unary()?;
            let place = start..operand.place.end;
            return Ok(Expr { kind: ExprKind::Not(Box::new(operand)), place });
        }
        if self.accept_word("sizeof") {
            return self.sizeof(start);
        }
        if matches!(self.peek(), Token::Sign("(")) && self.is_type(1) {
            self.advance();
            let ty = self.type_name()?;
            self.expect(")")?;
            let operand = self.nested_unary()?;
            let place = start..operand.place.end;
            return Ok(Expr { kind: ExprKind::Cast(ty, Box::new(operand)), place });
        }
        self.postfix()
    }

    fn nested_unary(&mut self) -> Checked<Expr> {
        if self.depth >= DEEPEST {
            return Err(Problem::unsupported(&self.place(), "so deep a nesting"));
        }
        self.depth += 1;
        let parsed = self.range_free_unary();
        self.depth -= 1;
        parsed
    }

    fn sizeof(&mut self, start: usize) -> Checked<Expr> {
        if matches!(self.peek(), Token::Sign("(")) && self.is_type(1) {
            self.advance();
            let ty = self.type_name()?;
            self.expect(")")?;
            return Ok(Expr { kind: ExprKind::SizeofType(ty), place: start..self.end() });
        }
        let operand = self.nested_unary()?;
        let place = start..operand.place.end;
        Ok(Expr { kind: ExprKind::SizeofExpr(Box::new(operand)), place })
    }

    /// Whether a type is named so many tokens further on.
    fn is_type(&self, ahead: usize) -> bool {
        match self.tokens.get(self.at + ahead).map(|(token, _)| token) {
            Some(Token::Word(word)) => self.names_type(word),
            _ => false,
        }
    }

    fn names_type(&self, word: &str) -> bool {
        is_type_word(word) || self.types.contains(word)
    }

    pub(crate) fn type_name(&mut self) -> Checked<TypeName> {
        let start = self.place().start;
        let base = match self.peek().clone() {
            Token::Word(word) if self.names_type(&word) && !self.types.contains(&word) => match word.as_str()
            {
                "integer" => self.single(BaseType::Integer),
                "real" => self.single(BaseType::Real),
                "boolean" => self.single(BaseType::Boolean),
                _ => BaseType::C(self.type_words()?),
            },
            Token::Word(word) if self.types.contains(&word) => {
                self.advance();
                BaseType::C(vec![word])
            }
            Token::Word(word) => {
                return Err(Problem::wrong(&self.place(), format!("no type is called `{word}`")));
            }
            _ => return Err(self.unexpected("expected a type")),
        };
        let mut stars = 0;
        loop {
            if self.accept("*") {
                stars += 1;
            } else if !(self.accept_word("const") || self.accept_word("volatile")) {
                break;
            }
        }
        Ok(TypeName { base, stars, place: start..self.end() })
    }

    fn single(&mut self, base: BaseType) -> BaseType {
        self.advance();
        base
    }

    fn type_words(&mut self) -> Checked<Vec<String>> {
        let mut words = Vec::new();
        while let Token::Word(word) = self.peek().clone() {
            let is_tagged = matches!(word.as_str(), "struct" | "union" | "enum");
            if matches!(word.as_str(), "const" | "volatile") {
                self.advance();
                continue;
            }
            if !TYPE_WORDS.contains(&word.as_str()) {
                if words.is_empty() && self.types.contains(&word) {
                    self.advance();
                    words.push(word);
                }
                break;
            }
            self.advance();
            words.push(word);
            if is_tagged {
                words.push(self.expect_word()?);
                break;
            }
        }
        if words.is_empty() { Err(self.unexpected("expected a type")) } else { Ok(words) }
    }

    fn postfix(&mut self) -> Checked<Expr> {
        let mut base = self.primary()?;
        loop {
            let kind = if self.accept("[") {
                let index = self.range_or_expr()?;
                self.expect("]")?;
                ExprKind::Index(Box::new(base.clone()), Box::new(index))
            } else if self.accept(".") {
                ExprKind::Member(Box::new(base.clone()), self.expect_word()?)
            } else if self.accept("->") {
                ExprKind::Arrow(Box::new(base.clone()), self.expect_word()?)
            } else {
                return Ok(base);
            };
            base = Expr { kind, place: base.place.start..self.end() };
        }
    }

    /// `a .. b`, where both may be left out, or an expression.
    fn range_or_expr(&mut self) -> Checked<Expr> {
        let start = self.place().start;
        let from = if matches!(self.peek(), Token::Sign("..")) { None } else { Some(self.expr()?) };
        if !self.accept("..") {
            return from.ok_or_else(|| self.unexpected("expected an expression"));
        }
        let is_end = matches!(self.peek(), Token::Sign(")" | "]"));
        let to = if is_end { None } else { Some(self.expr()?) };
        let kind = ExprKind::Range(from.map(Box::new), to.map(Box::new));
        Ok(Expr { kind, place: start..self.end() })
    }

    fn primary(&mut self) -> Checked<Expr> {
        let place = self.place();
        let kind = match self.peek().clone() {
            Token::Int(value) => self.leaf(ExprKind::Int(value)),
            Token::Real(text) => self.leaf(ExprKind::Real(text)),
            Token::Text => return Err(Problem::unsupported(&place, "a string")),
            Token::Word(word) => {
                self.advance();
                if matches!(self.peek(), Token::Sign("{")) {
                    return Err(Problem::unsupported(&self.place(), "a label of a predicate"));
                }
                match self.accept("(") {
                    true => ExprKind::Call(word, self.arguments()?),
                    false => ExprKind::Name(word),
                }
            }
            Token::Builtin(name) => return self.builtin(&name, place),
            Token::Sign("(") => {
                self.advance();
                let inner = self.range_or_expr()?;
                self.expect(")")?;
                return Ok(Expr { kind: inner.kind, place: place.start..self.end() });
            }
            Token::Sign("{") => return Err(Problem::unsupported(&place, "a set")),
            _ => return Err(self.unexpected("expected an expression")),
        };
        Ok(Expr { kind, place: place.start..self.end() })
    }

    fn leaf(&mut self, kind: ExprKind) -> ExprKind {
        self.advance();
        kind
    }

    /// What stands behind an opening parenthesis, with the closing one.
    fn arguments(&mut self) -> Checked<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.accept(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.range_or_expr()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn builtin(&mut self, name: &str, place: Place) -> Checked<Expr> {
        let start = place.start;
        self.advance();
        let kind = match name {
            "true" => ExprKind::Truth(true),
            "false" => ExprKind::Truth(false),
            "null" => ExprKind::Null,
            "result" => ExprKind::Result,
            "forall" => self.quantified(Quantifier::ForAll)?,
            "exists" => self.quantified(Quantifier::Exists)?,
            "let" => {
                let variable = self.expect_word()?;
                self.expect("=")?;
                let value = self.expr()?;
                self.expect(";")?;
                ExprKind::Let(variable, Box::new(value), Box::new(self.expr()?))
            }
            "old" => {
                self.expect("(")?;
                let inner = self.range_or_expr()?;
                self.expect(")")?;
                ExprKind::At(Box::new(inner), "Old".to_string())
            }
            "at" => {
                self.expect("(")?;
                let inner = self.range_or_expr()?;
                self.expect(",")?;
                let label = self.expect_word()?;
                self.expect(")")?;
                ExprKind::At(Box::new(inner), label)
            }
            name if matches!(self.peek(), Token::Sign("(")) => {
                self.advance();
                ExprKind::Call(format!("\\{name}"), self.arguments()?)
            }
            name => return Err(unknown_word(name, &place)),
        };
        Ok(Expr { kind, place: start..self.end() })
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Checked<ExprKind> {
        let binders = self.binders(";")?;
        let body = self.expr()?;
        Ok(ExprKind::Quantified(quantifier, binders, Box::new(body)))
    }

    /// `integer i, j; int k` up to a sign. A type counts for the names behind it.
    pub(crate) fn binders(&mut self, end: &str) -> Checked<Vec<Binder>> {
        let mut binders: Vec<Binder> = Vec::new();
        loop {
            let is_typed = binders.is_empty() || self.is_type(0);
            let mut ty = match binders.last() {
                Some(last) if !is_typed => TypeName { stars: 0, ..last.ty.clone() },
                _ => self.type_name()?,
            };
            while !is_typed && self.accept("*") {
                ty.stars += 1;
            }
            let place = self.place();
            let name = self.expect_word()?;
            // An array as a parameter is a pointer.
            if self.accept("[") {
                if !self.accept("]") {
                    self.expr()?;
                    self.expect("]")?;
                }
                ty.stars += 1;
            }
            binders.push(Binder { ty, name, place });
            if self.accept(end) {
                return Ok(binders);
            }
            self.expect(",")?;
        }
    }
}

fn goes_on(last: Relation, next: Relation) -> bool {
    use Relation::{Equal, Greater, GreaterEqual, Less, LessEqual};
    matches!(
        (last, next),
        (Less | LessEqual, Less | LessEqual)
            | (Greater | GreaterEqual, Greater | GreaterEqual)
            | (Equal, Equal)
    )
}

fn logic(op: Logic, left: Expr, right: Expr) -> Expr {
    let place = left.place.start..right.place.end;
    Expr { kind: ExprKind::Logic(op, Box::new(left), Box::new(right)), place }
}

/// Words of ACSL that are read, and those that nobody here understands.
const KNOWN: [&str; 20] = [
    "result",
    "old",
    "at",
    "forall",
    "exists",
    "true",
    "false",
    "null",
    "let",
    "valid",
    "valid_read",
    "separated",
    "abs",
    "min",
    "max",
    "is_NaN",
    "is_finite",
    "nothing",
    "Pre",
    "Post",
];
const FOREIGN: [&str; 34] = [
    "initialized",
    "dangling",
    "fresh",
    "freeable",
    "allocable",
    "allocation",
    "block_length",
    "offset",
    "base_addr",
    "pointer_comparable",
    "specified",
    "valid_function",
    "valid_string",
    "lambda",
    "sum",
    "product",
    "numof",
    "length",
    "nothing",
    "everything",
    "empty",
    "union",
    "inter",
    "subset",
    "from",
    "type",
    "typeof",
    "exit_status",
    "floor",
    "ceil",
    "sqrt",
    "pow",
    "sin",
    "cos",
];

/// What is wrong with a word behind a backslash.
pub(crate) fn unknown_word(name: &str, place: &Place) -> Problem {
    if FOREIGN.contains(&name) {
        return Problem::unsupported(place, format!("`\\{name}`"));
    }
    let problem = Problem::wrong(place, format!("ACSL has no `\\{name}`"));
    match nearest_name(name, KNOWN) {
        Some(meant) => problem.hint(format!("did you mean `\\{meant}`?")),
        None => problem,
    }
}
