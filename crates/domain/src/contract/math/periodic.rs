//! `sin`, `cos` and `tan`: quarters of a turn.
//!
//! In each quarter, from one multiple of π/2 to the next, the three are monotone and have one sign. The multiple itself
//! is no float, but it lies less than one rank from the float nearest to it: what is before and behind that float belongs
//! to the quarters, and the float itself is looked at alone. Long stretches and large operands have no narrower results
//! than all operands have.

use super::cases::Cases;
use super::line::INFINITY;
use super::monotone::Direction::{Falls, Rises};
use quipu_num::MathFn;

/// The float nearest to π/2, and what is missing: together 2^-107 or less away.
const QUARTER: f64 = std::f64::consts::FRAC_PI_2;
const QUARTER_REST: f64 = 6.123_233_995_736_766e-17;

/// Up to here quarters are counted: far within the numbers whose product with `QUARTER` has an exact rest.
const LARGEST: f64 = (1u64 << 30) as f64;

/// Results of more than two turns are those of all operands.
const MOST_QUARTERS: f64 = 10.0;

pub(super) fn list(cases: &mut Cases<2>) {
    let line = cases.line;
    cases.any([line.one(-INFINITY), line.nan()]);
    cases.any([line.one(INFINITY), line.nan()]);
    let Some((lo, hi)) = cases.bounds(0, line.finite()) else { return };
    let (lo, hi) = (line.value(lo), line.value(hi));
    if lo.abs().max(hi.abs()) > LARGEST || hi - lo > MOST_QUARTERS * QUARTER {
        return cases.any([line.finite(), line.arc(everywhere(cases.function))]);
    }
    // One quarter more at each end, so that the rounding of quotients does not matter.
    let first = (lo / QUARTER).floor() as i64 - 1;
    let last = (hi / QUARTER).ceil() as i64 + 1;
    (first..=last).for_each(|n| end(cases, n));
    (first..last).for_each(|n| quarter(cases, n));
}

fn everywhere(function: MathFn) -> (f64, f64) {
    if function == MathFn::Tan { (-INFINITY, INFINITY) } else { (-1.0, 1.0) }
}

/// The operands strictly between `n` π/2 and the next multiple.
fn quarter(cases: &mut Cases<2>, n: i64) {
    let line = cases.line;
    let (first, last) = (line.at(multiple(n)) + 1, line.at(negative_zero(multiple(n + 1))) - 1);
    if first > last {
        return;
    }
    let phase = if cases.function == MathFn::Cos { n + 1 } else { n }.rem_euclid(4);
    let (direction, results) = match (cases.function, phase) {
        (MathFn::Tan, 0 | 2) => (Rises, (0.0, INFINITY)),
        (MathFn::Tan, _) => (Rises, (-INFINITY, -0.0)),
        (_, 0) => (Rises, (0.0, 1.0)),
        (_, 1) => (Falls, (0.0, 1.0)),
        (_, 2) => (Falls, (-1.0, -0.0)),
        (_, _) => (Rises, (-1.0, -0.0)),
    };
    cases.monotone([line.between(first, last), line.arc(results)], &[direction]);
}

/// The float nearest to `n` π/2; both zeros for 0.
fn end(cases: &mut Cases<2>, n: i64) {
    let x = multiple(n);
    let line = cases.line;
    cases.point([line.at(x), 0]);
    if n == 0 {
        cases.point([line.at(negative_zero(x)), 0]);
    }
}

/// The double nearest to `n` π/2, or next to it.
fn multiple(n: i64) -> f64 {
    let n = n as f64;
    let product = n * QUARTER;
    let rest = n.mul_add(QUARTER, -product);
    product + (rest + n * QUARTER_REST)
}

/// The same number; of the zeros, the first on the line.
fn negative_zero(x: f64) -> f64 {
    if x == 0.0 { -0.0 } else { x }
}
