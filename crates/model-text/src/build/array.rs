//! Arrays: names of arrays, lists of expressions, elements, and the relations on arrays.

use std::rc::Rc;

use quipu_model::Term;
use quipu_num::IntCmp;

use super::number::bare;
use super::{Builder, Built, Position, Typed};
use crate::diagnostic::{Problem, Span};
use crate::syntax::{Expr, ExprKind};
use crate::types::Type;

impl Builder<'_> {
    /// The elements of an expression that is an array.
    pub(super) fn array(&mut self, expression: &Expr<'_>, hint: Option<Type>) -> Built<(Rc<[Term]>, Type)> {
        match &expression.kind {
            ExprKind::Name(name) => {
                let binding = self.lookup(name, &expression.span)?;
                if binding.array {
                    self.list_elements(&expression.span, binding.terms.len())?;
                    return Ok((binding.terms, binding.ty));
                }
                self.error(&expression.span, format!("`{name}` is a single value, not an array"))
            }
            ExprKind::List(items) if !items.is_empty() => {
                let items: Vec<&Expr<'_>> = items.iter().collect();
                let (terms, ty) = self.operands(&items, hint)?;
                Ok((terms.into(), ty))
            }
            ExprKind::List(_) => self.error(&expression.span, "an array has at least one element"),
            _ => {
                let problem = Problem::new(expression.span.clone(), "an array should stand here");
                self.fail(problem.hint("write the name of an array, or a list `[x, y]`"))
            }
        }
    }

    /// `array[index]`. A plain number as index chooses the element now, and must be in range.
    pub(super) fn index(&mut self, array: &Expr<'_>, index: &Expr<'_>, hint: Option<Type>) -> Built<Typed> {
        let (terms, ty) = self.array(array, hint)?;
        if bare(index) {
            let position = self.position(index, terms.len())?;
            return Ok(Typed { term: terms[position], ty });
        }
        let index = self.integer_index(index)?;
        let term = self.model.element(index, terms.iter().copied());
        Ok(Typed { term, ty })
    }

    /// A constant index of an array.
    pub(super) fn position(&mut self, index: &Expr<'_>, length: usize) -> Built<usize> {
        let number = self.integer(index)?;
        match usize::try_from(number) {
            Ok(position) if position < length => Ok(position),
            _ => {
                let message = format!("the index {number} is out of range");
                let hint = format!("the elements are those from 0 to {}", length - 1);
                self.fail(Problem::new(index.span.clone(), message).hint(hint))
            }
        }
    }

    /// `element(i, a, v)`: the index is in range and the element there is the value.
    pub(super) fn element(&mut self, [index, array, value]: [&Expr<'_>; 3]) -> Built<Term> {
        let (terms, ty) = self.array(array, None)?;
        let value = self.typed(value, ty, Position::Other)?;
        let index = self.index_term(index, terms.len())?;
        let found = self.model.element(index, terms.iter().copied());
        let equal = self.model.equal(found, value);
        let mut items = self.in_range(index, terms.len());
        items.push(equal);
        Ok(self.model.all(items))
    }

    /// `update(a, i, v, b)`: the index is in range and `b` is `a` with the value there.
    pub(super) fn update(&mut self, [old, index, value, new]: [&Expr<'_>; 4], span: &Span) -> Built<Term> {
        let (before, ty) = self.array(old, None)?;
        let (after, after_type) = self.array(new, Some(ty))?;
        let value = self.typed(value, ty, Position::Other)?;
        let index = self.index_term(index, before.len())?;
        if after_type != ty || after.len() != before.len() {
            let message = format!(
                "the arrays of `update` have one type and one length, not {} `{ty}` and {} `{after_type}`",
                before.len(),
                after.len()
            );
            return self.error(span, message);
        }
        let mut items = self.in_range(index, before.len());
        for (n, (&old, &new)) in before.iter().zip(after.iter()).enumerate() {
            let expected = self.replaced(index, n as u64, value, old);
            items.push(self.model.equal(new, expected));
        }
        Ok(self.model.all(items))
    }

    /// The value where the index is `n`, else the old one.
    fn replaced(&mut self, index: Term, n: u64, value: Term, old: Term) -> Term {
        let width = self.model.width(index);
        if n > width.mask() {
            return old;
        }
        let n = self.model.constant_term(width, n);
        let here = self.model.equal(index, n);
        self.model.select(here, value, old)
    }

    /// An index as a term; a bare number takes a type that has all indices.
    fn index_term(&mut self, index: &Expr<'_>, length: usize) -> Built<Term> {
        if bare(index) {
            let position = self.position(index, length)?;
            return Ok(self.model.constant_term(quipu_num::Width::W32, position as u64));
        }
        self.integer_index(index)
    }

    fn integer_index(&mut self, index: &Expr<'_>) -> Built<Term> {
        let Typed { term, ty } = self.scalar(index, None, Position::Other)?;
        if ty.float().is_none() {
            return Ok(term);
        }
        let hint = self.conversion(&index.span, ty, Type::unsigned(quipu_num::Width::W32));
        let message = format!("an index is an integer, and this has type `{ty}`");
        self.fail(Problem::new(index.span.clone(), message).hint(hint))
    }

    /// The constraint that an index is in range; none if it cannot be out of it.
    fn in_range(&mut self, index: Term, length: usize) -> Vec<Term> {
        let width = self.model.width(index);
        if length as u64 > width.mask() {
            return Vec::new();
        }
        let length = self.model.constant_term(width, length as u64);
        vec![self.model.compare(IntCmp::Ult, index, length)]
    }
}
