//! Float expressions: plain IEEE operations, which give the same bits at every optimisation level.
//!
//! What is not pinned down, the sign and payload of a NaN, never reaches an observed bit: checksums
//! canonicalise and unions hold no NaN that was computed.

use super::context::{Gen, Mode};
use super::expr::{Expr, Prec};
use super::lvalues::Lvalue;
use super::range::Range;
use super::types::{FloatKind, IntKind, Type};

/// Bounds above this are forgotten, long before rounding could reach infinity.
const LARGEST_BOUND: f64 = 1e30;

#[derive(Clone, Copy)]
enum Form {
    Leaf,
    Arithmetic,
    Negation,
    FromInt,
    Cast,
    Conditional,
    Assignment,
    Call,
    Library,
}

const FORMS: [(u32, Form); 9] = [
    (20, Form::Leaf),
    (40, Form::Arithmetic),
    (6, Form::Negation),
    (12, Form::FromInt),
    (8, Form::Cast),
    (6, Form::Conditional),
    (4, Form::Assignment),
    (4, Form::Call),
    (6, Form::Library),
];

impl Gen<'_> {
    /// Any float expression.
    pub(super) fn float_expr(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.float_leaf();
        }
        let form = self.rng.weighted(&FORMS);
        let expr = match form {
            Form::Leaf => None,
            Form::Arithmetic => Some(self.float_arithmetic(depth)),
            Form::Negation => Some(self.float_negation(depth)),
            Form::FromInt => Some(self.float_from_int(depth)),
            Form::Cast => Some(self.float_cast(depth)),
            Form::Conditional => Some(self.float_conditional(depth)),
            Form::Assignment => self.float_assignment(depth),
            Form::Call => self.call_returning(depth, |ty| matches!(ty, Type::Float(_))),
            Form::Library => self.library_float(depth),
        };
        expr.unwrap_or_else(|| self.float_leaf())
    }

    /// An expression of any arithmetic type.
    pub(super) fn arithmetic_expr(&mut self, depth: u32) -> Expr {
        if self.features.floats && self.rng.chance(25) {
            self.float_expr(depth)
        } else {
            self.int_expr(depth)
        }
    }

    /// The expression converted to an integer type, after a range test unless its bound makes one needless.
    pub(super) fn float_to_int(&mut self, value: Expr, kind: IntKind) -> Expr {
        let (effects, name) = (value.effects, kind.name());
        let cast = format!("({name}){}", value.unary_operand());
        let bound = value.float_bound();
        let whole = bound.filter(|&b| b < 9e18).map(|b| Range::new(-(b as i128) - 1, b as i128 + 1));
        if kind == IntKind::Bool {
            return Expr::int(cast, Prec::Unary, kind, kind.range(), effects);
        }
        if let Some(range) = whole.filter(|&range| kind.range().contains(range)) {
            return Expr::int(cast, Prec::Unary, kind, range, effects);
        }
        if effects.reads != 0 && self.leave_unguarded(30) {
            return Expr::int(cast, Prec::Unary, kind, kind.range(), effects);
        }
        if effects.is_pure() && self.rng.chance(40) {
            return self.tested_conversion(&value, kind);
        }
        if self.mode == Mode::Constant {
            return self.literal(1);
        }
        let helper = if kind.signed() { "qk_to_signed" } else { "qk_to_unsigned" };
        let text = format!("({name}){helper}({})", value.arg());
        Expr::int(text, Prec::Unary, kind, kind.range(), effects)
    }

    /// The value, or zero where it is not a number.
    pub(super) fn without_nan(&mut self, value: &Expr) -> String {
        match value.ty {
            _ if value.float_bound().is_some() => value.arg(),
            _ if self.mode == Mode::Constant => self.float_literal().text,
            Type::Float(FloatKind::Float) => format!("qk_number_f({})", value.arg()),
            Type::Float(FloatKind::Double) => format!("qk_number({})", value.arg()),
            _ => value.arg(),
        }
    }

    /// `x > -100 && x < 100 ? (int)x : 7`.
    fn tested_conversion(&mut self, value: &Expr, kind: IntKind) -> Expr {
        let (low, high) = if kind.signed() { (-100, 100) } else { (-1, 200) };
        let x = value.at(Prec::Shift);
        let cast = format!("({}){}", kind.name(), value.unary_operand());
        let other = self.rng.below(100);
        let text = format!("{x} > {low} && {x} < {high} ? {cast} : {other}");
        let result = kind.common(IntKind::Int);
        let range = Range::new(low.into(), high.into()).hull(Range::new(0, 100));
        Expr::int(text, Prec::Conditional, result, range.or_all_of(result.range()), value.effects)
    }

    fn float_leaf(&mut self) -> Expr {
        if self.rng.chance(60)
            && let Some(lvalue) = self.lvalue(|lvalue| matches!(lvalue.ty, Type::Float(_)))
        {
            return lvalue.read();
        }
        self.float_literal()
    }

    fn float_arithmetic(&mut self, depth: u32) -> Expr {
        let left = self.float_expr(depth - 1);
        let right = self.beside(left.effects, |e: &Expr| e.effects, |g| g.arithmetic_expr(depth - 1));
        let swap = self.rng.chance(30);
        let (a, b) = if swap { (right, left) } else { (left, right) };
        let sign = *self.rng.pick(&["+", "-", "*", "/"]);
        float_binary(sign, &a, &b)
    }

    fn float_negation(&mut self, depth: u32) -> Expr {
        let a = self.float_expr(depth - 1);
        let sign = if self.rng.chance(80) { "-" } else { "+" };
        Expr { text: format!("{sign}{}", a.unary_operand()), prec: Prec::Unary, ..a }
    }

    fn float_from_int(&mut self, depth: u32) -> Expr {
        let a = self.int_expr(depth - 1);
        let kind = *self.rng.pick(&[FloatKind::Float, FloatKind::Double]);
        let bound = a.float_bound().map(|b| b * 1.0001);
        Expr::float(format!("({}){}", kind.name(), a.unary_operand()), Prec::Unary, kind, bound, a.effects)
    }

    fn float_cast(&mut self, depth: u32) -> Expr {
        let a = self.float_expr(depth - 1);
        let kind = *self.rng.pick(&[FloatKind::Float, FloatKind::Double]);
        let bound = a.float_bound().map(|b| b * 1.0001);
        Expr::float(format!("({}){}", kind.name(), a.unary_operand()), Prec::Unary, kind, bound, a.effects)
    }

    fn float_conditional(&mut self, depth: u32) -> Expr {
        let cond = self.condition(depth - 1);
        let a = self.float_expr(depth - 1);
        let b = self.arithmetic_expr(depth - 1);
        let text = format!("{} ? {} : {}", cond.at(Prec::LogicalOr), a.text, b.at(Prec::Conditional));
        let effects = cond.effects.and(a.effects).and(b.effects);
        let bound = a.float_bound().zip(b.float_bound()).map(|(x, y)| x.max(y));
        Expr::float(text, Prec::Conditional, common_kind(&a, &b), bound, effects)
    }

    fn float_assignment(&mut self, depth: u32) -> Option<Expr> {
        if self.mode != Mode::Any || !self.features.inner_assignments {
            return None;
        }
        let place = self.lvalue(|lvalue: &Lvalue| lvalue.writable && matches!(lvalue.ty, Type::Float(_)))?;
        self.assignment(&place, depth - 1)
    }
}

/// `a sign b` for operands of which at least one is a float.
pub fn float_binary(sign: &str, a: &Expr, b: &Expr) -> Expr {
    let prec = if matches!(sign, "+" | "-") { Prec::Additive } else { Prec::Multiplicative };
    let text = format!("{} {sign} {}", a.at(prec), b.at(prec.tighter()));
    let bound = a.float_bound().zip(b.float_bound()).and_then(|(x, y)| match sign {
        "+" | "-" => Some(x + y),
        "*" => Some(x * y),
        _ => None,
    });
    let bound = bound.map(|bound| bound * 1.0001).filter(|&bound| bound < LARGEST_BOUND);
    Expr::float(text, prec, common_kind(a, b), bound, a.effects.and(b.effects))
}

fn common_kind(a: &Expr, b: &Expr) -> FloatKind {
    let has_double = [a, b].into_iter().any(|e| e.ty == Type::Float(FloatKind::Double));
    if has_double { FloatKind::Double } else { FloatKind::Float }
}
