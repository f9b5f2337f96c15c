//! A domain as runs of codes, and what contraction leaves of these as a domain again.
//!
//! An arc of ranks may hold NaNs before and behind the numbers, or run from numbers through the NaNs to other numbers.
//! Cut open at code 0 it is at most two runs, each of at most three pieces: NaNs, numbers, NaNs. Contractors work on
//! pieces, so that a case of a constraint never mixes numbers with NaNs; what is left is the part of the given arc from
//! the first to the last piece left.

use super::format::Format;
use super::span::Span;
use crate::bits::Bits;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::Width;

/// How a variable is read: which values its codes stand for, and which codes are numbers.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    width: Width,
    /// The bits in which value and code differ: the sign of a signed integer.
    flip: u64,
    numbers: Span,
}

impl Kind {
    /// Floats: the code is the rank.
    #[inline]
    pub(super) fn float<F: Format>() -> Kind {
        Kind { width: F::WIDTH, flip: 0, numbers: F::NUMBERS }
    }

    /// Integers: the code counts from the least one.
    #[inline]
    pub(super) fn integer(width: Width, is_signed: bool) -> Kind {
        let flip = if is_signed { width.min_signed() } else { 0 };
        Kind { width, flip, numbers: Span { lo: 0, hi: width.mask() } }
    }

    /// The code of a value; also the value of a code.
    #[inline]
    pub(super) const fn code(self, value: u64) -> u64 {
        value ^ self.flip
    }

    /// The ends of a domain, if it is one run of numbers: what nearly all domains are once propagation is under way.
    #[inline]
    pub(super) fn run(self, domain: Domain) -> Option<Span> {
        let (lo, hi) = (self.code(domain.lo()), self.code(domain.hi()));
        (self.numbers.lo <= lo && lo <= hi && hi <= self.numbers.hi).then_some(Span { lo, hi })
    }

    /// What a part of its run leaves of a domain.
    #[inline]
    pub(super) fn narrowed(self, domain: Domain, run: Span, part: Span) -> Option<Domain> {
        if part == run {
            return Some(domain);
        }
        domain.narrow(self.width, Interval::new(self.width, self.code(part.lo), self.code(part.hi)))
    }

    /// The place of the piece of a domain in which a code lies that belongs to the domain.
    #[inline]
    pub(super) fn place_in(self, domain: Domain, pieces: Pieces, code: u64) -> Option<usize> {
        let holds = |piece: &Option<Span>| piece.is_some_and(|span| span.contains(code));
        pieces.0.iter().position(holds).filter(|_| domain.contains(self.width, self.code(code)))
    }
}

/// The number of pieces that a domain may have.
const SLOTS: usize = 6;

/// Runs of codes, in the order of an arc. Those of numbers are at the places 1 and 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pieces([Option<Span>; SLOTS]);

impl Pieces {
    pub(super) const NONE: Pieces = Pieces([None; SLOTS]);

    /// The pieces of a domain: each of codes between two codes of the domain, clockwise from the start of its arc.
    #[inline]
    pub(super) fn of(kind: Kind, domain: Domain) -> Pieces {
        let mask = kind.width.mask();
        let (lo, hi) = if domain.is_full(kind.width) {
            (0, mask)
        } else {
            (kind.code(domain.lo()), kind.code(domain.hi()))
        };
        let mut pieces = Pieces::NONE;
        let flipped = domain.bits().known() & kind.flip;
        let bits = Bits { zeros: domain.bits().zeros ^ flipped, ones: domain.bits().ones ^ flipped };
        let mut cut = |first: usize, run: Span| {
            let numbers = kind.numbers;
            let within = |piece: Option<Span>| {
                piece.and_then(|piece| run.meet(piece)).and_then(|p| fitting(kind, bits, p))
            };
            pieces.0[first] = within(numbers.lo.checked_sub(1).map(|last| Span { lo: 0, hi: last }));
            pieces.0[first + 1] = within(Some(numbers));
            pieces.0[first + 2] =
                within(Span::new(numbers.hi.saturating_add(1), mask).filter(|s| s.lo > numbers.hi));
        };
        if lo <= hi {
            cut(0, Span { lo, hi });
        } else {
            cut(0, Span { lo, hi: mask });
            cut(3, Span { lo: 0, hi });
        }
        pieces
    }

    /// The places of the pieces of numbers, with these.
    #[inline]
    pub(super) fn numbers(self) -> impl Iterator<Item = (usize, Span)> {
        [1, 4].into_iter().filter_map(move |place| self.0[place].map(|span| (place, span)))
    }

    /// The places of the pieces of NaNs, with these.
    #[inline]
    pub(super) fn nans(self) -> impl Iterator<Item = (usize, Span)> {
        [0, 2, 3, 5].into_iter().filter_map(move |place| self.0[place].map(|span| (place, span)))
    }

    /// Whether there are NaNs.
    #[inline]
    pub(super) fn has_nan(self) -> bool {
        self.nans().next().is_some()
    }

    /// Adds a part of the piece at a place.
    #[inline]
    pub(super) fn add(&mut self, place: usize, part: Span) {
        let before = &mut self.0[place];
        *before = Some(before.map_or(part, |before| before.hull(part)));
    }

    /// Adds the NaNs of other pieces.
    #[inline]
    pub(super) fn add_nans(&mut self, other: Pieces) {
        for (place, span) in other.nans() {
            self.add(place, span);
        }
    }

    /// Adds the pieces of another.
    #[inline]
    pub(super) fn add_all(&mut self, other: Pieces) {
        for place in 0..SLOTS {
            if let Some(span) = other.0[place] {
                self.add(place, span);
            }
        }
    }

    /// What is left of a domain, of whose pieces these are parts.
    #[inline]
    pub(super) fn left_of(self, kind: Kind, domain: Domain) -> Option<Domain> {
        let spans = || self.0.iter().flatten();
        let (first, last) = (spans().next()?, spans().next_back()?);
        let (mut lo, mut hi) = (first.lo, last.hi);
        if domain.covers_bits(kind.width) {
            // The arc has no gap yet; it is opened where most is missing.
            let mut missing = kind.width.wrap(lo.wrapping_sub(hi));
            let following = self.0.iter().flatten().skip(1);
            for (before, after) in spans().zip(following) {
                let gap = kind.width.wrap(after.lo.wrapping_sub(before.hi));
                if gap > missing {
                    (lo, hi, missing) = (after.lo, before.hi, gap);
                }
            }
        }
        domain.narrow(kind.width, Interval::new(kind.width, kind.code(lo), kind.code(hi)))
    }
}

/// The part of a run from the first to the last code with the given bits.
fn fitting(kind: Kind, bits: Bits, run: Span) -> Option<Span> {
    if bits.known() == 0 {
        return Some(run);
    }
    let lo = bits.next(kind.width, run.lo);
    let hi = bits.previous(kind.width, run.hi);
    (run.contains(lo) && run.contains(hi)).then_some(Span { lo, hi })
}
