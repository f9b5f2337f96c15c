//! Conversions between widths.
//!
//! Truncation is exact on arcs, since the long circle is a whole number of turns of the short one. Extensions
//! are exact on each side of the pole at which the short circle is cut open.

use super::cases::split;
use crate::bits::Bits;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{self as num, Cast, Width};

/// Contracts `z = c(x)`. Floats are given by rank.
#[inline]
pub fn cast(c: Cast, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    match c {
        Cast::Trunc(from, to) => truncate(from, to, x, z),
        Cast::ZExt(from, to) => extend(c, from, to, 0, [x, z]),
        Cast::SExt(from, to) => extend(c, from, to, from.min_signed(), [x, z]),
        _ => super::float::convert(c, x, z),
    }
}

/// Contracts `z = x mod 2^to`.
pub(crate) fn truncate(from: Width, to: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let x_arc = x.interval();
    let z = z.narrow(to, Interval::from_span(to, x_arc.lo(), x_arc.span(from)))?;
    let low = Bits { zeros: to.wrap(x.bits().zeros), ones: to.wrap(x.bits().ones) };
    let z = z.narrow_bits(to, low)?;
    let x = x.narrow_bits(from, z.bits())?;
    // The ends move to the nearest values whose low bits are in z.
    let (z_arc, lo, hi) = (z.interval(), to.wrap(x.lo()), to.wrap(x.hi()));
    let up = if z_arc.contains(to, lo) { 0 } else { to.wrap(z_arc.lo().wrapping_sub(lo)) };
    let down = if z_arc.contains(to, hi) { 0 } else { to.wrap(hi.wrapping_sub(z_arc.hi())) };
    let room = x.interval().span(from).checked_sub(up)?.checked_sub(down)?;
    let x = if room == x.interval().span(from) {
        x
    } else {
        x.narrow(from, Interval::from_span(from, x.lo().wrapping_add(up), room))?
    };
    Some([x, z])
}

/// Contracts an extension, which keeps the values of the order that starts at `pole`: 0 or the smallest
/// signed value of the short width.
fn extend(c: Cast, from: Width, to: Width, pole: u64, [x, z]: [Domain; 2]) -> Option<[Domain; 2]> {
    if from == to {
        let z = z.meet(to, x)?;
        return Some([x.meet(to, z)?, z]);
    }
    let contract = |x_part: Domain| {
        let (lo, hi) = x_part.bounds_from(from, pole);
        let bits = extend_bits(from, to, pole, x_part.bits());
        let image = Domain::new(to, Interval::new(to, num::cast(c, lo), num::cast(c, hi)), bits)?;
        extend_part(from, to, image, [x, z])
    };
    if !x.interval().crosses(from, pole) {
        return contract(x);
    }
    let mut found: Option<[Domain; 2]> = None;
    for x_part in split(from, x, pole).into_iter().flatten() {
        let Some([part, z_part]) = contract(x_part) else { continue };
        found = Some(match found {
            None => [part, z_part],
            Some([x_before, z_before]) => {
                [x.join_within(from, x_before, part), z.join_within(to, z_before, z_part)]
            }
        });
    }
    found
}

/// Contracts the part of `x` with the given image, one run of long values.
fn extend_part(from: Width, to: Width, image: Domain, [x, z]: [Domain; 2]) -> Option<[Domain; 2]> {
    let z = z.meet(to, image)?;
    let back = image.meet(to, z)?;
    let low = Bits { zeros: from.wrap(back.bits().zeros), ones: from.wrap(back.bits().ones) };
    let arc = Interval::from_span(from, back.lo(), back.interval().span(to));
    Some([x.narrow(from, arc)?.narrow_bits(from, low)?, z])
}

fn extend_bits(from: Width, to: Width, pole: u64, bits: Bits) -> Bits {
    let added = to.mask() & !from.mask();
    if pole == 0 || bits.zeros & from.min_signed() != 0 {
        Bits { zeros: bits.zeros | added, ones: bits.ones }
    } else if bits.ones & from.min_signed() != 0 {
        Bits { zeros: bits.zeros, ones: bits.ones | added }
    } else {
        bits
    }
}
