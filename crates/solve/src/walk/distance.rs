//! How far a truth value is from being false, and from being true: 0 exactly if it is so.
//!
//! Comparisons count the numbers between their operands, floats by rank, on a logarithmic scale: far away the order of
//! magnitude counts, nearby every single step. A conjunction is as far from true as all its parts together, and from
//! false as the nearest of them (Tracey, Clark, Mander 1998; for ranks of floats, Fu and Su, XSat, CAV 2016).

use quipu_model::{Model, Node, Term};
use quipu_num::{
    FloatCmp, FloatFn, FloatWidth, Guard, IntCmp, IntOp, Width, is_nan_rank, number_ranks, rank, rank_of,
};

/// The distances to false and to true.
pub(crate) type Distances = [f64; 2];

/// More than any sum of distances that can be covered.
const IMPOSSIBLE: f64 = 1e9;
/// The distance between a NaN and a number: further than any two numbers.
const NAN_STEPS: u64 = u64::MAX;

/// The distances of a truth term. Its own value and those of its operands are given, and the distances of operands that
/// are truth values.
pub(crate) fn distances(
    model: &Model,
    term: Term,
    value: impl Fn(Term) -> u64,
    known: impl Fn(Term) -> Distances,
) -> Distances {
    let is_truth = |operand: Term| model.width(operand) == Width::W1;
    match *model.node(term) {
        Node::Not(a) => {
            let [no, yes] = known(a);
            [yes, no]
        }
        Node::All(ref items) => all(items.iter().map(|&item| known(item))),
        Node::Any(ref items) => flipped(all(items.iter().map(|&item| flipped(known(item))))),
        Node::Op(IntOp::And, a, b) => all([known(a), known(b)].into_iter()),
        Node::Op(IntOp::Or, a, b) => flipped(all([flipped(known(a)), flipped(known(b))].into_iter())),
        Node::Op(IntOp::Xor, a, b) => flipped(same(known(a), known(b))),
        Node::Compare(IntCmp::Eq, a, b) if is_truth(a) => same(known(a), known(b)),
        Node::Compare(IntCmp::Ne, a, b) if is_truth(a) => flipped(same(known(a), known(b))),
        Node::Select(c, a, b) => {
            let ([not_c, c], a, b) = (known(c), known(a), known(b));
            [0, 1].map(|wanted| (c + a[wanted]).min(not_c + b[wanted]))
        }
        ref node => atomic(value(term) == 1, steps(model, node, value)),
    }
}

fn flipped([no, yes]: Distances) -> Distances {
    [yes, no]
}

fn all(items: impl Iterator<Item = Distances>) -> Distances {
    items.fold([IMPOSSIBLE, 0.0], |[no, yes], item| [no.min(item[0]), yes + item[1]])
}

/// Whether two truth values are the same.
fn same(a: Distances, b: Distances) -> Distances {
    [(a[0] + b[1]).min(a[1] + b[0]), (a[0] + b[0]).min(a[1] + b[1])]
}

fn atomic(is_true: bool, steps: u64) -> Distances {
    let distance = scaled(steps.max(1));
    if is_true { [distance, 0.0] } else { [0.0, distance] }
}

/// About the logarithm of `1 + steps`, straight between powers of two: 0 for 0, and never falling.
fn scaled(steps: u64) -> f64 {
    let exponent_of_one = 1.0f64.to_bits();
    let above_one = (steps as f64 + 1.0).to_bits() - exponent_of_one;
    above_one as f64 / (1u64 << 52) as f64
}

/// How many numbers lie between a truth value and its opposite; 1 where nothing better is known.
fn steps(model: &Model, node: &Node, value: impl Fn(Term) -> u64) -> u64 {
    match *node {
        Node::Compare(cmp, a, b) => compare_steps(cmp, model.width(a), value(a), value(b)),
        Node::Guard(guard, a, b) => guard_steps(guard, value(a), value(b)),
        Node::Float(FloatFn::Compare(cmp), w, ref items) => {
            float_steps(cmp, w, value(items[0]), value(items[1]))
        }
        _ => 1,
    }
}

fn compare_steps(cmp: IntCmp, w: Width, a: u64, b: u64) -> u64 {
    let from_b = w.wrap(a.wrapping_sub(b));
    let between = from_b.min(w.wrap(b.wrapping_sub(a)));
    match cmp {
        IntCmp::Eq | IntCmp::Ne => between,
        IntCmp::Ult => order_steps(a, b, a < b),
        IntCmp::Ule => order_steps(b, a, b < a),
        IntCmp::Slt => order_steps(flip_sign(w, a), flip_sign(w, b), w.signed(a) < w.signed(b)),
        IntCmp::Sle => order_steps(flip_sign(w, b), flip_sign(w, a), w.signed(b) < w.signed(a)),
    }
}

/// The signed order as the unsigned one.
fn flip_sign(w: Width, value: u64) -> u64 {
    value ^ w.min_signed()
}

/// To turn `a < b` around.
fn order_steps(a: u64, b: u64, less: bool) -> u64 {
    if less { b - a } else { (a - b).saturating_add(1) }
}

fn float_steps(cmp: FloatCmp, w: FloatWidth, a: u64, b: u64) -> u64 {
    if is_nan_rank(w, a) || is_nan_rank(w, b) {
        return NAN_STEPS;
    }
    let (a, b) = (one_zero(w, a), one_zero(w, b));
    match cmp {
        FloatCmp::Eq | FloatCmp::Ne => a.abs_diff(b),
        FloatCmp::Lt => order_steps(a, b, a < b),
        FloatCmp::Le => order_steps(b, a, b < a),
    }
}

/// The rank, with -0.0 in the place of 0.0.
fn one_zero(w: FloatWidth, number: u64) -> u64 {
    if number < rank(w, 0) { number + 1 } else { number }
}

fn guard_steps(guard: Guard, a: u64, b: u64) -> u64 {
    let signed = |w: Width| (i128::from(w.signed(a)), i128::from(w.signed(b)));
    match guard {
        Guard::AddFits(w) => range_steps(w, signed(w).0 + signed(w).1),
        Guard::SubFits(w) => range_steps(w, signed(w).0 - signed(w).1),
        Guard::MulFits(w) => range_steps(w, signed(w).0 * signed(w).1),
        Guard::NonZero(w) | Guard::AnyBit(w) => w.signed(b).unsigned_abs(),
        Guard::QuotientFits(w) => w.wrap(a ^ w.min_signed()).saturating_add(w.wrap(!b)),
        Guard::ShiftInRange { shifted, .. } => {
            let limit = u64::from(shifted.bits());
            order_steps(b, limit, b < limit)
        }
        Guard::IndexBelow(_) => order_steps(a, b, a < b),
        Guard::IndexAtMost(_) => order_steps(b, a, b < a),
        Guard::FloatFits { from, to, signed } => fitting_steps(from, to, signed, a),
        Guard::ShlFits(_) => 1,
    }
}

/// From an exact result to the nearest that fits a signed width, or to the nearest that does not.
fn range_steps(w: Width, exact: i128) -> u64 {
    let (least, greatest) = (i128::from(w.signed(w.min_signed())), i128::from(w.signed(w.max_signed())));
    let steps = if exact > greatest {
        exact - greatest
    } else if exact < least {
        least - exact
    } else {
        (greatest - exact).min(exact - least) + 1
    };
    u64::try_from(steps).unwrap_or(u64::MAX)
}

/// From a float to the nearest bound of the integers that it should fit.
fn fitting_steps(from: FloatWidth, to: Width, signed: bool, number: u64) -> u64 {
    if is_nan_rank(from, number) {
        return NAN_STEPS;
    }
    let power = |bits: u32| 2.0f64.powi(i32::try_from(bits).expect("a width is at most 64"));
    let (least, greatest) = match signed {
        true => (-power(to.bits() - 1), power(to.bits() - 1)),
        false => (-1.0, power(to.bits())),
    };
    let (minus, plus) = number_ranks(from);
    let bound = |value: f64| rank_of(from, value).clamp(minus, plus);
    number.abs_diff(bound(least)).min(number.abs_diff(bound(greatest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(x: f32) -> u64 {
        rank(FloatWidth::F32, u64::from(x.to_bits()))
    }

    #[test]
    fn the_scale_starts_at_zero_and_never_falls() {
        assert_eq!(scaled(0), 0.0);
        assert_eq!(scaled(1), 1.0);
        assert_eq!(scaled(3), 2.0);
        let mut before = 0.0;
        for steps in (1..1000).chain([1 << 20, 1 << 40, 1 << 63, u64::MAX]) {
            assert!(scaled(steps) > before, "{steps}");
            before = scaled(steps);
        }
    }

    #[test]
    fn floats_are_as_far_apart_as_there_are_floats_between() {
        let w = FloatWidth::F32;
        let steps = |cmp, a: f32, b: f32| float_steps(cmp, w, single(a), single(b));
        assert_eq!(steps(FloatCmp::Eq, -0.0, 0.0), 0);
        assert_eq!(steps(FloatCmp::Eq, 1.0, 1.0 + f32::EPSILON), 1);
        assert_eq!(steps(FloatCmp::Eq, -f32::from_bits(1), f32::from_bits(1)), 2);
        assert_eq!(steps(FloatCmp::Lt, 1.0, 1.0), 1);
        assert_eq!(steps(FloatCmp::Le, 1.0, 1.0), 1);
        assert_eq!(steps(FloatCmp::Le, 1.0 + f32::EPSILON, 1.0), 1);
        assert!(steps(FloatCmp::Eq, f32::NAN, 1.0) > steps(FloatCmp::Eq, f32::MIN, f32::MAX));
    }

    #[test]
    fn a_bound_that_is_nearer_costs_less() {
        let fits = |x: f32| {
            let to = Width::W8;
            guard_steps(Guard::FloatFits { from: FloatWidth::F32, to, signed: true }, single(x), single(x))
        };
        assert!(fits(1e9) > fits(1e3) && fits(1e3) > fits(200.0));
        assert!(fits(3.0) > fits(100.0));
        let sum = |a: i64, b: i64| {
            let w = Width::W32;
            guard_steps(Guard::AddFits(w), w.from_signed(a), w.from_signed(b))
        };
        assert_eq!(sum(i64::from(i32::MAX), 1), 1);
        assert_eq!(sum(i64::from(i32::MAX) - 5, 1), 5);
    }
}
