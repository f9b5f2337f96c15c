//! Products: their envelopes within the bounds of the factors (McCormick 1976).

use crate::form::{Column, Form};
use crate::relax::{Relaxation, index};
use crate::round::{Range, add_up, mul_down, mul_up};

/// Half of this is the largest relative error of a sum of two doubles.
const EPSILON: f64 = f64::EPSILON;
/// Of numbers in order so many are looked at.
const MOST_ORDERS: usize = 4;
/// Integers up to this can be added and multiplied by two without rounding.
const LARGEST_PLAIN: f64 = 1e15;

impl Relaxation<'_> {
    /// The product of two forms.
    pub(super) fn product(&mut self, a: &Form, b: &Form) -> Form {
        let exact = match (a.is_constant(), b.is_constant()) {
            (Some(number), _) => b.times(number),
            (_, Some(number)) => a.times(number),
            _ => None,
        };
        if let Some(form) = exact {
            return form;
        }
        let (x, y) = (self.column_of(a), self.column_of(b));
        let key = (x.min(y), x.max(y));
        if let Some(&product) = self.products.get(&key) {
            return Form::column(product);
        }
        let ranges = (self.system.columns()[x], self.system.columns()[y]);
        let whole = self.whole[index(x)] && self.whole[index(y)];
        let product = if x == y {
            self.square(x, ranges.0, whole)
        } else {
            let product = self.add_column(ranges.0.product(ranges.1), whole);
            self.envelope(product, (x, ranges.0), (y, ranges.1));
            product
        };
        self.products.insert(key, product);
        Form::column(product)
    }

    /// Where `x < y` is known and both are squared, `y * y - x * x` is the product of their difference and their sum.
    pub(super) fn compare_squares(&mut self) {
        for (x, y, gap) in std::mem::take(&mut self.orders).into_iter().take(MOST_ORDERS) {
            let squares = (self.known_square(&x), self.known_square(&y));
            let ((Some(x_square), Some(y_square)), Some(difference), Some(sum)) =
                (squares, y.minus(&x), x.plus(&y))
            else {
                continue;
            };
            let difference = self.column_of(&difference);
            self.system.narrow(difference, Range::new(gap, f64::INFINITY));
            let product = self.product(&Form::column(difference), &sum);
            let [x_square, y_square] = [x_square, y_square].map(Form::column);
            self.demand(&[(1.0, &product), (-1.0, &y_square), (1.0, &x_square)], Range::ZERO);
        }
    }

    fn known_square(&self, form: &Form) -> Option<Column> {
        let [(column, 1.0)] = form.parts[..] else { return None };
        if form.constant == 0.0 { self.products.get(&(column, column)).copied() } else { None }
    }

    /// `(x - x_end) * (y - y_end)` has a sign, for each of the four pairs of ends.
    fn envelope(&mut self, product: Column, (x, x_range): (Column, Range), (y, y_range): (Column, Range)) {
        let corners = [
            (x_range.lo, y_range.lo, true),
            (x_range.hi, y_range.hi, true),
            (x_range.lo, y_range.hi, false),
            (x_range.hi, y_range.lo, false),
        ];
        let [p, x, y] = [product, x, y].map(Form::column);
        for (x_end, y_end, above) in corners {
            let range = if above {
                Range::new(-mul_up(x_end, y_end), f64::INFINITY)
            } else {
                Range::new(f64::NEG_INFINITY, -mul_down(x_end, y_end))
            };
            self.demand(&[(1.0, &p), (-y_end, &x), (-x_end, &y)], range);
        }
    }

    /// A square lies above its tangents and below its chord.
    fn square(&mut self, x: Column, range: Range, whole: bool) -> Column {
        let squares = range.product(range);
        let square = self.add_column(Range::new(squares.lo.max(0.0), squares.hi), whole);
        let (p, x) = (Form::column(square), Form::column(x));
        let slope = range.lo + range.hi;
        // The slope is off by at most this; so is the chord, times x.
        let error = mul_up(mul_up(slope.abs(), EPSILON), range.magnitude());
        let below = add_up(-mul_down(range.lo, range.hi), error);
        self.demand(&[(1.0, &p), (-slope, &x)], Range::new(f64::NEG_INFINITY, below));
        for at in [range.lo, range.hi, (range.lo + range.hi) / 2.0] {
            self.tangent(&p, &x, at, range, whole);
        }
        square
    }

    /// The tangent of a square, or for integers the line through two neighbours.
    fn tangent(&mut self, square: &Form, x: &Form, at: f64, range: Range, whole: bool) {
        if whole && range.magnitude() < LARGEST_PLAIN {
            let at = at.floor().min(range.hi - 1.0);
            let bound = -mul_up(at, at + 1.0);
            self.demand(&[(1.0, square), (-(2.0 * at + 1.0), x)], Range::new(bound, f64::INFINITY));
        } else {
            let bound = -mul_up(at, at);
            self.demand(&[(1.0, square), (-2.0 * at, x)], Range::new(bound, f64::INFINITY));
        }
    }
}
