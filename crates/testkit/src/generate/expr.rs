//! Generated expressions: text, type, what is known about the value, and the effects of evaluating it.
//!
//! Text carries its precedence, so that parentheses appear only where C needs them: the grammar's
//! precedences are tested too.

use super::effects::Effects;
use super::range::Range;
use super::types::{FloatKind, IntKind, Type};

/// How tightly an expression binds; larger is tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Prec {
    /// `a, b`.
    Comma,
    /// `a = b`.
    Assign,
    /// `a ? b : c`.
    Conditional,
    /// `a || b`.
    LogicalOr,
    /// `a && b`.
    LogicalAnd,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `a & b`.
    And,
    /// `a == b`.
    Equality,
    /// `a < b`.
    Relational,
    /// `a << b`.
    Shift,
    /// `a + b`.
    Additive,
    /// `a * b`.
    Multiplicative,
    /// `-a`, `(T)a`.
    Unary,
    /// `a[b]`, `a.b`, `a(b)`, `a++`.
    Postfix,
    /// A name, a literal, or anything in parentheses.
    Primary,
}

impl Prec {
    /// The next tighter level: what the right operand of a left-associative operator needs.
    pub fn tighter(self) -> Prec {
        use Prec::{
            Additive, And, Assign, Comma, Conditional, Equality, LogicalAnd, LogicalOr, Multiplicative, Or,
            Postfix, Primary, Relational, Shift, Unary, Xor,
        };
        match self {
            Comma => Assign,
            Assign => Conditional,
            Conditional => LogicalOr,
            LogicalOr => LogicalAnd,
            LogicalAnd => Or,
            Or => Xor,
            Xor => And,
            And => Equality,
            Equality => Relational,
            Relational => Shift,
            Shift => Additive,
            Additive => Multiplicative,
            Multiplicative => Unary,
            Unary => Postfix,
            Postfix | Primary => Primary,
        }
    }
}

/// What a pointer is known to point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// How many elements lie there, counted from where it points.
    pub extent: u64,
    /// The nesting depth of the shortest-lived object that it may point to; 0 for global objects.
    pub level: u32,
    /// Whether it may be null instead.
    pub nullable: bool,
}

impl Target {
    /// What any pointer stored in memory that other pointers lead to must satisfy.
    pub const GLOBAL: Target = Target { extent: 1, level: 0, nullable: false };

    /// Whether a pointer with this target may be used where `need` is required.
    pub fn satisfies(self, need: Target) -> bool {
        self.extent >= need.extent && self.level <= need.level && (need.nullable || !self.nullable)
    }
}

/// What is known about a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Facts {
    /// The integer lies in a range.
    Int(Range),
    /// The float's absolute value is at most this; without a bound it may be infinite or not a number.
    Float(Option<f64>),
    /// Where the pointer points.
    Pointer(Target),
    /// Nothing.
    Nothing,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The C text.
    pub text: String,
    /// How tightly the text binds.
    pub prec: Prec,
    /// The type.
    pub ty: Type,
    /// What is known about the value.
    pub facts: Facts,
    /// What evaluating it does.
    pub effects: Effects,
}

impl Expr {
    /// An integer expression.
    pub fn int(text: String, prec: Prec, kind: IntKind, range: Range, effects: Effects) -> Expr {
        Expr { text, prec, ty: Type::Int(kind), facts: Facts::Int(range), effects }
    }

    /// A truth value, which in C is an `int`.
    pub fn truth(text: String, prec: Prec, effects: Effects) -> Expr {
        Expr::int(text, prec, IntKind::Int, Range::new(0, 1), effects)
    }

    /// A float expression.
    pub fn float(text: String, prec: Prec, kind: FloatKind, bound: Option<f64>, effects: Effects) -> Expr {
        Expr { text, prec, ty: Type::Float(kind), facts: Facts::Float(bound), effects }
    }

    /// The integer type; panics for other expressions.
    pub fn kind(&self) -> IntKind {
        self.ty.int_kind().expect("an integer expression was expected")
    }

    /// The range of an integer; panics for other expressions.
    pub fn range(&self) -> Range {
        match self.facts {
            Facts::Int(range) => range,
            _ => panic!("an integer expression was expected"),
        }
    }

    /// The bound of a float's absolute value, or of an integer's converted to a float.
    pub fn float_bound(&self) -> Option<f64> {
        match self.facts {
            Facts::Float(bound) => bound,
            Facts::Int(range) => Some(range.lo.unsigned_abs().max(range.hi.unsigned_abs()) as f64),
            _ => None,
        }
    }

    /// The text as an operand where at least this precedence is needed.
    pub fn at(&self, prec: Prec) -> String {
        if self.prec < prec { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The text as a function argument or initialiser.
    pub fn arg(&self) -> String {
        self.at(Prec::Assign)
    }

    /// The text behind a unary operator; never glued to a sign of its own (`- -x` is not `--x`).
    pub fn unary_operand(&self) -> String {
        let text = self.at(Prec::Unary);
        let glued = text.starts_with(['-', '+', '&', '~', '!']);
        if glued { format!("({text})") } else { text }
    }
}
