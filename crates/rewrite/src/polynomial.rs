//! Terms as polynomials modulo 2^w over the terms that are neither sums nor products, to decide equations.
//!
//! Expanding can make an expression longer without bound, so it gives up early; what it finds is exact.

use quipu_model::{Model, Node, Term};
use quipu_num::{IntOp, Width};
use std::collections::BTreeMap;

use crate::rules;

const MOST_MONOMIALS: usize = 48;
const LARGEST_DEGREE: usize = 8;
/// Operations that are nested more deeply are no polynomial worth looking at.
const DEEPEST: usize = 200;
/// Terms that are looked at to prove an identity.
const MOST_EXPANDED: usize = 64;

/// A sum of products with coefficients; the empty product is the constant.
pub(crate) struct Polynomial {
    width: Width,
    coefficients: BTreeMap<Vec<Term>, u64>,
    /// Whether a product of sums was multiplied out.
    expanded: bool,
}

/// `constant + Σ coefficient * part == 0`.
pub(crate) struct Equation {
    width: Width,
    constant: u64,
    parts: Vec<(u64, Term)>,
}

impl Polynomial {
    /// `a - b`, unless it becomes too long.
    pub fn difference(model: &Model, a: Term, b: Term) -> Option<Polynomial> {
        let width = model.width(a);
        let mut left = Polynomial::of(model, a, width, DEEPEST)?;
        let right = Polynomial::of(model, b, width, DEEPEST)?;
        left.add(&right, width.mask())?;
        Some(left)
    }

    /// None if the term is nested too deeply, or the polynomial becomes too long.
    fn of(model: &Model, term: Term, width: Width, depth: usize) -> Option<Polynomial> {
        let depth = depth.checked_sub(1)?;
        match model.node(term) {
            Node::Const(bits) => Some(Polynomial::monomial(width, Vec::new(), *bits)),
            Node::Sum(constant, parts) => {
                let mut total = Polynomial::monomial(width, Vec::new(), *constant);
                for &(coefficient, part) in parts {
                    total.add(&Polynomial::of(model, part, width, depth)?, coefficient)?;
                }
                Some(total)
            }
            Node::Op(IntOp::Mul, a, b) => {
                Polynomial::of(model, *a, width, depth)?.times(&Polynomial::of(model, *b, width, depth)?)
            }
            Node::Not(a) => {
                let mut total = Polynomial::monomial(width, Vec::new(), width.mask());
                total.add(&Polynomial::of(model, *a, width, depth)?, width.mask())?;
                Some(total)
            }
            _ => Some(Polynomial::monomial(width, vec![term], 1)),
        }
    }

    /// Whether two terms are equal by the laws that define an operation by simpler ones.
    pub fn is_identity(model: &mut Model, a: Term, b: Term) -> bool {
        let fuel = &mut { MOST_EXPANDED };
        let (left, right) = (expanded(model, a, fuel), expanded(model, b, fuel));
        let changed = left != a || right != b;
        changed && Polynomial::difference(model, left, right).is_some_and(|rest| rest.coefficients.is_empty())
    }

    fn monomial(width: Width, factors: Vec<Term>, coefficient: u64) -> Polynomial {
        let mut coefficients = BTreeMap::new();
        if coefficient != 0 {
            coefficients.insert(factors, coefficient);
        }
        Polynomial { width, coefficients, expanded: false }
    }

    fn add(&mut self, other: &Polynomial, scale: u64) -> Option<()> {
        self.expanded |= other.expanded;
        for (factors, coefficient) in &other.coefficients {
            self.add_monomial(factors.clone(), coefficient.wrapping_mul(scale));
        }
        (self.coefficients.len() <= MOST_MONOMIALS).then_some(())
    }

    fn add_monomial(&mut self, factors: Vec<Term>, coefficient: u64) {
        let sum = self.coefficients.get(&factors).copied().unwrap_or(0).wrapping_add(coefficient);
        match self.width.wrap(sum) {
            0 => self.coefficients.remove(&factors),
            sum => self.coefficients.insert(factors, sum),
        };
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.coefficients.len() * other.coefficients.len() > MOST_MONOMIALS {
            return None;
        }
        let long = |polynomial: &Polynomial| polynomial.coefficients.len() > 1;
        let expanded = self.expanded || other.expanded || long(self) || long(other);
        let mut product = Polynomial { width: self.width, coefficients: BTreeMap::new(), expanded };
        for (left, c) in &self.coefficients {
            for (right, d) in &other.coefficients {
                let mut factors: Vec<Term> = left.iter().chain(right).copied().collect();
                if factors.len() > LARGEST_DEGREE {
                    return None;
                }
                factors.sort();
                product.add_monomial(factors, c.wrapping_mul(*d));
            }
        }
        Some(product)
    }

    pub fn has_width_of(&self, other: &Polynomial) -> bool {
        self.width == other.width
    }

    /// Whether this is the number 0.
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// A monomial whose coefficient can be divided by the fewest powers of two, larger products first.
    pub fn pivot(&self) -> Option<Vec<Term>> {
        let rank = |(factors, coefficient): &(&Vec<Term>, &u64)| {
            (coefficient.trailing_zeros(), usize::MAX - factors.len())
        };
        self.coefficients.iter().min_by_key(rank).map(|(factors, _)| factors.clone())
    }

    /// Takes away as much of another polynomial as makes the coefficient of a monomial zero, if it can be divided.
    pub fn eliminate(&mut self, other: &Polynomial, pivot: &Vec<Term>) {
        let (Some(&own), Some(&divisor)) = (self.coefficients.get(pivot), other.coefficients.get(pivot))
        else {
            return;
        };
        let twos = divisor.trailing_zeros();
        if own.trailing_zeros() < twos {
            return;
        }
        let factor = (own >> twos).wrapping_mul(inverse(divisor >> twos));
        for (factors, coefficient) in &other.coefficients {
            self.add_monomial(factors.clone(), coefficient.wrapping_mul(factor).wrapping_neg());
        }
    }

    /// The equation that this polynomial is 0. Where products of sums were multiplied out and did not vanish,
    /// the equation would be longer than it was: then there is none, unless the products left are known from elsewhere.
    pub fn into_equation(self, model: &mut Model) -> Option<Equation> {
        if self.expanded && self.coefficients.keys().any(|factors| !is_known(model, self.width, factors)) {
            return None;
        }
        let mut equation = Equation { width: self.width, constant: 0, parts: Vec::new() };
        for (factors, coefficient) in self.coefficients {
            match factors.split_first() {
                None => equation.constant = coefficient,
                Some((&first, rest)) => {
                    let product =
                        rest.iter().fold(first, |product, &factor| rules::product(model, product, factor));
                    equation.parts.push((coefficient, product));
                }
            }
        }
        equation.parts.sort_by_key(|part| part.1);
        Some(equation)
    }
}

/// Whether there is a term for a product already.
fn is_known(model: &Model, width: Width, factors: &[Term]) -> bool {
    let exists = |a: Term, b: Term| model.existing(&Node::Op(IntOp::Mul, a, b), width).is_some();
    match *factors {
        [] | [_] => true,
        [a, b] => exists(a, b) || exists(b, a),
        _ => false,
    }
}

impl Equation {
    /// The equation as a truth value in normal form.
    pub fn build(mut self, model: &mut Model) -> Term {
        let width = self.width;
        // Sides can be swapped: the first coefficient is the smaller of itself and its opposite.
        if let Some(&(first, _)) = self.parts.first()
            && width.wrap(first.wrapping_neg()) < first
        {
            self.constant = width.wrap(self.constant.wrapping_neg());
            self.parts.iter_mut().for_each(|part| part.0 = width.wrap(part.0.wrapping_neg()));
        }
        match self.parts[..] {
            [] => model.truth(self.constant == 0),
            [(coefficient, part)] => self.build_single(model, coefficient, part),
            [(1, a), (minus, b)] if self.constant == 0 && minus == width.mask() => {
                rules::equal_parts(model, a, b)
            }
            _ if self.is_never_zero() => model.truth(false),
            _ => {
                let sum = rules::sum(model, width, 0, &self.parts);
                let number = model.constant_term(width, self.constant.wrapping_neg());
                model.equal(sum, number)
            }
        }
    }

    /// `coefficient * part == -constant`: an odd coefficient can be divided by.
    fn build_single(&self, model: &mut Model, coefficient: u64, part: Term) -> Term {
        if self.is_never_zero() {
            return model.truth(false);
        }
        let width = self.width;
        let target = width.wrap(self.constant.wrapping_neg());
        if coefficient & 1 == 1 {
            let number = model.constant_term(width, target.wrapping_mul(inverse(coefficient)));
            return rules::equal_parts(model, part, number);
        }
        let product = rules::sum(model, width, 0, &[(coefficient, part)]);
        let number = model.constant_term(width, target);
        model.equal(product, number)
    }

    /// All parts are multiples of a power of two that the constant is not.
    fn is_never_zero(&self) -> bool {
        let common = self.parts.iter().map(|part| part.0.trailing_zeros()).min().unwrap_or(64);
        self.constant != 0 && self.constant.trailing_zeros() < common
    }
}

/// The sum or product with operations below it replaced by what they are in simpler ones.
fn expanded(model: &mut Model, term: Term, fuel: &mut usize) -> Term {
    let width = model.width(term);
    match fuel.checked_sub(1) {
        Some(less) => *fuel = less,
        None => return term,
    }
    match model.node(term).clone() {
        Node::Sum(constant, parts) => {
            let parts: Vec<(u64, Term)> =
                parts.iter().map(|&(c, part)| (c, expanded(model, part, fuel))).collect();
            rules::sum(model, width, constant, &parts)
        }
        Node::Op(op, a, b) => match op {
            IntOp::Mul => {
                let (a, b) = (expanded(model, a, fuel), expanded(model, b, fuel));
                rules::product(model, a, b)
            }
            // a | b == a + b - (a & b), a ^ b == a + b - 2 (a & b).
            IntOp::Or | IntOp::Xor => {
                let common = rules::build(model, Node::Op(IntOp::And, a, b), width);
                let times = if op == IntOp::Or { width.mask() } else { width.mask() - 1 };
                let (a, b) = (expanded(model, a, fuel), expanded(model, b, fuel));
                rules::sum(model, width, 0, &[(1, a), (1, b), (times, common)])
            }
            // a % b == a - b (a / b), also for b == 0.
            IntOp::URem | IntOp::SRem => {
                let quotient = if op == IntOp::URem { IntOp::UDiv } else { IntOp::SDiv };
                let quotient = rules::build(model, Node::Op(quotient, a, b), width);
                let (a, b) = (expanded(model, a, fuel), expanded(model, b, fuel));
                let product = rules::product(model, quotient, b);
                rules::sum(model, width, 0, &[(1, a), (width.mask(), product)])
            }
            // a << n == a (1 << n).
            IntOp::Shl => {
                let one = model.constant_term(width, 1);
                let power = rules::build(model, Node::Op(IntOp::Shl, one, b), width);
                let a = expanded(model, a, fuel);
                if model.constant(a) == Some(1) { term } else { rules::product(model, a, power) }
            }
            _ => term,
        },
        _ => term,
    }
}

/// The inverse of an odd number modulo 2^64, and so modulo every smaller power of two.
pub(crate) fn inverse(odd: u64) -> u64 {
    // Each step doubles the number of correct low bits; 3 bits are right at the start.
    let mut x = odd;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}
