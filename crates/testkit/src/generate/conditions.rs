//! Truth values: comparisons, `!`, `&&`, `||`, and whatever else can control a branch.

use super::context::Gen;
use super::expr::{Expr, Facts, Prec};

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
        if self.config.undefined && (is_folded(&a, &b) || is_folded(&b, &a)) {
            let b = self.literal(1);
            return self.compare(&a, &b);
        }
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

/// Whether compilers know the outcome without evaluating `a`, and so lose its undefined behaviour: both are
/// the same, or `b` is a constant at or beyond the bounds of `a`'s type.
fn is_folded(a: &Expr, b: &Expr) -> bool {
    let beyond = match (a.ty.int_kind(), b.facts) {
        (Some(kind), Facts::Int(range)) => range.lo <= kind.range().lo || range.hi >= kind.range().hi,
        _ => false,
    };
    a.text == b.text || beyond && b.effects.reads == 0
}
