//! Numbers: constant expressions over the integers, and numbers that take the type of their surroundings.

use super::{Builder, Built, LONGEST_ARRAY};
use crate::diagnostic::Problem;
use crate::syntax::{Expr, ExprKind, Operator, Prefix};
use crate::types::Type;

/// Whether an expression is made of numbers without a type, so that its surroundings give it one.
pub(super) fn bare(expression: &Expr<'_>) -> bool {
    match &expression.kind {
        ExprKind::Number(_, ty) => ty.is_none(),
        ExprKind::Prefix(Prefix::Complement | Prefix::Minus, operand) => bare(operand),
        ExprKind::Chain(first, rest) => {
            let arithmetic = rest.iter().all(|(operator, _)| operator.is_arithmetic());
            arithmetic && bare(first) && rest.iter().all(|(_, operand)| bare(operand))
        }
        ExprKind::Choice(parts) => bare(&parts[1]) && bare(&parts[2]),
        ExprKind::Call(name, arguments) => {
            matches!(name.text, "sum" | "clz" | "ctz" | "popcount" | "bswap") && arguments.iter().all(bare)
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
}

impl Builder<'_> {
    /// The bits of a number in a type.
    pub(super) fn bits(&mut self, expression: &Expr<'_>, number: i128, ty: Type) -> Built<u64> {
        if let Some(bits) = ty.bits(number) {
            return Ok(bits);
        }
        let (low, high) = ty.bounds();
        let message = format!("{number} is no `{ty}`, which has {low} to {high}");
        self.error(&expression.span, message)
    }

    /// A range of a type, clockwise from the first number to the last.
    pub(super) fn range(
        &mut self,
        range: Option<&(Expr<'_>, Expr<'_>)>,
        ty: Type,
    ) -> Built<Option<(u64, u64)>> {
        let Some((first, last)) = range else { return Ok(None) };
        let mut bound = |expression: &Expr<'_>| {
            let number = self.integer(expression)?;
            self.bits(expression, number, ty)
        };
        let (first, last) = (bound(first), bound(last));
        Ok(Some((first?, last?)))
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

/// The value of an expression of numbers, over the integers.
fn constant(expression: &Expr<'_>) -> Result<i128, &'static str> {
    match &expression.kind {
        ExprKind::Number(value, _) => Ok(*value),
        ExprKind::Prefix(Prefix::Minus, operand) => Ok(-constant(operand)?),
        ExprKind::Call(name, arguments) if matches!(name.text, "min" | "max") => {
            let ty = arguments.first().and_then(type_name).filter(|_| arguments.len() == 1);
            let (low, high) = ty.ok_or("a constant number should stand here")?.bounds();
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
