//! Known bits: which bits of a value are surely 0 and which surely 1.
//!
//! Known low bits are a congruence modulo a power of two, which is why there is no congruence domain besides.
//! [`Bits::next`] and [`Bits::previous`] step to the nearest value with these bits in constant time.

use quipu_num::Width;

/// The set of the values in which every bit of `zeros` is 0 and every bit of `ones` is 1. Both are canonical;
/// a bit in both makes the set empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits {
    /// The bits that are surely 0.
    pub zeros: u64,
    /// The bits that are surely 1.
    pub ones: u64,
}

impl Bits {
    /// Nothing known: all values.
    pub const UNKNOWN: Bits = Bits { zeros: 0, ones: 0 };

    /// All bits of one canonical value.
    #[inline]
    pub const fn singleton(w: Width, value: u64) -> Bits {
        Bits { zeros: w.wrap(!value), ones: value }
    }

    /// The bits of `mask` are those of `value`, the others are unknown.
    #[inline]
    pub const fn masked(mask: u64, value: u64) -> Bits {
        Bits { zeros: mask & !value, ones: mask & value }
    }

    /// The bits that are known.
    #[inline]
    pub const fn known(self) -> u64 {
        self.zeros | self.ones
    }

    /// The bits that are not known.
    #[inline]
    pub const fn free(self, w: Width) -> u64 {
        w.mask() & !self.known()
    }

    /// Whether some bit would have to be both 0 and 1.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.zeros & self.ones != 0
    }

    /// Whether a canonical value has these bits.
    #[inline]
    pub const fn contains(self, value: u64) -> bool {
        (value & self.zeros) | (!value & self.ones) == 0
    }

    /// The smallest unsigned value with these bits.
    #[inline]
    pub const fn min(self) -> u64 {
        self.ones
    }

    /// The largest unsigned value with these bits.
    #[inline]
    pub const fn max(self, w: Width) -> u64 {
        w.mask() & !self.zeros
    }

    /// What both know together; it may be empty.
    #[inline]
    pub const fn meet(self, other: Bits) -> Bits {
        Bits { zeros: self.zeros | other.zeros, ones: self.ones | other.ones }
    }

    /// What both know alike.
    #[inline]
    pub const fn join(self, other: Bits) -> Bits {
        Bits { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }

    /// The bits of the complemented values.
    #[inline]
    pub const fn flip(self) -> Bits {
        Bits { zeros: self.ones, ones: self.zeros }
    }

    /// Whether bits are known below one that is not, or all are: more than an arc says by its leading bits.
    #[inline]
    pub const fn below_free(self, w: Width) -> bool {
        let free = self.free(w);
        free == 0 || self.known() & (u64::MAX >> free.leading_zeros()) != 0
    }

    /// How many low bits are known without a gap.
    #[inline]
    pub const fn low_known(self) -> u32 {
        self.known().trailing_ones()
    }

    /// The first value with these bits at or clockwise after `value`: itself, a larger one, or the smallest
    /// one if no larger one exists. The bits are not empty.
    #[inline]
    pub const fn next(self, w: Width, value: u64) -> u64 {
        let conflict = (value & self.zeros) | (!value & self.ones);
        if conflict == 0 {
            return value;
        }
        let top = 1u64 << (63 - conflict.leading_zeros());
        if self.ones & top != 0 {
            // The value becomes larger by setting `top`; everything below it is then as small as possible.
            return (value & !(top - 1)) | top | (self.ones & (top - 1));
        }
        // `top` must be cleared, so a free bit above it has to rise from 0 to 1: the lowest such bit.
        let risers = self.free(w) & !value & !(top | (top - 1));
        if risers == 0 {
            return self.ones;
        }
        let riser = risers & risers.wrapping_neg();
        (value & !(riser - 1)) | riser | (self.ones & (riser - 1))
    }

    /// The first value with these bits at or counter-clockwise before `value`. The bits are not empty.
    #[inline]
    pub const fn previous(self, w: Width, value: u64) -> u64 {
        w.wrap(!self.flip().next(w, w.wrap(!value)))
    }

    /// The bits of the sum of values with these and the `other` bits, and of a carry into the lowest bit.
    /// A bit of a sum is known where both summands and the carry are; the carries are read off the smallest
    /// and the largest sum.
    #[inline]
    pub const fn add(self, w: Width, other: Bits, carry: u64) -> Bits {
        let smallest = self.ones.wrapping_add(other.ones).wrapping_add(carry);
        let largest = (!self.zeros).wrapping_add(!other.zeros).wrapping_add(carry);
        let carry_zero = !(largest ^ !self.zeros ^ !other.zeros);
        let carry_one = smallest ^ self.ones ^ other.ones;
        let known = w.wrap(self.known() & other.known() & (carry_zero | carry_one));
        Bits { zeros: known & !largest, ones: known & smallest }
    }

    /// The bits of the difference.
    #[inline]
    pub const fn sub(self, w: Width, other: Bits) -> Bits {
        self.add(w, other.flip(), 1)
    }
}
