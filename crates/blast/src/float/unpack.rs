//! The parts of a float, from the bits of its rank.

use super::exponent::Exponent;
use super::format::Format;
use super::normalize;
use crate::circuit::{Circuit, Edge, Word};
use crate::words;

/// A float: its sign, its magnitude, and what kind of float it is.
pub(crate) struct Unpacked {
    format: Format,
    pub sign: Edge,
    /// The bits without the sign.
    pub magnitude: Word,
    pub is_nan: Edge,
    pub is_infinite: Edge,
    pub is_zero: Edge,
    /// Whether the exponent field is zero: a zero or a subnormal number.
    pub is_small: Edge,
}

/// The magnitudes of negative floats go down as their ranks go up.
pub(crate) fn unpack(circuit: &mut Circuit, format: Format, rank: &[Edge]) -> Unpacked {
    let (&top, low) = rank.split_last().expect("a float has bits");
    let sign = !top;
    let magnitude: Word = low.iter().map(|&bit| circuit.xor(bit, sign)).collect();
    let (fraction, field) = magnitude.split_at(format.fraction);
    let is_special = circuit.all(field.to_vec());
    let is_small = !circuit.any(field.iter().copied());
    let has_fraction = circuit.any(fraction.iter().copied());
    Unpacked {
        format,
        sign,
        is_nan: circuit.and(is_special, has_fraction),
        is_infinite: circuit.and(is_special, !has_fraction),
        is_zero: circuit.and(is_small, !has_fraction),
        is_small,
        magnitude,
    }
}

impl Unpacked {
    fn fraction(&self) -> &[Edge] {
        &self.magnitude[..self.format.fraction]
    }

    fn field(&self) -> &[Edge] {
        &self.magnitude[self.format.fraction..]
    }

    /// The bits of the significand with the hidden one, which is zero in a subnormal number.
    pub fn raw_significand(&self) -> Word {
        self.fraction().iter().copied().chain([!self.is_small]).collect()
    }

    /// The exponent of the raw significand's top bit, with its bias: a field of zero means the same as one.
    pub fn raw_field(&self, circuit: &mut Circuit) -> Word {
        let mut field = self.field().to_vec();
        field[0] = circuit.or(field[0], self.is_small);
        field
    }

    /// The exponent field without its bias: the exponent of a normal number, and less than that of all for the others.
    pub fn plain_exponent(&self) -> Exponent {
        Exponent::new(self.field().to_vec(), -self.format.bias())
    }

    /// The exponent of the raw significand.
    pub fn raw_exponent(&self, circuit: &mut Circuit) -> Exponent {
        Exponent::new(self.raw_field(circuit), -self.format.bias())
    }

    /// The exponent and a significand whose top bit is set. What is not a number, or zero, has one too.
    pub fn normalized(&self, circuit: &mut Circuit) -> (Exponent, Word) {
        let (shifted, count) = normalize::to_top(circuit, self.fraction(), self.is_small);
        // The leading one is at the top of the fraction now: it becomes the hidden one.
        let moved: Word = [Edge::FALSE].into_iter().chain(shifted.iter().copied()).collect();
        let fraction = words::mux(circuit, self.is_small, &moved[..shifted.len()], &shifted);
        let significand = fraction.into_iter().chain([Edge::TRUE]).collect();
        (self.normalized_exponent(circuit, &count), significand)
    }

    /// With a shift of c (and one more) in a small number, the biased exponent is -c, and else the field: c is zero where
    /// the field is not, and the field where c is not.
    fn normalized_exponent(&self, circuit: &mut Circuit, count: &[Edge]) -> Exponent {
        let field = self.plain_exponent();
        let size = count.len().max(self.format.exponent);
        if count.iter().all(|&bit| bit == Edge::FALSE) {
            return field;
        }
        let zero = vec![Edge::FALSE; size];
        let negative = words::sub(circuit, &zero, &words::filled(count, size));
        let mut word: Word = negative
            .into_iter()
            .zip(words::filled(&field.word, size))
            .map(|(a, b)| circuit.or(a, b))
            .collect();
        // Above -2^size by a natural number: the top bit says that the number is not negative.
        let moved = circuit.any(count.iter().copied());
        word.push(!moved);
        Exponent::new(word, field.offset - (1 << size))
    }
}
