//! Annotations as lists of clauses and definitions.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::lexer::{Token, tokens};
use crate::parser::{Parser, is_type_word};
use crate::problem::{Checked, Problem};
use crate::source::{Annotation, Source};
use crate::tree::{Clause, ClauseKind, Definition, Said};

/// Reads one comment.
pub(crate) fn read(source: &Source, annotation: &Annotation, types: &FxHashSet<String>) -> Checked<Said> {
    let tokens = tokens(&source.bytes, &annotation.body)?;
    let mut reader = Reader { parser: Parser::new(&tokens, types), behavior: None };
    let mut said = Said { clauses: Vec::new(), definitions: Vec::new(), problems: Vec::new() };
    while *reader.parser.peek() != Token::End {
        // Whatever is wrong with this clause, there may be something to say about the others.
        if let Err(problem) = reader.one(&mut said) {
            said.problems.push(problem);
            reader.recover();
        }
    }
    Ok(said)
}

/// The words that may be names of types: in front of another name or of a star, or alone in parentheses.
pub(crate) fn possible_types(source: &Source) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for annotation in &source.annotations {
        // What is wrong with a token is told when the annotation is read.
        let Ok(tokens) = tokens(&source.bytes, &annotation.body) else { continue };
        for (n, (token, _)) in tokens.iter().enumerate() {
            let Token::Word(word) = token else { continue };
            let next = tokens.get(n + 1).map(|(next, _)| next);
            let is_possible = matches!(next, Some(Token::Word(_) | Token::Sign("*" | ")")));
            let is_known = STARTS.contains(&word.as_str()) || UNKNOWN.contains(&word.as_str());
            if is_possible && !is_known && !is_type_word(word) {
                found.insert(word.clone());
            }
        }
    }
    found
}

struct Reader<'t> {
    parser: Parser<'t>,
    behavior: Option<String>,
}

/// Clauses whose expressions nobody looks at, with what to say about them.
const DOCUMENTATION: [(&str, &str); 6] = [
    ("assigns", "assigns"),
    ("terminates", "terminates"),
    ("decreases", "decreases"),
    ("allocates", "allocates"),
    ("frees", "frees"),
    ("exits", "exits"),
];

/// The words that start the other clauses.
const STARTS: [&str; 12] = [
    "requires",
    "ensures",
    "assumes",
    "assert",
    "check",
    "loop",
    "invariant",
    "behavior",
    "complete",
    "disjoint",
    "predicate",
    "logic",
];

/// What stands at the top level of a file or in a body, and is not known here.
const UNKNOWN: [&str; 14] = [
    "axiomatic",
    "lemma",
    "inductive",
    "type",
    "global",
    "strong",
    "weak",
    "model",
    "ghost",
    "admit",
    "for",
    "volatile",
    "axiom",
    "import",
];

impl Reader<'_> {
    fn one(&mut self, said: &mut Said) -> Checked<()> {
        let start = self.parser.place().start;
        let Token::Word(word) = self.parser.peek().clone() else {
            return Err(self.parser.unexpected("expected a clause"));
        };
        let kind = match word.as_str() {
            "predicate" | "logic" => {
                said.definitions.push(self.definition(&word)?);
                return Ok(());
            }
            "behavior" => {
                self.parser.advance();
                self.behavior = Some(self.parser.expect_word()?);
                return self.parser.expect(":");
            }
            "complete" | "disjoint" => self.behaviors(&word)?,
            "loop" => self.of_loop()?,
            // A clause that is only checked and not used elsewhere; by itself it is an assertion.
            "check" => match self.parser.peek_second().clone() {
                Token::Word(next) if matches!(next.as_str(), "requires" | "ensures" | "loop") => {
                    self.parser.advance();
                    return self.one(said);
                }
                _ => self.clause("assert")?,
            },
            word => self.clause(word)?,
        };
        let is_about_all = matches!(kind, ClauseKind::Complete(_) | ClauseKind::Disjoint(_));
        let behavior = if is_about_all { None } else { self.behavior.clone() };
        said.clauses.push(Clause { kind, place: start..self.parser.end(), behavior });
        Ok(())
    }

    fn clause(&mut self, word: &str) -> Checked<ClauseKind> {
        let make: fn(crate::tree::Expr) -> ClauseKind = match word {
            "requires" => ClauseKind::Requires,
            "ensures" => ClauseKind::Ensures,
            "assumes" => ClauseKind::Assumes,
            "assert" => ClauseKind::Assert,
            "invariant" => ClauseKind::LoopInvariant,
            _ => {
                if let Some((_, name)) = DOCUMENTATION.iter().find(|(known, _)| *known == word) {
                    self.skip()?;
                    return Ok(ClauseKind::Documentation(name));
                }
                if UNKNOWN.contains(&word) {
                    return self.unknown(word);
                }
                let message = format!("no clause of ACSL starts with `{word}`");
                let problem = Problem::wrong(&self.parser.place(), message);
                return Err(
                    problem.hint("known are requires, ensures, assumes, behavior, assert, loop invariant")
                );
            }
        };
        self.parser.advance();
        self.name();
        let predicate = self.parser.expr()?;
        self.parser.expect(";")?;
        Ok(make(predicate))
    }

    /// A clause may have a name: `ensures positive: \result > 0;`
    fn name(&mut self) {
        while matches!((self.parser.peek(), self.parser.peek_second()), (Token::Word(_), Token::Sign(":"))) {
            self.parser.advance();
            self.parser.advance();
        }
    }

    fn behaviors(&mut self, word: &str) -> Checked<ClauseKind> {
        self.parser.advance();
        if !self.parser.accept_word("behaviors") {
            return Err(self.parser.unexpected("expected `behaviors`"));
        }
        let mut names = Vec::new();
        while !self.parser.accept(";") {
            names.push(self.parser.expect_word()?);
            if !self.parser.accept(",") {
                self.parser.expect(";")?;
                break;
            }
        }
        Ok(if word == "complete" { ClauseKind::Complete(names) } else { ClauseKind::Disjoint(names) })
    }

    fn of_loop(&mut self) -> Checked<ClauseKind> {
        self.parser.advance();
        match self.parser.peek().clone() {
            Token::Word(word) if word == "invariant" => self.clause("invariant"),
            Token::Word(word) if matches!(word.as_str(), "assigns" | "allocates" | "frees") => {
                self.skip()?;
                Ok(ClauseKind::Documentation("loop assigns"))
            }
            Token::Word(word) if word == "variant" => {
                self.skip()?;
                Ok(ClauseKind::Documentation("loop variant"))
            }
            _ => Err(self.parser.unexpected("expected `invariant`, `variant` or `assigns`")),
        }
    }

    /// Goes to the next clause. A semicolon alone is not its start: quantifiers have some, too.
    fn recover(&mut self) {
        let starts = |token: &Token| match token {
            Token::Word(word) => {
                STARTS.contains(&word.as_str()) || DOCUMENTATION.iter().any(|(known, _)| known == word)
            }
            token => *token == Token::End,
        };
        while *self.parser.peek() != Token::End {
            let is_end = self.parser.accept(";");
            if is_end && starts(self.parser.peek()) {
                return;
            }
            if !is_end {
                self.parser.advance();
            }
        }
    }

    /// The tokens up to a semicolon.
    fn skip(&mut self) -> Checked<()> {
        loop {
            if self.parser.accept(";") {
                return Ok(());
            }
            if *self.parser.peek() == Token::End {
                return Err(self.parser.unexpected("expected `;`"));
            }
            self.parser.advance();
        }
    }

    /// Whatever it says, it takes the rest of the comment.
    fn unknown(&mut self, word: &str) -> Checked<ClauseKind> {
        while *self.parser.peek() != Token::End {
            self.parser.advance();
        }
        Ok(ClauseKind::Unsupported(format!("`{word}`")))
    }

    fn definition(&mut self, word: &str) -> Checked<Definition> {
        let start = self.parser.place().start;
        self.parser.advance();
        let result = if word == "logic" { Some(self.parser.type_name()?) } else { None };
        let name = self.parser.expect_word()?;
        if matches!(self.parser.peek(), Token::Sign("{" | "<")) {
            return Err(Problem::unsupported(&self.parser.place(), "a definition with labels or types"));
        }
        let has_parameters = self.parser.accept("(") && !self.parser.accept(")");
        let parameters = if has_parameters { self.parser.binders(")")? } else { Vec::new() };
        if matches!(self.parser.peek(), Token::Sign(";") | Token::Word(_)) {
            return Err(Problem::unsupported(&(start..self.parser.end()), "a definition without `=`"));
        }
        self.parser.expect("=")?;
        let body = self.parser.expr()?;
        self.parser.expect(";")?;
        Ok(Definition { name, parameters, result, body, place: start..self.parser.end() })
    }
}
