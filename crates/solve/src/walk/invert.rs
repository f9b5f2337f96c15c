//! Going down from a truth value that should be different to one variable, and the value of it that would do.
//!
//! On the way, an operation is solved for one of its operands, the others staying as they are. Where that has no exact
//! solution, a near one is good enough: the value is only proposed (Niemetz, Preiner, Biere, "Propagation based local
//! search for bit-precise reasoning", FMSD 2017, and the same idea for floats).

use quipu_base::Random;
use quipu_model::{Model, Node, Term};
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, IntCmp, IntOp, IntUnary, Width, cast_of_rank,
    float_fn, int_op, int_unary, is_nan_rank, rank, unrank,
};

use super::state::State;

/// A variable, as a term, and a value for it.
pub(crate) type Proposal = (Term, u64);

/// A change of one variable that would make a truth value what it should be, if all goes well.
pub(crate) fn proposal(
    model: &Model,
    state: &State<'_>,
    random: &mut Random,
    root: Term,
    wanted: bool,
) -> Option<Proposal> {
    let mut way = Way { model, state, random };
    let (mut term, mut target) = (root, u64::from(wanted));
    while !matches!(model.node(term), Node::Var(_)) {
        (term, target) = way.step(term, target)?;
    }
    Some((term, target))
}

struct Way<'a, 's> {
    model: &'a Model,
    state: &'a State<'s>,
    random: &'a mut Random,
}

impl Way<'_, '_> {
    /// An operand, and the value it should have so that the term has the value wanted.
    fn step(&mut self, term: Term, target: u64) -> Option<(Term, u64)> {
        let width = self.model.width(term);
        match self.model.node(term) {
            Node::Const(_) | Node::Var(_) | Node::Call(..) | Node::Guard(..) => None,
            Node::Not(a) => Some((*a, width.wrap(!target))),
            Node::All(items) => self.member(items, target == 1),
            Node::Any(items) => self.member(items, target == 1),
            Node::Compare(cmp, a, b) => self.comparison(*cmp, *a, *b, target == 1),
            Node::Select(c, a, b) => self.selection(*c, *a, *b, target),
            Node::Element(index, items) => self.element(*index, items, target),
            Node::Op(op, a, b) => self.operation(*op, width, *a, *b, target),
            Node::Unary(IntUnary::Bswap, a) => Some((*a, int_unary(IntUnary::Bswap, width, target))),
            Node::Unary(_, a) => Some((*a, target)),
            Node::Sum(_, parts) => self.sum(term, width, parts, target),
            Node::Cast(cast, a) => Some((*a, self.before_cast(*cast, *a, target))),
            Node::Float(FloatFn::Compare(cmp), w, items) => {
                self.float_comparison(*cmp, *w, items[0], items[1], target == 1)
            }
            Node::Float(function, w, items) => self.float(*function, *w, items, target),
        }
    }

    fn value(&self, term: Term) -> u64 {
        self.state.value(term)
    }

    fn is_open(&self, term: Term) -> bool {
        self.model.constant(term).is_none()
    }

    /// One of two operands that is not a constant.
    fn side(&mut self, a: Term, b: Term) -> Option<bool> {
        match (self.is_open(a), self.is_open(b)) {
            (true, true) => Some(self.random.chance(50)),
            (true, false) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        }
    }

    /// A member of a conjunction or disjunction that is not what it should be.
    fn member(&mut self, items: &[Term], wanted: bool) -> Option<(Term, u64)> {
        let wrong: Vec<Term> =
            items.iter().copied().filter(|&item| self.state.distance_to(item, wanted) > 0.0).collect();
        Some((self.random.pick(&wrong)?, u64::from(wanted)))
    }

    fn comparison(&mut self, cmp: IntCmp, a: Term, b: Term, wanted: bool) -> Option<(Term, u64)> {
        let w = self.model.width(a);
        let first = self.side(a, b)?;
        let (x, other) = if first { (a, self.value(b)) } else { (b, self.value(a)) };
        let next = |up: bool| w.wrap(if up { other.wrapping_add(1) } else { other.wrapping_sub(1) });
        let target = match (cmp, wanted) {
            (IntCmp::Eq, true) | (IntCmp::Ne, false) => other,
            (IntCmp::Eq, false) | (IntCmp::Ne, true) => next(self.random.chance(50)),
            (IntCmp::Ult | IntCmp::Slt, true) => next(!first),
            (IntCmp::Ule | IntCmp::Sle, false) => next(first),
            (IntCmp::Ult | IntCmp::Slt, false) | (IntCmp::Ule | IntCmp::Sle, true) => other,
        };
        Some((x, target))
    }

    fn float_comparison(
        &mut self,
        cmp: FloatCmp,
        w: FloatWidth,
        a: Term,
        b: Term,
        wanted: bool,
    ) -> Option<(Term, u64)> {
        let first = self.side(a, b)?;
        let (x, other) = if first { (a, self.value(b)) } else { (b, self.value(a)) };
        if is_nan_rank(w, other) {
            return None;
        }
        let next = |up: bool| if up { other + 1 } else { other - 1 };
        let target = match (cmp, wanted) {
            (FloatCmp::Eq, true) | (FloatCmp::Ne, false) => other,
            (FloatCmp::Eq, false) | (FloatCmp::Ne, true) => next(self.random.chance(50)),
            (FloatCmp::Lt, true) => next(!first),
            (FloatCmp::Le, false) => next(first),
            (FloatCmp::Lt, false) | (FloatCmp::Le, true) => other,
        };
        Some((x, target))
    }

    /// Mostly the branch that is taken; the other one if it has the value already.
    fn selection(&mut self, c: Term, a: Term, b: Term, target: u64) -> Option<(Term, u64)> {
        let is_first = self.value(c) == 1;
        let (taken, other) = if is_first { (a, b) } else { (b, a) };
        let other_does = self.value(other) == target;
        let turn = self.is_open(c) && (other_does || !self.is_open(taken) || self.random.chance(15));
        if turn { Some((c, u64::from(!is_first))) } else { self.open(taken, target) }
    }

    fn open(&self, term: Term, target: u64) -> Option<(Term, u64)> {
        self.is_open(term).then_some((term, target))
    }

    fn element(&mut self, index: Term, items: &[Term], target: u64) -> Option<(Term, u64)> {
        let at = usize::try_from(self.value(index)).ok().and_then(|n| items.get(n)).copied();
        let elsewhere = items.iter().position(|&item| self.value(item) == target);
        match (at.filter(|&item| self.is_open(item)), elsewhere) {
            (_, Some(n)) if self.is_open(index) => Some((index, n as u64)),
            (Some(item), _) if !self.is_open(index) || self.random.chance(70) => Some((item, target)),
            _ => {
                let anywhere = self.random.below(items.len()) as u64;
                self.open(index, anywhere)
            }
        }
    }

    fn operation(&mut self, op: IntOp, w: Width, a: Term, b: Term, t: u64) -> Option<(Term, u64)> {
        let first = self.side(a, b)?;
        let (x, y) = (self.value(a), self.value(b));
        let (own, other) = if first { (x, y) } else { (y, x) };
        let target = match (op, first) {
            (IntOp::Add, _) => t.wrapping_sub(other),
            (IntOp::Sub, true) => t.wrapping_add(y),
            (IntOp::Sub, false) => x.wrapping_sub(t),
            (IntOp::Mul, _) => factor(w, t, other),
            (IntOp::UDiv | IntOp::SDiv, true) => t.wrapping_mul(y),
            (IntOp::UDiv, false) => x.checked_div(t).unwrap_or(w.mask()),
            (IntOp::SDiv, false) => quotient(w, x, t),
            (IntOp::URem | IntOp::SRem, true) => x.wrapping_sub(int_op(op, w, x, y)).wrapping_add(t),
            (IntOp::URem | IntOp::SRem, false) => x.wrapping_sub(t),
            (IntOp::And, _) => t | (own & !other),
            (IntOp::Or, _) => (t & !other) | (own & other),
            (IntOp::Xor, _) => t ^ other,
            (IntOp::Shl, true) => t.checked_shr(small(y)).unwrap_or(0),
            (IntOp::LShr | IntOp::AShr, true) => t.checked_shl(small(y)).unwrap_or(0),
            (IntOp::Shl | IntOp::LShr | IntOp::AShr, false) => self.random.below(w.bits() as usize) as u64,
        };
        Some((if first { a } else { b }, w.wrap(target)))
    }

    fn sum(&mut self, term: Term, w: Width, parts: &[(u64, Term)], target: u64) -> Option<(Term, u64)> {
        let (coefficient, part) = self.random.pick(parts)?;
        let missing = target.wrapping_sub(self.value(term));
        let share = w.wrap(missing.wrapping_add(coefficient.wrapping_mul(self.value(part))));
        Some((part, w.wrap(factor(w, share, coefficient))))
    }

    fn before_cast(&mut self, cast: Cast, a: Term, target: u64) -> u64 {
        match cast {
            Cast::Trunc(from, to) => from.wrap(self.value(a) & !to.mask() | target),
            Cast::ZExt(from, _) | Cast::SExt(from, _) => from.wrap(target),
            Cast::FloatToSigned(w, to) => cast_of_rank(Cast::SignedToFloat(to, w), target),
            Cast::FloatToUnsigned(w, to) => cast_of_rank(Cast::UnsignedToFloat(to, w), target),
            Cast::SignedToFloat(from, w) => cast_of_rank(Cast::FloatToSigned(w, from), target),
            Cast::UnsignedToFloat(from, w) => cast_of_rank(Cast::FloatToUnsigned(w, from), target),
            Cast::Widen => cast_of_rank(Cast::Narrow, target),
            Cast::Narrow => cast_of_rank(Cast::Widen, target),
            Cast::FloatBits(w) => rank(w, target),
            Cast::BitsFloat(w) => unrank(w, target),
        }
    }

    fn float(&mut self, function: FloatFn, w: FloatWidth, items: &[Term], t: u64) -> Option<(Term, u64)> {
        let solve = |op: FloatOp, x: u64, y: u64| float_fn(FloatFn::Op(op), w, &[x, y]);
        let (operand, target) = match (function, items) {
            (FloatFn::Unary(op), &[a]) => (a, self.before_unary(op, w, t)),
            (FloatFn::Op(op), &[a, b]) => {
                let first = self.side(a, b)?;
                let (x, y) = (self.value(a), self.value(b));
                let target = match (op, first) {
                    (FloatOp::Add, true) => solve(FloatOp::Sub, t, y),
                    (FloatOp::Add, false) => solve(FloatOp::Sub, t, x),
                    (FloatOp::Sub, true) => solve(FloatOp::Add, t, y),
                    (FloatOp::Sub, false) => solve(FloatOp::Sub, x, t),
                    (FloatOp::Mul, true) => solve(FloatOp::Div, t, y),
                    (FloatOp::Mul, false) => solve(FloatOp::Div, t, x),
                    (FloatOp::Div, true) => solve(FloatOp::Mul, t, y),
                    (FloatOp::Div, false) => solve(FloatOp::Div, x, t),
                    (FloatOp::Rem | FloatOp::Min | FloatOp::Max | FloatOp::CopySign, _) => t,
                };
                // A square is no product of two numbers that can be chosen.
                let is_square = a == b && op == FloatOp::Mul;
                let root = |t: u64| float_fn(FloatFn::Unary(FloatUnary::Sqrt), w, &[t]);
                (if first { a } else { b }, if is_square { self.signed(w, root(t)) } else { target })
            }
            (FloatFn::Fma, &[a, b, c]) => {
                let (x, y, z) = (self.value(a), self.value(b), self.value(c));
                let product = solve(FloatOp::Sub, t, z);
                match self.random.below(3) {
                    0 => (a, solve(FloatOp::Div, product, y)),
                    1 => (b, solve(FloatOp::Div, product, x)),
                    _ => (c, solve(FloatOp::Sub, t, solve(FloatOp::Mul, x, y))),
                }
            }
            _ => return None,
        };
        // The rounding of the way back is not that of the way there.
        let nudge = if self.random.chance(60) { 0 } else { self.random.below(5) as u64 };
        let target = w.width().wrap(target.wrapping_add(nudge).wrapping_sub(nudge.min(1) * 2));
        self.open(operand, target)
    }

    fn before_unary(&mut self, op: FloatUnary, w: FloatWidth, t: u64) -> u64 {
        match op {
            FloatUnary::Neg => float_fn(FloatFn::Unary(FloatUnary::Neg), w, &[t]),
            FloatUnary::Abs => self.signed(w, t),
            FloatUnary::Sqrt => float_fn(FloatFn::Op(FloatOp::Mul), w, &[t, t]),
            FloatUnary::Floor
            | FloatUnary::Ceil
            | FloatUnary::Trunc
            | FloatUnary::Round
            | FloatUnary::RoundEven => t,
        }
    }

    /// The number itself or its opposite.
    fn signed(&mut self, w: FloatWidth, number: u64) -> u64 {
        let negative = float_fn(FloatFn::Unary(FloatUnary::Neg), w, &[number]);
        if self.random.chance(50) { number } else { negative }
    }
}

fn small(amount: u64) -> u32 {
    u32::try_from(amount).unwrap_or(u32::MAX)
}

/// What times `by` is `product`: without wrapping if there is such a number, else with it, else nearly.
fn factor(w: Width, product: u64, by: u64) -> u64 {
    let near = quotient(w, product, by);
    let is_exact = w.wrap(near.wrapping_mul(by)) == w.wrap(product);
    if is_exact || by & 1 == 0 { near } else { w.wrap(product.wrapping_mul(inverse(by))) }
}

fn quotient(w: Width, dividend: u64, divisor: u64) -> u64 {
    w.wrap(w.signed(dividend).checked_div(w.signed(divisor)).unwrap_or(0) as u64)
}

/// What times an odd number is 1, modulo 2^64: each step of Newton's doubles the bits that are right.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |guess, _| guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_an_inverse() {
        for odd in [1u64, 3, 5, 0xdead_beef, u64::MAX, 0x8000_0000_0000_0001] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1, "{odd:x}");
        }
        assert_eq!(factor(Width::W8, 35, 7), 5);
        assert_eq!(factor(Width::W8, 24, 6), 4);
        assert_eq!(factor(Width::W8, 5, 0), 0);
        assert_eq!(factor(Width::W8, 1, 3), 171);
    }
}
