//! Operands of one type: numbers without a type take it from their neighbours.

use quipu_model::Term;

use super::number::bare;
use super::{Builder, Built, Position, Typed};
use crate::diagnostic::{Problem, Span};
use crate::syntax::{Expr, ExprKind};
use crate::types::Type;

impl Builder<'_> {
    /// The terms of operands that must have one type, and that type. `hint` is for the case that all of
    /// them are bare numbers.
    pub(super) fn operands(
        &mut self,
        operands: &[&Expr<'_>],
        hint: Option<Type>,
    ) -> Built<(Vec<Term>, Type)> {
        self.operands_at(operands, hint, Position::Other)
    }

    pub(super) fn operands_at(
        &mut self,
        operands: &[&Expr<'_>],
        hint: Option<Type>,
        position: Position,
    ) -> Built<(Vec<Term>, Type)> {
        let mut terms: Vec<Option<Term>> = vec![None; operands.len()];
        let mut common: Option<(Type, &Expr<'_>)> = None;
        for (operand, term) in operands.iter().zip(&mut terms).filter(|(operand, _)| !bare(operand)) {
            let typed = self.scalar(operand, common.map(|(ty, _)| ty).or(hint), position)?;
            match common {
                Some((ty, first)) if ty != typed.ty => {
                    return self.mismatch((&first.span, ty), (&operand.span, typed.ty));
                }
                _ => common = common.or(Some((typed.ty, operand))),
            }
            *term = Some(typed.term);
        }
        let known = common.map(|(ty, _)| ty).or(hint);
        let mut ty = known;
        for (operand, term) in operands.iter().zip(&mut terms).filter(|(_, term)| term.is_none()) {
            let typed = self.scalar(operand, known, position)?;
            ty = Some(typed.ty);
            *term = Some(typed.term);
        }
        match ty {
            Some(ty) => Ok((terms.into_iter().flatten().collect(), ty)),
            None => self.untyped(&operands.first().map_or(0..0, |operand| operand.span.clone())),
        }
    }

    /// The term of an expression that must have a type.
    pub(super) fn typed(&mut self, expression: &Expr<'_>, ty: Type, position: Position) -> Built<Term> {
        let found = self.scalar(expression, Some(ty), position)?;
        self.check_type(expression, found, ty)
    }

    fn check_type(&mut self, expression: &Expr<'_>, found: Typed, ty: Type) -> Built<Term> {
        if found.ty == ty {
            return Ok(found.term);
        }
        let hint = self.conversion(&expression.span, found.ty, ty);
        let message = format!("this should have type `{ty}`, and has type `{}`", found.ty);
        self.fail(Problem::new(expression.span.clone(), message).hint(hint))
    }

    /// A truth value that no call of a relation may be part of.
    pub(super) fn condition(&mut self, expression: &Expr<'_>) -> Built<Term> {
        self.typed(expression, Type::BOOL, Position::Other)
    }

    pub(super) fn untyped<T>(&mut self, span: &Span) -> Built<T> {
        let problem = Problem::new(span.clone(), "nothing here gives this number a type");
        self.fail(problem.hint("write the type behind it, as in `5u32`"))
    }

    fn mismatch<T>(&mut self, (a, a_type): (&Span, Type), (b, b_type): (&Span, Type)) -> Built<T> {
        let message = format!("this has type `{b_type}`, and what it is combined with has type `{a_type}`");
        let first = self.conversion(b, b_type, a_type);
        let second = self.conversion(a, a_type, b_type);
        let hint = format!("{first}, or {}", second.trim_start_matches("write "));
        self.fail(Problem::new(b.clone(), message).hint(hint))
    }

    /// How to make one type of another.
    pub(super) fn conversion(&self, span: &Span, from: Type, to: Type) -> String {
        let text = self.written(span);
        if to == Type::BOOL && from.float().is_some() {
            format!("write `{text} != 0.0`")
        } else if to == Type::BOOL && from.width() != to.width() {
            format!("write `{text} != 0`")
        } else {
            format!("write `{text} as {to}`")
        }
    }

    /// The terms of an array, or the term alone: what an argument stands for.
    pub(super) fn values(
        &mut self,
        expression: &Expr<'_>,
        hint: Option<Type>,
        position: Position,
    ) -> Built<Vec<Typed>> {
        let (terms, ty) = match &expression.kind {
            ExprKind::List(_) => self.array(expression, hint)?,
            ExprKind::Name(name) => {
                let binding = self.lookup(name, &expression.span)?;
                if !binding.array {
                    return Ok(vec![self.scalar(expression, hint, position)?]);
                }
                self.array(expression, hint)?
            }
            _ => return Ok(vec![self.scalar(expression, hint, position)?]),
        };
        Ok(terms.iter().map(|&term| Typed { term, ty }).collect())
    }
}
