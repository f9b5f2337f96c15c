//! Clockwise intervals: arcs of the circle of all values of a width.
//!
//! `[lo, hi]` holds lo, lo+1, …, hi, counted modulo 2^w, so one form serves unsigned values, signed values
//! and sums that wrap (the clockwise intervals of Gotlieb, Leconte and Marre, ModRef 2010). An arc is never
//! empty; the full circle has the one form `[0, mask]`. Every test works on distances from the lower end,
//! which makes it independent of where the arc crosses zero. The rules printed in the paper for meet and join
//! are not used: several of them lose values. The width is an argument, as in `quipu-num`.

use quipu_num::Width;

/// A non-empty arc of the circle of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    lo: u64,
    hi: u64,
}

impl Interval {
    /// All values.
    #[inline]
    pub const fn full(w: Width) -> Interval {
        Interval { lo: 0, hi: w.mask() }
    }

    /// One canonical value.
    #[inline]
    pub const fn singleton(value: u64) -> Interval {
        Interval { lo: value, hi: value }
    }

    /// The arc from `lo` clockwise to `hi`, both canonical; as unsigned values when `lo <= hi`.
    #[inline]
    pub const fn new(w: Width, lo: u64, hi: u64) -> Interval {
        debug_assert!(lo <= w.mask() && hi <= w.mask(), "the ends of an arc should be canonical");
        if w.wrap(hi.wrapping_sub(lo)) == w.mask() { Interval::full(w) } else { Interval { lo, hi } }
    }

    /// The arc of `span + 1` values that starts at `lo`, which need not be canonical.
    #[inline]
    pub const fn from_span(w: Width, lo: u64, span: u64) -> Interval {
        if span >= w.mask() {
            Interval::full(w)
        } else {
            Interval { lo: w.wrap(lo), hi: w.wrap(lo.wrapping_add(span)) }
        }
    }

    /// The values from `lo` to `hi` in the signed order; both fit the width and `lo <= hi`.
    #[inline]
    pub const fn from_signed(w: Width, lo: i64, hi: i64) -> Interval {
        Interval::new(w, w.from_signed(lo), w.from_signed(hi))
    }

    /// The first value, clockwise.
    #[inline]
    pub const fn lo(self) -> u64 {
        self.lo
    }

    /// The last value, clockwise.
    #[inline]
    pub const fn hi(self) -> u64 {
        self.hi
    }

    /// The number of values minus one, which fits 64 bits at every width.
    #[inline]
    pub const fn span(self, w: Width) -> u64 {
        w.wrap(self.hi.wrapping_sub(self.lo))
    }

    /// Whether these are all values.
    #[inline]
    pub const fn is_full(self, w: Width) -> bool {
        self.lo == 0 && self.hi == w.mask()
    }

    /// The only value, if there is only one.
    #[inline]
    pub const fn is_singleton(self) -> Option<u64> {
        if self.lo == self.hi { Some(self.lo) } else { None }
    }

    /// Whether the arc holds a canonical value.
    #[inline]
    pub const fn contains(self, w: Width, value: u64) -> bool {
        self.offset(w, value) <= self.span(w)
    }

    /// The clockwise distance from the lower end to a value.
    #[inline]
    pub const fn offset(self, w: Width, value: u64) -> u64 {
        w.wrap(value.wrapping_sub(self.lo))
    }

    /// Whether every value of this arc is in `other`.
    #[inline]
    pub const fn is_subset(self, w: Width, other: Interval) -> bool {
        let (inner, outer) = (self.span(w), other.span(w));
        outer == w.mask() || (inner <= outer && other.offset(w, self.lo) <= outer - inner)
    }

    /// All other values; none if the arc is full.
    pub const fn complement(self, w: Width) -> Option<Interval> {
        if self.is_full(w) {
            return None;
        }
        Some(Interval { lo: w.wrap(self.hi.wrapping_add(1)), hi: w.wrap(self.lo.wrapping_sub(1)) })
    }

    /// Whether both `pole - 1` and `pole` belong to the arc as neighbours, so that its values are not one
    /// run in the order that starts at `pole`: 0 for the unsigned order, the smallest value for the signed.
    #[inline]
    pub const fn crosses(self, w: Width, pole: u64) -> bool {
        let distance = self.offset(w, pole);
        distance != 0 && distance <= self.span(w)
    }

    /// The smallest and largest value in the order that starts at `pole`.
    #[inline]
    pub const fn bounds_from(self, w: Width, pole: u64) -> (u64, u64) {
        if self.crosses(w, pole) { (pole, w.wrap(pole.wrapping_sub(1))) } else { (self.lo, self.hi) }
    }

    /// The smallest and largest value in the unsigned order.
    #[inline]
    pub const fn unsigned_bounds(self, w: Width) -> (u64, u64) {
        self.bounds_from(w, 0)
    }

    /// The smallest and largest value in the signed order.
    #[inline]
    pub const fn signed_bounds(self, w: Width) -> (i64, i64) {
        let (lo, hi) = self.bounds_from(w, w.min_signed());
        (w.signed(lo), w.signed(hi))
    }

    /// The smallest arc that is a part of this one and holds all values common with `other`; none if there
    /// is no common value. Since domains shrink only, an intersection of two pieces keeps what lies between
    /// them inside this arc. The full circle has no ends to keep: its result is `other`.
    #[inline]
    pub const fn narrow(self, w: Width, other: Interval) -> Option<Interval> {
        let (span, other_span) = (self.span(w), other.span(w));
        if span == w.mask() {
            return Some(other);
        }
        let first = self.offset(w, other.lo);
        let last = self.offset(w, other.hi);
        if other_span <= w.mask() - first {
            // Seen from our lower end, the other arc is one run.
            if first > span {
                return None;
            }
            let hi = if last < span { other.hi } else { self.hi };
            return Some(Interval { lo: other.lo, hi });
        }
        if first <= span {
            // It holds both our ends (the circle itself is one such arc).
            return Some(self);
        }
        Some(Interval { lo: self.lo, hi: if last < span { other.hi } else { self.hi } })
    }

    /// The smallest arc that holds all values common with `other`, which may leave this arc; none if there
    /// is no common value. Of two smallest arcs the one that is a run of unsigned values is taken.
    pub const fn meet_hull(self, w: Width, other: Interval) -> Option<Interval> {
        match (self.narrow(w, other), other.narrow(w, self)) {
            (Some(a), Some(b)) => Some(Interval::smaller(w, a, b)),
            _ => None,
        }
    }

    /// The smallest arc that holds both arcs. Of two smallest arcs the one that is a run of unsigned values
    /// is taken.
    pub const fn join(self, w: Width, other: Interval) -> Interval {
        if other.is_subset(w, self) {
            return self;
        }
        if self.is_subset(w, other) {
            return other;
        }
        let forward = Interval::new(w, self.lo, other.hi);
        let backward = Interval::new(w, other.lo, self.hi);
        match (self.contains(w, other.lo), other.contains(w, self.lo)) {
            (true, true) => Interval::full(w),
            (true, false) => forward,
            (false, true) => backward,
            (false, false) => Interval::smaller(w, forward, backward),
        }
    }

    /// The sums of a value of each arc: exact.
    #[inline]
    pub const fn add(self, w: Width, other: Interval) -> Interval {
        Interval::from_span(w, self.lo.wrapping_add(other.lo), self.span(w).saturating_add(other.span(w)))
    }

    /// The differences of a value of this arc and one of `other`: exact.
    #[inline]
    pub const fn sub(self, w: Width, other: Interval) -> Interval {
        Interval::from_span(w, self.lo.wrapping_sub(other.hi), self.span(w).saturating_add(other.span(w)))
    }

    /// The negated values: exact.
    #[inline]
    pub const fn negate(self, w: Width) -> Interval {
        Interval::from_span(w, self.hi.wrapping_neg(), self.span(w))
    }

    /// The complemented values: exact.
    #[inline]
    pub const fn flip(self, w: Width) -> Interval {
        Interval { lo: w.wrap(!self.hi), hi: w.wrap(!self.lo) }
    }

    const fn smaller(w: Width, a: Interval, b: Interval) -> Interval {
        let (x, y) = (a.span(w), b.span(w));
        let proper = a.lo <= a.hi;
        let tie = if proper == (b.lo <= b.hi) { a.lo <= b.lo } else { proper };
        if x < y || (x == y && tie) { a } else { b }
    }
}
