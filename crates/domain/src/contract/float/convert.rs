//! Conversions between floats and integers, and between the two formats: all are monotone.

use super::format::Format;
use super::monotone::{self, Monotone};
use super::pieces::Kind;
use super::rule::{Left, Rule, Signature};
use super::span::Span;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{Cast, FloatWidth, Guard, Width, cast};
use std::marker::PhantomData;

/// Contracts `z = (integer)x`, truncated towards zero and saturated; 0 for a NaN.
pub(super) fn to_integer<F: Format>(to: Width, is_signed: bool, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let result = Kind::integer(to, is_signed);
    let rule = Truncated::<F> { to, is_signed, format: PhantomData };
    monotone_cast(&rule, Signature { operands: [Kind::float::<F>()], result, of_nan: result.code(0) }, x, z)
}

/// Contracts `z = (float)x`, rounded to nearest.
pub(super) fn from_integer<F: Format>(
    from: Width,
    is_signed: bool,
    x: Domain,
    z: Domain,
) -> Option<[Domain; 2]> {
    let rule = Converted::<F> { from, is_signed, format: PhantomData };
    let operands = [Kind::integer(from, is_signed)];
    monotone_cast(&rule, Signature { operands, result: Kind::float::<F>(), of_nan: F::NAN }, x, z)
}

/// Contracts `z = (G)x`, rounded to nearest.
pub(super) fn to_format<F: Format, G: Format>(x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let rule = Reformatted::<F, G>(PhantomData);
    let signature = Signature { operands: [Kind::float::<F>()], result: Kind::float::<G>(), of_nan: G::NAN };
    monotone_cast(&rule, signature, x, z)
}

/// Contracts `b`: whether `x`, truncated, is an integer of a width.
pub(super) fn fits<F: Format>(to: Width, is_signed: bool, x: Domain, b: Domain) -> Option<[Domain; 2]> {
    let guard = Guard::FloatFits { from: FloatWidth::F64, to, signed: is_signed };
    let holds = |rank: u64| guard.holds((F::value(rank).to_bits(), 0));
    let limit = 2.0f64.powi(to.bits() as i32 - i32::from(is_signed));
    let (least, most) = if is_signed { (-limit - 1.0, limit) } else { (-1.0, limit) };
    let lo = F::NEGATIVE.first(|| F::nearest(least), holds).expect("zero should fit");
    let hi = F::POSITIVE.last(|| F::nearest(most), holds).expect("zero should fit");
    let fitting = Interval::new(F::WIDTH, lo, hi);
    let others = fitting.complement(F::WIDTH).expect("a NaN should not fit");
    let left = |is_true: bool| x.narrow(F::WIDTH, if is_true { fitting } else { others });
    let truth = |is_true: bool| left(is_true).map(|x| [x, Domain::truth(is_true)]);
    match b.is_singleton() {
        Some(value) => truth(value == 1),
        None => match (truth(false), truth(true)) {
            (Some(_), Some(_)) => Some([x, b]),
            (only, None) | (None, only) => only,
        },
    }
}

fn monotone_cast(
    rule: &impl Monotone<1>,
    signature: Signature<1>,
    x: Domain,
    z: Domain,
) -> Option<[Domain; 2]> {
    super::rule::contract(&OnNumbers(rule), signature, [x], z).map(|([x], z)| [x, z])
}

/// A monotone function of numbers without invalid operands.
struct OnNumbers<'a, M>(&'a M);

impl<M: Monotone<1>> Rule<1> for OnNumbers<'_, M> {
    #[inline]
    fn numbers(&self, operands: [Span; 1], result: Span) -> Left<1> {
        monotone::contract(self.0, operands, result)
    }
}

struct Truncated<F> {
    to: Width,
    is_signed: bool,
    format: PhantomData<F>,
}

impl<F: Format> Monotone<1> for Truncated<F> {
    #[inline]
    fn value(&self, [rank]: [u64; 1]) -> u64 {
        let op = match self.is_signed {
            true => Cast::FloatToSigned(FloatWidth::F64, self.to),
            false => Cast::FloatToUnsigned(FloatWidth::F64, self.to),
        };
        Kind::integer(self.to, self.is_signed).code(cast(op, F::value(rank).to_bits()))
    }

    #[inline]
    fn range(&self) -> Span {
        Span { lo: 0, hi: self.to.mask() }
    }

    fn guess(&self, _n: usize, result: u64, _operands: [u64; 1]) -> u64 {
        let integer = Kind::integer(self.to, self.is_signed).code(result);
        let value = if self.is_signed { self.to.signed(integer) as f64 } else { integer as f64 };
        F::nearest(if value < 0.0 { value } else { value + 1.0 })
    }
}

struct Converted<F> {
    from: Width,
    is_signed: bool,
    format: PhantomData<F>,
}

impl<F: Format> Monotone<1> for Converted<F> {
    #[inline]
    fn value(&self, [code]: [u64; 1]) -> u64 {
        F::of_integer(self.is_signed, self.from, Kind::integer(self.from, self.is_signed).code(code))
    }

    #[inline]
    fn range(&self) -> Span {
        F::NUMBERS
    }

    fn guess(&self, _n: usize, result: u64, _operands: [u64; 1]) -> u64 {
        let (point, offset) = F::edge(result);
        let op = match self.is_signed {
            true => Cast::FloatToSigned(FloatWidth::F64, self.from),
            false => Cast::FloatToUnsigned(FloatWidth::F64, self.from),
        };
        Kind::integer(self.from, self.is_signed).code(cast(op, (point + offset).to_bits()))
    }
}

struct Reformatted<F, G>(PhantomData<(F, G)>);

impl<F: Format, G: Format> Monotone<1> for Reformatted<F, G> {
    #[inline]
    fn value(&self, [rank]: [u64; 1]) -> u64 {
        G::nearest(F::value(rank))
    }

    #[inline]
    fn range(&self) -> Span {
        G::NUMBERS
    }

    fn guess(&self, _n: usize, result: u64, _operands: [u64; 1]) -> u64 {
        let (point, offset) = G::edge(result);
        F::nearest(point + offset)
    }
}
