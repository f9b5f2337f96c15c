//! Linear forms: a constant plus columns with coefficients, all of them exact doubles.

use quipu_base::define_id;

use crate::round::{exact_product, exact_sum};

define_id!(
    /// A quantity of a linear system: a number within bounds.
    Column,
    "c"
);

/// A constant plus columns with coefficients that are not 0, each column once, in order.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Form {
    pub parts: Vec<(Column, f64)>,
    pub constant: f64,
}

impl Form {
    pub fn constant(constant: f64) -> Form {
        Form { parts: Vec::new(), constant }
    }

    pub fn column(column: Column) -> Form {
        Form { parts: vec![(column, 1.0)], constant: 0.0 }
    }

    /// The number, if there is nothing else.
    pub fn is_constant(&self) -> Option<f64> {
        self.parts.is_empty().then_some(self.constant)
    }

    /// `self * factor`, unless a coefficient would not be exact.
    pub fn times(&self, factor: f64) -> Option<Form> {
        if factor == 0.0 {
            return Some(Form::default());
        }
        let scaled = |&(column, c): &(Column, f64)| Some((column, exact_product(c, factor)?));
        let parts: Option<Vec<(Column, f64)>> = self.parts.iter().map(scaled).collect();
        Some(Form { parts: parts?, constant: exact_product(self.constant, factor)? })
    }

    /// `self + other`, unless a coefficient would not be exact.
    pub fn plus(&self, other: &Form) -> Option<Form> {
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        let (mut a, mut b) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        loop {
            let part = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(&&x), Some(&&y)) if x.0 == y.0 => {
                    a.next();
                    b.next();
                    (x.0, exact_sum(x.1, y.1)?)
                }
                (Some(&&x), Some(&&y)) if x.0 > y.0 => {
                    b.next();
                    y
                }
                (Some(&&x), _) => {
                    a.next();
                    x
                }
                (None, Some(&&y)) => {
                    b.next();
                    y
                }
            };
            if part.1 != 0.0 {
                parts.push(part);
            }
        }
        Some(Form { parts, constant: exact_sum(self.constant, other.constant)? })
    }

    /// `self + factor * other`, unless a coefficient would not be exact.
    pub fn plus_times(&self, factor: f64, other: &Form) -> Option<Form> {
        self.plus(&other.times(factor)?)
    }

    /// `self - other`, unless a coefficient would not be exact.
    pub fn minus(&self, other: &Form) -> Option<Form> {
        self.plus_times(-1.0, other)
    }
}
