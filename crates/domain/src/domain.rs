//! The domain of a variable: an arc and known bits, always reduced against each other.
//!
//! A domain is the set of the values of its arc that have its bits. Reduction is exact in one step: the ends
//! of the arc move to the nearest values with the known bits, then the common leading bits of the ends are
//! known. An arc that still crosses zero holds the smallest and the largest value with its bits, so every
//! other bit takes both values and nothing more can be learned. Therefore, for every domain:
//!
//! - it is not empty, and both ends of its arc belong to it;
//! - a bit is known if and only if all its values agree on it, and all are known if only one value is left;
//! - two domains are equal if and only if they are the same set (the set of *all* values with some bits has
//!   the arc from the smallest to the largest), so a change of a domain always means that it lost a value.
//!
//! [`Domain::meet`] and [`Domain::narrow`] contract: the result is a part of `self`. The first arc that
//! narrows a full circle decides where the gap lies; see [`Domain::without`].

use crate::bits::Bits;
use crate::interval::Interval;
use quipu_num::Width;

/// A non-empty set of values of one width: those of an arc that have the known bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Domain {
    interval: Interval,
    bits: Bits,
}

impl Domain {
    /// The truth value 0, of width 1.
    pub const FALSE: Domain = Domain::singleton(Width::W1, 0);
    /// The truth value 1, of width 1.
    pub const TRUE: Domain = Domain::singleton(Width::W1, 1);
    /// Both truth values.
    pub const BOTH: Domain = Domain::full(Width::W1);

    /// All values.
    #[inline]
    pub const fn full(w: Width) -> Domain {
        Domain { interval: Interval::full(w), bits: Bits::UNKNOWN }
    }

    /// One canonical value.
    #[inline]
    pub const fn singleton(w: Width, value: u64) -> Domain {
        Domain { interval: Interval::singleton(value), bits: Bits::singleton(w, value) }
    }

    /// The truth value `value`.
    #[inline]
    pub const fn truth(value: bool) -> Domain {
        if value { Domain::TRUE } else { Domain::FALSE }
    }

    /// The values of an arc.
    #[inline]
    pub fn from_interval(w: Width, interval: Interval) -> Domain {
        Domain { interval, bits: learned(w, interval, Bits::UNKNOWN) }
    }

    /// The values that a declaration allows: all, or those clockwise from a first to a last.
    pub fn declared(w: Width, range: Option<(u64, u64)>) -> Domain {
        match range {
            Some((first, last)) => Domain::from_interval(w, Interval::new(w, first, last)),
            None => Domain::full(w),
        }
    }

    /// The values of an arc that have the given bits, if there are any.
    #[inline]
    pub fn new(w: Width, interval: Interval, bits: Bits) -> Option<Domain> {
        reduced(w, interval, bits)
    }

    /// The arc; both its ends belong to the domain.
    #[inline]
    pub const fn interval(self) -> Interval {
        self.interval
    }

    /// The known bits.
    #[inline]
    pub const fn bits(self) -> Bits {
        self.bits
    }

    /// The first value, clockwise.
    #[inline]
    pub const fn lo(self) -> u64 {
        self.interval.lo()
    }

    /// The last value, clockwise.
    #[inline]
    pub const fn hi(self) -> u64 {
        self.interval.hi()
    }

    /// Whether the domain holds a canonical value.
    #[inline]
    pub const fn contains(self, w: Width, value: u64) -> bool {
        self.interval.contains(w, value) && self.bits.contains(value)
    }

    /// The only value, if there is only one.
    #[inline]
    pub const fn is_singleton(self) -> Option<u64> {
        self.interval.is_singleton()
    }

    /// Whether these are all values.
    #[inline]
    pub const fn is_full(self, w: Width) -> bool {
        self.interval.is_full(w)
    }

    /// Whether the domain holds every value with its bits: its arc excludes nothing.
    #[inline]
    pub const fn covers_bits(self, w: Width) -> bool {
        self.lo() == self.bits.min() && self.hi() == self.bits.max(w)
    }

    /// An upper bound of the number of values minus one; exact if the bits or the arc say nothing more than
    /// the other.
    #[inline]
    pub const fn span(self, w: Width) -> u64 {
        let free = self.bits.free(w).count_ones();
        let by_bits = if free == 64 { u64::MAX } else { (1 << free) - 1 };
        let by_arc = self.interval.span(w);
        if by_bits < by_arc { by_bits } else { by_arc }
    }

    /// The smallest and largest value in the order that starts at `pole`; exact.
    #[inline]
    pub const fn bounds_from(self, w: Width, pole: u64) -> (u64, u64) {
        if self.interval.crosses(w, pole) {
            (self.bits.next(w, pole), self.bits.previous(w, w.wrap(pole.wrapping_sub(1))))
        } else {
            (self.lo(), self.hi())
        }
    }

    /// The smallest and largest value in the unsigned order; exact.
    #[inline]
    pub const fn unsigned_bounds(self, w: Width) -> (u64, u64) {
        self.bounds_from(w, 0)
    }

    /// The smallest and largest value in the signed order; exact.
    #[inline]
    pub const fn signed_bounds(self, w: Width) -> (i64, i64) {
        let (lo, hi) = self.bounds_from(w, w.min_signed());
        (w.signed(lo), w.signed(hi))
    }

    /// The smallest unsigned value.
    #[inline]
    pub const fn min_unsigned(self, w: Width) -> u64 {
        self.unsigned_bounds(w).0
    }

    /// The largest unsigned value.
    #[inline]
    pub const fn max_unsigned(self, w: Width) -> u64 {
        self.unsigned_bounds(w).1
    }

    /// The smallest signed value.
    #[inline]
    pub const fn min_signed(self, w: Width) -> i64 {
        self.signed_bounds(w).0
    }

    /// The largest signed value.
    #[inline]
    pub const fn max_signed(self, w: Width) -> i64 {
        self.signed_bounds(w).1
    }

    /// The first value of the domain at or clockwise after `value`.
    #[inline]
    pub const fn next(self, w: Width, value: u64) -> u64 {
        // Within the arc the upper end has the bits, so the step stays inside.
        if self.interval.contains(w, value) { self.bits.next(w, value) } else { self.lo() }
    }

    /// A short arc that holds all values. It differs from [`Domain::interval`] where that runs through zero
    /// while the known bits keep all values on one side, as `[6, 4]` does with all high bits 0.
    #[inline]
    pub const fn hull(self, w: Width) -> Interval {
        if self.lo() > self.hi() && self.bits.known() != 0 {
            let run = Interval::new(w, self.bits.min(), self.bits.max(w));
            if run.span(w) < self.interval.span(w) {
                return run;
            }
        }
        self.interval
    }

    /// All values, clockwise from the lower end.
    pub fn values(self, w: Width) -> impl Iterator<Item = u64> {
        let mut following = Some(self.lo());
        std::iter::from_fn(move || {
            let value = following?;
            following = (value != self.hi()).then(|| self.bits.next(w, w.wrap(value.wrapping_add(1))));
            Some(value)
        })
    }

    /// Whether every value of this domain is in `other`; exact.
    pub fn is_subset(self, w: Width, other: Domain) -> bool {
        let bits = self.bits.meet(other.bits) == self.bits;
        bits && (self.interval.is_subset(w, other.interval)
            || other.interval.complement(w).is_none_or(|gap| self.narrow(w, gap).is_none()))
    }

    /// What is left of this domain within `other`: the ends are common values, none if there is no common
    /// value. A part of this domain.
    #[inline]
    pub fn meet(self, w: Width, other: Domain) -> Option<Domain> {
        let bits = self.bits.meet(other.bits);
        if bits == self.bits && self.interval.is_subset(w, other.interval) {
            return Some(self);
        }
        self.restrict(w, other.interval, bits)
    }

    /// What is left of this domain within an arc. The bits that are common to the arc count as well: they may
    /// exclude values between two pieces of the intersection.
    #[inline]
    pub fn narrow(self, w: Width, arc: Interval) -> Option<Domain> {
        if self.interval.is_subset(w, arc) {
            return Some(self);
        }
        self.restrict(w, arc, learned(w, arc, self.bits))
    }

    /// What is left of this domain among the values with the given bits.
    #[inline]
    pub fn narrow_bits(self, w: Width, bits: Bits) -> Option<Domain> {
        let bits = self.bits.meet(bits);
        if bits == self.bits { Some(self) } else { reduced(w, self.interval, bits) }
    }

    /// What is left without one value: an end of the arc moves inwards.
    ///
    /// A domain of either sign that has no gap yet stays as it is. A gap at, say, 0 would make it a run of
    /// unsigned values, and a later signed bound such as `[-10, 10]`, which the full circle would take, could
    /// no longer narrow it.
    #[inline]
    pub fn without(self, w: Width, value: u64) -> Option<Domain> {
        if value != self.lo() && value != self.hi() {
            return Some(self);
        }
        let free = self.bits.free(w);
        if free & w.min_signed() != 0 && free != w.min_signed() && self.covers_bits(w) {
            return Some(self);
        }
        self.narrow(w, Interval::singleton(value).complement(w)?)
    }

    /// A small domain that holds both.
    pub fn join(self, w: Width, other: Domain) -> Domain {
        let arc = self.interval.join(w, other.interval);
        reduced(w, arc, self.bits.join(other.bits)).expect("a join should hold both its parts")
    }

    /// The part of this domain from the first to the last value of two of its parts.
    pub fn join_within(self, w: Width, a: Domain, b: Domain) -> Domain {
        if self.covers_bits(w) {
            return a.join(w, b);
        }
        let (a_first, a_last) = self.part_offsets(w, a);
        let (b_first, b_last) = self.part_offsets(w, b);
        let (first, last) = (a_first.min(b_first), a_last.max(b_last));
        let arc = Interval::from_span(w, self.lo().wrapping_add(first), last - first);
        reduced(w, arc, a.bits.join(b.bits)).unwrap_or(self)
    }

    /// The complemented values; exact.
    #[inline]
    pub fn flip(self, w: Width) -> Domain {
        Domain { interval: self.interval.flip(w), bits: self.bits.flip() }
    }

    /// A small domain that holds the negated values; exact but for bits in the middle.
    #[inline]
    pub fn negate(self, w: Width) -> Domain {
        let bits = Bits::singleton(w, 0).sub(w, self.bits);
        reduced(w, self.interval.negate(w), bits).expect("a negated set should not be empty")
    }

    /// The distances of the first and last value of `part`, a part of this domain, from the lower end. The
    /// arc of a part may run through the gap of this domain if no value with its bits lies there.
    fn part_offsets(self, w: Width, part: Domain) -> (u64, u64) {
        let (first, last) = (self.interval.offset(w, part.lo()), self.interval.offset(w, part.hi()));
        if first <= last && last <= self.interval.span(w) {
            return (first, last);
        }
        let (lo, hi) = (part.bits.next(w, self.lo()), part.bits.previous(w, self.hi()));
        (self.interval.offset(w, lo), self.interval.offset(w, hi))
    }

    /// Narrows to an arc and bits until both ends lie in the arc: a round more than one is needed only when
    /// an end that was moved for its bits fell into a gap of the arc.
    #[inline]
    fn restrict(self, w: Width, arc: Interval, bits: Bits) -> Option<Domain> {
        let mut interval = if self.covers_bits(w) { Interval::full(w) } else { self.interval };
        loop {
            let narrowed = interval.narrow(w, arc)?;
            let domain = reduced(w, narrowed, bits)?;
            let kept = domain.interval == narrowed;
            if kept || (arc.contains(w, domain.lo()) && arc.contains(w, domain.hi())) {
                return Some(domain);
            }
            interval = domain.interval;
        }
    }
}

/// The reduced domain of the values of an arc with the given bits.
#[inline]
fn reduced(w: Width, arc: Interval, bits: Bits) -> Option<Domain> {
    if bits.known() == 0 {
        return Some(Domain { interval: arc, bits: learned(w, arc, bits) });
    }
    if bits.is_empty() {
        return None;
    }
    let lo = bits.next(w, arc.lo());
    if !arc.is_full(w) && arc.offset(w, lo) > arc.span(w) {
        return None;
    }
    let arc = Interval::new(w, lo, bits.previous(w, arc.hi()));
    Some(canonical(w, arc, learned(w, arc, bits)))
}

/// Adds the common leading bits of the ends of an arc; the ends have the given bits already.
#[inline]
fn learned(w: Width, arc: Interval, bits: Bits) -> Bits {
    let (lo, hi) = (arc.lo(), arc.hi());
    if lo > hi {
        return bits;
    }
    let below = u64::MAX.checked_shr((lo ^ hi).leading_zeros()).unwrap_or(0);
    let prefix = w.mask() & !below;
    Bits { zeros: bits.zeros | (prefix & !lo), ones: bits.ones | (prefix & lo) }
}

/// The one form of a set whose arc has the right ends and the right bits.
#[inline]
fn canonical(w: Width, arc: Interval, bits: Bits) -> Domain {
    let wraps = arc.lo() > arc.hi();
    if wraps && bits.next(w, w.wrap(arc.hi().wrapping_add(1))) == arc.lo() {
        return Domain { interval: Interval::new(w, bits.min(), bits.max(w)), bits };
    }
    Domain { interval: arc, bits }
}
