//! Domains read as ranges of numbers, and bounds of numbers as arcs.

use quipu_domain::{Domain, Interval};
use quipu_num::{FloatWidth, Width, number_of_rank, number_ranks, rank, rank_of};

use crate::round::Range;

/// How the values of a term are read as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum View {
    Unsigned,
    Signed,
    /// The number that a float is.
    Value(FloatWidth),
}

impl View {
    /// The reading of an integer in which its domain is one run of numbers, if there is one.
    pub fn natural(w: Width, domain: Domain) -> View {
        if domain.hull(w).crosses(w, 0) { View::Signed } else { View::Unsigned }
    }

    /// The numbers that a domain holds; none if it holds a float that is no finite number.
    pub fn range(self, w: Width, domain: Domain) -> Option<Range> {
        match self {
            View::Unsigned => {
                let (lo, hi) = domain.unsigned_bounds(w);
                Some(Range::of_integers(lo.into(), hi.into()))
            }
            View::Signed => {
                let (lo, hi) = domain.signed_bounds(w);
                Some(Range::of_integers(lo.into(), hi.into()))
            }
            View::Value(format) => {
                let (lo, hi) = domain.unsigned_bounds(w);
                let (least, greatest) = number_ranks(format);
                let is_finite = least < lo && hi < greatest;
                is_finite.then(|| Range::new(number_of_rank(format, lo), number_of_rank(format, hi)))
            }
        }
    }

    /// The arc of values that lie in a range; nothing if there is none.
    pub fn arc(self, w: Width, range: Range) -> Option<Interval> {
        match self {
            View::Unsigned => {
                let (lo, hi) = integers(range, 0, i128::from(w.mask()))?;
                Some(Interval::new(w, lo as u64, hi as u64))
            }
            View::Signed => {
                let (least, greatest) = (w.signed(w.min_signed()), w.signed(w.max_signed()));
                let (lo, hi) = integers(range, least.into(), greatest.into())?;
                Some(Interval::from_signed(w, lo as i64, hi as i64))
            }
            View::Value(format) => {
                let (least, greatest) = number_ranks(format);
                let lo = first_at_least(format, range.lo).max(least);
                let hi = last_at_most(format, range.hi).min(greatest);
                (lo <= hi).then(|| Interval::new(w, lo, hi))
            }
        }
    }
}

/// The first and last integer of a range between two others.
fn integers(range: Range, least: i128, greatest: i128) -> Option<(i128, i128)> {
    // Conversion to an integer ends at the largest and smallest one, which is beyond both limits.
    let lo = (range.lo.ceil() as i128).max(least);
    let hi = (range.hi.floor() as i128).min(greatest);
    (!range.lo.is_nan() && !range.hi.is_nan() && lo <= hi).then_some((lo, hi))
}

/// The rank of the first float that is not below a number; of the zeros, the negative one.
fn first_at_least(format: FloatWidth, number: f64) -> u64 {
    let mut found = rank_of(format, number);
    if number_of_rank(format, found) < number {
        found += 1;
    }
    if found == rank(format, 0) { found - 1 } else { found }
}

/// The rank of the last float that is not above a number; of the zeros, the positive one.
fn last_at_most(format: FloatWidth, number: f64) -> u64 {
    let mut found = rank_of(format, number);
    if number_of_rank(format, found) > number {
        found -= 1;
    }
    if found == rank(format, 0) - 1 { found + 1 } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_integer_of_a_range_is_on_its_arc() {
        let w = Width::new(5).unwrap();
        for lo in -70..70 {
            for hi in lo..70 {
                let range = Range::new(f64::from(lo) / 2.0, f64::from(hi) / 2.0);
                for value in 0..32u64 {
                    let inside = |x: f64| range.lo <= x && x <= range.hi;
                    let unsigned = View::Unsigned.arc(w, range).is_some_and(|arc| arc.contains(w, value));
                    assert_eq!(unsigned, inside(value as f64), "{range:?} {value}");
                    let signed = View::Signed.arc(w, range).is_some_and(|arc| arc.contains(w, value));
                    assert_eq!(signed, inside(w.signed(value) as f64), "{range:?} {value}");
                }
            }
        }
    }

    #[test]
    fn every_float_of_a_range_is_on_its_arc() {
        let format = FloatWidth::F32;
        let numbers = [-3.5f32, -1.0, -1e-45, -0.0, 0.0, 1e-45, 0.1, 1.0, 16_777_216.0, 1e30];
        let bounds = [-4.0, -1.0, -1.000_000_000_1, -1e-46, 0.0, 1e-46, 0.1, 0.100_000_000_000_1, 1e30, 1e31];
        for lo in bounds {
            for hi in bounds.into_iter().filter(|&hi| lo <= hi) {
                let arc = View::Value(format).arc(Width::W32, Range::new(lo, hi));
                for x in numbers {
                    let number = rank(format, x.to_bits().into());
                    let contained = arc.is_some_and(|arc| arc.contains(Width::W32, number));
                    assert_eq!(contained, lo <= x.into() && f64::from(x) <= hi, "{x} in {lo}..{hi}");
                }
            }
        }
    }
}
