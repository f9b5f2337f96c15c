//! Linear sums modulo 2^w: `z = constant + c1 * x1 + … + cn * xn`.
//!
//! Each term `c * x` runs along an arc of `|c| * span` steps from the image of one end of `x`, so the sum is
//! an arc as long as the lengths add up to less than a turn; it does not matter where the arcs cross a pole.
//! The arc of a term is, backwards, that of `z` less the other terms, and the values of `x` whose multiple
//! lies in it have exact ends (see [`super::linear`]). Where nothing wraps, these are the classical bounds of
//! a linear equation. Low bits are a second, independent sum modulo a power of two. One pass costs O(n).

use super::linear::{low_mask, magnitude, preimage};
use super::multiply::factor_bits;
use crate::bits::Bits;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::Width;

/// Contracts `z = constant + Σ coefficients[i] * items[i]`, all of width `w` and canonical. False if there is
/// no solution; the domains are then of no use.
pub fn sum(w: Width, coefficients: &[u64], constant: u64, items: &mut [Domain], z: &mut Domain) -> bool {
    assert_eq!(coefficients.len(), items.len(), "a sum should have one coefficient for each item");
    sum_bits(w, coefficients, constant, items, z).is_some()
        && sum_arcs(w, coefficients, constant, items, z).is_some()
}

/// The arc along which a term runs: its first value and its number of steps, at most a turn.
#[inline]
fn term(w: Width, coefficient: u64, x: Domain) -> (u64, u64) {
    let (size, negative) = magnitude(w, coefficient);
    let arc = x.hull(w);
    let first = if negative { arc.hi() } else { arc.lo() };
    (first.wrapping_mul(coefficient), size.saturating_mul(arc.span(w)).min(w.mask()))
}

fn sum_arcs(
    w: Width,
    coefficients: &[u64],
    constant: u64,
    items: &mut [Domain],
    z: &mut Domain,
) -> Option<()> {
    let (mut first, mut length) = (constant, 0u128);
    for (&coefficient, &x) in coefficients.iter().zip(items.iter()) {
        let (start, steps) = term(w, coefficient, x);
        first = first.wrapping_add(start);
        length += u128::from(steps);
    }
    let turn = u128::from(w.mask());
    if length < turn {
        *z = z.narrow(w, Interval::from_span(w, first, length as u64))?;
    }
    let z_arc = z.hull(w);
    let z_steps = z_arc.span(w);
    for (&coefficient, x) in coefficients.iter().zip(items.iter_mut()) {
        let (start, steps) = term(w, coefficient, *x);
        let others = length - u128::from(steps);
        if others + u128::from(z_steps) >= turn {
            continue;
        }
        let others_last = first.wrapping_sub(start).wrapping_add(others as u64);
        let target = Interval::from_span(w, z_arc.lo().wrapping_sub(others_last), z_steps + others as u64);
        *x = preimage(w, coefficient, *x, target)?;
        let (new_start, new_steps) = term(w, coefficient, *x);
        first = first.wrapping_sub(start).wrapping_add(new_start);
        length = others + u128::from(new_steps);
    }
    Some(())
}

/// How many low bits of `c * x` are known, and a number with these bits.
#[inline]
fn low_term(w: Width, coefficient: u64, bits: Bits) -> (u32, u64) {
    let known = bits.low_known() + coefficient.trailing_zeros();
    (known.min(w.bits()), coefficient.wrapping_mul(bits.ones & low_mask(bits.low_known())))
}

/// All terms but the one with the fewest known low bits decide low bits of that one.
fn sum_bits(
    w: Width,
    coefficients: &[u64],
    constant: u64,
    items: &mut [Domain],
    z: &mut Domain,
) -> Option<()> {
    let (mut fewest, mut second) = (z.bits().low_known().min(w.bits()), w.bits());
    let (mut place, mut rest) = (None, constant.wrapping_sub(z.bits().ones & low_mask(fewest)));
    for (n, (&coefficient, x)) in coefficients.iter().zip(items.iter()).enumerate() {
        let (known, value) = low_term(w, coefficient, x.bits());
        rest = rest.wrapping_add(value);
        if known < fewest {
            (second, fewest, place) = (fewest, known, Some(n));
        } else {
            second = second.min(known);
        }
        if second == 0 {
            return Some(());
        }
    }
    let Some(n) = place else {
        let own = z.bits().ones & low_mask(fewest);
        *z = z.narrow_bits(w, Bits::masked(low_mask(second), rest.wrapping_add(own)))?;
        return Some(());
    };
    let (_, own) = low_term(w, coefficients[n], items[n].bits());
    let wanted = Bits::masked(low_mask(second), own.wrapping_sub(rest));
    if let Some(found) = factor_bits(w, wanted, Bits::singleton(w, coefficients[n])) {
        items[n] = items[n].narrow_bits(w, found)?;
        Some(())
    } else {
        None
    }
}
