//! Products of integers that do not wrap: classical bounds over `i128`.
//!
//! Used where a product fits one turn of the circle, and for the guard that says so.

use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::Width;

/// The integers from `lo` to `hi`, not empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub lo: i128,
    pub hi: i128,
}

impl Range {
    /// The range, if it is not empty.
    #[inline]
    pub(crate) fn new(lo: i128, hi: i128) -> Option<Range> {
        (lo <= hi).then_some(Range { lo, hi })
    }

    /// The signed values of a domain.
    #[inline]
    pub(crate) fn signed(w: Width, x: Domain) -> Range {
        let (lo, hi) = x.signed_bounds(w);
        Range { lo: lo.into(), hi: hi.into() }
    }

    /// The integers of least magnitude that are the arc of `x` modulo 2^w.
    #[inline]
    pub(crate) fn lift(w: Width, x: Interval) -> Range {
        let (lo, span) = (i128::from(x.lo()), i128::from(x.span(w)));
        let turn = 1i128 << w.bits();
        // Above zero the arc reaches to lo + span, one turn below only to lo - turn.
        let lo = if lo + span > turn - lo { lo - turn } else { lo };
        Range { lo, hi: lo + span }
    }

    /// The arc of these integers modulo 2^w.
    #[inline]
    pub(crate) fn arc(self, w: Width) -> Interval {
        let span = u64::try_from(self.hi.saturating_sub(self.lo)).unwrap_or(u64::MAX);
        Interval::from_span(w, self.lo as u64, span)
    }

    #[inline]
    fn meet(self, other: Range) -> Option<Range> {
        Range::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    fn negate(self) -> Range {
        Range { lo: self.hi.saturating_neg(), hi: self.lo.saturating_neg() }
    }

    /// The products, from the four products of the ends; saturated beyond `i128`.
    pub(crate) fn times(self, other: Range) -> Range {
        let a = self.lo.saturating_mul(other.lo);
        let b = self.lo.saturating_mul(other.hi);
        let c = self.hi.saturating_mul(other.lo);
        let d = self.hi.saturating_mul(other.hi);
        Range { lo: a.min(b).min(c.min(d)), hi: a.max(b).max(c.max(d)) }
    }

    /// Whether no two of these integers are the same modulo 2^w, and none was saturated.
    pub(crate) fn is_within_a_turn(self, w: Width) -> bool {
        let length = self.hi.saturating_sub(self.lo);
        length < i128::from(w.mask()) && self.lo != i128::MIN && self.hi != i128::MAX
    }

    /// From the least to the greatest square; saturated beyond `i128`.
    pub(crate) fn squares(self) -> Range {
        let (a, b) = (self.lo.saturating_mul(self.lo), self.hi.saturating_mul(self.hi));
        let lo = if self.lo <= 0 && self.hi >= 0 { 0 } else { a.min(b) };
        Range { lo, hi: a.max(b) }
    }

    /// What is left of these integers if their squares are in a range, which is not negative.
    pub(crate) fn with_squares_in(self, squares: Range) -> Option<Range> {
        let most = squares.hi.isqrt();
        let root = squares.lo.isqrt();
        let least = if root * root < squares.lo { root + 1 } else { root };
        // Between the roots there is a gap, which only one side of zero lets be told.
        let (lo, hi) = match (self.hi < least, self.lo > -least) {
            (true, _) => (-most, -least),
            (_, true) => (least, most),
            _ => (-most, most),
        };
        self.meet(Range::new(lo, hi)?)
    }
}

/// Contracts `z = x * y` over the integers.
pub(crate) fn product(x: Range, y: Range, z: Range) -> Option<[Range; 3]> {
    let z = z.meet(x.times(y))?;
    let x = factor(z, y, x)?;
    let y = factor(z, x, y)?;
    Some([x, y, z])
}

/// What is left of `x`, given that its product with a value of `y` is in `z`.
fn factor(z: Range, y: Range, x: Range) -> Option<Range> {
    if y.lo <= 0 && y.hi >= 0 && z.lo <= 0 && z.hi >= 0 {
        return Some(x);
    }
    let above = Range::new(y.lo.max(1), y.hi).and_then(|y| factor_above(z, y, x));
    let below = Range::new(y.lo, y.hi.min(-1)).and_then(|y| factor_above(z.negate(), y.negate(), x));
    match (above, below) {
        (Some(a), Some(b)) => Some(Range { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) }),
        (found, None) | (None, found) => found,
    }
}

/// The same for a `y` that is positive.
fn factor_above(z: Range, y: Range, x: Range) -> Option<Range> {
    let lo = if z.lo >= 0 { ceil_div(z.lo, y.hi) } else { ceil_div(z.lo, y.lo) };
    let hi = if z.hi >= 0 { z.hi.div_euclid(y.lo) } else { z.hi.div_euclid(y.hi) };
    x.meet(Range::new(lo, hi)?)
}

/// The quotient rounded up, for a positive divisor.
fn ceil_div(a: i128, b: i128) -> i128 {
    let quotient = a.div_euclid(b);
    if a.rem_euclid(b) == 0 { quotient } else { quotient + 1 }
}
