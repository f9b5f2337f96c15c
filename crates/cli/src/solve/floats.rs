//! The floats of a domain, as people think of them: intervals of numbers, and NaNs.
//!
//! A domain is an arc of ranks. On the circle of ranks the NaNs lie between +∞ and -∞, so an arc is at most two intervals
//! of numbers, with NaNs between, in front of, or behind them.

use quipu_domain::Interval;
use quipu_num::{FloatWidth, number_ranks};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Floats {
    /// Intervals of numbers, by rank, the smaller ones first.
    pub numbers: Vec<(u64, u64)>,
    pub nans: Nans,
}

/// How many of the NaNs there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nans {
    None,
    Some,
    All,
}

impl Floats {
    pub fn of(w: FloatWidth, arc: Interval) -> Floats {
        let (least, greatest) = number_ranks(w);
        let mask = w.width().mask();
        // The arc as intervals of integers: two if it goes over the end of the circle.
        let parts = if arc.lo() <= arc.hi() {
            vec![(arc.lo(), arc.hi())]
        } else {
            vec![(0, arc.hi()), (arc.lo(), mask)]
        };
        let within = |(low, high): (u64, u64)| {
            let overlap = |&(first, last): &(u64, u64)| (first.max(low), last.min(high));
            parts.iter().map(overlap).filter(|(first, last)| first <= last).collect::<Vec<_>>()
        };
        let nans: Vec<(u64, u64)> = [within((0, least - 1)), within((greatest + 1, mask))].concat();
        let count: u64 = nans.iter().map(|(first, last)| last - first + 1).sum();
        let all = least + (mask - greatest);
        let nans = match count {
            0 => Nans::None,
            _ if count == all => Nans::All,
            _ => Nans::Some,
        };
        Floats { numbers: within((least, greatest)), nans }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_num::{nan_rank, rank};

    const W: FloatWidth = FloatWidth::F32;

    fn number(x: f32) -> u64 {
        rank(W, x.to_bits().into())
    }

    fn of(lo: u64, hi: u64) -> Floats {
        Floats::of(W, Interval::new(W.width(), lo, hi))
    }

    #[test]
    fn arcs_of_numbers_and_nans() {
        let (least, greatest) = number_ranks(W);
        assert_eq!(
            of(number(-1.0), number(2.0)),
            Floats { numbers: vec![(number(-1.0), number(2.0))], nans: Nans::None }
        );
        let not_less = of(number(5.0), least - 1);
        assert_eq!(not_less, Floats { numbers: vec![(number(5.0), greatest)], nans: Nans::All });
        let outside = of(number(5.0), number(-3.0));
        let numbers = vec![(least, number(-3.0)), (number(5.0), greatest)];
        assert_eq!(outside, Floats { numbers, nans: Nans::All });
        assert_eq!(of(nan_rank(W), nan_rank(W)), Floats { numbers: vec![], nans: Nans::Some });
        assert_eq!(of(greatest + 1, least - 1), Floats { numbers: vec![], nans: Nans::All });
        assert_eq!(of(0, W.width().mask()), Floats { numbers: vec![(least, greatest)], nans: Nans::All });
        let all_but_one = of(number(1.0) + 1, number(1.0) - 1);
        assert_eq!(all_but_one.numbers, [(least, number(1.0) - 1), (number(1.0) + 1, greatest)]);
    }
}
