//! Functions of the sign alone, and the bits of a float: these keep or complement the other bits of a rank, of NaNs as
//! of numbers. All are exact on the floats of one sign, known bits included.

use super::super::bitwise::complement;
use crate::bits::Bits;
use crate::contract::cases::within;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::Width;

/// Contracts `z = -x`.
pub(super) fn negated(w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    complement(w, x, z)
}

/// Contracts `z = |x|`.
pub(super) fn absolute(w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let z = z.narrow(w, half(w, false))?;
    let mut left = None;
    for is_negative in [false, true] {
        let turned = |domain: Domain| if is_negative { domain.flip(w) } else { domain };
        let part = within(w, x, half(w, is_negative)).and_then(|part| common(w, x, z, part, turned));
        left = united(w, [x, z], left, part);
    }
    left
}

/// Contracts `z = x` with the sign of `y`.
pub(super) fn with_sign_of(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let mut left: Option<[Domain; 3]> = None;
    for sign_of_y in [false, true] {
        let Some(signs) = y.narrow(w, half(w, sign_of_y)) else { continue };
        let Some(results) = z.narrow(w, half(w, sign_of_y)) else { continue };
        for sign_of_x in [false, true] {
            let turned = |domain: Domain| if sign_of_x == sign_of_y { domain } else { domain.flip(w) };
            let part = within(w, x, half(w, sign_of_x)).and_then(|part| common(w, x, results, part, turned));
            let Some([x_part, z_part]) = part else { continue };
            left = Some(match left {
                None => [x_part, signs, z_part],
                Some([x_before, y_before, z_before]) => [
                    x.join_within(w, x_before, x_part),
                    y.join_within(w, y_before, signs),
                    z.join_within(w, z_before, z_part),
                ],
            });
        }
    }
    left
}

/// Contracts `z = bits of x`, `x` being a rank.
pub(super) fn bits_of_rank(w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let mut left = None;
    for is_negative in [false, true] {
        let coded =
            |domain: Domain| if is_negative { domain.flip(w) } else { with_top_bit_flipped(w, domain) };
        let part = within(w, x, half(w, is_negative)).and_then(|part| common(w, x, z, part, coded));
        left = united(w, [x, z], left, part);
    }
    left
}

/// The floats of one sign, by rank.
fn half(w: Width, is_negative: bool) -> Interval {
    if is_negative { Interval::new(w, 0, w.max_signed()) } else { Interval::new(w, w.min_signed(), w.mask()) }
}

/// Contracts `z = f(x)` for a part of `x` with one sign, `f` being its own inverse there.
fn common(w: Width, x: Domain, z: Domain, part: Domain, f: impl Fn(Domain) -> Domain) -> Option<[Domain; 2]> {
    let image = f(part);
    let z = z.meet(w, image)?;
    Some([x.meet(w, f(image.meet(w, z)?))?, z])
}

fn united(
    w: Width,
    given: [Domain; 2],
    before: Option<[Domain; 2]>,
    part: Option<[Domain; 2]>,
) -> Option<[Domain; 2]> {
    match (before, part) {
        (Some(before), Some(part)) => {
            Some(std::array::from_fn(|n| given[n].join_within(w, before[n], part[n])))
        }
        (only, None) | (None, only) => only,
    }
}

/// The values of one half of the circle, in the other half.
fn with_top_bit_flipped(w: Width, domain: Domain) -> Domain {
    let top = w.min_signed();
    let flipped = domain.bits().known() & top;
    let bits = Bits { zeros: domain.bits().zeros ^ flipped, ones: domain.bits().ones ^ flipped };
    let arc = Interval::new(w, domain.lo() ^ top, domain.hi() ^ top);
    Domain::new(w, arc, bits).expect("a moved set should not be empty")
}
