//! Floats: literals, operators, functions, and conversions from and to integers. A float is a term by its rank.

use quipu_model::Term;
use quipu_num::{Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, IntCmp, MathFn, rank};

use super::number::type_name;
use super::{Builder, Built, Position, Typed};
use crate::diagnostic::{Problem, Span};
use crate::float_text::{Literal, Magnitude};
use crate::syntax::{Expr, Name, Operator};
use crate::types::{Integer, Type, float_of};

/// The functions of floats whose result is one, with their names.
const FLOAT_FUNCTIONS: [(FloatFn, &str); 12] = [
    (FloatFn::Unary(FloatUnary::Abs), "abs"),
    (FloatFn::Unary(FloatUnary::Sqrt), "sqrt"),
    (FloatFn::Unary(FloatUnary::Floor), "floor"),
    (FloatFn::Unary(FloatUnary::Ceil), "ceil"),
    (FloatFn::Unary(FloatUnary::Trunc), "trunc"),
    (FloatFn::Unary(FloatUnary::Round), "round"),
    (FloatFn::Unary(FloatUnary::RoundEven), "roundeven"),
    (FloatFn::Op(FloatOp::Rem), "fmod"),
    (FloatFn::Op(FloatOp::Min), "min"),
    (FloatFn::Op(FloatOp::Max), "max"),
    (FloatFn::Op(FloatOp::CopySign), "copysign"),
    (FloatFn::Fma, "fma"),
];

/// The function of floats with a name.
pub(super) fn float_function(name: &str) -> Option<FloatFn> {
    let own = FLOAT_FUNCTIONS.iter().find(|(_, other)| *other == name).map(|&(function, _)| function);
    own.or_else(|| {
        MathFn::ALL.iter().find(|(_, other)| *other == name).map(|&(function, _)| FloatFn::Math(function))
    })
}

/// The name of a function of floats that is no operator.
pub(crate) fn float_function_name(function: FloatFn) -> &'static str {
    let own = FLOAT_FUNCTIONS.iter().find(|(other, _)| *other == function).map(|&(_, name)| name);
    let math =
        MathFn::ALL.iter().find(|&&(other, _)| FloatFn::Math(other) == function).map(|&(_, name)| name);
    own.or(math).expect("a function that is no operator has a name")
}

impl Builder<'_> {
    /// A float that is written out, in the type behind it or in that of its surroundings.
    pub(super) fn float_literal(
        &mut self,
        span: &Span,
        literal: Literal<'_>,
        ty: Option<Type>,
    ) -> Built<Typed> {
        let w = match ty {
            Some(Type::Float(w)) => w,
            Some(ty) => return self.no_integer(span, literal, ty),
            None => return self.untyped_float(span, literal),
        };
        let rank = self.rank_of(span, literal, w)?;
        Ok(Typed { term: self.model.constant_term(w.width(), rank), ty: Type::Float(w) })
    }

    pub(super) fn rank_of(&mut self, span: &Span, literal: Literal<'_>, w: FloatWidth) -> Built<u64> {
        if let Some(rank) = literal.rank(w) {
            return Ok(rank);
        }
        let ty = Type::Float(w);
        let text = self.text[span.clone()].to_owned();
        if matches!(literal.magnitude, Magnitude::Nan(_)) {
            return self.error(span, format!("`{text}` does not have the bits of a NaN of type `{ty}`"));
        }
        let greatest = ty.show(crate::float_text::greatest(w));
        let message = format!("{text} is no `{ty}`, which has up to {greatest}");
        self.fail(Problem::new(span.clone(), message).hint("write `inf` for the infinity"))
    }

    fn no_integer<T>(&mut self, span: &Span, literal: Literal<'_>, ty: Type) -> Built<T> {
        let text = self.text[span.clone()].to_owned();
        let typed = typed_text(&text, literal);
        let hint = format!("convert what it is combined with by `as f64`, or write `({typed}) as {ty}`");
        self.fail(Problem::new(span.clone(), format!("{text} is no `{ty}`")).hint(hint))
    }

    fn untyped_float<T>(&mut self, span: &Span, literal: Literal<'_>) -> Built<T> {
        let text = typed_text(&self.text[span.clone()], literal);
        let problem = Problem::new(span.clone(), "nothing here gives this number a type");
        self.fail(problem.hint(format!("write the type behind it, as in `{text}`")))
    }

    /// `-x`.
    pub(super) fn negated(&mut self, w: FloatWidth, term: Term) -> Term {
        self.model.float(FloatFn::Unary(FloatUnary::Neg), w, &[term])
    }

    /// An arithmetic operator on floats.
    pub(super) fn float_operation(
        &mut self,
        operator: Operator,
        w: FloatWidth,
        [a, b]: [Term; 2],
        spans: [&Span; 2],
    ) -> Built<Term> {
        let op = match operator {
            Operator::Add => FloatOp::Add,
            Operator::Subtract => FloatOp::Sub,
            Operator::Multiply => FloatOp::Mul,
            Operator::Divide => FloatOp::Div,
            _ => return self.not_of_floats(operator, w, spans),
        };
        Ok(self.model.float(FloatFn::Op(op), w, &[a, b]))
    }

    fn not_of_floats<T>(&mut self, operator: Operator, w: FloatWidth, [a, b]: [&Span; 2]) -> Built<T> {
        let symbol = operator.symbol();
        let message = format!("`{symbol}` is about integers, and this has type `{}`", Type::Float(w));
        let (first, second) = (self.written(a), self.written(b));
        let hint = match operator {
            Operator::Remainder => format!("write `fmod({first}, {second})`"),
            _ => format!("write `bits({first})` for the bits of it, or convert it by `as`"),
        };
        self.fail(Problem::new(a.clone(), message).hint(hint))
    }

    /// A comparison with the meaning of C: false if an operand is a NaN, but for `!=`.
    pub(super) fn float_comparison(&mut self, operator: Operator, w: FloatWidth, a: Term, b: Term) -> Term {
        let (cmp, operands) = match operator {
            Operator::Equal => (FloatCmp::Eq, [a, b]),
            Operator::Different => (FloatCmp::Ne, [a, b]),
            Operator::Less => (FloatCmp::Lt, [a, b]),
            Operator::AtMost => (FloatCmp::Le, [a, b]),
            Operator::Greater => (FloatCmp::Lt, [b, a]),
            _ => (FloatCmp::Le, [b, a]),
        };
        self.model.float(FloatFn::Compare(cmp), w, &operands)
    }

    /// `sqrt(x)`, `fma(x, y, z)`.
    pub(super) fn float_call(
        &mut self,
        function: FloatFn,
        name: &Name<'_>,
        arguments: &[Expr<'_>],
        hint: Option<Type>,
    ) -> Built<Typed> {
        if arguments.len() != function.arity() {
            return self.wrong_number(name, &function.arity().to_string(), arguments.len());
        }
        let operands: Vec<&Expr<'_>> = arguments.iter().collect();
        let (terms, w) = self.floats(name, &operands, hint)?;
        Ok(Typed { term: self.model.float(function, w, &terms), ty: Type::Float(w) })
    }

    /// Operands that are floats of one type.
    fn floats(
        &mut self,
        name: &Name<'_>,
        operands: &[&Expr<'_>],
        hint: Option<Type>,
    ) -> Built<(Vec<Term>, FloatWidth)> {
        let hint = hint.filter(|ty| ty.float().is_some());
        let (terms, ty) = self.operands(operands, hint)?;
        match ty {
            Type::Float(w) => Ok((terms, w)),
            Type::Integer(_) => {
                let span = &operands[0].span;
                let message = format!("`{}` is about floats, and this has type `{ty}`", name.text);
                let hint = format!("write `{} as f64`", self.written(span));
                self.fail(Problem::new(span.clone(), message).hint(hint))
            }
        }
    }

    fn one_float(&mut self, name: &Name<'_>, arguments: &[Expr<'_>]) -> Built<(Term, FloatWidth)> {
        let [operand] = self.exactly(name, arguments)?;
        let (terms, w) = self.floats(name, &[operand], None)?;
        Ok((terms[0], w))
    }

    /// `is_nan(x)` and its like.
    pub(super) fn float_predicate(&mut self, name: &Name<'_>, arguments: &[Expr<'_>]) -> Built<Term> {
        let (x, w) = self.one_float(name, arguments)?;
        let width = w.width();
        let compare = FloatFn::Compare;
        if name.text == "is_nan" {
            return Ok(self.model.float(compare(FloatCmp::Ne), w, &[x, x]));
        }
        if name.text == "sign_bit" {
            let zero = self.model.constant_term(width, rank(w, 0));
            return Ok(self.model.compare(IntCmp::Ult, x, zero));
        }
        let magnitude = self.model.float(FloatFn::Unary(FloatUnary::Abs), w, &[x]);
        let infinity = self.model.constant_term(width, quipu_num::number_ranks(w).1);
        let finite = self.model.float(compare(FloatCmp::Lt), w, &[magnitude, infinity]);
        Ok(match name.text {
            "is_inf" => self.model.float(compare(FloatCmp::Eq), w, &[magnitude, infinity]),
            "is_finite" => finite,
            _ => {
                let least = self.model.constant_term(width, rank(w, least_normal(w)));
                let normal = self.model.float(compare(FloatCmp::Le), w, &[least, magnitude]);
                self.model.all([normal, finite])
            }
        })
    }

    /// `bits(x)`: how the float is stored; `rank(x)`: its place in the order of floats.
    pub(super) fn float_code(&mut self, name: &Name<'_>, arguments: &[Expr<'_>]) -> Built<Typed> {
        let (x, w) = self.one_float(name, arguments)?;
        let term = if name.text == "bits" { self.model.cast(Cast::FloatBits(w), x) } else { x };
        Ok(Typed { term, ty: Type::unsigned(w.width()) })
    }

    /// `from_bits(n)` and `from_rank(n)`: the float with such a code.
    pub(super) fn float_of_code(
        &mut self,
        name: &Name<'_>,
        arguments: &[Expr<'_>],
        hint: Option<Type>,
    ) -> Built<Typed> {
        let [operand] = self.exactly(name, arguments)?;
        let hint = hint.and_then(Type::float).map(|w| Type::unsigned(w.width()));
        let Typed { term, ty } = self.scalar(operand, hint, Position::Other)?;
        let Some(w) = float_of(ty.width()).filter(|_| ty.float().is_none()) else {
            let message = format!("`{}` takes an integer of 32 or 64 bits, not a `{ty}`", name.text);
            let hint = format!("write `{} as u32`", self.written(&operand.span));
            let problem = Problem::new(operand.span.clone(), message);
            return self.fail(if ty.float().is_some() { problem } else { problem.hint(hint) });
        };
        let term = if name.text == "from_bits" { self.model.cast(Cast::BitsFloat(w), term) } else { term };
        Ok(Typed { term, ty: Type::Float(w) })
    }

    /// `float_fits(x, i32)`: the truncated float is an `i32`. A second float, in front of the type, is ignored.
    pub(super) fn float_guard(&mut self, name: &Name<'_>, arguments: &[Expr<'_>]) -> Built<Term> {
        let (a, b, ty) = match arguments {
            [a, ty] => (a, a, ty),
            [a, b, ty] => (a, b, ty),
            _ => return self.wrong_number(name, "2 or 3", arguments.len()),
        };
        let Some(Type::Integer(Integer { signed, width: to })) = type_name(ty) else {
            return self.error(&ty.span, "the last argument of `float_fits` is a type of integers");
        };
        let (terms, from) = self.floats(name, &[a, b], None)?;
        Ok(self.model.guard(Guard::FloatFits { from, to, signed }, terms[0], terms[1]))
    }

    /// A value converted to a type: a float to the nearest float, an integer to the nearest float, a float truncated
    /// to an integer, an integer cut or filled.
    pub(super) fn converted(&mut self, term: Term, from: Type, to: Type) -> Term {
        let cast = match (from, to) {
            (Type::Integer(from), Type::Integer(to)) => {
                return self.model.resize(term, to.width, from.signed);
            }
            (Type::Float(from), Type::Float(to)) if from == to => return term,
            (Type::Float(FloatWidth::F32), Type::Float(_)) => Cast::Widen,
            (Type::Float(FloatWidth::F64), Type::Float(_)) => Cast::Narrow,
            (Type::Integer(from), Type::Float(to)) if from.signed => Cast::SignedToFloat(from.width, to),
            (Type::Integer(from), Type::Float(to)) => Cast::UnsignedToFloat(from.width, to),
            (Type::Float(from), Type::Integer(to)) if to.signed => Cast::FloatToSigned(from, to.width),
            (Type::Float(from), Type::Integer(to)) => Cast::FloatToUnsigned(from, to.width),
        };
        self.model.cast(cast, term)
    }
}

/// A literal with a type.
fn typed_text(text: &str, literal: Literal<'_>) -> String {
    match literal.magnitude {
        Magnitude::Digits(_) => format!("{text}f64"),
        Magnitude::Infinity | Magnitude::Nan(_) => format!("{text} as f64"),
    }
}

/// The bits of the smallest normal number.
fn least_normal(w: FloatWidth) -> u64 {
    match w {
        FloatWidth::F32 => f32::MIN_POSITIVE.to_bits().into(),
        FloatWidth::F64 => f64::MIN_POSITIVE.to_bits(),
    }
}
