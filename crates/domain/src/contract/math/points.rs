//! Few possible operands: all are tried.

use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{FloatFn, FloatWidth, MathFn, Width, float_fn};

/// As many as a result that is known leaves of an operand, by the bounds of errors alone.
const MOST_POINTS: u64 = 256;

/// Whether there are few possible operands.
pub(super) fn are_few<const M: usize>(w: FloatWidth, given: &[Domain; M]) -> bool {
    let counts = given[..M - 1].iter().map(|operand| operand.span(w.width()).saturating_add(1));
    counts.fold(1, u64::saturating_mul) <= MOST_POINTS
}

/// What is left of the domains between the first and the last solution, in the order of each.
pub(super) fn contract<const M: usize>(
    function: MathFn,
    w: FloatWidth,
    given: &[Domain; M],
) -> Option<[Domain; M]> {
    let width = w.width();
    let mut found: Option<[(u64, u64); M]> = None;
    for_each_point(width, given, 0, &mut [0; M], &mut |point| {
        point[M - 1] = float_fn(FloatFn::Math(function), w, &point[..M - 1]);
        if given[M - 1].contains(width, point[M - 1]) {
            let offsets = std::array::from_fn(|n| given[n].interval().offset(width, point[n]));
            let ends = found.get_or_insert(offsets.map(|offset| (offset, offset)));
            for (end, offset) in ends.iter_mut().zip(offsets) {
                *end = (end.0.min(offset), end.1.max(offset));
            }
        }
    });
    let ends = found?;
    let mut left = *given;
    for (domain, (first, last)) in left.iter_mut().zip(ends) {
        let arc = Interval::from_span(width, domain.lo().wrapping_add(first), last - first);
        *domain = domain.narrow(width, arc)?;
    }
    Some(left)
}

fn for_each_point<const M: usize>(
    width: Width,
    given: &[Domain; M],
    from: usize,
    point: &mut [u64; M],
    visit: &mut impl FnMut(&mut [u64; M]),
) {
    if from == M - 1 {
        return visit(point);
    }
    for value in given[from].values(width) {
        point[from] = value;
        for_each_point(width, given, from + 1, point, visit);
    }
}
