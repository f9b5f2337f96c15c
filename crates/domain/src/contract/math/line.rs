//! The line of floats of one format: ranks of numbers, and arcs between them.

use crate::interval::Interval;
use quipu_num::{FloatWidth, nan_rank, number_ranks, rank, unrank};

pub(super) const INFINITY: f64 = f64::INFINITY;

#[derive(Clone, Copy)]
pub(super) struct Line(pub FloatWidth);

impl Line {
    /// The rank of the float that is nearest to a number.
    pub fn at(self, x: f64) -> u64 {
        match self.0 {
            FloatWidth::F32 => rank(self.0, u64::from((x as f32).to_bits())),
            FloatWidth::F64 => rank(self.0, x.to_bits()),
        }
    }

    /// The float of a rank: exact.
    pub fn value(self, rank: u64) -> f64 {
        let bits = unrank(self.0, rank);
        match self.0 {
            FloatWidth::F32 => f64::from(f32::from_bits(bits as u32)),
            FloatWidth::F64 => f64::from_bits(bits),
        }
    }

    /// The floats from one number to another.
    pub fn arc(self, (lo, hi): (f64, f64)) -> Interval {
        self.between(self.at(lo), self.at(hi))
    }

    /// The floats from one rank to another.
    pub fn between(self, lo: u64, hi: u64) -> Interval {
        Interval::new(self.0.width(), lo, hi)
    }

    /// The float that is nearest to a number.
    pub fn one(self, x: f64) -> Interval {
        Interval::singleton(self.at(x))
    }

    /// All floats less than a finite one; -0.0 is less than +0.0.
    pub fn below(self, x: f64) -> Interval {
        self.between(number_ranks(self.0).0, self.at(x) - 1)
    }

    /// All floats greater than a finite one.
    pub fn above(self, x: f64) -> Interval {
        self.between(self.at(x) + 1, number_ranks(self.0).1)
    }

    /// All floats but NaNs.
    pub fn numbers(self) -> Interval {
        let (least, greatest) = number_ranks(self.0);
        self.between(least, greatest)
    }

    /// All floats but NaNs and infinities.
    pub fn finite(self) -> Interval {
        let (least, greatest) = number_ranks(self.0);
        self.between(least + 1, greatest - 1)
    }

    /// All NaNs.
    pub fn nans(self) -> Interval {
        let (least, greatest) = number_ranks(self.0);
        self.between(greatest + 1, least - 1)
    }

    /// The NaN that functions result in.
    pub fn nan(self) -> Interval {
        Interval::singleton(nan_rank(self.0))
    }

    /// All floats.
    pub fn full(self) -> Interval {
        Interval::full(self.0.width())
    }
}
