//! Truth values, comparisons and choices: rows that hold where a truth value is true.

use quipu_model::Term;
use quipu_num::{Guard, IntCmp, Width};

use crate::form::Form;
use crate::relax::{Relaxation, View};
use crate::round::Range;

/// What is at most 0.
const NEGATIVE: Range = Range { lo: f64::NEG_INFINITY, hi: 0.0 };

impl Relaxation<'_> {
    /// `1 - truth`.
    pub(super) fn negated(&self, truth: &Form) -> Option<Form> {
        Form::constant(1.0).minus(truth)
    }

    pub(super) fn conjunction(&mut self, term: Term, items: &[Term]) -> Option<Form> {
        let truth = self.own(term)?;
        let mut sum = Form::constant(1.0 - items.len() as f64);
        for &item in items {
            let item = self.own(item)?;
            self.demand(&[(1.0, &truth), (-1.0, &item)], NEGATIVE);
            sum = sum.plus(&item)?;
        }
        self.demand(&[(1.0, &sum), (-1.0, &truth)], NEGATIVE);
        None
    }

    pub(super) fn disjunction(&mut self, term: Term, items: &[Term]) -> Option<Form> {
        let truth = self.own(term)?;
        let mut sum = Form::default();
        for &item in items {
            let item = self.own(item)?;
            self.demand(&[(1.0, &item), (-1.0, &truth)], NEGATIVE);
            sum = sum.plus(&item)?;
        }
        self.demand(&[(1.0, &truth), (-1.0, &sum)], NEGATIVE);
        None
    }

    /// A truth value that says how two integers compare.
    pub(super) fn comparison(&mut self, term: Term, cmp: IntCmp, a: Term, b: Term) -> Option<Form> {
        let truth = self.own(term)?;
        let otherwise = self.negated(&truth)?;
        let view = match cmp {
            IntCmp::Ult | IntCmp::Ule => View::Unsigned,
            IntCmp::Slt | IntCmp::Sle => View::Signed,
            // In one reading, equal values are equal numbers: take one that needs no column.
            IntCmp::Eq | IntCmp::Ne => self.view(a),
        };
        if let View::Value(_) = view {
            return self.same_float(cmp, &truth, &otherwise, a, b);
        }
        let (a, b) = (self.read(a, view)?, self.read(b, view)?);
        match cmp {
            IntCmp::Ult | IntCmp::Slt => self.is_less(&truth, &otherwise, &a, &b),
            // a <= b is not (b < a).
            IntCmp::Ule | IntCmp::Sle => self.is_less(&otherwise, &truth, &b, &a),
            IntCmp::Eq => self.is_equal(&truth, &otherwise, &a, &b),
            IntCmp::Ne => self.is_equal(&otherwise, &truth, &a, &b),
        }
        None
    }

    /// The same rank is the same number.
    fn same_float(&mut self, cmp: IntCmp, truth: &Form, otherwise: &Form, a: Term, b: Term) -> Option<Form> {
        if self.view(a) != self.view(b) {
            return None;
        }
        let (a, b) = (self.own(a)?, self.own(b)?);
        match cmp {
            IntCmp::Eq => self.demand_if(truth, &[(1.0, &a), (-1.0, &b)], Range::ZERO),
            IntCmp::Ne => self.demand_if(otherwise, &[(1.0, &a), (-1.0, &b)], Range::ZERO),
            _ => {}
        }
        None
    }

    fn is_less(&mut self, truth: &Form, otherwise: &Form, a: &Form, b: &Form) {
        self.demand_if(truth, &[(1.0, a), (-1.0, b)], Range::new(f64::NEG_INFINITY, -1.0));
        self.demand_if(otherwise, &[(1.0, b), (-1.0, a)], NEGATIVE);
        self.less_if(truth, a, b, 1.0);
    }

    fn is_equal(&mut self, truth: &Form, otherwise: &Form, a: &Form, b: &Form) {
        self.demand_if(truth, &[(1.0, a), (-1.0, b)], Range::ZERO);
        self.differ_if(otherwise, a, b, 1.0);
        // Different integers cannot both be at the end that they have in common.
        let (x, y) = (self.system.range(a), self.system.range(b));
        if x.lo == y.lo && x.lo.abs() < 1e15 {
            let bound = Range::new(2.0 * x.lo + 1.0, f64::INFINITY);
            self.demand_if(otherwise, &[(1.0, a), (1.0, b)], bound);
        }
        if x.hi == y.hi && x.hi.abs() < 1e15 {
            let bound = Range::new(f64::NEG_INFINITY, 2.0 * x.hi - 1.0);
            self.demand_if(otherwise, &[(1.0, a), (1.0, b)], bound);
        }
    }

    /// Where an operation is defined, its exact result fits.
    pub(super) fn guard(&mut self, term: Term, guard: Guard, a: Term, b: Term) -> Option<Form> {
        let truth = self.own(term)?;
        let (w, sum): (Width, Form) = match guard {
            Guard::AddFits(w) => (w, self.read(a, View::Signed)?.plus(&self.read(b, View::Signed)?)?),
            Guard::SubFits(w) => (w, self.read(a, View::Signed)?.minus(&self.read(b, View::Signed)?)?),
            Guard::MulFits(w) => {
                let (a, b) = (self.read(a, View::Signed)?, self.read(b, View::Signed)?);
                (w, self.product(&a, &b))
            }
            Guard::IndexBelow(_) | Guard::IndexAtMost(_) => {
                let otherwise = self.negated(&truth)?;
                let (a, b) = (self.read(a, View::Unsigned)?, self.read(b, View::Unsigned)?);
                match guard {
                    Guard::IndexBelow(_) => self.is_less(&truth, &otherwise, &a, &b),
                    _ => self.is_less(&otherwise, &truth, &b, &a),
                }
                return None;
            }
            _ => return None,
        };
        let fits = Range::of_integers(w.signed(w.min_signed()).into(), w.signed(w.max_signed()).into());
        self.demand_if(&truth, &[(1.0, &sum)], fits);
        None
    }

    /// The term that is chosen. Both are seen as forms, so that what they have in common takes no part in how far the choice
    /// is from each of them: the weak join of the two cases.
    pub(super) fn choice(&mut self, term: Term, condition: Term, a: Term, b: Term) -> Option<Form> {
        let view = self.view(term);
        let truth = self.own(condition)?;
        if let Some(known) = truth.is_constant() {
            return self.seen_as(if known == 1.0 { a } else { b }, view);
        }
        let (a, b) = (self.seen_as(a, view), self.seen_as(b, view));
        let otherwise = self.negated(&truth)?;
        let result = self.own(term)?;
        if let (Some(a), Some(b)) = (&a, &b)
            && let Some(difference) = a.minus(b)
        {
            if let Some(number) = difference.is_constant()
                && let Some(form) = b.plus_times(number, &truth)
            {
                self.demand(&[(1.0, &result), (-1.0, &form)], Range::ZERO);
                return None;
            }
            let range = self.system.range(&difference);
            self.within_multiples(&[(1.0, &result), (-1.0, b)], range, &truth);
            let negated = range.times(-1.0);
            self.within_multiples(&[(1.0, &result), (-1.0, a)], negated, &otherwise);
            return None;
        }
        if let Some(a) = a {
            self.demand_if(&truth, &[(1.0, &result), (-1.0, &a)], Range::ZERO);
        }
        if let Some(b) = b {
            self.demand_if(&otherwise, &[(1.0, &result), (-1.0, &b)], Range::ZERO);
        }
        None
    }

    /// `range.lo * truth <= sum <= range.hi * truth`.
    fn within_multiples(&mut self, sum: &[(f64, &Form)], range: Range, truth: &Form) {
        if !range.is_finite() {
            return;
        }
        let with =
            |factor: f64| -> Vec<(f64, &Form)> { sum.iter().copied().chain([(-factor, truth)]).collect() };
        self.demand(&with(range.hi), NEGATIVE);
        self.demand(&with(range.lo), Range::new(0.0, f64::INFINITY));
    }

    /// A term in the reading of another.
    fn seen_as(&mut self, term: Term, view: View) -> Option<Form> {
        match view {
            View::Value(_) if self.view(term) == view => self.own(term),
            View::Value(_) => None,
            _ => self.read(term, view),
        }
    }
}
