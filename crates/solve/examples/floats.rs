//! Questions about floats: how long each takes, and with how much work of whom.
//!
//! ```text
//! cargo run --release --example floats -- [NAME] [SECONDS]
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quipu_model::{Model, Reading, Role, Term, Var, VarInfo, WrittenBodies};
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, IntCmp, IntOp, Width, number_of_rank, rank_of,
};
use quipu_solve::{Answer, Options, Session};

const D: FloatWidth = FloatWidth::F64;
const F: FloatWidth = FloatWidth::F32;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only = arguments.first().map_or("", String::as_str);
    let seconds = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(5);
    for (name, build) in QUESTIONS {
        if name.contains(only) {
            ask(name, *build, Duration::from_secs(seconds));
        }
    }
}

fn ask(name: &str, build: Build, limit: Duration) {
    let mut builder = Builder { model: Model::new() };
    build(&mut builder);
    let model = builder.model;
    let interrupt = Arc::new(AtomicBool::new(false));
    let options = Options { interrupt: interrupt.clone(), ..Options::default() };
    let start = Instant::now();
    let done = Arc::new(AtomicBool::new(false));
    let watch = done.clone();
    let clock = std::thread::spawn(move || {
        while start.elapsed() < limit && !watch.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        interrupt.store(true, Ordering::Relaxed);
    });
    let mut session = Session::new(model.clone(), &WrittenBodies, options);
    let answer = session.solve();
    let time = start.elapsed();
    done.store(true, Ordering::Relaxed);
    clock.join().expect("the clock does not fail");
    let told = match &answer {
        Answer::Solution(solution) => {
            let value =
                |(var, info): (Var, &VarInfo)| format!("{}={}", info.name, shown(info, solution[var]));
            model.vars().entries().map(value).collect::<Vec<_>>().join(" ")
        }
        other => format!("{other:?}"),
    };
    let report = session.report();
    println!(
        "{name:24} {:9.4} s {:8} contractions {:6} conflicts {:6} SAT conflicts  {told}",
        time.as_secs_f64(),
        report.contractions,
        report.conflicts,
        report.sat_conflicts
    );
}

fn shown(info: &VarInfo, value: u64) -> String {
    match info.reading {
        Reading::Float if info.width == Width::W32 => format!("{:?}", number_of_rank(F, value) as f32),
        Reading::Float => format!("{:?}", number_of_rank(D, value)),
        Reading::Signed => info.width.signed(value).to_string(),
        Reading::Unsigned => value.to_string(),
    }
}

struct Builder {
    model: Model,
}

impl Builder {
    fn var(&mut self, name: &str, width: Width, reading: Reading) -> Term {
        let info = VarInfo { name: name.to_owned(), width, reading, range: None, role: Role::Input };
        let var = self.model.add_var(info);
        self.model.var_term(var)
    }

    fn float(&mut self, w: FloatWidth, name: &str) -> Term {
        self.var(name, w.width(), Reading::Float)
    }

    fn number(&mut self, w: FloatWidth, value: f64) -> Term {
        self.model.constant_term(w.width(), rank_of(w, value))
    }

    fn op(&mut self, op: FloatOp, w: FloatWidth, a: Term, b: Term) -> Term {
        self.model.float(FloatFn::Op(op), w, &[a, b])
    }

    fn add(&mut self, w: FloatWidth, a: Term, b: Term) -> Term {
        self.op(FloatOp::Add, w, a, b)
    }

    fn sub(&mut self, w: FloatWidth, a: Term, b: Term) -> Term {
        self.op(FloatOp::Sub, w, a, b)
    }

    fn mul(&mut self, w: FloatWidth, a: Term, b: Term) -> Term {
        self.op(FloatOp::Mul, w, a, b)
    }

    fn div(&mut self, w: FloatWidth, a: Term, b: Term) -> Term {
        self.op(FloatOp::Div, w, a, b)
    }

    fn sqrt(&mut self, w: FloatWidth, a: Term) -> Term {
        self.model.float(FloatFn::Unary(FloatUnary::Sqrt), w, &[a])
    }

    fn abs(&mut self, w: FloatWidth, a: Term) -> Term {
        self.model.float(FloatFn::Unary(FloatUnary::Abs), w, &[a])
    }

    fn demand(&mut self, cmp: FloatCmp, w: FloatWidth, a: Term, b: Term) {
        let truth = self.model.float(FloatFn::Compare(cmp), w, &[a, b]);
        self.model.assert(truth);
    }

    fn equal(&mut self, w: FloatWidth, a: Term, value: f64) {
        let value = self.number(w, value);
        self.demand(FloatCmp::Eq, w, a, value);
    }

    fn above(&mut self, w: FloatWidth, a: Term, value: f64) {
        let value = self.number(w, value);
        self.demand(FloatCmp::Lt, w, value, a);
    }

    fn below(&mut self, w: FloatWidth, a: Term, value: f64) {
        let value = self.number(w, value);
        self.demand(FloatCmp::Lt, w, a, value);
    }

    /// A polynomial by Horner's rule.
    fn horner(&mut self, w: FloatWidth, x: Term, coefficients: &[f64]) -> Term {
        let mut value = self.number(w, coefficients[0]);
        for &coefficient in &coefficients[1..] {
            let product = self.mul(w, value, x);
            let constant = self.number(w, coefficient);
            value = self.add(w, product, constant);
        }
        value
    }

    fn norm(&mut self, w: FloatWidth, items: &[Term]) -> Term {
        let mut sum = self.number(w, 0.0);
        for &item in items {
            let square = self.mul(w, item, item);
            sum = self.add(w, sum, square);
        }
        self.sqrt(w, sum)
    }
}

/// Writes a question down.
type Build = fn(&mut Builder);

const QUESTIONS: &[(&str, Build)] = &[
    ("quadratic", |b| {
        let x = b.float(D, "x");
        let value = b.horner(D, x, &[1.0, -5.0, 6.0]);
        b.equal(D, value, 0.0);
        b.above(D, x, 2.5);
    }),
    ("quadratic_rounded", |b| {
        let x = b.float(D, "x");
        let value = b.horner(D, x, &[1.0, -3.0, 1.1]);
        b.equal(D, value, 0.0);
    }),
    ("square_root_2_double", |b| {
        let x = b.float(D, "x");
        let square = b.mul(D, x, x);
        b.equal(D, square, 2.0);
    }),
    ("square_root_2_float", |b| {
        let x = b.float(F, "x");
        let square = b.mul(F, x, x);
        b.equal(F, square, 2.0);
    }),
    ("square_root_3_double", |b| {
        let x = b.float(D, "x");
        let square = b.mul(D, x, x);
        b.equal(D, square, 3.0);
    }),
    ("norm_3", |b| {
        let axes = ["x", "y", "z"].map(|name| b.float(D, name));
        let norm = b.norm(D, &axes);
        b.equal(D, norm, 7.25);
        b.demand(FloatCmp::Lt, D, axes[0], axes[1]);
        b.demand(FloatCmp::Lt, D, axes[1], axes[2]);
    }),
    ("unit_and_plane", |b| {
        let axes = ["x", "y", "z"].map(|name| b.float(D, name));
        let norm = b.norm(D, &axes);
        b.equal(D, norm, 1.0);
        let sum = b.add(D, axes[0], axes[1]);
        let sum = b.add(D, sum, axes[2]);
        b.equal(D, sum, 1.5);
    }),
    ("newton_step", |b| {
        let x = b.float(D, "x");
        let f = b.horner(D, x, &[1.0, 0.0, -2.0, -5.0]);
        let slope = b.horner(D, x, &[3.0, 0.0, -2.0]);
        let step = b.div(D, f, slope);
        let next = b.sub(D, x, step);
        let change = b.sub(D, next, x);
        let change = b.abs(D, change);
        b.below(D, change, 1e-9);
        b.above(D, x, 1.0);
    }),
    ("newton_converged", |b| {
        let x = b.float(D, "x");
        let mut guess = x;
        for _ in 0..4 {
            let quotient = b.number(D, 10.0);
            let quotient = b.div(D, quotient, guess);
            let sum = b.add(D, guess, quotient);
            let half = b.number(D, 0.5);
            guess = b.mul(D, sum, half);
        }
        let square = b.mul(D, guess, guess);
        b.equal(D, square, 10.0);
        b.above(D, x, 20.0);
    }),
    ("horner_6", |b| {
        let x = b.float(D, "x");
        let value = b.horner(D, x, &[1.0, -2.0, 0.5, 3.0, -7.0, 1.0, 2.0]);
        let at = |x: f64| [-2.0, 0.5, 3.0, -7.0, 1.0, 2.0].iter().fold(1.0, |sum, c| sum * x + c);
        b.equal(D, value, at(1.734_5));
    }),
    ("horner_2_variables", |b| {
        let (x, y) = (b.float(D, "x"), b.float(D, "y"));
        let f = b.horner(D, x, &[1.0, -2.0, 0.5]);
        let g = b.horner(D, y, &[2.0, 1.0, -3.0]);
        let sum = b.add(D, f, g);
        let product = b.mul(D, x, y);
        b.equal(D, sum, 5.5);
        b.above(D, product, 1.0);
        b.below(D, product, 1.01);
    }),
    ("absorbed", |b| {
        let (x, y) = (b.float(D, "x"), b.float(D, "y"));
        let sum = b.add(D, x, y);
        b.demand(FloatCmp::Eq, D, sum, y);
        b.above(D, x, 0.0);
        b.above(D, y, 1.0);
    }),
    ("absorbed_at", |b| {
        let x = b.float(D, "x");
        let one = b.number(D, 1.0);
        let sum = b.add(D, x, one);
        b.demand(FloatCmp::Eq, D, sum, x);
        b.above(D, x, 0.0);
        b.below(D, x, 9.1e15);
    }),
    ("not_associative", |b| {
        let [x, y, z] = ["x", "y", "z"].map(|name| b.float(F, name));
        let left = b.add(F, x, y);
        let left = b.add(F, left, z);
        let right = b.add(F, y, z);
        let right = b.add(F, x, right);
        b.demand(FloatCmp::Lt, F, left, right);
        for item in [x, y, z] {
            b.above(F, item, 0.0);
            b.below(F, item, 10.0);
        }
    }),
    ("tenths", |b| {
        let n = b.var("n", Width::W32, Reading::Signed);
        let x = b.model.cast(Cast::SignedToFloat(Width::W32, D), n);
        let tenth = b.number(D, 0.1);
        let x = b.mul(D, x, tenth);
        b.equal(D, x, 99.9);
    }),
    ("tenths_never", |b| {
        let n = b.var("n", Width::W32, Reading::Signed);
        let x = b.model.cast(Cast::SignedToFloat(Width::W32, D), n);
        let tenth = b.number(D, 0.1);
        let x = b.mul(D, x, tenth);
        b.equal(D, x, 0.3);
    }),
    ("cents", |b| {
        let x = b.float(D, "x");
        let hundred = b.number(D, 100.0);
        let cents = b.mul(D, x, hundred);
        let whole = b.model.cast(Cast::FloatToSigned(D, Width::W32), cents);
        let wanted = b.model.constant_term(Width::W32, 1234);
        let equal = b.model.equal(whole, wanted);
        b.model.assert(equal);
        let target = b.number(D, 1234.0);
        b.demand(FloatCmp::Ne, D, cents, target);
    }),
    ("heron", |b| {
        let sides = ["a", "b", "c"].map(|name| b.float(D, name));
        let sum = b.add(D, sides[0], sides[1]);
        let sum = b.add(D, sum, sides[2]);
        let half = b.number(D, 0.5);
        let s = b.mul(D, sum, half);
        let mut product = s;
        for side in sides {
            let part = b.sub(D, s, side);
            b.above(D, part, 0.0);
            product = b.mul(D, product, part);
        }
        let area = b.sqrt(D, product);
        b.equal(D, area, 6.0);
        b.demand(FloatCmp::Lt, D, sides[0], sides[1]);
        b.demand(FloatCmp::Lt, D, sides[1], sides[2]);
    }),
    ("not_a_number", |b| {
        let (x, y) = (b.float(D, "x"), b.float(D, "y"));
        let quotient = b.div(D, x, y);
        b.demand(FloatCmp::Ne, D, quotient, quotient);
        b.demand(FloatCmp::Eq, D, x, x);
        b.demand(FloatCmp::Eq, D, y, y);
        b.above(D, x, 1.0);
    }),
    ("overflow", |b| {
        let x = b.float(D, "x");
        let square = b.mul(D, x, x);
        b.equal(D, square, f64::INFINITY);
        b.above(D, x, 0.0);
        b.below(D, x, 1.35e154);
    }),
    ("linear_2", |b| {
        let (x, y) = (b.float(D, "x"), b.float(D, "y"));
        let (three, two) = (b.number(D, 3.0), b.number(D, 2.0));
        let (a, c) = (b.mul(D, three, x), b.mul(D, two, y));
        let sum = b.add(D, a, c);
        let difference = b.sub(D, x, y);
        b.equal(D, sum, 12.5);
        b.equal(D, difference, 1.25);
    }),
    ("product_and_sum", |b| {
        let (x, y) = (b.float(D, "x"), b.float(D, "y"));
        let (product, sum) = (b.mul(D, x, y), b.add(D, x, y));
        b.equal(D, product, 6.0);
        b.equal(D, sum, 5.0);
    }),
    ("chain", |b| {
        let items: Vec<Term> = (0..10).map(|n| b.float(D, &format!("x{n}"))).collect();
        let mut sum = items[0];
        for &item in &items[1..] {
            sum = b.add(D, sum, item);
        }
        b.equal(D, sum, 55.5);
        for pair in items.windows(2) {
            b.demand(FloatCmp::Lt, D, pair[0], pair[1]);
        }
        b.above(D, items[0], 0.0);
    }),
    ("mixed", |b| {
        let (x, n) = (b.float(D, "x"), b.var("n", Width::W32, Reading::Signed));
        let as_float = b.model.cast(Cast::SignedToFloat(Width::W32, D), n);
        let product = b.mul(D, x, as_float);
        b.equal(D, product, 1000.5);
        let seven = b.model.constant_term(Width::W32, 7);
        let rest = b.model.op(IntOp::SRem, n, seven);
        let three = b.model.constant_term(Width::W32, 3);
        let equal = b.model.equal(rest, three);
        b.model.assert(equal);
        let hundred = b.model.constant_term(Width::W32, 100);
        let large = b.model.compare(IntCmp::Slt, hundred, n);
        b.model.assert(large);
    }),
    ("branches", |b| {
        let x = b.float(F, "x");
        let mut value = x;
        for n in 0..12 {
            let limit = b.number(F, f64::from(n) * 7.5 + 1.0);
            let is_less = b.model.float(FloatFn::Compare(FloatCmp::Lt), F, &[value, limit]);
            let factor = b.number(F, 1.5 + f64::from(n) / 8.0);
            let (up, down) = (b.mul(F, value, factor), b.sub(F, value, limit));
            value = b.model.select(is_less, up, down);
        }
        b.above(F, value, 41.0);
        b.below(F, value, 41.01);
    }),
    ("bits", |b| {
        let n = b.var("n", Width::W64, Reading::Unsigned);
        let x = b.model.cast(Cast::BitsFloat(D), n);
        let square = b.mul(D, x, x);
        b.above(D, square, 2.0);
        b.below(D, square, 2.000_001);
    }),
    ("never_negative", |b| {
        let x = b.float(D, "x");
        let square = b.mul(D, x, x);
        b.below(D, square, 0.0);
    }),
    ("never_below", |b| {
        let x = b.float(D, "x");
        let square = b.mul(D, x, x);
        b.above(D, x, 1.0);
        b.demand(FloatCmp::Lt, D, square, x);
    }),
    ("never_root", |b| {
        let x = b.float(D, "x");
        let value = b.horner(D, x, &[1.0, 0.0, 1.0, 1.0]);
        b.below(D, value, 0.5);
        b.above(D, x, 0.0);
    }),
    ("never_between", |b| {
        let x = b.float(F, "x");
        let value = b.horner(F, x, &[1.0, -3.0, 4.0]);
        b.below(F, value, 1.7);
    }),
    ("circle_and_line_apart", |b| {
        let (x, y) = (b.float(D, "x"), b.float(D, "y"));
        let norm = b.norm(D, &[x, y]);
        b.demand(FloatCmp::Le, D, norm, norm);
        b.below(D, norm, 1.0);
        let sum = b.add(D, x, y);
        b.above(D, sum, 1.5);
    }),
    ("average_in_between", |b| {
        let (x, y) = (b.float(F, "x"), b.float(F, "y"));
        let sum = b.add(F, x, y);
        let half = b.number(F, 0.5);
        let middle = b.mul(F, sum, half);
        for item in [x, y] {
            b.above(F, item, 1.0);
            b.below(F, item, 1000.0);
        }
        b.demand(FloatCmp::Le, F, x, y);
        b.demand(FloatCmp::Lt, F, middle, x);
    }),
    ("determinant", |b| {
        let m: Vec<Term> = (0..9).map(|n| b.float(D, &format!("m{n}"))).collect();
        let mut sum = b.number(D, 0.0);
        for (i, j, k) in [(0, 4, 8), (1, 5, 6), (2, 3, 7)] {
            let product = b.mul(D, m[i], m[j]);
            let product = b.mul(D, product, m[k]);
            sum = b.add(D, sum, product);
        }
        for (i, j, k) in [(2, 4, 6), (0, 5, 7), (1, 3, 8)] {
            let product = b.mul(D, m[i], m[j]);
            let product = b.mul(D, product, m[k]);
            sum = b.sub(D, sum, product);
        }
        b.equal(D, sum, 42.5);
        for pair in m.windows(2) {
            b.demand(FloatCmp::Ne, D, pair[0], pair[1]);
        }
    }),
    ("bouncing", |b| {
        let (mut height, mut speed) = (b.float(D, "height"), b.float(D, "speed"));
        b.above(D, height, 0.0);
        b.below(D, height, 10.0);
        b.above(D, speed, -20.0);
        b.below(D, speed, 20.0);
        let (step, gravity, zero) = (b.number(D, 0.05), b.number(D, 9.81 * 0.05), b.number(D, 0.0));
        let loss = b.number(D, -0.9);
        let mut n_bounces = b.model.constant_term(Width::W32, 0);
        for _ in 0..40 {
            speed = b.sub(D, speed, gravity);
            let way = b.mul(D, speed, step);
            height = b.add(D, height, way);
            let is_below = b.model.float(FloatFn::Compare(FloatCmp::Lt), D, &[height, zero]);
            let (back, up) =
                (b.mul(D, speed, loss), b.model.float(FloatFn::Unary(FloatUnary::Neg), D, &[height]));
            speed = b.model.select(is_below, back, speed);
            height = b.model.select(is_below, up, height);
            let one = b.model.constant_term(Width::W32, 1);
            let more = b.model.op(IntOp::Add, n_bounces, one);
            n_bounces = b.model.select(is_below, more, n_bounces);
        }
        let two = b.model.constant_term(Width::W32, 2);
        let twice = b.model.equal(n_bounces, two);
        b.model.assert(twice);
        b.above(D, height, 1.25);
        b.below(D, height, 1.26);
    }),
    ("table", |b| {
        let x = b.float(F, "x");
        let index = b.model.cast(Cast::FloatToSigned(F, Width::W32), x);
        let items: Vec<Term> = (0..16).map(|n| b.number(F, f64::from(n * n) * 0.75)).collect();
        let one = b.model.constant_term(Width::W32, 1);
        let next = b.model.op(IntOp::Add, index, one);
        let (low, high) = (b.model.element(index, items.clone()), b.model.element(next, items));
        let whole = b.model.cast(Cast::SignedToFloat(Width::W32, F), index);
        let (part, rise) = (b.sub(F, x, whole), b.sub(F, high, low));
        let more = b.mul(F, part, rise);
        let value = b.add(F, low, more);
        b.equal(F, value, 100.25);
    }),
    ("never_monotone", |b| {
        let (x, y) = (b.float(F, "x"), b.float(F, "y"));
        for item in [x, y] {
            b.above(F, item, 0.5);
            b.below(F, item, 10.0);
        }
        b.demand(FloatCmp::Lt, F, x, y);
        let [cube, other] = [x, y].map(|x| b.horner(F, x, &[1.0, 0.0, 0.0, 0.0]));
        b.demand(FloatCmp::Lt, F, other, cube);
    }),
    ("never_discriminant", |b| {
        let (x, y) = (b.float(D, "x"), b.float(D, "y"));
        let value = b.horner(D, x, &[1.0, 2.0, 2.5]);
        let square = b.mul(D, y, y);
        let sum = b.add(D, value, square);
        b.below(D, sum, 1.4);
    }),
];
