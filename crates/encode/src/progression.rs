//! Which values an offset can have, by its form alone: c + k * i, without wrapping around.

use quipu_model::{Model, Node, Reading, Term, Var};
use quipu_num::{Cast, IntOp};

/// The numbers `residue + n * step` between two bounds, both inclusive, read as signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Progression {
    pub low: i128,
    pub high: i128,
    /// 0 if there is one number only, `low`.
    pub step: u64,
    pub residue: u64,
}

/// The numbers `first + n * step` for all n, without bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Steps {
    /// 0 if there is one number only.
    pub step: u64,
    pub first: i128,
}

impl Steps {
    /// The widest steps that meet all numbers of both.
    pub fn or(self, other: Steps) -> Steps {
        let apart = u64::try_from((self.first - other.first).unsigned_abs()).unwrap_or(1);
        let step = gcd(gcd(self.step, other.step), apart);
        let first = if step == 0 { self.first } else { self.first.rem_euclid(i128::from(step)) };
        Steps { step, first }
    }
}

impl Progression {
    pub fn steps(self) -> Steps {
        let first = if self.step == 0 { self.low } else { i128::from(self.residue) };
        Steps { step: self.step, first }
    }

    fn one(value: i128) -> Progression {
        Progression { low: value, high: value, step: 0, residue: 0 }
    }

    fn between(low: i128, high: i128) -> Progression {
        Progression { low, high, step: 1, residue: 0 }
    }

    fn times(self, factor: i128) -> Progression {
        if factor == 0 {
            return Progression::one(0);
        }
        let (x, y) = (self.low.saturating_mul(factor), self.high.saturating_mul(factor));
        let step = u64::try_from(u128::from(self.step) * factor.unsigned_abs()).unwrap_or(1);
        Progression::normal(x.min(y), x.max(y), step)
    }

    fn plus(self, other: Progression) -> Progression {
        let (low, high) = (self.low.saturating_add(other.low), self.high.saturating_add(other.high));
        Progression::normal(low, high, gcd(self.step, other.step))
    }

    /// The progression through `low`, which belongs to it in all uses here.
    fn normal(low: i128, high: i128, step: u64) -> Progression {
        let residue = if step == 0 { 0 } else { low.rem_euclid(i128::from(step)) as u64 };
        Progression { low, high, step, residue }
    }

    fn either(self, other: Progression) -> Progression {
        let apart = u64::try_from((self.low - other.low).unsigned_abs()).unwrap_or(1);
        let step = gcd(gcd(self.step, other.step), apart);
        Progression::normal(self.low.min(other.low), self.high.max(other.high), step)
    }

    fn fits(self, bits: u32) -> bool {
        let limit = 1i128 << (bits - 1);
        -limit <= self.low && self.high < limit
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// How deep a term is looked into.
const DEPTH: u32 = 12;

/// The values of a term, read as signed.
pub(crate) fn progression(model: &Model, term: Term) -> Progression {
    look(model, term, DEPTH)
}

fn look(model: &Model, term: Term, depth: u32) -> Progression {
    let w = model.width(term);
    let all = Progression::between(-(1i128 << (w.bits() - 1)), (1i128 << (w.bits() - 1)) - 1);
    if depth == 0 {
        return all;
    }
    let found = match model.node(term) {
        Node::Var(var) => declared(model, *var).unwrap_or(all),
        Node::Const(bits) => Progression::one(i128::from(w.signed(*bits))),
        Node::Cast(Cast::SExt(..), a) => look(model, *a, depth - 1),
        Node::Cast(Cast::ZExt(from, _), a) => {
            let inner = look(model, *a, depth - 1);
            if inner.low >= 0 { inner } else { Progression::between(0, i128::from(from.mask())) }
        }
        Node::Sum(constant, parts) => {
            let start = Progression::one(i128::from(w.signed(*constant)));
            parts.iter().fold(start, |sum, (factor, part)| {
                sum.plus(look(model, *part, depth - 1).times(i128::from(w.signed(*factor))))
            })
        }
        Node::Op(IntOp::Shl, a, b) => match model.constant(*b) {
            Some(amount) if amount < 63 => look(model, *a, depth - 1).times(1 << amount),
            _ => all,
        },
        Node::Op(IntOp::Mul, a, b) => match (model.constant(*a), model.constant(*b)) {
            (Some(factor), _) => look(model, *b, depth - 1).times(i128::from(w.signed(factor))),
            (_, Some(factor)) => look(model, *a, depth - 1).times(i128::from(w.signed(factor))),
            _ => all,
        },
        Node::Op(IntOp::And, a, b) => match model.constant(*b).or(model.constant(*a)) {
            Some(mask) if w.signed(mask) >= 0 => Progression::between(0, i128::from(mask)),
            _ => all,
        },
        Node::Op(IntOp::URem, _, b) => match model.constant(*b) {
            Some(divisor) if divisor > 0 && w.signed(divisor) > 0 => {
                Progression::between(0, i128::from(divisor) - 1)
            }
            _ => all,
        },
        Node::Op(IntOp::LShr, _, b) => match model.constant(*b) {
            Some(amount) if amount > 0 && amount < u64::from(w.bits()) => {
                Progression::between(0, i128::from(w.mask() >> amount))
            }
            _ => all,
        },
        Node::Select(_, a, b) => {
            // A long chain of numbers is followed to its end.
            let (mut found, mut rest) = (look(model, *a, depth - 1), *b);
            while let Node::Select(_, a, b) = model.node(rest)
                && let Some(bits) = model.constant(*a)
            {
                found = found.either(Progression::one(i128::from(w.signed(bits))));
                rest = *b;
            }
            found.either(look(model, rest, depth - 1))
        }
        Node::Element(_, items) if items.len() <= 64 => {
            let values = items.iter().map(|&item| look(model, item, depth.min(2) - 1));
            values.reduce(Progression::either).map_or(all, |found| found.either(Progression::one(0)))
        }
        _ => all,
    };
    if found.fits(w.bits()) { found } else { all }
}

/// The range in which a variable was declared.
fn declared(model: &Model, var: Var) -> Option<Progression> {
    let info = &model.vars()[var];
    let (low, high) = info.range?;
    let number = |bits| match info.reading {
        Reading::Signed => i128::from(info.width.signed(bits)),
        Reading::Unsigned | Reading::Float => i128::from(bits),
    };
    // A large unsigned number is negative when it is read as signed.
    Some(Progression::between(number(low), number(high))).filter(|found| found.fits(info.width.bits()))
}

#[cfg(test)]
mod tests {
    use quipu_model::{Assignment, Evaluation, Role, VarInfo};
    use quipu_num::Width;

    use super::*;

    /// A small generator of numbers (xorshift).
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % n
        }
    }

    const W4: Width = Width::new(4).unwrap();
    const W8: Width = Width::new(8).unwrap();

    fn variable(model: &mut Model, width: Width) -> Term {
        let name = format!("v{}", model.vars().len());
        let var =
            model.add_var(VarInfo { name, width, reading: Reading::Signed, range: None, role: Role::Input });
        model.var_term(var)
    }

    /// A random term of eight bits over two variables.
    fn term(model: &mut Model, random: &mut Random, leaves: &[Term], depth: u32) -> Term {
        if depth == 0 || random.below(5) == 0 {
            return match random.below(3) {
                0 => model.constant_term(W8, random.below(256)),
                n => leaves[n as usize - 1],
            };
        }
        let a = term(model, random, leaves, depth - 1);
        let b = term(model, random, leaves, depth - 1);
        let number = random.below(12);
        let small = model.constant_term(W8, number);
        match random.below(9) {
            0 => model.sum(W8, random.below(256), [(random.below(6), a), (random.below(256), b)]),
            1 => model.op(IntOp::Shl, a, small),
            2 => model.op(IntOp::Mul, a, small),
            3 => model.op(IntOp::And, a, small),
            4 => model.op(IntOp::URem, a, small),
            5 => model.op(IntOp::LShr, a, small),
            6 => {
                let condition = model.equal(a, small);
                model.select(condition, b, small)
            }
            7 => model.element(a, vec![b, small, a]),
            _ => {
                let cut = model.resize(a, W4, false);
                model.resize(cut, W8, random.below(2) == 0)
            }
        }
    }

    #[test]
    fn every_value_belongs_to_the_progression() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut narrow = 0;
        for _ in 0..600 {
            let mut model = Model::new();
            let leaves = [variable(&mut model, W8), variable(&mut model, W8)];
            let term = term(&mut model, &mut random, &leaves, 3);
            let found = progression(&model, term);
            narrow += u32::from(found.high - found.low < 255 || found.step > 1);
            for x in 0..=255u64 {
                for y in (0..=255u64).step_by(5) {
                    let assignment: Assignment = [x, y].into_iter().collect();
                    let value = W8.signed(Evaluation::new(&model, &assignment).value(term));
                    let value = i128::from(value);
                    let in_step =
                        found.step == 0 || value.rem_euclid(i128::from(found.step)) as u64 == found.residue;
                    assert!(found.low <= value && value <= found.high && in_step, "{value} not in {found:?}");
                }
            }
        }
        assert!(narrow > 100, "{narrow} of 600 terms tell something");
    }

    #[test]
    fn steps_meet_all_numbers_of_both() {
        let all = |step: u64, first: i128| Steps { step, first };
        for (a, b) in
            [(all(0, 8), all(0, 20)), (all(6, 1), all(4, 3)), (all(0, -3), all(5, 2)), (all(0, 7), all(0, 7))]
        {
            let both = a.or(b);
            for steps in [a, b] {
                for n in -3..=3 {
                    let number = steps.first + n * i128::from(steps.step);
                    let met = match both.step {
                        0 => number == both.first,
                        step => (number - both.first).rem_euclid(i128::from(step)) == 0,
                    };
                    assert!(met, "{number} of {steps:?} is not in {both:?}");
                }
            }
        }
        assert_eq!(all(0, 8).or(all(0, 20)), all(12, 8));
    }

    /// Three products of large numbers do not fit into 128 bits.
    #[test]
    fn large_factors_do_not_overflow() {
        let mut model = Model::new();
        let width = Width::new(64).unwrap();
        let parts: Vec<(u64, Term)> = (0..4).map(|_| (1 << 63, variable(&mut model, width))).collect();
        let sum = model.sum(width, 0, parts);
        let found = progression(&model, sum);
        assert_eq!((found.low, found.high), (i128::from(i64::MIN), i128::from(i64::MAX)));
    }
}
