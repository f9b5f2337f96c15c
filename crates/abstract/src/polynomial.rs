//! Terms as polynomials modulo a power of two.

use std::collections::BTreeMap;

use quipu_model::{Model, Node, Term};
use quipu_num::{Cast, IntOp, Width};
use rustc_hash::FxHashMap;

use crate::extension::Extension;
use crate::module::inverse_of_odd;
use crate::paths::{Decisions, resolved};

/// A product of terms, in ascending order; none for the number 1.
pub type Monomial = Vec<Term>;

/// A sum of monomials with coefficients, none of which is zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polynomial {
    parts: BTreeMap<Monomial, u64>,
}

/// Larger polynomials are not followed.
const MOST_PARTS: usize = 24;
const MOST_FACTORS: usize = 6;
const DEEPEST: u32 = 40;

impl Polynomial {
    pub fn constant(width: Width, value: u64) -> Polynomial {
        let mut polynomial = Polynomial::default();
        polynomial.add(width, Vec::new(), value);
        polynomial
    }

    pub fn leaf(width: Width, term: Term) -> Polynomial {
        let mut polynomial = Polynomial::default();
        polynomial.add(width, vec![term], 1);
        polynomial
    }

    pub fn from_parts(width: Width, parts: impl IntoIterator<Item = (Monomial, u64)>) -> Polynomial {
        let mut polynomial = Polynomial::default();
        for (monomial, factor) in parts {
            polynomial.add(width, monomial, factor);
        }
        polynomial
    }

    /// The sum of products.
    pub fn term(&self, model: &mut Model, width: Width) -> Term {
        let mut constant = 0;
        let mut parts = Vec::new();
        for (monomial, &factor) in &self.parts {
            match monomial.iter().copied().reduce(|a, b| model.op(IntOp::Mul, a, b)) {
                Some(product) => parts.push((factor, product)),
                None => constant = factor,
            }
        }
        model.sum(width, constant, parts)
    }

    pub fn parts(&self) -> impl Iterator<Item = (&Monomial, u64)> {
        self.parts.iter().map(|(monomial, &factor)| (monomial, factor))
    }

    /// The coefficient of a monomial.
    pub fn factor(&self, monomial: &Monomial) -> u64 {
        self.parts.get(monomial).copied().unwrap_or(0)
    }

    fn add(&mut self, width: Width, monomial: Monomial, factor: u64) {
        let entry = self.parts.entry(monomial).or_default();
        *entry = width.wrap(entry.wrapping_add(factor));
        self.parts.retain(|_, factor| *factor != 0);
    }

    pub fn plus(&mut self, width: Width, other: &Polynomial, factor: u64) {
        for (monomial, own) in &other.parts {
            self.add(width, monomial.clone(), own.wrapping_mul(factor));
        }
    }

    /// The product; none if it is too large.
    pub fn times(&self, width: Width, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (a, x) in &self.parts {
            for (b, y) in &other.parts {
                let mut monomial: Monomial = a.iter().chain(b).copied().collect();
                monomial.sort_unstable();
                if monomial.len() > MOST_FACTORS {
                    return None;
                }
                product.add(width, monomial, x.wrapping_mul(*y));
            }
        }
        (product.parts.len() <= MOST_PARTS).then_some(product)
    }

    /// What a leaf is, if this is zero: where it has an even coefficient, it is known but for its highest bits, for which
    /// a multiple of something `unknown` stands. None if it does not occur alone, or not everything can be divided.
    pub fn solved_for(&self, width: Width, leaf: Term, unknown: Term) -> Option<Polynomial> {
        let own = vec![leaf];
        let factor = self.factor(&own);
        let twos = factor.trailing_zeros();
        let divisible = self.parts.values().all(|factor| factor.trailing_zeros() >= twos);
        let alone = self.parts.keys().all(|monomial| *monomial == own || !monomial.contains(&leaf));
        if factor == 0 || !divisible || !alone {
            return None;
        }
        let minus_inverse = inverse_of_odd(factor >> twos).wrapping_neg();
        let mut value = Polynomial::default();
        for (monomial, factor) in self.parts.iter().filter(|(monomial, _)| **monomial != own) {
            value.add(width, monomial.clone(), (factor >> twos).wrapping_mul(minus_inverse));
        }
        value.add(width, vec![unknown], 1_u64.checked_shl(width.bits() - twos).unwrap_or(0));
        Some(value)
    }

    /// The polynomial with a value for a leaf; as it is if that is too large.
    pub fn replaced(&self, width: Width, leaf: Term, value: &Polynomial) -> Polynomial {
        let mut sum = Polynomial::default();
        for (monomial, &factor) in &self.parts {
            let mut product = Polynomial::constant(width, factor);
            for &other in monomial {
                let plain = Polynomial::leaf(width, other);
                match product.times(width, if other == leaf { value } else { &plain }) {
                    Some(next) => product = next,
                    None => return self.clone(),
                }
            }
            sum.plus(width, &product, 1);
        }
        sum
    }

    /// A term as a polynomial of whatever is no arithmetic in it.
    pub fn of(model: &Model, term: Term, decisions: &Decisions, extension: &Extension<'_>) -> Polynomial {
        Builder { model, decisions, extension, known: FxHashMap::default() }.build(term, DEEPEST)
    }

    /// The polynomial modulo a smaller power of two; none if something in it has no name there.
    pub fn cut(&self, extension: &Extension<'_>) -> Option<Polynomial> {
        let mut cut = Polynomial::default();
        for (monomial, &factor) in &self.parts {
            let mut monomial =
                monomial.iter().map(|&leaf| extension.cut(leaf)).collect::<Option<Monomial>>()?;
            monomial.sort_unstable();
            cut.add(extension.width, monomial, factor);
        }
        Some(cut)
    }
}

struct Builder<'a> {
    model: &'a Model,
    decisions: &'a Decisions,
    extension: &'a Extension<'a>,
    known: FxHashMap<Term, Polynomial>,
}

impl Builder<'_> {
    fn build(&mut self, term: Term, depth: u32) -> Polynomial {
        let term = resolved(self.model, term, self.decisions);
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let width = self.model.width(term);
        let found = self.inner(term, depth).filter(|polynomial| polynomial.parts.len() <= MOST_PARTS);
        let polynomial = found.unwrap_or_else(|| Polynomial::leaf(width, term));
        self.known.insert(term, polynomial.clone());
        polynomial
    }

    /// None for what is no arithmetic.
    fn inner(&mut self, term: Term, depth: u32) -> Option<Polynomial> {
        let depth = depth.checked_sub(1)?;
        let width = self.model.width(term);
        if width == Width::W1 {
            return None;
        }
        let minus_one = width.mask();
        Some(match self.model.node(term).clone() {
            Node::Const(bits) => Polynomial::constant(width, bits),
            Node::Sum(constant, parts) => {
                let mut sum = Polynomial::constant(width, constant);
                for (factor, part) in parts {
                    sum.plus(width, &self.build(part, depth), factor);
                }
                sum
            }
            Node::Op(op @ (IntOp::Add | IntOp::Sub), a, b) => {
                let mut sum = self.build(a, depth);
                sum.plus(width, &self.build(b, depth), if op == IntOp::Add { 1 } else { minus_one });
                sum
            }
            Node::Op(IntOp::Mul, a, b) => self.build(a, depth).times(width, &self.build(b, depth))?,
            Node::Op(IntOp::Shl, a, b) => {
                let amount = self.model.constant(b).filter(|&amount| amount < u64::from(width.bits()))?;
                let mut product = Polynomial::default();
                product.plus(width, &self.build(a, depth), 1 << amount);
                product
            }
            Node::Not(a) => {
                let mut negated = Polynomial::constant(width, minus_one);
                negated.plus(width, &self.build(a, depth), minus_one);
                negated
            }
            Node::Cast(cast, a) if width == self.extension.width => match cast {
                Cast::ZExt(..) => self.extension.of(a, false)?,
                Cast::SExt(..) => self.extension.of(a, true)?,
                Cast::Trunc(..) => self.build(a, depth).cut(self.extension)?,
                _ => return None,
            },
            _ => return None,
        })
    }
}
