//! Integer operations.

use quipu_model::Term;
use quipu_num::{Cast, IntOp, Width};

use crate::form::Form;
use crate::relax::{Relaxation, View};
use crate::round::Range;

const POSITIVE: Range = Range { lo: 0.0, hi: f64::INFINITY };
const BELOW_ZERO: Range = Range { lo: f64::NEG_INFINITY, hi: -1.0 };

/// A dividend, its quotient and its divisor, all of them integers in one reading.
struct Division {
    dividend: Form,
    divisor: Form,
    /// Whether a quotient of a negative number is rounded towards zero; otherwise it is rounded down.
    truncates: bool,
}

impl Relaxation<'_> {
    /// The number that an integer term is in its own reading.
    pub(super) fn integer(&mut self, term: Term) -> Option<Form> {
        let view = self.view(term);
        self.read(term, view)
    }

    pub(super) fn operation(&mut self, term: Term, op: IntOp, a: Term, b: Term) -> Option<Form> {
        let w = self.model.width(term);
        let amount = (self.domain)(b).is_singleton().filter(|&n| n < u64::from(w.bits()));
        match op {
            IntOp::Add => {
                let sum = self.integer(a)?.plus(&self.integer(b)?)?;
                self.wrapped(term, &sum)
            }
            IntOp::Sub => {
                let difference = self.integer(a)?.minus(&self.integer(b)?)?;
                self.wrapped(term, &difference)
            }
            IntOp::Mul => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                let product = self.product(&a, &b);
                self.wrapped(term, &product)
            }
            IntOp::UDiv => self.quotient(term, a, b, View::Unsigned),
            IntOp::SDiv => self.quotient(term, a, b, View::Signed),
            IntOp::URem => self.remainder(term, a, b, View::Unsigned),
            IntOp::SRem => self.remainder(term, a, b, View::Signed),
            IntOp::And => self.common_bits(term, a, b),
            IntOp::Or => self.all_bits(term, a, b),
            IntOp::Xor => self.different_bits(term, a, b),
            IntOp::Shl => {
                let shifted = self.integer(a)?.times(f64::exp2(amount? as f64))?;
                self.wrapped(term, &shifted)
            }
            IntOp::LShr => self.shifted_right(term, a, amount?, View::Unsigned),
            IntOp::AShr => self.shifted_right(term, a, amount?, View::Signed),
        }
    }

    pub(super) fn sum(&mut self, term: Term, constant: u64, parts: &[(u64, Term)]) -> Option<Form> {
        let w = self.model.width(term);
        let mut sum = Form::constant(number(w, constant)?);
        for &(c, part) in parts {
            sum = sum.plus_times(number(w, c)?, &self.integer(part)?)?;
        }
        self.wrapped(term, &sum)
    }

    pub(super) fn complement(&mut self, term: Term, a: Term) -> Option<Form> {
        let a = self.integer(a)?;
        if self.model.width(term) == Width::W1 {
            return self.negated(&a);
        }
        let complement = Form::constant(-1.0).minus(&a)?;
        self.wrapped(term, &complement)
    }

    /// A conversion between integers.
    pub(super) fn resized(&mut self, term: Term, cast: Cast, a: Term) -> Option<Form> {
        let a = match cast {
            Cast::ZExt(..) => self.read(a, View::Unsigned)?,
            Cast::SExt(..) => self.read(a, View::Signed)?,
            _ => self.integer(a)?,
        };
        self.wrapped(term, &a)
    }

    fn quotient(&mut self, term: Term, a: Term, b: Term, view: View) -> Option<Form> {
        let division = self.division(a, b, view)?;
        let quotient = self.read(term, view)?;
        self.relate(&division, &quotient, None);
        None
    }

    fn remainder(&mut self, term: Term, a: Term, b: Term, view: View) -> Option<Form> {
        let division = self.division(a, b, view)?;
        let remainder = self.read(term, view)?;
        let dividend = self.system.range(&division.dividend);
        let divisor = self.system.range(&division.divisor);
        let ends = [
            dividend.lo / divisor.lo,
            dividend.lo / divisor.hi,
            dividend.hi / divisor.lo,
            dividend.hi / divisor.hi,
        ];
        let least = ends.iter().fold(f64::INFINITY, |least, &end| least.min(end.next_down().floor()));
        let most = ends.iter().fold(f64::NEG_INFINITY, |most, &end| most.max(end.next_up().ceil()));
        let quotient = self.fresh(Range::new(least, most), true);
        self.relate(&division, &quotient, Some(&remainder));
        None
    }

    /// What is divided, if the divisor is surely positive.
    fn division(&mut self, a: Term, b: Term, view: View) -> Option<Division> {
        let (dividend, divisor) = (self.read(a, view)?, self.read(b, view)?);
        let truncates = view == View::Signed;
        (self.system.range(&divisor).lo >= 1.0).then_some(Division { dividend, divisor, truncates })
    }

    /// A right shift is a division by a power of two, rounded down.
    fn shifted_right(&mut self, term: Term, a: Term, amount: u64, view: View) -> Option<Form> {
        let dividend = self.read(a, view)?;
        let divisor = Form::constant(f64::exp2(amount as f64));
        let quotient = self.read(term, view)?;
        self.relate(&Division { dividend, divisor, truncates: false }, &quotient, None);
        None
    }

    /// The dividend is the multiple of the divisor plus a remainder, which is smaller than the divisor and has the
    /// dividend's sign, or is not negative.
    fn relate(&mut self, division: &Division, quotient: &Form, remainder: Option<&Form>) {
        let Division { dividend, divisor, truncates } = division;
        let multiple = self.product(quotient, divisor);
        let rest = [(1.0, dividend), (-1.0, &multiple)];
        let range = self.system.range(dividend);
        if let Some(remainder) = remainder {
            self.demand(&[rest[0], rest[1], (-1.0, remainder)], Range::ZERO);
        }
        if !truncates || range.lo >= 0.0 {
            self.demand(&rest, POSITIVE);
        } else {
            self.demand(&[(-1.0, dividend), (1.0, &multiple), (-1.0, divisor)], BELOW_ZERO);
        }
        if *truncates && range.hi <= 0.0 {
            self.demand(&rest, Range::new(f64::NEG_INFINITY, 0.0));
        } else {
            self.demand(&[rest[0], rest[1], (-1.0, divisor)], BELOW_ZERO);
        }
    }

    /// `a & b` is below both; where the mask is a run of low bits it is a remainder.
    fn common_bits(&mut self, term: Term, a: Term, b: Term) -> Option<Form> {
        let domains = [(self.domain)(a).is_singleton(), (self.domain)(b).is_singleton()];
        let [x, y] = [self.read(a, View::Unsigned)?, self.read(b, View::Unsigned)?];
        let result = self.read(term, View::Unsigned)?;
        for (mask, other) in [(domains[0], &y), (domains[1], &x)] {
            if let Some(mask) = mask.filter(|&mask| mask < 1 << 52 && (mask + 1).is_power_of_two()) {
                let modulus = (mask + 1) as f64;
                let most = (self.system.range(other).hi / modulus).next_up().ceil();
                let quotient = self.fresh(Range::new(0.0, most), true);
                self.demand(&[(1.0, other), (-modulus, &quotient), (-1.0, &result)], Range::ZERO);
            }
        }
        let most = self.largest_with_bits(&x, &y)?;
        self.demand(&[(1.0, &result), (-1.0, &x)], Range::new(f64::NEG_INFINITY, 0.0));
        self.demand(&[(1.0, &result), (-1.0, &y)], Range::new(f64::NEG_INFINITY, 0.0));
        self.demand(&[(1.0, &result), (-1.0, &x), (-1.0, &y)], Range::new(-most, f64::INFINITY));
        None
    }

    /// `a | b` is above both, and not above their sum.
    fn all_bits(&mut self, term: Term, a: Term, b: Term) -> Option<Form> {
        let [x, y] = [self.read(a, View::Unsigned)?, self.read(b, View::Unsigned)?];
        let result = self.read(term, View::Unsigned)?;
        self.demand(&[(1.0, &result), (-1.0, &x)], POSITIVE);
        self.demand(&[(1.0, &result), (-1.0, &y)], POSITIVE);
        self.demand(&[(1.0, &result), (-1.0, &x), (-1.0, &y)], Range::new(f64::NEG_INFINITY, 0.0));
        None
    }

    /// `a ^ b` lies between the difference and the sum.
    fn different_bits(&mut self, term: Term, a: Term, b: Term) -> Option<Form> {
        let [x, y] = [self.read(a, View::Unsigned)?, self.read(b, View::Unsigned)?];
        let result = self.read(term, View::Unsigned)?;
        let most = self.largest_with_bits(&x, &y)?;
        self.demand(&[(1.0, &result), (-1.0, &x), (-1.0, &y)], Range::new(f64::NEG_INFINITY, 0.0));
        self.demand(&[(1.0, &result), (-1.0, &x), (1.0, &y)], POSITIVE);
        self.demand(&[(1.0, &result), (1.0, &x), (-1.0, &y)], POSITIVE);
        self.demand(&[(1.0, &result), (1.0, &x), (1.0, &y)], Range::new(f64::NEG_INFINITY, 2.0 * most));
        None
    }

    /// The largest number with as many bits as two that are not negative.
    fn largest_with_bits(&self, x: &Form, y: &Form) -> Option<f64> {
        let largest = self.system.range(x).hi.max(self.system.range(y).hi);
        let mut power = 1.0;
        while power <= largest {
            power *= 2.0;
        }
        // Beyond this the difference would be rounded.
        (power <= 9_007_199_254_740_992.0).then_some(power - 1.0)
    }
}

/// A coefficient, the smaller of its two readings, if it is a double.
fn number(w: Width, c: u64) -> Option<f64> {
    let signed = if w == Width::W1 { c as i64 } else { w.signed(c) };
    let number = signed as f64;
    (number as i128 == i128::from(signed)).then_some(number)
}
