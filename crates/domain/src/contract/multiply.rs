//! Products: by a constant exactly on arcs, else by low bits and by bounds where the product does not wrap.

use super::linear::{image, inverse, low_mask, preimage};
use super::product::{Range, product};
use crate::bits::Bits;
use crate::domain::Domain;
use quipu_num::Width;

/// Contracts `z = x * y`.
pub(crate) fn multiply(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    if let Some(a) = y.is_singleton() {
        return by_constant(w, a, x, z).map(|[x, z]| [x, y, z]);
    }
    if let Some(a) = x.is_singleton() {
        return by_constant(w, a, y, z).map(|[y, z]| [x, y, z]);
    }
    let [x, y, z] = low_bits(w, x, y, z)?;
    bounds(w, x, y, z)
}

/// Contracts `z = a * x` for a canonical constant.
pub(crate) fn by_constant(w: Width, a: u64, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let z = image(w, a, x.hull(w), z)?;
    let x = preimage(w, a, x, z.hull(w))?;
    if a.is_power_of_two() {
        return double(w, a.trailing_zeros(), x, z);
    }
    let z = z.narrow_bits(w, product_bits(w, x.bits(), Bits::singleton(w, a)))?;
    let x = x.narrow_bits(w, factor_bits(w, z.bits(), Bits::singleton(w, a))?)?;
    Some([x, z])
}

/// Contracts the bits of `z = x << count`.
fn double(w: Width, count: u32, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let Bits { zeros, ones } = x.bits();
    let z = z.narrow_bits(
        w,
        Bits { zeros: w.wrap(zeros << count) | low_mask(count), ones: w.wrap(ones << count) },
    )?;
    let Bits { zeros, ones } = z.bits();
    let x = x.narrow_bits(w, Bits { zeros: zeros >> count, ones: ones >> count })?;
    Some([x, z])
}

fn low_bits(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let z = z.narrow_bits(w, product_bits(w, x.bits(), y.bits()))?;
    let x = x.narrow_bits(w, factor_bits(w, z.bits(), y.bits())?)?;
    let y = y.narrow_bits(w, factor_bits(w, z.bits(), x.bits())?)?;
    Some([x, y, z])
}

/// The low bits of a product. Bit n of it needs the bits up to n of one factor less the zeros at the end of
/// the other.
fn product_bits(w: Width, x: Bits, y: Bits) -> Bits {
    let (x_twos, y_twos) = (x.zeros.trailing_ones(), y.zeros.trailing_ones());
    let known = (x.low_known() + y_twos).min(y.low_known() + x_twos).max(x_twos + y_twos);
    Bits::masked(w.wrap(low_mask(known)), x.ones.wrapping_mul(y.ones))
}

/// The low bits of a factor, given the product and the other factor; none if there is no such factor.
pub(crate) fn factor_bits(w: Width, z: Bits, y: Bits) -> Option<Bits> {
    if y.ones == 0 {
        return Some(Bits::UNKNOWN);
    }
    // The other factor has at most `most` zeros at the end, so the product's zeros beyond those are ours.
    let most = y.ones.trailing_zeros();
    let zeros = z.zeros.trailing_ones();
    let ours = low_mask(zeros.min(w.bits()).saturating_sub(most));
    let known = z.low_known().min(y.low_known()).min(w.bits());
    if y.zeros.trailing_ones() != most || known <= most {
        return Some(Bits { zeros: ours, ones: 0 });
    }
    if z.ones & low_mask(most) != 0 {
        return None;
    }
    let quotient = (z.ones >> most).wrapping_mul(inverse(Width::W64, y.ones >> most));
    let found = Bits::masked(low_mask(known - most), quotient).meet(Bits { zeros: ours, ones: 0 });
    (!found.is_empty()).then_some(found)
}

/// Contracts by bounds over the integers if the products of the arcs make at most one turn.
fn bounds(w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    let (x_range, y_range) = (Range::lift(w, x.hull(w)), Range::lift(w, y.hull(w)));
    let all = x_range.times(y_range);
    if !all.is_within_a_turn(w) {
        return Some([x, y, z]);
    }
    let (z, z_range) = lifted(w, all, z)?;
    let [x_range, y_range, z_range] = product(x_range, y_range, z_range)?;
    Some([x.narrow(w, x_range.arc(w))?, y.narrow(w, y_range.arc(w))?, z.narrow(w, z_range.arc(w))?])
}

/// What is left of `z` if it is one of these integers, which make less than a turn, and which of them that is.
fn lifted(w: Width, all: Range, z: Domain) -> Option<(Domain, Range)> {
    let arc = all.arc(w);
    let z = z.narrow(w, arc)?;
    let common = arc.narrow(w, z.hull(w))?;
    let lo = all.lo + i128::from(arc.offset(w, common.lo()));
    Some((z, Range::new(lo, lo + i128::from(common.span(w)))?))
}

/// Contracts `z = x * x`.
pub fn square(w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let [first, second, z] = multiply(w, x, x, z)?;
    let x = first.meet(w, second)?;
    let own = Range::lift(w, x.hull(w));
    let all = own.squares();
    if !all.is_within_a_turn(w) {
        return Some([x, z]);
    }
    let (z, z_range) = lifted(w, all, z)?;
    Some([x.narrow(w, own.with_squares_in(z_range)?.arc(w))?, z])
}
