//! Random models with floats: all their operations, mixed with integers, over so few values that every assignment can
//! be tried.
//!
//! A float is chosen among a few by an integer, is a narrow integer converted, or is a variable that a range of a few
//! neighbours is declared for, so that NaNs, infinities, zeros, subnormal numbers and ties of rounding come up often.

use quipu_model::{Assignment, Model, Reading, Role, Term, VarInfo};
use quipu_num::{Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, Width, rank};

use crate::random::{Random, Shape, allowed_value, plant_assertions, random_term};

/// How large a random model with floats is.
#[derive(Clone, Debug)]
pub struct FloatShape {
    /// Variables that are integers.
    pub integers: usize,
    /// Variables that are floats.
    pub floats: usize,
    pub terms: usize,
    pub assertions: usize,
}

impl FloatShape {
    /// The shape of a model that brute force can solve: at most twelve bits in at most five variables.
    pub fn small(random: &mut Random) -> FloatShape {
        let floats = random.below(3);
        FloatShape {
            integers: 1 + random.below(4 - floats),
            floats,
            terms: 5 + random.below(25),
            assertions: 1 + random.below(5),
        }
    }
}

/// A random model with floats; with at least one solution if it is `planted`.
pub fn random_float_model(random: &mut Random, shape: &FloatShape, planted: bool) -> Model {
    let mut model = Model::new();
    add_variables(&mut model, random, shape);
    for _ in 0..shape.terms {
        float_term(&mut model, random);
    }
    if planted {
        let values: Assignment = model.vars().iter().map(|info| allowed_value(random, info)).collect();
        plant_assertions(&mut model, random, &values, shape.assertions);
        return model;
    }
    let truths: Vec<Term> = model.terms().filter(|&term| model.width(term) == Width::W1).collect();
    for _ in 0..shape.assertions {
        let term = random.pick(&truths);
        let term = if random.chance(30) { model.not(term) } else { term };
        model.assert(term);
    }
    model
}

/// The widths of integers in these models.
const WIDTHS: [u32; 5] = [1, 1, 2, 3, 4];
const FORMATS: [FloatWidth; 2] = [FloatWidth::F32, FloatWidth::F64];

fn add_variables(model: &mut Model, random: &mut Random, shape: &FloatShape) {
    for n in 0..shape.integers {
        let width = Width::new(random.pick(&WIDTHS[..5 - shape.floats])).expect("a width of 1 to 64");
        let (range, reading) = (None, Reading::integer(random.chance(50)));
        model.add_var(VarInfo { name: format!("n{n}"), width, reading, range, role: Role::Input });
    }
    for n in 0..shape.floats {
        let w = random.pick(&FORMATS);
        let width = w.width();
        let first = float_value(random, w);
        let last = width.wrap(first.wrapping_add(random.below(8) as u64));
        let (range, reading) = (Some((first, last)), Reading::Float);
        model.add_var(VarInfo { name: format!("x{n}"), width, reading, range, role: Role::Input });
    }
    model.truth(true);
    for w in FORMATS {
        chosen_float(model, random, w);
    }
}

/// A float at which something happens, by rank.
pub fn float_value(random: &mut Random, w: FloatWidth) -> u64 {
    const PLACES: [f64; 22] = [
        0.0,
        1.0,
        0.5,
        1.5,
        2.5,
        3.0,
        0.1,
        10.0,
        127.0,
        128.0,
        16_777_216.0,
        2_147_483_648.0,
        9_007_199_254_740_992.0,
        1.8446744073709552e19,
        1e-45,
        1.1754944e-38,
        5e-324,
        2.2250738585072014e-308,
        3.4028234663852886e38,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    let magnitude = random.pick(&PLACES);
    let value = if random.chance(40) { -magnitude } else { magnitude };
    let bits = match w {
        FloatWidth::F32 => u64::from((value as f32).to_bits()),
        FloatWidth::F64 => value.to_bits(),
    };
    let near = random.below(4) as u64;
    let place = rank(w, bits);
    w.width().wrap(match random.below(4) {
        0 => place.wrapping_add(near),
        1 => place.wrapping_sub(near),
        _ => place,
    })
}

/// One of a few floats, chosen by an integer.
fn chosen_float(model: &mut Model, random: &mut Random, w: FloatWidth) -> Term {
    let index = term_where(model, random, |width| width.bits() <= 4);
    let items: Vec<Term> = (0..2 + random.below(7))
        .map(|_| {
            let value = float_value(random, w);
            model.constant_term(w.width(), value)
        })
        .collect();
    model.element(index, items)
}

/// Adds a random node, mostly of floats, over existing terms.
fn float_term(model: &mut Model, random: &mut Random) -> Term {
    let w = random.pick(&FORMATS);
    let operands = [(); 3].map(|()| float_operand(model, random, w));
    let function = match random.below(20) {
        0..=5 => FloatFn::Op(random.pick(&FloatOp::ALL).0),
        6 | 7 => FloatFn::Unary(random.pick(&FloatUnary::ALL).0),
        8 => FloatFn::Fma,
        9..=11 => FloatFn::Compare(random.pick(&FloatCmp::ALL).0),
        12..=14 => return conversion(model, random, w, operands[0]),
        15 => {
            let to = Width::new(random.pick(&[1, 2, 8, 16, 31, 32, 33, 63, 64])).expect("a width of 1 to 64");
            let guard = Guard::FloatFits { from: w, to, signed: random.chance(50) };
            return model.guard(guard, operands[0], operands[1]);
        }
        16 => {
            let condition = term_where(model, random, |width| width == Width::W1);
            return model.select(condition, operands[0], operands[1]);
        }
        17 => return chosen_float(model, random, w),
        _ => {
            let widths = vec![1, 2, 3, 4, 32, 64];
            let shape = Shape { variables: 0, widths, bits: 0, terms: 0, assertions: 0 };
            return random_term(model, random, &shape);
        }
    };
    model.float(function, w, &operands[..function.arity()])
}

fn conversion(model: &mut Model, random: &mut Random, w: FloatWidth, a: Term) -> Term {
    let to = Width::new(random.pick(&[1, 3, 4, 8, 32, 64])).expect("a width of 1 to 64");
    let integer = term_where(model, random, |_| true);
    let from = model.width(integer);
    let cast = match random.below(8) {
        0 => Cast::FloatToSigned(w, to),
        1 => Cast::FloatToUnsigned(w, to),
        2 | 3 => return model.cast(Cast::SignedToFloat(from, w), integer),
        4 => return model.cast(Cast::UnsignedToFloat(from, w), integer),
        5 if w == FloatWidth::F32 => Cast::Widen,
        5 => Cast::Narrow,
        6 => Cast::FloatBits(w),
        _ => Cast::BitsFloat(w),
    };
    model.cast(cast, a)
}

/// A term of the format's size, recent ones being preferred; sometimes a number.
fn float_operand(model: &mut Model, random: &mut Random, w: FloatWidth) -> Term {
    if random.chance(20) {
        let value = float_value(random, w);
        return model.constant_term(w.width(), value);
    }
    term_where(model, random, |width| width == w.width())
}

fn term_where(model: &Model, random: &mut Random, fits: impl Fn(Width) -> bool) -> Term {
    let terms: Vec<Term> = model.terms().filter(|&term| fits(model.width(term))).collect();
    let n = terms.len();
    if random.chance(50) { terms[n - 1 - random.below(n.min(4))] } else { random.pick(&terms) }
}
