//! Truth values: comparisons, `!`, `&&`, `||`, and whatever else can control a branch.

use super::context::Gen;
use super::expr::{Expr, Prec};

impl Gen<'_> {
    /// Any scalar expression that can be tested.
    pub(super) fn condition(&mut self, depth: u32) -> Expr {
        match self.rng.below(10) {
            0..=6 if depth == 0 => self.comparison(1),
            0..=6 => self.truth(depth),
            7 => self.arithmetic_expr(depth),
            _ => self.int_expr(depth),
        }
    }

    /// An expression whose value is 0 or 1.
    pub(super) fn truth(&mut self, depth: u32) -> Expr {
        match self.rng.below(12) {
            0..=5 => self.comparison(depth),
            6 | 7 => self.negation(depth),
            8 if self.features.pointers => match self.pointer_comparison() {
                Some(expr) => expr,
                None => self.comparison(depth),
            },
            _ => self.logical(depth),
        }
    }

    fn comparison(&mut self, depth: u32) -> Expr {
        let a = self.arithmetic_expr(depth - 1);
        let b = self.beside(a.effects, |e: &Expr| e.effects, |g| g.arithmetic_expr(depth - 1));
        // `x == x` is folded together with everything beside it, undefined or not.
        let b = if self.config.undefined && a.text == b.text { self.int_literal() } else { b };
        self.compare(&a, &b)
    }

    /// A comparison of two values whose order makes sense.
    pub(super) fn compare(&mut self, a: &Expr, b: &Expr) -> Expr {
        let (sign, prec) = *self.rng.pick(&[
            ("<", Prec::Relational),
            (">", Prec::Relational),
            ("<=", Prec::Relational),
            (">=", Prec::Relational),
            ("==", Prec::Equality),
            ("!=", Prec::Equality),
        ]);
        let text = format!("{} {sign} {}", a.at(prec), b.at(prec.tighter()));
        Expr::truth(text, prec, a.effects.and(b.effects))
    }

    fn negation(&mut self, depth: u32) -> Expr {
        let a = self.condition(depth - 1);
        Expr::truth(format!("!{}", a.unary_operand()), Prec::Unary, a.effects)
    }

    fn logical(&mut self, depth: u32) -> Expr {
        let a = self.condition(depth - 1);
        let b = self.condition(depth - 1);
        let (sign, prec) = *self.rng.pick(&[("&&", Prec::LogicalAnd), ("||", Prec::LogicalOr)]);
        let text = format!("{} {sign} {}", a.at(prec), b.at(prec.tighter()));
        Expr::truth(text, prec, a.effects.and(b.effects))
    }
}
