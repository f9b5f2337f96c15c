//! The steps between floats, as powers of two: a float is a multiple of the step at its size, and floats are sparse
//! where they are large (Marre and Michel, CP 2010).
//!
//! Powers are counted from the least positive float, so that all floats are multiples of 2^0. Sums and remainders of
//! multiples of 2^k are multiples of 2^k, and rounding keeps them such.

use super::format::Format;
use super::span::Span;

/// A power that divides all floats of a run; the infinities count as multiples of all.
pub(super) fn common_power<F: Format>(run: Span) -> u64 {
    if run.lo == run.hi {
        let magnitude = F::magnitude(run.lo) - F::ZERO;
        return if magnitude == 0 {
            greatest_step::<F>()
        } else {
            dividing::<F>(magnitude).min(greatest_step::<F>())
        };
    }
    let least = if run.lo >= F::ZERO { run.lo } else { F::negated(run.hi).max(F::ZERO) };
    step::<F>(least - F::ZERO)
}

/// The part of a run from the first to the last multiple of a power.
#[inline]
pub(super) fn multiples<F: Format>(run: Span, power: u64) -> Option<Span> {
    let step_at = |rank: u64| step::<F>(F::magnitude(rank) - F::ZERO);
    if power == 0 || (step_at(run.lo) >= power && step_at(run.hi) >= power) {
        return Some(run);
    }
    let up = |rank: u64| F::ZERO + multiple::<F>(rank - F::ZERO, power, true);
    let down = |rank: u64| F::ZERO + multiple::<F>(rank - F::ZERO, power, false);
    let lo = if run.lo >= F::ZERO { up(run.lo) } else { F::negated(down(F::negated(run.lo))) };
    let hi = if run.hi >= F::ZERO { down(run.hi) } else { F::negated(up(F::negated(run.hi))) };
    Span::new(lo, hi)
}

/// The largest float whose step divides some float of a run of positive ones; `None` if no float is too large.
pub(super) fn coarsest<F: Format>(run: Span) -> Option<u64> {
    let (lo, hi) = (run.lo - F::ZERO, run.hi - F::ZERO);
    // A float of the run that ends in most zeros: the last one that has no bits behind those in which the ends agree,
    // or the last power of two.
    let common = (lo ^ hi).checked_ilog2().unwrap_or(0).min(F::FRACTION);
    let power = dividing::<F>(lo).max(dividing::<F>(hi >> common << common));
    let limit = ((power + 2) << F::FRACTION) - 1;
    (limit < F::FINITE.hi - F::ZERO).then(|| limit + F::ZERO)
}

/// The step between the largest floats.
fn greatest_step<F: Format>() -> u64 {
    (1 << F::EXPONENT) - 3
}

/// The step at a float; given, as below, by its bits without the sign.
fn step<F: Format>(magnitude: u64) -> u64 {
    (magnitude >> F::FRACTION).max(1) - 1
}

/// The float as a multiple of its step.
fn significand<F: Format>(magnitude: u64) -> u64 {
    magnitude - (step::<F>(magnitude) << F::FRACTION)
}

/// The largest power that divides a positive float.
fn dividing<F: Format>(magnitude: u64) -> u64 {
    step::<F>(magnitude) + u64::from(significand::<F>(magnitude).trailing_zeros())
}

/// The nearest multiple of a power in a direction. The power is at most that of the greatest step.
fn multiple<F: Format>(magnitude: u64, power: u64, is_upwards: bool) -> u64 {
    let (step, significand) = (step::<F>(magnitude), significand::<F>(magnitude));
    let Some(shift) = power.checked_sub(step) else { return magnitude };
    if shift > u64::from(F::FRACTION) {
        // Less than the power itself, or it.
        let next = match power.checked_sub(u64::from(F::FRACTION)) {
            Some(exponent) => (exponent + 1) << F::FRACTION,
            None => 1 << power,
        };
        return if magnitude == next || (is_upwards && magnitude > 0) { next } else { 0 };
    }
    let raised = if is_upwards { significand + ((1 << shift) - 1) } else { significand };
    (step << F::FRACTION) + (raised >> shift << shift)
}
