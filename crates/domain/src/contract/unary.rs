//! Counting bits and reversing bytes.

use super::linear::low_mask;
use crate::bits::Bits;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{IntUnary, Width, int_unary};

/// Contracts `z = op(x)`.
pub fn unary(op: IntUnary, w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    if let Some(value) = x.is_singleton() {
        let value = int_unary(op, w, value);
        return z.contains(w, value).then(|| [x, Domain::singleton(w, value)]);
    }
    match op {
        IntUnary::Clz => leading_zeros(w, x, z),
        IntUnary::Ctz => trailing_zeros(w, x, z),
        IntUnary::Popcount => count_ones(w, x, z),
        IntUnary::Bswap => reverse_bytes(w, x, z),
    }
}

/// The counts from `least` to `most` that are left of `z`, as numbers.
fn counts(w: Width, z: Domain, least: u32, most: u32) -> Option<(Domain, u32, u32)> {
    let z = z.narrow(w, Interval::new(w, least.into(), most.into()))?;
    let (lo, hi) = z.unsigned_bounds(w);
    // An arc that crosses zero keeps large values that are no counts.
    Some((z, least.max(lo.min(64) as u32), most.min(hi.min(64) as u32)))
}

/// Moves the ends of `z` inwards to counts that are possible.
fn shave(w: Width, z: Domain, possible: impl Fn(u32) -> bool) -> Option<Domain> {
    let count = |value: u64| u32::try_from(value).ok().filter(|&count| count <= w.bits());
    let mut z = z;
    for end in [Domain::lo, Domain::hi] {
        while !count(end(z)).is_some_and(&possible) {
            z = z.narrow(w, Interval::singleton(end(z)).complement(w)?)?;
        }
    }
    Some(z)
}

/// The more leading zeros, the smaller the value.
fn leading_zeros(w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let (x_min, x_max) = x.unsigned_bounds(w);
    let count = |value: u64| int_unary(IntUnary::Clz, w, value) as u32;
    let smallest = |zeros: u32| if zeros == w.bits() { 0 } else { 1 << (w.bits() - 1 - zeros) };
    let run = |most: u32, least: u32| Interval::new(w, smallest(most), low_mask(w.bits() - least));
    let (z, ..) = counts(w, z, count(x_max), count(x_min))?;
    let z = shave(w, z, |zeros| x.narrow(w, run(zeros, zeros)).is_some())?;
    let (z, least, most) = counts(w, z, count(x_max), count(x_min))?;
    Some([x.narrow(w, run(most, least))?, z])
}

/// How many zeros the roundest number of a domain can have at the end.
fn most_trailing_zeros(w: Width, x: Domain) -> u32 {
    let (x_min, x_max) = x.unsigned_bounds(w);
    if x_min == 0 {
        return w.bits();
    }
    // It is the upper end without the bits below the first that differs from the number before the lower end.
    let bit = 1u64 << (63 - ((x_min - 1) ^ x_max).leading_zeros());
    (x_max & bit.wrapping_neg()).trailing_zeros().min(x.bits().ones.trailing_zeros())
}

fn trailing_zeros(w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let exactly = |zeros: u32| {
        let one = if zeros == w.bits() { 0 } else { 1 << zeros };
        x.narrow_bits(w, Bits { zeros: low_mask(zeros), ones: one })
    };
    let (least, most) = (x.bits().zeros.trailing_ones(), most_trailing_zeros(w, x));
    let (z, ..) = counts(w, z, least, most)?;
    let z = shave(w, z, |zeros| exactly(zeros).is_some())?;
    let (z, least, most) = counts(w, z, least, most)?;
    if least == most {
        return Some([exactly(least)?, z]);
    }
    let x = x.narrow_bits(w, Bits { zeros: low_mask(least), ones: 0 })?;
    Some([if most < w.bits() { x.without(w, 0)? } else { x }, z])
}

fn count_ones(w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let bits = x.bits();
    let (fewest, largest) = (bits.ones.count_ones(), w.bits() - bits.zeros.count_ones());
    let fewest_of_run = u32::from(x.min_unsigned(w) > 0);
    let largest_of_run = w.bits() - u32::from(x.max_unsigned(w) < w.mask());
    let (z, least, most) = counts(w, z, fewest.max(fewest_of_run), largest.min(largest_of_run))?;
    // With `most` ones x is at most that many at the top, with `least` at least that many at the bottom.
    let highest = w.mask() & !low_mask(w.bits() - most);
    let mut x = x.narrow(w, Interval::new(w, low_mask(least), highest))?;
    if most == fewest {
        x = x.narrow_bits(w, Bits { zeros: bits.free(w), ones: 0 })?;
    } else if least == largest {
        x = x.narrow_bits(w, Bits { zeros: 0, ones: bits.free(w) })?;
    }
    Some([x, z])
}

fn reverse_bytes(w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    if !w.bits().is_multiple_of(8) || w.bits() == 8 {
        let z = z.meet(w, x)?;
        return Some([x.meet(w, z)?, z]);
    }
    let reversed = |bits: Bits| Bits {
        zeros: int_unary(IntUnary::Bswap, w, bits.zeros),
        ones: int_unary(IntUnary::Bswap, w, bits.ones),
    };
    let z = z.narrow_bits(w, reversed(x.bits()))?;
    Some([x.narrow_bits(w, reversed(z.bits()))?, z])
}
