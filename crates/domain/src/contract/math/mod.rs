//! Functions of libm, of floats given by rank.
//!
//! What the user's libm computes is known at single points only, by calling it. Between points there is what
//! mathematics says of the function, and a bound of libm's error ([`MathFn::error`]): its result is at most so many
//! ranks from the correctly rounded one. Rounding keeps order, so where the function rises, libm's results at all
//! points behind `a` are at least its result at `a`, less *twice* the bound. Nothing is said of libm rising itself.
//!
//! Two more facts are taken from how libms are made: a result is never on the wrong side of a value that the function
//! does not cross and that is a float (signs, and the 1 of `sin`, `cos`, `tanh`, `erf` and `cosh`, the -1 of `expm1`),
//! and C's Annex F holds of zeros, infinities and NaNs. The tests of `quipu-num` compare bounds, signs and such limits
//! with correctly rounded functions.
//!
//! A function is a list of cases ([`Cases`]): boxes of operands in which it rises or falls in each of them. What is
//! possible in any of them is united. Few possible operands are tried one by one, which needs no bound.

mod binary;
mod cases;
mod line;
mod monotone;
mod periodic;
mod points;
mod unary;

use crate::domain::Domain;
use cases::Cases;
use quipu_num::{FloatWidth, MathFn};

/// Contracts `z = f(x, ...)`; the operands come first, then the result.
pub(super) fn math(function: MathFn, w: FloatWidth, domains: &mut [Domain]) -> bool {
    match domains {
        [x, z] => contract(function, w, [x, z], unary::list),
        [x, y, z] => contract(function, w, [x, y, z], binary::list),
        _ => panic!("a function of libm should have one or two operands"),
    }
}

fn contract<const M: usize>(
    function: MathFn,
    w: FloatWidth,
    places: [&mut Domain; M],
    list: fn(&mut Cases<M>),
) -> bool {
    let given = places.each_ref().map(|place| **place);
    let left = if points::are_few(w, &given) {
        points::contract(function, w, &given)
    } else {
        let mut cases = Cases::new(function, w, given);
        list(&mut cases);
        cases.possible()
    };
    let Some(left) = left else { return false };
    places.into_iter().zip(left).for_each(|(place, domain)| *place = domain);
    true
}
