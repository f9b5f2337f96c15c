//! Floats to try out, and floats that are easy to read.

use quipu_num::{FloatWidth, nan_rank, number_of_rank, rank, rank_of, unrank};

use crate::random::Random;

/// The bits of the float that is nearest to a number.
pub(crate) fn bits_of(w: FloatWidth, value: f64) -> u64 {
    unrank(w, rank_of(w, value))
}

fn value_of(w: FloatWidth, bits: u64) -> f64 {
    number_of_rank(w, rank(w, bits))
}

/// A float for an input: often one near a constant of the program, sometimes any at all.
pub(crate) fn float(random: &mut Random, constants: &[f64], w: FloatWidth) -> u64 {
    const BORDERS: [f64; 8] =
        [1.0, -1.0, 1e-30, 1e30, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY];
    let value = match random.below(12) {
        0 => 0.0,
        1 => random.below(20) as f64 - 10.0,
        2 => (random.below(2000) as f64 - 1000.0) / 8.0,
        // All exponents are equally likely.
        3 => return w.width().wrap(random.next()),
        4 => random.pick(&BORDERS),
        5 => f64::NAN,
        6..=9 if !constants.is_empty() => {
            let constant = bits_of(w, random.pick(constants));
            return random.pick(&around(w, constant));
        }
        _ => random.below(1000) as f64 / 1000.0,
    };
    bits_of(w, value)
}

/// The float itself, its neighbours, the same a little larger and smaller, and with the other sign.
pub(crate) fn around(w: FloatWidth, bits: u64) -> [u64; 8] {
    let value = value_of(w, bits);
    let at = rank(w, bits);
    let moved = |by: f64| bits_of(w, value + by);
    [
        bits,
        unrank(w, at.saturating_add(1).min(w.width().mask())),
        unrank(w, at.saturating_sub(1)),
        bits_of(w, -value),
        moved(0.5),
        moved(-0.5),
        moved(1.0),
        moved(-1.0),
    ]
}

/// How hard a float is on a reader: its significant digits, then how far its size is from one, then its digits, then its
/// sign. Small integers are the easiest, infinities and NaNs the hardest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Complexity {
    digits: u32,
    exponent: u32,
    mantissa: u64,
    negative: bool,
}

/// More digits than any number has.
const INFINITE: u32 = 18;
const NAN: u32 = 19;
/// What an infinity or a NaN weighs when tests are compared: as much as a number with some digits.
const SPECIAL_WEIGHT: u32 = 3;

impl Complexity {
    pub fn of(w: FloatWidth, bits: u64) -> Complexity {
        let value = value_of(w, bits);
        let negative = value.is_sign_negative();
        let special = |digits, mantissa| Complexity { digits, exponent: 0, mantissa, negative };
        if value.is_nan() {
            return special(NAN, u64::from(rank(w, bits) != nan_rank(w)));
        }
        if value.is_infinite() {
            return special(INFINITE, 0);
        }
        if value.abs() <= 10.0 && value.fract() == 0.0 {
            return special(0, value.abs() as u64);
        }
        let (mantissa, exponent) = decimal(w, value.abs());
        Complexity { digits: mantissa.ilog10() + 1, exponent: exponent.unsigned_abs(), mantissa, negative }
    }

    /// What it counts where tests are compared.
    pub fn weight(self) -> u32 {
        if self.digits >= INFINITE { SPECIAL_WEIGHT } else { self.digits }
    }
}

/// The digits of the shortest decimal that is read as this positive float, and the exponent of its first digit.
fn decimal(w: FloatWidth, value: f64) -> (u64, i32) {
    let text = match w {
        FloatWidth::F32 => format!("{:e}", value as f32),
        FloatWidth::F64 => format!("{value:e}"),
    };
    let (mantissa, exponent) = text.split_once('e').expect("the text has an exponent");
    let digits = mantissa.replace('.', "").parse().expect("there are at most 17 digits");
    (digits, exponent.parse().expect("the exponent is small"))
}

/// Simpler floats than one, the simplest first: small integers, then the float with fewer and fewer digits left out.
pub(crate) fn simpler(w: FloatWidth, bits: u64) -> Vec<u64> {
    let value = value_of(w, bits);
    let mut candidates: Vec<f64> = (0..=10).flat_map(|n| [f64::from(n), -f64::from(n)]).collect();
    candidates.extend([0.5, -0.5, 100.0, -100.0, 1e6, -1e6, 1e30, -1e30, f64::INFINITY, f64::NAN]);
    if value.is_finite() && value != 0.0 {
        let (mantissa, exponent) = decimal(w, value.abs());
        let n_digits = mantissa.ilog10() as i32 + 1;
        candidates.push(1f64.copysign(value) * power_of_ten(exponent));
        let mut place = 1;
        for dropped in 1..n_digits {
            place *= 10;
            let kept = mantissa / place;
            let scale = exponent + 1 - n_digits + dropped;
            for digits in [kept, kept + 1] {
                let text = format!("{digits}e{scale}");
                let size: f64 = text.parse().expect("digits and an exponent are a number");
                candidates.push(size.copysign(value));
            }
        }
    }
    let now = Complexity::of(w, bits);
    let mut simpler: Vec<(Complexity, u64)> = candidates
        .into_iter()
        .map(|candidate| bits_of(w, candidate))
        .map(|bits| (Complexity::of(w, bits), bits))
        .filter(|(complexity, _)| *complexity < now)
        .collect();
    simpler.sort_unstable();
    simpler.dedup();
    simpler.into_iter().map(|(_, bits)| bits).collect()
}

fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().expect("this is a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    const W: FloatWidth = FloatWidth::F64;

    /// What is left if every candidate is taken that is good.
    fn shrunk(w: FloatWidth, value: f64, good: impl Fn(f64) -> bool) -> f64 {
        let mut bits = bits_of(w, value);
        while let Some(better) = simpler(w, bits).into_iter().find(|&bits| good(value_of(w, bits))) {
            bits = better;
        }
        value_of(w, bits)
    }

    #[test]
    fn floats_get_fewer_digits() {
        assert_eq!(shrunk(W, 2.3456789, |x| (2.34..2.35).contains(&x)), 2.34);
        assert_eq!(shrunk(W, 0.669, |x| x > 0.6 && x < 0.9), 0.7);
        assert_eq!(shrunk(W, 0.669, |x| x > 0.3 && x < 0.9), 0.5);
        assert_eq!(shrunk(W, 1234.5678, |x| x > 1234.5 && x < 1236.0), 1235.0);
        assert_eq!(shrunk(W, -7.123e-5, |x| x < -5e-5 && x > -1e-4), -7e-5);
        assert_eq!(shrunk(W, 81.25, |_| true), 0.0);
        assert_eq!(shrunk(W, -0.0, |x| x == 0.0), 0.0);
        assert_eq!(shrunk(W, f64::from_bits(0xfff8_0000_0000_1234), |x| x.is_nan() || x > 1.0), 2.0);
        assert_eq!(shrunk(W, f64::INFINITY, |x| x > 1e7), 1e30);
        assert!(shrunk(W, -f64::NAN, f64::is_nan).is_sign_positive());
        assert_eq!(shrunk(FloatWidth::F32, f64::from(0.3f32), |x| x > 0.2 && x < 0.4), f64::from(0.3f32));
    }

    #[test]
    fn the_digits_count() {
        let digits = |w, value| Complexity::of(w, bits_of(w, value)).weight();
        assert_eq!([0.0, -3.0, 10.0, 0.5, 12.0, 3.25, 1e300].map(|x| digits(W, x)), [0, 0, 0, 1, 2, 3, 1]);
        assert_eq!(digits(FloatWidth::F32, 0.1), 1);
        assert_eq!(digits(W, f64::from(0.1f32)), 17);
        assert_eq!(digits(W, f64::NAN), SPECIAL_WEIGHT);
    }

    #[test]
    fn neighbours_are_one_step_away() {
        let near = around(W, 1f64.to_bits()).map(f64::from_bits);
        assert_eq!(near, [1.0, 1f64.next_up(), 1f64.next_down(), -1.0, 1.5, 0.5, 2.0, 0.0]);
    }
}
