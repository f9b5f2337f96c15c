//! Multiples of a constant modulo 2^w: exact ends of the arcs on both sides of `z = a * x`.
//!
//! The values `a * x` of an arc jump around the circle, so their bounds are not the images of the bounds (the
//! closed form of Gotlieb, Leconte and Marre, Proposition 3, is incomplete). What is needed is the first `t`
//! with `a * t` in a given run of residues, and that is found in a logarithmic number of steps, as in
//! Euclid's algorithm: between two multiples of the modulus only the remainder of the modulus by `a` matters.

use crate::bits::Bits;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::Width;

/// The magnitude of a constant taken as signed, and whether it is negative.
#[inline]
pub(crate) fn magnitude(w: Width, a: u64) -> (u64, bool) {
    let negated = w.wrap(a.wrapping_neg());
    if negated < a { (negated, true) } else { (a, false) }
}

/// The part of `x` from its first to its last value with `a * x` in `target`; `a` is canonical.
pub(crate) fn preimage(w: Width, a: u64, x: Domain, target: Interval) -> Option<Domain> {
    if target.is_full(w) {
        return Some(x);
    }
    match magnitude(w, a) {
        (0, _) => return target.contains(w, 0).then_some(x),
        (1, false) => return x.narrow(w, target),
        (1, true) => return x.narrow(w, target.negate(w)),
        _ => {}
    }
    let part = ends_in(w, a, x.interval(), target)?;
    x.narrow(w, part)
}

/// The part of `z` from its first to its last value that is `a * x` for an `x` of the arc; `a` is canonical.
pub(crate) fn image(w: Width, a: u64, x: Interval, z: Domain) -> Option<Domain> {
    let twos = a.trailing_zeros().min(w.bits());
    let z = z.narrow_bits(w, Bits { zeros: low_mask(twos), ones: 0 })?;
    if z.is_singleton() == Some(0) && a == 0 {
        return Some(z);
    }
    let (size, negative) = magnitude(w, a);
    if let Some(length) = size.checked_mul(x.span(w)).filter(|&length| length < w.mask()) {
        let first = if negative { x.hi() } else { x.lo() };
        return stretched(w, size, Interval::from_span(w, first.wrapping_mul(a), length), z);
    }
    let Some(short) = Width::new(w.bits() - twos) else { return Some(z) };
    if x.span(w) >= short.mask() || z.covers_bits(w) {
        return Some(z);
    }
    // Without the factors of two, x is an inverse times z: the same question with the roles exchanged.
    let odd_inverse = inverse(short, a >> twos);
    let x = Interval::from_span(short, x.lo(), x.span(w));
    let z_short = Interval::from_span(short, z.lo() >> twos, z.interval().span(w) >> twos);
    let part = ends_in(short, odd_inverse, z_short, x)?;
    let lifted = Interval::from_span(w, part.lo() << twos, part.span(short) << twos);
    if z_short.is_full(short) { Some(z) } else { z.narrow(w, lifted) }
}

/// The inverse of an odd number modulo 2^w, by Newton's iteration: each step doubles the right low bits.
pub(crate) fn inverse(w: Width, odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    w.wrap(inverse)
}

/// The lowest `count` bits, at most 64.
#[inline]
pub(crate) fn low_mask(count: u32) -> u64 {
    u64::MAX.checked_shr(64 - count.min(64)).unwrap_or(0)
}

/// The image of a short arc: every `size`-th value of `arc`, whose ends are images themselves.
fn stretched(w: Width, size: u64, arc: Interval, z: Domain) -> Option<Domain> {
    let z = z.narrow(w, arc)?;
    if size <= 1 {
        return Some(z);
    }
    let (first, last) = (arc.offset(w, z.lo()), arc.offset(w, z.hi()));
    if first > last || last > arc.span(w) {
        return Some(z);
    }
    let (first, last) = (first.next_multiple_of(size), last - last % size);
    let length = last.checked_sub(first)?;
    z.narrow(w, Interval::from_span(w, arc.lo().wrapping_add(first), length))
}

/// The part of the arc `x` from its first to its last value with `a * x` in `target`.
fn ends_in(w: Width, a: u64, x: Interval, target: Interval) -> Option<Interval> {
    let span = x.span(w);
    let from_lo = Interval::from_span(w, target.lo().wrapping_sub(a.wrapping_mul(x.lo())), target.span(w));
    let up = first_multiple_in(w, a, from_lo).filter(|&t| t <= span)?;
    let from_hi = Interval::from_span(w, a.wrapping_mul(x.hi()).wrapping_sub(target.hi()), target.span(w));
    let down = first_multiple_in(w, a, from_hi).filter(|&t| t <= span - up)?;
    Some(Interval::from_span(w, x.lo().wrapping_add(up), span - up - down))
}

/// The smallest `t` with `a * t mod 2^w` in an arc.
fn first_multiple_in(w: Width, a: u64, arc: Interval) -> Option<u64> {
    if arc.contains(w, 0) {
        return Some(0);
    }
    // An arc without 0 is one run of unsigned values.
    let found = first_in_run(u128::from(a), 1 << w.bits(), u128::from(arc.lo()), u128::from(arc.hi()))?;
    u64::try_from(found).ok()
}

/// The smallest `t` with `lo <= a * t mod m <= hi`, for `a < m <= 2^64` and `0 < lo <= hi < m`.
fn first_in_run(a: u128, m: u128, lo: u128, hi: u128) -> Option<u128> {
    if a == 0 {
        return None;
    }
    if 2 * a > m {
        return first_in_run(m - a, m, m - hi, m - lo);
    }
    let t = lo.div_ceil(a);
    if a * t <= hi {
        return Some(t);
    }
    // No multiple of `a` lies in the run: wrap around `turns` times, as few as possible, such that one lies
    // in the run moved up by `turns * m`. Modulo `a`, that is a smaller question of the same kind.
    let turns = first_in_run(m % a, a, (a - hi % a) % a, (a - lo % a) % a)?;
    Some((lo + m * turns).div_ceil(a))
}
