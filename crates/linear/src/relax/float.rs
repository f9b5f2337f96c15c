//! Floats: a result is the exact one plus an error that is at most half the distance to its neighbours.
//!
//! Only operations whose operands and result are surely finite numbers say something here.

use quipu_model::Term;
use quipu_num::{Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth};

use crate::form::Form;
use crate::relax::{Relaxation, View};
use crate::round::Range;

const POSITIVE: Range = Range { lo: 0.0, hi: f64::INFINITY };
const NEGATIVE: Range = Range { lo: f64::NEG_INFINITY, hi: 0.0 };
const FRACTION: Range = Range { lo: 0.0, hi: 1.0 };

impl Relaxation<'_> {
    pub(super) fn float_function(
        &mut self,
        term: Term,
        function: FloatFn,
        format: FloatWidth,
        items: &[Term],
    ) -> Option<Form> {
        if let FloatFn::Compare(cmp) = function {
            return self.float_comparison(term, cmp, format, items[0], items[1]);
        }
        let operands: Option<Vec<Form>> = items.iter().map(|&item| self.number(item, format)).collect();
        match (function, &operands?[..]) {
            (FloatFn::Op(op), [a, b]) => self.float_operation(term, op, format, a, b),
            (FloatFn::Unary(op), [a]) => self.float_unary(term, op, format, a),
            (FloatFn::Fma, [a, b, c]) => {
                let product = self.product(a, b);
                self.rounded(term, format, &[(1.0, &product), (1.0, c)])
            }
            _ => None,
        }
    }

    /// A conversion.
    pub(super) fn conversion(&mut self, term: Term, cast: Cast, a: Term) -> Option<Form> {
        let is_float = matches!(self.view(term), View::Value(_));
        match cast {
            Cast::Trunc(..) | Cast::ZExt(..) | Cast::SExt(..) if is_float => None,
            Cast::Trunc(..) | Cast::ZExt(..) | Cast::SExt(..) => self.resized(term, cast, a),
            Cast::SignedToFloat(_, format) => {
                let a = self.read(a, View::Signed)?;
                self.rounded(term, format, &[(1.0, &a)])
            }
            Cast::UnsignedToFloat(_, format) => {
                let a = self.read(a, View::Unsigned)?;
                self.rounded(term, format, &[(1.0, &a)])
            }
            Cast::FloatToSigned(format, w) => {
                let limits = (w.signed(w.min_signed()) as f64, w.signed(w.max_signed()) as f64);
                self.whole_part(term, View::Signed, format, a, limits)
            }
            Cast::FloatToUnsigned(format, w) => {
                self.whole_part(term, View::Unsigned, format, a, (0.0, w.mask() as f64))
            }
            Cast::Widen => self.number(a, FloatWidth::F32),
            Cast::Narrow => {
                let a = self.number(a, FloatWidth::F64)?;
                self.rounded(term, FloatWidth::F32, &[(1.0, &a)])
            }
            Cast::FloatBits(_) | Cast::BitsFloat(_) => None,
        }
    }

    /// The number that a float is.
    fn number(&mut self, term: Term, format: FloatWidth) -> Option<Form> {
        if self.view(term) == View::Value(format) { self.own(term) } else { None }
    }

    fn float_operation(
        &mut self,
        term: Term,
        op: FloatOp,
        format: FloatWidth,
        a: &Form,
        b: &Form,
    ) -> Option<Form> {
        match op {
            FloatOp::Add => self.rounded(term, format, &[(1.0, a), (1.0, b)]),
            FloatOp::Sub => self.rounded(term, format, &[(1.0, a), (-1.0, b)]),
            FloatOp::Mul => {
                let product = self.product(a, b);
                self.rounded(term, format, &[(1.0, &product)])
            }
            FloatOp::Div => {
                let divisor = self.system.range(b);
                if divisor.lo <= 0.0 && divisor.hi >= 0.0 {
                    return None;
                }
                let exact = self.before_rounding(term, format)?;
                let product = self.product(&exact, b);
                self.demand(&[(1.0, &product), (-1.0, a)], Range::ZERO);
                self.rounded(term, format, &[(1.0, &exact)])
            }
            FloatOp::Min => self.extreme(term, a, b, 1.0),
            FloatOp::Max => self.extreme(term, a, b, -1.0),
            FloatOp::Rem | FloatOp::CopySign => None,
        }
    }

    fn float_unary(&mut self, term: Term, op: FloatUnary, format: FloatWidth, a: &Form) -> Option<Form> {
        let range = self.system.range(a);
        let difference = |result| [(1.0, a), (-1.0, result)];
        match op {
            FloatUnary::Neg => return a.times(-1.0),
            FloatUnary::Abs if range.lo >= 0.0 => return Some(a.clone()),
            FloatUnary::Abs if range.hi <= 0.0 => return a.times(-1.0),
            FloatUnary::Abs => {
                let result = self.own(term)?;
                self.demand(&[(1.0, &result), (-1.0, a)], POSITIVE);
                self.demand(&[(1.0, &result), (1.0, a)], POSITIVE);
            }
            FloatUnary::Sqrt if range.lo >= 0.0 => {
                let exact = self.before_rounding(term, format)?;
                let square = self.product(&exact, &exact);
                self.demand(&[(1.0, &square), (-1.0, a)], Range::ZERO);
                return self.rounded(term, format, &[(1.0, &exact)]);
            }
            FloatUnary::Sqrt => {}
            FloatUnary::Floor => {
                let result = self.own(term)?;
                self.demand(&difference(&result), FRACTION);
            }
            FloatUnary::Ceil => {
                let result = self.own(term)?;
                self.demand(&difference(&result), FRACTION.times(-1.0));
            }
            FloatUnary::Trunc => {
                let result = self.own(term)?;
                self.demand(&difference(&result), cut_off(range));
            }
            FloatUnary::Round | FloatUnary::RoundEven => {
                let result = self.own(term)?;
                self.demand(&difference(&result), Range::new(-0.5, 0.5));
            }
        }
        None
    }

    /// The smaller of two, or with the sign -1 the larger.
    fn extreme(&mut self, term: Term, a: &Form, b: &Form, sign: f64) -> Option<Form> {
        let result = self.own(term)?;
        self.demand(&[(sign, &result), (-sign, a)], NEGATIVE);
        self.demand(&[(sign, &result), (-sign, b)], NEGATIVE);
        // The two extremes together are the two operands.
        let other = self.system.range(a).join(self.system.range(b)).times(-sign);
        self.demand(&[(sign, &result), (-sign, a), (-sign, b)], Range::new(other.lo, f64::INFINITY));
        None
    }

    fn float_comparison(
        &mut self,
        term: Term,
        cmp: FloatCmp,
        format: FloatWidth,
        a: Term,
        b: Term,
    ) -> Option<Form> {
        let (a, b) = (self.number(a, format)?, self.number(b, format)?);
        let truth = self.own(term)?;
        let otherwise = self.negated(&truth)?;
        let gap = smallest_gap(format, self.system.range(&a), self.system.range(&b));
        let (less, not_less) = (Range::new(f64::NEG_INFINITY, -gap), NEGATIVE);
        match cmp {
            FloatCmp::Lt => {
                self.demand_if(&truth, &[(1.0, &a), (-1.0, &b)], less);
                self.demand_if(&otherwise, &[(1.0, &b), (-1.0, &a)], not_less);
                self.less_if(&truth, &a, &b, gap);
            }
            FloatCmp::Le => {
                self.demand_if(&truth, &[(1.0, &a), (-1.0, &b)], not_less);
                self.demand_if(&otherwise, &[(1.0, &b), (-1.0, &a)], less);
                self.less_if(&otherwise, &b, &a, gap);
            }
            FloatCmp::Eq => {
                self.demand_if(&truth, &[(1.0, &a), (-1.0, &b)], Range::ZERO);
                self.differ_if(&otherwise, &a, &b, gap);
            }
            FloatCmp::Ne => {
                self.demand_if(&otherwise, &[(1.0, &a), (-1.0, &b)], Range::ZERO);
                self.differ_if(&truth, &a, &b, gap);
            }
        }
        None
    }

    /// An integer that is a float without its fraction, where it surely fits. The limits may be rounded outwards: a float
    /// between a limit and its rounding is an integer beyond that, and does not fit.
    fn whole_part(
        &mut self,
        term: Term,
        view: View,
        format: FloatWidth,
        a: Term,
        limits: (f64, f64),
    ) -> Option<Form> {
        let a = self.number(a, format)?;
        let range = self.system.range(&a);
        if range.lo < limits.0 || range.hi > limits.1.next_down() {
            return None;
        }
        let result = self.read(term, view)?;
        self.demand(&[(1.0, &a), (-1.0, &result)], cut_off(range));
        None
    }

    /// A float result is a sum of multiples of forms up to rounding.
    fn rounded(&mut self, term: Term, format: FloatWidth, exact: &[(f64, &Form)]) -> Option<Form> {
        let result = self.own(term)?;
        let range = self.system.range(&result);
        let error = half_gap(format, range.magnitude());
        let difference =
            |c: f64| -> Vec<(f64, &Form)> { exact.iter().copied().chain([(-c, &result)]).collect() };
        self.demand(&difference(1.0), Range::new(-error, error));
        // The error is small where the result is.
        let (relative, tiny) = relative_error(format);
        if range.lo >= 0.0 {
            self.demand(&difference(1.0 + relative), Range::new(f64::NEG_INFINITY, tiny));
            self.demand(&difference(1.0 - relative), Range::new(-tiny, f64::INFINITY));
        } else if range.hi <= 0.0 {
            self.demand(&difference(1.0 + relative), Range::new(-tiny, f64::INFINITY));
            self.demand(&difference(1.0 - relative), Range::new(f64::NEG_INFINITY, tiny));
        }
        None
    }

    /// A column for what a float result was before it was rounded.
    fn before_rounding(&mut self, term: Term, format: FloatWidth) -> Option<Form> {
        let result = self.own(term)?;
        let range = self.system.range(&result);
        let error = half_gap(format, range.magnitude());
        Some(Form::column(self.add_column(range.plus(Range::new(-error, error)), false)))
    }
}

/// What is cut off numbers of a range when they lose their fraction.
fn cut_off(range: Range) -> Range {
    let lo = if range.lo < 0.0 { -1.0 } else { 0.0 };
    let hi = if range.hi > 0.0 { 1.0 } else { 0.0 };
    Range::new(lo, hi)
}

/// The digits of a format, and the exponent below which its numbers are subnormal.
fn format_of(format: FloatWidth) -> (i32, i32) {
    match format {
        FloatWidth::F32 => (24, -126),
        FloatWidth::F64 => (53, -1022),
    }
}

/// Half the distance from a float to the next one further from zero; not less where that is no double.
fn half_gap(format: FloatWidth, magnitude: f64) -> f64 {
    let (digits, least) = format_of(format);
    let exponent = exponent_of(magnitude).max(least);
    power_of_two(exponent - digits)
}

/// The least distance of two different floats from two ranges.
fn smallest_gap(format: FloatWidth, a: Range, b: Range) -> f64 {
    let least = |range: Range| {
        if range.lo <= 0.0 && range.hi >= 0.0 { 0.0 } else { range.lo.abs().min(range.hi.abs()) }
    };
    let (digits, first) = format_of(format);
    let exponent = exponent_of(least(a).min(least(b))).max(first);
    power_of_two(exponent - digits + 1)
}

/// The largest error of rounding as a part of the result, and what is to be added for subnormal results.
fn relative_error(format: FloatWidth) -> (f64, f64) {
    let (digits, least) = format_of(format);
    // One plus the exact part of a double would not be a double.
    (power_of_two(-digits.min(52)), power_of_two(least - digits))
}

/// The exponent of the first digit; very small for zero.
fn exponent_of(magnitude: f64) -> i32 {
    let biased = (magnitude.to_bits() >> 52 & 0x7ff) as i32;
    if biased == 0 { -1023 } else { biased - 1023 }
}

/// A power of two, or the smallest double in place of a smaller one.
fn power_of_two(exponent: i32) -> f64 {
    f64::exp2(f64::from(exponent)).max(f64::from_bits(1))
}
