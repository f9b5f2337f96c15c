//! Exact functions of `math.h` on the parts of floats, made of other terms: `ldexp`, `frexp`, `modf`, `ilogb`, `lrint`.
//!
//! Floats are terms by rank. The results are those of every libm, for all operands; of a NaN only that it is one.

use quipu_num::{
    Cast, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, IntCmp, IntOp, Width, libm, number_ranks, rank,
};

use crate::graph::Model;
use crate::node::Term;

/// The layout of a format.
struct Format {
    /// Bits behind the leading one.
    fraction_bits: u32,
    /// The largest exponent, which is what stored exponents are too large by; the least is one more than its negative.
    largest: i64,
}

impl Format {
    const fn of(w: FloatWidth) -> Format {
        match w {
            FloatWidth::F32 => Format { fraction_bits: 23, largest: 127 },
            FloatWidth::F64 => Format { fraction_bits: 52, largest: 1023 },
        }
    }

    const fn least(&self) -> i64 {
        1 - self.largest
    }

    /// The exponent of the factor by which every subnormal number becomes a normal one.
    const fn lift(&self) -> i64 {
        self.fraction_bits as i64 + 1
    }

    /// How much of an exponent is left to the next factor; the last one takes what it can.
    fn part(&self, n: i64, is_last: bool) -> i64 {
        match n {
            _ if is_last => n.clamp(self.least(), self.largest),
            _ if n < self.least() => self.least() + self.lift(),
            _ => n.min(self.largest),
        }
    }

    /// The bits of 2^n for a normal exponent.
    const fn power(&self, n: i64) -> u64 {
        ((n + self.largest) as u64) << self.fraction_bits
    }

    /// The bits of +∞.
    const fn infinity(&self) -> u64 {
        self.power(self.largest + 1)
    }
}

/// Beyond these exponents nothing changes: every number but zero overflows, or vanishes.
const ENDLESS: i64 = 4000;

impl Model {
    /// `ldexp`, `scalbn` and `scalbln`: `x` times two to the power of a signed integer of 16 bits or more, rounded once.
    ///
    /// Three products of powers that are normal numbers. Products upwards are exact or overflow for good. Downwards, a
    /// first power of 2^(least + digits) leaves an exponent below -digits: where that product was not exact, it is a
    /// subnormal number, and the rest of the way leads to zero in any case.
    pub fn scaled(&mut self, w: FloatWidth, x: Term, n: Term) -> Term {
        if let Some(bits) = self.constant(n) {
            return self.scaled_by(w, x, self.width(n).signed(bits));
        }
        let clamped = self.clamped(n, -ENDLESS, ENDLESS);
        let mut rest = self.resize(clamped, w.width(), true);
        let mut result = x;
        for is_last in [false, false, true] {
            let part = self.next_exponent(&Format::of(w), rest, is_last);
            result = self.scaled_by_normal(w, result, part);
            rest = self.op(IntOp::Sub, rest, part);
        }
        result
    }

    /// `frexp`: a fraction from 1/2 up to 1 and an exponent of 32 bits; `x` itself and 0 if there are none.
    pub fn fraction_and_exponent(&mut self, w: FloatWidth, x: Term) -> (Term, Term) {
        let (format, width) = (Format::of(w), w.width());
        let magnitude = self.magnitude_bits(w, x);
        let is_special = self.has_no_exponent(w, magnitude);
        let least_normal = self.constant_term(width, format.power(format.least()));
        let is_subnormal = self.compare(IntCmp::Ult, magnitude, least_normal);
        let lift = self.constant_term(width, format.lift().cast_unsigned());
        let lifted = self.scaled_by_normal(w, x, lift);
        let normal = self.select(is_subnormal, lifted, x);

        let bits = self.cast(Cast::FloatBits(w), normal);
        let field = self.constant_term(width, format.infinity());
        let stored = self.op(IntOp::And, bits, field);
        let places = self.constant_term(width, u64::from(format.fraction_bits));
        let stored = self.op(IntOp::LShr, stored, places);
        let zero = self.constant_term(width, 0);
        let lifted_by = self.select(is_subnormal, lift, zero);
        let half = (format.largest - 1).wrapping_neg().cast_unsigned();
        let exponent = self.sum(width, half, [(1, stored), (u64::MAX, lifted_by)]);
        let exponent = self.resize(exponent, Width::W32, true);

        let others = self.constant_term(width, !format.infinity());
        let digits = self.op(IntOp::And, bits, others);
        let half = self.constant_term(width, format.power(-1));
        let fraction = self.op(IntOp::Or, digits, half);
        let fraction = self.cast(Cast::BitsFloat(w), fraction);

        let none = self.constant_term(Width::W32, 0);
        (self.select(is_special, x, fraction), self.select(is_special, none, exponent))
    }

    /// `ilogb`: the exponent as an integer of 32 bits; what the user's libm has for zeros, infinities and NaNs.
    pub fn integer_exponent(&mut self, w: FloatWidth, x: Term) -> Term {
        let magnitude = self.magnitude_bits(w, x);
        let (_, exponent) = self.fraction_and_exponent(w, x);
        let of_number = self.sum(Width::W32, u64::MAX, [(1, exponent)]);
        let mut special =
            |value: f64| self.constant_term(Width::W32, u64::from(libm::ilogb(value).cast_unsigned()));
        let (of_zero, of_infinity, of_nan) = (special(0.0), special(f64::INFINITY), special(f64::NAN));
        let infinity = self.constant_term(w.width(), Format::of(w).infinity());
        let zero = self.constant_term(w.width(), 0);
        let is_nan = self.compare(IntCmp::Ult, infinity, magnitude);
        let is_infinite = self.equal(infinity, magnitude);
        let is_zero = self.equal(zero, magnitude);
        let result = self.select(is_nan, of_nan, of_number);
        let result = self.select(is_infinite, of_infinity, result);
        self.select(is_zero, of_zero, result)
    }

    /// `modf`: the integral part and the fraction, both with the sign of `x`.
    pub fn integral_and_fraction(&mut self, w: FloatWidth, x: Term) -> (Term, Term) {
        let integral = self.float(FloatFn::Unary(FloatUnary::Trunc), w, &[x]);
        let rest = self.float(FloatFn::Op(FloatOp::Sub), w, &[x, integral]);
        let (least, greatest) = number_ranks(w);
        let [least, greatest, zero] =
            [least, greatest, rank(w, 0)].map(|value| self.constant_term(w.width(), value));
        let is_infinite = [self.equal(x, least), self.equal(x, greatest)];
        let is_infinite = self.any(is_infinite);
        let rest = self.select(is_infinite, zero, rest);
        (integral, self.float(FloatFn::Op(FloatOp::CopySign), w, &[rest, x]))
    }

    /// `lrint` and `lround`, by how they round: a signed integer, the least one where the result does not fit.
    pub fn rounded(&mut self, w: FloatWidth, x: Term, rounding: FloatUnary, to: Width) -> Term {
        let whole = self.float(FloatFn::Unary(rounding), w, &[x]);
        let fits = self.guard(Guard::FloatFits { from: w, to, signed: true }, whole, whole);
        let integer = self.cast(Cast::FloatToSigned(w, to), whole);
        let least = self.constant_term(to, to.min_signed());
        self.select(fits, integer, least)
    }

    /// As [`scaled`](Model::scaled), without factors of 1 but for the first.
    fn scaled_by(&mut self, w: FloatWidth, x: Term, n: i64) -> Term {
        let mut rest = n.clamp(-ENDLESS, ENDLESS);
        let mut result = x;
        for is_last in [false, false, true] {
            let part = Format::of(w).part(rest, is_last);
            rest -= part;
            if part != 0 || result == x {
                let part = self.constant_term(w.width(), part.cast_unsigned());
                result = self.scaled_by_normal(w, result, part);
            }
        }
        result
    }

    /// The term of [`Format::part`].
    fn next_exponent(&mut self, format: &Format, rest: Term, is_last: bool) -> Term {
        if is_last {
            return self.clamped(rest, format.least(), format.largest);
        }
        let width = self.width(rest);
        let [least, largest, down] = [format.least(), format.largest, format.least() + format.lift()]
            .map(|value| self.constant_term(width, value.cast_unsigned()));
        let is_below = self.compare(IntCmp::Slt, rest, least);
        let is_above = self.compare(IntCmp::Slt, largest, rest);
        let upwards = self.select(is_above, largest, rest);
        self.select(is_below, down, upwards)
    }

    fn scaled_by_normal(&mut self, w: FloatWidth, x: Term, n: Term) -> Term {
        let power = self.power_of_two(w, n);
        self.float(FloatFn::Op(FloatOp::Mul), w, &[x, power])
    }

    /// The rank of 2^n for a normal exponent.
    fn power_of_two(&mut self, w: FloatWidth, n: Term) -> Term {
        let format = Format::of(w);
        self.sum(w.width(), rank(w, format.power(0)), [(1 << format.fraction_bits, n)])
    }

    fn clamped(&mut self, n: Term, least: i64, greatest: i64) -> Term {
        let width = self.width(n);
        let [least, greatest] =
            [least, greatest].map(|value| self.constant_term(width, value.cast_unsigned()));
        let is_below = self.compare(IntCmp::Slt, n, least);
        let is_above = self.compare(IntCmp::Slt, greatest, n);
        let cut = self.select(is_above, greatest, n);
        self.select(is_below, least, cut)
    }

    /// The bits of a float without its sign.
    fn magnitude_bits(&mut self, w: FloatWidth, x: Term) -> Term {
        let magnitude = self.float(FloatFn::Unary(FloatUnary::Abs), w, &[x]);
        self.cast(Cast::FloatBits(w), magnitude)
    }

    /// Whether the magnitude is that of a zero, an infinity or a NaN.
    fn has_no_exponent(&mut self, w: FloatWidth, magnitude: Term) -> Term {
        let [infinity, zero] = [Format::of(w).infinity(), 0].map(|bits| self.constant_term(w.width(), bits));
        let is_zero = self.equal(magnitude, zero);
        let is_large = self.compare(IntCmp::Ule, infinity, magnitude);
        self.any([is_zero, is_large])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Assignment, Evaluation};
    use crate::graph::{Reading, Role, VarInfo};
    use quipu_num::{is_nan_rank, unrank};

    /// A small seeded generator (xorshift).
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
        }

        /// Bits of a float; often subnormal, small, special, or halfway between integers.
        fn float(&mut self, w: FloatWidth) -> u64 {
            let any = self.next();
            let bits = match any >> 60 {
                0..4 => any >> (20 + (any & 31)),
                4..6 => [0, 1, 0x7ff0 << 48, 0x7ff8 << 48, 1 << 63, 0xfff0 << 48][(any & 7) as usize % 6],
                6..9 => (((any & 0xffff) as f64 - 32768.0) / 2.0).to_bits(),
                _ => any,
            };
            match w {
                FloatWidth::F64 => bits,
                FloatWidth::F32 if any & 64 == 0 => u64::from((f64::from_bits(bits) as f32).to_bits()),
                FloatWidth::F32 => bits & 0xffff_ffff,
            }
        }
    }

    /// The values of terms that are made of a float and an integer of 64 bits.
    struct Bench {
        model: Model,
        operands: [Term; 2],
    }

    impl Bench {
        fn new(w: FloatWidth) -> Bench {
            let mut model = Model::default();
            let operands = [w.width(), Width::W64].map(|width| {
                let info = VarInfo {
                    name: "x".into(),
                    width,
                    reading: Reading::Unsigned,
                    range: None,
                    role: Role::Input,
                };
                let var = model.add_var(info);
                model.var_term(var)
            });
            Bench { model, operands }
        }

        fn values(&self, terms: &[Term], assignment: [u64; 2]) -> Vec<u64> {
            let assignment = assignment.into_iter().collect::<Assignment>();
            let mut evaluation = Evaluation::new(&self.model, &assignment);
            terms.iter().map(|&term| evaluation.value(term)).collect()
        }
    }

    /// Compares the rank of a float with bits of libm's.
    fn same(w: FloatWidth, found: u64, expected: u64) -> bool {
        let expected = rank(w, expected);
        found == expected || (is_nan_rank(w, found) && is_nan_rank(w, expected))
    }

    fn single(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }

    fn scaled_by_libm(w: FloatWidth, bits: u64, n: i64) -> u64 {
        match w {
            FloatWidth::F32 => u64::from(libm::scalblnf(single(bits), n).to_bits()),
            FloatWidth::F64 => libm::scalbln(f64::from_bits(bits), n).to_bits(),
        }
    }

    #[test]
    fn scaling_by_a_number_needs_few_factors() {
        let mut random = Random(37);
        for w in [FloatWidth::F32, FloatWidth::F64] {
            for n in (-2300..2300).step_by(23).chain([0, 1, i64::MIN, i64::MAX]) {
                let mut bench = Bench::new(w);
                let constant = bench.model.constant_term(Width::W64, n.cast_unsigned());
                let scaled = bench.model.scaled(w, bench.operands[0], constant);
                let is_product = |term| matches!(bench.model.node(term), crate::Node::Float(..));
                let products = bench.model.terms().filter(|&term| is_product(term)).count();
                assert_eq!(products == 1, Format::of(w).part(n, true) == n, "{n}");
                for _ in 0..500 {
                    let bits = random.float(w);
                    let found = bench.values(&[scaled], [rank(w, bits), 0])[0];
                    assert!(same(w, found, scaled_by_libm(w, bits, n)), "{w:?} {bits:x} {n}");
                }
            }
        }
    }

    #[test]
    fn scaling_rounds_once() {
        let mut random = Random(29);
        for w in [FloatWidth::F32, FloatWidth::F64] {
            let mut bench = Bench::new(w);
            let [x, n] = bench.operands;
            let scaled = bench.model.scaled(w, x, n);
            for _ in 0..200_000 {
                let bits = random.float(w);
                let any = random.next();
                let n = (any >> 8).cast_signed() % [3, 200, 2500, i64::MAX][(any & 3) as usize];
                let n = if any & 4 == 0 { n } else { -n };
                let expected = scaled_by_libm(w, bits, n);
                let found = bench.values(&[scaled], [rank(w, bits), n.cast_unsigned()])[0];
                assert!(same(w, found, expected), "{w:?} {bits:x} {n}: {:x} {expected:x}", unrank(w, found));
            }
        }
    }

    #[test]
    fn parts_are_those_of_libm() {
        let mut random = Random(31);
        for w in [FloatWidth::F32, FloatWidth::F64] {
            let mut bench = Bench::new(w);
            let x = bench.operands[0];
            let (fraction, exponent) = bench.model.fraction_and_exponent(w, x);
            let (integral, rest) = bench.model.integral_and_fraction(w, x);
            let logarithm = bench.model.integer_exponent(w, x);
            let even = bench.model.rounded(w, x, FloatUnary::RoundEven, Width::W64);
            let away = bench.model.rounded(w, x, FloatUnary::Round, Width::W64);
            let terms = [fraction, integral, rest, exponent, logarithm, even, away];
            for _ in 0..100_000 {
                let bits = random.float(w);
                let found = bench.values(&terms, [rank(w, bits), 0]);
                let expected = of_libm(w, bits);
                let floats_agree = (0..3).all(|n| same(w, found[n], expected[n]));
                assert!(
                    floats_agree && found[3..] == expected[3..],
                    "{w:?} {bits:x}: {found:x?} {expected:x?}"
                );
            }
        }
    }

    fn of_libm(w: FloatWidth, bits: u64) -> [u64; 7] {
        let mut exponent = 0;
        match w {
            FloatWidth::F32 => {
                let (x, mut integral) = (single(bits), 0.0);
                let (fraction, rest) = (libm::frexpf(x, &mut exponent), libm::modff(x, &mut integral));
                let [fraction, integral, rest] = [fraction, integral, rest].map(|x| u64::from(x.to_bits()));
                let logarithm = u64::from(libm::ilogbf(x).cast_unsigned());
                let rounded = [libm::llrintf(x), libm::llroundf(x)].map(i64::cast_unsigned);
                let exponent = u64::from(exponent.cast_unsigned());
                [fraction, integral, rest, exponent, logarithm, rounded[0], rounded[1]]
            }
            FloatWidth::F64 => {
                let (x, mut integral) = (f64::from_bits(bits), 0.0);
                let (fraction, rest) = (libm::frexp(x, &mut exponent), libm::modf(x, &mut integral));
                let [fraction, integral, rest] = [fraction, integral, rest].map(f64::to_bits);
                let logarithm = u64::from(libm::ilogb(x).cast_unsigned());
                let rounded = [libm::llrint(x), libm::llround(x)].map(i64::cast_unsigned);
                let exponent = u64::from(exponent.cast_unsigned());
                [fraction, integral, rest, exponent, logarithm, rounded[0], rounded[1]]
            }
        }
    }
}
