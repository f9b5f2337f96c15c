//! The syntax tree of a text: what is written, before names and types are looked at.
//!
//! Operators of one precedence form a flat chain, so the depth of a tree is that of its brackets.

use quipu_num::FloatWidth;

use crate::diagnostic::Span;
use crate::float_text::Literal;
use crate::query::{QueryKind, Strategy};
use crate::types::Type;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Name<'a> {
    pub text: &'a str,
    pub span: Span,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub(crate) struct TypeName {
    pub ty: Type,
    /// Whether it is written `bool`.
    pub truth: bool,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) struct Expr<'a> {
    pub kind: ExprKind<'a>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum ExprKind<'a> {
    Number(i128, Option<Type>),
    /// A number with a point or an exponent, an infinity, a NaN.
    Float(Literal<'a>, Option<FloatWidth>),
    Truth(bool),
    /// A name, also that of a type.
    Name(&'a str),
    List(Vec<Expr<'a>>),
    Index(Box<Expr<'a>>, Box<Expr<'a>>),
    Prefix(Prefix, Box<Expr<'a>>),
    /// Operands joined by operators of one precedence, from the left.
    Chain(Box<Expr<'a>>, Vec<(Operator, Expr<'a>)>),
    /// Condition, then, else.
    Choice(Box<[Expr<'a>; 3]>),
    Cast(Box<Expr<'a>>, Vec<TypeName>),
    Call(Name<'a>, Vec<Expr<'a>>),
    LoopCall(Box<LoopCall<'a>>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Prefix {
    Not,
    Complement,
    Minus,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Equivalent,
    Implies,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// `name[outer](entry) -> (end)`.
#[derive(Debug)]
pub(crate) struct LoopCall<'a> {
    pub name: Name<'a>,
    pub outer: Vec<Expr<'a>>,
    pub entry: Vec<Expr<'a>>,
    pub end: Vec<Expr<'a>>,
}

/// Statements between braces.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    pub statements: Vec<Statement<'a>>,
}

#[derive(Debug)]
pub(crate) struct Statement<'a> {
    pub kind: StatementKind<'a>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum StatementKind<'a> {
    Variables(Variables<'a>),
    Let(Let<'a>),
    Constraint(Expr<'a>),
    Block(Block<'a>),
    /// Condition, then, else.
    Ite(Expr<'a>, Block<'a>, Block<'a>),
    When(Expr<'a>, Block<'a>),
    Either(Vec<Block<'a>>),
    While(Box<While<'a>>),
    Rel(Rel<'a>),
    Loop(Box<LoopDefinition<'a>>),
    Query(QueryText<'a>),
}

/// `var x, a[3] : u8 in 1..9;`
#[derive(Debug)]
pub(crate) struct Variables<'a> {
    /// Whether they are locals also at the top level.
    pub local: bool,
    pub names: Vec<(Name<'a>, Option<Expr<'a>>)>,
    pub ty: TypeName,
    pub range: Option<(Expr<'a>, Expr<'a>)>,
}

#[derive(Debug)]
pub(crate) struct Let<'a> {
    pub name: Name<'a>,
    pub value: Expr<'a>,
}

/// `x: u8`, `a[3]: u8`; of a loop's state also with a range.
#[derive(Debug)]
pub(crate) struct Parameter<'a> {
    pub name: Name<'a>,
    pub size: Option<Expr<'a>>,
    pub ty: TypeName,
    pub range: Option<(Expr<'a>, Expr<'a>)>,
}

/// `w (state) while (condition) { body } end (…);`
#[derive(Debug)]
pub(crate) struct While<'a> {
    pub state: Vec<Entry<'a>>,
    pub condition: Expr<'a>,
    pub body: Block<'a>,
    pub end: Vec<Expr<'a>>,
    pub end_span: Span,
}

/// `i = 0` or `i : u8 in 0..9 = 0`.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    pub name: Name<'a>,
    pub ty: Option<TypeName>,
    pub range: Option<(Expr<'a>, Expr<'a>)>,
    pub value: Expr<'a>,
}

/// `rel name(parameters) { body }`; without a body, the relation is supplied by a program.
#[derive(Debug)]
pub(crate) struct Rel<'a> {
    pub name: Name<'a>,
    pub parameters: Vec<Parameter<'a>>,
    pub body: Option<Block<'a>>,
}

/// `loop name [outer] (state) let … while (condition) { body }`.
#[derive(Debug)]
pub(crate) struct LoopDefinition<'a> {
    pub name: Name<'a>,
    pub outer: Vec<Parameter<'a>>,
    pub state: Vec<Parameter<'a>>,
    pub lets: Vec<Let<'a>>,
    pub condition: Expr<'a>,
    pub body: Block<'a>,
}

/// `solve x, a[1] limit 10 by split;`
#[derive(Debug)]
pub(crate) struct QueryText<'a> {
    pub kind: QueryKind,
    pub names: Vec<(Name<'a>, Option<Expr<'a>>)>,
    pub limit: Option<u64>,
    pub strategy: Option<Strategy>,
}
