//! Quotients and remainders: bounds on runs of unsigned values, and the signed ones on magnitudes.
//!
//! A zero divisor is a case of its own, with the value that `quipu-num` gives it. A signed operation is split
//! by the signs of its operands and becomes the unsigned one: the smallest value has a magnitude too, and its
//! quotient by -1 wraps back to itself by negation alone. A divisor that is a power of two is left to the
//! shift or to the mask, which are exact on bits as well.

use super::bitwise;
use super::cases::{split, unite, within};
use super::shift::shift_right_by;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::Width;

/// Contracts `z = x / y`, unsigned; 0 for a zero divisor.
pub(crate) fn unsigned_quotient(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let given = [x, y, z];
    let mut found = None;
    if y.contains(w, 0) {
        unite(
            w,
            &given,
            &mut found,
            z.narrow(w, Interval::singleton(0)).map(|z| [x, Domain::singleton(w, 0), z]),
        );
    }
    each_run(w, &given, &mut found, quotient_runs);
    found
}

/// Contracts `z = x % y`, unsigned; `x` for a zero divisor.
pub(crate) fn unsigned_remainder(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let given = [x, y, z];
    let mut found = None;
    if y.contains(w, 0) {
        unite(w, &given, &mut found, zero_remainder(w, x, z));
    }
    each_run(w, &given, &mut found, remainder_runs);
    found
}

/// Contracts `z = x / y`, signed; 0 for a zero divisor.
pub(crate) fn signed_quotient(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let given = [x, y, z];
    let mut found = None;
    if y.contains(w, 0) {
        unite(
            w,
            &given,
            &mut found,
            z.narrow(w, Interval::singleton(0)).map(|z| [x, Domain::singleton(w, 0), z]),
        );
    }
    each_sign(w, &given, &mut found, |x_negative, y_negative| x_negative != y_negative, quotient_runs);
    found
}

/// Contracts `z = x % y`, signed; `x` for a zero divisor.
pub(crate) fn signed_remainder(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let given = [x, y, z];
    let mut found = None;
    if y.contains(w, 0) {
        unite(w, &given, &mut found, zero_remainder(w, x, z));
    }
    each_sign(w, &given, &mut found, |x_negative, _| x_negative, remainder_runs);
    found
}

/// A contractor on runs of unsigned values, the divisor being positive.
type Runs = fn(Width, Domain, Domain, Domain) -> Option<[Domain; 3]>;

/// The remainder by zero is the dividend.
fn zero_remainder(w: Width, x: Domain, z: Domain) -> Option<[Domain; 3]> {
    let z = z.meet(w, x)?;
    Some([x.meet(w, z)?, Domain::singleton(w, 0), z])
}

/// Adds the cases of positive divisors of an unsigned operation.
fn each_run(w: Width, given: &[Domain; 3], found: &mut Option<[Domain; 3]>, contract: Runs) {
    let [x, y, z] = *given;
    for y_part in split(w, y, 0).into_iter().flatten() {
        let Some(y_part) = within(w, y_part, Interval::new(w, 1, w.mask())) else { continue };
        for x_part in split(w, x, 0).into_iter().flatten() {
            unite(w, given, found, contract(w, x_part, y_part, z));
        }
    }
}

/// Adds the cases of divisors other than zero of a signed operation. `negates` says for which signs of the
/// operands the result is the negated result on their magnitudes.
fn each_sign(
    w: Width,
    given: &[Domain; 3],
    found: &mut Option<[Domain; 3]>,
    negates: fn(bool, bool) -> bool,
    contract: Runs,
) {
    let [x, y, z] = *given;
    let turned = |domain: Domain, negative: bool| if negative { domain.negate(w) } else { domain };
    for x_negative in [false, true] {
        let Some(x_size) = half(w, x, x_negative, 0).map(|x| turned(x, x_negative)) else { continue };
        for y_negative in [false, true] {
            let Some(y_size) = half(w, y, y_negative, 1).map(|y| turned(y, y_negative)) else { continue };
            let z_negative = negates(x_negative, y_negative);
            let case = contract(w, x_size, y_size, turned(z, z_negative));
            let back = |[x, y, z]: [Domain; 3]| {
                [turned(x, x_negative), turned(y, y_negative), turned(z, z_negative)]
            };
            unite(w, given, found, case.map(back));
        }
    }
}

/// The values of `x` that are negative, or those from `least` upwards.
fn half(w: Width, x: Domain, negative: bool, least: u64) -> Option<Domain> {
    if negative {
        within(w, x, Interval::new(w, w.min_signed(), w.mask()))
    } else if least <= w.max_signed() {
        within(w, x, Interval::new(w, least, w.max_signed()))
    } else {
        None
    }
}

/// Contracts `z = x / y` for runs of unsigned values with `y >= 1`.
fn quotient_runs(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    if let Some(count) = power_of_two(y) {
        return shift_right_by(w, count, x, z).map(|[x, z]| [x, y, z]);
    }
    let ((x_min, x_max), (y_min, y_max)) = (x.unsigned_bounds(w), y.unsigned_bounds(w));
    let z = within(w, z, Interval::new(w, x_min / y_max, x_max / y_min))?;
    let (z_min, z_max) = z.unsigned_bounds(w);
    let least = z_min.checked_mul(y_min).filter(|&least| least <= x_max)?;
    let most = z_max.saturating_mul(y_max).saturating_add(y_max - 1).min(w.mask());
    let x = x.narrow(w, Interval::new(w, least, most))?;
    let (x_min, x_max) = x.unsigned_bounds(w);
    // x < (z + 1) * y and z * y <= x.
    let least = z_max.checked_add(1).map_or(1, |above| x_min / above + 1);
    let most = x_max.checked_div(z_min).unwrap_or(w.mask());
    let y = if least <= most { y.narrow(w, Interval::new(w, least, most))? } else { return None };
    Some([x, y, z])
}

/// Contracts `z = x % y` for runs of unsigned values with `y >= 1`.
fn remainder_runs(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    if let Some(count) = power_of_two(y) {
        let mask = Domain::singleton(w, (1 << count) - 1);
        return bitwise::and(w, x, mask, z).map(|[x, _, z]| [x, y, z]);
    }
    let x_max = x.max_unsigned(w);
    let (y_min, y_max) = y.unsigned_bounds(w);
    let z = within(w, z, Interval::new(w, 0, x_max.min(y_max - 1)))?;
    // y > z and x >= z.
    let y = y.narrow(w, Interval::new(w, z.min_unsigned(w).checked_add(1)?, w.mask()))?;
    let x = x.narrow(w, Interval::new(w, z.min_unsigned(w), w.mask()))?;
    if x_max < y_min {
        let z = z.meet(w, x)?;
        return Some([x.meet(w, z)?, y, z]);
    }
    match y.is_singleton() {
        Some(divisor) => remainder_by(w, divisor, x, z).map(|[x, z]| [x, y, z]),
        None => remainder_bounds(w, x, y, z),
    }
}

/// Contracts `z = x % divisor`: the ends of x move to the nearest values whose remainder is in the bounds of
/// z.
fn remainder_by(w: Width, divisor: u64, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let (z_min, z_max) = z.unsigned_bounds(w);
    let (x_min, x_max) = x.unsigned_bounds(w);
    let block = |value: u64| value - value % divisor;
    let least = match x_min % divisor {
        rest if rest > z_max => block(x_min).checked_add(divisor)?.checked_add(z_min)?,
        rest => block(x_min).checked_add(rest.max(z_min))?,
    };
    let most = match x_max % divisor {
        rest if rest < z_min => block(x_max).checked_sub(divisor)? + z_max,
        rest => block(x_max) + rest.min(z_max),
    };
    if least > most {
        return None;
    }
    let x = x.narrow(w, Interval::new(w, least, most))?;
    let (x_min, x_max) = x.unsigned_bounds(w);
    if block(x_min) != block(x_max) {
        return Some([x, z]);
    }
    Some([x, z.narrow(w, Interval::new(w, x_min % divisor, x_max % divisor))?])
}

/// Contracts `z = x % y` by the bounds of the quotient q in `x = q * y + z`.
fn remainder_bounds(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let ((x_min, x_max), (y_min, y_max)) = (x.unsigned_bounds(w), y.unsigned_bounds(w));
    let apart = x.meet(w, z).is_none();
    let q_min = (x_min / y_max).max(u64::from(apart));
    let q_max = x_max / y_min;
    if q_min == 0 {
        return Some([x, y, z]);
    }
    // x >= q_min * y + z, and y > z.
    let z = z.narrow(w, Interval::new(w, 0, x_max.checked_sub(q_min.checked_mul(y_min)?)?))?;
    let z_min = z.min_unsigned(w);
    let z = z.narrow(w, Interval::new(w, 0, x_max.checked_sub(q_min)? / q_min.saturating_add(1)))?;
    let y = y.narrow(w, Interval::new(w, 0, x_max.checked_sub(z_min)? / q_min))?;
    let y_min = y.min_unsigned(w);
    let x =
        x.narrow(w, Interval::new(w, q_min.checked_mul(y_min)?.checked_add(z_min)?.min(w.mask()), w.mask()))?;
    if q_min != q_max {
        return Some([x, y, z]);
    }
    // The quotient is known: z = x - q * y.
    let (x_min, y_max) = (x.min_unsigned(w), y.max_unsigned(w));
    let z = z.narrow(w, Interval::new(w, x_min.saturating_sub(q_min.saturating_mul(y_max)), w.mask()))?;
    let z_max = z.max_unsigned(w);
    let y = y.narrow(w, Interval::new(w, x_min.saturating_sub(z_max).div_ceil(q_min), w.mask()))?;
    let most = q_min.saturating_mul(y_max).saturating_add(z_max).min(w.mask());
    Some([x.narrow(w, Interval::new(w, 0, most))?, y, z])
}

/// The exponent of a divisor that is fixed to a power of two.
fn power_of_two(y: Domain) -> Option<u32> {
    y.is_singleton().filter(|value| value.is_power_of_two()).map(u64::trailing_zeros)
}
