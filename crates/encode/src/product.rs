//! Products with a common factor.
//!
//! Solvers see little of how two products are related. If a < b, and if b * c does not wrap around, then a * c + c is
//! (a + 1) * c, at most b * c, and does not wrap around either. That is so whatever the values are, and so it can be told
//! to them.

use quipu_model::{Node, Term};
use quipu_num::{IntCmp, IntOp};

use crate::encoder::Engine;
use crate::progression::progression;

/// More products are not compared.
const MOST_PRODUCTS: usize = 16;

impl Engine<'_> {
    /// Tells how a product is related to those before.
    pub fn note_product(&mut self, product: Term) {
        let Node::Op(IntOp::Mul, a, b) = *self.terms.model.node(product) else { return };
        if self.products.len() >= MOST_PRODUCTS || self.products.contains(&product) {
            return;
        }
        for other in self.products.clone() {
            let Node::Op(IntOp::Mul, x, y) = *self.terms.model.node(other) else { continue };
            for (own, factor, others) in [(a, b, [x, y]), (b, a, [x, y])] {
                let its = match others {
                    [x, y] if y == factor => x,
                    [x, y] if x == factor => y,
                    _ => continue,
                };
                self.relate((own, product), (its, other), factor);
                self.relate((its, other), (own, product), factor);
            }
        }
        self.products.push(product);
    }

    /// What follows if `a` is less than `b`.
    fn relate(&mut self, (a, smaller): (Term, Term), (b, larger): (Term, Term), factor: Term) {
        let limit = i128::from(self.terms.width(factor).mask());
        let values = [b, factor].map(|term| progression(self.terms.model, term));
        let fits = values[0].high.checked_mul(values[1].high).is_some_and(|most| most <= limit);
        if values.iter().any(|values| values.low < 0) || !fits {
            return;
        }
        let less = self.terms.compare(IntCmp::Ult, a, b);
        let next = self.terms.add(smaller, factor);
        let apart =
            [self.terms.compare(IntCmp::Ule, smaller, next), self.terms.compare(IntCmp::Ule, next, larger)];
        let apart = self.terms.all(&apart);
        let lemma = self.terms.implies(less, apart);
        self.out.lemmas.push(lemma);
    }
}
