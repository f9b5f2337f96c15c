//! Formats of floats: how many bits the exponent and the fraction have.

use quipu_num::FloatWidth;

use crate::circuit::{Edge, Word};

/// A binary format of IEEE 754, of any size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    /// Bits of the exponent, at least 2.
    pub exponent: usize,
    /// Bits of the fraction, at least 1.
    pub fraction: usize,
}

impl Format {
    pub const FLOAT: Format = Format { exponent: 8, fraction: 23 };
    pub const DOUBLE: Format = Format { exponent: 11, fraction: 52 };

    pub fn of(w: FloatWidth) -> Format {
        match w {
            FloatWidth::F32 => Format::FLOAT,
            FloatWidth::F64 => Format::DOUBLE,
        }
    }

    /// The bits of a float.
    pub fn size(self) -> usize {
        1 + self.exponent + self.fraction
    }

    /// What is added to an exponent in the bits of a float.
    pub fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent field of infinities and NaNs.
    pub fn special_field(self) -> i64 {
        (1 << self.exponent) - 1
    }

    /// The magnitude of an infinity: the bits without the sign.
    pub fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The word of the NaN that operations result in.
    pub fn nan(self) -> Word {
        let mut word = vec![Edge::FALSE; self.fraction - 1];
        word.resize(self.size(), Edge::TRUE);
        word
    }
}
