//! Problems with floats.

use quipu_model::{Model, Term};
use quipu_num::{FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, number_ranks, rank};

use crate::variable;

/// Terms over floats of one format.
struct Floats {
    model: Model,
    w: FloatWidth,
}

type Problem = fn(&mut Floats);

pub fn problems() -> Vec<(String, Model)> {
    let all: [(&str, Problem); 19] = [
        ("square is 2", |f| f.square_is(2.0)),
        ("square is 2.25", |f| f.square_is(2.25)),
        ("x + y = c", |f| f.result_is(FloatOp::Add, 1.1)),
        ("x * y = c", |f| f.result_is(FloatOp::Mul, 1.1)),
        ("x / y = c", |f| f.result_is(FloatOp::Div, 1.1)),
        ("root of x = c", root_is),
        ("quotient of given numbers", |f| f.quotient_of(1.1, 2.3)),
        ("root of a given number", root_of),
        ("quotient by 0.1", quotient_by),
        ("x * y + z = c", fused_is),
        ("1 / x * x is not 1", inverse),
        ("x + y = y + x", commutative),
        ("x + y + z in two orders", associative),
        ("x * y * z in two orders", associative_product),
        ("x * x + y * y = 25", circle),
        ("x < y, x + 1 > y + 1", monotone),
        ("x - y = 0, x is not y", |f| f.difference(FloatCmp::Ne)),
        ("x / 10 * 10 is not x", by_ten),
        ("(x + y) / 2 is not between", middle),
    ];
    let formats = [(FloatWidth::F32, "float"), (FloatWidth::F64, "double")];
    let each =
        |(w, format)| all.iter().map(move |(name, make)| (format!("{format} {name}"), build(w, *make)));
    formats.into_iter().flat_map(each).collect()
}

fn build(w: FloatWidth, make: Problem) -> Model {
    let mut floats = Floats { model: Model::new(), w };
    make(&mut floats);
    floats.model
}

impl Floats {
    /// A variable that is neither infinite nor a NaN.
    fn finite(&mut self, name: &str) -> Term {
        let (least, greatest) = number_ranks(self.w);
        variable(&mut self.model, name, self.w.width(), Some((least + 1, greatest - 1)))
    }

    fn between(&mut self, name: &str, least: f64, greatest: f64) -> Term {
        let range = (self.rank(least), self.rank(greatest));
        variable(&mut self.model, name, self.w.width(), Some(range))
    }

    fn rank(&self, value: f64) -> u64 {
        match self.w {
            FloatWidth::F32 => rank(self.w, u64::from((value as f32).to_bits())),
            FloatWidth::F64 => rank(self.w, value.to_bits()),
        }
    }

    fn number(&mut self, value: f64) -> Term {
        let rank = self.rank(value);
        self.model.constant_term(self.w.width(), rank)
    }

    fn op(&mut self, op: FloatOp, a: Term, b: Term) -> Term {
        self.model.float(FloatFn::Op(op), self.w, &[a, b])
    }

    fn assert(&mut self, cmp: FloatCmp, a: Term, b: Term) {
        let truth = self.model.float(FloatFn::Compare(cmp), self.w, &[a, b]);
        self.model.assert(truth);
    }

    fn square_is(&mut self, value: f64) {
        let x = self.finite("x");
        let square = self.op(FloatOp::Mul, x, x);
        let value = self.number(value);
        self.assert(FloatCmp::Eq, square, value);
    }

    fn result_is(&mut self, op: FloatOp, value: f64) {
        let (x, y) = (self.finite("x"), self.finite("y"));
        let result = self.op(op, x, y);
        let value = self.number(value);
        self.assert(FloatCmp::Eq, result, value);
    }

    fn quotient_of(&mut self, a: f64, b: f64) {
        let x = self.finite("x");
        let y = self.finite("y");
        let quotient = self.op(FloatOp::Div, x, y);
        let limit = self.number(0.25);
        self.assert(FloatCmp::Lt, limit, quotient);
        let (a, b) = (self.number(a), self.number(b));
        self.assert(FloatCmp::Eq, x, a);
        self.assert(FloatCmp::Eq, y, b);
    }

    fn difference(&mut self, cmp: FloatCmp) {
        let (x, y) = (self.finite("x"), self.finite("y"));
        let difference = self.op(FloatOp::Sub, x, y);
        let zero = self.number(0.0);
        self.assert(FloatCmp::Eq, difference, zero);
        self.assert(cmp, x, y);
    }
}

fn quotient_by(f: &mut Floats) {
    let x = f.finite("x");
    let (a, b, limit) = (f.number(1.1), f.number(0.1), f.number(0.25));
    let quotient = f.op(FloatOp::Div, x, b);
    f.assert(FloatCmp::Lt, limit, quotient);
    f.assert(FloatCmp::Eq, x, a);
}

fn root_of(f: &mut Floats) {
    let x = f.finite("x");
    let root = f.model.float(FloatFn::Unary(FloatUnary::Sqrt), f.w, &[x]);
    let limit = f.number(1.0);
    f.assert(FloatCmp::Lt, limit, root);
    let value = f.number(1.1);
    f.assert(FloatCmp::Eq, x, value);
}

fn root_is(f: &mut Floats) {
    let x = f.finite("x");
    let root = f.model.float(FloatFn::Unary(FloatUnary::Sqrt), f.w, &[x]);
    let value = f.number(1.1);
    f.assert(FloatCmp::Eq, root, value);
}

fn fused_is(f: &mut Floats) {
    let operands = ["x", "y", "z"].map(|name| f.finite(name));
    let result = f.model.float(FloatFn::Fma, f.w, &operands);
    let value = f.number(1.1);
    f.assert(FloatCmp::Eq, result, value);
}

fn inverse(f: &mut Floats) {
    let x = f.between("x", 1.0, 100.0);
    let one = f.number(1.0);
    let inverse = f.op(FloatOp::Div, one, x);
    let product = f.op(FloatOp::Mul, inverse, x);
    f.assert(FloatCmp::Ne, product, one);
}

fn commutative(f: &mut Floats) {
    let (x, y) = (f.finite("x"), f.finite("y"));
    let (a, b) = (f.op(FloatOp::Add, x, y), f.op(FloatOp::Add, y, x));
    f.assert(FloatCmp::Ne, a, b);
}

fn in_two_orders(f: &mut Floats, op: FloatOp) {
    let [x, y, z] = ["x", "y", "z"].map(|name| f.between(name, -1000.0, 1000.0));
    let (first, last) = (f.op(op, x, y), f.op(op, y, z));
    let (a, b) = (f.op(op, first, z), f.op(op, x, last));
    f.assert(FloatCmp::Ne, a, b);
}

fn associative(f: &mut Floats) {
    in_two_orders(f, FloatOp::Add);
}

fn associative_product(f: &mut Floats) {
    in_two_orders(f, FloatOp::Mul);
}

fn circle(f: &mut Floats) {
    let (x, y) = (f.finite("x"), f.finite("y"));
    let (a, b) = (f.op(FloatOp::Mul, x, x), f.op(FloatOp::Mul, y, y));
    let sum = f.op(FloatOp::Add, a, b);
    let value = f.number(25.0);
    f.assert(FloatCmp::Eq, sum, value);
}

fn monotone(f: &mut Floats) {
    let (x, y, one) = (f.finite("x"), f.finite("y"), f.number(1.0));
    f.assert(FloatCmp::Lt, x, y);
    let (a, b) = (f.op(FloatOp::Add, x, one), f.op(FloatOp::Add, y, one));
    f.assert(FloatCmp::Lt, b, a);
}

fn by_ten(f: &mut Floats) {
    let (x, ten) = (f.between("x", 1.0, 100.0), f.number(10.0));
    let part = f.op(FloatOp::Div, x, ten);
    let whole = f.op(FloatOp::Mul, part, ten);
    f.assert(FloatCmp::Ne, whole, x);
}

fn middle(f: &mut Floats) {
    let (x, y, two) = (f.between("x", 0.0, 1000.0), f.between("y", 0.0, 1000.0), f.number(2.0));
    f.assert(FloatCmp::Le, x, y);
    let sum = f.op(FloatOp::Add, x, y);
    let middle = f.op(FloatOp::Div, sum, two);
    f.assert(FloatCmp::Lt, middle, x);
}
