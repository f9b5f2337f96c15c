//! Functions of floats, which are given by rank.

use super::math::math;
use crate::domain::Domain;
use quipu_num::{Cast, FloatFn, FloatWidth, Guard, cast_of_rank, float_fn};

/// Contracts `z = f(x, ...)`; the operands come first, then the result.
pub fn float(function: FloatFn, w: FloatWidth, domains: &mut [Domain]) -> bool {
    if let FloatFn::Math(function) = function {
        return math(function, w, domains);
    }
    let (z, operands) = domains.split_last_mut().expect("a function has a result");
    let mut values = [0; 3];
    for (value, operand) in values.iter_mut().zip(operands.iter()) {
        match operand.is_singleton() {
            Some(known) => *value = known,
            None => return true,
        }
    }
    fix(function.width(w), z, float_fn(function, w, &values[..operands.len()]))
}

/// Contracts `z = c(x)` for a conversion from or to a float.
pub(crate) fn convert(c: Cast, x: Domain, mut z: Domain) -> Option<[Domain; 2]> {
    let Some(value) = x.is_singleton() else { return Some([x, z]) };
    fix(c.widths().1, &mut z, cast_of_rank(c, value)).then_some([x, z])
}

/// Contracts `b = g.holds(x)` for the guard of a conversion from a float.
pub(crate) fn fits(g: Guard, x: Domain, mut b: Domain) -> Option<[Domain; 2]> {
    let Some(value) = x.is_singleton() else { return Some([x, b]) };
    fix(quipu_num::Width::W1, &mut b, u64::from(g.holds_of_ranks((value, value)))).then_some([x, b])
}

fn fix(w: quipu_num::Width, z: &mut Domain, value: u64) -> bool {
    let possible = z.contains(w, value);
    *z = Domain::singleton(w, value);
    possible
}
