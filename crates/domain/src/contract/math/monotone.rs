//! A function that rises or falls with each of its operands, within a box of numbers.

use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{FloatFn, FloatWidth, MathFn, float_fn, is_nan_rank, number_ranks};

/// How a function changes when an operand grows: never the other way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Rises,
    Falls,
}

/// Contracts `z = f(x, ...)`, where all domains are parts of numbers.
///
/// The result lies between those at two corners of the box. An operand loses, from either end, the values at which even
/// the best corner of the other operands has no result in `z`; where they end is found by bisection. That an operand was
/// excluded is proved by its own point, for all before it, so it does not matter that libm itself may be uneven.
pub(super) fn contract<const M: usize>(
    function: MathFn,
    w: FloatWidth,
    directions: &[Direction],
    mut parts: [Domain; M],
) -> Option<[Domain; M]> {
    let width = w.width();
    let results = Results { function, w };
    let [low, high] = corners(w, directions, &parts);
    let (least, greatest) = (results.least_behind(&low), results.greatest_before(&high));
    if least > greatest {
        // Libm has larger errors than stated, and nothing can be said.
        return Some(parts);
    }
    parts[M - 1] = parts[M - 1].narrow(width, Interval::new(width, least, greatest))?;
    let wanted = parts[M - 1].unsigned_bounds(width);
    // An end of the result that the operands gave excludes none of them.
    let (from_below, from_above) = (wanted.0 > least, wanted.1 < greatest);
    for operand in 0..M - 1 {
        let [low, high] = corners(w, directions, &parts);
        let with = |corner: &[u64; M], value: u64| {
            let mut point = *corner;
            point[operand] = value;
            point
        };
        let is_too_small = |value| from_below && results.greatest_before(&with(&high, value)) < wanted.0;
        let is_too_large = |value| from_above && results.least_behind(&with(&low, value)) > wanted.1;
        let first = kept(low[operand], high[operand], is_too_small)?;
        let last = kept(high[operand], first, is_too_large)?;
        let arc = Interval::new(width, first.min(last), first.max(last));
        parts[operand] = parts[operand].narrow(width, arc)?;
    }
    Some(parts)
}

/// The operands with the least and with the greatest result.
fn corners<const M: usize>(w: FloatWidth, directions: &[Direction], parts: &[Domain; M]) -> [[u64; M]; 2] {
    let mut ends = [[0; M]; 2];
    for (n, direction) in directions.iter().enumerate() {
        let (lo, hi) = parts[n].unsigned_bounds(w.width());
        let (low, high) = if *direction == Direction::Rises { (lo, hi) } else { (hi, lo) };
        (ends[0][n], ends[1][n]) = (low, high);
    }
    ends
}

/// The first value from `first` on to `last` that is not known to be excluded. All before an excluded one are.
fn kept(first: u64, last: u64, excluded: impl Fn(u64) -> bool) -> Option<u64> {
    if !excluded(first) {
        return Some(first);
    }
    if excluded(last) {
        return None;
    }
    let (mut out, mut kept) = (first, last);
    while out.abs_diff(kept) > 1 {
        let middle = out.midpoint(kept);
        *if excluded(middle) { &mut out } else { &mut kept } = middle;
    }
    Some(kept)
}

/// Bounds of libm's results.
struct Results {
    function: MathFn,
    w: FloatWidth,
}

impl Results {
    /// A lower bound of the results at all points at which the function is not less than at this one.
    fn least_behind(&self, point: &[u64]) -> u64 {
        let least = number_ranks(self.w).0;
        self.at(point).map_or(least, |rank| rank.saturating_sub(self.slack()).max(least))
    }

    /// An upper bound of the results at all points at which the function is not greater than at this one.
    fn greatest_before(&self, point: &[u64]) -> u64 {
        let greatest = number_ranks(self.w).1;
        self.at(point).map_or(greatest, |rank| rank.saturating_add(self.slack()).min(greatest))
    }

    /// The error at this point, and the one at the other.
    fn slack(&self) -> u64 {
        2 * self.function.error()
    }

    fn at(&self, point: &[u64]) -> Option<u64> {
        let result = float_fn(FloatFn::Math(self.function), self.w, &point[..point.len() - 1]);
        (!is_nan_rank(self.w, result)).then_some(result)
    }
}
