//! Functions of floats, which are given by rank.
//!
//! In the order of ranks nearly every function of floats is monotone in each operand, once the signs of factors are
//! fixed: [`monotone`] contracts all of these, with the best image and the exact preimage of rounding. The files of the
//! functions say how they rise and fall, and where they have no result; [`rule`] unites the cases of numbers and NaNs;
//! [`pieces`] cuts a domain into runs of either.
//!
//! This follows Botella, Gotlieb and Michel (STVR 2006) and Marre and Michel (CP 2010) in what is contracted, not in
//! how: bounds there are computed from midpoints between floats, in a wider format or with directed rounding, and
//! several of the printed cases lose solutions. Here a bound is where the rounded function itself says that it is.
//!
//! Images of intervals of numbers are the smallest intervals, but for `fmod`, and a NaN is among them exactly if it can
//! result. An operand keeps every value that suits *real* values of the others between their bounds, so a few values may
//! stay that suit no float. On random intervals of numbers of six bits (`fma`: five), all that is left, contracted until
//! nothing changes, is as small as it can be in this part of the cases (`report_tightness`): sums and differences 97.6 %,
//! products 98.9 %, quotients 97.3 %, `fmod` 94.0 %, `fma` 91.0 %, all others 100 %.

mod compare;
mod convert;
mod extreme;
mod format;
mod fused;
mod monotone;
mod pieces;
mod product;
mod remainder;
mod rule;
mod sign;
mod span;
mod steps;
mod sum;
#[cfg(test)]
mod tests;
mod unary;

use crate::domain::Domain;
use format::{Double, Format, Single};
use pieces::Kind;
use quipu_num::{Cast, FloatFn, FloatOp, FloatUnary, FloatWidth, Width};
use rule::{Rule, Signature};

/// Contracts `z = f(x, ...)`; the operands come first, then the result.
pub fn float(function: FloatFn, w: FloatWidth, domains: &mut [Domain]) -> bool {
    if let FloatFn::Math(function) = function {
        return super::math::math(function, w, domains);
    }
    match w {
        FloatWidth::F32 => contract::<Single>(function, domains),
        FloatWidth::F64 => contract::<Double>(function, domains),
    }
}

/// Contracts `z = c(x)` for a conversion from or to a float.
pub(crate) fn convert(c: Cast, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    match c {
        Cast::FloatToSigned(FloatWidth::F32, to) => convert::to_integer::<Single>(to, true, x, z),
        Cast::FloatToSigned(FloatWidth::F64, to) => convert::to_integer::<Double>(to, true, x, z),
        Cast::FloatToUnsigned(FloatWidth::F32, to) => convert::to_integer::<Single>(to, false, x, z),
        Cast::FloatToUnsigned(FloatWidth::F64, to) => convert::to_integer::<Double>(to, false, x, z),
        Cast::SignedToFloat(from, FloatWidth::F32) => convert::from_integer::<Single>(from, true, x, z),
        Cast::SignedToFloat(from, FloatWidth::F64) => convert::from_integer::<Double>(from, true, x, z),
        Cast::UnsignedToFloat(from, FloatWidth::F32) => convert::from_integer::<Single>(from, false, x, z),
        Cast::UnsignedToFloat(from, FloatWidth::F64) => convert::from_integer::<Double>(from, false, x, z),
        Cast::Widen => convert::to_format::<Single, Double>(x, z),
        Cast::Narrow => convert::to_format::<Double, Single>(x, z),
        Cast::FloatBits(w) => sign::bits_of_rank(w.width(), x, z),
        Cast::BitsFloat(w) => sign::bits_of_rank(w.width(), z, x).map(|[z, x]| [x, z]),
        Cast::Trunc(..) | Cast::ZExt(..) | Cast::SExt(..) => super::cast::cast(c, x, z),
    }
}

/// Contracts `b`: whether the float `x`, truncated, is an integer of a width.
pub(crate) fn fits(
    from: FloatWidth,
    to: Width,
    is_signed: bool,
    x: Domain,
    b: Domain,
) -> Option<[Domain; 2]> {
    match from {
        FloatWidth::F32 => convert::fits::<Single>(to, is_signed, x, b),
        FloatWidth::F64 => convert::fits::<Double>(to, is_signed, x, b),
    }
}

fn contract<F: Format>(function: FloatFn, domains: &mut [Domain]) -> bool {
    match (function, &*domains) {
        (FloatFn::Op(op), &[x, y, z]) => store(domains, binary::<F>(op, x, y, z)),
        (FloatFn::Unary(op), &[x, z]) => store(domains, unary::<F>(op, x, z)),
        (FloatFn::Compare(cmp), &[x, y, b]) => store(domains, compare::compare::<F>(cmp, x, y, b)),
        (FloatFn::Fma, &[x, y, c, z]) => {
            let left = arithmetic::<F, 3>(&fused::Fused::<F>::RULE, [x, y, c], z);
            store(domains, left.map(|([x, y, c], z)| [x, y, c, z]))
        }
        _ => panic!("a function should have a domain for each operand and the result"),
    }
}

fn binary<F: Format>(op: FloatOp, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let operands = [x, y];
    let left = match op {
        FloatOp::Add => arithmetic::<F, 2>(&sum::Sum::<F>::RULE, operands, z),
        FloatOp::Sub => arithmetic::<F, 2>(&sum::Difference::<F>::RULE, operands, z),
        FloatOp::Mul => arithmetic::<F, 2>(&product::Product::<F>::RULE, operands, z),
        FloatOp::Div => arithmetic::<F, 2>(&product::Quotient::<F>::RULE, operands, z),
        FloatOp::Rem => arithmetic::<F, 2>(&remainder::Remainder::<F>::RULE, operands, z),
        FloatOp::Min => return extreme::extreme::<F>(false, x, y, z),
        FloatOp::Max => return extreme::extreme::<F>(true, x, y, z),
        FloatOp::CopySign => return sign::with_sign_of(F::WIDTH, x, y, z),
    };
    left.map(|([x, y], z)| [x, y, z])
}

fn unary<F: Format>(op: FloatUnary, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let left = match op {
        FloatUnary::Neg => return sign::negated(F::WIDTH, x, z),
        FloatUnary::Abs => return sign::absolute(F::WIDTH, x, z),
        FloatUnary::Sqrt => arithmetic::<F, 1>(&unary::Root::<F>::RULE, [x], z),
        _ => arithmetic::<F, 1>(&unary::Rounded::<F>::new(op), [x], z),
    };
    left.map(|([x], z)| [x, z])
}

/// Contracts a function that results in one NaN.
#[inline]
fn arithmetic<F: Format, const N: usize>(
    rule: &impl Rule<N>,
    operands: [Domain; N],
    z: Domain,
) -> Option<([Domain; N], Domain)> {
    let kind = Kind::float::<F>();
    rule::contract(rule, Signature { operands: [kind; N], result: kind, of_nan: F::NAN }, operands, z)
}

fn store<const N: usize>(domains: &mut [Domain], left: Option<[Domain; N]>) -> bool {
    let Some(left) = left else { return false };
    domains.copy_from_slice(&left);
    true
}
