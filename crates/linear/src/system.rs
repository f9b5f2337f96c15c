//! Systems of linear rows over bounded columns, and what multipliers of the rows prove about them.
//!
//! Every row is true of all that the system describes, with its coefficients as they are stored. So whoever proposes
//! multipliers, the bound that follows from them is computed here with directed rounding and needs no trust (Neumaier and
//! Shcherbina, Safe bounds in linear and mixed-integer programming, 2004).

use quipu_base::IdVec;

use crate::form::{Column, Form};
use crate::round::{Range, add_down, add_up};

/// `lo <= sum of parts <= hi`.
#[derive(Clone, Debug)]
pub struct Row {
    pub parts: Vec<(Column, f64)>,
    pub range: Range,
}

/// Rows and the bounds of columns.
#[derive(Clone, Default, Debug)]
pub struct System {
    columns: IdVec<Column, Range>,
    rows: Vec<Row>,
    /// A row without columns, or the bounds of a column, cannot be satisfied.
    contradiction: bool,
}

impl System {
    pub fn add_column(&mut self, range: Range) -> Column {
        self.contradiction |= range.lo > range.hi;
        self.columns.push(range)
    }

    pub fn columns(&self) -> &IdVec<Column, Range> {
        &self.columns
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub fn is_contradictory(&self) -> bool {
        self.contradiction
    }

    /// Narrows the bounds of a column.
    pub fn narrow(&mut self, column: Column, range: Range) {
        self.columns[column] = self.columns[column].meet(range);
        self.contradiction |= self.columns[column].lo > self.columns[column].hi;
    }

    /// Demands that a form lies in a range; what the bounds of its columns imply is left out.
    pub fn demand(&mut self, form: &Form, range: Range) {
        let known = self.range(form);
        if known.lo > range.hi || known.hi < range.lo {
            self.contradiction = true;
            return;
        }
        let lo = if known.lo >= range.lo { f64::NEG_INFINITY } else { range.lo };
        let hi = if known.hi <= range.hi { f64::INFINITY } else { range.hi };
        if lo == f64::NEG_INFINITY && hi == f64::INFINITY {
            return;
        }
        let range = Range::new(add_down(lo, -form.constant), add_up(hi, -form.constant));
        self.rows.push(Row { parts: form.parts.clone(), range });
    }

    /// What the bounds of columns say about a form.
    pub fn range(&self, form: &Form) -> Range {
        let constant = Range::new(form.constant, form.constant);
        form.parts.iter().fold(constant, |sum, &(column, c)| sum.plus(self.columns[column].times(c)))
    }

    /// A number that the form is never below, by these multipliers of the rows. -∞ is always one.
    ///
    /// With `d` for what the form is when the multiples of the rows are taken off it, the form is the multiples, each
    /// within its row's range, plus `d`, within the bounds of the columns.
    pub fn bound_below(&self, form: &Form, multipliers: &[f64]) -> f64 {
        let mut rest: IdVec<Column, Range> = IdVec::filled(Range::ZERO, self.columns.len());
        for &(column, c) in &form.parts {
            rest[column] = Range::new(c, c);
        }
        let mut bound = form.constant;
        for (row, &multiplier) in self.rows.iter().zip(multipliers) {
            let end = if multiplier > 0.0 { row.range.lo } else { row.range.hi };
            if multiplier == 0.0 || !multiplier.is_finite() || !end.is_finite() {
                continue;
            }
            bound = add_down(bound, row.range.times(multiplier).lo);
            for &(column, c) in &row.parts {
                let multiple = Range::new(c, c).times(multiplier);
                rest[column] = rest[column].minus(multiple);
            }
        }
        for (column, &range) in self.columns.entries() {
            if rest[column] != Range::ZERO {
                bound = add_down(bound, rest[column].product(range).lo);
            }
        }
        if bound.is_nan() { f64::NEG_INFINITY } else { bound }
    }

    /// Whether these multipliers of the rows prove that nothing satisfies all of them: 0 is then above 0.
    pub fn refutes(&self, multipliers: &[f64]) -> bool {
        self.contradiction || self.bound_below(&Form::default(), multipliers) > 0.0
    }
}
