//! Expressions.

use quipu_model::Term;
use quipu_num::{IntCmp, IntOp};

use super::{Builder, Built, Position, Typed};
use crate::diagnostic::{Problem, Span};
use crate::syntax::{Expr, ExprKind, Operator, Prefix, TypeName};
use crate::types::Type;

impl Builder<'_> {
    /// A term and its type. `hint` is the type for bare numbers; an expression may have another one.
    pub(super) fn scalar(
        &mut self,
        expression: &Expr<'_>,
        hint: Option<Type>,
        position: Position,
    ) -> Built<Typed> {
        let span = &expression.span;
        match &expression.kind {
            ExprKind::Number(value, ty) => match ty.or(hint) {
                Some(ty) => {
                    let bits = self.bits(expression, *value, ty)?;
                    Ok(Typed { term: self.model.constant_term(ty.width(), bits), ty })
                }
                None => self.untyped(span),
            },
            ExprKind::Float(literal, w) => self.float_literal(span, *literal, w.map(Type::Float).or(hint)),
            ExprKind::Truth(value) => Ok(Typed { term: self.model.truth(*value), ty: Type::BOOL }),
            ExprKind::Name(name) => self.name(name, span, position),
            ExprKind::List(_) => self.error(span, "a single value should stand here, not an array"),
            ExprKind::Index(array, index) => self.index(array, index, hint),
            ExprKind::Prefix(prefix, operand) => self.prefix(*prefix, operand, hint),
            ExprKind::Chain(first, rest) => self.chain(first, rest, hint, position),
            ExprKind::Choice(parts) => self.choice(parts, hint, position),
            ExprKind::Cast(operand, types) => self.cast(operand, types),
            ExprKind::Call(name, arguments) => self.call(name, arguments, hint, position),
            ExprKind::LoopCall(call) => self.loop_call(call, span, position),
        }
    }

    fn name(&mut self, name: &str, span: &Span, position: Position) -> Built<Typed> {
        let binding = self.lookup(name, span)?;
        if binding.array {
            let problem = Problem::new(span.clone(), format!("`{name}` is an array, not a single value"));
            return self.fail(problem.hint(format!("write an element, as `{name}[0]`")));
        }
        if binding.calls {
            self.check_positive(span, position)?;
            self.calls += 1;
        }
        Ok(Typed { term: binding.terms[0], ty: binding.ty })
    }

    fn prefix(&mut self, prefix: Prefix, operand: &Expr<'_>, hint: Option<Type>) -> Built<Typed> {
        if prefix == Prefix::Not {
            let term = self.condition(operand)?;
            return Ok(Typed { term: self.model.not(term), ty: Type::BOOL });
        }
        let Typed { term, ty } = self.scalar(operand, hint, Position::Other)?;
        let term = match (prefix, ty) {
            (Prefix::Complement, Type::Integer(_)) => self.model.not(term),
            (Prefix::Complement, Type::Float(_)) => return self.about_integers("~", &operand.span, ty),
            (_, Type::Float(w)) => self.negated(w, term),
            (_, Type::Integer(integer)) => {
                let zero = self.model.constant_term(integer.width, 0);
                self.model.op(IntOp::Sub, zero, term)
            }
        };
        Ok(Typed { term, ty })
    }

    fn chain(
        &mut self,
        first: &Expr<'_>,
        rest: &[(Operator, Expr<'_>)],
        hint: Option<Type>,
        position: Position,
    ) -> Built<Typed> {
        let truth = |term| Typed { term, ty: Type::BOOL };
        match rest[0].0 {
            Operator::Or | Operator::And => self.junction(first, rest, position).map(truth),
            Operator::Implies => {
                let condition = self.condition(first)?;
                let conclusion = self.typed(&rest[0].1, Type::BOOL, position)?;
                let not = self.model.not(condition);
                Ok(truth(self.model.any([not, conclusion])))
            }
            Operator::Equivalent => {
                let mut left = self.condition(first)?;
                for (_, operand) in rest {
                    let right = self.condition(operand)?;
                    left = self.model.equal(left, right);
                }
                Ok(truth(left))
            }
            operator if operator.is_arithmetic() => self.arithmetic(first, rest, hint),
            operator => {
                let (terms, ty) = self.operands(&[first, &rest[0].1], None)?;
                Ok(truth(self.comparison(operator, ty, terms[0], terms[1])))
            }
        }
    }

    /// `a && b && c` or `a || b || c`: one term.
    fn junction(
        &mut self,
        first: &Expr<'_>,
        rest: &[(Operator, Expr<'_>)],
        position: Position,
    ) -> Built<Term> {
        let mut items = vec![self.typed(first, Type::BOOL, position)?];
        for (_, operand) in rest {
            items.push(self.typed(operand, Type::BOOL, position)?);
        }
        Ok(if rest[0].0 == Operator::And { self.model.all(items) } else { self.model.any(items) })
    }

    fn comparison(&mut self, operator: Operator, ty: Type, a: Term, b: Term) -> Term {
        let signed = match ty {
            Type::Integer(integer) => integer.signed,
            Type::Float(w) => return self.float_comparison(operator, w, a, b),
        };
        let less = if signed { IntCmp::Slt } else { IntCmp::Ult };
        let at_most = if signed { IntCmp::Sle } else { IntCmp::Ule };
        match operator {
            Operator::Equal => self.model.compare(IntCmp::Eq, a, b),
            Operator::Different => self.model.compare(IntCmp::Ne, a, b),
            Operator::Less => self.model.compare(less, a, b),
            Operator::AtMost => self.model.compare(at_most, a, b),
            Operator::Greater => self.model.compare(less, b, a),
            _ => self.model.compare(at_most, b, a),
        }
    }

    fn arithmetic(
        &mut self,
        first: &Expr<'_>,
        rest: &[(Operator, Expr<'_>)],
        hint: Option<Type>,
    ) -> Built<Typed> {
        let operands: Vec<&Expr<'_>> =
            std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand)).collect();
        let (terms, ty) = self.operands(&operands, hint)?;
        let (mut term, mut left) = (terms[0], first.span.clone());
        for ((operator, right), &operand) in rest.iter().zip(&terms[1..]) {
            term = match ty {
                Type::Integer(integer) => self.model.op(int_op(*operator, integer.signed), term, operand),
                Type::Float(w) => {
                    self.float_operation(*operator, w, [term, operand], [&left, &right.span])?
                }
            };
            left.end = right.span.end;
        }
        Ok(Typed { term, ty })
    }

    fn choice(&mut self, parts: &[Expr<'_>; 3], hint: Option<Type>, position: Position) -> Built<Typed> {
        let [condition, then, otherwise] = parts;
        let condition = self.condition(condition)?;
        let (terms, ty) = self.operands_at(&[then, otherwise], hint, position)?;
        Ok(Typed { term: self.model.select(condition, terms[0], terms[1]), ty })
    }

    fn cast(&mut self, operand: &Expr<'_>, types: &[TypeName]) -> Built<Typed> {
        let Typed { mut term, mut ty } = self.scalar(operand, Some(types[0].ty), Position::Other)?;
        for to in types {
            if to.truth && ty.width() != to.ty.width() {
                return self.no_truth(&operand.span, ty, &to.span);
            }
            term = self.converted(term, ty, to.ty);
            ty = to.ty;
        }
        Ok(Typed { term, ty })
    }

    fn no_truth<T>(&mut self, operand: &Span, ty: Type, to: &Span) -> Built<T> {
        let text = self.written(operand);
        let hint = match ty {
            Type::Integer(_) => format!("write `{text} != 0`, or `{text} as u1` for the lowest bit"),
            Type::Float(_) => self.conversion(operand, ty, Type::BOOL),
        };
        self.fail(Problem::new(to.clone(), format!("a `{ty}` is not converted to `bool`")).hint(hint))
    }

    /// The error that an operation on integers is given a float.
    pub(super) fn about_integers<T>(&mut self, name: &str, span: &Span, ty: Type) -> Built<T> {
        let message = format!("`{name}` is about integers, and this has type `{ty}`");
        let hint = format!("write `bits({})` for the bits of it, or convert it by `as`", self.written(span));
        self.fail(Problem::new(span.clone(), message).hint(hint))
    }
}

/// The operation of an arithmetic operator on a type.
fn int_op(operator: Operator, signed: bool) -> IntOp {
    match operator {
        Operator::BitOr => IntOp::Or,
        Operator::BitXor => IntOp::Xor,
        Operator::BitAnd => IntOp::And,
        Operator::ShiftLeft => IntOp::Shl,
        Operator::ShiftRight if signed => IntOp::AShr,
        Operator::ShiftRight => IntOp::LShr,
        Operator::Subtract => IntOp::Sub,
        Operator::Multiply => IntOp::Mul,
        Operator::Divide if signed => IntOp::SDiv,
        Operator::Divide => IntOp::UDiv,
        Operator::Remainder if signed => IntOp::SRem,
        Operator::Remainder => IntOp::URem,
        _ => IntOp::Add,
    }
}
