//! Runs of codes, and the border of a property inside one.
//!
//! A code is a number in whose order functions are monotone: the rank of a float, or an integer counted from the least
//! one. What a monotone function maps into given bounds is a run, whose ends [`Span::last`] and [`Span::first`] find by
//! asking the function itself. Nothing depends on the guess from which they start but time, so no error of rounding
//! can get into a result: ties, overflow, subnormals and signed zeros are all in the function.

/// The codes from `lo` to `hi`, of which there is at least one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) lo: u64,
    pub(super) hi: u64,
}

impl Span {
    #[inline]
    pub(super) const fn point(code: u64) -> Span {
        Span { lo: code, hi: code }
    }

    #[inline]
    pub(super) fn new(lo: u64, hi: u64) -> Option<Span> {
        (lo <= hi).then_some(Span { lo, hi })
    }

    #[inline]
    pub(super) const fn is_point(self, code: u64) -> bool {
        self.lo == code && self.hi == code
    }

    #[inline]
    pub(super) const fn contains(self, code: u64) -> bool {
        self.lo <= code && code <= self.hi
    }

    /// The common codes.
    #[inline]
    pub(super) fn meet(self, other: Span) -> Option<Span> {
        Span::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// The codes from the first to the last of both.
    #[inline]
    pub(super) fn hull(self, other: Span) -> Span {
        Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The span without a code, if that is one of its ends.
    #[inline]
    pub(super) fn without(self, code: u64) -> Option<Span> {
        Span::new(
            self.lo + u64::from(self.lo == code),
            self.hi - u64::from(self.hi == code && self.lo < code),
        )
        .filter(|_| !self.is_point(code))
    }

    /// The last code at which `holds`, which is true up to some code and false behind it.
    #[inline]
    pub(super) fn last(self, guess: impl FnOnce() -> u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
        if holds(self.hi) {
            Some(self.hi)
        } else if !holds(self.lo) {
            None
        } else {
            Some(border(self.lo, self.hi, guess(), holds))
        }
    }

    /// The first code at which `holds`, which is false up to some code and true from there on.
    #[inline]
    pub(super) fn first(self, guess: impl FnOnce() -> u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
        let mirrored = Span { lo: !self.hi, hi: !self.lo };
        mirrored.last(|| !guess(), |code| holds(!code)).map(|code| !code)
    }
}

/// The last code at which `holds`: true at `yes`, false at the larger `no`. In steps that double from the guess until
/// both sides of the border are seen, then by halves.
fn border(mut yes: u64, mut no: u64, guess: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let guess = guess.clamp(yes, no - 1);
    let mut step = 1;
    if guess == yes || holds(guess) {
        yes = guess;
        while no - yes > step {
            if !holds(yes + step) {
                no = yes + step;
                break;
            }
            yes += step;
            step *= 2;
        }
    } else {
        no = guess;
        while no - yes > step {
            if holds(no - step) {
                yes = no - step;
                break;
            }
            no -= step;
            step *= 2;
        }
    }
    while no - yes > 1 {
        let middle = yes + (no - yes) / 2;
        *(if holds(middle) { &mut yes } else { &mut no }) = middle;
    }
    yes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_are_found_from_every_guess() {
        let span = Span { lo: 3, hi: 40 };
        for border in 0..45 {
            for guess in (0..45).chain([u64::MAX]) {
                let last = span.last(|| guess, |code| code < border);
                assert_eq!(last, (3..=40).rev().find(|&code| code < border), "{border} from {guess}");
                let first = span.first(|| guess, |code| code >= border);
                assert_eq!(first, (3..=40).find(|&code| code >= border), "{border} from {guess}");
            }
        }
        let all = Span { lo: 0, hi: u64::MAX };
        assert_eq!(all.last(|| 0, |code| code <= 1 << 63), Some(1 << 63));
        assert_eq!(all.first(|| u64::MAX, |code| code >= 5), Some(5));
    }

    #[test]
    fn an_end_can_be_taken_away() {
        let span = Span { lo: 3, hi: 5 };
        assert_eq!(span.without(3), Some(Span { lo: 4, hi: 5 }));
        assert_eq!(span.without(5), Some(Span { lo: 3, hi: 4 }));
        assert_eq!(span.without(4), Some(span));
        assert_eq!(Span::point(3).without(3), None);
        assert_eq!(Span::point(0).without(0), None);
    }
}
