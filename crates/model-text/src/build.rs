//! Turns a syntax tree into a model: names are resolved, types are checked, terms are built.
//!
//! Relations are declared first, so that bodies may call relations that stand behind them. After an error
//! the rest of the statements is still looked at; a name whose declaration failed is not reported again.

mod array;
mod call;
mod expression;
mod float;
mod function;
mod number;
mod operands;
mod query;
mod relation;
mod repetition;
mod scope;
mod statement;

use quipu_model::{Model, Term, Var};
use rustc_hash::FxHashMap;

use crate::diagnostic::{Problem, Span};
use crate::document::{Document, Named};
use crate::query::Query;
use crate::syntax::{Statement, StatementKind};
use crate::types::Type;
pub(crate) use float::float_function_name;
pub(crate) use function::FUNCTIONS;
use relation::Signature;
use scope::Frame;

/// The longest array.
pub(crate) const LONGEST_ARRAY: usize = 65_536;
/// How many elements of arrays the terms of a model may list.
const MOST_ELEMENTS: usize = 1 << 24;

/// The model that the statements describe.
pub(crate) fn document(text: &str, statements: &[Statement<'_>]) -> Result<Document, Vec<Problem>> {
    let mut builder = Builder::new(text);
    builder.declare_relations(statements);
    for statement in statements {
        if let Ok(Some(term)) = builder.statement(statement) {
            builder.model.assert(term);
        }
        if builder.exhausted {
            break;
        }
    }
    builder.finish()
}

/// An error has been reported.
struct Stop;

type Built<T> = Result<T, Stop>;

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// Its truth can only help to fulfil the constraint: relations may be called.
    Positive,
    Other,
}

/// A term with its type.
#[derive(Clone, Copy)]
struct Typed {
    term: Term,
    ty: Type,
}

struct Builder<'a> {
    text: &'a str,
    model: Model,
    /// The scopes of the relation or loop at work, innermost last; the first is the top level.
    frames: Vec<Frame>,
    signatures: FxHashMap<&'a str, Signature>,
    problems: Vec<Problem>,
    queries: Vec<Query>,
    names: Vec<Named>,
    /// How many calls of relations have been built.
    calls: usize,
    /// How many elements of arrays have been listed.
    elements: usize,
    exhausted: bool,
    /// How many loops have been given a name.
    loops: usize,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str) -> Builder<'a> {
        Builder {
            text,
            model: Model::new(),
            frames: vec![Frame::top()],
            signatures: FxHashMap::default(),
            problems: Vec::new(),
            queries: Vec::new(),
            names: Vec::new(),
            calls: 0,
            elements: 0,
            exhausted: false,
            loops: 0,
        }
    }

    fn declare_relations(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Rel(rel) => self.declare_rel(rel),
                StatementKind::Loop(definition) => self.declare_loop(definition),
                _ => {}
            }
        }
    }

    fn finish(self) -> Result<Document, Vec<Problem>> {
        if self.problems.is_empty() {
            Ok(Document { model: self.model, queries: self.queries, names: self.names })
        } else {
            Err(self.problems)
        }
    }

    /// Reports an error.
    fn fail<T>(&mut self, problem: Problem) -> Built<T> {
        self.problems.push(problem);
        Err(Stop)
    }

    fn error<T>(&mut self, span: &Span, message: impl Into<String>) -> Built<T> {
        self.fail(Problem::new(span.clone(), message))
    }

    /// The written form of an expression, with brackets if it needs them, for hints.
    fn written(&self, span: &Span) -> String {
        let text = &self.text[span.clone()];
        let plain = |c: char| c.is_ascii_alphanumeric() || "_'[]()".contains(c);
        match text {
            _ if text.len() > 40 || text.contains('\n') => "(…)".to_owned(),
            _ if text.chars().all(plain) => text.to_owned(),
            _ => format!("({text})"),
        }
    }

    /// Counts elements of arrays that a term lists, so that a short text cannot fill the memory.
    fn list_elements(&mut self, span: &Span, count: usize) -> Built<()> {
        self.elements += count;
        if self.elements <= MOST_ELEMENTS {
            return Ok(());
        }
        self.exhausted = true;
        let message = format!("the terms of this text list more than {MOST_ELEMENTS} elements of arrays");
        self.fail(Problem::new(span.clone(), message).hint("use shorter arrays"))
    }

    /// The conjunction of constraints: of one, itself.
    fn conjunction(&mut self, items: Vec<Term>) -> Term {
        match items[..] {
            [only] => only,
            _ => self.model.all(items),
        }
    }

    fn var_terms(&self, vars: &[Var]) -> Vec<Term> {
        vars.iter().map(|&var| self.model.var_term(var)).collect()
    }
}
