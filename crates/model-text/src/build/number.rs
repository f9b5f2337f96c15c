//! Numbers: constant expressions over the integers, and numbers that take the type of their surroundings.

use quipu_num::FloatWidth;

use super::float::float_function;
use super::{Builder, Built, LONGEST_ARRAY};
use crate::diagnostic::Problem;
use crate::float_text;
use crate::parse::OPERATORS;
use crate::syntax::{Expr, ExprKind, Operator, Prefix};
use crate::types::Type;

/// Whether an expression is made of numbers without a type, so that its surroundings give it one.
pub(super) fn bare(expression: &Expr<'_>) -> bool {
    match &expression.kind {
        ExprKind::Number(_, ty) => ty.is_none(),
        ExprKind::Float(_, w) => w.is_none(),
        ExprKind::Prefix(Prefix::Complement | Prefix::Minus, operand) => bare(operand),
        ExprKind::Chain(first, rest) => {
            let arithmetic = rest.iter().all(|(operator, _)| operator.is_arithmetic());
            arithmetic && bare(first) && rest.iter().all(|(_, operand)| bare(operand))
        }
        ExprKind::Choice(parts) => bare(&parts[1]) && bare(&parts[2]),
        ExprKind::Call(name, arguments) => {
            let takes_the_type = matches!(name.text, "sum" | "clz" | "ctz" | "popcount" | "bswap")
                || float_function(name.text).is_some();
            takes_the_type && arguments.iter().all(bare)
        }
        ExprKind::List(items) => items.iter().all(bare),
        ExprKind::Index(array, _) => bare(array),
        _ => false,
    }
}

/// The type that an argument names.
pub(super) fn type_name(expression: &Expr<'_>) -> Option<Type> {
    match expression.kind {
        ExprKind::Name(name) => Type::named(name),
        _ => None,
    }
}

impl Operator {
    pub fn is_arithmetic(self) -> bool {
        use Operator::*;
        matches!(
            self,
            BitOr | BitXor | BitAnd | ShiftLeft | ShiftRight | Add | Subtract | Multiply | Divide | Remainder
        )
    }

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        OPERATORS.iter().find(|(_, operator, _)| *operator == self).map_or("", |&(symbol, ..)| symbol)
    }
}

impl Builder<'_> {
    /// The bits of a number in a type, the rank if it is one of floats.
    pub(super) fn bits(&mut self, expression: &Expr<'_>, number: i128, ty: Type) -> Built<u64> {
        let integer = match ty {
            Type::Integer(integer) => integer,
            Type::Float(w) => return self.exact_float(expression, number, w),
        };
        if let Some(bits) = integer.bits(number) {
            return Ok(bits);
        }
        let (low, high) = integer.bounds();
        let message = format!("{number} is no `{ty}`, which has {low} to {high}");
        self.error(&expression.span, message)
    }

    /// An integer as a float: only a number with a point is rounded.
    fn exact_float(&mut self, expression: &Expr<'_>, number: i128, w: FloatWidth) -> Built<u64> {
        if let Some(rank) = float_text::rank_of_integer(w, number) {
            return Ok(rank);
        }
        let message = format!("{number} is no `{}`, but lies between two", Type::Float(w));
        let hint = format!("write `{number}.0` for the nearest one");
        self.fail(Problem::new(expression.span.clone(), message).hint(hint))
    }

    /// A range of a type, clockwise from the first number to the last.
    pub(super) fn range(
        &mut self,
        range: Option<&(Expr<'_>, Expr<'_>)>,
        ty: Type,
    ) -> Built<Option<(u64, u64)>> {
        let Some((first, last)) = range else { return Ok(None) };
        let mut bound = |expression: &Expr<'_>| match ty {
            Type::Float(w) => self.float_constant(expression, w),
            Type::Integer(_) => {
                let number = self.integer(expression)?;
                self.bits(expression, number, ty)
            }
        };
        let (first, last) = (bound(first), bound(last));
        Ok(Some((first?, last?)))
    }

    /// The rank of a float that is written out, or of `min(f64)`, `max(f64)`.
    fn float_constant(&mut self, expression: &Expr<'_>, w: FloatWidth) -> Built<u64> {
        match &expression.kind {
            ExprKind::Float(literal, written) if written.is_none_or(|written| written == w) => {
                self.rank_of(&expression.span, *literal, w)
            }
            ExprKind::Call(name, arguments) if matches!(name.text, "min" | "max") => {
                match arguments.first().and_then(type_name).filter(|_| arguments.len() == 1) {
                    Some(ty) if ty == Type::Float(w) => Ok(extreme(name.text, ty)),
                    _ => self.error(
                        &expression.span,
                        format!("a constant `{}` should stand here", Type::Float(w)),
                    ),
                }
            }
            ExprKind::Number(number, None) => self.exact_float(expression, *number, w),
            _ => self.error(&expression.span, format!("a constant `{}` should stand here", Type::Float(w))),
        }
    }

    /// The length of an array.
    pub(super) fn size(&mut self, size: Option<&Expr<'_>>) -> Built<Option<usize>> {
        let Some(expression) = size else { return Ok(None) };
        let number = self.integer(expression)?;
        match usize::try_from(number) {
            Ok(size @ 1..=LONGEST_ARRAY) => Ok(Some(size)),
            _ => self
                .error(&expression.span, format!("an array has 1 to {LONGEST_ARRAY} elements, not {number}")),
        }
    }

    /// The value of a constant expression.
    pub(super) fn integer(&mut self, expression: &Expr<'_>) -> Built<i128> {
        match constant(expression) {
            Ok(value) => Ok(value),
            Err(why) => self.fail(Problem::new(expression.span.clone(), why)),
        }
    }
}

/// The smallest, or the largest, number of a type; of floats, the finite one.
pub(super) fn extreme(name: &str, ty: Type) -> u64 {
    let smallest = name == "min";
    match ty {
        Type::Integer(integer) => {
            let (low, high) = integer.bounds();
            integer.wrapped(if smallest { low } else { high })
        }
        Type::Float(w) if smallest => float_text::least(w),
        Type::Float(w) => float_text::greatest(w),
    }
}

/// The value of an expression of numbers, over the integers.
fn constant(expression: &Expr<'_>) -> Result<i128, &'static str> {
    match &expression.kind {
        ExprKind::Number(value, _) => Ok(*value),
        ExprKind::Prefix(Prefix::Minus, operand) => Ok(-constant(operand)?),
        ExprKind::Call(name, arguments) if matches!(name.text, "min" | "max") => {
            let ty = arguments.first().and_then(type_name).filter(|_| arguments.len() == 1);
            let Some(Type::Integer(integer)) = ty else { return Err("a constant number should stand here") };
            let (low, high) = integer.bounds();
            Ok(if name.text == "min" { low } else { high })
        }
        ExprKind::Chain(first, rest) => {
            rest.iter().try_fold(constant(first)?, |value, (operator, operand)| {
                let operand = constant(operand)?;
                let result = match operator {
                    Operator::Add => value.checked_add(operand),
                    Operator::Subtract => value.checked_sub(operand),
                    Operator::Multiply => value.checked_mul(operand),
                    Operator::Divide => value.checked_div(operand),
                    Operator::Remainder => value.checked_rem(operand),
                    Operator::ShiftLeft if (0..64).contains(&operand) => value.checked_mul(1 << operand),
                    _ => return Err("a constant number should stand here"),
                };
                result.filter(|n| n.unsigned_abs() < 1 << 100).ok_or("this number cannot be computed")
            })
        }
        _ => Err("a constant number should stand here"),
    }
}
