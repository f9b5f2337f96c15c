//! Pseudo-random numbers, the same on every machine (xorshift64*), and random values of variables.

use quipu_num::{FloatWidth, Width, rank_of};

use super::extract::Variable;

/// Exponents of floats that programs are about.
const USUAL_EXPONENTS: std::ops::RangeInclusive<i32> = -12..=30;

pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() >> 33) as usize % n
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    /// A value that a variable may have: every order of magnitude is as likely as any other.
    pub fn value(&mut self, variable: &Variable) -> u64 {
        let Variable { width, domain, .. } = *variable;
        let value = match variable.float {
            _ if self.chance(30) => {
                let span = domain.interval().span(width);
                let offset = if span == u64::MAX { self.number() } else { self.number() % (span + 1) };
                width.wrap(domain.lo().wrapping_add(offset))
            }
            Some(w) => self.float(w),
            None => self.integer(width),
        };
        if domain.contains(width, value) { value } else { domain.next(width, value) }
    }

    /// A float of a usual size, often with few digits.
    fn float(&mut self, w: FloatWidth) -> u64 {
        let (first, last) = (*USUAL_EXPONENTS.start(), *USUAL_EXPONENTS.end());
        let exponent = first + self.below((last - first + 1) as usize) as i32;
        let places = self.below(53) as u32;
        let fraction = (self.number() >> 12 >> (52 - places)) as f64 / (1u64 << places) as f64;
        let size = (1.0 + fraction) * 2.0f64.powi(exponent);
        rank_of(w, if self.chance(50) { size } else { -size })
    }

    fn integer(&mut self, width: Width) -> u64 {
        let bits = self.below(width.bits() as usize + 1) as u32;
        let size = if bits == 0 { 0 } else { self.number() >> (64 - bits) };
        width.wrap(if self.chance(50) { size } else { size.wrapping_neg() })
    }
}
