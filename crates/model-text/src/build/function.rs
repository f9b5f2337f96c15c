//! The functions of the language.

use quipu_model::Term;
use quipu_num::{Guard, IntUnary, Width};

use super::float::float_function;
use super::number::{bare, extreme, type_name};
use super::{Builder, Built, Position, Typed};
use crate::diagnostic::{Problem, Span};
use crate::syntax::{Expr, ExprKind, Name, Operator, Prefix};
use crate::types::{Integer, Type};

/// The names of all functions; no relation can have one of them.
pub(crate) const FUNCTIONS: [&str; 43] = [
    "clz",
    "ctz",
    "popcount",
    "bswap",
    "add_fits",
    "sub_fits",
    "mul_fits",
    "quotient_fits",
    "shl_fits",
    "nonzero",
    "any_bit",
    "shift_in_range",
    "index_below",
    "index_at_most",
    "sum",
    "all",
    "any",
    "element",
    "update",
    "min",
    "max",
    "w",
    "abs",
    "sqrt",
    "floor",
    "ceil",
    "trunc",
    "round",
    "roundeven",
    "fmod",
    "copysign",
    "fma",
    "is_nan",
    "is_inf",
    "is_finite",
    "is_normal",
    "sign_bit",
    "float_fits",
    "bits",
    "rank",
    "from_bits",
    "from_rank",
    "same",
];

type GuardOf = fn(Width) -> Guard;

impl Builder<'_> {
    pub(super) fn function(
        &mut self,
        name: &Name<'_>,
        arguments: &[Expr<'_>],
        hint: Option<Type>,
        position: Position,
    ) -> Built<Typed> {
        let truth = |term| Typed { term, ty: Type::BOOL };
        // `min(f64)` is about a type, `min(x, y)` about floats.
        if let Some(function) = float_function(name.text)
            && !(matches!(name.text, "min" | "max") && arguments.len() == 1)
        {
            return self.float_call(function, name, arguments, hint);
        }
        match name.text {
            "clz" => self.unary(IntUnary::Clz, name, arguments, hint),
            "ctz" => self.unary(IntUnary::Ctz, name, arguments, hint),
            "popcount" => self.unary(IntUnary::Popcount, name, arguments, hint),
            "bswap" => self.unary(IntUnary::Bswap, name, arguments, hint),
            "add_fits" => self.signed_guard(Guard::AddFits, name, arguments).map(truth),
            "sub_fits" => self.signed_guard(Guard::SubFits, name, arguments).map(truth),
            "mul_fits" => self.signed_guard(Guard::MulFits, name, arguments).map(truth),
            "quotient_fits" => self.signed_guard(Guard::QuotientFits, name, arguments).map(truth),
            "shl_fits" => self.signed_guard(Guard::ShlFits, name, arguments).map(truth),
            "nonzero" => self.zero_guard(Guard::NonZero, name, arguments).map(truth),
            "any_bit" => self.zero_guard(Guard::AnyBit, name, arguments).map(truth),
            "shift_in_range" => self.shift_guard(name, arguments).map(truth),
            "index_below" => self.index_guard(Guard::IndexBelow, name, arguments).map(truth),
            "index_at_most" => self.index_guard(Guard::IndexAtMost, name, arguments).map(truth),
            "sum" => self.sum(name, arguments, hint),
            "all" | "any" => {
                let items = self.truths(arguments, position)?;
                let all = name.text == "all";
                Ok(truth(if all { self.model.all(items) } else { self.model.any(items) }))
            }
            "element" => self.exactly(name, arguments).and_then(|three| self.element(three)).map(truth),
            "update" => {
                let four = self.exactly(name, arguments)?;
                self.update(four, &name.span).map(truth)
            }
            "min" | "max" => self.extreme(name, arguments),
            "is_nan" | "is_inf" | "is_finite" | "is_normal" | "sign_bit" => {
                self.float_predicate(name, arguments).map(truth)
            }
            "float_fits" => self.float_guard(name, arguments).map(truth),
            "bits" | "rank" => self.float_code(name, arguments),
            "from_bits" | "from_rank" => self.float_of_code(name, arguments, hint),
            "same" => {
                let [a, b] = self.exactly(name, arguments)?;
                let (terms, _) = self.operands(&[a, b], None)?;
                Ok(truth(self.model.equal(terms[0], terms[1])))
            }
            _ => self.error(&name.span, "the loop operator is a statement, not an expression"),
        }
    }

    /// The arguments, if there are as many as the function takes.
    pub(super) fn exactly<'e, 'a, const N: usize>(
        &mut self,
        name: &Name<'_>,
        arguments: &'e [Expr<'a>],
    ) -> Built<[&'e Expr<'a>; N]> {
        let references: Vec<&'e Expr<'a>> = arguments.iter().collect();
        match references.try_into() {
            Ok(array) => Ok(array),
            Err(_) => self.wrong_number(name, &N.to_string(), arguments.len()),
        }
    }

    pub(super) fn wrong_number<T>(&mut self, name: &Name<'_>, wanted: &str, found: usize) -> Built<T> {
        let plural = if wanted == "1" { "" } else { "s" };
        self.error(&name.span, format!("`{}` takes {wanted} argument{plural}, not {found}", name.text))
    }

    fn unary(
        &mut self,
        op: IntUnary,
        name: &Name<'_>,
        arguments: &[Expr<'_>],
        hint: Option<Type>,
    ) -> Built<Typed> {
        let [operand] = self.exactly(name, arguments)?;
        let Typed { term, ty } = self.scalar(operand, hint, Position::Other)?;
        if ty.float().is_some() {
            return self.about_integers(name.text, &operand.span, ty);
        }
        Ok(Typed { term: self.model.unary(op, term), ty })
    }

    /// A condition of C on signed operands.
    fn signed_guard(&mut self, guard: GuardOf, name: &Name<'_>, arguments: &[Expr<'_>]) -> Built<Term> {
        let [a, b] = self.exactly(name, arguments)?;
        let (terms, Integer { signed, width }) = self.integers(name, a, b)?;
        if !signed {
            let ty = Type::unsigned(width);
            let signed = Type::Integer(Integer { signed: true, width });
            let hint = self.conversion(&a.span, ty, signed);
            let message = format!("`{}` is about signed numbers, and this has type `{ty}`", name.text);
            return self.fail(Problem::new(a.span.clone(), message).hint(hint));
        }
        Ok(self.model.guard(guard(width), terms[0], terms[1]))
    }

    /// Two operands that are integers of one type.
    fn integers(&mut self, name: &Name<'_>, a: &Expr<'_>, b: &Expr<'_>) -> Built<(Vec<Term>, Integer)> {
        let (terms, ty) = self.operands(&[a, b], None)?;
        match ty {
            Type::Integer(integer) => Ok((terms, integer)),
            Type::Float(_) => self.about_integers(name.text, &a.span, ty),
        }
    }

    /// A condition on the second operand: `nonzero(y)` or `nonzero(x, y)`.
    fn zero_guard(&mut self, guard: GuardOf, name: &Name<'_>, arguments: &[Expr<'_>]) -> Built<Term> {
        let (a, b) = match arguments {
            [only] => (only, only),
            [a, b] => (a, b),
            _ => return self.wrong_number(name, "1 or 2", arguments.len()),
        };
        let (terms, integer) = self.integers(name, a, b)?;
        Ok(self.model.guard(guard(integer.width), terms[0], terms[1]))
    }

    fn index_guard(&mut self, guard: GuardOf, name: &Name<'_>, arguments: &[Expr<'_>]) -> Built<Term> {
        let [a, b] = self.exactly(name, arguments)?;
        let (terms, integer) = self.integers(name, a, b)?;
        Ok(self.model.guard(guard(integer.width), terms[0], terms[1]))
    }

    /// `shift_in_range(x, n)`: `x` may be shifted by `n`. `shift_in_range(m, n, u32)`: so may a `u32`, and
    /// `m` is ignored.
    fn shift_guard(&mut self, name: &Name<'_>, arguments: &[Expr<'_>]) -> Built<Term> {
        match arguments {
            [shifted, amount] => {
                let (ty, at) = (self.scalar(shifted, None, Position::Other)?.ty, &shifted.span);
                let Type::Integer(shifted) = ty else { return self.about_integers(name.text, at, ty) };
                let at = &amount.span;
                let amount = self.scalar(amount, Some(ty), Position::Other)?;
                let Type::Integer(Integer { width, .. }) = amount.ty else {
                    return self.about_integers(name.text, at, amount.ty);
                };
                let guard = Guard::ShiftInRange { amount: width, shifted: shifted.width };
                Ok(self.model.guard(guard, amount.term, amount.term))
            }
            [a, b, shifted] => {
                let Some(Type::Integer(shifted)) = type_name(shifted) else {
                    let message = "the third argument of `shift_in_range` is a type of integers";
                    return self.error(&shifted.span, message);
                };
                let (terms, amount) = self.integers(name, a, b)?;
                let guard = Guard::ShiftInRange { amount: amount.width, shifted: shifted.width };
                Ok(self.model.guard(guard, terms[0], terms[1]))
            }
            _ => self.wrong_number(name, "2 or 3", arguments.len()),
        }
    }

    /// Truth values; an array stands for its elements.
    fn truths(&mut self, arguments: &[Expr<'_>], position: Position) -> Built<Vec<Term>> {
        let mut items = Vec::new();
        for argument in arguments {
            for value in self.values(argument, Some(Type::BOOL), position)? {
                if value.ty != Type::BOOL {
                    let hint = self.conversion(&argument.span, value.ty, Type::BOOL);
                    let message = format!("this should have type `bool`, and has type `{}`", value.ty);
                    return self.fail(Problem::new(argument.span.clone(), message).hint(hint));
                }
                items.push(value.term);
            }
        }
        Ok(items)
    }

    /// `sum(5, 2*x, -y, z)`.
    fn sum(&mut self, name: &Name<'_>, arguments: &[Expr<'_>], hint: Option<Type>) -> Built<Typed> {
        let parts: Vec<Part<'_, '_>> = arguments.iter().map(Part::of).collect();
        let mut known = parts.iter().find_map(Part::constant_type);
        let mut values: Vec<Vec<Typed>> = vec![Vec::new(); parts.len()];
        for wanted_bare in [false, true] {
            for (part, values) in parts.iter().zip(&mut values) {
                let Some(factor) = part.factor.filter(|factor| bare(factor) == wanted_bare) else { continue };
                *values = self.values(factor, known.or(hint), Position::Other)?;
                let found = values.first().map(|value| value.ty);
                self.same_type(&factor.span, known, found)?;
                known = known.or(found);
            }
        }
        let Some(ty) = known.or(hint) else { return self.untyped(&name.span) };
        let Type::Integer(integer) = ty else {
            return self.about_integers(name.text, &arguments[0].span, ty);
        };
        let (mut constant, mut products) = (0_u64, Vec::new());
        for (part, values) in parts.iter().zip(values) {
            let coefficient = self.coefficient(part, integer)?;
            if part.factor.is_none() {
                constant = constant.wrapping_add(coefficient);
            }
            products.extend(values.into_iter().map(|value| (coefficient, value.term)));
        }
        Ok(Typed { term: self.model.sum(integer.width, constant, products), ty })
    }

    fn same_type(&mut self, span: &Span, known: Option<Type>, found: Option<Type>) -> Built<()> {
        match (known, found) {
            (Some(known), Some(found)) if known != found => {
                let message = format!("this has type `{found}`, and the rest of the sum has type `{known}`");
                let hint = self.conversion(span, found, known);
                self.fail(Problem::new(span.clone(), message).hint(hint))
            }
            _ => Ok(()),
        }
    }

    /// A coefficient or constant modulo the width; negative ones too.
    fn coefficient(&mut self, part: &Part<'_, '_>, ty: Integer) -> Built<u64> {
        let limit = 1_i128 << ty.width.bits();
        if -limit < part.number && part.number < limit {
            return Ok(ty.wrapped(part.number));
        }
        self.error(&part.whole.span, format!("{} has more bits than `{}`", part.number, Type::Integer(ty)))
    }

    /// `min(i8)`: the smallest number of a type.
    fn extreme(&mut self, name: &Name<'_>, arguments: &[Expr<'_>]) -> Built<Typed> {
        let [argument] = self.exactly(name, arguments)?;
        let Some(ty) = type_name(argument) else {
            let problem = Problem::new(argument.span.clone(), format!("`{}` is of a type", name.text));
            return self.fail(problem.hint("write a type, as in `max(u8)`"));
        };
        let bits = extreme(name.text, ty);
        Ok(Typed { term: self.model.constant_term(ty.width(), bits), ty })
    }
}

/// An argument of a sum: a number, or a number times a factor.
struct Part<'e, 'a> {
    whole: &'e Expr<'a>,
    number: i128,
    factor: Option<&'e Expr<'a>>,
}

impl<'e, 'a> Part<'e, 'a> {
    fn of(whole: &'e Expr<'a>) -> Part<'e, 'a> {
        let (number, factor) = match &whole.kind {
            ExprKind::Number(number, _) => (*number, None),
            ExprKind::Prefix(Prefix::Minus, factor) => (-1, Some(&**factor)),
            ExprKind::Chain(first, rest) => match (&first.kind, &rest[..]) {
                (ExprKind::Number(number, _), [(Operator::Multiply, factor)]) => (*number, Some(factor)),
                _ => (1, Some(whole)),
            },
            _ => (1, Some(whole)),
        };
        Part { whole, number, factor }
    }

    fn constant_type(&self) -> Option<Type> {
        match &self.whole.kind {
            ExprKind::Number(_, ty) => *ty,
            ExprKind::Chain(first, _) => match first.kind {
                ExprKind::Number(_, ty) => ty,
                _ => None,
            },
            _ => None,
        }
    }
}
