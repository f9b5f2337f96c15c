//! Integer expressions: the choice among all forms, and the simple ones.

use super::arith::BinOp;
use super::context::{Gen, Mode, Var};
use super::expr::{Expr, Facts, Prec};
use super::lvalues::Lvalue;
use super::range::Range;
use super::types::{IntKind, Type};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Leaf,
    Binary,
    Unary,
    Cast,
    FromFloat,
    Truth,
    Conditional,
    Tested,
    Comma,
    Assignment,
    Step,
    Call,
    StatementExpression,
    TypeNumber,
    Sizeof,
    CompoundLiteral,
    PointerDifference,
    TestedPointee,
    Bytes,
    Text,
    Library,
}

const FORMS: [(u32, Form); 21] = [
    (14, Form::Leaf),
    (40, Form::Binary),
    (8, Form::Unary),
    (8, Form::Cast),
    (5, Form::FromFloat),
    (10, Form::Truth),
    (5, Form::Conditional),
    (6, Form::Tested),
    (2, Form::Comma),
    (3, Form::Assignment),
    (4, Form::Step),
    (7, Form::Call),
    (2, Form::StatementExpression),
    (2, Form::TypeNumber),
    (2, Form::Sizeof),
    (2, Form::CompoundLiteral),
    (2, Form::PointerDifference),
    (2, Form::TestedPointee),
    (1, Form::Bytes),
    (2, Form::Text),
    (4, Form::Library),
];

impl Gen<'_> {
    /// Any integer expression.
    pub(super) fn int_expr(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.int_leaf();
        }
        let form = self.rng.weighted(&FORMS);
        let expr = match form {
            Form::Leaf => None,
            Form::Binary => Some(self.int_binary(depth)),
            Form::Unary => Some(self.int_unary(depth)),
            Form::Cast => Some(self.int_cast(depth)),
            Form::FromFloat => self.int_from_float(depth),
            Form::Truth => Some(self.truth(depth)),
            Form::Conditional => Some(self.int_conditional(depth)),
            Form::Tested => self.tested_operand(depth),
            Form::Comma => self.comma(depth),
            Form::Assignment => self.int_assignment(depth),
            Form::Step => self.step_expression(),
            Form::Call => self.call_returning(depth, |ty| ty.int_kind().is_some()),
            Form::StatementExpression => self.statement_expression(depth),
            Form::TypeNumber => Some(self.type_number(depth)),
            Form::Sizeof => Some(self.size_of(depth)),
            Form::CompoundLiteral => self.compound_literal_int(depth),
            Form::PointerDifference => self.pointer_difference(),
            Form::TestedPointee => self.tested_pointee(depth),
            Form::Bytes => self.byte_of_object(),
            Form::Text => self.text_int(depth),
            Form::Library => self.library_int(depth),
        };
        expr.unwrap_or_else(|| self.int_leaf())
    }

    /// An integer expression whose value lies within `limits`, which contain zero.
    pub(super) fn int_expr_within(&mut self, limits: Range, depth: u32) -> Expr {
        let expr = self.int_expr(depth);
        self.coerce(expr, limits)
    }

    fn int_leaf(&mut self) -> Expr {
        if self.rng.chance(70)
            && let Some(lvalue) = self.lvalue(|lvalue| lvalue.ty.int_kind().is_some())
        {
            return lvalue.read();
        }
        self.int_literal()
    }

    fn int_binary(&mut self, depth: u32) -> Expr {
        let op = self.rng.weighted(&BinOp::WEIGHTED);
        let a = self.int_expr(depth - 1);
        let b = self.beside(a.effects, |e: &Expr| e.effects, |g| g.int_expr(depth - 1));
        self.binary(op, a, b)
    }

    fn int_unary(&mut self, depth: u32) -> Expr {
        let a = self.int_expr(depth - 1);
        let kind = a.kind().promoted();
        match self.rng.below(4) {
            0 => {
                let text = format!("~{}", a.unary_operand());
                Expr::int(text, Prec::Unary, kind, complement(kind, a.range()), a.effects)
            }
            1 => Expr::int(format!("+{}", a.unary_operand()), Prec::Unary, kind, a.range(), a.effects),
            _ => self.negate(a),
        }
    }

    fn int_cast(&mut self, depth: u32) -> Expr {
        let a = self.int_expr(depth - 1);
        let ty = self.scalar_int_type();
        let kind = ty.int_kind().expect("an integer type was drawn");
        let text = format!("({}){}", self.type_name(&ty), a.unary_operand());
        let range = match kind {
            IntKind::Bool if !kind.range().contains(a.range()) => kind.range(),
            _ => a.range().or_all_of(kind.range()),
        };
        Expr { text, prec: Prec::Unary, ty, facts: Facts::Int(range), effects: a.effects }
    }

    fn int_from_float(&mut self, depth: u32) -> Option<Expr> {
        if !self.features.floats {
            return None;
        }
        let value = self.float_expr(depth - 1);
        let kind = *self.rng.pick(&IntKind::ALL);
        Some(self.float_to_int(value, kind))
    }

    fn int_conditional(&mut self, depth: u32) -> Expr {
        let cond = self.condition(depth - 1);
        let a = self.int_expr(depth - 1);
        let b = self.int_expr(depth - 1);
        conditional(&cond, &a, &b)
    }

    /// `x > -50 && x < 90 ? x * x : y`: the test makes a plain operation on `x` defined.
    fn tested_operand(&mut self, depth: u32) -> Option<Expr> {
        if self.mode == Mode::Constant {
            return None;
        }
        let testable = |var: &Var| var.ty.int_kind().is_some() && var.range.is_none() && !var.volatile;
        let var = self.pick_var(testable)?;
        let kind = var.ty.int_kind()?;
        let span = Range::new(i128::from(self.rng.between(-90, -1)), i128::from(self.rng.between(1, 90)));
        let range = if kind.signed() { span } else { Range::new(0, span.hi) };
        let name = &var.name;
        let test = match (kind.signed(), self.rng.chance(50)) {
            (true, true) => format!("{name} >= {} && {name} <= {}", range.lo, range.hi),
            (true, false) => format!("{} < {name} && {} > {name}", range.lo - 1, range.hi + 1),
            (false, _) => format!("{name} <= {}", range.hi),
        };
        let prec = if kind.signed() { Prec::LogicalAnd } else { Prec::Relational };
        let test = Expr::truth(test, prec, Lvalue::of(&var).read().effects);
        self.frame.refined.push((var.name.clone(), range));
        let tested = self.with_mode(Mode::Pure, |g| g.operation_on(&var, depth));
        self.frame.refined.pop();
        let otherwise = self.int_expr(depth - 1);
        Some(conditional(&test, &tested, &otherwise))
    }

    fn operation_on(&mut self, var: &Var, depth: u32) -> Expr {
        let (_, range) = *self.frame.refined.last().expect("the variable has just been refined");
        let x = Lvalue { range: Some(range), ..Lvalue::of(var) }.read();
        let y = self.int_expr(depth - 1);
        let y = self.coerce(y, Range::new(-100, 100));
        let op = self.rng.weighted(&BinOp::WEIGHTED);
        if self.rng.chance(50) { self.binary(op, x, y) } else { self.binary(op, y, x) }
    }

    fn comma(&mut self, depth: u32) -> Option<Expr> {
        if self.mode != Mode::Any || !self.features.inner_assignments {
            return None;
        }
        let first = self.int_assignment(depth).or_else(|| self.step_expression())?;
        let value = self.int_expr(depth - 1);
        let text = format!("{}, {}", first.text, value.at(Prec::Assign));
        Some(Expr { text, prec: Prec::Comma, effects: first.effects.and(value.effects), ..value })
    }

    fn int_assignment(&mut self, depth: u32) -> Option<Expr> {
        if self.mode != Mode::Any || !self.features.inner_assignments {
            return None;
        }
        let place = self.lvalue(|lvalue| lvalue.writable && lvalue.ty.int_kind().is_some())?;
        if self.rng.chance(60) {
            self.assignment(&place, depth - 1)
        } else {
            self.compound_assignment(&place, depth - 1)
        }
    }

    fn step_expression(&mut self) -> Option<Expr> {
        if self.mode != Mode::Any || !self.features.inner_assignments {
            return None;
        }
        let place = self.lvalue(|lvalue| lvalue.writable && lvalue.ty.int_kind().is_some())?;
        self.step(&place)
    }

    /// An integer type for a variable, a cast or a member.
    pub(super) fn scalar_int_type(&mut self) -> Type {
        if !self.enums.is_empty() && self.rng.chance(8) {
            let id = self.rng.index(self.enums.len());
            return Type::Enum(id, self.enums[id].kind);
        }
        let favourites = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::LLong];
        let kind =
            if self.rng.chance(40) { *self.rng.pick(&favourites) } else { *self.rng.pick(&IntKind::ALL) };
        Type::Int(kind)
    }
}

/// `c ? a : b` for integers.
pub fn conditional(cond: &Expr, a: &Expr, b: &Expr) -> Expr {
    let kind = a.kind().common(b.kind());
    let converted = |e: &Expr| e.range().or_all_of(kind.range());
    let text = format!("{} ? {} : {}", cond.at(Prec::LogicalOr), a.text, b.at(Prec::Conditional));
    let effects = cond.effects.and(a.effects).and(b.effects);
    Expr::int(text, Prec::Conditional, kind, converted(a).hull(converted(b)), effects)
}

fn complement(kind: IntKind, range: Range) -> Range {
    let all = if kind.signed() { -1 } else { kind.range().hi };
    Range::point(all).sub(range).or_all_of(kind.range())
}
