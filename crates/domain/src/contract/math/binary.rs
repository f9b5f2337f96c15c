//! Functions of two operands: boxes in which they rise or fall with each.
//!
//! Boxes reach up to the infinities: Annex F of C gives these, and the zeros, values that keep the order.

use super::cases::Cases;
use super::line::INFINITY;
use super::monotone::Direction::{Falls, Rises};
use quipu_num::MathFn;

const POSITIVE: (f64, f64) = (0.0, INFINITY);
const NEGATIVE: (f64, f64) = (-INFINITY, -0.0);

/// Lists the cases of a function.
pub(super) fn list(cases: &mut Cases<3>) {
    let line = cases.line;
    let (nans, nan, full, numbers) = (line.nans(), line.nan(), line.full(), line.numbers());
    cases.any([nans, full, nan]);
    cases.any([full, nans, nan]);
    match cases.function {
        MathFn::Pow => pow(cases),
        MathFn::Hypot => hypot(cases),
        MathFn::Atan2 => atan2(cases),
        MathFn::Remainder => remainder(cases),
        MathFn::Fdim => cases.monotone([numbers, numbers, line.arc(POSITIVE)], &[Rises, Falls]),
        MathFn::Nextafter => cases.monotone([numbers, numbers, numbers], &[Rises, Rises]),
        _ => panic!("a function of one operand should be listed as such"),
    }
}

/// An infinity as one operand wins over a NaN as the other.
fn hypot(cases: &mut Cases<3>) {
    let line = cases.line;
    for infinity in [line.one(-INFINITY), line.one(INFINITY)] {
        cases.any([infinity, line.nans(), line.one(INFINITY)]);
        cases.any([line.nans(), infinity, line.one(INFINITY)]);
    }
    for (x, by_x) in [(NEGATIVE, Falls), (POSITIVE, Rises)] {
        for (y, by_y) in [(NEGATIVE, Falls), (POSITIVE, Rises)] {
            cases.monotone([line.arc(x), line.arc(y), line.arc(POSITIVE)], &[by_x, by_y]);
        }
    }
}

/// The four quadrants; the first operand is the height.
fn atan2(cases: &mut Cases<3>) {
    let line = cases.line;
    let (right, left) = (line.arc(POSITIVE), line.arc(NEGATIVE));
    let (up, down) = (line.arc(POSITIVE), line.arc(NEGATIVE));
    cases.monotone([up, right, line.arc((0.0, 2.0))], &[Rises, Falls]);
    cases.monotone([up, left, line.arc((1.0, 4.0))], &[Falls, Falls]);
    cases.monotone([down, right, line.arc((-2.0, -0.0))], &[Rises, Rises]);
    cases.monotone([down, left, line.arc((-4.0, -1.0))], &[Falls, Rises]);
}

/// At most as large as the first operand, and as half of the second.
fn remainder(cases: &mut Cases<3>) {
    let line = cases.line;
    let (nan, zeros) = (line.nan(), line.arc((-0.0, 0.0)));
    cases.any([line.one(-INFINITY), line.full(), nan]);
    cases.any([line.one(INFINITY), line.full(), nan]);
    cases.any([line.full(), zeros, nan]);
    let largest = |cases: &Cases<3>, operand, arc| {
        let (lo, hi) = cases.bounds(operand, arc)?;
        Some(line.value(lo).abs().max(line.value(hi).abs()))
    };
    let Some(x) = largest(cases, 0, line.finite()) else { return };
    for y in [line.below(-0.0), line.above(0.0)] {
        if let Some(divisor) = largest(cases, 1, y) {
            // A rank more, should the half be no float.
            let half = line.at(divisor / 2.0) + 1;
            let end = line.value(line.at(x).min(half));
            cases.any([line.finite(), y, line.arc((-end, end))]);
        }
    }
}

fn pow(cases: &mut Cases<3>) {
    let line = cases.line;
    let one = line.one(1.0);
    cases.any([line.nans(), line.arc((-0.0, 0.0)), one]);
    cases.any([one, line.nans(), one]);
    let (small, large) = (line.arc((0.0, 1.0)), line.arc((1.0, INFINITY)));
    let (positive, negative) = (line.arc(POSITIVE), line.arc(NEGATIVE));
    cases.monotone([small, positive, positive], &[Rises, Falls]);
    cases.monotone([small, negative, positive], &[Falls, Falls]);
    cases.monotone([large, positive, positive], &[Rises, Rises]);
    cases.monotone([large, negative, positive], &[Falls, Rises]);
    power_of_negative(cases);
}

/// Powers of -0.0 and of what is below.
fn power_of_negative(cases: &mut Cases<3>) {
    let line = cases.line;
    let Some((least, greatest)) = cases.bounds(1, line.numbers()) else { return };
    let exponent = line.value(least);
    if least != greatest || exponent.is_infinite() {
        return any_power_of_negative(cases, (least, greatest));
    }
    let y = line.between(least, least);
    if exponent.fract() != 0.0 {
        cases.any([line.below(-0.0), y, line.nan()]);
        cases.point([line.at(-0.0), least, 0]);
        return cases.point([line.at(-INFINITY), least, 0]);
    }
    let is_odd = exponent % 2.0 != 0.0;
    let direction = if is_odd == (exponent > 0.0) { Rises } else { Falls };
    let results = if is_odd { NEGATIVE } else { POSITIVE };
    cases.monotone([line.arc(NEGATIVE), y, line.arc(results)], &[direction, Rises]);
}

/// The magnitude is a power of the magnitude, and its logarithm a product: it is greatest at a corner.
fn any_power_of_negative(cases: &mut Cases<3>, exponents: (u64, u64)) {
    let line = cases.line;
    let Some((least, greatest)) = cases.bounds(0, line.arc(NEGATIVE)) else { return };
    let power = |x: u64, y: u64| {
        let magnitude = line.at(-line.value(x));
        quipu_num::float_fn(quipu_num::FloatFn::Math(MathFn::Pow), line.0, &[magnitude, y])
    };
    let corners = [least, greatest].map(|x| power(x, exponents.0).max(power(x, exponents.1)));
    let end = corners[0].max(corners[1]) + 2 * MathFn::Pow.error();
    let end = line.value(end.min(line.at(INFINITY)));
    let y = line.between(exponents.0, exponents.1);
    cases.any([line.below(-0.0), y, line.nan()]);
    cases.any([line.arc(NEGATIVE), y, line.arc((-end, end))]);
}
