//! Which values an offset can have, by its form alone: c + k * i, without wrapping around.

use quipu_model::{Model, Node, Term};
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

impl Progression {
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
        let (x, y) = (self.low * factor, self.high * factor);
        let step = u64::try_from(u128::from(self.step) * factor.unsigned_abs()).unwrap_or(1);
        Progression::normal(x.min(y), x.max(y), step)
    }

    fn plus(self, other: Progression) -> Progression {
        Progression::normal(self.low + other.low, self.high + other.high, gcd(self.step, other.step))
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
        Node::Op(IntOp::LShr, a, b) => match model.constant(*b) {
            Some(amount) if amount > 0 && amount < u64::from(w.bits()) => {
                let _ = a;
                Progression::between(0, i128::from(w.mask() >> amount))
            }
            _ => all,
        },
        Node::Select(_, a, b) => look(model, *a, depth - 1).either(look(model, *b, depth - 1)),
        Node::Element(_, items) if items.len() <= 64 => {
            let values = items.iter().map(|&item| look(model, item, depth.min(2) - 1));
            values.reduce(Progression::either).map_or(all, |found| found.either(Progression::one(0)))
        }
        _ => all,
    };
    if found.fits(w.bits()) { found } else { all }
}
