//! Shifts: one case for each amount that is possible, at most the width.
//!
//! A left shift by a constant is a product by a power of two. A right shift is monotone on runs of unsigned
//! values; an arithmetic one is the logical one, for negative values between two complements.

use super::cases::{split, unite, within};
use super::linear::low_mask;
use super::multiply::by_constant;
use crate::bits::Bits;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{IntOp, Width};

/// Contracts `z = op(x, y)` for a shift.
pub(crate) fn shift(op: IntOp, w: Width, x: Domain, y: Domain, z: Domain) -> Option<[Domain; 3]> {
    if let Some(amount) = y.is_singleton() {
        let case = if amount < w.bits().into() {
            shift_by(op, w, amount as u32, x, z)
        } else {
            shift_out(op, w, x, z)
        };
        return case.map(|[x, z]| [x, y, z]);
    }
    if x.is_full(w) && z.is_full(w) {
        return Some([x, y, z]);
    }
    let given = [x, y, z];
    let mut found = None;
    let beyond = within(w, y, Interval::new(w, u64::from(w.bits()), w.mask()));
    let beyond = beyond.and_then(|y| Some((y, shift_out(op, w, x, z)?)));
    unite(w, &given, &mut found, beyond.map(|(y, [x, z])| [x, y, z]));
    let mut attempt = |amount: u32| {
        let case = if y.contains(w, u64::from(amount)) { shift_by(op, w, amount, x, z) } else { None };
        unite(w, &given, &mut found, case.map(|[x, z]| [x, Domain::singleton(w, u64::from(amount)), z]));
        (case.is_some(), found)
    };
    // The smallest and the largest amount bound y; those between matter until nothing is lost of x and z and
    // y holds them: it may have been joined the other way round the circle, and bits may exclude them.
    let least = (0..w.bits()).find(|&amount| attempt(amount).0);
    let Some(least) = least else { return found };
    let most = (least + 1..w.bits()).rev().find(|&amount| attempt(amount).0).unwrap_or(least);
    let Some(between) = within(w, y, Interval::new(w, least.into(), most.into())) else { return found };
    let complete = |[a, b, c]: [Domain; 3]| a == x && c == z && between.is_subset(w, b);
    for amount in least + 1..most {
        if attempt(amount).1.is_some_and(complete) {
            break;
        }
    }
    found
}

/// Contracts `z = x >> count`, filling with zeros, for a count below the width.
pub(crate) fn shift_right_by(w: Width, count: u32, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let added = w.mask() & !(w.mask() >> count);
    let Bits { zeros, ones } = x.bits();
    let z = z.narrow_bits(w, Bits { zeros: (zeros >> count) | added, ones: ones >> count })?;
    let Bits { zeros, ones } = z.bits();
    let x = x.narrow_bits(w, Bits { zeros: w.wrap(zeros << count), ones: w.wrap(ones << count) })?;
    let given = [x, z];
    let mut found = None;
    for x_part in split(w, x, 0).into_iter().flatten() {
        unite(w, &given, &mut found, shift_right_run(w, count, x_part, z));
    }
    found
}

/// The same for a run of unsigned values.
fn shift_right_run(w: Width, count: u32, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let (x_min, x_max) = x.unsigned_bounds(w);
    let z = within(w, z, Interval::new(w, x_min >> count, x_max >> count))?;
    let (z_min, z_max) = z.unsigned_bounds(w);
    Some([x.narrow(w, Interval::new(w, z_min << count, (z_max << count) | low_mask(count)))?, z])
}

/// Contracts a shift by an amount below the width.
fn shift_by(op: IntOp, w: Width, amount: u32, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    match op {
        IntOp::Shl => by_constant(w, 1 << amount, x, z),
        IntOp::LShr => shift_right_by(w, amount, x, z),
        _ => shift_sign_by(w, amount, x, z),
    }
}

/// Contracts a shift by an amount of the width or more.
fn shift_out(op: IntOp, w: Width, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    match op {
        IntOp::Shl | IntOp::LShr => Some([x, z.narrow(w, Interval::singleton(0))?]),
        _ => shift_sign_by(w, w.bits() - 1, x, z),
    }
}

/// Contracts a right shift that fills with the sign.
fn shift_sign_by(w: Width, amount: u32, x: Domain, z: Domain) -> Option<[Domain; 2]> {
    let given = [x, z];
    let mut found = None;
    let positive = within(w, x, Interval::new(w, 0, w.max_signed()));
    unite(w, &given, &mut found, positive.and_then(|x| shift_right_by(w, amount, x, z)));
    let negative = within(w, x, Interval::new(w, w.min_signed(), w.mask()));
    let case = negative.and_then(|x| shift_right_by(w, amount, x.flip(w), z.flip(w)));
    unite(w, &given, &mut found, case.map(|[x, z]| [x.flip(w), z.flip(w)]));
    found
}
