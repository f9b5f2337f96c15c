//! Intervals of integers: what the generator knows about the value of an expression.
//!
//! Bounds are exact mathematical integers wide enough for any 64-bit operand; products saturate, which only
//! makes an interval that no type contains stay that way.

/// All integers from `lo` to `hi`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The smallest.
    pub lo: i128,
    /// The largest.
    pub hi: i128,
}

impl Range {
    /// From `lo` to `hi`.
    pub fn new(lo: i128, hi: i128) -> Range {
        assert!(lo <= hi, "a range should not be empty");
        Range { lo, hi }
    }

    /// One number.
    pub fn point(n: i128) -> Range {
        Range { lo: n, hi: n }
    }

    /// Whether all of `other` lies inside.
    pub fn contains(self, other: Range) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// Whether a number lies inside.
    pub fn has(self, n: i128) -> bool {
        self.contains(Range::point(n))
    }

    /// The smallest range around both.
    pub fn hull(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// This range if `limits` contains it, else `limits`: what is left after a conversion that may wrap.
    pub fn or_all_of(self, limits: Range) -> Range {
        if limits.contains(self) { self } else { limits }
    }

    /// Sums.
    pub fn add(self, other: Range) -> Range {
        Range { lo: self.lo + other.lo, hi: self.hi + other.hi }
    }

    /// Differences.
    pub fn sub(self, other: Range) -> Range {
        Range { lo: self.lo - other.hi, hi: self.hi - other.lo }
    }

    /// Products.
    pub fn mul(self, other: Range) -> Range {
        self.corners(other, i128::saturating_mul)
    }

    /// Quotients, rounded towards zero; a zero divisor is taken to give the dividend.
    pub fn div(self, other: Range) -> Range {
        if other.has(0) {
            let most = self.lo.abs().max(self.hi.abs());
            return Range { lo: -most, hi: most };
        }
        self.corners(other, |a, b| a / b)
    }

    /// Remainders with the sign of the dividend; a zero divisor is taken to give the dividend.
    pub fn rem(self, other: Range) -> Range {
        let divisor = other.lo.abs().max(other.hi.abs());
        let most = if other.has(0) { i128::MAX } else { divisor - 1 };
        Range { lo: self.lo.min(0).max(-most), hi: self.hi.max(0).min(most) }
    }

    /// `a << b` as the product with a power of two.
    pub fn shl(self, other: Range) -> Range {
        self.corners(other, |a, b| a.saturating_mul(1 << b.clamp(0, 63)))
    }

    /// `a >> b`, rounded towards minus infinity.
    pub fn shr(self, other: Range) -> Range {
        self.corners(other, |a, b| a >> b.clamp(0, 63))
    }

    /// `a & b`.
    pub fn and(self, other: Range) -> Range {
        match (self.lo >= 0, other.lo >= 0) {
            (true, true) => Range { lo: 0, hi: self.hi.min(other.hi) },
            (true, false) => Range { lo: 0, hi: self.hi },
            (false, true) => Range { lo: 0, hi: other.hi },
            (false, false) => self.hull(other).bits(),
        }
    }

    /// `a | b` and `a ^ b`.
    pub fn or_xor(self, other: Range) -> Range {
        self.hull(other).bits()
    }

    /// The smallest range of a whole number of bits around this one: signed if any number is negative.
    fn bits(self) -> Range {
        let mut limit: i128 = 1;
        while limit <= self.hi || -limit > self.lo {
            limit *= 2;
        }
        Range { lo: if self.lo < 0 { -limit } else { 0 }, hi: limit - 1 }
    }

    fn corners(self, other: Range, op: impl Fn(i128, i128) -> i128) -> Range {
        let at_lo = [op(self.lo, other.lo), op(self.lo, other.hi)];
        let at_hi = [op(self.hi, other.lo), op(self.hi, other.hi)];
        let all = at_lo.into_iter().chain(at_hi);
        let start = Range::point(at_lo[0]);
        all.fold(start, |range, n| range.hull(Range::point(n)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Case = (&'static str, fn(Range, Range) -> Range, fn(i128, i128) -> i128);

    /// Every operation contains the results for all pairs of members, over all small ranges.
    #[test]
    fn operations_contain_their_results() {
        let cases: [Case; 6] = [
            ("add", Range::add, |a, b| a + b),
            ("sub", Range::sub, |a, b| a - b),
            ("mul", Range::mul, |a, b| a * b),
            ("and", Range::and, |a, b| a & b),
            ("or", Range::or_xor, |a, b| a | b),
            ("xor", Range::or_xor, |a, b| a ^ b),
        ];
        for (name, range_op, op) in cases {
            check(name, -5, range_op, |a, b| Some(op(a, b)));
        }
    }

    #[test]
    fn partial_operations_contain_their_results() {
        check("div", -5, Range::div, |a, b| Some(if b == 0 { a } else { a / b }));
        check("rem", -5, Range::rem, |a, b| Some(if b == 0 { a } else { a % b }));
        check("shl", -5, Range::shl, |a, b| (b >= 0).then(|| a << b));
        check("shr", -5, Range::shr, |a, b| (b >= 0).then(|| a >> b));
    }

    fn check(
        name: &str,
        low: i128,
        range_op: fn(Range, Range) -> Range,
        op: impl Fn(i128, i128) -> Option<i128>,
    ) {
        let ranges: Vec<Range> = (low..6).flat_map(|lo| (lo..6).map(move |hi| Range::new(lo, hi))).collect();
        for &x in &ranges {
            for &y in &ranges {
                let result = range_op(x, y);
                for a in x.lo..=x.hi {
                    for b in y.lo..=y.hi {
                        if let Some(n) = op(a, b) {
                            assert!(result.has(n), "{name}: {a} of {x:?}, {b} of {y:?} gives {n}");
                        }
                    }
                }
            }
        }
    }
}
