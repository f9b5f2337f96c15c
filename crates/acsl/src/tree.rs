//! Annotations as syntax.

use crate::problem::Problem;
use crate::source::Place;

/// A term or a predicate; ACSL's grammar tells them apart by their types.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) place: Place,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExprKind {
    /// An integer or character constant.
    Int(i128),
    /// A constant with a fraction, as it is written.
    Real(String),
    Truth(bool),
    Null,
    Result,
    Name(String),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a <= b < c`.
    Compare(Vec<Relation>, Vec<Expr>),
    Logic(Logic, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Quantified(Quantifier, Vec<Binder>, Box<Expr>),
    Let(String, Box<Expr>, Box<Expr>),
    /// `\old(e)` is `\at(e, Old)`.
    At(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    Member(Box<Expr>, String),
    Arrow(Box<Expr>, String),
    Cast(TypeName, Box<Expr>),
    SizeofType(TypeName),
    SizeofExpr(Box<Expr>),
    /// A predicate or a logic function of the user, or a builtin: `\valid`.
    Call(String, Vec<Expr>),
    /// `a .. b`.
    Range(Option<Box<Expr>>, Option<Box<Expr>>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Minus,
    Plus,
    Complement,
    Deref,
    Address,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    And,
    Xor,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Relation {
    /// How C writes it.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
    Implies,
    Equivalent,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantifier {
    ForAll,
    Exists,
}

/// A variable of a quantifier, a predicate or a logic function.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Binder {
    pub(crate) ty: TypeName,
    pub(crate) name: String,
    pub(crate) place: Place,
}

/// A type as it is written.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TypeName {
    pub(crate) base: BaseType,
    /// How many pointers are around it.
    pub(crate) stars: usize,
    pub(crate) place: Place,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BaseType {
    Integer,
    Real,
    Boolean,
    /// The words of a C type: `unsigned long`, `struct s`, the name of a type.
    C(Vec<String>),
}

/// A part of a contract, of an annotation of a loop, or of a statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Clause {
    pub(crate) kind: ClauseKind,
    /// From its keyword to its semicolon.
    pub(crate) place: Place,
    /// The behavior that it belongs to.
    pub(crate) behavior: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ClauseKind {
    Requires(Expr),
    Assumes(Expr),
    Ensures(Expr),
    /// The behaviors of which one applies; all if none is named.
    Complete(Vec<String>),
    /// The behaviors of which at most one applies; all if none is named.
    Disjoint(Vec<String>),
    Assert(Expr),
    LoopInvariant(Expr),
    /// Read, and kept as documentation: `assigns`, `loop variant`, `terminates`.
    Documentation(&'static str),
    /// ACSL that Quipu does not know.
    Unsupported(String),
}

/// `predicate p(int x) = e;` or `logic integer f(integer x) = e;`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Binder>,
    /// The type of a logic function.
    pub(crate) result: Option<TypeName>,
    pub(crate) body: Expr,
    pub(crate) place: Place,
}

/// What one comment says.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Said {
    pub(crate) clauses: Vec<Clause>,
    pub(crate) definitions: Vec<Definition>,
    /// The clauses that cannot be read because they use what is not supported.
    pub(crate) problems: Vec<Problem>,
}
