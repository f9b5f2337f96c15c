//! Bitwise operations: bits in all directions, tight bounds of the result, exact arcs for masks.
//!
//! The bounds of `and` and `xor` of two runs of unsigned values are those of Warren, Hacker's Delight, 4-3;
//! `or` is `and` of the complements. An operand whose arc crosses zero is split there.

use super::cases::{split, unite};
use super::cast::cast;
use crate::bits::Bits;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{Cast, Width};

/// Contracts `z = !x`, the bitwise complement.
#[inline]
pub fn complement(w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let z = z.meet(w, x.flip(w))?;
    Some([x.meet(w, z.flip(w))?, z])
}

/// Contracts `z = x | y`.
pub(crate) fn or(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let [x, y, z] = and(w, x.flip(w), y.flip(w), z.flip(w))?;
    Some([x.flip(w), y.flip(w), z.flip(w)])
}

/// Contracts `z = x & y`.
pub(crate) fn and(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let [x, y, z] = and_bits(w, x, y, z)?;
    if let Some(exact) = y.is_singleton().and_then(|mask| and_mask(w, mask, x, z)) {
        return exact.map(|[x, z]| [x, y, z]);
    }
    if let Some(exact) = x.is_singleton().and_then(|mask| and_mask(w, mask, y, z)) {
        return exact.map(|[y, z]| [x, y, z]);
    }
    if !x.interval().crosses(w, 0) && !y.interval().crosses(w, 0) {
        return and_runs(w, x, y, z);
    }
    let given = [x, y, z];
    let mut found = None;
    for x_part in split(w, x, 0).into_iter().flatten() {
        for y_part in split(w, y, 0).into_iter().flatten() {
            unite(w, &given, &mut found, and_runs(w, x_part, y_part, z));
        }
    }
    found
}

/// Contracts `z = x ^ y`: each of the three is the exclusive or of the others.
pub(crate) fn xor(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let z = xor_result(w, x, y, z)?;
    let x = xor_result(w, y, z, x)?;
    let y = xor_result(w, x, z, y)?;
    Some([x, y, z])
}

fn and_bits(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let (a, b) = (x.bits(), y.bits());
    let z = z.narrow_bits(w, Bits { zeros: a.zeros | b.zeros, ones: a.ones & b.ones })?;
    let c = z.bits();
    let x = x.narrow_bits(w, Bits { zeros: c.zeros & b.ones, ones: c.ones })?;
    let y = y.narrow_bits(w, Bits { zeros: c.zeros & x.bits().ones, ones: c.ones })?;
    Some([x, y, z])
}

/// Contracts `z = x & mask` if the mask keeps the lowest or the highest bits: a truncation or a rounding
/// down, both of which are monotone along the circle. The outer option says whether the mask is one of these.
fn and_mask(w: Width, mask: u64, x: Domain, z: Domain) -> Option<Option<[Domain; 2]>> {
    let cleared = w.wrap(!mask);
    if mask & mask.wrapping_add(1) == 0 {
        return Some(keep_low(w, Width::new(mask.count_ones())?, x, z));
    }
    let keeps_high = mask != 0 && cleared & cleared.wrapping_add(1) == 0;
    keeps_high.then(|| keep_high(w, mask, x, z))
}

/// Contracts `z = x mod 2^short`.
fn keep_low(w: Width, short: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let [x, low] = cast(Cast::Trunc(w, short), x, Domain::full(short))?;
    let [low, z] = cast(Cast::ZExt(short, w), low, z)?;
    let [x, _] = cast(Cast::Trunc(w, short), x, low)?;
    Some([x, z])
}

/// Contracts `z = x` rounded down to a multiple of the lowest bit of the mask.
fn keep_high(w: Width, mask: u64, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let cleared = w.wrap(!mask);
    let z = z.narrow_bits(w, Bits { zeros: cleared, ones: 0 })?;
    // As long as the arc does not come back to its first block, its image runs from block to block.
    let z = if x.interval().span(w) < w.mask() - cleared {
        z.narrow(w, Interval::new(w, x.lo() & mask, x.hi() & mask))?
    } else {
        z
    };
    Some([x.narrow(w, Interval::new(w, z.lo(), z.hi() | cleared))?, z])
}

/// Contracts `z = x & y` for runs of unsigned values.
fn and_runs(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let (x_bounds, y_bounds) = (x.unsigned_bounds(w), y.unsigned_bounds(w));
    let z = z.narrow(w, Interval::new(w, and_min(x_bounds, y_bounds), and_max(x_bounds, y_bounds)))?;
    // Clearing bits never makes a value larger.
    let least = Interval::new(w, z.min_unsigned(w), w.mask());
    Some([x.narrow(w, least)?, y.narrow(w, least)?, z])
}

fn xor_result(w: Width, x: Domain, y: Domain, z: Domain) -> Option<Domain> {
    let (a, b) = (x.bits(), y.bits());
    let z = z.narrow_bits(
        w,
        Bits {
            zeros: (a.zeros & b.zeros) | (a.ones & b.ones),
            ones: (a.zeros & b.ones) | (a.ones & b.zeros),
        },
    )?;
    if x.is_full(w) || y.is_full(w) {
        return Some(z);
    }
    if !x.interval().crosses(w, 0) && !y.interval().crosses(w, 0) {
        return z.narrow(w, xor_run(w, x, y));
    }
    let mut found = None;
    for x_part in split(w, x, 0).into_iter().flatten() {
        for y_part in split(w, y, 0).into_iter().flatten() {
            unite(w, &[z], &mut found, z.narrow(w, xor_run(w, x_part, y_part)).map(|z| [z]));
        }
    }
    found.map(|[z]| z)
}

/// The bounds of `x ^ y` for runs of unsigned values.
fn xor_run(w: Width, x: Domain, y: Domain) -> Interval {
    let (x_bounds, y_bounds) = (x.unsigned_bounds(w), y.unsigned_bounds(w));
    Interval::new(w, xor_min(x_bounds, y_bounds), xor_max(w, x_bounds, y_bounds))
}

/// The highest set bit, 0 for 0.
#[inline]
fn top_bit(bits: u64) -> u64 {
    if bits == 0 { 0 } else { 1 << (63 - bits.leading_zeros()) }
}

/// The bits up to the highest one in which the ends of one of the runs differ: only there is a choice.
#[inline]
fn open_bits((a, b): (u64, u64), (c, d): (u64, u64)) -> u64 {
    let top = top_bit((a ^ b) | (c ^ d));
    top | top.wrapping_sub(u64::from(top != 0))
}

/// The smallest `x & y` with `x` in `a..=b` and `y` in `c..=d`.
fn and_min((a, b): (u64, u64), (c, d): (u64, u64)) -> u64 {
    // Raising one operand to the next multiple of a bit that neither has clears everything below it.
    let mut candidates = !a & !c & open_bits((a, b), (c, d));
    while candidates != 0 {
        let bit = top_bit(candidates);
        let raised = |value: u64| (value | bit) & bit.wrapping_neg();
        if raised(a) <= b {
            return raised(a) & c;
        }
        if raised(c) <= d {
            return a & raised(c);
        }
        candidates ^= bit;
    }
    a & c
}

/// The largest `x & y` with `x` in `a..=b` and `y` in `c..=d`.
fn and_max((a, b): (u64, u64), (c, d): (u64, u64)) -> u64 {
    // A bit that only one operand has is lost anyway: without it, that operand may have all bits below.
    let mut candidates = (b ^ d) & open_bits((a, b), (c, d));
    while candidates != 0 {
        let bit = top_bit(candidates);
        let lowered = |value: u64| (value & !bit) | (bit - 1);
        if b & bit != 0 && lowered(b) >= a {
            return lowered(b) & d;
        }
        if d & bit != 0 && lowered(d) >= c {
            return b & lowered(d);
        }
        candidates ^= bit;
    }
    b & d
}

/// The smallest `x ^ y` with `x` in `a..=b` and `y` in `c..=d`.
fn xor_min((mut a, b): (u64, u64), (mut c, d): (u64, u64)) -> u64 {
    let mut below = open_bits((a, b), (c, d));
    while (a ^ c) & below != 0 {
        let bit = top_bit((a ^ c) & below);
        let raised = |value: u64| (value | bit) & bit.wrapping_neg();
        if c & bit != 0 && raised(a) <= b {
            a = raised(a);
        } else if a & bit != 0 && raised(c) <= d {
            c = raised(c);
        }
        below = bit - 1;
    }
    a ^ c
}

/// The largest `x ^ y`: against the complement of `y`, the smallest.
fn xor_max(w: Width, x: (u64, u64), (c, d): (u64, u64)) -> u64 {
    w.wrap(!xor_min(x, (w.wrap(!d), w.wrap(!c))))
}
