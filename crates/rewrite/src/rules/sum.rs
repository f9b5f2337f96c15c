//! Sums and products. A sum is a constant plus parts with coefficients, sorted by term; there is no other
//! form of addition, subtraction, negation or multiplication by a number.

use quipu_model::{Model, Node, Term};
use quipu_num::Width;

/// A sum taken into a larger sum may not make it longer than this.
const MOST_PARTS: usize = 12;

/// `constant + Σ coefficient * part`, modulo the width.
pub(crate) fn sum(model: &mut Model, width: Width, constant: u64, parts: &[(u64, Term)]) -> Term {
    let mut total = Linear { width, constant, parts: Vec::with_capacity(parts.len()) };
    for &(coefficient, part) in parts {
        total.add(model, coefficient, part);
    }
    total.finish(model)
}

/// The product of two terms.
pub(crate) fn product(model: &mut Model, a: Term, b: Term) -> Term {
    let width = model.width(a);
    if let Some(coefficient) = model.constant(a) {
        return sum(model, width, 0, &[(coefficient, b)]);
    }
    if let Some(coefficient) = model.constant(b) {
        return sum(model, width, 0, &[(coefficient, a)]);
    }
    // Numbers in front of a factor move in front of the product.
    let ((c, a), (d, b)) = (scaled(model, a), scaled(model, b));
    let plain = model.op(quipu_num::IntOp::Mul, a.min(b), a.max(b));
    sum(model, width, 0, &[(c.wrapping_mul(d), plain)])
}

/// A term as a linear combination.
pub(crate) fn linear_parts(model: &Model, term: Term) -> (u64, Vec<(u64, Term)>) {
    match model.node(term) {
        Node::Const(bits) => (*bits, Vec::new()),
        Node::Sum(constant, parts) => (*constant, parts.to_vec()),
        _ => (0, vec![(1, term)]),
    }
}

/// A term as a number times a term.
fn scaled(model: &Model, term: Term) -> (u64, Term) {
    match model.node(term) {
        Node::Sum(0, parts) if parts.len() == 1 => parts[0],
        _ => (1, term),
    }
}

struct Linear {
    width: Width,
    constant: u64,
    parts: Vec<(u64, Term)>,
}

impl Linear {
    fn add(&mut self, model: &Model, coefficient: u64, part: Term) {
        let coefficient = self.width.wrap(coefficient);
        match model.node(part) {
            Node::Const(bits) => self.add_constant(coefficient.wrapping_mul(*bits)),
            // ~x is -x - 1.
            Node::Not(a) => {
                self.add_constant(coefficient.wrapping_neg());
                self.add(model, coefficient.wrapping_neg(), *a);
            }
            Node::Sum(constant, parts) if self.takes_apart(coefficient, parts) => {
                self.add_constant(coefficient.wrapping_mul(*constant));
                for &(inner, part) in parts {
                    self.parts.push((self.width.wrap(coefficient.wrapping_mul(inner)), part));
                }
            }
            _ => self.parts.push((coefficient, part)),
        }
    }

    fn add_constant(&mut self, value: u64) {
        self.constant = self.width.wrap(self.constant.wrapping_add(value));
    }

    /// A multiple of a longer sum stays whole: taking it apart would repeat the multiplication for each part.
    fn takes_apart(&self, coefficient: u64, parts: &[(u64, Term)]) -> bool {
        let unit = coefficient == 1 || coefficient == self.width.mask();
        parts.len() <= 1 || (unit && self.parts.len() + parts.len() <= MOST_PARTS)
    }

    /// Whichever way two opposite choices go, both terms are added.
    fn without_choice(mut self, model: &mut Model, n: usize, m: usize) -> Term {
        let (coefficient, choice) = self.parts.remove(m);
        self.parts.remove(n);
        if let Node::Select(_, a, b) = *model.node(choice) {
            self.add(model, coefficient, a);
            self.add(model, coefficient, b);
        }
        self.finish(model)
    }

    fn finish(mut self, model: &mut Model) -> Term {
        self.parts.sort_by_key(|part| part.1);
        let mut merged: Vec<(u64, Term)> = Vec::with_capacity(self.parts.len());
        for (coefficient, part) in self.parts {
            match merged.last_mut() {
                Some(last) if last.1 == part => last.0 = self.width.wrap(last.0.wrapping_add(coefficient)),
                _ => merged.push((coefficient, part)),
            }
        }
        merged.retain(|part| part.0 != 0);
        if let Some((n, m)) = opposite_choices(model, &merged) {
            return Linear { width: self.width, constant: self.constant, parts: merged }
                .without_choice(model, n, m);
        }
        match merged[..] {
            [] => model.constant_term(self.width, self.constant),
            [(1, part)] if self.constant == 0 => part,
            // The complement is the simpler form of -x - 1.
            [(c, part)] if c == self.width.mask() && self.constant == c && !is_sum(model, part) => {
                model.not(part)
            }
            _ => model.sum(self.width, self.constant, merged),
        }
    }
}

/// Two parts that choose between the same terms by the same condition, one the other way round.
fn opposite_choices(model: &Model, parts: &[(u64, Term)]) -> Option<(usize, usize)> {
    let choice = |&(coefficient, part): &(u64, Term)| match *model.node(part) {
        Node::Select(condition, a, b) => Some((coefficient, condition, a, b)),
        _ => None,
    };
    for (n, part) in parts.iter().enumerate() {
        if let Some((coefficient, condition, a, b)) = choice(part) {
            let opposite = Some((coefficient, condition, b, a));
            if let Some(m) = parts[n + 1..].iter().position(|other| choice(other) == opposite) {
                return Some((n, n + 1 + m));
            }
        }
    }
    None
}

fn is_sum(model: &Model, term: Term) -> bool {
    matches!(model.node(term), Node::Sum(..) | Node::Not(_))
}
